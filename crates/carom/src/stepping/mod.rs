//! Time stepping: the contacts of one step, found, written as rows, solved.
//!
//! # Law
//! Moreau–Jean with θ = ½. A step of length h from (q, v) at t is
//! ```text
//! q° = q ⊕ (h/2) v                                                              (1)
//! M̂ (v⁺ − v) = h (τ − bias)(t + h/2, q°) + Jᵀp,   M̂ = M + (h/2) D + (h²/4) K    (2)
//! 0 ≤ pₙ ⟂ uₙ⁺ + e uₙ ≥ 0,  Coulomb on uₜ⁺     at sites that touch at q°         (3)
//! q⁺ = q° ⊕ (h/2) v⁺                                                            (4)
//! q ← q ⊕ δq,   δq = M⁻¹Jₙᵀπ,   0 ≤ π ⟂ g + Gₙₙ π ≥ 0     at q° and at q⁺         (5)
//! ```
//! with D and K of joint dampers and springs, which are taken at the middle of the step and so never limit its length. A
//! site *touches* where
//! ```text
//! g(q°) ≤ ½ h² a,   a the larger of |gravity| and the normal acceleration without contact   (6)
//! ```
//! the fall of one step from rest: what lies on something is not to lose it by round-off; and where π > 0 of (5) has put it,
//! whatever gap the curvature of the motion leaves there. An approach
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
//! Works of contacts are p (u + u⁺)/2, of motors and forces h τ (v + v⁺)/2; with forces f = τ − bias that are constant,
//! (1) to (4) keep the rest exactly. A body overlaps because it moved on for a part of a step in which it should have
//! collided, and f worked on it meanwhile. (5) takes that motion back, and lifts what fell; so it takes the work back
//! as well. The velocities of every cluster change along δq,
//! ```text
//! v ← v + κ δq,   ½ κ² δq·M δq + κ (v + ½ h f/M)·M δq = f·δq,   |κ| least            (8)
//! ```
//! at q°, where f acts on through the other half of the step; at q⁺ without the term of h. Only an approach pays,
//! v·M δq < 0: (5) is applied before anything collides at q°, and contacts that touched there do not approach at q⁺, so
//! there is one wherever a collision was missed. An approach too slow to pay is stopped. What remains of the change of energy was
//! made by the scheme, and is a line of the ledger of its own.
//!
//! # Parts
//! | file | noun |
//! |---|---|
//! | `parts` | trees of bodies and their degrees of freedom |
//! | `pool` | sites: those of pairs, and those of groups as they come near |
//! | `grid` | which features of a group are near each other |
//! | `rows` | J and Z of the contacts of a step |
//! | `cluster` | the problem of a cluster, and which solver |
//! | `solve` | all clusters, and by whom |
//!
//! The run itself is in [`crate::hybrid`].
//!
//! # Tests
//! `tests/stepping.rs`; of (8) `eq8_corrections_of_positions_make_no_energy`.
#![allow(non_snake_case)]

mod cluster;
mod grid;
mod parts;
mod pool;
mod rows;
mod solve;

pub(crate) use parts::Parts;
pub(crate) use pool::Pool;
pub(crate) use rows::Rows;
pub(crate) use solve::{Ask, Solve};
