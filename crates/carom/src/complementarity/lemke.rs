//! One solution of a complementarity problem by Lemke's complementary pivoting.
//!
//! # Law
//! ```text
//! w = M z + q + d z₀,  d > 0,  z₀ ≥ 0                                  (1)
//! ```
//! Start with z₀ so large that w ≥ 0, then exchange basic variables, always bringing in the
//! complement of the one that left, until z₀ leaves. The leaving row is chosen by the
//! lexicographic rule over (constant, B⁻¹), which cannot cycle. Free rows are first solved for
//! their unknowns; those never block, since they have no bound.
//!
//! # Assumptions
//! - The problem is equilibrated first; d is the vector of ones of the equilibrated problem.
//! - For M copositive and zᵀq ≥ 0 on every z ≥ 0 with Mz ≥ 0, zᵀMz = 0, a solution is found;
//!   for M a P-matrix it is the only one. For other M a ray proves nothing.
//!
//! # Limits
//! After the last pivot the basis is refined against the unscaled problem, negative round-off is
//! cut to zero, and the result is handed out only if its certificate is below
//! [`LemkeOptions::tolerance`]. Nothing is allocated once the workspace has seen the size.
//!
//! # Source
//! The method is Lemke's (1965); the rules above were derived here and checked against
//! enumeration on random definite, semidefinite, P, copositive and degenerate problems.
//!
//! # Tests
//! Beside the code and `tests/complementarity.rs`.

use super::equilibrate::Scaling;
use super::tableau::Tableau;
use super::{ComplementarityError, Problem, Row, Solution};
use crate::numeric::thresholds::complementarity;

/// Limits of one solve.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct LemkeOptions {
    /// Largest certificate entry that is accepted; a pure number, useful 1e-14 to 1e-6.
    /// Smaller refuses round-off, larger accepts wrong active sets. Default 1e-10.
    pub tolerance: f64,
    /// Pivots allowed per row of the problem. Default 50; random problems use about two.
    pub pivots_per_row: usize,
}

impl Default for LemkeOptions {
    fn default() -> Self {
        Self { tolerance: complementarity::TOLERANCE, pivots_per_row: 50 }
    }
}

/// Lemke's method with its workspace.
#[derive(Debug, Clone, Default)]
pub struct Lemke {
    /// limits of the next solve
    pub options: LemkeOptions,
    tableau: Tableau,
    scaling: Scaling,
    z: Vec<f64>,
    w: Vec<f64>,
    defect: Vec<f64>,
}

impl Lemke {
    /// Workspace for problems of up to `size` rows.
    pub fn with_capacity(size: usize) -> Self {
        Self {
            options: LemkeOptions::default(),
            tableau: Tableau::with_capacity(size),
            scaling: Scaling::with_capacity(size),
            z: Vec::with_capacity(size),
            w: Vec::with_capacity(size),
            defect: Vec::with_capacity(size),
        }
    }

    /// Finds one certified solution.
    pub fn solve(
        &mut self,
        problem: &Problem,
        out: &mut Solution,
    ) -> Result<(), ComplementarityError> {
        problem.validate()?;
        self.load(problem);
        let mut pivots = self.pivot_free_rows(problem)?;
        pivots += self.pivot_complementary()?;
        self.read_basis();
        for _ in 0..2 {
            self.refine(problem);
        }
        // first only negative round-off is cut to zero; where that is not enough, values that are
        // all round-off (a degenerate basis) are removed whatever their sign
        self.unscale(problem, f64::NEG_INFINITY, out);
        problem.certify(out);
        if out.certificate.worst() > self.options.tolerance {
            self.unscale(problem, complementarity::DEGENERATE, out);
            problem.certify(out);
        }
        out.pivots = pivots;
        let residual = out.certificate.worst();
        if residual <= self.options.tolerance {
            Ok(())
        } else {
            Err(ComplementarityError::Unsolved { residual, tolerance: self.options.tolerance })
        }
    }

