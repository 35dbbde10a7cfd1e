//! A shape with its name and place.

use super::Form;
use carom::spatial::Pose;
use nalgebra::Vector3;

/// A shape to be drawn.
#[derive(Debug, Clone, PartialEq)]
pub struct Drawn {
    /// Name of the feature, such as `lower.tip`.
    pub name: String,
    /// The shape's frame in the frame of its body, or in the world.
    pub pose: Pose,
    /// The shape.
    pub form: Form,
}

impl Drawn {
    /// Whether a point of the body frame lies in the box around the shape, give or take `slack` m.
    pub fn reaches(&self, point: &Vector3<f64>, slack: f64) -> bool {
        let Some(half) = self.form.half_extents() else { return false };
        let local = self.pose.inverse().point(point);
        (0..3).all(|i| local[i].abs() <= half[i] + slack)
    }

    /// Lower and upper corner of the box around the shape in the frame that `X` places the body in;
    /// none for a plane.
    pub fn extent(&self, X: &Pose) -> Option<[Vector3<f64>; 2]> {
        let half = self.form.half_extents()?;
        let at = X.then(&self.pose);
        // A ball has no axes to turn.
        let reach = match self.form {
            Form::Sphere { .. } => half,
            _ => at.R.abs() * half,
        };
        Some([at.r - reach, at.r + reach])
    }
}
