//! The box that holds everything.

use nalgebra::Vector3;

/// A box along the axes of the world.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Bounds {
    /// Lower corner, m.
    pub min: Vector3<f64>,
    /// Upper corner, m.
    pub max: Vector3<f64>,
}

impl Default for Bounds {
    fn default() -> Self {
        Self::empty()
    }
}

impl Bounds {
    /// Holds nothing.
    pub fn empty() -> Self {
        let far = Vector3::from([f64::INFINITY; 3]);
        Self { min: far, max: -far }
    }

    /// Whether it holds nothing.
    pub fn is_empty(&self) -> bool {
        self.min.x > self.max.x
    }

    /// Widens it to hold a point; a point that is not finite is passed over.
    pub fn add(&mut self, point: &Vector3<f64>) {
        if point.iter().all(|x| x.is_finite()) {
            self.min = self.min.inf(point);
            self.max = self.max.sup(point);
        }
    }

    /// Widens it to hold another.
    pub fn unite(&mut self, other: &Self) {
        self.min = self.min.inf(&other.min);
        self.max = self.max.sup(&other.max);
    }

    /// Its size along the axes, m; zero if it holds nothing.
    pub fn size(&self) -> Vector3<f64> {
        if self.is_empty() { Vector3::zeros() } else { self.max - self.min }
    }
}
