//! The friction of contacts at rest: a convex problem over intervals and disks.
//!
//! ```text
//! min ½ pᵀA p + bᵀp   over ‖pᵢ‖ ≤ ρᵢ,      a = A p + b                                (1)
//! ```
//! A is a block of G, so (1) is convex and has a solution for any number of contacts and any friction. The accelerations
//! a are unique. At the solution a contact rests (a = 0, ‖p‖ ≤ ρ) or its a opposes p and ‖p‖ = ρ.
//!
//! # Solution
//! Where A is singular p is not unique. A little softness makes it so, around the solution of the round before, which
//! is zero in the first:
//! ```text
//! min ½ pᵀA p + bᵀp + ½ ε Σ sᵢ² ‖pᵢ − p̄ᵢ‖²,   sᵢ² the trace of the block of contact i     (2)
//! ```
//! After two or three rounds p = p̄ and the softness does nothing. In each round, a few rounds block by block (each block exactly) guess which contacts are at their limit; Newton's method on that
//! set, in the angles of those at the limit, changes the set where a sign is wrong. Where that does not end, a barrier
//! ([`barrier`](super::barrier)) finds the set, Newton's method is tried once more, and if that fails the result of the
//! barrier stands.

use super::barrier::Barrier;
use super::disk::in_disk;
use crate::numeric::thresholds::compliant;
use crate::numeric::thresholds::compliant::SOFT;

/// Rounds of blocks before the first attempt of Newton's method.
const ROUNDS: usize = 12;

/// Rounds of (2).
const OUTER: usize = 4;

/// One contact of the problem.
#[derive(Clone, Copy, Debug)]
pub(super) struct Disk {
    /// Its first row.
    pub first: usize,
    /// One or two rows.
    pub dim: usize,
    /// Largest friction.
    pub rho: f64,
    /// Whether friction is at its limit.
    pub limit: bool,
}

/// Data and solution of (1).
#[derive(Clone, Debug, Default)]
pub(super) struct Disks {
    pub disks: Vec<Disk>,
    /// A with the softness on its diagonal, row major.
    pub matrix: Vec<f64>,
    pub b: Vec<f64>,
    /// The solution.
    pub p: Vec<f64>,
    /// A p + b.
    pub a: Vec<f64>,
    barrier: Barrier,
    // Newton's method: unknowns, factor, step.
    pub(super) columns: Vec<(usize, [f64; 2], usize)>,
    pub(super) system: Vec<f64>,
    pub(super) step: Vec<f64>,
    pub(super) spare: Vec<f64>,
    pub(super) marks: Vec<bool>,
    pub(super) size: f64,
    /// ε s² by row, and b without the softness.
    soft: Vec<f64>,
    data: Vec<f64>,
}

impl Disks {
    pub fn clear(&mut self) {
        self.disks.clear();
    }

    pub fn push(&mut self, dim: usize, rho: f64) {
        let first = self.rows();
        self.disks.push(Disk { first, dim, rho, limit: false });
    }

    pub fn rows(&self) -> usize {
        self.disks.last().map_or(0, |d| d.first + d.dim)
    }

    /// Makes room for A and b, all zero, and starts from p = 0.
    pub fn allocate(&mut self) {
        let n = self.rows();
        self.matrix.clear();
        self.matrix.resize(n * n, 0.0);
        for x in [&mut self.b, &mut self.p, &mut self.a] {
            x.clear();
            x.resize(n, 0.0);
        }
    }

    /// Adds the softness to the diagonal; to be called when A is filled.
    pub fn soften(&mut self) {
        let n = self.rows();
        self.soft.clear();
        for d in &self.disks {
            let trace: f64 = (d.first..d.first + d.dim).map(|i| self.matrix[i * n + i]).sum();
            for i in d.first..d.first + d.dim {
                let soft = SOFT * trace + f64::MIN_POSITIVE;
                self.matrix[i * n + i] += soft;
                self.soft.push(soft);
            }
        }
    }

    /// Solves (1). The limits ρ and b may have been changed since the last call.
    pub fn solve(&mut self) {
        self.data.clear();
        self.data.extend_from_slice(&self.b);
        self.p.fill(0.0);
        for _ in 0..OUTER {
            self.solve_soft();
            // The softness acts against p − p̄ from now on.
            let (mut creep, mut size) = (0.0_f64, 0.0_f64);
            for i in 0..self.b.len() {
                let next = self.data[i] - self.soft[i] * self.p[i];
                creep = creep.max((next - self.b[i]).abs());
                size = size.max(self.data[i].abs());
                self.b[i] = next;
            }
            if creep <= f64::EPSILON * size {
                break;
            }
        }
        self.residual();
        self.b.copy_from_slice(&self.data);
    }

