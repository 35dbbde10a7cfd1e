//! The rows of all closed contacts at one instant: w = G λ + b.

use nalgebra::DMatrix;

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

/// G, b and the contacts they belong to. Memory is sized once for all sites of a model; only the
/// leading `rows` of G are in use.
#[derive(Debug, Clone)]
pub struct ContactSystem {
    /// G = J M⁻¹ Jᵀ in the leading rows and columns.
    pub G: DMatrix<f64>,
    /// Accelerations of the rows without contact forces.
    pub b: Vec<f64>,
    /// Contacts in row order.
    pub contacts: Vec<ContactRows>,
}

impl ContactSystem {
    /// Room for so many rows.
    pub fn with_capacity(rows: usize) -> Self {
        Self {
            G: DMatrix::zeros(rows, rows),
            b: Vec::with_capacity(rows),
            contacts: Vec::with_capacity(rows),
        }
    }

    /// Number of rows in use.
    pub fn rows(&self) -> usize {
        self.b.len()
    }

    /// Forget all rows.
    pub fn clear(&mut self) {
        self.b.clear();
        self.contacts.clear();
    }

    /// Append a contact after the last one; its rows of `b` are zero until set.
    pub fn push(&mut self, tangents: usize, friction: f64, static_friction: f64, bilateral: bool) {
        let first = self.b.len();
        self.contacts.push(ContactRows { first, tangents, friction, static_friction, bilateral });
        self.b.resize(first + tangents + 1, 0.0);
    }

    /// Size of accelerations: the largest free one.
    pub fn acceleration_scale(&self) -> f64 {
        self.b.iter().fold(0.0, |s, b| s.max(b.abs()))
    }
}
