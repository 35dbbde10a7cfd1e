//! What a mechanism could do: how fast a point can be accelerated, and in which posture best.
#![allow(non_snake_case)]

pub mod capability;
pub mod closed_form;
pub mod error;
pub mod evaluator;
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
pub use evaluator::Evaluator;
pub use map::{MapAxis, MapPoint, capability_map};
pub use names::Names;
pub use problem::CapabilityProblem;
pub use reach::{Ellipsoid, Polygon, Reach};
pub use stance::Stance;
pub use task::{Hold, Task};