    /// Solves (2); p is the start.
    fn solve_soft(&mut self) {
        for _ in 0..ROUNDS {
            if self.round() <= compliant::ROUNDED {
                break;
            }
        }
        for d in &mut self.disks {
            d.limit = norm(&self.p, d) >= d.rho * (1.0 - compliant::AT_LIMIT);
        }
        if self.polish() {
            return;
        }
        self.barrier.solve(&mut self.disks, &self.matrix, &self.b, &mut self.p);
        if !self.polish() {
            self.residual();
        }
    }

    /// One round of blocks; the largest change, relative to ρ.
    fn round(&mut self) -> f64 {
        let n = self.rows();
        let mut change = 0.0_f64;
        for k in 0..self.disks.len() {
            let d = self.disks[k];
            let mut g = [0.0; 2];
            let mut h = [[0.0; 2]; 2];
            for i in 0..d.dim {
                let row = &self.matrix[(d.first + i) * n..(d.first + i + 1) * n];
                g[i] = self.b[d.first + i] + dot(row, &self.p);
                for j in 0..d.dim {
                    h[i][j] = row[d.first + j];
                    g[i] -= h[i][j] * self.p[d.first + j];
                }
            }
            let next = if d.dim == 1 {
                [(-g[0] / h[0][0]).clamp(-d.rho, d.rho), 0.0]
            } else {
                in_disk(h, g, d.rho)
            };
            for i in 0..d.dim {
                let step = (next[i] - self.p[d.first + i]).abs();
                change = change.max(if d.rho > 0.0 { step / d.rho } else { 0.0 });
                self.p[d.first + i] = next[i];
            }
        }
        change
    }

    /// a, and the size of its terms.
    pub(super) fn residual(&mut self) {
        let n = self.rows();
        self.size = 0.0;
        for i in 0..n {
            let row = &self.matrix[i * n..(i + 1) * n];
            self.a[i] = self.b[i] + dot(row, &self.p);
            let terms: f64 = row.iter().zip(&self.p).map(|(a, p)| (a * p).abs()).sum();
            self.size = self.size.max(self.b[i].abs() + terms);
        }
    }
}

pub(super) fn dot(a: &[f64], b: &[f64]) -> f64 {
    a.iter().zip(b).map(|(a, b)| a * b).sum()
}

pub(super) fn norm(p: &[f64], d: &Disk) -> f64 {
    p[d.first..d.first + d.dim].iter().fold(0.0_f64, |s, x| s.hypot(*x))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn problem(seed: u64, contacts: usize, rank: usize) -> Disks {
        let mut s = seed;
        let mut next = || {
            s = s.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            (s >> 33) as f64 / (1u64 << 30) as f64 - 1.0
        };
        let mut d = Disks::default();
        for k in 0..contacts {
            d.push(1 + k % 2, 0.3 * (next() + 1.0));
        }
        d.allocate();
        let n = d.rows();
        let j: Vec<f64> = (0..n * rank).map(|_| next()).collect();
        for a in 0..n {
            for b in 0..n {
                d.matrix[a * n + b] = (0..rank).map(|k| j[a * rank + k] * j[b * rank + k]).sum();
            }
        }
        d.b.iter_mut().for_each(|b| *b = next());
        d.soften();
        d
    }

    #[test]
    fn conditions_hold_for_regular_and_redundant_contacts() {
        for seed in 0..400 {
            let contacts = 1 + seed as usize % 9;
            let mut d = problem(seed, contacts, 1 + seed as usize % 7);
            d.solve();
            for k in &d.disks {
                let rows = k.first..k.first + k.dim;
                let size = norm(&d.p, k);
                assert!(size <= k.rho * (1.0 + 1e-12));
                let (p, a) = (&d.p[rows.clone()], &d.a[rows]);
                let force = a.iter().fold(0.0_f64, |s, x| s.hypot(*x));
                // a = 0 inside, a = −λp at the limit
                let miss = if size < k.rho * (1.0 - 1e-9) {
                    force
                } else {
                    (dot(p, a) / k.rho + force).abs()
                };
                assert!(miss < 1e-9, "seed {seed}: {miss:e}");
            }
        }
    }
}
