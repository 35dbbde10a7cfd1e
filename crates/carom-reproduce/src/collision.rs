//! One impact, resolved on its own.

use carom::impact::{ImpactAnswer, ImpactLaw, ImpactProblem, ImpactWorkspace};

use crate::error::Trouble;

/// Resolves a problem by a law, with the path in impulse space.
pub fn resolve(law: &dyn ImpactLaw, problem: &ImpactProblem) -> Result<ImpactAnswer, Trouble> {
    let mut answer = ImpactAnswer::traced();
    law.resolve_problem(problem, &mut ImpactWorkspace::new(), &mut answer)?;
    Ok(answer)
}

/// Share of the kinetic energy before that is lost; negative for a gain.
pub fn loss(answer: &ImpactAnswer) -> f64 {
    1.0 - answer.energy_after / answer.energy_before
}
