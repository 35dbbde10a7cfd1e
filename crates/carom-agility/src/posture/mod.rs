//! The posture in which a point can be accelerated best.
//!
//! # Law
//! ```text
//! maximise a*(q)  subject to  q_lower ≤ q ≤ q_upper,  H(q) = 0,  K(q) ≥ 0                      (1)
//! ```
//! with a* of [`mod@crate::capability::largest`], H the gaps of the feet, and K the heights of all joints and
//! centres of mass over the ground and the gaps of all other pairs. a* has kinks where the active
//! constraints change, and its maxima sit on them, so (1) is not climbed as a function of q alone but as
//! one smooth problem in (q, τ): with the residual slopes of [`Evaluator`](crate::Evaluator),
//! ```text
//! dλ = G⁺ (J M⁻¹ R_m − R_c) dq + F dx,   da = (R_x + j·dv̇) dq + c·dx                          (2)
//! ```
//! are exact first derivatives. Within a box |dq| ≤ ρ, |dx| ≤ 5 ρ half ranges, the best step is again a
//! program with friction cones (3), first without curvature; where that predicts badly, with the concave
//! part of the Lagrangian's Hessian on the active constraints (7), and by Newton's method on what that
//! presses (5). dx is bounded as dq is, because (2) is exact to second order in both together only: where
//! several torques are optimal, a model that lets them jump is wrong at first order. The step is brought
//! back to H = 0 and K ≥ 0 by least changes (4), a* is computed there exactly, and the best of the steps is
//! taken if a* has grown; otherwise ρ shrinks. So every iterate is feasible and none is worse than the start.
//!
//! Each end is tested for stationarity (8), (9) and says what kind of end it is: [`End`].
//!
//! # Many optima
//! A mechanism with several limbs has an optimum for nearly every combination of ways to fold them.
//! [`search()`] climbs from random postures, then from postures made of limbs of the best optima so far
//! (`hop`), then from the mirror images of the best (10), and returns all that differ. Whole turns of
//! joints without springs, translations along the ground, and turns that change neither direction nor
//! ground as seen from the root, do not count as differences.
//!
//! # Limits
//! No search of this kind proves that no better posture exists; that two seeds agree is evidence.
//! Joints without limits that have springs stay within half a turn of the posture given, because springs
//! could be wound up without end.
//!
//! # Source
//! Flickinger 2011, (6.7)–(6.11), generalised; 1/v̇ₓ there is minimised, which has a pole where v̇ₓ
//! vanishes; here a* itself is maximised. (6.8) is inside a*.
//!
//! # Tests
//! `tests/posture.rs`: `eq1_feasible_and_never_worse`, `eq2_slopes_from_differences`,
//! `eq3_known_optimum`, `eq4_settle`, `eq5_converges_fast`, `eq8_eq9_ends_are_certified`,
//! `eq10_mirror_images_are_as_capable`, `found_again_from_another_seed`, `random_walkers_converge`.

mod climb;
mod constraints;
mod curvature;
mod distinct;
mod ends;
mod foothold;
mod hop;
mod mirror;
mod newton;
mod sample;
mod search;
mod settle;
mod slopes;
mod stationarity;

pub use climb::{ClimbOptions, Climbed, climb};
pub use constraints::{Constraints, PostureLimit, Span};
pub use mirror::mirror_images;
pub use search::{Optimum, SearchOptions, SearchProgress, SearchResult, search, search_until};
pub use settle::settle;
pub use slopes::{Slopes, slopes};
pub use stationarity::{End, Stationarity};
