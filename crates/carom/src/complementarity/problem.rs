//! The mixed linear complementarity problem, its solution and its certificate.
//!
//! # Law
//! ```text
//! w = M z + q                                   (1)
//! complementary row:  0 ≤ wᵢ ⟂ zᵢ ≥ 0           (2)
//! free row:           wᵢ = 0, zᵢ of any sign    (3)
//! ```
//!
//! # The certificate
//! A residual is only meaningful beside a scale. With
//! ```text
//! ωᵢ = |qᵢ| + Σⱼ |Mᵢⱼ zⱼ|            size of the terms of row i             (4)
//! ζⱼ = minₖ ωₖ / |Mₖⱼ|               a change of zⱼ that matters somewhere   (5)
//! ```
//! the certificate holds the largest of −zⱼ/ζⱼ, −wᵢ/ωᵢ, min(|zᵢ|/ζᵢ, |wᵢ|/ωᵢ) and, on free
//! rows, |wᵢ|/ωᵢ. All four are pure numbers that do not change when a row of (1) or an
//! unknown is expressed in other units. w is always recomputed from z by (1), so (1) itself
//! holds by construction.
//!
//! # Tests
//! Beside the code: `eq4_eq5_certificate_ignores_units`, `certificate_sees_each_fault`.

use super::ComplementarityError;
use nalgebra::{DMatrix, DVector};

/// What a row of the problem demands.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Row {
    /// `0 ≤ w ⟂ z ≥ 0`.
    Complementary,
    /// `w = 0`, z of any sign.
    Free,
}

/// `w = M z + q` with one [`Row`] condition per row. Storage is kept by [`Problem::reset`].
#[derive(Debug, Clone, Default)]
pub struct Problem {
    size: usize,
    matrix: Vec<f64>,
    constant: Vec<f64>,
    rows: Vec<Row>,
}

impl Problem {
    /// An empty problem whose storage holds `size` rows without growing.
    pub fn with_capacity(size: usize) -> Self {
        Self {
            size: 0,
            matrix: Vec::with_capacity(size * size),
            constant: Vec::with_capacity(size),
            rows: Vec::with_capacity(size),
        }
    }

    /// A problem with complementary rows only.
    pub fn new(M: &DMatrix<f64>, q: &DVector<f64>) -> Result<Self, ComplementarityError> {
        let n = q.len();
        if M.nrows() != n || M.ncols() != n {
            return Err(ComplementarityError::Shape {
                rows: M.nrows(),
                columns: M.ncols(),
                constants: n,
            });
        }
        let mut problem = Self::with_capacity(n);
        problem.reset(n);
        for i in 0..n {
            problem.set_constant(i, q[i]);
            for j in 0..n {
                problem.set(i, j, M[(i, j)]);
            }
        }
        Ok(problem)
    }

    /// Makes this a problem of `size` complementary rows with M = 0 and q = 0.
    pub fn reset(&mut self, size: usize) {
        self.size = size;
        self.matrix.clear();
        self.matrix.resize(size * size, 0.0);
        self.constant.clear();
        self.constant.resize(size, 0.0);
        self.rows.clear();
        self.rows.resize(size, Row::Complementary);
    }

    /// Number of rows.
    pub fn size(&self) -> usize {
        self.size
    }

    /// M\[i, j\].
    pub fn coefficient(&self, i: usize, j: usize) -> f64 {
        self.matrix[i * self.size + j]
    }

    /// q\[i\].
    pub fn constant(&self, i: usize) -> f64 {
        self.constant[i]
    }

    /// Condition of row i.
    pub fn row(&self, i: usize) -> Row {
        self.rows[i]
    }

    /// Sets M\[i, j\].
    pub fn set(&mut self, i: usize, j: usize, value: f64) {
        self.matrix[i * self.size + j] = value;
    }

    /// Sets q\[i\].
    pub fn set_constant(&mut self, i: usize, value: f64) {
        self.constant[i] = value;
    }

    /// Sets the condition of row i.
    pub fn set_row(&mut self, i: usize, row: Row) {
        self.rows[i] = row;
    }

    /// Row i of M.
    pub(super) fn coefficients(&self, i: usize) -> &[f64] {
        &self.matrix[i * self.size..(i + 1) * self.size]
    }

    /// Refuses entries that are not finite.
    pub fn validate(&self) -> Result<(), ComplementarityError> {
        for i in 0..self.size {
            let entries = self.coefficients(i).iter().chain([&self.constant[i]]);
            for (j, &value) in entries.enumerate() {
                if !value.is_finite() {
                    return Err(ComplementarityError::NotFinite { row: i, column: j, value });
                }
            }
        }
        Ok(())
    }

    /// Recomputes w from z by (1) and judges the pair by (2) to (5).
    pub fn certify(&self, solution: &mut Solution) {
        let n = self.size;
        debug_assert_eq!(solution.z.len(), n);
        solution.w.clear();
        solution.scale.clear();
        for i in 0..n {
            let (mut w, mut size) = (self.constant[i], self.constant[i].abs());
            for (m, z) in self.coefficients(i).iter().zip(&solution.z) {
                w += m * z;
                size += (m * z).abs();
            }
            solution.w.push(w);
            solution.scale.push(size);
        }
        let mut certificate = Certificate::default();
        for i in 0..n {
            let w = relative(solution.w[i], solution.scale[i]);
            let z = relative(solution.z[i], self.unknown_scale(i, &solution.scale));
            certificate.include(self.rows[i], z, w);
        }
        solution.certificate = certificate;
    }

