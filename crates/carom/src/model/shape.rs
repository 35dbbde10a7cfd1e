//! Shapes that may touch, and where they sit on bodies.

use super::BodyId;
use crate::spatial::Pose;
use nalgebra::{Unit, Vector3};

/// A convex shape in its own frame.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Shape {
    /// The origin of the feature's frame.
    Point,
    /// A ball.
    Sphere {
        /// Radius, m.
        radius: f64,
    },
    /// A circle without thickness, in the x–y plane.
    Disk {
        /// Radius, m.
        radius: f64,
    },
    /// An ellipse without thickness, in the x–y plane.
    Ellipse {
        /// Semi-axes along x and y, m.
        semi_axes: [f64; 2],
    },
    /// An ellipsoid.
    Ellipsoid {
        /// Semi-axes along x, y, z, m.
        semi_axes: [f64; 3],
    },
    /// A box by its corners; a half extent of zero makes a rectangle or a line.
    Box {
        /// Half extents along x, y, z, m.
        half_extents: [f64; 3],
    },
    /// A capsule along x by its end spheres.
    Capsule {
        /// Radius, m.
        radius: f64,
        /// Half the distance of the sphere centres, m.
        half_length: f64,
    },
    /// Everything on the inner side of a plane through the origin.
    HalfSpace {
        /// Outward normal in the feature's frame.
        normal: Unit<Vector3<f64>>,
    },
}

impl Shape {
    /// Word used in files and messages.
    pub fn word(&self) -> &'static str {
        match self {
            Self::Point => "point",
            Self::Sphere { .. } => "sphere",
            Self::Disk { .. } => "disk",
            Self::Ellipse { .. } => "ellipse",
            Self::Ellipsoid { .. } => "ellipsoid",
            Self::Box { .. } => "box",
            Self::Capsule { .. } => "capsule",
            Self::HalfSpace { .. } => "half-space",
        }
    }
}

/// A shape fixed to a body or to the world.
#[derive(Debug, Clone, PartialEq)]
pub struct Feature {
    /// Unique name.
    pub name: String,
    /// The body that carries it; `None` is the world.
    pub body: Option<BodyId>,
    /// The shape's frame in the frame of the body.
    pub placement: Pose,
    /// The shape.
    pub shape: Shape,
}
