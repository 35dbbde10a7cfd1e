//! Every solution of a small complementarity problem.
//!
//! # Law
//! For each set S of rows with zᵢ allowed to differ from zero (free rows always belong):
//! ```text
//! M_SS z_S = −q_S,   z = 0 elsewhere                                     (1)
//! ```
//! and the result is kept if its certificate is below the tolerance. If M_SS has full rank, (1)
//! has at most one solution. If not, its solutions within the bounds form a polyhedron without
//! lines; (1) is then solved with every larger set of rows T ⊇ S held at w = 0, each time by
//! minimum norm, which finds the vertices of the polyhedron (full column rank) and the points of
//! smallest norm on its faces. So a solution set that is not a single point is represented by
//! these points. Solutions with the same z are reported once.
//!
//! # Limits
//! 2ⁿ sets, 3ⁿ for singular M: refused above [`EnumerateOptions::limit`] complementary rows.
//!
//! # Tests
//! Beside the code and `tests/complementarity.rs`.

use super::{ComplementarityError, MinNorm, Problem, Row, Solution};
use crate::numeric::thresholds::complementarity;

/// Limits of the enumeration.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct EnumerateOptions {
    /// Largest certificate entry accepted; a pure number, useful 1e-12 to 1e-6. Default 1e-10.
    pub tolerance: f64,
    /// Largest number of complementary rows. Default 14.
    pub limit: usize,
}

impl Default for EnumerateOptions {
    fn default() -> Self {
        Self { tolerance: complementarity::TOLERANCE, limit: 14 }
    }
}

/// All solutions, in the order of the binary number formed by S.
pub fn enumerate(
    problem: &Problem,
    options: EnumerateOptions,
) -> Result<Vec<Solution>, ComplementarityError> {
    problem.validate()?;
    let complementary: Vec<usize> =
        (0..problem.size()).filter(|&i| problem.row(i) == Row::Complementary).collect();
    if complementary.len() > options.limit {
        let (size, limit) = (complementary.len(), options.limit);
        return Err(ComplementarityError::TooLarge { size, limit });
    }
    let mut search = Search { problem, options, system: MinNorm::default(), found: Vec::new() };
    for bits in 0..1usize << complementary.len() {
        let active = members(problem, &complementary, bits);
        let full = search.attempt(&active, &active);
        if !full {
            search.faces(&complementary, bits, &active);
        }
    }
    Ok(search.found)
}

/// Free rows plus the complementary rows named by the bits, in ascending order.
fn members(problem: &Problem, complementary: &[usize], bits: usize) -> Vec<usize> {
    (0..problem.size())
        .filter(|&i| {
            let position = complementary.iter().position(|&c| c == i);
            position.is_none_or(|k| bits >> k & 1 == 1)
        })
        .collect()
}

struct Search<'a> {
    problem: &'a Problem,
    options: EnumerateOptions,
    system: MinNorm,
    found: Vec<Solution>,
}

impl Search<'_> {
    /// Solves (1) with rows `tight` and unknowns `active`; keeps a certified result. Returns
    /// whether the unknowns were determined uniquely.
    fn attempt(&mut self, tight: &[usize], active: &[usize]) -> bool {
        self.system.reset(tight.len(), active.len());
        for (r, &i) in tight.iter().enumerate() {
            self.system.set_rhs(r, -self.problem.constant(i));
            for (c, &j) in active.iter().enumerate() {
                self.system.set(r, c, self.problem.coefficient(i, j));
            }
        }
        let mut solution = Solution { z: vec![0.0; self.problem.size()], ..Solution::default() };
        let x = self.system.solve(MinNorm::RANK_TOLERANCE);
        for (&j, &value) in active.iter().zip(x) {
            solution.z[j] = value;
        }
        self.problem.certify(&mut solution);
        if solution.certificate.worst() <= self.options.tolerance && self.is_new(&solution) {
            self.found.push(solution);
        }
        self.system.rank() == active.len()
    }

    /// A rank-deficient set: hold every choice of further rows at w = 0.
    fn faces(&mut self, complementary: &[usize], bits: usize, active: &[usize]) {
        let all = (1usize << complementary.len()) - 1;
        let outside = all & !bits;
        // the subsets of `outside`, from all of it down to one row
        let mut extra = outside;
        while extra != 0 {
            let tight = members(self.problem, complementary, bits | extra);
            self.attempt(&tight, active);
            extra = (extra - 1) & outside;
        }
    }

    fn is_new(&self, candidate: &Solution) -> bool {
        let size = |z: &[f64]| z.iter().map(|x| x.abs()).fold(0.0, f64::max);
        self.found.iter().all(|known| {
            let scale = size(&known.z).max(size(&candidate.z));
            let apart = known.z.iter().zip(&candidate.z).map(|(a, b)| (a - b).abs());
            apart.fold(0.0, f64::max) > complementarity::APART * scale
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use nalgebra::{DMatrix, DVector};

    fn all(M: &[f64], q: &[f64]) -> Vec<Solution> {
        let n = q.len();
        let problem =
            Problem::new(&DMatrix::from_row_slice(n, n, M), &DVector::from_row_slice(q)).unwrap();
        enumerate(&problem, EnumerateOptions::default()).unwrap()
    }

    #[test]
    fn eq1_finds_none_one_and_several() {
        assert!(all(&[0.0], &[-1.0]).is_empty());
        assert_eq!(all(&[1.0], &[-1.0]).len(), 1);
        // −z + 1 ⟂ z: z = 0 and z = 1
        assert_eq!(all(&[-1.0], &[1.0]).len(), 2);
        // the identity negated in three dimensions: 2³ solutions
        let M = [-1.0, 0.0, 0.0, 0.0, -1.0, 0.0, 0.0, 0.0, -1.0];
        assert_eq!(all(&M, &[1.0, 2.0, 3.0]).len(), 8);
    }

    #[test]
    fn redundant_rows_give_vertices_and_the_smallest_norm() {
        let found = all(&[1.0, 1.0, 1.0, 1.0], &[-2.0, -2.0]);
        let has = |a: f64, b: f64| {
            found.iter().any(|s| (s.z[0] - a).abs() < 1e-12 && (s.z[1] - b).abs() < 1e-12)
        };
        assert!(has(2.0, 0.0) && has(0.0, 2.0) && has(1.0, 1.0));
    }

    #[test]
    fn size_is_bounded() {
        let problem = Problem::new(&DMatrix::identity(15, 15), &DVector::zeros(15)).unwrap();
        let fault = enumerate(&problem, EnumerateOptions::default());
        assert!(matches!(fault, Err(ComplementarityError::TooLarge { size: 15, .. })));
    }
}