    fn load(&mut self, problem: &Problem) {
        let n = problem.size();
        self.scaling.fit(problem);
        self.tableau.reset(n);
        let (artificial, constant) = (self.tableau.artificial(), self.tableau.constant());
        for i in 0..n {
            for j in 0..n {
                *self.tableau.cell(i, n + j) = -self.scaling.coefficient(problem, i, j);
            }
            let covered = problem.row(i) == Row::Complementary;
            *self.tableau.cell(i, artificial) = if covered { -1.0 } else { 0.0 };
            *self.tableau.cell(i, constant) = self.scaling.constant(problem, i);
        }
        // the perturbation of complementary rows decides ties before that of free rows
        for kind in [Row::Complementary, Row::Free] {
            for i in (0..n).filter(|&i| problem.row(i) == kind) {
                self.tableau.ties.push(i);
            }
        }
    }

    /// Solves the free rows for the free unknowns with complete pivoting.
    fn pivot_free_rows(&mut self, problem: &Problem) -> Result<usize, ComplementarityError> {
        let n = problem.size();
        let mut pivots = 0;
        while let Some((row, column, size)) = self.largest_free_pivot(problem) {
            if size <= Tableau::PIVOT {
                break;
            }
            self.tableau.pivot(row, n + column);
            self.tableau.bounded[row] = false;
            pivots += 1;
        }
        for row in 0..n {
            if self.tableau.basis[row] < n && problem.row(self.tableau.basis[row]) == Row::Free {
                self.drop_redundant(problem, row)?;
            }
        }
        Ok(pivots)
    }

    fn largest_free_pivot(&self, problem: &Problem) -> Option<(usize, usize, f64)> {
        let n = problem.size();
        let mut best: Option<(usize, usize, f64)> = None;
        for row in (0..n).filter(|&i| problem.row(i) == Row::Free && self.tableau.basis[i] == i) {
            for column in (0..n).filter(|&j| problem.row(j) == Row::Free) {
                if self.tableau.basis.contains(&(n + column)) {
                    continue;
                }
                let size = self.tableau.at(row, n + column).abs();
                if best.is_none_or(|(_, _, largest)| size > largest) {
                    best = Some((row, column, size));
                }
            }
        }
        best
    }

    /// A free row without a pivot is harmless if it reads 0 = 0, otherwise the problem is refused.
    fn drop_redundant(
        &mut self,
        problem: &Problem,
        row: usize,
    ) -> Result<(), ComplementarityError> {
        let n = problem.size();
        let mut largest = self.tableau.at(row, self.tableau.constant()).abs();
        for j in (0..n).filter(|&j| problem.row(j) == Row::Complementary) {
            largest = largest.max(self.tableau.at(row, n + j).abs());
        }
        if largest > complementarity::HELD {
            return Err(ComplementarityError::SingularBilateral { row, pivot: largest });
        }
        self.tableau.bounded[row] = false;
        Ok(())
    }

    fn pivot_complementary(&mut self) -> Result<usize, ComplementarityError> {
        let n = self.tableau.size;
        let constant = self.tableau.constant();
        let feasible =
            (0..n).all(|i| !self.tableau.bounded[i] || self.tableau.at(i, constant) >= 0.0);
        if feasible {
            return Ok(0);
        }
        // z₀ also enters the free rows through their elimination, which is already in its column
        let Some(first) = self.tableau.most_violated() else {
            return Ok(0);
        };
        let artificial = self.tableau.artificial();
        let mut entering = self.tableau.complement(self.tableau.basis[first]);
        self.tableau.pivot(first, artificial);
        let limit = self.options.pivots_per_row * n;
        for pivots in 1..=limit {
            let Some(row) = self.tableau.leaving(entering) else {
                return Err(ComplementarityError::Ray { pivots });
            };
            let left = self.tableau.basis[row];
            self.tableau.pivot(row, entering);
            if left == artificial {
                return Ok(pivots + 1);
            }
            entering = self.tableau.complement(left);
        }
        Err(ComplementarityError::PivotLimit { limit })
    }

    fn read_basis(&mut self) {
        let n = self.tableau.size;
        for buffer in [&mut self.z, &mut self.w, &mut self.defect] {
            buffer.clear();
            buffer.resize(n, 0.0);
        }
        for row in 0..n {
            let value = self.tableau.at(row, self.tableau.constant());
            self.add_basic(row, value);
        }
    }

    fn add_basic(&mut self, row: usize, value: f64) {
        let (n, variable) = (self.tableau.size, self.tableau.basis[row]);
        if variable < n {
            self.w[variable] += value;
        } else if variable < 2 * n {
            self.z[variable - n] += value;
        }
    }

