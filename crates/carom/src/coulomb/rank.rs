//! Newton's step on many contacts of few bodies, by the rank of G.
//!
//! # Law
//! Contacts of a mechanism with few degrees of freedom are many rows of few motions: G = Z Zᵀ with one column of Z for each
//! motion. Softened by σ, the step of [`newton`](super::newton) is
//! ```text
//! (A + B (σ I + Z Zᵀ)) δ = −F                                               (1)
//! ```
//! A and B being the derivatives of F by x and through w, block by block. With K = A + σ B, which has the same blocks, and
//! t = Zᵀ δ,
//! ```text
//! (I + Zᵀ K⁻¹ B Z) t = −Zᵀ K⁻¹ F,     δ = −K⁻¹ (F + B Z t)                  (2)
//! ```
//! is a system of the rank of G: the step costs m r² instead of m³. K is regular because σ > 0. What (2) loses by
//! cancellation, a fraction ε/(ρ σ) of F, the next step makes good.
//!
//! # Tests
//! Beside `newton`: `eq2_of_rank_is_the_step_of_the_whole_system`.

use super::newton::Piece;
use super::problem::Problem;
use crate::complementarity::Regular;
use crate::numeric::reshape;
use crate::numeric::thresholds::FACTOR_RANK;
use nalgebra::{DMatrix, DVector};

/// G = Z Zᵀ, and buffers of (2).
#[derive(Debug, Clone)]
pub(super) struct Rank {
    /// Zᵀ, a column for each row of G.
    Z: DMatrix<f64>,
    rank: usize,
    left: DVector<f64>,
    system: Regular,
    /// K⁻¹ B Z, and K⁻¹ F as its last column.
    steps: DMatrix<f64>,
}

impl Default for Rank {
    fn default() -> Self {
        Self {
            Z: DMatrix::zeros(0, 0),
            rank: 0,
            left: DVector::zeros(0),
            system: Regular::default(),
            steps: DMatrix::zeros(0, 0),
        }
    }
}

impl Rank {
    /// Finds Z by Cholesky's method with pivots, unless its rank is beyond `most`; whether it was found.
    pub fn find(&mut self, G: &DMatrix<f64>, most: usize) -> bool {
        let m = G.nrows();
        reshape(&mut self.Z, most, m);
        self.left = G.diagonal();
        let least = FACTOR_RANK * self.left.max();
        self.rank = 0;
        while self.left.max() > least {
            if self.rank == most {
                return false;
            }
            let (r, at) = (self.rank, self.left.imax());
            let pivot = self.left[at].sqrt();
            for i in 0..m {
                let known = (0..r).map(|k| self.Z[(k, i)] * self.Z[(k, at)]).sum::<f64>();
                self.Z[(r, i)] = (G[(i, at)] - known) / pivot;
                self.left[i] -= self.Z[(r, i)] * self.Z[(r, i)];
            }
            self.left[at] = 0.0;
            self.rank += 1;
        }
        true
    }

    /// (2) for a softness σ: δ into `step`; false if that is not possible.
    pub fn direct(
        &mut self,
        problem: &Problem,
        pieces: &[Piece],
        (f, softness): (&DVector<f64>, f64),
        step: &mut DVector<f64>,
    ) -> bool {
        let r = self.rank;
        self.system.reset(r);
        (0..r).for_each(|a| self.system.set(a, a, 1.0));
        reshape(&mut self.steps, problem.rows(), r + 1);
        for (c, piece) in problem.contacts.iter().zip(pieces) {
            for a in 0..=r {
                let right = |i: usize| {
                    if a == r {
                        return f[i];
                    }
                    let through = piece.through(c, i);
                    through.map(|(j, b)| b * self.Z[(a, j)]).sum()
                };
                let found = piece.solve(c, softness, right, |row| self.steps[(row, a)]);
                for (i, value) in c.rows().zip(found) {
                    self.steps[(i, a)] = value;
                }
            }
        }
        for a in 0..r {
            let row = self.system.row_mut(a);
            for b in 0..r {
                row[b] +=
                    (0..problem.rows()).map(|i| self.Z[(a, i)] * self.steps[(i, b)]).sum::<f64>();
            }
            let right =
                (0..problem.rows()).map(|i| self.Z[(a, i)] * self.steps[(i, r)]).sum::<f64>();
            self.system.set_rhs(a, -right);
        }
        let Some(t) = self.system.solve() else { return false };
        for i in 0..problem.rows() {
            let moved = (0..r).map(|a| self.steps[(i, a)] * t[a]).sum::<f64>();
            step[i] = -self.steps[(i, r)] - moved;
        }
        true
    }
}
