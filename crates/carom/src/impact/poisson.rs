//! Poisson's impact law with Coulomb friction for all contacts together.
//!
//! # Law
//! Compression, with u^C = u⁻ + G p^C:
//! ```text
//! 0 ≤ pₙ^C ⟂ uₙ^C ≥ 0                                                        (1)
//! uₜ^C = 0 and ‖pₜ^C‖ ≤ μs pₙ^C,  or  pₜ^C = −μd pₙ^C uₜ^C/‖uₜ^C‖            (2)
//! ```
//! Expansion, with u⁺ = u^C + G p^E:
//! ```text
//! 0 ≤ pₙ^E − e pₙ^C ⟂ uₙ⁺ ≥ 0                                                (3)
//! uₜ⁺ = 0 and ‖pₜ^E‖ ≤ μs pₙ^E,  or  pₜ^E = −μd pₙ^E uₜ⁺/‖uₜ⁺‖               (4)
//! p = p^C + p^E                                                              (5)
//! ```
//! (3) is Poisson's hypothesis pₙ^E = e pₙ^C wherever the contact leaves; the impulse may be larger
//! where that alone would let another contact push the bodies into each other.
//!
//! # Assumptions
//! - Every closed contact takes part in both phases with its own e, also one that only touched
//!   before: what is compressed is released. (The rule of the differential laws, that touching
//!   contacts have no restitution, is theirs, not Poisson's.)
//! - No tangential impulse is stored: friction in expansion is Coulomb's law for the impulses and the
//!   slip of that phase. The tangential restitution of Pfeiffer & Glocker is not part of this law.
//!
//! # Symbols
//! As in [`newton`](super::newton); ^C end of compression, ^E expansion.
//!
//! # Limits
//! Several contacts, different e or friction can make it gain energy; [`audit`](super::audit())
//! reports it. Each phase is refused if its residual exceeds [`TOLERANCE`](super::newton::TOLERANCE).
//! The works are p·(u⁻ + u⁺)/2, as for all algebraic laws, not the sums of the phases.
//!
//! # Source
//! Poisson's hypothesis in the form of Pfeiffer & Glocker 1996, whose text was not at hand: (1) to
//! (5) are stated from its principle pₙ^E ≥ e pₙ^C. Checked: one contact without friction gives
//! Newton's answer; two phases against enumeration of all modes.
//!
//! # Tests
//! `tests/laws/poisson.rs`: `eq1_to_eq5_hold_on_random_problems`, `frictionless_single_is_newton`,
//! `agrees_with_enumeration`, `eq3_expansion_pushes_more_where_needed`.

use super::algebraic::{begin, end, record};
use super::contact_space::{ContactSpace, Phase, reshape_vector};
use super::error::ImpactError;
use super::law::ImpactLaw;
use super::newton::{FrictionScratch, accept, complementarity};
use super::solution::ImpactSolution;
use super::trace::StageEvent;
use super::workspace::ImpactWorkspace;

/// Poisson's law, see the [module](self).
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Poisson;

impl ImpactLaw for Poisson {
    fn name(&self) -> &'static str {
        "poisson"
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
        let mut solved = friction.solve(&mut out.impulses);
        accept(self.name(), solved.residual)?;
        out.complete(space);
        record(StageEvent::EndOfCompression, space, out);

        let FrictionScratch { problem, compression, .. } = friction;
        reshape_vector(compression, space.rows());
        compression.copy_from(&out.impulses);
        problem.b.copy_from(&out.u_post);
        let noise = 4.0 * f64::EPSILON * compression.amax();
        for (k, contact) in space.contacts.iter().enumerate() {
            let p_n = compression[contact.normal()];
            if contact.phase != Phase::Apart && p_n > noise {
                problem.contacts[k].preload = contact.restitution * p_n;
            }
        }
        if problem.contacts.iter().any(|c| c.preload > 0.0) {
            let expansion = friction.solve(&mut out.impulses);
            accept(self.name(), expansion.residual)?;
            solved.residual = solved.residual.max(expansion.residual);
            solved.softness = solved.softness.max(expansion.softness);
            out.impulses += &friction.compression;
        }
        end(space, out);
        out.solved = complementarity(solved);
        Ok(())
    }
}
