//! What may be wrong with actuators and controllers.

use thiserror::Error;

/// Why actuators or controllers cannot be used.
#[derive(Debug, Clone, PartialEq, Error)]
pub enum ControlError {
    /// The degree of freedom does not exist.
    #[error("actuator `{actuator}` drives degree of freedom {dof}, the model has {nv}")]
    NoSuchDof {
        /// The actuator.
        actuator: String,
        /// Its degree of freedom.
        dof: usize,
        /// How many there are.
        nv: usize,
    },
    /// Limits that are reversed, empty or do not enclose 0.
    #[error("actuator `{actuator}` has the limits [{lower}, {upper}], which must enclose 0")]
    Limits {
        /// The actuator.
        actuator: String,
        /// Lower limit, N·m or N.
        lower: f64,
        /// Upper limit, N·m or N.
        upper: f64,
    },
    /// A controller names an actuator that is not there.
    #[error("a controller drives actuator {index}, there are {count}")]
    NoSuchActuator {
        /// The actuator.
        index: usize,
        /// How many there are.
        count: usize,
    },
    /// A controller stands on a contact that is not there.
    #[error("a controller stands on contact {index}, there are {count}")]
    NoSuchSite {
        /// The site.
        index: usize,
        /// How many there are.
        count: usize,
    },
    /// A number of a controller that is not finite, or negative where it must not be.
    #[error("{what} = {value} of a controller is out of range")]
    Value {
        /// Which number.
        what: &'static str,
        /// Its value.
        value: f64,
    },
    /// A torque table without rows, or with rows of the wrong length.
    #[error("row {row} of a torque table has {found} numbers, must have {expected}")]
    Row {
        /// The row, from 0.
        row: usize,
        /// Numbers found.
        found: usize,
        /// Numbers needed: the time and one per actuator.
        expected: usize,
    },
    /// Times of a torque table that do not rise.
    #[error("row {row} of a torque table has t = {t}, which is not after {before}")]
    Order {
        /// The row, from 0.
        row: usize,
        /// Its time, s.
        t: f64,
        /// The time before, s.
        before: f64,
    },
}

impl ControlError {
    /// What the user may do about it.
    pub fn hint(&self) -> &'static str {
        match self {
            Self::NoSuchDof { .. } => "take the degree of freedom from Model::v_range",
            Self::Limits { .. } => "give a lower limit ≤ 0 and an upper limit ≥ 0 that differ",
            Self::NoSuchActuator { .. } => "actuators count from 0 in the order they were given",
            Self::NoSuchSite { .. } => "sites count from 0 in the order of contact::sites(&model)",
            Self::Value { .. } => "gains are finite and ≥ 0, goals and torques finite",
            Self::Row { .. } => "every row has the time and one torque per actuator",
            Self::Order { .. } => "times must rise from row to row",
        }
    }
}
