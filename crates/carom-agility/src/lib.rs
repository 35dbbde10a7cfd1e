//! What a mechanism could do: how fast a point can be accelerated, in which posture best, how high it jumps.
//!
//! A folder uses only folders above it:
//!
//! | folder | what it holds |
//! |---|---|
//! | [`program`] | linear programs with friction cones, certified by their duals |
//! | [`error`] | what can go wrong: [`AgilityError`] |
//! | `threads` | work on a number of threads |
//! | [`mod@capability`] | the largest acceleration of a point, in one direction and in all |
//! | [`posture`] | the best postures |
//! | [`map`] | capability over two coordinates |
//! | [`jump`] | jumps, measured |
//!
//! # Which solver
//! Programs have one variable per motor (and one per degree of freedom in a posture step), a dozen
//! to sixty rows. An own dual simplex method with cuts and a Newton polish gives corners and
//! multipliers to round-off, names the contradiction where there is none, and needs no
//! interior-point package; `tests/program.rs` compares it with one.
#![allow(non_snake_case)]

pub mod capability;
pub mod error;
pub mod jump;
pub mod map;
pub mod posture;
pub mod program;
mod threads;
mod thresholds;

pub use capability::{
    Active, Capability, CapabilityProblem, ClosedForm, Ellipsoid, Evaluator, Hold, Limit, Names,
    Polygon, Reach, Rule, Stance, Support, Task, box_capability, capability, closed_form,
};
pub use error::AgilityError;
pub use jump::{JumpMeasure, JumpOutcome, JumpPoint, JumpStart, JumpStartError, JumpWatch, Varied};
pub use map::{MapAxis, MapPoint, capability_map};
