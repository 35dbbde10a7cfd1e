//! The largest acceleration of a point, in one direction and in all.
//!
//! | file | answers |
//! |---|---|
//! | `problem`, `reduce`, `names` | capability in matrices; torques to forces and accelerations; who is who |
//! | `largest` | the largest acceleration, what stops it, and its slope |
//! | [`mod@closed_form`] | the same in closed form where actuation is square |
//! | `task`, `stance`, `evaluator` | the question for a mechanism, and its matrices in a posture |
//! | [`reach`] | all directions: support function, corners, ellipsoid |

pub mod closed_form;
pub mod evaluator;
pub mod largest;
pub mod names;
pub mod problem;
pub mod reach;
pub mod reduce;
pub mod stance;
pub mod task;

pub use closed_form::{ClosedForm, box_capability, closed_form};
pub use evaluator::{Evaluator, Rule};
pub use largest::{Active, Capability, Limit, capability};
pub use names::Names;
pub use problem::CapabilityProblem;
pub use reach::{Ellipsoid, Polygon, Reach, Support};
pub use stance::Stance;
pub use task::{Hold, Task};
