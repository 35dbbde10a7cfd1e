//! Wrenches: moment about the reference point and force; impulses and momenta have the same form.

use super::motion::Motion;
use nalgebra::Vector3;
use std::ops::{Add, AddAssign, Mul, Sub};

/// A wrench, impulse or momentum in world axes at a reference point.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Force {
    /// Moment about the reference point, N·m (impulse: N·m·s).
    pub n: Vector3<f64>,
    /// Force, N (impulse: N·s).
    pub f: Vector3<f64>,
}

impl Force {
    /// No force.
    #[inline]
    pub fn zero() -> Self {
        Self { n: Vector3::zeros(), f: Vector3::zeros() }
    }

    /// A wrench from its moment and force.
    #[inline]
    pub fn new(n: Vector3<f64>, f: Vector3<f64>) -> Self {
        Self { n, f }
    }

    /// The same wrench about a reference point from which the present one is seen at `r`.
    #[inline]
    pub fn seen_from(&self, r: &Vector3<f64>) -> Self {
        Self { n: self.n + r.cross(&self.f), f: self.f }
    }

    /// Power on a twist at the same reference point.
    #[inline]
    pub fn power(&self, m: &Motion) -> f64 {
        self.n.dot(&m.w) + self.f.dot(&m.v)
    }
}

impl Add for Force {
    type Output = Force;
    #[inline]
    fn add(self, o: Force) -> Force {
        Force { n: self.n + o.n, f: self.f + o.f }
    }
}

impl AddAssign for Force {
    #[inline]
    fn add_assign(&mut self, o: Force) {
        self.n += o.n;
        self.f += o.f;
    }
}

impl Sub for Force {
    type Output = Force;
    #[inline]
    fn sub(self, o: Force) -> Force {
        Force { n: self.n - o.n, f: self.f - o.f }
    }
}

impl Mul<f64> for Force {
    type Output = Force;
    #[inline]
    fn mul(self, s: f64) -> Force {
        Force { n: self.n * s, f: self.f * s }
    }
}
