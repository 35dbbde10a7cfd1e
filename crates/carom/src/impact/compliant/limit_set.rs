//! Newton's method for a convex problem over disks, on the set of contacts at their limit.
//!
//! Unknown are the friction of the contacts inside and the angle of those at their limit; λ is the force that holds a
//! contact at its limit, a = −λ p:
//! ```text
//! inside:  a = 0          at the limit:  t·a = 0,  d(t·a) = t·A dp + λ ρ dφ,  t ⟂ p                 (1)
//! ```
//! The matrix of (1) is symmetric and positive definite. Contacts that leave their disk join the set, those with λ < 0
//! leave it.

use super::disks::{Disks, dot, norm};
use super::hold::{lower, upper};
use crate::numeric::thresholds::compliant;

/// Newton steps of one attempt.
const STEPS: usize = 40;

impl Disks {
    /// Newton's method on the set of contacts at their limit; true if it ends with all signs right.
    pub(super) fn polish(&mut self) -> bool {
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
            if !self.exchange()
                && (size <= compliant::STEADY || miss <= 16.0 * f64::EPSILON * self.size)
            {
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
        lower(&self.system, q, q, &mut self.step);
        upper(&self.system, q, q, &mut self.step);
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
