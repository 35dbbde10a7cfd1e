//! One of the controllers that scenes can declare.

use super::{Actuator, ComputedTorque, Controller, JointPd, TorqueTable};
use crate::model::Model;

/// A controller as plain data.
#[derive(Debug, Clone, PartialEq)]
pub enum AnyController {
    /// Computed torque of a task point.
    ComputedTorque(ComputedTorque),
    /// Proportional and derivative control of joints.
    JointPd(JointPd),
    /// Torques as a table in time.
    Table(TorqueTable),
}

impl AnyController {
    /// The controller itself, with its scratch.
    pub fn controller(&self, model: &Model, actuators: &[Actuator]) -> Box<dyn Controller> {
        match self {
            Self::ComputedTorque(law) => Box::new(law.controller(model, actuators)),
            Self::JointPd(law) => Box::new(law.clone()),
            Self::Table(law) => Box::new(law.clone()),
        }
    }

    /// Word used in files.
    pub fn word(&self) -> &'static str {
        match self {
            Self::ComputedTorque(_) => "computed_torque",
            Self::JointPd(_) => "pd",
            Self::Table(_) => "table",
        }
    }

    /// The actuators that it commands.
    pub fn actuators(&self) -> Vec<usize> {
        match self {
            Self::ComputedTorque(law) => law.actuators.clone(),
            Self::JointPd(law) => law.goals.iter().map(|g| g.actuator).collect(),
            Self::Table(law) => law.actuators().to_vec(),
        }
    }
}
