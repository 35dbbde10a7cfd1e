//! What a mechanism could do: how fast a point can be accelerated, and in which posture best.
//!
//! | file | answers |
//! |---|---|
//! | `program` | linear programs with friction cones, certified by their duals |
//! | `problem`, `reduce` | capability in matrices; torques to forces and accelerations |
//! | [`mod@capability`] | the largest acceleration, what stops it, and its slope |
//! | [`mod@closed_form`] | the same in closed form where actuation is square |
//! | `task`, `stance`, `evaluator` | the question for a mechanism, and its matrices in a posture |
//! | [`reach`] | all directions: support function, corners, ellipsoid |
//! | [`posture`] | the best postures |
//! | [`map`] | capability over two coordinates |
//!
//! # Which solver
//! Programs have one variable per motor (and one per degree of freedom in a posture step), a dozen
//! to sixty rows. An own dual simplex method with cuts and a Newton polish gives corners and
//! multipliers to round-off, names the contradiction where there is none, and keeps the core free of
//! an interior-point package; `tests/agility_program.rs` compares it with one.
#![allow(non_snake_case)]

pub mod capability;
pub mod closed_form;
pub mod error;
pub mod evaluator;
pub mod jump;
pub mod jump_start;
pub mod map;
pub mod names;
pub mod posture;
pub mod problem;
pub mod program;
pub mod reach;
pub mod reduce;
pub mod stance;
pub mod task;

pub use capability::{Active, Capability, Limit, capability};
pub use closed_form::{ClosedForm, box_capability, closed_form};
pub use error::AgilityError;
pub use evaluator::{Evaluator, Rule};
pub use jump::{JumpMeasure, JumpOutcome, JumpPoint, JumpWatch};
pub use jump_start::{JumpStart, JumpStartError, Varied};
pub use map::{MapAxis, MapPoint, capability_map};
pub use names::Names;
pub use problem::CapabilityProblem;
pub use reach::{Ellipsoid, Polygon, Reach, Support};
pub use stance::Stance;
pub use task::{Hold, Task};
