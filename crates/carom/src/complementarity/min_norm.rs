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

/// Factorisation buffers, column-major; sized by the largest system seen, reused afterwards.
#[derive(Debug, Clone, Default)]
pub struct MinNorm {
    rows: usize,
    columns: usize,
    a: Vec<f64>,
    x: Vec<f64>,
    rhs: Vec<f64>,
    column_of: Vec<usize>,
    reflector: Vec<f64>,
    /// Squares of the remainders of the columns.
    squares: Vec<f64>,
    /// Vectors of the reflections of (1), column by column, and their squares.
    vectors: Vec<f64>,
    lengths: Vec<f64>,
    rank: usize,
}

impl MinNorm {
    /// Relative size below which a pivot counts as zero, unless told otherwise.
    pub const RANK_TOLERANCE: f64 = crate::numeric::thresholds::complementarity::RANK_TOLERANCE;

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
        self.a[j * self.rows + i] = value;
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

    /// x for another b of the system that was solved last, if its rank is that of its columns.
    pub fn solve_again(&mut self, rhs: impl Iterator<Item = f64>) -> Option<&[f64]> {
        if self.rank < self.columns {
            return None;
        }
        self.rhs.clear();
        self.rhs.extend(rhs);
        self.rhs.resize(self.rows, 0.0);
        for (k, length) in self.lengths.iter().enumerate() {
            let v = &self.vectors[k * self.rows + k..(k + 1) * self.rows];
            let other = &mut self.rhs[k..];
            let sum: f64 = v.iter().zip(&*other).map(|(v, b)| v * b).sum();
            let factor = 2.0 * sum / length;
            other.iter_mut().zip(v).for_each(|(b, v)| *b -= factor * v);
        }
        self.reflector.fill(0.0);
        self.back_substitute();
        Some(&self.x)
    }

    /// ‖A x − b‖ of the last solve: the part of Qᵀb below the rank.
    pub fn residual(&self) -> f64 {
        self.rhs[self.rank..].iter().map(|r| r * r).sum::<f64>().sqrt()
    }

    fn at(&self, i: usize, j: usize) -> f64 {
        self.a[j * self.rows + i]
    }

    /// Householder QR with column pivoting; Qᵀ is applied to b on the way.
    fn triangularise(&mut self, tolerance: f64) {
        let steps = self.rows.min(self.columns);
        let mut largest = 0.0;
        self.vectors.clear();
        self.lengths.clear();
        for k in 0..steps {
            // Where the rank must be decided, remainders are computed anew, otherwise downdated.
            if k == 0 || tolerance > 0.0 {
                self.squares.clear();
                self.squares.resize(k, 0.0);
                let left = self.a[k * self.rows..].chunks_exact(self.rows);
                self.squares.extend(left.map(|column| dot(&column[k..], &column[k..])));
            }
            let pivot = (k..self.columns)
                .fold(k, |best, j| if self.squares[j] > self.squares[best] { j } else { best });
            self.swap_columns(k, pivot);
            let column = &self.a[k * self.rows + k..(k + 1) * self.rows];
            let norm = dot(column, column).sqrt();
            if k == 0 {
                largest = norm;
            }
            if norm <= tolerance * largest || norm == 0.0 {
                break;
            }
            self.reflect_column(k, norm);
            for j in k + 1..self.columns {
                self.squares[j] -= self.at(k, j).powi(2);
            }
            self.rank = k + 1;
        }
    }

    fn swap_columns(&mut self, k: usize, pivot: usize) {
        if k == pivot {
            return;
        }
        let (left, right) = self.a.split_at_mut(pivot * self.rows);
        let from = k * self.rows;
        left[from..from + self.rows].swap_with_slice(&mut right[..self.rows]);
        self.column_of.swap(k, pivot);
        self.squares.swap(k, pivot);
    }

    /// Zeroes column k below the diagonal.
    fn reflect_column(&mut self, k: usize, norm: f64) {
        let (left, right) = self.a.split_at_mut((k + 1) * self.rows);
        let column = &mut left[k * self.rows..];
        let head = column[k];
        let alpha = if head > 0.0 { -norm } else { norm };
        // v = a_k − α e_k, kept in column k while it is applied to the others
        column[k] = head - alpha;
        let end = column.iter().rposition(|a| *a != 0.0).map_or(k, |last| last + 1);
        let v = &column[k..end];
        let square = dot(v, v);
        let rest = right.chunks_exact_mut(self.rows).map(|other| &mut other[k..end]);
        for other in rest.chain(std::iter::once(&mut self.rhs[k..end])) {
            let factor = 2.0 * dot(v, other) / square;
            other.iter_mut().zip(v).for_each(|(a, v)| *a -= factor * v);
        }
        self.vectors.extend_from_slice(column);
        self.lengths.push(square);
        column[k..end].fill(0.0);
        column[k] = alpha;
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
                self.a[k * self.rows + i] -= factor * v_head;
                for j in r..n {
                    self.a[j * self.rows + i] -= factor * self.a[j * self.rows + k];
                }
            }
            self.a[k * self.rows + k] = alpha;
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
            let dot = v_head * y[k] + (r..n).map(|j| self.at(k, j) * y[j]).sum::<f64>();
            let factor = 2.0 * dot / (v_head * v_head + tail);
            y[k] -= factor * v_head;
            for j in r..n {
                y[j] -= factor * self.at(k, j);
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

/// Lanes as whole arrays, which the compiler keeps in registers: indexed one by one it shuffles them, at twice the time.
fn dot(a: &[f64], b: &[f64]) -> f64 {
    const LANES: usize = 8;
    let ((a, a_rest), (b, b_rest)) = (a.as_chunks::<LANES>(), b.as_chunks::<LANES>());
    let sums = a.iter().zip(b).fold([0.0; LANES], |sums: [f64; LANES], (a, b)| {
        std::array::from_fn(|i| sums[i] + a[i] * b[i])
    });
    let rest: f64 = a_rest.iter().zip(b_rest).map(|(a, b)| a * b).sum();
    sums.iter().sum::<f64>() + rest
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
    fn factors_serve_again() {
        let mut seed = 9;
        for (m, n) in [(4, 4), (8, 4), (9, 3)] {
            let (A, b) = (random(m, n, &mut seed), random(m, 2, &mut seed));
            let first = solve(&A, &b.column(0).into_owned()).0;
            let mut system = MinNorm::default();
            system.reset(m, n);
            (0..m).for_each(|i| (0..n).for_each(|j| system.set(i, j, A[(i, j)])));
            (0..m).for_each(|i| system.set_rhs(i, b[(i, 1)]));
            system.solve(0.0);
            let again = system.solve_again(b.column(0).iter().copied()).unwrap();
            assert!(first.iter().zip(again).all(|(a, b)| (a - b).abs() < 1e-13));
        }
        let mut flat = MinNorm::default();
        flat.reset(2, 2);
        flat.set(0, 0, 1.0);
        flat.solve(0.0);
        assert_eq!(flat.solve_again([1.0, 2.0].into_iter()), None);
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