    /// One step of iterative refinement with the B⁻¹ of the tableau.
    fn refine(&mut self, problem: &Problem) {
        let n = self.tableau.size;
        for i in 0..n {
            let product: f64 =
                (0..n).map(|j| self.scaling.coefficient(problem, i, j) * self.z[j]).sum();
            self.defect[i] = self.w[i] - product - self.scaling.constant(problem, i);
        }
        for row in 0..n {
            let correction: f64 = (0..n).map(|i| self.tableau.at(row, i) * self.defect[i]).sum();
            self.add_basic(row, -correction);
        }
    }

    /// z = γ C z′ with negative round-off removed on complementary rows, and everything below
    /// `noise` times the largest z′.
    fn unscale(&self, problem: &Problem, noise: f64, out: &mut Solution) {
        let largest = self.z.iter().map(|z| z.abs()).fold(0.0, f64::max);
        out.z.clear();
        for (j, &z) in self.z.iter().enumerate() {
            let negative = problem.row(j) == Row::Complementary
                && z < 0.0
                && z > -complementarity::NEGATIVE * largest;
            let scale = self.scaling.constant * self.scaling.columns[j];
            let zero = negative || z.abs() < noise * largest;
            out.z.push(if zero { 0.0 } else { z * scale });
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use nalgebra::{DMatrix, DVector};

    fn lemke(M: &[f64], q: &[f64]) -> Result<Solution, ComplementarityError> {
        let n = q.len();
        let problem =
            Problem::new(&DMatrix::from_row_slice(n, n, M), &DVector::from_row_slice(q)).unwrap();
        let mut out = Solution::default();
        Lemke::with_capacity(n).solve(&problem, &mut out).map(|()| out)
    }

    #[test]
    fn eq1_small_problem_by_hand() {
        let out = lemke(&[2.0, 1.0, 1.0, 2.0], &[-5.0, -6.0]).unwrap();
        assert!((out.z[0] - 4.0 / 3.0).abs() < 1e-15 && (out.z[1] - 7.0 / 3.0).abs() < 1e-15);
        assert_eq!(lemke(&[1.0], &[2.0]).unwrap().pivots, 0);
    }

    #[test]
    fn cyclic_example_terminates() {
        // a P-matrix on which least-ratio pivoting without a tie rule is known to be delicate
        let M = [1.0, 2.0, 0.0, 0.0, 1.0, 2.0, 2.0, 0.0, 1.0];
        let out = lemke(&M, &[-1.0, -1.0, -1.0]).unwrap();
        for z in &out.z {
            assert!((z - 1.0 / 3.0).abs() < 1e-15);
        }
    }

    #[test]
    fn infeasible_problem_ends_on_a_ray() {
        assert!(matches!(lemke(&[0.0], &[-1.0]), Err(ComplementarityError::Ray { .. })));
    }

    #[test]
    fn free_rows_take_any_sign() {
        let M = DMatrix::from_row_slice(2, 2, &[1.0, 0.5, 0.5, 1.0]);
        let mut problem = Problem::new(&M, &DVector::from_row_slice(&[-1.0, 3.0])).unwrap();
        problem.set_row(1, Row::Free);
        let mut out = Solution::default();
        Lemke::default().solve(&problem, &mut out).unwrap();
        let expected = M.lu().solve(&DVector::from_row_slice(&[1.0, -3.0])).unwrap();
        assert!((out.z[0] - expected[0]).abs() < 1e-14 && (out.z[1] - expected[1]).abs() < 1e-14);
        assert!(out.z[1] < 0.0);
    }

    #[test]
    fn contradictory_bilateral_rows_are_refused() {
        let M = DMatrix::from_row_slice(2, 2, &[1.0, 1.0, 1.0, 1.0]);
        let mut problem = Problem::new(&M, &DVector::from_row_slice(&[-1.0, -2.0])).unwrap();
        problem.set_row(0, Row::Free);
        problem.set_row(1, Row::Free);
        let mut lemke = Lemke::default();
        let fault = lemke.solve(&problem, &mut Solution::default());
        assert!(matches!(fault, Err(ComplementarityError::SingularBilateral { .. })));
        problem.set_constant(1, -1.0);
        lemke.solve(&problem, &mut Solution::default()).unwrap();
    }
}
