//! Feedback laws: what the motors are told at one instant.
//!
//! A controller commands forces without regard to limits; [`Actuator`](super::Actuator) saturates the
//! sum of all commands. Commands must be smooth functions of time and state while the set of feet that
//! stand and the passed knots stay the same: these change at events only, so that the flow integrates
//! smooth equations and every kink lies at the end of a step.

use super::ControlError;
use crate::contact::Site;
use crate::dynamics::jacobian::VelocityProducts;
use crate::dynamics::{Articulated, Kinematics};
use crate::model::Model;

/// The mechanism at one instant, as a controller sees it.
#[derive(Debug, Clone, Copy)]
pub struct Situation<'a> {
    /// Time, s.
    pub t: f64,
    /// Coordinates.
    pub q: &'a [f64],
    /// Velocities.
    pub v: &'a [f64],
    /// The mechanism.
    pub model: &'a Model,
    /// Poses and twists.
    pub kin: &'a Kinematics,
    /// Accelerations at v̇ = 0.
    pub products: &'a VelocityProducts,
    /// Articulated inertias.
    pub art: &'a Articulated,
    /// v̇ under everything but motors and contacts.
    pub vdot: &'a [f64],
    /// Places where contact may happen.
    pub sites: &'a [Site],
    /// Whether each site is a foot on which controllers may rely.
    pub stance: &'a [bool],
}

/// A feedback law.
pub trait Controller: Send {
    /// Adds its commands to `u`, one entry per actuator of the run.
    fn command(&mut self, at: &Situation<'_>, u: &mut [f64]);

    /// Whether it fits a model with these sites and so many actuators.
    fn check(&self, model: &Model, sites: &[Site], actuators: usize) -> Result<(), ControlError>;

    /// The sites on which it stands; its command may depend on which of them do.
    fn feet(&self) -> &[usize] {
        &[]
    }

    /// Whether it commands nothing, in whatever state, while these feet stand: then it is not asked.
    fn is_passive(&self, stance: &[bool]) -> bool {
        let _ = stance;
        false
    }

    /// The run starts at time `t`.
    fn start(&mut self, t: f64) {
        let _ = t;
    }

    /// The next time at which its formula changes, s. The formula of before is asked for beyond it
    /// until [`pass_knot`](Self::pass_knot) is called.
    fn next_knot(&self) -> Option<f64> {
        None
    }

    /// That time has come; whether the command jumps.
    fn pass_knot(&mut self) -> bool {
        false
    }
}

/// Whether all indices of a controller exist.
pub(super) fn check_indices(
    (own, actuators): (&[usize], usize),
    (feet, sites): (&[usize], usize),
) -> Result<(), ControlError> {
    if let Some(&index) = own.iter().find(|&&i| i >= actuators) {
        return Err(ControlError::NoSuchActuator { index, count: actuators });
    }
    if let Some(&index) = feet.iter().find(|&&i| i >= sites) {
        return Err(ControlError::NoSuchSite { index, count: sites });
    }
    Ok(())
}

/// Whether a gain is finite and ≥ 0.
pub(super) fn check_gain(what: &'static str, value: f64) -> Result<(), ControlError> {
    if value.is_finite() && value >= 0.0 {
        Ok(())
    } else {
        Err(ControlError::Value { what, value })
    }
}
