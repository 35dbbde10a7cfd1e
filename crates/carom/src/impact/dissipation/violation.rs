//! The distance of one contact from the friction law.

use nalgebra::DVector;

use super::chart::Member;
use super::karnopp::Karnopp;

/// How far one contact is from the friction law.
pub(super) struct Violation {
    /// Slip speed.
    pub speed: f64,
    /// Normal impulse.
    pub p_n: f64,
    /// Part of the smaller of slip and friction that is not opposed to the other.
    pub direction: f64,
    /// ‖pₜ‖ − μ(‖x‖) pₙ.
    pub cone: f64,
}

impl Violation {
    /// At impulses p and slips x of a chart.
    pub fn of(m: &Member, f: &Karnopp, p: &DVector<f64>, x: &DVector<f64>) -> Self {
        let p_t = p.rows(m.first, m.tangents);
        let slip = x.rows(m.slip, m.tangents);
        let (speed, friction, p_n) = (slip.norm(), p_t.norm(), p[m.normal()]);
        let (small, large) = (speed.min(friction), speed.max(friction));
        let direction = if small == 0.0 {
            0.0
        } else if p_t.dot(&slip) > 0.0 {
            small
        } else if m.tangents == 2 {
            (p_t[0] * slip[1] - p_t[1] * slip[0]).abs() / large
        } else {
            0.0
        };
        Self { speed, p_n, direction, cone: friction - f.coefficient(speed) * p_n }
    }
}
