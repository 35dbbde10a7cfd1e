//! Forces that a mechanism applies to itself, and motions that are prescribed to it.

pub mod actuator;
pub mod error;
pub mod force_law;
pub mod prescribed;

pub use actuator::{Actuator, Saturation};
pub use error::ControlError;
pub use force_law::ForceLaw;
pub use prescribed::Prescribed;
