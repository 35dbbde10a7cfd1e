//! What a contact does between two events.

use nalgebra::Vector3;

/// Mode of a contact while the motion is smooth.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Mode {
    /// Apart, or touching without force.
    Open,
    /// Closed, no slip.
    Stick,
    /// Closed and slipping.
    Slip {
        /// Direction of slip of the second body, in the world; refreshed at every step.
        reference: Vector3<f64>,
    },
}

impl Mode {
    /// Whether the gap is held closed.
    pub fn is_closed(&self) -> bool {
        !matches!(self, Self::Open)
    }

    /// Word used in files.
    pub fn word(&self) -> &'static str {
        match self {
            Self::Open => "open",
            Self::Stick => "stick",
            Self::Slip { .. } => "slip",
        }
    }
}
