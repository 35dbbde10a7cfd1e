//! What the law finds beyond an ordinary answer.

use crate::impact::contact_space::ContactSpace;
use crate::impact::solution::ImpactAnswer;

/// One entry of E after the fact, equation (7).
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Coefficient {
    /// velocity after over velocity before
    pub value: f64,
    /// the velocity before was zero and is taken to be that after
    pub substituted: bool,
}

impl Coefficient {
    /// Equation (7) for one row; `small` is the velocity that counts as zero.
    pub fn of(before: f64, after: f64, small: f64) -> Self {
        if before.abs() > small {
            return Self { value: after / before, substituted: false };
        }
        let moves = after.abs() > small;
        Self { value: if moves { 1.0 } else { 0.0 }, substituted: moves }
    }
}

/// An answer with its coefficients and moments.
#[derive(Debug, Clone, Default)]
pub struct MatrixAnswer {
    /// Velocity, impulses, outcomes; the work of moments is part of the friction work.
    pub answer: ImpactAnswer,
    /// Moment impulse of each rotational row.
    pub moments: Vec<f64>,
    /// Rotational velocity of each row after.
    pub rotations: Vec<f64>,
    /// Diagonal of E that reproduces the answer, rows as in the problem.
    pub coefficients: Vec<Coefficient>,
    /// Whether every contact passed the stick test.
    pub stuck: bool,
}

/// Equation (7) for all rows of a space.
pub(super) fn coefficients(space: &ContactSpace, after: &[f64], out: &mut Vec<Coefficient>) {
    let scale = after.iter().fold(space.velocity_scale, |s, u| s.max(u.abs()));
    let small = crate::impact::contact_space::ZERO_VELOCITY * scale;
    out.clear();
    for (&u_pre, &u_post) in space.u_pre.iter().zip(after) {
        out.push(Coefficient::of(u_pre, u_post, small));
    }
}
