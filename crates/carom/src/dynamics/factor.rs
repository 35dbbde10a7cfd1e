//! M = Lᵀ D L on the tree, without forming M.
//!
//! # Law
//! Eliminating the degrees of freedom from the tips leaves at each one the articulated inertia,
//! so the multipliers are
//! ```text
//! Lᵢⱼ = (Uᵢ seen from j) · Sⱼ / Dᵢ   for ancestors j of i,   Lᵢᵢ = 1          (1)
//! M = Lᵀ D L                                                                  (2)
//! ```
//! L has the sparsity of the tree. [`factorise`] takes (1) and costs O(n · depth) on top of the
//! articulated inertias; [`eliminate`] reduces M itself, which costs O(n · depth²) and is shorter
//! for short trees when M is there already ([`Factor::prefers_elimination`]).
//!
//! # Source
//! Featherstone's LTDL order of elimination; the multipliers are the innovations of Rodriguez'
//! operator factorisation. Checked: (2) against composite bodies, and both ways to it.
//!
//! # Tests
//! `tests/identities.rs`: `eq2_factor_of_the_mass_matrix`, `eq3_solves`.

use super::articulated::SINGULAR;
use super::mass_matrix::climb;
use super::{Articulated, Kinematics, SingularInertia};
use crate::model::Model;
use crate::model::tree::WORLD;
use nalgebra::DMatrix;
use std::ops::Range;

/// Mean number of ancestors up to which elimination on M is the shorter way, measured on chains.
const SHORT: usize = 22;

/// The factors L and D of M, and the tree that says which entries of L exist.
#[derive(Debug, Clone)]
pub struct Factor {
    /// Strictly lower triangle: the multipliers, row i over the ancestors of i, stored as columns
    /// of the transpose so that a row is contiguous.
    Lt: DMatrix<f64>,
    D_inv: Vec<f64>,
    paths: Paths,
}

/// The ways to the root, as runs of consecutive degrees of freedom.
#[derive(Debug, Clone)]
struct Paths {
    parent: Vec<usize>,
    /// First of the run of consecutive ancestors that ends at each degree of freedom.
    start: Vec<usize>,
}

impl Paths {
    fn new(model: &Model) -> Self {
        let parent: Vec<usize> = model.tree().nodes.iter().map(|node| node.parent).collect();
        let mut start: Vec<usize> = (0..parent.len()).collect();
        for i in 1..parent.len() {
            if parent[i] == i - 1 {
                start[i] = start[i - 1];
            }
        }
        Self { parent, start }
    }

    /// Visit the runs from `i`, itself included, to the root.
    #[inline(always)]
    fn runs(&self, mut i: usize, mut visit: impl FnMut(Range<usize>)) {
        while i != WORLD {
            let first = self.start[i];
            visit(first..i + 1);
            i = self.parent[first];
        }
    }

    /// Visit the runs of the ancestors of `i`.
    #[inline(always)]
    fn above(&self, i: usize, visit: impl FnMut(Range<usize>)) {
        self.runs(self.parent[i], visit);
    }
}

impl Factor {
    /// Room for a model.
    pub fn new(model: &Model) -> Self {
        let n = model.nv();
        Self { Lt: DMatrix::zeros(n, n), D_inv: vec![0.0; n], paths: Paths::new(model) }
    }

    /// The multiplier Lᵢⱼ.
    pub fn multiplier(&self, i: usize, j: usize) -> f64 {
        if i == j { 1.0 } else { self.Lt[(j, i)] }
    }

    /// The pivot Dᵢ.
    pub fn pivot(&self, i: usize) -> f64 {
        1.0 / self.D_inv[i]
    }

    /// Whether [`eliminate`] takes less time than articulated inertias and [`factorise`].
    pub fn prefers_elimination(&self) -> bool {
        let n = self.D_inv.len();
        let mut ancestors = 0;
        for i in 0..n {
            self.paths.above(i, |run| ancestors += run.len());
        }
        ancestors <= SHORT * n
    }

    /// In place b ← M⁻¹ b.
    pub fn solve(&self, b: &mut [f64]) {
        self.solve_transposed_lower(b);
        for (x, d) in b.iter_mut().zip(&self.D_inv) {
            *x *= d;
        }
        for i in 0..b.len() {
            let row = self.row(i);
            let mut x = b[i];
            self.paths.above(i, |run| {
                for (l, b) in row[run.clone()].iter().zip(&b[run]) {
                    x -= l * b;
                }
            });
            b[i] = x;
        }
    }

