//! Whittaker's algebraic law for planar chains with several contacts.
//!
//! # Law
//! ```text
//! u⁺ = u⁻ + G p                                                              (1)
//! uₙ⁺ = −e uₙ⁻                       at the colliding contact                (2)
//! uₙ⁺ > 0, p = 0   or   uₙ⁺ = 0, pₙ ≥ 0      at the others                   (3)
//! uₜ⁺ = 0, |pₜ| ≤ μs pₙ   or   pₜ = −μd pₙ sign(uₜ⁺)     where pₙ > 0         (4)
//! ```
//! All combinations of the cases are solved and the admissible one is taken; `mode_search` says
//! which, if there are several.
//!
//! # Assumptions
//! - Kinematic restitution; friction bounds the total impulses, not their course.
//! - Several colliding contacts each obey (2).
//! - A closed contact that already separates obeys (3).
//!
//! # Symbols
//! | docs | code | meaning | unit |
//! |---|---|---|---|
//! | uₙ, uₜ | `u_n`, `u_t` | relative velocity | m/s |
//! | pₙ, pₜ | `p_n`, `p_t` | total impulses | N·s |
//!
//! # Limits
//! One tangent per contact. The slip may have stopped or reversed during the impact, which (4) does
//! not see: the energy can increase, and `audit` reports it. [`brach`](super::brach) cures that.
//!
//! # Source
//! Hurmuzlu & Marghitu 1994, section 3.2, eqs. (28), (29), (31)–(33), steps 1–4, read. Theirs → ours:
//! τ̂ → p, v → u; case names c and d are exchanged so that c slips along +t. The number of cases is
//! 3·4^(k+1), not 3·4^k.
//!
//! # Tests
//! `tests/laws/whittaker.rs`: `eq1_to_eq4_hold_on_random_problems`, `agrees_with_brute_force`,
//! `agrees_with_newton_where_the_answer_is_unique`; `tests/laws/samples.rs`: `algebraic`.

use super::algebraic::{begin, end};
use super::contact_space::ContactSpace;
use super::error::ImpactError;
use super::law::ImpactLaw;
use super::mode_search::ModeSearch;
use super::newton::add_restitution;
use super::solution::{ImpactSolution, Solved};
use super::workspace::ImpactWorkspace;

/// Whittaker's law, see the [module](self).
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Whittaker;

impl ImpactLaw for Whittaker {
    fn name(&self) -> &'static str {
        "whittaker"
    }

    fn resolve(
        &self,
        space: &ContactSpace,
        work: &mut ImpactWorkspace,
        out: &mut ImpactSolution,
    ) -> Result<(), ImpactError> {
        begin(space, out)?;
        ModeSearch::check(self.name(), space)?;
        let search = &mut work.modes;
        space.coulomb(&mut search.problem);
        add_restitution(space, &mut search.problem);
        search.search(self.name(), space, &mut out.impulses)?;
        end(space, out);
        out.solved = Solved::by("modes");
        Ok(())
    }
}
