//! Proportional and derivative control of joint angles.
//!
//! # Law
//! With the joint's angle φ = ratio × q + offset and its reference s(t),
//! ```text
//! u = c + ratio (k (s − φ) + d (ṡ − φ̇))                                (1)
//! ```
//! The bracket is the force at the joint; the motor's share of it follows from virtual work.
//!
//! # Symbols
//! | docs | code | meaning | unit |
//! |---|---|---|---|
//! | k | `stiffness` | force per error of the angle | N·m/rad or N/m |
//! | d | `damping` | force per error of the rate | N·m·s/rad or N·s/m |
//! | c | `constant` | a force that is always there, on the motor's coordinate | N·m or N |
//! | s | `reference` | where the joint should be | rad or m |
//!
//! # Tests
//! `tests/control_table.rs`: `eq1_acts_as_a_spring`.

use super::controller::{Controller, Situation, check_gain, check_indices};
use super::{ControlError, Prescribed};
use crate::contact::Site;
use crate::model::Model;

/// Equation (1) for one joint.
#[derive(Debug, Clone, PartialEq)]
pub struct JointGoal {
    /// The actuator.
    pub actuator: usize,
    /// s(t); its degree of freedom is the actuator's.
    pub reference: Prescribed,
    /// k.
    pub stiffness: f64,
    /// d.
    pub damping: f64,
    /// c, N·m or N on the motor's coordinate.
    pub constant: f64,
}

/// Equation (1) for any number of joints.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct JointPd {
    /// The joints.
    pub goals: Vec<JointGoal>,
}

impl Controller for JointPd {
    fn command(&mut self, at: &Situation<'_>, u: &mut [f64]) {
        for goal in &self.goals {
            let dof = goal.reference.dof;
            let c = &at.model.coordinates()[dof];
            let Some(place) = at.model.q_of_v()[dof] else { continue };
            let [s, rate, _] = goal.reference.at(at.t);
            let error = s - (c.ratio * at.q[place] + c.offset);
            let error_rate = rate - c.ratio * at.v[dof];
            let feedback = goal.stiffness * error + goal.damping * error_rate;
            u[goal.actuator] += goal.constant + c.ratio * feedback;
        }
    }

    fn check(&self, model: &Model, _: &[Site], actuators: usize) -> Result<(), ControlError> {
        for goal in &self.goals {
            check_indices((&[goal.actuator], actuators), (&[], 0))?;
            check_gain("stiffness", goal.stiffness)?;
            check_gain("damping", goal.damping)?;
            if !goal.constant.is_finite() {
                let (what, value) = ("constant torque", goal.constant);
                return Err(ControlError::Value { what, value });
            }
            let (dof, nv) = (goal.reference.dof, model.nv());
            if dof >= nv || model.q_of_v()[dof].is_none() {
                let actuator = goal.actuator.to_string();
                return Err(ControlError::NoSuchDof { actuator, dof, nv });
            }
        }
        Ok(())
    }
}
