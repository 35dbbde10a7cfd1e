//! A single run told step by step.

use super::cases::Case;
use carom::contact::{Site, sites};
use carom::hybrid::Simulation;
use carom::record::{Directive, Event, Observer, Sample};

struct Story {
    sites: Vec<Site>,
    count: u64,
}

/// Lines after which the story ends.
const MOST: u64 = 2_000_000;

impl Story {
    fn line(&mut self, text: String) -> Directive {
        println!("{text}");
        self.count += 1;
        if self.count < MOST { Directive::Continue } else { Directive::Stop }
    }
}

impl Observer for Story {
    fn sample(&mut self, s: &Sample<'_>) -> Directive {
        let mut text =
            format!("{:.17e} E {:.12e} open {:.1e}", s.t, s.ledger.stored(), s.ledger.closure());
        for (k, site) in self.sites.iter().enumerate() {
            let near = s.gaps[k] < 1e-3 || s.modes[k].is_closed();
            if near {
                let (gap, force, word) = (s.gaps[k], s.forces[k][2], s.modes[k].word());
                text += &format!(" | {} {word} {gap:.3e} {force:.2e}", site.name);
            }
        }
        self.line(text)
    }

    fn event(&mut self, e: &Event) -> Directive {
        let mut text = format!("{:.17e} * {} {:.3e} J", e.t, e.kind.word(), e.energy_lost());
        for c in &e.contacts {
            let (name, u) = (&self.sites[c.site].name, c.u_pre);
            let (before, after) = (c.before.word(), c.after.word());
            text += &format!(
                " | {name} {before}>{after} u {:.3e} {:.3e} {:.3e} > {:.3e} {:.3e} {:.3e} p {:.3e}",
                u[0], u[1], u[2], c.u_post[0], c.u_post[1], c.u_post[2], c.impulse[2]
            );
        }
        self.line(text)
    }
}

/// Print every sample and event of a case.
pub fn tell(case: &Case) {
    let Ok(law) = case.choice.law() else { return };
    let mut story = Story { sites: sites(&case.model), count: 0 };
    let run = Simulation::new(&case.model, case.state.clone(), law).options(case.options);
    match run.run_with(case.end, &mut story) {
        Ok(outcome) => println!("{:?}", outcome.stop),
        Err(e) => println!("{e}"),
    }
}
