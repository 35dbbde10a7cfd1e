//! Contact of the wheels: when they fly, whether forces chatter.

use carom::contact::Mode;

use crate::flickinger::case::{Case, Row};

/// The last time at which no wheel touched, s; `None` if that is still so at the end.
pub fn last_flight(case: &Case) -> Option<f64> {
    let flies = |row: &Row| row.modes.iter().all(|m| *m == Mode::Open);
    let last = case.rows.iter().rposition(flies)?;
    (last + 1 < case.rows.len()).then(|| case.rows[last].t)
}

/// Time that a wheel has spent in contact, in all, s.
pub fn contact_time(case: &Case, site: usize) -> f64 {
    let closed = case.rows.windows(2).filter(|w| w.iter().all(|r| r.modes[site].is_closed()));
    closed.map(|w| w[1].t - w[0].t).sum()
}

/// Changes of sign of the slope of the normal forces between events, all wheels together.
///
/// Slopes below 1e-9 of the largest force per sample are level. Samples at an event come twice, before and after; a
/// stretch ends there, so that jumps at events do not count.
pub fn slope_changes(case: &Case) -> usize {
    (0..case.scene.model.pairs().len()).map(|site| changes_at(case, site)).sum()
}

fn changes_at(case: &Case, site: usize) -> usize {
    let largest = case.rows.iter().fold(0.0_f64, |m, r| m.max(r.forces[site][2]));
    let mut count = 0;
    let mut before: Option<f64> = None;
    for pair in case.rows.windows(2) {
        let closed = pair.iter().all(|r| r.modes[site].is_closed());
        if pair[1].t <= pair[0].t || !closed {
            before = None;
            continue;
        }
        let rise = pair[1].forces[site][2] - pair[0].forces[site][2];
        if rise.abs() <= 1e-9 * largest {
            continue;
        }
        if before.is_some_and(|b| b != rise.signum()) {
            count += 1;
        }
        before = Some(rise.signum());
    }
    count
}

/// Place of the bar's centre along a slope, m.
pub fn along(row: &Row, slope: f64) -> f64 {
    let (sin, cos) = slope.to_radians().sin_cos();
    row.q[0] * cos - row.q[1] * sin
}

/// Distance of the bar's centre from its start along the surface at the end, m.
pub fn travelled(case: &Case, slope: f64) -> f64 {
    let (Some(first), Some(last)) = (case.rows.first(), case.rows.last()) else { return f64::NAN };
    along(last, slope) - along(first, slope)
}
