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
    for (k, c) in problem.contacts.iter().enumerate().filter(|(_, c)| c.active()) {
        for i in problem.rows_of(k) {
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
    for (k, c) in problem.contacts.iter().enumerate().filter(|(_, c)| c.active()) {
        let mobility =
            problem.rows_of(k).map(|i| problem.diagonal(i)).fold(f64::MIN_POSITIVE, f64::max);
        let scales = (velocity, velocity / mobility);
        let mut r = of_contact(c, (&x[c.rows()], &w[c.rows()]), scales);
        for moment in problem.moments(k) {
            let law = &moment.law;
            let with_normal = |rows: &[f64]| {
                let mut own = [0.0; 3];
                own[..law.tangents].copy_from_slice(&rows[law.tangent_rows()]);
                own[law.tangents] = rows[law.normal()];
                own
            };
            r = worse(r, of_contact(law, (&with_normal(x), &with_normal(w)), scales));
        }
        if r.is_nan() {
            return f64::INFINITY;
        }
        worst = worst.max(r);
    }
    worst
}

/// The larger one; NaN if there is any.
fn worse(a: f64, b: f64) -> f64 {
    if a.is_nan() || b.is_nan() { f64::NAN } else { a.max(b) }
}
