//! Projected Gauss–Seidel sweeps.
//!
//! ```text
//! xₙ ← max(a, xₙ − wₙ/Gₙₙ),   xₜ ← proj_{μ xₙ}(xₜ − wₜ/ρ),   ρ = tr Gₜₜ          (1)
//! driven:   xₙ ← a;
//! sliding:  xₙ ← max(a, xₙ − wₙ/A),  xₜ = −μ xₙ û;   bilateral:  x ← x − w/Gᵢᵢ     (2)
//! ```
//! Each sweep costs one product with G. They say which contacts press, stick and slip; Newton's method
//! does the rest.

use super::mode::norm;
use super::problem::{Duty, Problem};
use nalgebra::DVector;

/// `sweeps` sweeps from x, whose w is kept up to date; ends early where nothing changes.
pub(super) fn sweep(
    problem: &Problem,
    mu: &[f64],
    sweeps: usize,
    (x, w): (&mut DVector<f64>, &mut DVector<f64>),
) {
    for _ in 0..sweeps {
        let mut change = 0.0_f64;
        for k in problem.active() {
            change = change.max(relax(problem, k, mu[k], (x, w)));
        }
        if change <= f64::EPSILON * x.amax() {
            return;
        }
    }
}

/// One contact of a sweep; returns the largest change.
fn relax(
    problem: &Problem,
    k: usize,
    mu: f64,
    (x, w): (&mut DVector<f64>, &mut DVector<f64>),
) -> f64 {
    let c = &problem.contacts[k];
    let n = c.normal();
    let G = &problem.G;
    let mut change = 0.0_f64;
    let mut set = |i: usize, value: f64, x: &mut DVector<f64>, w: &mut DVector<f64>| {
        let step = value - x[i];
        if step != 0.0 {
            x[i] = value;
            w.axpy(step, &G.column(i), 1.0);
            change = change.max(step.abs());
        }
    };
    if c.duty == Duty::Held {
        for i in c.rows().filter(|&i| G[(i, i)] > 0.0) {
            set(i, x[i] - w[i] / G[(i, i)], x, w);
        }
        return change;
    }
    let pivot = G[(n, n)] * problem.stability(k);
    if c.leader.is_some() {
        // Its normal is its leader's.
    } else if c.driven {
        set(n, c.preload, x, w);
    } else if pivot > 0.0 {
        set(n, (x[n] - w[n] / pivot).max(c.preload), x, w);
    }
    let limit = mu * x[n];
    if let Duty::Sliding(d) = c.duty {
        c.tangent_rows().zip(d).for_each(|(i, d)| set(i, -limit * d, x, w));
        return change;
    }
    let rho: f64 = c.tangent_rows().map(|i| G[(i, i)]).sum();
    if rho <= 0.0 {
        return change;
    }
    let mut y = [0.0; 2];
    for (y, i) in y.iter_mut().zip(c.tangent_rows()) {
        *y = x[i] - w[i] / rho;
    }
    let length = norm(&y);
    let factor = if length > limit { limit / length } else { 1.0 };
    for (y, i) in y.into_iter().zip(c.tangent_rows()) {
        set(i, factor * y, x, w);
    }
    change
}
