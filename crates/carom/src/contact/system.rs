//! The rows of all closed contacts at one instant: w = G λ + b.

use nalgebra::{DMatrix, DVector};

/// One contact, or one bilateral row.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct ContactRows {
    /// First row; tangents come before the normal.
    pub first: usize,
    /// Number of tangents, 0 to 2.
    pub tangents: usize,
    /// μd.
    pub friction: f64,
    /// μs.
    pub static_friction: f64,
    /// Whether the row is bilateral: always held, force of either sign.
    pub bilateral: bool,
}

impl ContactRows {
    /// Row of the normal.
    pub fn normal(&self) -> usize {
        self.first + self.tangents
    }
}

/// G, b and the contacts they belong to; buffers keep their capacity.
#[derive(Debug, Clone)]
pub struct ContactSystem {
    /// G = J M⁻¹ Jᵀ.
    pub G: DMatrix<f64>,
    /// Accelerations of the rows without contact forces.
    pub b: DVector<f64>,
    /// Contacts in row order.
    pub contacts: Vec<ContactRows>,
}

impl Default for ContactSystem {
    fn default() -> Self {
        Self { G: DMatrix::zeros(0, 0), b: DVector::zeros(0), contacts: Vec::new() }
    }
}

impl ContactSystem {
    /// Number of rows.
    pub fn rows(&self) -> usize {
        self.b.len()
    }

    /// Size of accelerations: the largest free one.
    pub fn acceleration_scale(&self) -> f64 {
        self.b.amax()
    }
}
