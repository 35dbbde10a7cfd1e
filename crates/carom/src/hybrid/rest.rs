//! Rest: a cluster that neither moves nor accelerates is stopped exactly, as a whole or not at all.
//!
//! ```text
//! |vⱼ| ≤ ε V and |v̇ⱼ| ≤ ε' A for every degree of freedom j of the cluster               (1)
//! ```
//! V is the largest of the velocities that met in the event and of √(A ℓ), A the free acceleration, ℓ the
//! size of the numbers that place the contacts: local in state and time.

use super::event::Transition;
use super::flow::Flow;
use crate::numeric::thresholds::{AT_REST, REST_SPEED};

impl Transition {
    /// Stop the cluster exactly if it neither moves nor accelerates.
    pub(super) fn settle(&mut self, flow: &mut Flow<'_>, v: &mut [f64]) {
        let closed = |&site: &usize| flow.contacts.modes[site].is_closed();
        if !flow.given.is_nothing() || !self.cluster.sites.iter().any(closed) {
            return;
        }
        let free = self.projector.rows.problem.b.iter();
        let free = free.fold(flow.model.gravity().norm(), |s, b| s.max(b.abs()));
        let (mut speed, mut length) = (0.0_f64, 0.0_f64);
        for &site in &self.cluster.sites {
            let s = &flow.contacts.states[site];
            speed = speed.max(s.speed);
            length = length.max(s.noise / f64::EPSILON);
        }
        let still = REST_SPEED * speed.max((free * length).sqrt());
        let push = AT_REST * free.max(f64::MIN_POSITIVE);
        let rests = |j: usize| v[j].abs() <= still && flow.vdot[j].abs() <= push;
        if !self.dofs.iter().all(|&j| rests(j)) {
            return;
        }
        for &j in &self.dofs {
            (flow.frozen[j], flow.held[j], v[j]) = (true, 0.0, 0.0);
        }
    }

    /// Whether everything has come to rest.
    pub(super) fn all_rest(&self, flow: &Flow<'_>) -> bool {
        flow.given.is_nothing()
            && flow.frozen.iter().all(|f| *f)
            && flow.carried.iter().all(Option::is_none)
    }
}
