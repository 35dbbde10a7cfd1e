//! Shapes by their sizes.

use nalgebra::Vector3;
use std::sync::Arc;

/// Corners and faces of a convex shape, about the middle of the box around it.
#[derive(Debug, Clone, PartialEq)]
pub struct Outline {
    /// Corners, m.
    pub corners: Vec<Vector3<f64>>,
    /// Corners of each face, counter-clockwise as seen from outside; a flat shape has one.
    pub faces: Vec<Vec<usize>>,
}

impl Outline {
    /// The outline about the middle of its box, and that middle.
    pub fn centred(mut corners: Vec<Vector3<f64>>, faces: Vec<Vec<usize>>) -> (Self, Vector3<f64>) {
        let fold = |f: fn(&Vector3<f64>, &Vector3<f64>) -> Vector3<f64>| {
            corners.iter().skip(1).fold(corners[0], |m, c| f(&m, c))
        };
        let middle = (fold(|a, b| a.inf(b)) + fold(|a, b| a.sup(b))) * 0.5;
        corners.iter_mut().for_each(|c| *c -= middle);
        (Self { corners, faces }, middle)
    }
}

/// A shape in its own frame. Long shapes lie along x, except the cylinder, which stands along z.
#[derive(Debug, Clone, PartialEq)]
pub enum Form {
    /// The origin.
    Point,
    /// A ball.
    Sphere {
        /// Radius, m.
        radius: f64,
    },
    /// An ellipsoid.
    Ellipsoid {
        /// Semi-axes along x, y, z, m.
        radii: [f64; 3],
    },
    /// A flat disk across z.
    Disk {
        /// Radius, m.
        radius: f64,
    },
    /// A flat ellipse across z.
    Ellipse {
        /// Semi-axes along x and y, m.
        radii: [f64; 2],
    },
    /// A box; without thickness along z in planar scenes.
    Box {
        /// Edges along x, y, z, m.
        size: [f64; 3],
    },
    /// A thin rod along x.
    Rod {
        /// Length, m.
        length: f64,
    },
    /// A capsule along x.
    Capsule {
        /// Radius, m.
        radius: f64,
        /// Distance of the centres of its end balls, m.
        length: f64,
    },
    /// A cylinder along z.
    Cylinder {
        /// Radius, m.
        radius: f64,
        /// Length, m.
        length: f64,
    },
    /// A convex polygon, or a convex polytope.
    Hull {
        /// Its corners and faces.
        outline: Arc<Outline>,
    },
    /// A surface through the origin; its outward normal is z in space and y in the plane.
    Plane,
}

impl Form {
    /// Word used in files.
    pub fn word(&self) -> &'static str {
        match self {
            Self::Point => "point",
            Self::Sphere { .. } => "sphere",
            Self::Ellipsoid { .. } => "ellipsoid",
            Self::Disk { .. } => "disk",
            Self::Ellipse { .. } => "ellipse",
            Self::Box { .. } => "box",
            Self::Rod { .. } => "rod",
            Self::Capsule { .. } => "capsule",
            Self::Cylinder { .. } => "cylinder",
            Self::Hull { .. } => "hull",
            Self::Plane => "plane",
        }
    }

    /// Half the size of the box around the shape, along its own axes, m; none for a plane.
    pub fn half_extents(&self) -> Option<Vector3<f64>> {
        Some(match *self {
            Self::Plane => return None,
            Self::Point => Vector3::zeros(),
            Self::Sphere { radius } => Vector3::from([radius; 3]),
            Self::Ellipsoid { radii } => radii.into(),
            Self::Disk { radius } => Vector3::new(radius, radius, 0.0),
            Self::Ellipse { radii: [a, b] } => Vector3::new(a, b, 0.0),
            Self::Box { size } => Vector3::from(size) * 0.5,
            Self::Rod { length } => Vector3::new(0.5 * length, 0.0, 0.0),
            Self::Capsule { radius, length } => Vector3::new(0.5 * length + radius, radius, radius),
            Self::Cylinder { radius, length } => Vector3::new(radius, radius, 0.5 * length),
            Self::Hull { ref outline } => {
                outline.corners.iter().fold(Vector3::zeros(), |m: Vector3<f64>, c| m.sup(&c.abs()))
            }
        })
    }
}