    /// In place b ← L⁻ᵀ b, the first half of a solve.
    pub fn solve_transposed_lower(&self, b: &mut [f64]) {
        for i in (0..b.len()).rev() {
            let row = self.row(i);
            let x = b[i];
            self.paths.above(i, |run| {
                for (b, l) in b[run.clone()].iter_mut().zip(&row[run]) {
                    *b -= l * x;
                }
            });
        }
    }

    /// Row i of L.
    #[inline(always)]
    fn row(&self, i: usize) -> &[f64] {
        let n = self.D_inv.len();
        &self.Lt.as_slice()[i * n..][..n]
    }
}

/// Fill `factor` from the articulated inertias, equation (1).
pub fn factorise(model: &Model, kin: &Kinematics, art: &Articulated, factor: &mut Factor) {
    let n = model.nv();
    for i in 0..n {
        let D_inv = art.D_inv[i];
        let row = &mut factor.Lt.as_mut_slice()[i * n..][..=i];
        climb(model, kin, i, art.U[i], |j, along| row[j] = along * D_inv);
        factor.D_inv[i] = D_inv;
    }
}

/// Fill `factor` by elimination on M, from the tips to the root.
pub fn eliminate(M: &DMatrix<f64>, factor: &mut Factor) -> Result<(), SingularInertia> {
    let Factor { Lt, D_inv, paths } = factor;
    debug_assert_eq!(M.shape(), Lt.shape());
    let n = D_inv.len();
    let L = Lt.as_mut_slice();
    L.copy_from_slice(M.as_slice());
    let mut k = n;
    while k > 0 {
        k -= 1;
        let (rows, last) = L.split_at_mut(k * n);
        let last = &mut last[..=k];
        D_inv[k] = inverse_pivot(k, last[k], M[(k, k)])?;
        if k > 0 && paths.parent[k] == k - 1 {
            // Two pivots at once, because loops over short rows cost more than what is in them.
            let (rows, next) = rows.split_at_mut((k - 1) * n);
            let next = &mut next[..k];
            let a = last[k - 1] * D_inv[k];
            paths.runs(k - 1, |run| subtract(a, &last[run.clone()], &mut next[run]));
            last[k - 1] = a;
            D_inv[k - 1] = inverse_pivot(k - 1, next[k - 1], M[(k - 1, k - 1)])?;
            reduce_by_two(paths, k - 1, (last, D_inv[k]), (next, D_inv[k - 1]), rows);
            k -= 1;
        } else {
            reduce(paths, k, (last, D_inv[k]), rows);
        }
    }
    Ok(())
}

/// 1 / D, if D is a pivot: large enough beside the entry of M that it is left of.
#[inline(always)]
fn inverse_pivot(dof: usize, D: f64, scale: f64) -> Result<f64, SingularInertia> {
    let D_inv = 1.0 / D;
    // Written so that NaN fails.
    if D > SINGULAR * scale && D_inv.is_finite() {
        return Ok(D_inv);
    }
    Err(SingularInertia { dof, D, scale })
}

/// Take what the row of `k` explains from the rows of its ancestors, and make it multipliers.
fn reduce(paths: &Paths, k: usize, (row, D_inv): (&mut [f64], f64), rows: &mut [f64]) {
    let n = paths.parent.len();
    paths.above(k, |above| {
        for i in above.rev() {
            let a = row[i] * D_inv;
            let reduced = &mut rows[i * n..][..=i];
            paths.runs(i, |run| subtract(a, &row[run.clone()], &mut reduced[run]));
            row[i] = a;
        }
    });
}

/// The same for the rows of `k + 1` and `k` together.
fn reduce_by_two(
    paths: &Paths,
    k: usize,
    (last, last_inv): (&mut [f64], f64),
    (next, next_inv): (&mut [f64], f64),
    rows: &mut [f64],
) {
    let n = paths.parent.len();
    paths.above(k, |above| {
        for i in above.rev() {
            let (a, b) = (last[i] * last_inv, next[i] * next_inv);
            let reduced = &mut rows[i * n..][..=i];
            paths.runs(i, |run| {
                let pairs = last[run.clone()].iter().zip(&next[run.clone()]);
                for (x, (y, z)) in reduced[run].iter_mut().zip(pairs) {
                    *x -= a * y + b * z;
                }
            });
            (last[i], next[i]) = (a, b);
        }
    });
}

/// x ← x − a y.
#[inline(always)]
fn subtract(a: f64, y: &[f64], x: &mut [f64]) {
    for (x, y) in x.iter_mut().zip(y) {
        *x -= a * y;
    }
}
