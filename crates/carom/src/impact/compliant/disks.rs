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

/// ε of (2).
const SOFT: f64 = 1e-10;

/// Rounds of blocks before the first attempt of Newton's method.
const ROUNDS: usize = 12;

/// Rounds of (2).
const OUTER: usize = 4;

/// Newton steps of one attempt.
const STEPS: usize = 40;

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
    columns: Vec<(usize, [f64; 2], usize)>,
    system: Vec<f64>,
    step: Vec<f64>,
    spare: Vec<f64>,
    marks: Vec<bool>,
    size: f64,
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
            if creep <= 1e-16 * size {
                break;
            }
        }
        self.residual();
        self.b.copy_from_slice(&self.data);
    }

    /// Solves (2); p is the start.
    fn solve_soft(&mut self) {
        for _ in 0..ROUNDS {
            if self.round() <= 1e-15 {
                break;
            }
        }
        for d in &mut self.disks {
            d.limit = norm(&self.p, d) >= d.rho * (1.0 - 1e-12);
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
    fn residual(&mut self) {
        let n = self.rows();
        self.size = 0.0;
        for i in 0..n {
            let row = &self.matrix[i * n..(i + 1) * n];
            self.a[i] = self.b[i] + dot(row, &self.p);
            let terms: f64 = row.iter().zip(&self.p).map(|(a, p)| (a * p).abs()).sum();
            self.size = self.size.max(self.b[i].abs() + terms);
        }
    }

    /// Newton's method on the set of contacts at their limit; true if it ends with all signs right.
    fn polish(&mut self) -> bool {
        self.spare.clear();
        self.spare.extend_from_slice(&self.p);
        self.marks.clear();
        self.marks.extend(self.disks.iter().map(|d| d.limit));
        for _ in 0..STEPS {
            self.residual();
            self.unknowns();
            let (size, miss) = self.newton_step();
            if !size.is_finite() {
                break;
            }
            self.apply();
            if !self.exchange() && (size <= 1e-14 || miss <= 16.0 * f64::EPSILON * self.size) {
                self.residual();
                return true;
            }
        }
        self.p.copy_from_slice(&self.spare);
        for (d, limit) in self.disks.iter_mut().zip(&self.marks) {
            d.limit = *limit;
        }
        false
    }

    /// One unknown per free row, one per contact that turns along its limit.
    fn unknowns(&mut self) {
        self.columns.clear();
        for (k, d) in self.disks.iter().enumerate() {
            let p = [self.p[d.first], if d.dim == 2 { self.p[d.first + 1] } else { 0.0 }];
            match (d.limit, d.dim) {
                (true, 2) if d.rho > 0.0 => {
                    self.columns.push((d.first, [-p[1] / d.rho, p[0] / d.rho], k));
                }
                (true, _) => {}
                (false, _) => {
                    for i in 0..d.dim {
                        let e = if i == 0 { [1.0, 0.0] } else { [0.0, 1.0] };
                        self.columns.push((d.first, e, k));
                    }
                }
            }
        }
    }

    /// Solves for the step; its size relative to ρ, and the largest residual before it.
    fn newton_step(&mut self) -> (f64, f64) {
        let (n, q) = (self.rows(), self.columns.len());
        self.system.clear();
        self.system.resize(q * q, 0.0);
        self.step.clear();
        for a in 0..q {
            let (i, s, k) = self.columns[a];
            let d = self.disks[k];
            let rhs: f64 = (0..d.dim).map(|x| s[x] * self.a[i + x]).sum();
            self.step.push(-rhs);
            for b in 0..=a {
                let (j, t, l) = self.columns[b];
                let e = self.disks[l];
                let mut x = 0.0;
                for (r, s) in s.iter().enumerate().take(d.dim) {
                    for (c, t) in t.iter().enumerate().take(e.dim) {
                        x += s * self.matrix[(i + r) * n + j + c] * t;
                    }
                }
                self.system[a * q + b] = x;
            }
            if d.limit {
                let lambda = -dot(&self.p[i..i + 2], &self.a[i..i + 2]) / (d.rho * d.rho);
                self.system[a * q + a] += lambda.max(0.0);
            }
        }
        let miss = self.step.iter().fold(0.0_f64, |s, x| s.max(x.abs()));
        if !cholesky(&mut self.system, q) {
            return (f64::NAN, f64::NAN);
        }
        super::hold::lower(&self.system, q, q, &mut self.step);
        super::hold::upper(&self.system, q, q, &mut self.step);
        let relative = |(a, x): (usize, &f64)| x.abs() / self.disks[self.columns[a].2].rho;
        (self.step.iter().enumerate().map(relative).fold(0.0, f64::max), miss)
    }

    /// Moves along the step: free rows straight, contacts at their limit along it.
    fn apply(&mut self) {
        for a in 0..self.columns.len() {
            let (i, t, k) = self.columns[a];
            let d = self.disks[k];
            let step = if d.limit { self.step[a].clamp(-d.rho, d.rho) } else { self.step[a] };
            for (x, t) in t.iter().enumerate().take(d.dim) {
                self.p[i + x] += t * step;
            }
            if d.limit {
                let scale = d.rho / norm(&self.p, &d);
                self.p[i] *= scale;
                self.p[i + 1] *= scale;
            }
        }
    }

    /// Contacts beyond their limit are brought to it, those that pull away from it are freed; true if any was.
    fn exchange(&mut self) -> bool {
        self.residual();
        let mut changed = false;
        for d in &mut self.disks {
            let size = norm(&self.p, d);
            let rows = d.first..d.first + d.dim;
            if !d.limit && size > d.rho {
                d.limit = true;
                changed = true;
                let scale = if size > 0.0 { d.rho / size } else { 0.0 };
                self.p[rows].iter_mut().for_each(|p| *p *= scale);
            } else if d.limit
                && dot(&self.p[rows.clone()], &self.a[rows])
                    > 16.0 * f64::EPSILON * d.rho * self.size
            {
                d.limit = false;
                changed = true;
            }
        }
        changed
    }
}

fn dot(a: &[f64], b: &[f64]) -> f64 {
    a.iter().zip(b).map(|(a, b)| a * b).sum()
}

fn norm(p: &[f64], d: &Disk) -> f64 {
    p[d.first..d.first + d.dim].iter().fold(0.0_f64, |s, x| s.hypot(*x))
}

/// Factor in place, lower triangle; false if not positive definite.
pub(super) fn cholesky(a: &mut [f64], n: usize) -> bool {
    for i in 0..n {
        for j in 0..=i {
            let known: f64 = (0..j).map(|k| a[i * n + k] * a[j * n + k]).sum();
            let x = a[i * n + j] - known;
            if i != j {
                a[i * n + j] = x / a[j * n + j];
            } else if x > 0.0 {
                a[i * n + i] = x.sqrt();
            } else {
                return false;
            }
        }
    }
    true
}

/// min ½ qᵀh q + gᵀq over ‖q‖ ≤ ρ in the plane, by the eigenvalues of h and one root.
fn in_disk(h: [[f64; 2]; 2], g: [f64; 2], rho: f64) -> [f64; 2] {
    let (mean, half) = (0.5 * (h[0][0] + h[1][1]), 0.5 * (h[0][0] - h[1][1]));
    let spread = half.hypot(h[0][1]);
    let angle = 0.5 * h[0][1].atan2(half);
    let (s, c) = angle.sin_cos();
    let l = [mean + spread, (mean - spread).max(0.0)];
    let y = [c * g[0] + s * g[1], c * g[1] - s * g[0]];
    let at = |lambda: f64| [-y[0] / (l[0] + lambda), -y[1] / (l[1] + lambda)];
    let back = |q: [f64; 2]| [c * q[0] - s * q[1], s * q[0] + c * q[1]];
    let size = |q: [f64; 2]| q[0].hypot(q[1]);
    let free = at(0.0);
    if size(free) <= rho {
        return back(free);
    }
    if rho <= 0.0 {
        return [0.0; 2];
    }
    // 1/‖q(λ)‖ is concave in λ, so Newton's method from the left never overshoots.
    let mut lambda = (y[0].hypot(y[1]) / rho - l[0]).max(0.0);
    for _ in 0..60 {
        let q = at(lambda);
        let r = size(q);
        let slope = q[0] * q[0] / (l[0] + lambda) + q[1] * q[1] / (l[1] + lambda);
        let step = (r - rho) / rho * r * r / slope;
        lambda += step;
        if step.abs() <= 1e-16 * lambda {
            break;
        }
    }
    let q = at(lambda);
    let scale = rho / size(q);
    back([q[0] * scale, q[1] * scale])
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
