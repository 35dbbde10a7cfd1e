//! Differential impact of one contact with two tangents: Coulomb friction along the path in impulse space.
//!
//! # Law
//! K = J N Jᵀ = [T k; kᵀ K_nn], tangents first; w = r û is the slip velocity, m = T⁻¹k.
//! ```text
//! slip:    dw/dpₙ = k − μd T û,   duₙ/dpₙ = K_nn − μd k·û,   dpₜ/dpₙ = −μd û        (1)
//!          d ln r/dθ = g/h,  g = û·(k − μd Tû),  h = û⊥·(k − μd Tû)                 (2)
//!          dw/dpₙ = −T ∇ψ(w),  ψ = μd ‖w‖ − m·w                                     (3)
//! stick:   if ‖m‖ ≤ μs:  dw/dpₙ = 0,  dpₜ/dpₙ = −m,  duₙ/dpₙ = κ = K_nn − k·m       (4)
//! onset:   else slip leaves rest along the one û with k − μd Tû = γû, γ > 0           (5)
//! ```
//! Phases: compression ends when uₙ of the contact rises through zero (9); the impact ends at
//! ```text
//! kinematic  uₙ⁺ = −e uₙ⁻  (10)      kinetic  p_r = e p_c  (11)      energetic  W_r = −e² W_c  (12)
//! ```
//! If uₙ falls below zero again before that, compression resumes; p_c, W_c, p_r, W_r are sums over all such intervals.
//!
//! # Solution
//! By (2) the hodograph r(θ) is elementary, but only after the roots of h are known, and its partial fractions cancel
//! where two roots meet. Here the same curve is computed without roots: with dpₙ = r ds, (1) is analytic and
//! homogeneous, and its power series follows from a two-line recurrence (`arc`), whatever K and μ. Near the direction
//! that slip tends to, where s becomes infinite, one expansion about that direction gives the rest of the path in
//! closed form, with the algebraic end behaviour as a factor (`tail`). Straight pieces (an invariant direction, no
//! friction, stick, onset) are linear. Each event is a root of a polynomial, polished to the last digit. The answer
//! is exact to round-off.
//!
//! # Why the path is well behaved
//! ψ is convex, so (3) is a gradient flow in the metric T⁻¹: two paths never separate in it, errors do not grow, and
//! the answer depends continuously on the data (μs = μd). θ climbs φ(θ) = k·û − ½μd û·Tû, because h = dφ/dθ; so slip
//! tends to an invariant direction and never circles. Compression always ends if K is positive definite: from (1) and
//! (3) uₙ = uₙ⁻ + κpₙ + m·(w − w⁻). Either slip stops, and then stick has duₙ/dpₙ = κ > 0 and onset κ + γ m·û with
//! m·û = kᵀT⁻¹(γ + μT)⁻¹k > 0; or it tends to a direction with g ≥ 0, which satisfies (5) with γ = g ≥ 0. In between
//! duₙ/dpₙ may be negative (strong friction), and the end is then found later on the path. If K is singular a contact can
//! be wedged, κ = 0: where nothing moves any more the impact ends without restitution, else it is
//! [`ImpactError::Jammed`](super::ImpactError::Jammed).
//!
//! # Assumptions
//! - q is frozen; finite forces do no work during the impact; touching contacts have no restitution.
//! - Where μs > μd lets stick and slip coexist, stick wins.
//! - Tangents are orthonormal directions, so that ‖·‖ is the Euclidean norm of the two rows.
//!
//! # Symbols
//! | docs | code | meaning | unit |
//! |---|---|---|---|
//! | T, k, K_nn | `t`, `k`, `k_nn` | blocks of K in principal axes of T | 1/kg |
//! | w, r, û | `w`, `speed`, `u` | slip velocity, speed, direction | m/s |
//! | uₙ | `u_n` | normal velocity, > 0 separating | m/s |
//! | pₙ, pₜ | `p_n`, `p_t` | impulse so far | N·s |
//! | Wₙ, W_f | `work_n`, `work_f` | work so far of normal and friction impulse | J |
//! | σ | `x`, `span` | ω s, ω = ‖k‖ + μ max T | 1 |
//!
//! # Limits
//! - Kinematic and, with strong friction, kinetic restitution can gain energy; energetic restitution at one colliding
//!   contact cannot: the normal work is −(1 − e²)|W_c| and the friction work is never positive.
//!
//! # Source
//! Morgan 2011, chapter 4, (4.1)–(4.13), which leaves (1) unsolved; ours are the solution and (2), (3), (5). Stick, onset
//! and phases as in Hurmuzlu & Marghitu 1994, section 3.1. Checked against brute-force integration in polar form and
//! the planar law.
//!
//! # Tests
//! `tests/impact_spatial`: `eq1_brute_force`, `eq2_hodograph`, `eq3_contraction`, `eq4_stick`, `eq5_onset`,
//! `eq9_to_eq12_phases`; degenerate cases by name in `degenerate.rs`.

mod arc;
mod law;
mod path;
mod principal;
mod single;
mod tail;

pub(crate) use law::one;
pub use single::{Coefficients, Observer, SpatialImpact, Unfinished, resolve};
