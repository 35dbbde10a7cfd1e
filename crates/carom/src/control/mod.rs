//! Forces that a mechanism applies to itself, and motions that are prescribed to it.
//!
//! | file | noun |
//! |---|---|
//! | `actuator` | a motor and its limits |
//! | `controller` | what a feedback law is asked and may know |
//! | `computed_torque`, `joint_pd`, `torque_table` | one law each |
//! | `any` | any of them, as plain data |
//! | `condition` | when a contact is there, or may touch |
//! | `force_law` | a force as a function of time and state |
//! | `prescribed` | a joint that is made to move |
//! | `error` | what may be wrong with them |
#![allow(non_snake_case)]

pub mod actuator;
pub mod any;
pub mod computed_torque;
pub mod condition;
pub mod controller;
pub mod error;
pub mod force_law;
pub mod joint_pd;
pub mod prescribed;
pub mod torque_table;

pub use actuator::{Actuator, Saturation};
pub use any::AnyController;
pub use computed_torque::{ComputedTorque, TaskController};
pub use condition::{Bounds, Condition, Margin};
pub use controller::{Controller, Situation};
pub use error::ControlError;
pub use force_law::ForceLaw;
pub use joint_pd::{JointGoal, JointPd};
pub use prescribed::{Added, Prescribed, TimeFunction};
pub use torque_table::{Interpolation, TorqueTable};
