//! Towers of boxes that fall on each other and come to rest: events, evaluations, energy.
//!
//! ```console
//! $ cargo run --release -p carom --example tower -- planar 10
//! $ cargo run --release -p carom --example tower -- spatial 10 0.01 0.2 3
//! ```
//! In turn: the space, the number of boxes, the gap below each at the start in m, the restitution, the end in s. Each
//! box stands a little beside the one below it, so that no two corners meet. `--events` lists what happened.

mod boxes;

use carom::contact::{Mode, Site, sites};
use carom::hybrid::{Options, Simulation};
use carom::impact::Newton;
use carom::record::{Directive, Event, Observer};
use std::time::Instant;

/// Tells events as they happen.
struct Teller {
    names: Vec<String>,
    tells: bool,
}

impl Observer for Teller {
    fn site(&mut self, _: usize, site: &Site) {
        self.names.push(site.name.clone());
    }

    fn event(&mut self, event: &Event) -> Directive {
        if self.tells {
            let word = |mode: &Mode| &mode.word()[..2];
            let each = event.contacts.iter().map(|c| {
                let name = self.names.get(c.site).map_or("?", String::as_str);
                let (before, after) = (word(&c.before), word(&c.after));
                format!(
                    "{name} {before}>{after} u {:.1e}>{:.1e} p {:.1e}",
                    c.u_pre[2], c.u_post[2], c.impulse[2]
                )
            });
            let rescue = event.rescue.map_or("", |r| r.word());
            let each: Vec<String> = each.collect();
            println!("{:.12} {} {rescue} | {}", event.t, event.kind.word(), each.join(", "));
        }
        Directive::Continue
    }
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let (words, flags): (Vec<String>, Vec<String>) =
        std::env::args().skip(1).partition(|w| !w.starts_with("--"));
    let planar = words.first().is_none_or(|w| w == "planar");
    let number = |i: usize, or: f64| words.get(i).map_or(Ok(or), |w| w.parse::<f64>());
    let (count, gap) = (number(1, 10.0)? as usize, number(2, 0.01)?);
    let (restitution, until) = (number(3, 0.2)?, number(4, 3.0)?);
    let (model, state) = boxes::tower(planar, count, gap, restitution)?;
    let start = Instant::now();
    let mut teller = Teller {
        names: sites(&model).into_iter().map(|s| s.name).collect(),
        tells: flags.iter().any(|f| f == "--events"),
    };
    let run = Simulation::new(&model, state, Newton).options(Options::default());
    let run = run.run_with(until, &mut teller)?;
    let s = &run.statistics;
    println!(
        "{count} boxes, t = {:.6} s, {:?}: {} events, {} impacts, {} steps, {} rates, {} guards, {} rescues",
        run.state.t,
        run.stop,
        s.events,
        s.impacts,
        s.steps,
        s.rates,
        s.guards,
        s.rescues.iter().sum::<u64>()
    );
    println!(
        "ledger {:.1e} J of {:.3} J, least gap {:.1e} m, residual {:.1e}, fastest {:.1e} m/s, {:.3} s",
        run.ledger.closure(),
        run.ledger.initial,
        s.worst_gap,
        s.worst_residual,
        run.state.v.amax(),
        start.elapsed().as_secs_f64()
    );
    Ok(())
}
