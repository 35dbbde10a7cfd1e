//! M = Lᵀ D L on the tree, without forming M.
//!
//! # Law
//! Eliminating the degrees of freedom from the tips leaves at each one the articulated inertia,
//! so the multipliers are
//! ```text
//! Lᵢⱼ = (Uᵢ seen from j) · Sⱼ / Dᵢ   for ancestors j of i,   Lᵢᵢ = 1          (1)
//! M = Lᵀ D L                                                                  (2)
//! ```
//! L has the sparsity of the tree. (1) costs O(n · depth), where elimination on M itself costs
//! O(n · depth²).
//!
//! # Source
//! Featherstone's LTDL order of elimination; the multipliers are the innovations of Rodriguez'
//! operator factorisation. Checked: (2) against composite bodies.
//!
//! # Tests
//! `tests/identities.rs`: `eq2_factor_of_the_mass_matrix`, `eq3_solves`.

use super::mass_matrix::climb;
use super::{Articulated, Kinematics};
use crate::model::Model;
use crate::model::tree::WORLD;
use nalgebra::DMatrix;

/// The factors L and D of M, and the tree that says which entries of L exist.
#[derive(Debug, Clone)]
pub struct Factor {
    /// Strictly lower triangle: the multipliers, row i over the ancestors of i, stored as columns
    /// of the transpose so that a row is contiguous.
    Lt: DMatrix<f64>,
    D_inv: Vec<f64>,
    parent: Vec<usize>,
}

impl Factor {
    /// Room for a model.
    pub fn new(model: &Model) -> Self {
        let n = model.nv();
        let parent = model.tree().nodes.iter().map(|node| node.parent).collect();
        Self { Lt: DMatrix::zeros(n, n), D_inv: vec![0.0; n], parent }
    }

    /// The multiplier Lᵢⱼ.
    pub fn multiplier(&self, i: usize, j: usize) -> f64 {
        if i == j { 1.0 } else { self.Lt[(j, i)] }
    }

    /// The pivot Dᵢ.
    pub fn pivot(&self, i: usize) -> f64 {
        1.0 / self.D_inv[i]
    }

    /// In place b ← M⁻¹ b.
    pub fn solve(&self, b: &mut [f64]) {
        self.solve_transposed_lower(b);
        for (x, d) in b.iter_mut().zip(&self.D_inv) {
            *x *= d;
        }
        for i in 0..b.len() {
            let row = self.Lt.column(i);
            let mut j = self.parent[i];
            while j != WORLD {
                b[i] -= row[j] * b[j];
                j = self.parent[j];
            }
        }
    }

    /// In place b ← L⁻ᵀ b, the first half of a solve.
    pub fn solve_transposed_lower(&self, b: &mut [f64]) {
        for i in (0..b.len()).rev() {
            let row = self.Lt.column(i);
            let mut j = self.parent[i];
            while j != WORLD {
                b[j] -= row[j] * b[i];
                j = self.parent[j];
            }
        }
    }
}

/// Fill `factor` from the articulated inertias, equation (1).
pub fn factorise(model: &Model, kin: &Kinematics, art: &Articulated, factor: &mut Factor) {
    for i in 0..model.nv() {
        let D_inv = art.D_inv[i];
        let mut row = factor.Lt.column_mut(i);
        climb(model, kin, i, art.U[i], |j, along| row[j] = along * D_inv);
        factor.D_inv[i] = D_inv;
    }
}
