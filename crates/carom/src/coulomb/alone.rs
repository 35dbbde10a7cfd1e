//! One contact in the plane or without friction, and without a past: what [`pivot`](super::pivot) finds for it, in closed form.
//!
//! # Law
//! ```text
//! stick:  x = −G⁻¹b,                       xₙ ≥ 0,  |xₜ| ≤ μ xₙ                     (1)
//! slip:   xₙ = −bₙ/(Gₙₙ − μ d Gₙₜ),  xₜ = −μ d xₙ,   xₙ > 0,  d wₜ > 0             (2)
//! open:   x = 0,                           bₙ ≥ 0                                    (3)
//! smooth: xₙ = −bₙ/Gₙₙ,                    bₙ < 0,  μ = 0                            (4)
//! ```
//! tried in this order, d against the friction of (1). (3) is an answer only where (1) pulls. Where μs differs from μd
//! and (1) does not hold, or none of them does, the general way decides; so it does where G is singular.
//!
//! # Tests
//! `tests/coulomb.rs`: `a_contact_alone_is_what_pivoting_finds`, `eq4_a_smooth_contact_alone`.

use super::mode::{Mode, Tangent};
use super::problem::{Duty, Problem};
use crate::numeric::thresholds::NEARLY_SINGULAR;
use nalgebra::DVector;

/// The answer of a problem of one planar or smooth contact into x, and its mode; none if the general way must decide.
pub(super) fn alone(problem: &Problem, x: &mut DVector<f64>) -> Option<Mode> {
    let [c] = problem.contacts.as_slice() else { return None };
    if c.duty != Duty::Coulomb || c.driven || c.preload != 0.0 {
        return None;
    }
    let (t, n) = (c.first, c.normal());
    let (G, b) = (&problem.G, &problem.b);
    if c.tangents == 0 && G[(n, n)] > 0.0 {
        x[n] = (-b[n] / G[(n, n)]).max(0.0);
        return Some(if b[n] < 0.0 { Mode::held(Tangent::Smooth) } else { Mode::OPEN });
    }
    if c.tangents != 1 || !c.rough() {
        return None;
    }
    let (tt, tn, nn) = (G[(t, t)], G[(t, n)], G[(n, n)]);
    let det = tt * nn - tn * tn;
    if det.is_nan() || det <= NEARLY_SINGULAR * tt * nn {
        return None;
    }
    let stick = [(tn * b[n] - nn * b[t]) / det, (tn * b[t] - tt * b[n]) / det];
    if stick[1] >= 0.0 && stick[0].abs() <= c.static_friction * stick[1] {
        (x[t], x[n]) = (stick[0], stick[1]);
        return Some(Mode::held(Tangent::Stick));
    }
    if stick[1] < 0.0 {
        x.fill(0.0);
        return (b[n] >= 0.0).then_some(Mode::OPEN);
    }
    let d = -stick[0].signum();
    let normal = -b[n] / (nn - c.friction * d * tn);
    let slip = d * (b[t] + (tn - tt * c.friction * d) * normal);
    if c.static_friction != c.friction || !(normal > 0.0 && slip > 0.0) {
        return None;
    }
    (x[t], x[n]) = (-c.friction * d * normal, normal);
    Some(Mode::held(Tangent::Slip([d, 0.0])))
}
