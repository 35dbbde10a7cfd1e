//! Newton's impact law with Coulomb friction for all contacts together.
//!
//! # Law
//! ```text
//! u⁺ = u⁻ + G p                                                             (1)
//! 0 ≤ pₙ ⟂ uₙ⁺ + e uₙ⁻ ≥ 0                                                  (2)
//! uₜ⁺ = 0 and ‖pₜ‖ ≤ μs pₙ,  or  pₜ = −μd pₙ uₜ⁺/‖uₜ⁺‖                      (3)
//! ```
//! for every contact whose gap is closed; e = 0 where the contact separates already, so that no
//! contact is driven into another. Friction has no restitution of its own.
//!
//! # Assumptions
//! - q is frozen; finite forces do no work during the impact.
//! - Contacts closing together are resolved together.
//! - With one tangent (1) to (3) is a linear complementarity problem and solved as such; with two
//!   the cone is circular, the polygon is only a start.
//!
//! # Symbols
//! | docs | code | meaning | unit |
//! |---|---|---|---|
//! | uₙ, uₜ | `u_n`, `u_t` | relative velocity, uₙ > 0 separating | m/s |
//! | pₙ, pₜ | `p_n`, `p_t` | impulses, pₙ ≥ 0 pushes | N·s |
//! | e | `restitution` | 0 ≤ e ≤ 1 | 1 |
//! | μs, μd | `static_friction`, `friction` | μs ≥ μd ≥ 0 | 1 |
//!
//! # Limits
//! With friction, or with different e at several contacts, (2) can increase the energy;
//! [`audit`](super::audit()) reports it. For large μ several answers can exist, and for contacts
//! that wedge a body none; an answer is returned only if its residual is below [`TOLERANCE`].
//! Where contacts are redundant the impulses are those of minimum norm if these are admissible. With
//! friction at redundant contacts v⁺ itself may not be unique (a spinning box on four corners whose
//! load can be shared in several ways); then one answer that satisfies (1) to (3) is returned.
//!
//! # Source
//! Moreau's law, and Newton's hypothesis in Pfeiffer & Glocker 1996 without tangential restitution;
//! neither text was at hand, (1) to (3) are stated from the definitions.
//!
//! # Tests
//! `tests/laws/newton.rs`: `eq1_eq2_eq3_hold_on_random_problems`, `agrees_with_enumeration`,
//! `frictionless_with_one_restitution_is_a_quadratic_program`,
//! `spatial_answer_solves_the_cone_program_of_its_own_slip`, `eq3_cone_is_circular` and others.

use super::algebraic::{begin, end};
use super::contact_space::{ContactSpace, Phase};
use super::error::ImpactError;
use super::law::ImpactLaw;
use super::solution::{ImpactSolution, Solved};
use super::workspace::ImpactWorkspace;
use crate::coulomb::{self, Mode, Problem, Solver};

pub use crate::numeric::thresholds::ACCEPTED as TOLERANCE;

/// Newton's law, see the [module](self).
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Newton;

/// Scratch shared by the laws that solve the contact problem with friction.
#[derive(Debug, Default)]
pub(crate) struct FrictionScratch {
    pub problem: Problem,
    pub solver: Solver,
    pub modes: Vec<Mode>,
    pub compression: nalgebra::DVector<f64>,
}

impl FrictionScratch {
    /// Solves the problem at hand; the certificate.
    pub fn solve(&mut self, p: &mut nalgebra::DVector<f64>) -> coulomb::Solved {
        self.solver.solve(&self.problem, &[], p, &mut self.modes)
    }
}

impl ImpactLaw for Newton {
    fn name(&self) -> &'static str {
        "newton"
    }

    fn resolve(
        &self,
        space: &ContactSpace,
        work: &mut ImpactWorkspace,
        out: &mut ImpactSolution,
    ) -> Result<(), ImpactError> {
        begin(space, out)?;
        let friction = &mut work.friction;
        space.coulomb(&mut friction.problem);
        add_restitution(space, &mut friction.problem);
        let solved = friction.solve(&mut out.impulses);
        accept(self.name(), solved.residual)?;
        end(space, out);
        out.solved = complementarity(solved);
        Ok(())
    }
}

/// b = u⁻ + e uₙ⁻ at colliding contacts, so that ξₙ = uₙ⁺ + e uₙ⁻.
pub(crate) fn add_restitution(space: &ContactSpace, problem: &mut Problem) {
    for contact in space.contacts.iter().filter(|c| c.phase == Phase::Colliding) {
        let n = contact.normal();
        problem.b[n] += contact.restitution * space.u_pre[n];
    }
}

/// How a contact problem with friction was solved; nobody looked for other answers.
pub(crate) fn complementarity(solved: coulomb::Solved) -> Solved {
    Solved { by: "complementarity", unique: false, ..solved.into() }
}

/// Refuses a residual above [`TOLERANCE`].
pub(crate) fn accept(law: &'static str, residual: f64) -> Result<(), ImpactError> {
    if residual <= TOLERANCE {
        return Ok(());
    }
    Err(ImpactError::Unsolved { law, residual, tolerance: TOLERANCE })
}
