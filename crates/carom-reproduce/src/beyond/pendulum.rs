//! The double pendulum over a floor under every law.
//!
//! Tests: `tests/beyond.rs`: `pendulum`.

use super::compare::{Comparison, energies, show};
use super::laws::{LAWS, missing};
use crate::claim::Claim;
use crate::error::Trouble;
use crate::experiment::{Context, Experiment, Source};
use crate::outcome::Outcome;
use crate::show::fixed;

/// The experiment.
pub const PENDULUM: Experiment = Experiment {
    name: "beyond-pendulum",
    title: "Double pendulum under every law",
    source: Source::Beyond,
    covers: &[],
    run,
};

const SCENE: &str = include_str!("../../../../scenes/double_pendulum.toml");

fn run(context: &Context) -> Result<Outcome, Trouble> {
    let mut outcome = Outcome::new(
        "The double pendulum of Flickinger (table 2.1) falls from the horizontal on the floor, μ = 0.57. The same motion \
         under every law, for e = 0, 0.5 and 1: energy at the end (the floor counts as zero), number of impacts, and how \
         many of them gain energy.",
    );
    let until = format!("solver.until={}", context.pick(10, 3));
    let comparison = Comparison {
        scene: SCENE,
        name: "double_pendulum.toml",
        contacts: 1,
        overrides: vec![until],
    };
    let mut rows = Vec::new();
    for e in [0.0, 0.5, 1.0] {
        for law in LAWS {
            rows.push(comparison.run(law, e)?);
        }
    }
    outcome.claim(
        Claim::test(
            "carom laws",
            "Every formulation of the catalogue takes part.",
            missing().is_empty(),
            format!("{} laws and options; missing: {}", LAWS.len(), missing().len()),
        )
        .own(),
    );
    show(&mut outcome, &rows);
    outcome.figure("energy", "", energies(&rows, "Energy of the double pendulum"));
    let newton = rows.iter().find(|r| r.law.name == "Newton" && r.restitution == 1.0);
    if let Some(newton) = newton {
        outcome.claim(Claim::test(
            "Kane & Levinson's pendulum",
            "With e = 1, Newton's law with friction gains energy at some impact of a double pendulum.",
            newton.gains > 0,
            format!("{} of {} impacts gain, {} J in all", newton.gains, newton.impacts, fixed(newton.gained, 2)),
        )
        .own());
    }
    Ok(outcome)
}
