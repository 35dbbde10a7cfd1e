//! Where a body is and how it moves, as far as gaps need it.

use nalgebra::{Matrix3, Vector3};

/// Pose, twist and velocity-product acceleration of a body, in world axes.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct BodyMotion {
    /// Rotation: body axes in the world.
    pub R: Matrix3<f64>,
    /// Reference point, m.
    pub r: Vector3<f64>,
    /// Angular velocity, rad/s.
    pub w: Vector3<f64>,
    /// Velocity of the body's point at r, m/s.
    pub v: Vector3<f64>,
    /// Acceleration of that point when all coordinate accelerations v̇ are zero, m/s². This is the
    /// acceleration of the material point (spatial acceleration plus ω × v).
    pub a0: Vector3<f64>,
    /// Angular acceleration when all coordinate accelerations are zero, rad/s².
    pub alpha0: Vector3<f64>,
}

impl BodyMotion {
    /// The world: at the origin, never moving.
    pub fn fixed() -> Self {
        let o = Vector3::zeros();
        Self { R: Matrix3::identity(), r: o, w: o, v: o, a0: o, alpha0: o }
    }

    /// A point given in body axes from the reference point, in the world.
    #[inline]
    pub fn place(&self, local: &Vector3<f64>) -> Vector3<f64> {
        self.r + self.R * local
    }

    /// Velocity of the body's point that is at `x` now.
    #[inline]
    pub fn velocity(&self, x: &Vector3<f64>) -> Vector3<f64> {
        self.v + self.w.cross(&(x - self.r))
    }

    /// Acceleration at v̇ = 0 of the body's point that is at `x` now.
    #[inline]
    pub fn acceleration(&self, x: &Vector3<f64>) -> Vector3<f64> {
        let d = x - self.r;
        self.a0 + self.alpha0.cross(&d) + self.w.cross(&self.w.cross(&d))
    }
}
