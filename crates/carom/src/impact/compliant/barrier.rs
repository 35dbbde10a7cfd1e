//! A convex problem over disks by a barrier, for sets of contacts that are hard to guess.
//!
//! With qᵢ = pᵢ/ρᵢ in unit disks, H = DAD, g = Db, D = diag ρᵢ, and wᵢ the size of the terms of contact i,
//! ```text
//! min ½ qᵀH q + gᵀq − τ Σ wᵢ ln(1 − ‖qᵢ‖²),   τ → 0                                   (1)
//! ```
//! by Newton's method, which stays inside. The problem is convex and the barrier self-concordant, so a bounded number of
//! steps suffices. A contact is at its limit if its force on the barrier, 2τ/(1 − ‖q‖²), exceeds its distance to it.

use super::disks::Disk;
use super::hold::{lower, upper};
use super::limit_set::cholesky;
use crate::numeric::thresholds::compliant::LAST;

/// Factor by which τ falls.
const FALL: f64 = 0.1;

/// Newton steps for each τ.
const STEPS: usize = 12;

/// Scratch of the method.
#[derive(Clone, Debug, Default)]
pub(super) struct Barrier {
    h: Vec<f64>,
    g: Vec<f64>,
    w: Vec<f64>,
    q: Vec<f64>,
    gradient: Vec<f64>,
    hessian: Vec<f64>,
    trial: Vec<f64>,
}

impl Barrier {
    /// Solves the problem to the last τ; sets p and which contacts are at their limit.
    pub fn solve(&mut self, disks: &mut [Disk], matrix: &[f64], b: &[f64], p: &mut [f64]) {
        self.load(disks, matrix, b);
        let mut tau = 1.0;
        while tau > LAST {
            tau *= FALL;
            for _ in 0..STEPS {
                if !self.step(disks, tau) {
                    break;
                }
            }
        }
        for d in disks {
            let slack = self.slack(d);
            d.limit = d.rho == 0.0 || slack * slack < 2.0 * LAST;
            let size = (1.0 - slack).sqrt();
            for i in d.first..d.first + d.dim {
                let onto = if d.limit && size > 0.0 { 1.0 / size } else { 1.0 };
                p[i] = self.q[i] * d.rho * onto;
            }
        }
    }

    fn load(&mut self, disks: &[Disk], matrix: &[f64], b: &[f64]) {
        let n = b.len();
        for x in [&mut self.q, &mut self.g] {
            x.clear();
            x.resize(n, 0.0);
        }
        self.h.clear();
        self.h.extend_from_slice(matrix);
        self.w.clear();
        for d in disks {
            for i in d.first..d.first + d.dim {
                self.g[i] = b[i] * d.rho;
                for j in 0..n {
                    self.h[i * n + j] *= d.rho;
                    self.h[j * n + i] *= d.rho;
                }
            }
        }
        for d in disks {
            let mut size = 0.0_f64;
            for i in d.first..d.first + d.dim {
                let row = self.h[i * n..(i + 1) * n].iter().map(|x| x.abs()).sum::<f64>();
                size = size.max(self.g[i].abs()).max(row);
            }
            self.w.push(size.max(f64::MIN_POSITIVE));
        }
    }

    fn slack(&self, d: &Disk) -> f64 {
        1.0 - self.q[d.first..d.first + d.dim].iter().map(|q| q * q).sum::<f64>()
    }

    /// One damped Newton step; false if it was the last that is worth while.
    fn step(&mut self, disks: &[Disk], tau: f64) -> bool {
        let n = self.q.len();
        self.hessian.clear();
        self.hessian.extend_from_slice(&self.h);
        self.gradient.clear();
        for i in 0..n {
            let row = &self.h[i * n..(i + 1) * n];
            let product: f64 = row.iter().zip(&self.q).map(|(h, q)| h * q).sum();
            self.gradient.push(product + self.g[i]);
        }
        for (d, w) in disks.iter().zip(&self.w) {
            let (slack, weight) = (self.slack(d), 2.0 * tau * w);
            for i in d.first..d.first + d.dim {
                self.gradient[i] += weight * self.q[i] / slack;
                self.hessian[i * n + i] += weight / slack;
                for j in d.first..d.first + d.dim {
                    self.hessian[i * n + j] +=
                        2.0 * weight * self.q[i] * self.q[j] / (slack * slack);
                }
            }
        }
        self.trial.clear();
        self.trial.extend(self.gradient.iter().map(|g| -g));
        if !cholesky(&mut self.hessian, n) {
            return false;
        }
        lower(&self.hessian, n, n, &mut self.trial);
        upper(&self.hessian, n, n, &mut self.trial);
        self.walk(disks, tau)
    }

    /// Goes along the direction in `trial`, at most 0.9 of the way to the nearest disk.
    fn walk(&mut self, disks: &[Disk], tau: f64) -> bool {
        let decrement: f64 = self.trial.iter().zip(&self.gradient).map(|(d, g)| -d * g).sum();
        let least = self.w.iter().copied().fold(f64::INFINITY, f64::min);
        let length = disks.iter().map(|d| 0.9 * self.room(d)).fold(1.0, f64::min);
        for (q, d) in self.q.iter_mut().zip(&self.trial) {
            *q += length * d;
        }
        decrement > 1e-3 * least * tau
    }

    /// Multiple of the direction at which a contact reaches its unit disk.
    fn room(&self, d: &Disk) -> f64 {
        let (mut dd, mut qd) = (0.0, 0.0);
        for i in d.first..d.first + d.dim {
            dd += self.trial[i] * self.trial[i];
            qd += self.q[i] * self.trial[i];
        }
        let slack = self.slack(d);
        if dd == 0.0 { f64::INFINITY } else { slack / (qd + (qd * qd + dd * slack).sqrt()) }
    }
}
