//! The two capabilities of a posture that a study compares.
//!
//! Tests: `crates/carom-scene/tests/study.rs`: `capabilities`.

use carom::state::State;
use carom_agility::{AgilityError, Capability, Evaluator, Hold, Stance, capability};

/// Exact: the feet within their friction cones, the motors within their limits, nothing else held.
pub fn with_friction(stance: &Stance<'_>, state: &State) -> Result<Capability, AgilityError> {
    let (q, v) = (state.q.as_slice(), state.v.as_slice());
    capability(&Evaluator::new(stance).problem(state.t, q, v))
}

/// By the torque limits alone along a straight line, the feet held by forces of any direction: the
/// equations (6.1) to (6.6) of Flickinger 2011.
pub fn by_torques_alone(stance: &Stance<'_>, state: &State) -> Result<Capability, AgilityError> {
    let line = stance.clone().with_task(stance.task().holding(Hold::Line));
    let (q, v) = (state.q.as_slice(), state.v.as_slice());
    let mut problem = Evaluator::new(&line).problem(state.t, q, v);
    problem.cones.clear();
    capability(&problem)
}
