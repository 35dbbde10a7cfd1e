//! Time stepping: the contacts of one step, found, written as rows, solved.
//!
//! # Law
//! Moreau–Jean with θ = ½. A step of length h from (q, v) at t is
//! ```text
//! q° = q ⊕ (h/2) v                                                              (1)
//! M̂ (v⁺ − v) = h (τ − bias)(t + h/2, q°) + Jᵀp,   M̂ = M + (h/2) D + (h²/4) K    (2)
//! 0 ≤ pₙ ⟂ uₙ⁺ + e uₙ ≥ 0,  Coulomb on uₜ⁺     at sites that touch at q°         (3)
//! q⁺ = q° ⊕ (h/2) v⁺                                                            (4)
//! q⁺ ← q⁺ ⊕ M⁻¹Jₙᵀπ,   0 ≤ π ⟂ g + Gₙₙ π ≥ 0                                    (5)
//! ```
//! with D and K of joint dampers and springs, which are taken at the middle of the step and so never limit its length. A
//! site *touches* where
//! ```text
//! g(q°) ≤ ½ h² a,   a the larger of |gravity| and the normal acceleration without contact   (6)
//! ```
//! the fall of one step from rest: what lies on something is not to lose it by round-off. An approach
//! ```text
//! −uₙ ≤ 2 h a                                                                   (7)
//! ```
//! is no collision, e = 0: its rebound would be over within a few steps. Events of the motion are not located, so errors are
//! of the order of h; (1) to (7) converge to the event-driven motion as h → 0.
//!
//! The Coulomb problem (3) is the one of [`crate::coulomb`], cluster by cluster: the dense solver for a few contacts, the
//! sparse one for more. What a site took in the step before is the first guess.
//!
//! # Energy
//! Works of contacts are p (u + u⁺)/2, of motors and forces h τ (v + v⁺)/2; what remains of the change of
//! energy was made by the scheme itself, (4) and (5), and is a line of the ledger of its own.
//!
//! # Parts
//! | file | noun |
//! |---|---|
//! | `parts` | trees of bodies and their degrees of freedom |
//! | `pool` | sites: those of pairs, and those of groups as they come near |
//! | `grid` | which features of a group are near each other |
//! | `rows` | J and Z of the contacts of a step |
//! | `solve` | clusters, and which solver |
//!
//! The run itself is in [`crate::hybrid`].
//!
//! # Tests
//! `tests/stepping.rs`.
#![allow(non_snake_case)]

mod grid;
mod parts;
mod pool;
mod rows;
mod solve;

pub(crate) use parts::Parts;
pub(crate) use pool::Pool;
pub(crate) use rows::Rows;
pub(crate) use solve::{Ask, Solve};
