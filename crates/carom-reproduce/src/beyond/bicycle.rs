//! The bicycle on a wedge under every law.
//!
//! Tests: `tests/beyond.rs`: `bicycle`.

use super::compare::{Comparison, energies, show};
use super::laws::{LAWS, SEQUENTIAL};
use crate::error::Trouble;
use crate::experiment::{Context, Experiment, Source};
use crate::outcome::Outcome;

/// The experiment.
pub const BICYCLE: Experiment = Experiment {
    name: "beyond-bicycle",
    title: "Bicycle under every law",
    source: Source::Beyond,
    covers: &[],
    run,
};

const SCENE: &str = include_str!("../../../../scenes/bicycle.toml");

fn run(context: &Context) -> Result<Outcome, Trouble> {
    let mut outcome = Outcome::new(
        "The bicycle of Flickinger (table 2.2) with round wheels falls on a wedge of 15°. The same motion under every law, \
         touching wheels taking part or waiting (sequential), for e = 0.5 and 1.",
    );
    let until = format!("solver.until={}", context.pick(10, 3));
    let comparison =
        Comparison { scene: SCENE, name: "bicycle.toml", contacts: 2, overrides: vec![until] };
    let mut rows = Vec::new();
    for e in [0.5, 1.0] {
        for law in LAWS.into_iter().chain(SEQUENTIAL) {
            rows.push(comparison.run(law, e)?);
        }
    }
    show(&mut outcome, &rows);
    outcome.figure("energy", "", energies(&rows, "Energy of the bicycle"));
    Ok(outcome)
}
