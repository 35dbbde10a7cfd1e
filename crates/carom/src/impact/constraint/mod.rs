//! Johnson's law: plastic, partially elastic and elastic impact of any set of constraints.
//!
//! # Law
//! ```text
//! M(v⁺ − v⁻) = Aᵀp                                    impulse and momentum          (1)
//! A v⁺ = −e A v⁻                                      e per row; plastic for e = 0  (2)
//! ```
//! A has the normals of the contacts that collide or touch, and their tangents with e = 0 if
//! `constrain_tangents`. Solved as written, an impulse may pull. With `complementarity`, for every
//! closed contact,
//! ```text
//! 0 ≤ pₙ ⟂ uₙ⁺ + e uₙ⁻ ≥ 0                                                          (3)
//! ```
//! (e = 0 where the contact separates already): constraints that would pull are released and
//! touching ones that would be penetrated are activated. Tangents act only where the normal is held.
//!
//! # Assumptions
//! - q is frozen, only impulses act.
//! - M may be singular if [`BlockMatrix`](super::BlockMatrix) is regular; then (1), (2) are solved through it, else in
//!   contact space, which is the same with M⁻¹.
//! - Redundant constraints: v⁺ is unique, p has minimum norm. Redundant constraints that contradict
//!   each other (different e) are refused.
//!
//! # Symbols
//! | docs | code | meaning | unit |
//! |---|---|---|---|
//! | A | rows of the contacts | constraint Jacobian, m × n | – |
//! | p | `impulses` | on the system; Johnson's P̂ = −p | N·s |
//!
//! # Limits
//! Friction is not looked at. For one e at all constraints the energy never grows (e ≤ 1); with
//! different e, or tangents held beside e > 0, it can, and [`audit`](super::audit()) reports it.
//! With tangents, (3) may have several answers or none: the one with most contacts held is taken,
//! then the one with least energy.
//!
//! # Source
//! Johnson 2024, eqs. (17)–(25), (38)–(45), read. Signs: his P̂ → −p; section 1's m z̈ − m g + λ is
//! inconsistent with z̈ = −g and not used.
//!
//! # Tests
//! `tests/laws/constraint.rs`: sections 1 to 6 and the four practice problems by number, redundant
//! and singular cases, complementarity against a quadratic program; `tests/laws/samples.rs`: `constraint`.

mod law;
mod sets;
mod singular;

pub use law::Constraint;