    /// ζⱼ of (5); zero where the unknown enters no row, so that any value counts as one.
    fn unknown_scale(&self, j: usize, scale: &[f64]) -> f64 {
        let smallest = (0..self.size)
            .filter(|&k| self.coefficient(k, j) != 0.0)
            .map(|k| scale[k] / self.coefficient(k, j).abs())
            .fold(f64::INFINITY, f64::min);
        if smallest.is_finite() { smallest } else { 0.0 }
    }
}

/// value/scale, and ±1 for a value without a scale.
fn relative(value: f64, scale: f64) -> f64 {
    if value == 0.0 {
        0.0
    } else if scale > 0.0 {
        value / scale
    } else {
        value.signum()
    }
}

/// How far a pair (z, w) is from satisfying its conditions, as pure numbers; see [`Problem`].
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct Certificate {
    /// largest −zⱼ/ζⱼ over complementary rows
    pub negative_z: f64,
    /// largest −wᵢ/ωᵢ over complementary rows
    pub negative_w: f64,
    /// largest min(|zᵢ|/ζᵢ, |wᵢ|/ωᵢ) over complementary rows
    pub complementarity: f64,
    /// largest |wᵢ|/ωᵢ over free rows
    pub bilateral: f64,
}

impl Certificate {
    /// The largest of all residuals. NaN anywhere gives infinity.
    pub fn worst(&self) -> f64 {
        let parts = [self.negative_z, self.negative_w, self.complementarity, self.bilateral];
        if parts.iter().any(|part| part.is_nan()) {
            return f64::INFINITY;
        }
        parts.into_iter().fold(0.0, f64::max)
    }

    fn include(&mut self, row: Row, z: f64, w: f64) {
        if z.is_nan() || w.is_nan() {
            self.bilateral = f64::NAN;
            return;
        }
        match row {
            Row::Free => self.bilateral = self.bilateral.max(w.abs()),
            Row::Complementary => {
                self.negative_z = self.negative_z.max(-z);
                self.negative_w = self.negative_w.max(-w);
                self.complementarity = self.complementarity.max(z.abs().min(w.abs()));
            }
        }
    }
}

/// A pair (z, w) with its certificate. Buffers are reused from solve to solve.
#[derive(Debug, Clone, Default)]
pub struct Solution {
    /// the unknowns z
    pub z: Vec<f64>,
    /// w = M z + q
    pub w: Vec<f64>,
    /// ωᵢ, the size of the terms of each row
    pub scale: Vec<f64>,
    /// pivots used to find it
    pub pivots: usize,
    /// residuals of the conditions
    pub certificate: Certificate,
}

impl Solution {
    /// A solution whose storage holds `size` rows without growing.
    pub fn with_capacity(size: usize) -> Self {
        Self {
            z: Vec::with_capacity(size),
            w: Vec::with_capacity(size),
            scale: Vec::with_capacity(size),
            ..Self::default()
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn example() -> Problem {
        let M = DMatrix::from_row_slice(2, 2, &[2.0, 1.0, 1.0, 2.0]);
        Problem::new(&M, &DVector::from_row_slice(&[-5.0, -6.0])).unwrap()
    }

    fn judge(problem: &Problem, z: &[f64]) -> Certificate {
        let mut solution = Solution { z: z.to_vec(), ..Solution::default() };
        problem.certify(&mut solution);
        solution.certificate
    }

    #[test]
    fn certificate_sees_each_fault() {
        let mut problem = example();
        let exact = [4.0 / 3.0, 7.0 / 3.0];
        assert!(judge(&problem, &exact).worst() < 1e-15);
        assert!(judge(&problem, &[-1.0, 3.5]).negative_z > 0.1);
        assert!(judge(&problem, &[0.0, 0.0]).negative_w > 0.9);
        assert!(judge(&problem, &[2.0, 3.0]).complementarity > 0.1);
        assert_eq!(judge(&problem, &[f64::NAN, 0.0]).worst(), f64::INFINITY);
        problem.set_row(1, Row::Free);
        assert!(judge(&problem, &[2.5, 0.0]).bilateral > 0.1);
        problem.set_constant(1, 6.0);
        problem.set_constant(0, 10.0);
        assert!(judge(&problem, &[0.0, -3.0]).worst() < 1e-15);
    }

    #[test]
    fn eq4_eq5_certificate_ignores_units() {
        let problem = example();
        let z = [1.3, 2.1];
        let reference = judge(&problem, &z);
        let (rows, unknowns) = ([1e6, 1e-9], [1e-4, 1e7]);
        let mut scaled = problem.clone();
        for i in 0..2 {
            scaled.set_constant(i, problem.constant(i) * rows[i]);
            for j in 0..2 {
                scaled.set(i, j, rows[i] * problem.coefficient(i, j) / unknowns[j]);
            }
        }
        let other = judge(&scaled, &[z[0] * unknowns[0], z[1] * unknowns[1]]);
        assert!((other.worst() - reference.worst()).abs() < 1e-14);
        assert!((other.negative_w - reference.negative_w).abs() < 1e-14);
    }

    #[test]
    fn shape_and_values_are_checked() {
        let wrong = Problem::new(&DMatrix::zeros(2, 3), &DVector::zeros(2));
        assert!(matches!(wrong, Err(ComplementarityError::Shape { columns: 3, .. })));
        let mut problem = example();
        problem.set(1, 0, f64::NAN);
        let fault = problem.validate();
        assert!(matches!(fault, Err(ComplementarityError::NotFinite { row: 1, column: 0, .. })));
    }
}
