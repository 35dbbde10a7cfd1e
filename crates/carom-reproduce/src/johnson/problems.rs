//! Practice problems 1, 2 and 4.

use super::{arm::arm, corner::corner, elastic::elastic};
use crate::error::Trouble;
use crate::experiment::{Context, Experiment, Source};
use crate::outcome::Outcome;

/// The experiment.
pub const PROBLEMS: Experiment = Experiment {
    name: "johnson-problems",
    title: "Practice problems: arm, corner, energy",
    source: Source::Johnson,
    covers: &["problem 1", "problem 2", "problem 4"],
    run,
};

fn run(context: &Context) -> Result<Outcome, Trouble> {
    let mut outcome = Outcome::new(
        "The source states the problems without answers. Each is solved in closed form from its equations and then by \
         carom: the arm by simulation, the corner as one impact, the energy on random systems.",
    );
    outcome.reading(
        "The inverse printed as (A M⁻¹ A)⁻¹ is taken as (A M⁻¹ Aᵀ)⁻¹; the other order does not multiply.",
    );
    arm(&mut outcome)?;
    corner(&mut outcome)?;
    elastic(context, &mut outcome)?;
    Ok(outcome)
}
