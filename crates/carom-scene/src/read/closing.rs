//! A start that closes all loops.
//!
//! # Tests
//! `tests/loops.rs`.

use crate::error::Flaw;
use crate::fault::Fault;
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
    let moved = assemble(model, motions, given, state).map_err(|open| {
        let place = model.loops().iter().position(|one| one.name == open.name).unwrap_or(0);
        let OpenLoop { name, residual, unit, reversed } = open;
        Flaw::at(spots[place], Fault::OpenLoop { name, residual, unit, reversed })
    })?;
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
