//! The residual of an answer, from the definition of the problem.
//!
//! # Law
//! With the scale of velocities U = maxᵢ (|bᵢ| + Σⱼ|Gᵢⱼ xⱼ|) over the rows that take part and that of
//! impulses P = U/maxᵢ Gᵢᵢ over the rows of a contact, the residual of a contact is the largest of
//! ```text
//! (a − xₙ)/P,  −wₙ/U,  min(|xₙ − a|/P, |wₙ|/U)     driven:  |xₙ − a|/P              (1)
//! Coulomb:  the smaller of  max(‖wₜ‖/U, (‖xₜ‖ − μs xₙ)/P)  and  ‖xₜ + μd xₙ wₜ/‖wₜ‖‖/P   (2)
//! sliding:  ‖xₜ + μd xₙ û‖/P                                                          (3)
//! bilateral:  |w|/U                                                                   (4)
//! ```
//! U is at most a thousand times what the problem itself brings,
//! ```text
//! U ≤ 10³ maxᵢ (|bᵢ| + Σⱼ|Gᵢⱼ aⱼ|)                                                   (5)
//! ```
//! so that enormous forces that cancel each other cannot make an answer of a residual. It is a pure
//! number; NaN gives infinity.
//!
//! w is a sum and known to δ = κ ε₀ U, ε₀ the unit round-off and κ its [`ROUNDED`] terms: of a slip of 1e-7 U the direction
//! is known to 1e-8 only. What the velocity that suits best within δ of wₜ satisfies is satisfied:
//! ```text
//! slip in (2):  the larger of  ‖xₜ + μd xₙ wₜ/‖wₜ‖‖/P − μd xₙ/P δ/‖wₜ‖  and  |‖xₜ‖ − μd xₙ|/P      (6)
//! ```
//! the direction may be off by δ/‖wₜ‖, the size of the friction not at all.
//!
//! # Tests
//! `tests/coulomb.rs`: `certificate_sees_every_violation`, `eq6_direction_of_a_slow_slip`.

use super::mode::norm;
use super::problem::{Contact, Duty, Problem};
use crate::numeric::reshape_vector;
use crate::numeric::thresholds::{LEVERAGE, ROUNDED};
use nalgebra::DVector;

/// w = G x + b.
pub fn velocity(problem: &Problem, x: &DVector<f64>, w: &mut DVector<f64>) {
    reshape_vector(w, problem.rows());
    w.copy_from(&problem.b);
    let (n, G) = (problem.rows(), problem.G.as_slice());
    let w = w.as_mut_slice();
    // A row that moves nothing, as of what presses the friction of a joint, has a diagonal of zero.
    for (j, &x) in x.iter().enumerate().filter(|(j, x)| **x != 0.0 && G[j * n + j] != 0.0) {
        w.iter_mut().zip(&G[j * n..(j + 1) * n]).for_each(|(w, g)| *w += g * x);
    }
}

/// U, equation (5).
pub fn scale(problem: &Problem, x: &DVector<f64>) -> f64 {
    let (mut largest, mut given) = (f64::MIN_POSITIVE, f64::MIN_POSITIVE);
    let (n, G, x) = (problem.rows(), problem.G.as_slice(), x.as_slice());
    let loads = |c: &Contact| c.preload != 0.0 && G[c.normal() * (n + 1)] != 0.0;
    let loaded = problem.contacts.iter().any(loads);
    for c in problem.contacts.iter().filter(|c| c.active()) {
        for i in c.rows().filter(|i| G[i * (n + 1)] != 0.0 || problem.b[*i] != 0.0) {
            let row = &G[i * n..(i + 1) * n];
            let terms: f64 = row.iter().zip(x).map(|(g, x)| (g * x).abs()).sum();
            largest = largest.max(problem.b[i].abs() + terms);
            let load = |c: &Contact| (row[c.normal()] * c.preload).abs();
            let loads: f64 = if loaded { problem.contacts.iter().map(load).sum() } else { 0.0 };
            given = given.max(problem.b[i].abs() + loads);
        }
    }
    largest.min(LEVERAGE * given)
}

/// The largest residual of all contacts; w must belong to x.
pub fn residual(problem: &Problem, x: &DVector<f64>, w: &DVector<f64>) -> f64 {
    let velocity = scale(problem, x);
    let mut worst: f64 = 0.0;
    for k in problem.active() {
        let r = contact_residual(problem, k, (x, w), velocity);
        if r.is_nan() {
            return f64::INFINITY;
        }
        worst = worst.max(r);
    }
    worst
}

fn contact_residual(
    problem: &Problem,
    k: usize,
    (x, w): (&DVector<f64>, &DVector<f64>),
    velocity: f64,
) -> f64 {
    let c = &problem.contacts[k];
    let impulse = velocity / problem.mobility(k);
    if c.leader.is_some() {
        // Its own rows, and the normal of its leader.
        let with_normal = |x: &DVector<f64>| {
            let mut rows = [0.0; 3];
            rows[..c.tangents].copy_from_slice(&x.as_slice()[c.rows()]);
            rows[c.tangents] = x[c.normal()];
            rows
        };
        let (x, w) = (with_normal(x), with_normal(w));
        return of_contact(c, (&x, &w), (velocity, impulse));
    }
    of_contact(c, (&x.as_slice()[c.rows()], &w.as_slice()[c.rows()]), (velocity, impulse))
}

/// Equations (1) to (4) of one contact with its rows of x and w, the normal last, U and P.
pub(super) fn of_contact(
    c: &Contact,
    (x, w): (&[f64], &[f64]),
    (velocity, impulse): (f64, f64),
) -> f64 {
    let (x_n, w_n) = (x[c.tangents], w[c.tangents]);
    let (x_t, w_t) = (&x[..c.tangents], &w[..c.tangents]);
    if c.duty == Duty::Held {
        return norm(w_t).max(w_n.abs()) / velocity;
    }
    let (push, gap) = ((x_n - c.preload) / impulse, w_n / velocity);
    if push.is_nan() || gap.is_nan() {
        return f64::NAN;
    }
    let normal = match c {
        // The law of a normal is asked of the contact that has it.
        c if c.leader.is_some() => 0.0,
        c if c.driven => push.abs(),
        _ => (-push).max(-gap).max(push.abs().min(gap.abs())),
    };
    let slides = |d: [f64; 2]| {
        let miss = |t: usize| x_t.get(t).map_or(0.0, |x| x + c.friction * x_n * d[t]);
        miss(0).hypot(miss(1)) / impulse
    };
    let tangential = match c.duty {
        _ if c.tangents == 0 => 0.0,
        Duty::Sliding(d) => slides(d),
        _ => {
            let slip = norm(w_t);
            let stick = (slip / velocity).max((norm(x_t) - c.static_friction * x_n) / impulse);
            let unit = |t: usize| w_t.get(t).map_or(0.0, |w| w / slip);
            let turn = ROUNDED * f64::EPSILON * velocity / slip;
            let limit = c.friction * x_n.max(0.0);
            let size = (norm(x_t) - limit).abs() / impulse;
            let along = || slides([unit(0), unit(1)]) - limit / impulse * turn;
            if slip > 0.0 { stick.min(along().max(size)) } else { stick }
        }
    };
    normal.max(tangential)
}
