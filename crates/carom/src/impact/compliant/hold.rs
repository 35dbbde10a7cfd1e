//! Friction that keeps contacts at rest: A x = −b on their rows, by Cholesky, contact by contact.
//!
//! Redundant rows make A singular. Contacts enter in the order of their friction disks, the largest first; what a contact
//! adds is a block S of the Schur complement, and its eigenvectors are the directions in which it holds:
//! ```text
//! S = λ₁ v₁v₁ᵀ + λ₂ v₂v₂ᵀ:   independent where λ > 0,  redundant where λ = 0                  (1)
//! ```
//! Friction along redundant directions moves nothing; others give way to it. There a contact keeps the fraction s of its
//! limit that the decision gave it:
//! ```text
//! both redundant:  x = c F          v₂ alone, s near 1:  x·v₂ = ±√((s μs F)² − (x·v₁)²)      (2)
//! ```
//! so that a contact that is about to be released gives its share back by itself.

use super::system::{Site, State, System, Tangent};
use crate::numeric::thresholds::compliant::RANK;

/// Part of s μs F along v₂ below which (2) is x·v₂ = c F as well: the root is no power series near its zero.
pub(super) const ALONG: f64 = 0.2;

/// s below which it is, because there is room enough.
const NEAR: f64 = 0.9;

/// An independent direction.
#[derive(Clone, Copy, Debug)]
struct Direction {
    site: usize,
    v: [f64; 2],
}

/// A redundant direction with friction in proportion to the normal force.
#[derive(Clone, Copy, Debug)]
pub(super) struct Shared {
    pub site: usize,
    pub v: [f64; 2],
    /// Friction along v over normal force.
    pub ratio: f64,
}

/// A redundant direction that keeps the contact at a fraction of its limit.
#[derive(Clone, Copy, Debug)]
pub(super) struct Edge {
    pub site: usize,
    /// Independent direction.
    pub v1: [f64; 2],
    /// s μs.
    pub limit: f64,
    /// Sign of the root.
    pub sign: f64,
}

/// Factor of the rows of contacts at rest.
#[derive(Clone, Debug, Default)]
pub(super) struct Hold {
    /// All rows at rest.
    pub rows: Vec<usize>,
    pub shared: Vec<Shared>,
    pub edges: Vec<Edge>,
    /// What friction 1 along v₂ of each edge makes all contacts at rest do, by row of the system.
    pub null: Vec<f64>,
    directions: Vec<Direction>,
    order: Vec<usize>,
    /// Lower factor, row major with a stride of all rows.
    l: Vec<f64>,
    own: [Vec<f64>; 2],
    y: Vec<f64>,
    product: Vec<f64>,
}

impl Hold {
    /// Factors the rows of the contacts that the state holds at rest; `force` are the normal forces.
    pub fn factor(&mut self, system: &System, state: &State, force: &[f64]) {
        self.rows.clear();
        self.order.clear();
        self.directions.clear();
        self.shared.clear();
        self.edges.clear();
        self.null.clear();
        for (i, site) in system.sites.iter().enumerate() {
            if state.tangent[i] == Tangent::Hold {
                self.rows.extend(site.tangent_rows());
                self.order.push(i);
            }
        }
        let limit = |i: usize| system.sites[i].mu_s * force[i];
        self.order.sort_by(|&a, &b| limit(b).total_cmp(&limit(a)).then(a.cmp(&b)));
        let n = self.rows.len();
        self.l.clear();
        self.l.resize(n * n, 0.0);
        self.y.clear();
        self.y.resize(n, 0.0);
        for place in 0..self.order.len() {
            self.add(system, self.order[place]);
        }
    }

    /// Adds the directions of one contact, (1).
    fn add(&mut self, system: &System, i: usize) {
        let site = system.sites[i];
        let (n, k, t) = (self.rows.len(), self.directions.len(), site.tangents);
        let mut s = [[0.0; 2]; 2];
        let mut trace = 0.0;
        for x in 0..t {
            self.own[x].clear();
            for j in 0..k {
                let g = self.between(system, site.first + x, j);
                let known: f64 = (0..j).map(|m| self.own[x][m] * self.l[j * n + m]).sum();
                self.own[x].push((g - known) / self.l[j * n + j]);
            }
            trace += system.G[(site.first + x, site.first + x)];
        }
        for x in 0..t {
            for y in 0..t {
                let known: f64 = (0..k).map(|m| self.own[x][m] * self.own[y][m]).sum();
                s[x][y] = system.G[(site.first + x, site.first + y)] - known;
            }
        }
        for (lambda, v) in eigen(s, t).into_iter().take(t) {
            if lambda > RANK * trace {
                let a = self.directions.len();
                for j in 0..k {
                    self.l[a * n + j] = (0..t).map(|x| v[x] * self.own[x][j]).sum();
                }
                self.l[a * n + a] = lambda.sqrt();
                self.directions.push(Direction { site: i, v });
            } else {
                self.shared.push(Shared { site: i, v, ratio: 0.0 });
            }
        }
    }

