//! A force given by the user as a function of time and state.

use crate::dynamics::Kinematics;
use crate::model::Model;

/// Adds generalised forces; its power enters the energy ledger as applied work.
///
/// Must be a smooth function of its arguments between events: the flow evaluates it inside steps.
pub trait ForceLaw: Send {
    /// Add to `tau`, conjugate to v, at time `t` and the state (q, v), whose poses are in `kin`.
    fn add(
        &mut self,
        t: f64,
        state: (&[f64], &[f64]),
        parts: (&Model, &Kinematics),
        tau: &mut [f64],
    );
}

impl<F> ForceLaw for F
where
    F: FnMut(f64, (&[f64], &[f64]), &mut [f64]) + Send,
{
    fn add(&mut self, t: f64, state: (&[f64], &[f64]), _: (&Model, &Kinematics), tau: &mut [f64]) {
        self(t, state, tau);
    }
}
