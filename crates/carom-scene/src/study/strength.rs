//! The two capabilities of a posture that a study compares.
//!
//! Tests: `crates/carom-scene/tests/study.rs`: `capabilities`, `postures_without_a_dce_say_why`.

use carom::state::State;
use carom_agility::{AgilityError, Capability, Evaluator, Hold, Stance, capability};

/// Exact: the feet within their friction cones, the motors within their limits, nothing else held.
pub fn with_friction(stance: &Stance<'_>, state: &State) -> Result<Capability, AgilityError> {
    let (q, v) = (state.q.as_slice(), state.v.as_slice());
    capability(&Evaluator::new(stance).problem(state.t, q, v))
}

/// Why there is no capability, in words that many postures have in common.
pub fn why_none(error: &AgilityError) -> &'static str {
    match error {
        AgilityError::Powerless { .. } => {
            "no torques within the limits keep the feet and move the point along a line"
        }
        AgilityError::Contradiction { .. } => "the feet cannot all be kept",
        AgilityError::Immovable => "no coordinate moves the point in that direction",
        AgilityError::Direction { .. } => "the direction has no length",
        AgilityError::NoMotors | AgilityError::NoTorque { .. } => "no motor has a torque",
        AgilityError::TorqueLimits { .. } => "a motor has no finite limits",
        _ => "the program could not be solved",
    }
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
