//! A start that closes all loops.
//!
//! # Rule
//! Where closing takes joints beyond their limits, the one that is farthest beyond is held at its limit and the loops are closed with the
//! others, and so on until none is beyond. If that does not lead to a start, the first one stays and is a fault of the limits.
//!
//! # Tests
//! `tests/loops.rs`; `tests/mjcf_collections.rs`: `loops_close_within_limits`.

use crate::error::Flaw;
use crate::fault::Fault;
use crate::read::limits::LOOP_SLACK;
use crate::read::start::Stated;
use crate::source::Spot;
use crate::warning::{Caution, Cautions};
use carom::control::Prescribed;
use carom::hybrid::{Fixed, OpenLoop, assemble};
use carom::model::Model;
use carom::state::State;

/// Loops are closed; what was stated and could not be kept is told.
pub(crate) fn closed(
    (model, motions): (&Model, &[Prescribed]),
    state: &mut State,
    stated: &Stated,
    spots: &[Spot],
    cautions: &mut Cautions,
) -> Result<(), Flaw> {
    let before = state.clone();
    let given = Fixed { coordinates: &stated.coordinates, velocities: &stated.velocities };
    let close = |motions: &[Prescribed], state: &mut State| {
        assemble(model, motions, given, state).map_err(|open| {
            let place = model.loops().iter().position(|one| one.name == open.name).unwrap_or(0);
            let OpenLoop { name, residual, unit, reversed } = open;
            Flaw::at(spots[place], Fault::OpenLoop { name, residual, unit, reversed })
        })
    };
    let mut moved = close(motions, state)?;
    // Joints that it takes beyond their limits stay at these, one after the other.
    let mut motions = motions.to_vec();
    let mut held = state.clone();
    let kept = beyond(model, &motions, &before).is_none() && !spots.is_empty();
    while let Some((dof, limit)) = beyond(model, &motions, &held).filter(|_| kept) {
        motions.push(Prescribed { dof, offset: limit, ..Prescribed::default() });
        held = before.clone();
        let (place, c) = (model.q_of_v()[dof], model.coordinates()[dof]);
        if let Some(place) = place {
            held.q[place] = (limit - c.offset) / c.ratio;
        }
        let Ok(now) = close(&motions, &mut held) else { break };
        if beyond(model, &motions, &held).is_none() {
            (moved, *state) = (now, held);
            break;
        }
    }
    let names = (model.q_names(), model.v_names());
    for j in moved.coordinates {
        let Some(at) = model.q_of_v()[j] else { continue };
        let (value, given) = (state.q[at], before.q[at]);
        let coordinate = format!("q.{}", names.0[at]);
        cautions.push((Caution::Closed { coordinate, value, given }, spots[0]));
    }
    for j in moved.velocities {
        let (value, given) = (state.v[j], before.v[j]);
        let coordinate = format!("v.{}", names.1[j]);
        cautions.push((Caution::Closed { coordinate, value, given }, spots[0]));
    }
    Ok(())
}

/// The degree of freedom farthest beyond its limit, of those without a motion, and that limit.
fn beyond(model: &Model, motions: &[Prescribed], state: &State) -> Option<(usize, f64)> {
    let mut worst: Option<(f64, usize, f64)> = None;
    for (dof, c) in model.coordinates().iter().enumerate() {
        let (Some(place), Some(l)) = (model.q_of_v()[dof], c.limits) else { continue };
        if motions.iter().any(|m| m.dof == dof) {
            continue;
        }
        let angle = c.ratio * state.q[place] + c.offset;
        let limit = angle.clamp(l.lower, l.upper);
        let off = (angle - limit).abs();
        let slack = LOOP_SLACK * limit.abs().max(1.0);
        if off > worst.map_or(slack, |w| w.0) {
            worst = Some((off, dof, limit));
        }
    }
    worst.map(|(_, dof, limit)| (dof, limit))
}
