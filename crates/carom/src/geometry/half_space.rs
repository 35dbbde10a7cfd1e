//! A half-space fixed to a body: everything behind a plane.

use super::motion::BodyMotion;
use super::tangents::tangents;
use nalgebra::Vector3;

/// A half-space in the axes of its body, seen from the body's reference point.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct HalfSpace {
    /// A point of the plane, m.
    pub point: Vector3<f64>,
    /// Unit normal out of the solid.
    pub normal: Vector3<f64>,
    /// Unit tangents, fixed to the body, t₁ × t₂ = n.
    pub tangents: [Vector3<f64>; 2],
}

impl HalfSpace {
    /// A half-space with a unit normal; in the plane the first tangent lies in the x–y plane.
    pub fn new(point: Vector3<f64>, normal: Vector3<f64>, planar: bool) -> Self {
        Self { point, normal, tangents: tangents(&normal, planar) }
    }

    /// Normal and a point of the plane in the world, without tangents.
    pub(super) fn in_world_normal(&self, a: &BodyMotion) -> PlaneNow {
        let none = [Vector3::zeros(); 2];
        PlaneNow { origin: a.place(&self.point), normal: a.R * self.normal, tangents: none }
    }

    /// Normal, tangents and a point of the plane in the world.
    pub(super) fn in_world(&self, a: &BodyMotion) -> PlaneNow {
        PlaneNow {
            origin: a.place(&self.point),
            normal: a.R * self.normal,
            tangents: self.tangents.map(|t| a.R * t),
        }
    }
}

/// A plane in the world at one instant.
pub(super) struct PlaneNow {
    pub(super) origin: Vector3<f64>,
    pub(super) normal: Vector3<f64>,
    pub(super) tangents: [Vector3<f64>; 2],
}

impl PlaneNow {
    /// Height of `x` over the plane.
    pub(super) fn height(&self, x: &Vector3<f64>) -> f64 {
        self.normal.dot(&(x - self.origin))
    }
}
