//! Friction that keeps contacts at rest: A x = −b on their rows, by pivoted Cholesky.
//!
//! Redundant rows make A singular; then the x of least Σ sᵢ² xᵢ² is taken, with sᵢ larger where the friction disk is
//! smaller. With S = D⁻¹AD⁻¹ = LLᵀ of rank r, rows in the order of the pivots, D = diag sᵢ,
//! ```text
//! A⁺ b = D⁻¹ L (LᵀL)⁻² Lᵀ D⁻¹ b                                             (1)
//! ```
//! To this x a vector of the null space of A may be added, in proportion to the sum of all normal forces, that brings
//! it away from the limits of the disks: all x are equal in what they do.

use super::system::{State, System, Tangent};

/// A pivot below this fraction of the largest is a redundant row.
const RANK: f64 = 1e-11;

/// Smallest disk, relative to the largest, that the weights of (1) distinguish.
const SMALLEST: f64 = 1e-3;

/// Factor of the rows of contacts at rest.
#[derive(Clone, Debug, Default)]
pub(super) struct Hold {
    /// Rows at rest.
    pub rows: Vec<usize>,
    scale: Vec<f64>,
    order: Vec<usize>,
    rank: usize,
    /// n × rank, row major with stride n, rows in pivot order.
    l: Vec<f64>,
    /// Cholesky factor of LᵀL, rank × rank, lower, stride n.
    c: Vec<f64>,
    y: Vec<f64>,
    z: Vec<f64>,
    residual: Vec<f64>,
    /// Vector of the null space per unit of the summed normal force, by row of the system; empty if there is none.
    pub null: Vec<f64>,
    product: Vec<f64>,
}

impl Hold {
    /// Factors the rows of the contacts that the state holds at rest; `force` are the normal forces.
    pub fn factor(&mut self, system: &System, state: &State, force: &[f64]) {
        self.rows.clear();
        self.scale.clear();
        self.null.clear();
        let held = |i: &usize| state.tangent[*i] == Tangent::Hold;
        let yields = |i: usize| {
            let sum: f64 = system.sites[i].tangent_rows().map(|r| system.G[(r, r)]).sum();
            sum.max(f64::MIN_POSITIVE).sqrt()
        };
        let limit = |i: usize| system.sites[i].mu_s * force[i] * yields(i);
        let largest = (0..force.len()).filter(held).map(limit).fold(0.0, f64::max);
        for i in (0..force.len()).filter(held) {
            let share = if largest > 0.0 { (limit(i) / largest).max(SMALLEST) } else { 1.0 };
            for r in system.sites[i].tangent_rows() {
                self.rows.push(r);
                self.scale.push(yields(i) / share);
            }
        }
        let n = self.rows.len();
        for buffer in [&mut self.l, &mut self.c] {
            buffer.clear();
            buffer.resize(n * n, 0.0);
        }
        for buffer in [&mut self.y, &mut self.z, &mut self.residual] {
            buffer.clear();
            buffer.resize(n, 0.0);
        }
        self.order.clear();
        self.order.extend(0..n);
        self.cholesky(system);
        if self.rank < n {
            self.gram();
        }
    }

    /// Whether some rows are redundant.
    pub fn redundant(&self) -> bool {
        self.rank < self.rows.len()
    }

    /// Keeps what of `x`, friction at a summed normal force `total`, moves nothing.
    pub fn keep_null(&mut self, system: &System, x: &[f64], total: f64) {
        let m = system.rows();
        let mut product = std::mem::take(&mut self.product);
        product.clear();
        product.resize(m, 0.0);
        let mut null = std::mem::take(&mut self.null);
        null.clear();
        null.resize(m, 0.0);
        for &r in &self.rows {
            product[r] = self.rows.iter().map(|&j| system.G[(r, j)] * x[j]).sum();
        }
        self.solve(system, &product, &mut null);
        for &r in &self.rows {
            null[r] = (null[r] + x[r]) / total;
        }
        (self.product, self.null) = (product, null);
    }

    fn entry(&self, system: &System, a: usize, b: usize) -> f64 {
        let (i, j) = (self.order[a], self.order[b]);
        system.G[(self.rows[i], self.rows[j])] / (self.scale[i] * self.scale[j])
    }

