//! The posture in which a point can be accelerated best.
//!
//! # Law
//! ```text
//! maximise a*(q)  subject to  q_lower ≤ q ≤ q_upper,  H(q) = 0,  K(q) ≥ 0                      (1)
//! ```
//! with a* of [`mod@crate::agility::capability`], H the gaps of the feet, and K the heights of all joints and
//! centres of mass over the ground and the gaps of all other pairs. a* has kinks where the active
//! constraints change, and its maxima sit on them, so (1) is not climbed as a function of q alone but as
//! one smooth problem in (q, τ): with the residual slopes of [`Evaluator`](crate::agility::Evaluator),
//! ```text
//! dλ = G⁺ (J M⁻¹ R_m − R_c) dq + F dx,   da = (R_x + j·dv̇) dq + c·dx                          (2)
//! ```
//! are exact first derivatives, and within a box |dq| ≤ ρ the best step is again a program with
//! friction cones (3). The step is brought back to H = 0 and K ≥ 0 by least changes (4), a* is computed
//! there exactly, and the step is taken only if a* has grown; otherwise ρ shrinks. So every iterate is
//! feasible and none is worse than the start.
//!
//! # Limits
//! Without curvature in (3), maxima that are not at a kink in all directions are approached by
//! shrinking boxes: a* is found to about ρ², the posture to about ρ. Maxima are local; [`search()`]
//! starts from many postures and returns all that differ; joints without limits stay within half a
//! turn of the posture given. Translations along the ground, and turns
//! that change neither direction nor ground as seen from the root, do not count as differences.
//!
//! # Source
//! Flickinger 2011, (6.7)–(6.11), generalised; 1/v̇ₓ there is minimised, which has a pole where v̇ₓ
//! vanishes; here a* itself is maximised. (6.8) is inside a*.
//!
//! # Tests
//! `tests/agility_posture.rs`: `eq1_feasible_and_never_worse`, `eq2_slopes_from_differences`,
//! `eq3_known_optimum`, `eq4_settle`, `found_again_from_another_seed`.

mod climb;
mod constraints;
mod distinct;
mod newton;
mod sample;
mod search;
mod settle;
mod slopes;

pub use climb::{ClimbOptions, Climbed, climb};
pub use constraints::{Constraints, Span};
pub use search::{Optimum, SearchOptions, SearchProgress, SearchResult, search};
pub use settle::settle;
pub use slopes::{Slopes, slopes};
