//! The Coulomb problem of many contacts: G is never formed.
//!
//! # Law
//! The problem is that of the parent, with G given by its factor. Bodies are grouped in *parts* (trees), and a
//! contact moves at most two of them, so its rows of
//! ```text
//! G = Z Zᵀ,   w = Z s + b,   s = Zᵀ x                                       (1)
//! ```
//! have entries at the degrees of freedom of these two parts only. s is the change of velocity in coordinates in
//! which the mass matrix is the identity. A sweep over all contacts costs as much as Z has entries.
//!
//! Newton's step on (1) with contacts softened about x°, w = Z s + b + ε g (x − x°), eliminates the
//! contacts one by one. With E = ∂F/∂x, H = ∂F/∂w of one contact (the F of `newton`),
//! ```text
//! T = E + ε g H,   δx = −T⁻¹(F + H Z δs)                                    (2)
//! (I + Σ Zᵀ T⁻¹ H Z) δs = −Σ Zᵀ T⁻¹ F                                       (3)
//! ```
//! which is a system with one block row per part and a block where two parts touch. T is regular for every
//! ε > 0, however redundant contacts are. Softness is taken back by proximal steps: x° follows x.
//!
//! Rolling and spinning friction follow the normal force of their contact, (6) of the parent; their rows stand beside its own, so
//! that a contact with them is one block of at most six rows in all of the above. A moment is measured by a length, x = m/ℓ,
//! w = ℓ ω, μ = μr/ℓ, with which it moves as easily as the normal,
//! ```text
//! ℓ² max Gₘₘ = Gₙₙ                                                          (4)
//! ```
//! so that U is a velocity and not an angular one, and a residual of a pile says the same with rolling friction and without.
//!
//! # Parts
//! | file | noun |
//! |---|---|
//! | `problem` | Z by contacts and parts, b |
//! | `certificate` | the residual, from the definition |
//! | `sweep` | Gauss–Seidel sweeps |
//! | `accelerate` | sweeps that learn from those before |
//! | `order` | an order of elimination with little fill |
//! | `factor` | the blocks of (3), factorised |
//! | `local` | F, E and H of one contact |
//! | `newton` | Newton's method on (2) and (3) |
//! | `path` | contacts a little apart and friction a little viscous, taken back |
//! | `alternate` | what couples contacts, and what each obeys, in turn |
//! | `solver` | the order of attempts |
//!
//! # Tests
//! `tests/coulomb_sparse.rs`; of (4) and moments `eq4_moments_follow_the_normal_force_as_in_the_dense_problem`.

mod accelerate;
mod alternate;
mod certificate;
mod factor;
mod local;
mod newton;
mod order;
mod path;
pub mod problem;
pub mod solver;
mod sweep;

pub use problem::{Piece, SparseProblem};
pub use solver::{Effort, SparseSolver};
