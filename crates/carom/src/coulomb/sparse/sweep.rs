//! Projected Gauss–Seidel sweeps.
//!
//! ```text
//! xₙ ← max(a, xₙ − wₙ/Gₙₙ),   xₜ ← proj_{μ xₙ}(xₜ − wₜ/ρ),   ρ = λmax(Gₜₜ)       (1)
//! driven:   xₙ ← a;
//! sliding:  xₙ ← max(a, xₙ − wₙ/A),  xₜ = −μ xₙ û;   bilateral:  x ← x − w/Gᵢᵢ     (2)
//! moments:  as xₜ, with μ of their own and the new xₙ                                    (3)
//! ```
//! with G + ε g I in place of G where contacts are soft. s is kept up to date, so that a sweep costs as much as Z
//! has entries. Sweeps go forth and back in turn: what is at one end of a stack reaches the other in one of them.

use super::problem::{ROWS, SparseProblem};
use crate::coulomb::mode::norm;
use crate::coulomb::problem::{Contact, Duty};

/// Contacts that yield: ε g, and the forces x° at which they do not.
#[derive(Debug, Clone, Copy)]
pub(super) struct Softness<'a> {
    pub by: f64,
    pub about: &'a [f64],
}

impl Softness<'_> {
    /// Rigid contacts.
    pub const NONE: Softness<'static> = Softness { by: 0.0, about: &[] };

    /// What it adds to w at row i.
    pub fn yields(&self, i: usize, x: f64) -> f64 {
        self.by * (x - self.about.get(i).copied().unwrap_or(0.0))
    }
}

/// One sweep over all contacts, backwards if asked; returns the largest change of x times Gᵢᵢ, a velocity.
pub(super) fn sweep(
    problem: &SparseProblem,
    mu: &[f64],
    soft: &Softness<'_>,
    backwards: bool,
    (x, s): (&mut [f64], &mut [f64]),
) -> f64 {
    let n = problem.contacts.len();
    let mut change = 0.0_f64;
    for i in 0..n {
        let k = if backwards { n - 1 - i } else { i };
        change = change.max(relax(problem, k, mu[k], soft, (x, s)));
    }
    change
}

fn relax(
    problem: &SparseProblem,
    k: usize,
    mu: f64,
    soft: &Softness<'_>,
    (x, s): (&mut [f64], &mut [f64]),
) -> f64 {
    let c = &problem.contacts[k];
    if c.duty == Duty::Apart {
        return 0.0;
    }
    let rows = problem.rows_of(k);
    let mut w = problem.times(k, s);
    for (w, i) in w.iter_mut().zip(rows.clone()) {
        *w += problem.b[i] + soft.yields(i, x[i]);
    }
    let mut next = answer(problem, k, mu, soft.by, (&x[rows.clone()], &w));
    for moment in problem.moments(k) {
        let (at, n) = (moment.law.first - c.first, moment.law.tangents);
        let limit = moment.law.friction * next[c.tangents].max(0.0);
        rub(at..at + n, (moment.grip + soft.by, limit), &w, &mut next);
    }
    let mut step = [0.0; ROWS];
    let mut change = 0.0_f64;
    for (place, i) in rows.clone().enumerate() {
        step[place] = next[place] - x[i];
        change = change.max(step[place].abs() * problem.diagonal(i));
        x[i] = next[place];
    }
    if change > 0.0 {
        problem.add(k, &step[..rows.len()], s);
    }
    change
}

/// Equations (1) and (2): forces of one contact from its forces x and velocities w.
fn answer(
    problem: &SparseProblem,
    k: usize,
    mu: f64,
    soft: f64,
    (x, w): (&[f64], &[f64; ROWS]),
) -> [f64; ROWS] {
    let c: &Contact = &problem.contacts[k];
    let n = c.tangents;
    let mut next = [0.0; ROWS];
    next[..x.len()].copy_from_slice(x);
    if c.duty == Duty::Held {
        for (place, i) in c.rows().enumerate() {
            let pivot = problem.diagonal(i) + soft;
            if pivot > 0.0 {
                next[place] -= w[place] / pivot;
            }
        }
        return next;
    }
    let pivot = problem.pivot(k) + soft;
    if c.driven {
        next[n] = c.preload;
    } else if pivot > 0.0 {
        next[n] = (x[n] - w[n] / pivot).max(c.preload);
    }
    let limit = mu * next[n];
    if let Duty::Sliding(d) = c.duty {
        (0..n).for_each(|t| next[t] = -limit * d[t]);
        return next;
    }
    let rho = problem.grip(k) + soft;
    if n == 0 || rho <= 0.0 {
        return next;
    }
    rub(0..n, (rho, limit), w, &mut next);
    next
}

/// Friction of these rows within its limit; `x` are its forces before.
fn rub(
    rows: std::ops::Range<usize>,
    (rho, limit): (f64, f64),
    w: &[f64; ROWS],
    x: &mut [f64; ROWS],
) {
    if rho > 0.0 {
        rows.clone().for_each(|t| x[t] -= w[t] / rho);
    }
    let length = norm(&x[rows.clone()]);
    if length > limit {
        rows.for_each(|t| x[t] *= limit / length);
    }
}
