//! Linear complementarity problems; this folder knows no mechanics.
//!
//! A problem is `w = M z + q` with one condition per row: either
//! `0 ≤ w ⟂ z ≥ 0` or, for a bilateral row, `w = 0` with `z` free.
//! [`Lemke`] finds one solution by pivoting, [`enumerate`] finds every solution of a small
//! problem, and both hand out only what a [`Certificate`] has confirmed.
//! those of searches that solve very many.
#![allow(non_snake_case)]

mod enumerate;
mod equilibrate;
mod error;
mod lemke;
mod min_norm;
mod problem;
mod regular;
mod tableau;

pub use enumerate::{EnumerateOptions, enumerate};
pub use error::ComplementarityError;
pub use lemke::{Lemke, LemkeOptions};
pub use min_norm::MinNorm;
pub use problem::{Certificate, Problem, Row, Solution};
pub use regular::Regular;
