//! Numbers: when one is zero, and how small systems are solved; knows no mechanics.

#![allow(non_snake_case)]

pub mod matrix;
pub mod polynomial;
pub mod sign;
pub mod thresholds;

pub use matrix::{reshape, reshape_vector, svd};
pub use sign::{Bounded, Sign};
