//! Appendix A: mass, spring and dry friction; fixed steps with projection against event-driven steps.
//!
//! # Law
//! A block of mass M hangs on a spring K and a friction damper whose far end moves by U(t) = A sin(wt). With
//! x = Z − U the stretch (dZ of the source), n² = K/M, and the damper pressed by the weight M g of the block,
//! ```text
//! ẍ = r(x, t) − μd g sgn ẋ,   r(x, t) = A w² sin(wt) − n² x              (1)   ẋ ≠ 0
//! ẋ = 0 lasts while |r(x, t)| ≤ μs g                                      (2)
//! ```
//! Between events (1) is linear. A slip that starts at rest at (t₀, x₀) with sign s has
//! ```text
//! x(t) = (x₀ − b sin(wt₀) + s f) cos n(t − t₀) − (b w cos(wt₀)/n) sin n(t − t₀) + b sin(wt) − s f   (3)
//! b = A w²/(n² − w²),   f = μd g/n²
//! ```
//! and a stick at x₀ ends at the first t with sin(wt) = (n² x₀ ± μs g)/(A w²)                            (4)
//!
//! The fixed-step scheme with projection predicts from the acceleration now that the velocity will cross zero within
//! the step, and then captures: the velocity is zero for at least that step,
//! ```text
//! ẋ (ẋ + h ẍ) ≤ 0  ⇒  ẋ := 0 for one step                                (5)
//! ```
//!
//! # Assumptions
//! The source states neither U nor the normal force of the damper; claims are tested under several forcings.
//!
//! # Source
//! Flickinger 2011, appendix A, tables A.1 and A.2, figures A.2 and A.3. (5) is his description in words of a scheme
//! by Woods (2005, unpublished).
//!
//! # Tests
//! `exact`: `eq1_residual_of_eq3`, `eq2_eq4_sticks_end_where_the_pull_is_static_friction`; `projection`:
//! `eq5_captures_for_a_whole_step`; `tests/flickinger_oscillator.rs`.

mod convergence;
mod exact;
mod experiment;
mod figures;
mod forcing;
mod measure;
mod projection;
mod simulated;
mod statements;

pub use exact::{Exact, Phase, Piece};
pub use experiment::{OSCILLATOR, run};
pub use forcing::{FORCINGS, Forcing, System};
pub use measure::Motion;
pub use projection::project;
pub use simulated::{Scheme, simulate};
