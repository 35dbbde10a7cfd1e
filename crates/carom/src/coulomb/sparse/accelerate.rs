//! Sweeps that learn from those before: Anderson's acceleration of the fixed point of a sweep.
//!
//! # Law
//! A sweep forth and back is a map g, and forces that it does not change solve the problem. With f = g(x) − x of the last
//! sweeps, and Δ the differences from one to the next,
//! ```text
//! γ = argmin ‖f − ΔF γ‖,   x ← g(x) − ΔG γ                                        (1)
//! ```
//! in the measure Σ Gᵢᵢ fᵢ², an energy. Where the modes of contacts do not change the map is affine, and (1) is GMRES
//! on the system whose preconditioner is the sweep: a pile of n layers needs of the order of n sweeps in place of n².
//!
//! # Rules
//! - The last [`DEPTH`] differences are kept.
//! - Where ‖f‖ grows to more than [`GROWTH`] of its least value, modes have changed: what was learned is forgotten and the
//!   plain sweep taken.
//! - A mixture may leave the cone of a contact; the next sweep puts it back, and only certified forces are an answer.
//!
//! # Source
//! Anderson's acceleration is known by that name; derived here from (1), no text was followed.
//!
//! # Tests
//! Beside the code: `eq1_solves_an_affine_map_in_as_many_steps_as_it_has_dimensions`;
//! `tests/coulomb_sparse.rs`: `eq1_accelerated_sweeps_reach_the_certificate_of_a_tower`.

use crate::complementarity::MinNorm;
use crate::numeric::thresholds::sparse::{DEPTH, GROWTH, RANK};

/// What was learned; memory is reused.
#[derive(Debug, Clone, Default)]
pub(super) struct Anderson {
    /// Columns of ΔF and ΔG, one after the other.
    changes: Vec<Vec<f64>>,
    images: Vec<Vec<f64>>,
    /// ΔFᵀ ΔF, row by row of width DEPTH.
    gram: Vec<f64>,
    /// Columns in use, and the one that is overwritten next.
    count: usize,
    next: usize,
    last_f: Vec<f64>,
    last_g: Vec<f64>,
    has_last: bool,
    least: f64,
    system: MinNorm,
    f: Vec<f64>,
}

impl Anderson {
    /// Forget everything.
    pub fn clear(&mut self) {
        (self.count, self.next, self.has_last) = (0, 0, false);
        self.least = f64::INFINITY;
        self.gram.clear();
        self.gram.resize(DEPTH * DEPTH, 0.0);
        self.changes.resize(DEPTH, Vec::new());
        self.images.resize(DEPTH, Vec::new());
    }

    /// (1): `x` is where the sweep began and `g` where it ended; the next point replaces `g`. `weight` is Gᵢᵢ. Whether
    /// it is another point than that of the sweep.
    pub fn mix(&mut self, x: &[f64], g: &mut [f64], weight: impl Fn(usize) -> f64) -> bool {
        self.f.clear();
        self.f.extend(g.iter().zip(x).enumerate().map(|(i, (g, x))| (g - x) * weight(i).sqrt()));
        let size = dot(&self.f, &self.f).sqrt();
        if size > GROWTH * self.least {
            self.clear();
        }
        self.least = self.least.min(size);
        if self.has_last {
            self.learn(g);
        }
        self.last_f.clone_from(&self.f);
        self.last_g.clear();
        self.last_g.extend_from_slice(g);
        self.has_last = true;
        if self.count == 0 {
            return false;
        }
        let m = self.count;
        self.system.reset(m, m);
        for i in 0..m {
            (0..m).for_each(|j| self.system.set(i, j, self.gram[i * DEPTH + j]));
            self.system.set_rhs(i, dot(&self.changes[i], &self.f));
        }
        let gamma = self.system.solve(RANK);
        if gamma.iter().any(|c| !c.is_finite()) {
            return false;
        }
        for (c, image) in gamma.iter().zip(&self.images) {
            g.iter_mut().zip(image).for_each(|(g, d)| *g -= c * d);
        }
        true
    }

    /// The newest differences in the place of the oldest.
    fn learn(&mut self, g: &[f64]) {
        let at = self.next;
        self.next = (at + 1) % DEPTH;
        self.count = (self.count + 1).min(DEPTH);
        difference(&self.f, &self.last_f, &mut self.changes[at]);
        difference(g, &self.last_g, &mut self.images[at]);
        for i in 0..self.count {
            let product = dot(&self.changes[i], &self.changes[at]);
            self.gram[i * DEPTH + at] = product;
            self.gram[at * DEPTH + i] = product;
        }
    }
}

fn difference(a: &[f64], b: &[f64], out: &mut Vec<f64>) {
    out.clear();
    out.extend(a.iter().zip(b).map(|(a, b)| a - b));
}

fn dot(a: &[f64], b: &[f64]) -> f64 {
    // Four sums, which the processor adds side by side.
    let mut sums = [0.0; 4];
    let (a4, b4) = (a.chunks_exact(4), b.chunks_exact(4));
    let rest: f64 = a4.remainder().iter().zip(b4.remainder()).map(|(a, b)| a * b).sum();
    for (a, b) in a4.zip(b4) {
        for k in 0..4 {
            sums[k] += a[k] * b[k];
        }
    }
    sums.iter().sum::<f64>() + rest
}

#[cfg(test)]
mod tests {
    use super::*;

    /// x ← A x + c in five dimensions with a spectral radius of 0.95: sweeps alone would take hundreds of steps.
    #[test]
    fn eq1_solves_an_affine_map_in_as_many_steps_as_it_has_dimensions() {
        let rates = [0.95, -0.8, 0.6, 0.3, -0.1];
        let map = |x: &[f64]| -> Vec<f64> {
            (0..5)
                .map(|i| rates[i] * x[i] + 0.1 * x[(i + 1) % 5] * f64::from(i < 4) + 1.0)
                .collect()
        };
        let mut x = vec![0.0; 5];
        let mut learned = Anderson::default();
        learned.clear();
        for _ in 0..8 {
            let mut g = map(&x);
            learned.mix(&x, &mut g, |_| 1.0);
            x = g;
        }
        let miss = map(&x).iter().zip(&x).map(|(g, x)| (g - x).abs()).fold(0.0, f64::max);
        assert!(miss < 1e-9, "{miss:e}");
    }
}
