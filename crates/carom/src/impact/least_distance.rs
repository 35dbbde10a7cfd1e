//! The nearest point of a polyhedron: min ‖w‖ subject to aᵢ·w ≥ bᵢ.
//!
//! # Law
//! ```text
//! w = Σ λᵢ aᵢ,   λᵢ ≥ 0,   λᵢ (aᵢ·w − bᵢ) = 0,   aᵢ·w ≥ bᵢ          (1)
//! ```
//! Dual active-set method (Goldfarb & Idnani 1983) with unit Hessian: constraints enter one by one, the most violated
//! first, and every step keeps the multipliers non-negative. The active set is held as an orthonormal basis, and w is
//! recomputed from it after each change, so that errors do not add up. The dual value never falls, so the method ends;
//! a bound on the steps guards against round-off.
//!
//! # Tests
//! `eq1_optimality_of_random_polyhedra` and `empty_polyhedra_are_recognised` below.

use crate::numeric::thresholds::impact;
use crate::numeric::thresholds::impact::SATISFIED;

/// A row whose part outside the span of the active ones is shorter than this is dependent on them.
const DEPENDENT: f64 = crate::numeric::thresholds::impact::LEAST_DISTANCE_DEPENDENT;

/// What a solve found.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Found {
    /// `point` is the nearest point.
    Nearest,
    /// No point satisfies all rows.
    Empty,
    /// The bound on the steps was reached; nothing is known.
    GaveUp,
}

/// The problem, its solution and the scratch between them; reuse it.
#[derive(Clone, Debug, Default)]
pub struct LeastDistance {
    n: usize,
    rows: Vec<f64>,
    bounds: Vec<f64>,
    impossible: bool,
    point: Vec<f64>,
    active: Vec<usize>,
    multipliers: Vec<f64>,
    /// Orthonormal basis of the active rows, and the triangle R with row = basis·R, column by column.
    basis: Vec<f64>,
    triangle: Vec<f64>,
    outside: Vec<f64>,
    weights: Vec<f64>,
}

impl LeastDistance {
    /// Starts a problem in n dimensions without rows.
    pub fn clear(&mut self, n: usize) {
        self.n = n;
        self.rows.clear();
        self.bounds.clear();
        self.impossible = false;
        self.point.clear();
        self.point.resize(n, 0.0);
    }

    fn len(&self) -> usize {
        self.bounds.len()
    }

    /// Adds a·w ≥ b. A zero row is checked at once: 0 ≥ b.
    pub fn push(&mut self, row: &[f64], bound: f64) {
        let length = row.iter().map(|a| a * a).sum::<f64>().sqrt();
        if length <= impact::NO_ROW {
            self.impossible |= bound > impact::ASKS_TOO_MUCH;
            return;
        }
        self.rows.extend(row.iter().map(|a| a / length));
        self.bounds.push(bound / length);
    }

    /// The nearest point, after [`solve`](Self::solve) found it.
    pub fn point(&self) -> &[f64] {
        &self.point
    }

    /// Solves from scratch.
    pub fn solve(&mut self) -> Found {
        self.active.clear();
        self.multipliers.clear();
        self.basis.clear();
        self.triangle.clear();
        self.point.fill(0.0);
        if self.impossible {
            return Found::Empty;
        }
        let limit = 20 * (self.len() + self.n + 5);
        for _ in 0..limit {
            let Some(entering) = self.most_violated() else {
                return Found::Nearest;
            };
            match self.enter(entering, limit) {
                Found::Nearest => self.recompute(),
                other => return other,
            }
        }
        Found::GaveUp
    }

    fn row(&self, i: usize) -> &[f64] {
        &self.rows[i * self.n..(i + 1) * self.n]
    }

    fn slack(&self, i: usize) -> f64 {
        dot(self.row(i), &self.point) - self.bounds[i]
    }

