//! Limits of joints at the start.
//!
//! # Rule
//! A joint starts within its limits, to [`LIMIT_SLACK`]. Where loops decide the start, whose frames files write with seven digits, a limit
//! gives way by up to [`LOOP_SLACK`] and begins at the start, which is told.
//!
//! # Tests
//! `tests/mjcf_collections.rs`: `limits_give_way_to_loops_of_few_digits`.

use crate::error::Flaw;
use crate::fault::Fault;
use crate::parts::Parts;
use crate::source::Spot;
use crate::warning::{Caution, Cautions};
use carom::model::{BodyId, Model};
use carom::state::State;

/// Slack of a joint limit at the start, relative to the larger of the limit and 1.
const LIMIT_SLACK: f64 = 1e-12;

/// The same where loops decide the start, whose frames files write with seven digits: limits give way so far.
pub(crate) const LOOP_SLACK: f64 = 1e-5;

/// Angle and rate of a joint with one degree of freedom.
pub(crate) fn joint_angle(model: &Model, id: BodyId, state: &State) -> (f64, f64) {
    let c = model.body(id).joint.coordinates[0];
    let (q, v) = (model.q_range(id).start, model.v_range(id).start);
    (c.ratio * state.q[q] + c.offset, c.ratio * state.v[v])
}

/// Limits that loops made the start pass by a little, as [`LOOP_SLACK`] allows, begin at the start; whether there were any.
pub(crate) fn widen_limits(
    parts: &mut Parts,
    (ids, model): (&[BodyId], &Model),
    state: &State,
    cautions: &mut Cautions,
) -> bool {
    let mut widened = false;
    for (part, &id) in parts.bodies.iter_mut().zip(ids).filter(|(p, _)| p.joint.is_single()) {
        let Some(limits) = &mut part.joint.coordinate.limits else { continue };
        let (value, _) = joint_angle(model, id, state);
        let end = value.clamp(limits.lower, limits.upper);
        if (value - end).abs() <= LIMIT_SLACK * end.abs().max(1.0) {
            continue;
        }
        (limits.lower, limits.upper) = (limits.lower.min(value), limits.upper.max(value));
        let joint = part.joint.name.clone();
        cautions.push((Caution::WidenedLimit { joint, value, end }, part.joint.spot));
        widened = true;
    }
    widened
}

/// Every joint starts within its limits; `moved` tells which coordinates loops have changed.
pub(crate) fn check_limits(
    parts: &Parts,
    (ids, model): (&[BodyId], &Model),
    state: &State,
    (spot, moved): (impl Fn(usize) -> Spot, impl Fn(usize) -> bool),
) -> Result<(), Flaw> {
    for (i, part) in parts.bodies.iter().enumerate() {
        let Some(limits) = part.joint.coordinate.limits.filter(|_| part.joint.is_single()) else {
            continue;
        };
        let (value, _) = joint_angle(model, ids[i], state);
        let (lower, upper) = (limits.lower, limits.upper);
        let by_loops = moved(model.q_range(ids[i]).start);
        let share = if by_loops { LOOP_SLACK } else { LIMIT_SLACK };
        let slack = |end: f64| share * end.abs().max(1.0);
        if value < lower - slack(lower) || value > upper + slack(upper) {
            let joint = part.joint.name.clone();
            return Err(Flaw::at(spot(i), Fault::OutsideLimits { joint, value, lower, upper }));
        }
    }
    Ok(())
}