    /// Entry of G between a row and an independent direction.
    fn between(&self, system: &System, row: usize, j: usize) -> f64 {
        let d = self.directions[j];
        let site = &system.sites[d.site];
        site.tangent_rows().enumerate().map(|(x, r)| system.G[(row, r)] * d.v[x]).sum()
    }

    /// Sets the shares of the redundant directions, (2), from a friction `x` at the normal forces `force`.
    pub fn share(&mut self, system: &System, state: &State, x: &[f64], force: &[f64]) {
        let mut place = 0;
        while place < self.shared.len() {
            let mut s = self.shared[place];
            let site = &system.sites[s.site];
            let along = dot(site, s.v, x);
            let alone = self.directions.iter().find(|d| d.site == s.site);
            let size = alone.map_or(0.0, |d| dot(site, d.v, x)).hypot(along);
            match alone {
                Some(d)
                    if state.delta[s.site] > 0.0
                        && along.abs() > ALONG * size
                        && size > NEAR * site.mu_s * force[s.site] =>
                {
                    let limit = size / force[s.site];
                    self.edges.push(Edge { site: s.site, v1: d.v, limit, sign: along.signum() });
                    self.shared.swap_remove(place);
                    self.add_null(system, s);
                }
                _ => {
                    s.ratio = if force[s.site] > 0.0 { along / force[s.site] } else { 0.0 };
                    self.shared[place] = s;
                    place += 1;
                }
            }
        }
    }

    /// The null vector of A that belongs to a redundant direction.
    fn add_null(&mut self, system: &System, s: Shared) {
        let m = system.rows();
        let start = self.null.len();
        self.null.resize(start + m, 0.0);
        let mut null = std::mem::take(&mut self.null);
        let mut product = std::mem::take(&mut self.product);
        product.clear();
        product.resize(m, 0.0);
        for (x, r) in system.sites[s.site].tangent_rows().enumerate() {
            null[start + r] = s.v[x];
        }
        system.multiply(&null[start..], &mut product);
        self.solve(system, &product, &mut null[start..]);
        (self.null, self.product) = (null, product);
    }

    /// Adds to x the friction along independent directions with which A x + b = 0; b includes what is in x already.
    pub fn solve(&mut self, system: &System, b: &[f64], x: &mut [f64]) {
        let (n, k) = (self.rows.len(), self.directions.len());
        for (a, d) in self.directions.iter().enumerate() {
            self.y[a] = -dot(&system.sites[d.site], d.v, b);
        }
        lower(&self.l, n, k, &mut self.y);
        upper(&self.l, n, k, &mut self.y);
        for (a, d) in self.directions.iter().enumerate() {
            for (c, r) in system.sites[d.site].tangent_rows().enumerate() {
                x[r] += d.v[c] * self.y[a];
            }
        }
    }
}

/// Component of the tangent rows of a contact along a direction.
pub(super) fn dot(site: &Site, v: [f64; 2], x: &[f64]) -> f64 {
    site.tangent_rows().zip(v).map(|(r, v)| x[r] * v).sum()
}

/// Eigenvalues and vectors of a symmetric matrix of size `t`, the larger first.
fn eigen(s: [[f64; 2]; 2], t: usize) -> [(f64, [f64; 2]); 2] {
    if t == 1 {
        return [(s[0][0], [1.0, 0.0]), (0.0, [0.0, 1.0])];
    }
    let (mean, half) = (0.5 * (s[0][0] + s[1][1]), 0.5 * (s[0][0] - s[1][1]));
    let spread = half.hypot(s[0][1]);
    let (sine, cosine) = (0.5 * s[0][1].atan2(half)).sin_cos();
    [(mean + spread, [cosine, sine]), (mean - spread, [-sine, cosine])]
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