    fn most_violated(&self) -> Option<usize> {
        let mut worst = None;
        let mut least = 0.0;
        for i in (0..self.len()).filter(|i| !self.active.contains(i)) {
            let tolerance = SATISFIED * (1.0 + self.bounds[i].abs() + norm(&self.point));
            let slack = self.slack(i) + tolerance;
            if slack < least {
                (worst, least) = (Some(i), slack);
            }
        }
        worst
    }

    /// Brings one row into the active set, dropping others as their multipliers reach zero.
    fn enter(&mut self, entering: usize, limit: usize) -> Found {
        let mut multiplier = 0.0;
        for _ in 0..limit {
            self.split(entering);
            let leave = self.first_to_leave();
            let length2 = dot(&self.outside, &self.outside);
            let full = if length2 > DEPENDENT * DEPENDENT {
                (-self.slack(entering) / length2).max(0.0)
            } else {
                f64::INFINITY
            };
            let step = leave.map_or(full, |(_, t)| t.min(full));
            if !step.is_finite() {
                return Found::Empty;
            }
            for (l, r) in self.multipliers.iter_mut().zip(&self.weights) {
                *l = (*l - step * r).max(0.0);
            }
            multiplier += step;
            if full.is_finite() {
                for (w, z) in self.point.iter_mut().zip(&self.outside) {
                    *w += step * z;
                }
            }
            match leave {
                Some((k, t)) if t < full => self.drop_active(k),
                _ => {
                    self.append(entering);
                    self.multipliers.push(multiplier);
                    return Found::Nearest;
                }
            }
        }
        Found::GaveUp
    }

    /// The active row whose multiplier reaches zero first, and the step at which it does.
    fn first_to_leave(&self) -> Option<(usize, f64)> {
        let mut first: Option<(usize, f64)> = None;
        for (k, (l, r)) in self.multipliers.iter().zip(&self.weights).enumerate() {
            if *r > impact::NO_ROW && first.is_none_or(|(_, t)| l / r < t) {
                first = Some((k, l / r));
            }
        }
        first
    }

    /// Splits a row into a combination `weights` of the active ones and the part `outside` their span.
    fn split(&mut self, i: usize) {
        let (n, k) = (self.n, self.active.len());
        self.outside.clear();
        self.outside.extend_from_slice(&self.rows[i * n..(i + 1) * n]);
        self.weights.clear();
        self.weights.resize(k, 0.0);
        for _ in 0..2 {
            for j in 0..k {
                let q = &self.basis[j * n..(j + 1) * n];
                let s = dot(q, &self.outside);
                self.weights[j] += s;
                for (z, q) in self.outside.iter_mut().zip(q) {
                    *z -= s * q;
                }
            }
        }
        // Coefficients on the basis become coefficients on the rows: solve R x = c backward.
        for j in (0..k).rev() {
            let mut s = self.weights[j];
            for l in j + 1..k {
                s -= self.triangle_at(j, l) * self.weights[l];
            }
            self.weights[j] = s / self.triangle_at(j, j);
        }
    }

    /// Entry (row, column) of the packed upper triangle.
    fn triangle_at(&self, row: usize, column: usize) -> f64 {
        self.triangle[column * (column + 1) / 2 + row]
    }

    /// Appends a row to the active set and its basis.
    fn append(&mut self, i: usize) {
        let (n, k) = (self.n, self.active.len());
        let mut z: Vec<f64> = std::mem::take(&mut self.outside);
        z.clear();
        z.extend_from_slice(self.row(i));
        let start = self.triangle.len();
        self.triangle.resize(start + k + 1, 0.0);
        for _ in 0..2 {
            for j in 0..k {
                let q = &self.basis[j * n..(j + 1) * n];
                let s = dot(q, &z);
                self.triangle[start + j] += s;
                for (z, q) in z.iter_mut().zip(q) {
                    *z -= s * q;
                }
            }
        }
        let length = norm(&z);
        self.triangle[start + k] = length;
        self.basis.extend(z.iter().map(|z| z / length));
        self.active.push(i);
        self.outside = z;
    }

