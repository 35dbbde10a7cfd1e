//! Twists: angular velocity and velocity of the reference point.

use nalgebra::Vector3;
use std::ops::{Add, Mul, Sub};

/// A twist or a spatial acceleration in world axes at a reference point.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Motion {
    /// Angular part, rad/s or rad/s².
    pub w: Vector3<f64>,
    /// Linear part at the reference point, m/s or m/s².
    pub v: Vector3<f64>,
}

impl Motion {
    /// No motion.
    #[inline]
    pub fn zero() -> Self {
        Self { w: Vector3::zeros(), v: Vector3::zeros() }
    }

    /// A twist from its angular and linear parts.
    #[inline]
    pub fn new(w: Vector3<f64>, v: Vector3<f64>) -> Self {
        Self { w, v }
    }

    /// The same twist with the reference point moved by `r`.
    #[inline]
    pub fn moved(&self, r: &Vector3<f64>) -> Self {
        Self { w: self.w, v: self.v + self.w.cross(r) }
    }
}

impl Add for Motion {
    type Output = Motion;
    #[inline]
    fn add(self, o: Motion) -> Motion {
        Motion { w: self.w + o.w, v: self.v + o.v }
    }
}

impl Sub for Motion {
    type Output = Motion;
    #[inline]
    fn sub(self, o: Motion) -> Motion {
        Motion { w: self.w - o.w, v: self.v - o.v }
    }
}

impl Mul<f64> for Motion {
    type Output = Motion;
    #[inline]
    fn mul(self, s: f64) -> Motion {
        Motion { w: self.w * s, v: self.v * s }
    }
}
