//! The program and its solution.

use super::certificate::{Certificate, Multipliers};
use nalgebra::{DMatrix, DVector};

/// Rows A x ≤ b or E x = f.
#[derive(Debug, Clone, PartialEq)]
pub struct LinearRows {
    /// One row of coefficients each.
    pub matrix: DMatrix<f64>,
    /// Right-hand sides.
    pub bound: DVector<f64>,
}

impl LinearRows {
    /// No rows over `variables` variables.
    pub fn none(variables: usize) -> Self {
        Self { matrix: DMatrix::zeros(0, variables), bound: DVector::zeros(0) }
    }

    /// How many rows.
    pub fn len(&self) -> usize {
        self.bound.len()
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.bound.is_empty()
    }
}

/// A friction cone over consecutive rows of λ: tangents first, then the normal.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Cone {
    /// First row of λ.
    pub first: usize,
    /// Number of tangents, 0 to 2.
    pub tangents: usize,
    /// μ ≥ 0.
    pub friction: f64,
}

impl Cone {
    /// The row of the normal.
    pub fn normal(&self) -> usize {
        self.first + self.tangents
    }

    /// ‖λₜ‖.
    pub fn tangential(&self, lambda: &DVector<f64>) -> f64 {
        lambda.rows(self.first, self.tangents).norm()
    }

    /// By how much λ leaves the cone, ≤ 0 inside.
    pub fn excess(&self, lambda: &DVector<f64>) -> f64 {
        self.tangential(lambda) - self.friction * lambda[self.normal()]
    }
}

/// Equation (1) of the folder.
#[derive(Debug, Clone, PartialEq)]
pub struct ConicProgram {
    /// c.
    pub objective: DVector<f64>,
    /// l.
    pub lower: DVector<f64>,
    /// u.
    pub upper: DVector<f64>,
    /// E, f.
    pub equalities: LinearRows,
    /// A, b.
    pub inequalities: LinearRows,
    /// F.
    pub force_matrix: DMatrix<f64>,
    /// g.
    pub force_offset: DVector<f64>,
    /// The cones; rows of λ outside of all cones are free.
    pub cones: Vec<Cone>,
}

impl ConicProgram {
    /// How many variables.
    pub fn variables(&self) -> usize {
        self.objective.len()
    }

    /// λ = F x + g.
    pub fn forces(&self, x: &DVector<f64>) -> DVector<f64> {
        &self.force_matrix * x + &self.force_offset
    }
}

/// The best x and the proof that it is.
#[derive(Debug, Clone, PartialEq)]
pub struct ConicSolution {
    /// x.
    pub x: DVector<f64>,
    /// c·x.
    pub value: f64,
    /// Multipliers of all constraints.
    pub multipliers: Multipliers,
    /// What was verified.
    pub certificate: Certificate,
    /// Pivots of the simplex method.
    pub pivots: usize,
    /// Half-spaces that joined, equation (3).
    pub cuts: usize,
}
