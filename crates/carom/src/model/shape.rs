//! Shapes that may touch, and where they sit on bodies.

use super::{BodyId, Hull, Terrain};
use crate::spatial::Pose;
use nalgebra::{Unit, Vector3};
use std::sync::Arc;

/// A shape in its own frame, convex unless it is a terrain.
#[derive(Debug, Clone, PartialEq)]
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
    /// A cylinder along z.
    Cylinder {
        /// Radius, m.
        radius: f64,
        /// Half its length, m.
        half_length: f64,
    },
    /// A convex polygon of the x–y plane.
    Polygon {
        /// Corners, counter-clockwise, m.
        corners: Arc<[[f64; 2]]>,
        /// Radius of a ball that sweeps it, m.
        rounding: f64,
    },
    /// A convex polytope in space.
    Convex {
        /// Corners and faces.
        hull: Arc<Hull>,
        /// Radius of a ball that sweeps it, m.
        rounding: f64,
    },
    /// Everything on the inner side of a plane through the origin.
    HalfSpace {
        /// Outward normal in the feature's frame.
        normal: Unit<Vector3<f64>>,
    },
    /// Ground made of triangles, or in the plane of a line; not convex.
    Terrain {
        /// Its triangles.
        ground: Arc<Terrain>,
    },
}

impl Shape {
    /// Radius of the ball about its origin that holds it, m; infinite for a half-space.
    pub fn reach(&self) -> f64 {
        let norm = |x: &[f64]| x.iter().map(|x| x * x).sum::<f64>().sqrt();
        match self {
            Self::Point => 0.0,
            Self::HalfSpace { .. } => f64::INFINITY,
            Self::Sphere { radius } | Self::Disk { radius } => *radius,
            Self::Ellipse { semi_axes: [a, b] } => a.max(*b),
            Self::Ellipsoid { semi_axes: [a, b, c] } => a.max(*b).max(*c),
            Self::Box { half_extents } => norm(half_extents),
            Self::Capsule { radius, half_length } => radius + half_length,
            Self::Cylinder { radius, half_length } => radius.hypot(*half_length),
            Self::Polygon { corners, rounding } => {
                corners.iter().map(|c| norm(c)).fold(0.0, f64::max) + rounding
            }
            Self::Convex { hull, rounding } => {
                hull.corners.iter().map(|c| c.norm()).fold(0.0, f64::max) + rounding
            }
            Self::Terrain { ground } => ground.points.iter().map(|p| p.norm()).fold(0.0, f64::max),
        }
    }

    /// Whether it is a convex core with corners, or a point, swept by a ball.
    pub fn is_polytope(&self) -> bool {
        let round =
            matches!(self, Self::Ellipse { .. } | Self::Ellipsoid { .. } | Self::Cylinder { .. });
        !(round || matches!(self, Self::HalfSpace { .. } | Self::Terrain { .. }))
    }

    /// Whether it is smooth without a core, an ellipse of the plane or an ellipsoid of space.
    pub fn is_smooth(&self) -> bool {
        matches!(self, Self::Ellipse { .. } | Self::Ellipsoid { .. })
    }

    /// The same, in the plane or in space: an ellipse has no thickness, an ellipsoid no section that it keeps.
    pub fn is_smooth_in(&self, planar: bool) -> bool {
        matches!((self, planar), (Self::Ellipse { .. }, true) | (Self::Ellipsoid { .. }, false))
    }

    /// Dimension of the core as a polytope of the plane or of space; none if it is none there.
    pub fn core_dimension(&self, planar: bool) -> Option<usize> {
        Some(match self {
            Self::Point | Self::Sphere { .. } => 0,
            Self::Disk { .. } if planar => 0,
            Self::Capsule { .. } => 1,
            Self::Box { half_extents } => {
                half_extents[..if planar { 2 } else { 3 }].iter().filter(|h| **h > 0.0).count()
            }
            Self::Polygon { .. } if planar => 2,
            Self::Convex { .. } if !planar => 3,
            _ => return None,
        })
    }

    /// Whether it has a radius around its core.
    pub fn is_rounded(&self) -> bool {
        match self {
            Self::Sphere { .. } | Self::Disk { .. } | Self::Capsule { .. } => true,
            Self::Polygon { rounding, .. } | Self::Convex { rounding, .. } => *rounding > 0.0,
            _ => false,
        }
    }

    /// Whether it has no thickness and no corners: a disk or an ellipse of space.
    pub fn is_flat_in(&self, planar: bool) -> bool {
        !planar && matches!(self, Self::Disk { .. } | Self::Ellipse { .. })
    }

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
            Self::Cylinder { .. } => "cylinder",
            Self::Polygon { .. } => "polygon",
            Self::Convex { .. } => "convex",
            Self::HalfSpace { .. } => "half-space",
            Self::Terrain { .. } => "terrain",
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