    /// L by columns, the largest remaining diagonal first.
    fn cholesky(&mut self, system: &System) {
        let n = self.rows.len();
        self.rank = 0;
        for a in 0..n {
            self.z[a] = self.entry(system, a, a);
        }
        let largest = self.z.iter().copied().fold(0.0, f64::max);
        for k in 0..n {
            let best = (k..n).fold(k, |b, a| if self.z[a] > self.z[b] { a } else { b });
            if self.z[best] <= RANK * largest || self.z[best] <= 0.0 {
                return;
            }
            self.swap(k, best, n);
            let pivot = self.z[k].sqrt();
            self.l[k * n + k] = pivot;
            for a in k + 1..n {
                let known: f64 = (0..k).map(|j| self.l[a * n + j] * self.l[k * n + j]).sum();
                let x = (self.entry(system, a, k) - known) / pivot;
                self.l[a * n + k] = x;
                self.z[a] -= x * x;
            }
            self.rank = k + 1;
        }
    }

    fn swap(&mut self, k: usize, best: usize, n: usize) {
        self.order.swap(k, best);
        self.z.swap(k, best);
        for j in 0..k {
            self.l.swap(k * n + j, best * n + j);
        }
    }

    /// Factor of LᵀL.
    fn gram(&mut self) {
        let (n, r) = (self.rows.len(), self.rank);
        for i in 0..r {
            for j in 0..=i {
                let full: f64 = (i..n).map(|a| self.l[a * n + i] * self.l[a * n + j]).sum();
                let known: f64 = (0..j).map(|k| self.c[i * n + k] * self.c[j * n + k]).sum();
                let x = full - known;
                self.c[i * n + j] =
                    if i == j { x.max(f64::MIN_POSITIVE).sqrt() } else { x / self.c[j * n + j] };
            }
        }
    }

    /// x with A x = −b in the rows at rest, where b has all rows; other entries of x are left alone.
    pub fn solve(&mut self, system: &System, b: &[f64], x: &mut [f64]) {
        let n = self.rows.len();
        if n == 0 {
            return;
        }
        for a in 0..n {
            self.residual[a] = -b[self.rows[a]];
            x[self.rows[a]] = 0.0;
        }
        // The second round removes the round-off that the squared factor leaves.
        let rounds = if self.rank < n { 2 } else { 1 };
        for round in 0..rounds {
            if round > 0 {
                self.refresh(system, b, x);
            }
            self.correct(x);
        }
    }

    fn refresh(&mut self, system: &System, b: &[f64], x: &[f64]) {
        for a in 0..self.rows.len() {
            let row = self.rows[a];
            let product: f64 = self.rows.iter().map(|&j| system.G[(row, j)] * x[j]).sum();
            self.residual[a] = -b[row] - product;
        }
    }

    /// x += A⁺ residual.
    fn correct(&mut self, x: &mut [f64]) {
        let (n, r) = (self.rows.len(), self.rank);
        for a in 0..n {
            let i = self.order[a];
            self.y[a] = self.residual[i] / self.scale[i];
        }
        if r == n {
            lower(&self.l, n, n, &mut self.y);
            upper(&self.l, n, n, &mut self.y);
        } else {
            for j in 0..r {
                self.z[j] = (j..n).map(|a| self.l[a * n + j] * self.y[a]).sum();
            }
            for _ in 0..2 {
                lower(&self.c, n, r, &mut self.z);
                upper(&self.c, n, r, &mut self.z);
            }
            for a in 0..n {
                self.y[a] = (0..r.min(a + 1)).map(|j| self.l[a * n + j] * self.z[j]).sum();
            }
        }
        for a in 0..n {
            let i = self.order[a];
            x[self.rows[i]] += self.y[a] / self.scale[i];
        }
    }
}

/// y := L⁻¹ y, the first `size` rows of a lower factor with stride n.
pub(super) fn lower(l: &[f64], n: usize, size: usize, y: &mut [f64]) {
    for a in 0..size {
        let known: f64 = (0..a).map(|j| l[a * n + j] * y[j]).sum();
        y[a] = (y[a] - known) / l[a * n + a];
    }
}

/// y := L⁻ᵀ y.
pub(super) fn upper(l: &[f64], n: usize, size: usize, y: &mut [f64]) {
    for a in (0..size).rev() {
        let known: f64 = (a + 1..size).map(|j| l[j * n + a] * y[j]).sum();
        y[a] = (y[a] - known) / l[a * n + a];
    }
}
