//! Minimum-norm least squares by a complete orthogonal decomposition.
//!
//! # Law
//! ```text
//! A Π = Q [R₁₁ R₁₂; 0 R₂₂],  |R₂₂| ≤ τ |R₁₁|       column-pivoted Householder   (1)
//! [R₁₁ R₁₂] = [T 0] Z                              Householder from the right   (2)
//! x = Π Zᵀ [T⁻¹ (Qᵀb)₁; 0]                                                      (3)
//! ```
//! x has the smallest Euclidean norm among all minimisers of ‖A x − b‖ (with R₂₂ dropped).
//!
//! # Tests
//! Beside the code: regular, redundant, inconsistent and zero systems against the normal
//! equations and the pseudo-inverse of a product of full-rank factors.

/// Factorisation buffers; sized by the largest system seen, reused afterwards.
#[derive(Debug, Clone, Default)]
pub struct MinNorm {
    rows: usize,
    columns: usize,
    a: Vec<f64>,
    x: Vec<f64>,
    rhs: Vec<f64>,
    column_of: Vec<usize>,
    reflector: Vec<f64>,
    rank: usize,
}

impl MinNorm {
    /// Relative size below which a pivot counts as zero, unless told otherwise.
    pub const RANK_TOLERANCE: f64 = 1e-12;

    /// Buffers for systems of up to `size` rows and columns.
    pub fn with_capacity(size: usize) -> Self {
        Self {
            a: Vec::with_capacity(size * size),
            x: Vec::with_capacity(size),
            rhs: Vec::with_capacity(size),
            column_of: Vec::with_capacity(size),
            reflector: Vec::with_capacity(size),
            ..Self::default()
        }
    }

    /// Starts a system of the given shape with A = 0 and b = 0.
    pub fn reset(&mut self, rows: usize, columns: usize) {
        (self.rows, self.columns, self.rank) = (rows, columns, 0);
        self.a.clear();
        self.a.resize(rows * columns, 0.0);
        self.rhs.clear();
        self.rhs.resize(rows, 0.0);
        self.x.clear();
        self.x.resize(columns, 0.0);
        self.reflector.clear();
        self.reflector.resize(columns, 0.0);
        self.column_of.clear();
        self.column_of.extend(0..columns);
    }

    /// Sets A\[i, j\].
    pub fn set(&mut self, i: usize, j: usize, value: f64) {
        self.a[i * self.columns + j] = value;
    }

    /// Sets b\[i\].
    pub fn set_rhs(&mut self, i: usize, value: f64) {
        self.rhs[i] = value;
    }

    /// Numerical rank found by the last [`MinNorm::solve`].
    pub fn rank(&self) -> usize {
        self.rank
    }

    /// Solves (1) to (3), overwriting A and b; the slice is x. `tolerance` is τ.
    pub fn solve(&mut self, tolerance: f64) -> &[f64] {
        self.triangularise(tolerance);
        self.annihilate_right();
        self.back_substitute();
        &self.x
    }

    /// ‖A x − b‖ of the last solve: the part of Qᵀb below the rank.
    pub fn residual(&self) -> f64 {
        self.rhs[self.rank..].iter().map(|r| r * r).sum::<f64>().sqrt()
    }

    fn at(&self, i: usize, j: usize) -> f64 {
        self.a[i * self.columns + j]
    }

    /// Householder QR with column pivoting; Qᵀ is applied to b on the way.
    fn triangularise(&mut self, tolerance: f64) {
        let steps = self.rows.min(self.columns);
        let mut largest = 0.0;
        for k in 0..steps {
            let (pivot, norm) = self.largest_column(k);
            if k == 0 {
                largest = norm;
            }
            if norm <= tolerance * largest || norm == 0.0 {
                break;
            }
            self.swap_columns(k, pivot);
            self.reflect_column(k, norm);
            self.rank = k + 1;
        }
    }

    /// Column with the largest remainder below row k; norms are recomputed, not downdated,
    /// because the systems are small and the rank decision must be sharp.
    fn largest_column(&self, k: usize) -> (usize, f64) {
        let mut best = (k, -1.0);
        for j in k..self.columns {
            let norm = (k..self.rows).map(|i| self.at(i, j).powi(2)).sum::<f64>().sqrt();
            if norm > best.1 {
                best = (j, norm);
            }
        }
        (best.0, best.1.max(0.0))
    }

    fn swap_columns(&mut self, k: usize, pivot: usize) {
        if k == pivot {
            return;
        }
        for i in 0..self.rows {
            self.a.swap(i * self.columns + k, i * self.columns + pivot);
        }
        self.column_of.swap(k, pivot);
    }

    /// Zeroes column k below the diagonal.
    fn reflect_column(&mut self, k: usize, norm: f64) {
        let n = self.columns;
        let head = self.at(k, k);
        let alpha = if head > 0.0 { -norm } else { norm };
        // v = a_k − α e_k, kept in column k while it is applied to the others
        self.a[k * n + k] = head - alpha;
        let square = (k..self.rows).map(|i| self.at(i, k).powi(2)).sum::<f64>();
        for j in k + 1..n {
            let dot: f64 = (k..self.rows).map(|i| self.at(i, k) * self.at(i, j)).sum();
            let factor = 2.0 * dot / square;
            for i in k..self.rows {
                self.a[i * n + j] -= factor * self.a[i * n + k];
            }
        }
        let dot: f64 = (k..self.rows).map(|i| self.at(i, k) * self.rhs[i]).sum();
        for i in k..self.rows {
            self.rhs[i] -= 2.0 * dot / square * self.a[i * n + k];
        }
        self.a[k * n + k] = alpha;
        for i in k + 1..self.rows {
            self.a[i * n + k] = 0.0;
        }
    }

