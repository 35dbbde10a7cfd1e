//! Figure 6: rebound at the touching end.
//!
//! Tests: `tests/hurmuzlu.rs`: `rebound`.

use super::drawing::{self, Curves, IMPULSE};
use super::interval::{Interval, words};
use super::method::Method;
use super::posture::{INFERRED, POSTURE};
use super::sweep::{FRICTION, Sweep};
use crate::claim::Claim;
use crate::data::Data;
use crate::error::Trouble;
use crate::experiment::{Context, Experiment, Source};
use crate::outcome::Outcome;
use crate::show::fixed;

/// The experiment.
pub const REBOUND: Experiment = Experiment {
    name: "hurmuzlu-rebound",
    title: "Chain, rebound at the end that does not collide",
    source: Source::Hurmuzlu,
    covers: &["figure 6"],
    run,
};

fn run(context: &Context) -> Result<Outcome, Trouble> {
    let mut outcome = Outcome::new(
        "Normal impulse and normal velocity at A0 for the methods of figure 5. Shaded in the source: postures where A0 \
         rebounds although an impulse acted there.",
    );
    outcome.reading(POSTURE);
    let sweeps = Sweep::several(context, &Method::CONSISTENT, FRICTION, 0.9)?;
    let [kinetic, energetic, brach] = &sweeps[..] else { return Ok(outcome) };
    let plain = energetic.count(|p| p.rebounds() && !p.rebounds_with_interaction());
    let all = energetic.count(|p| p.rebounds());
    outcome.claim(Claim::test(
        "section 4, figure 6",
        "In most circumstances A0 rebounds without interaction with the surface.",
        2 * plain > all,
        format!("in {plain} of {all} postures with a rebound (energetic definition)"),
    ));
    let algebraic = brach.count(|p| p.rebounds_with_interaction());
    outcome.claim(Claim::test(
        "section 4, figure 6",
        "The algebraic method has no rebound with interaction.",
        algebraic == 0,
        format!("{algebraic} postures of {}", brach.points.len()),
    ));
    shaded(&mut outcome, kinetic, energetic);
    let mut curves = Curves::by_method(&sweeps);
    curves.shaded = energetic.wherever(|p| p.rebounds_with_interaction());
    outcome.figure(
        "figure6",
        "figure 6",
        curves.figure(
            "Rebound at A0",
            &[IMPULSE, drawing::REBOUND],
            "μ = 0.5 at both ends, e = 0.9. Shaded: A0 leaves although an impulse acted there (energetic definition).",
        ),
    );
    outcome.data(data(&sweeps));
    Ok(outcome)
}

fn shaded(outcome: &mut Outcome, kinetic: &Sweep, energetic: &Sweep) {
    let regions = [kinetic, energetic].map(|s| s.wherever(|p| p.rebounds_with_interaction()));
    outcome.claim(Claim::test(
        "section 4, figure 6",
        "The differential methods have rebound with interaction in some postures.",
        regions.iter().all(|r| !r.is_empty()),
        format!("kinetic: {}; energetic: {}", words(&regions[0]), words(&regions[1])),
    ));
    outcome.claim(
        Claim::test(
            "section 4, figure 6",
            "There are two such intervals, the shaded ones.",
            regions.iter().all(|r| r.len() == 2),
            format!(
                "kinetic {}, energetic {}: {}",
                regions[0].len(),
                regions[1].len(),
                words(&regions[1])
            ),
        )
        .open(INFERRED),
    );
    let turns = transitions(energetic);
    let near =
        |r: &Interval| turns.iter().any(|t| (r.from - t).abs() < 1e-9 || (r.to - t).abs() < 1e-9);
    outcome.claim(Claim::test(
        "section 4, figure 6",
        "The shaded intervals lie at transitions between rebound and no rebound.",
        regions[1].iter().all(near),
        format!("transitions at {}", degrees(&turns)),
    ));
    let with = |t: &&f64| {
        regions[1].iter().any(|r| (r.from - **t).abs() < 1e-9 || (r.to - **t).abs() < 1e-9)
    };
    let without: Vec<f64> = turns.iter().filter(|t| !with(t)).copied().collect();
    outcome.claim(Claim::test(
        "section 4, figure 6",
        "There are four transitions in all.",
        turns.len() == 4,
        format!("{} at {}", turns.len(), degrees(&turns)),
    ));
    outcome.claim(
        Claim::test(
            "section 4, figure 6",
            "At two of the transitions the differential methods have no rebound with interaction.",
            without.len() == 2,
            format!("at {}: {}", without.len(), degrees(&without)),
        )
        .open(INFERRED),
    );
}

/// Where rebound begins or ends, degrees.
fn transitions(sweep: &Sweep) -> Vec<f64> {
    let pairs = sweep.points.windows(2).filter(|w| w[0].rebounds() != w[1].rebounds());
    pairs.map(|w| (w[0].degrees + w[1].degrees) / 2.0).collect()
}

fn degrees(all: &[f64]) -> String {
    all.iter().map(|d| format!("{}°", fixed(*d, 1))).collect::<Vec<_>>().join(", ")
}

fn data(sweeps: &[Sweep]) -> Data {
    let mut data = Data::new("figure6", &["method", "phi1.deg", "p_n_A0.N s", "u_n_A0.m/s"]);
    for sweep in sweeps {
        for p in &sweep.points {
            data.labelled(&[sweep.method.name()], &[p.degrees, p.impulse, p.rebound]);
        }
    }
    data
}
