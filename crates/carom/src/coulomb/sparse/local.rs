//! F of one contact and its derivatives: the active piece of (1) to (3) of the dense [Newton](crate::coulomb).
//!
//! ```text
//! F(x, w) = 0 is the contact law;   E = ∂F/∂x,   H = ∂F/∂w                   (1)
//! ```

use super::problem::{ROWS, SparseProblem};
use crate::coulomb::mode::norm;
use crate::coulomb::problem::Duty;

/// Square matrix of one contact, row by row.
pub(super) type Small = [[f64; ROWS]; ROWS];

/// F, E and H.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Local {
    pub f: [f64; ROWS],
    pub E: Small,
    pub H: Small,
}

/// F alone.
pub(super) fn value(
    problem: &SparseProblem,
    k: usize,
    mu: f64,
    x: &[f64],
    w: &[f64],
) -> [f64; ROWS] {
    derivative(problem, k, mu, x, w).f
}

/// F and its derivatives at the rows x and w of contact k.
pub(super) fn derivative(
    problem: &SparseProblem,
    k: usize,
    mu: f64,
    x: &[f64],
    w: &[f64],
) -> Local {
    let c = &problem.contacts[k];
    let n = c.tangents;
    let mut local = Local::default();
    if c.duty == Duty::Apart {
        (0..x.len()).for_each(|i| local.hold(i, x[i]));
        return local;
    }
    let inverse = |g: f64| if g > 0.0 { 1.0 / g } else { 1.0 };
    let (rho_n, rho_t) = (inverse(problem.diagonal(c.normal())), inverse(problem.grip(k)));
    let held = c.duty == Duty::Held;
    let pressed = held || !c.driven && x[n] - c.preload - rho_n * w[n] > 0.0;
    if pressed {
        local.stop(n, rho_n, w[n]);
    } else {
        local.hold(n, x[n] - c.preload);
    }
    match c.duty {
        Duty::Held => (0..n).for_each(|t| local.stop(t, rho_t, w[t])),
        Duty::Sliding(d) => (0..n).for_each(|t| {
            local.hold(t, x[t] + mu * x[n] * d[t]);
            local.E[t][n] = mu * d[t];
        }),
        _ => rub(&mut local, (0, n), n, (rho_t, mu), (x, w)),
    }
    for moment in problem.moments(k) {
        let rows = (moment.law.first - c.first, moment.law.tangents);
        rub(&mut local, rows, n, (inverse(moment.grip), moment.law.friction), (x, w));
    }
    local
}

/// Friction of `count` rows from `at` on, pressed by row n: equation (2) of the dense Newton.
fn rub(
    local: &mut Local,
    (at, count): (usize, usize),
    n: usize,
    (rho, mu): (f64, f64),
    (x, w): (&[f64], &[f64]),
) {
    let mut y = [0.0; 2];
    (0..count).for_each(|t| y[t] = x[at + t] - rho * w[at + t]);
    let length = norm(&y[..count]);
    let bound = mu * x[n].max(0.0);
    if length <= bound && bound > 0.0 {
        (at..at + count).for_each(|t| local.stop(t, rho, w[t]));
        return;
    }
    let unit = if length > 0.0 { [y[0] / length, y[1] / length] } else { [0.0; 2] };
    for s in 0..count {
        local.hold(at + s, x[at + s] - bound * unit[s]);
        if bound > 0.0 {
            local.E[at + s][n] = -mu * unit[s];
        }
    }
    if bound == 0.0 || length == 0.0 || count == 1 {
        return;
    }
    for s in 0..count {
        for r in 0..count {
            let turned = bound / length * (f64::from(r == s) - unit[s] * unit[r]);
            local.E[at + s][at + r] -= turned;
            local.H[at + s][at + r] += turned * rho;
        }
    }
}

impl Local {
    /// Row i asks for ρ w = 0.
    fn stop(&mut self, i: usize, rho: f64, w: f64) {
        self.f[i] = rho * w;
        self.H[i][i] = rho;
    }

    /// Row i asks for a force.
    fn hold(&mut self, i: usize, f: f64) {
        self.f[i] = f;
        self.E[i][i] = 1.0;
    }

    /// T⁻¹F and T⁻¹H with T = E + ε H, n rows; none if T is singular.
    pub fn eliminate(&self, n: usize, soft: f64) -> Option<([f64; ROWS], Small)> {
        let (mut T, mut f, mut C) = (self.E, self.f, self.H);
        for i in 0..n {
            for j in 0..n {
                T[i][j] += soft * self.H[i][j];
            }
        }
        for i in 0..n {
            let best = (i..n).max_by(|&a, &b| T[a][i].abs().total_cmp(&T[b][i].abs()))?;
            T.swap(i, best);
            f.swap(i, best);
            C.swap(i, best);
            let pivot = T[i][i];
            if pivot == 0.0 || !pivot.is_finite() {
                return None;
            }
            for j in 0..n {
                T[i][j] /= pivot;
                C[i][j] /= pivot;
            }
            f[i] /= pivot;
            for r in (0..n).filter(|&r| r != i) {
                let factor = T[r][i];
                if factor != 0.0 {
                    let (from_T, from_C) = (T[i], C[i]);
                    for j in 0..n {
                        T[r][j] -= factor * from_T[j];
                        C[r][j] -= factor * from_C[j];
                    }
                    f[r] -= factor * f[i];
                }
            }
        }
        Some((f, C))
    }
}