    /// Removes the k-th active row and rebuilds the basis.
    fn drop_active(&mut self, k: usize) {
        self.multipliers.remove(k);
        let mut kept = std::mem::take(&mut self.active);
        kept.remove(k);
        self.basis.clear();
        self.triangle.clear();
        for &i in &kept {
            self.append(i);
        }
    }

    /// The point of least norm on the active rows: w = Q R⁻ᵀ b.
    fn recompute(&mut self) {
        let (n, k) = (self.n, self.active.len());
        self.point.fill(0.0);
        self.weights.clear();
        for j in 0..k {
            let known: f64 = (0..j).map(|l| self.triangle_at(l, j) * self.weights[l]).sum();
            let c = (self.bounds[self.active[j]] - known) / self.triangle_at(j, j);
            self.weights.push(c);
            for (w, q) in self.point.iter_mut().zip(&self.basis[j * n..(j + 1) * n]) {
                *w += c * q;
            }
        }
    }
}

fn dot(a: &[f64], b: &[f64]) -> f64 {
    a.iter().zip(b).map(|(a, b)| a * b).sum()
}

fn norm(a: &[f64]) -> f64 {
    dot(a, a).sqrt()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn random(seed: &mut u64) -> f64 {
        *seed = seed.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        (*seed >> 11) as f64 / (1u64 << 52) as f64 - 1.0
    }

    /// The nearest point of a convex set satisfies y·w ≥ w·w for every y in it; tested on points of the set.
    #[test]
    fn eq1_optimality_of_random_polyhedra() {
        let mut seed = 7;
        let mut problem = LeastDistance::default();
        for case in 0..500 {
            let n = 1 + case % 6;
            problem.clear(n);
            // A point that satisfies every row, so that the polyhedron is not empty.
            let inside: Vec<f64> = (0..n).map(|_| 3.0 * random(&mut seed)).collect();
            let count = 1 + case % 11;
            for _ in 0..count {
                let row: Vec<f64> = (0..n).map(|_| random(&mut seed)).collect();
                let bound = dot(&row, &inside) - 0.5 * (random(&mut seed) + 1.0);
                problem.push(&row, bound);
            }
            assert_eq!(problem.solve(), Found::Nearest);
            for i in 0..problem.len() {
                assert!(problem.slack(i) > -1e-12);
            }
            let w = problem.point();
            assert!(dot(&inside, w) >= dot(w, w) - 1e-11, "case {case}");
            let rebuilt: Vec<f64> = (0..n)
                .map(|j| {
                    let parts = problem.active.iter().zip(&problem.multipliers);
                    parts.map(|(&i, l)| l * problem.row(i)[j]).sum::<f64>()
                })
                .collect();
            for (a, b) in rebuilt.iter().zip(w) {
                assert!((a - b).abs() < 1e-9, "stationarity in case {case}");
            }
            assert!(problem.multipliers.iter().all(|l| *l >= 0.0));
        }
    }

    #[test]
    fn empty_polyhedra_are_recognised() {
        let mut problem = LeastDistance::default();
        problem.clear(2);
        problem.push(&[1.0, 0.0], 1.0);
        problem.push(&[-1.0, 1e-3], -0.5);
        problem.push(&[0.0, -1.0], -1.0);
        assert_eq!(problem.solve(), Found::Empty);
        problem.clear(2);
        problem.push(&[0.0, 0.0], 1.0);
        assert_eq!(problem.solve(), Found::Empty);
    }

    #[test]
    fn dependent_rows_do_no_harm() {
        let mut problem = LeastDistance::default();
        problem.clear(2);
        for _ in 0..3 {
            problem.push(&[1.0, 1.0], 2.0);
        }
        problem.push(&[-1.0, -1.0], -2.0);
        assert_eq!(problem.solve(), Found::Nearest);
        assert!((problem.point()[0] - 1.0).abs() < 1e-15);
        assert!((problem.point()[1] - 1.0).abs() < 1e-15);
    }
}
