//! Row and column scaling, so that pivots are compared as pure numbers.
//!
//! M is replaced by R M C with positive diagonals R and C (Ruiz: divide rows and columns by the
//! square roots of their largest entries until all are near one) and q by R q/γ with γ = max|R q|.
//! Signs and complementarity are untouched: w = γ R⁻¹ w′, z = γ C z′.

use super::Problem;

/// The scales R, C and γ of one problem.
#[derive(Debug, Clone, Default)]
pub(super) struct Scaling {
    pub rows: Vec<f64>,
    pub columns: Vec<f64>,
    pub constant: f64,
}

impl Scaling {
    const SWEEPS: usize = 4;

    pub fn with_capacity(size: usize) -> Self {
        let (rows, columns) = (Vec::with_capacity(size), Vec::with_capacity(size));
        Self { rows, columns, constant: 1.0 }
    }

    /// Finds the scales of a problem.
    pub fn fit(&mut self, problem: &Problem) {
        let n = problem.size();
        self.rows.clear();
        self.rows.resize(n, 1.0);
        self.columns.clear();
        self.columns.resize(n, 1.0);
        for _ in 0..Self::SWEEPS {
            for i in 0..n {
                let largest = fold((0..n).map(|j| self.coefficient(problem, i, j)));
                self.rows[i] /= root(largest);
            }
            for j in 0..n {
                let largest = fold((0..n).map(|i| self.coefficient(problem, i, j)));
                self.columns[j] /= root(largest);
            }
        }
        let largest = fold((0..n).map(|i| self.rows[i] * problem.constant(i)));
        self.constant = if largest > 0.0 { largest } else { 1.0 };
    }

    /// Entry of R M C.
    pub fn coefficient(&self, problem: &Problem, i: usize, j: usize) -> f64 {
        self.rows[i] * problem.coefficient(i, j) * self.columns[j]
    }

    /// Entry of R q/γ.
    pub fn constant(&self, problem: &Problem, i: usize) -> f64 {
        self.rows[i] * problem.constant(i) / self.constant
    }
}

fn fold(values: impl Iterator<Item = f64>) -> f64 {
    values.map(f64::abs).fold(0.0, f64::max)
}

fn root(largest: f64) -> f64 {
    if largest > 0.0 { largest.sqrt() } else { 1.0 }
}
