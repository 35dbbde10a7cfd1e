//! Starting slip in space: directions that no finite set of modes contains.
//!
//! # Method
//! Where spatial contacts without slip cannot all stick, the direction in which each begins to slip
//! is part of the problem. Gauss–Seidel on the projected equations
//! ```text
//! λₙ ← max(0, λₙ − wₙ/Gₙₙ),   λₜ ← proj_{μd λₙ}(λₜ − wₜ/ρ),   ρ = tr Gₜₜ          (1)
//! ```
//! tells which contacts open, stick and slip; then the directions are refined with the linear
//! system of those modes,
//! ```text
//! d ← (μd λₙ d + wₜ/ρ) normalised                                                  (2)
//! ```
//! whose fixed points have wₜ ∥ d. The answer is accepted only if every contact law holds.
//!
//! # Tests
//! `tests/contact_modes.rs`: `two_corners_of_a_box_start_to_slip`, `random_systems_satisfy_every_law`.

use super::search::{RESIDUAL, SearchScratch, Violation, tangential, worst_violation};
use super::{ContactForces, ContactSystem, Freedom, Press, solve_modes};

/// Sweeps of (1).
const SWEEPS: usize = 3000;
/// Rounds of (2).
const ROUNDS: usize = 1000;
/// Friction within this fraction of its limit slips.
const AT_LIMIT: f64 = 1e-6;

/// Find modes with starting slips; whether it succeeded.
pub(super) fn find_onset(
    system: &ContactSystem,
    freedoms: &[Freedom],
    scratch: &mut SearchScratch,
    press: &mut Vec<Press>,
    out: &mut ContactForces,
) -> bool {
    let lambda = &mut scratch.trial.lambda;
    lambda.clear();
    lambda.resize(system.rows(), 0.0);
    for _ in 0..SWEEPS {
        let mut change = 0.0_f64;
        for (i, freedom) in freedoms.iter().enumerate() {
            change = change.max(relax(system, i, freedom, lambda));
        }
        let size = lambda.iter().fold(0.0_f64, |s, l| s.max(l.abs()));
        if change <= 1e-13 * size {
            break;
        }
    }
    classify(system, freedoms, lambda, press);
    refine(system, freedoms, scratch, press, out)
}

/// One step of (1) for one contact; returns the largest change.
fn relax(system: &ContactSystem, contact: usize, freedom: &Freedom, lambda: &mut [f64]) -> f64 {
    let c = &system.contacts[contact];
    let n = c.normal();
    let w = |row: usize, lambda: &[f64]| {
        let terms = lambda.iter().enumerate().map(|(j, l)| system.G[(row, j)] * l);
        system.b[row] + terms.sum::<f64>()
    };
    let before = [lambda[c.first], lambda[n]];
    let mut pivot = system.G[(n, n)];
    if let Freedom::Sliding(d) = freedom {
        pivot -=
            c.friction * (0..c.tangents).map(|k| system.G[(n, c.first + k)] * d[k]).sum::<f64>();
    }
    if pivot > 0.0 {
        let free = lambda[n] - w(n, lambda) / pivot;
        lambda[n] = if *freedom == Freedom::Held { free } else { free.max(0.0) };
    }
    let limit = c.friction * lambda[n];
    match freedom {
        Freedom::Sliding(d) => {
            for k in 0..c.tangents {
                lambda[c.first + k] = -limit * d[k];
            }
        }
        _ => {
            let rho: f64 = (c.first..n).map(|k| system.G[(k, k)]).sum();
            for k in c.first..n {
                lambda[k] -= w(k, lambda) / rho;
            }
            let t = tangential(lambda, c.first, c.tangents);
            let size = t[0].hypot(t[1]);
            if size > limit {
                lambda[c.first..n].iter_mut().for_each(|l| *l *= limit / size);
            }
        }
    }
    (lambda[n] - before[1]).abs().max((lambda[c.first] - before[0]).abs())
}

/// Modes that the forces of (1) speak of.
fn classify(system: &ContactSystem, freedoms: &[Freedom], lambda: &[f64], press: &mut Vec<Press>) {
    let force = lambda.iter().fold(0.0_f64, |s, l| s.max(l.abs()));
    press.clear();
    for (c, freedom) in system.contacts.iter().zip(freedoms) {
        let (t, normal) = (tangential(lambda, c.first, c.tangents), lambda[c.normal()]);
        let size = t[0].hypot(t[1]);
        press.push(match freedom {
            Freedom::Held => Press::Stick,
            _ if normal <= AT_LIMIT * force => Press::Open,
            Freedom::Sliding(d) => Press::Slip(*d),
            Freedom::Still if size < (1.0 - AT_LIMIT) * c.friction * normal => Press::Stick,
            Freedom::Still if size == 0.0 => Press::Stick,
            Freedom::Still => Press::Slip([-t[0] / size, -t[1] / size]),
        });
    }
}

/// Rounds of (2) until every law holds.
fn refine(
    system: &ContactSystem,
    freedoms: &[Freedom],
    scratch: &mut SearchScratch,
    press: &mut [Press],
    out: &mut ContactForces,
) -> bool {
    for _ in 0..ROUNDS {
        solve_modes(system, press, &mut scratch.solver, out);
        if out.residual.is_nan() || out.residual > RESIDUAL {
            return false;
        }
        match worst_violation(system, freedoms, press, out) {
            None => return true,
            Some((_, Violation::Turns(_) | Violation::SlipsBack(_))) => {}
            Some(_) => return false,
        }
        for (i, c) in system.contacts.iter().enumerate() {
            let (Press::Slip(d), Freedom::Still) = (press[i], freedoms[i]) else { continue };
            let rho: f64 = (c.first..c.normal()).map(|k| system.G[(k, k)]).sum();
            let w = tangential(&out.w, c.first, c.tangents);
            let limit = c.friction * out.lambda[c.normal()];
            let next = [limit * d[0] + w[0] / rho, limit * d[1] + w[1] / rho];
            let size = next[0].hypot(next[1]);
            if size > 0.0 {
                press[i] = Press::Slip([next[0] / size, next[1] / size]);
            }
        }
    }
    false
}
