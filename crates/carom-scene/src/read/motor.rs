//! Motors of robot files: their limits, and the controller of their feedback.
//!
//! The law is that of `mjcf/actuator.rs`, equation (2).

use crate::error::Flaw;
use crate::fault::Fault;
use crate::options::NamedController;
use crate::parts::{MotorPart, Parts};
use carom::control::{Actuator, AnyController, JointGoal, JointPd, Prescribed};
use carom::model::{BodyId, Model};

/// Name of the controller of the feedback of motors.
pub(crate) const FEEDBACK: &str = "motors";

/// The motors themselves, with their degrees of freedom.
pub(crate) fn motors(parts: &Parts, ids: &[BodyId], model: &Model) -> Vec<Actuator> {
    let actuator = |motor: &MotorPart| {
        let at = parts.bodies.iter().position(|b| b.joint.name == motor.joint)?;
        let dof = model.v_range(ids[at]).start;
        let (name, lower, upper) = (motor.name.clone(), motor.lower, motor.upper);
        Some(Actuator { name, dof, lower, upper })
    };
    parts.motors.iter().filter_map(actuator).collect()
}

/// The controller that does what the motors do by themselves; none if they do nothing.
pub(crate) fn feedback(
    parts: &Parts,
    actuators: &[Actuator],
) -> Result<Option<NamedController>, Flaw> {
    let mut goals = Vec::new();
    for motor in &parts.motors {
        let Some(actuator) = actuators.iter().position(|a| a.name == motor.name) else { continue };
        let m = &motor.control;
        let [least, most] = m.range.unwrap_or([f64::NEG_INFINITY, f64::INFINITY]);
        let c = motor.value.clamp(least.min(most), most.max(least));
        let squared = m.gear * m.gear;
        let stiffness = -squared * (m.bias[1] + m.gain[1] * c) + 0.0;
        let damping = -squared * (m.bias[2] + m.gain[2] * c) + 0.0;
        let constant = m.gear * (m.gain[0] * c + m.bias[0]);
        for (key, value) in [("stiffness", stiffness), ("damping", damping)] {
            if value < 0.0 {
                let (owner, key) = (format!("motor `{}`", motor.name), key.to_string());
                let allowed = "a number ≥ 0 at its joint".to_string();
                return Err(Flaw::at(motor.spot, Fault::Range { owner, key, value, allowed }));
            }
        }
        if stiffness == 0.0 && damping == 0.0 && constant == 0.0 {
            continue;
        }
        // −k q = k (−ref − (q − ref)).
        let (dof, offset) = (actuators[actuator].dof, -m.reference);
        let reference = Prescribed { dof, offset, ..Prescribed::default() };
        goals.push(JointGoal { actuator, reference, stiffness, damping, constant });
    }
    let law = AnyController::JointPd(JointPd { goals });
    let is_idle = law.actuators().is_empty();
    Ok((!is_idle).then(|| NamedController { name: FEEDBACK.into(), law }))
}
