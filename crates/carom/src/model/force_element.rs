//! Springs with dampers between points of two bodies, and constant loads.
//!
//! Their forces are in [`crate::dynamics::elements`].

use super::BodyId;
use nalgebra::Vector3;

/// A point fixed to a body, or to the world.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct BodyPoint {
    /// The body; `None` is the world.
    pub body: Option<BodyId>,
    /// The point in the frame of the body, m.
    pub point: Vector3<f64>,
}

/// A linear spring and damper along the line between two points.
#[derive(Debug, Clone, PartialEq)]
pub struct PointSpring {
    /// Unique name.
    pub name: String,
    /// One end.
    pub a: BodyPoint,
    /// The other end.
    pub b: BodyPoint,
    /// Stiffness, N/m, ≥ 0.
    pub stiffness: f64,
    /// Length without force, m, ≥ 0.
    pub rest: f64,
    /// Damping of the change of length, N·s/m, ≥ 0.
    pub damping: f64,
}

impl PointSpring {
    /// The bodies that it joins; `None` is the world.
    pub fn bodies(&self) -> [Option<BodyId>; 2] {
        [self.a.body, self.b.body]
    }
}

/// Axes of a constant force.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum LoadAxes {
    /// Those of the world.
    World,
    /// Those of the body: the force turns with it.
    Body,
}

/// Something constant that pushes.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Load {
    /// A force at a point of a body, and a moment.
    Body {
        /// The body.
        body: BodyId,
        /// Where the force acts, in the frame of the body, m.
        point: Vector3<f64>,
        /// Force, N.
        force: Vector3<f64>,
        /// Moment, N·m.
        moment: Vector3<f64>,
        /// Along which axes both are given.
        axes: LoadAxes,
    },
    /// A torque or force on the angle or position of a joint.
    Joint {
        /// Degree of freedom (index into v).
        dof: usize,
        /// Torque on the joint, N·m or N.
        torque: f64,
    },
}