    /// Reflects rows from the last to the first so that [R₁₁ R₁₂] becomes [T 0]. The vector of
    /// each reflection stays in R₁₂ and `reflector`.
    fn annihilate_right(&mut self) {
        let (n, r) = (self.columns, self.rank);
        if r == n {
            return;
        }
        for k in (0..r).rev() {
            let tail: f64 = (r..n).map(|j| self.at(k, j).powi(2)).sum();
            if tail == 0.0 {
                self.reflector[k] = 0.0;
                continue;
            }
            let head = self.at(k, k);
            let norm = (head * head + tail).sqrt();
            let alpha = if head > 0.0 { -norm } else { norm };
            let v_head = head - alpha;
            let square = v_head * v_head + tail;
            for i in 0..k {
                let mut dot = self.at(i, k) * v_head;
                for j in r..n {
                    dot += self.at(i, j) * self.at(k, j);
                }
                let factor = 2.0 * dot / square;
                self.a[i * n + k] -= factor * v_head;
                for j in r..n {
                    self.a[i * n + j] -= factor * self.a[k * n + j];
                }
            }
            self.a[k * n + k] = alpha;
            self.reflector[k] = v_head;
        }
    }

    /// y = T⁻¹ (Qᵀb)₁, then x = Π Zᵀ [y; 0].
    fn back_substitute(&mut self) {
        let (n, r) = (self.columns, self.rank);
        let mut y = std::mem::take(&mut self.x);
        y.fill(0.0);
        for k in (0..r).rev() {
            let known: f64 = (k + 1..r).map(|j| self.at(k, j) * y[j]).sum();
            y[k] = (self.rhs[k] - known) / self.at(k, k);
        }
        for k in 0..r {
            let v_head = self.reflector[k];
            if v_head == 0.0 {
                continue;
            }
            let tail: f64 = (r..n).map(|j| self.at(k, j).powi(2)).sum();
            let row = &self.a[k * n + r..(k + 1) * n];
            let dot = v_head * y[k] + row.iter().zip(&y[r..]).map(|(a, y)| a * y).sum::<f64>();
            let factor = 2.0 * dot / (v_head * v_head + tail);
            y[k] -= factor * v_head;
            for (y, a) in y[r..].iter_mut().zip(row) {
                *y -= factor * a;
            }
        }
        // undo the column exchanges in place: reflector is free to hold a copy now
        self.reflector.copy_from_slice(&y);
        for k in 0..n {
            y[self.column_of[k]] = self.reflector[k];
        }
        self.x = y;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use nalgebra::{DMatrix, DVector};

    /// x² mod p noise in (−1, 1), so that the tests need no generator crate.
    fn noise(seed: &mut u64) -> f64 {
        *seed = seed.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        ((*seed >> 11) as f64 / (1u64 << 53) as f64) * 2.0 - 1.0
    }

    fn random(rows: usize, columns: usize, seed: &mut u64) -> DMatrix<f64> {
        DMatrix::from_fn(rows, columns, |_, _| noise(seed))
    }

    fn solve(A: &DMatrix<f64>, b: &DVector<f64>) -> (DVector<f64>, usize, f64) {
        let mut system = MinNorm::with_capacity(4);
        system.reset(A.nrows(), A.ncols());
        for i in 0..A.nrows() {
            system.set_rhs(i, b[i]);
            for j in 0..A.ncols() {
                system.set(i, j, A[(i, j)]);
            }
        }
        let x = DVector::from_row_slice(system.solve(MinNorm::RANK_TOLERANCE));
        (x, system.rank(), system.residual())
    }

    #[test]
    fn eq3_agrees_with_the_pseudo_inverse_of_a_full_rank_product() {
        let mut seed = 7;
        for (m, n, r) in [(4, 4, 4), (6, 3, 3), (3, 6, 3), (6, 6, 4), (7, 5, 2), (5, 8, 3)] {
            for _ in 0..20 {
                let (L, R) = (random(m, r, &mut seed), random(r, n, &mut seed));
                let A = &L * &R;
                let b = random(m, 1, &mut seed).column(0).into_owned();
                let (x, rank, residual) = solve(&A, &b);
                // (L R)⁺ = Rᵀ (R Rᵀ)⁻¹ (Lᵀ L)⁻¹ Lᵀ when both factors have full rank
                let inner = (L.transpose() * &L).lu().solve(&(L.transpose() * &b)).unwrap();
                let outer = (&R * R.transpose()).lu().solve(&inner).unwrap();
                let reference = R.transpose() * outer;
                assert_eq!(rank, r);
                assert!((&x - &reference).norm() < 1e-9 * (1.0 + reference.norm()));
                assert!((residual - (&A * &x - &b).norm()).abs() < 1e-11);
            }
        }
    }

    #[test]
    fn zero_matrix_gives_zero() {
        let (x, rank, residual) = solve(&DMatrix::zeros(3, 2), &DVector::from_element(3, 2.0));
        assert_eq!((x.norm(), rank), (0.0, 0));
        assert!((residual - 12f64.sqrt()).abs() < 1e-15);
    }

    #[test]
    fn duplicated_unknowns_share_alike() {
        let A = DMatrix::from_row_slice(2, 3, &[1.0, 1.0, 0.0, 0.0, 0.0, 3.0]);
        let (x, rank, _) = solve(&A, &DVector::from_row_slice(&[4.0, 6.0]));
        assert_eq!(rank, 2);
        assert!((x - DVector::from_row_slice(&[2.0, 2.0, 2.0])).norm() < 1e-14);
    }
}
