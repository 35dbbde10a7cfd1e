//! The residual of an answer, from the definition of the problem.
//!
//! # Law
//! (1) to (5) of [`crate::coulomb::certificate`], with a scale of velocities that needs no G and is never larger than
//! that of the dense problem,
//! ```text
//! U = maxᵢ (|bᵢ| + |Σⱼ Gᵢⱼ xⱼ|)                                              (1)
//! ```
//! so that this residual is never smaller than the dense one.
//!
//! # Tests
//! `tests/coulomb_sparse.rs`: `eq1_the_certificate_is_no_smaller_than_the_dense_one`.

use super::problem::SparseProblem;
use crate::coulomb::certificate::of_contact;
use crate::numeric::thresholds::LEVERAGE;

/// U, equation (1), within the leverage that the dense certificate allows.
pub(super) fn scale(problem: &SparseProblem, w: &[f64]) -> f64 {
    let (mut largest, mut given) = (f64::MIN_POSITIVE, f64::MIN_POSITIVE);
    for c in problem.contacts.iter().filter(|c| c.active()) {
        for i in c.rows() {
            let b = problem.b[i].abs();
            largest = largest.max(b + (w[i] - problem.b[i]).abs());
            given = given.max(b + problem.diagonal(i) * c.preload);
        }
    }
    largest.min(LEVERAGE * given)
}

/// The largest residual of all contacts; w must belong to x.
pub(super) fn residual(problem: &SparseProblem, x: &[f64], w: &[f64]) -> f64 {
    let velocity = scale(problem, w);
    let mut worst: f64 = 0.0;
    for c in problem.contacts.iter().filter(|c| c.active()) {
        let mobility = c.rows().map(|i| problem.diagonal(i)).fold(f64::MIN_POSITIVE, f64::max);
        let r = of_contact(c, (&x[c.rows()], &w[c.rows()]), (velocity, velocity / mobility));
        if r.is_nan() {
            return f64::INFINITY;
        }
        worst = worst.max(r);
    }
    worst
}
