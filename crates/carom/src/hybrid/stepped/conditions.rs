//! Conditions on contacts by time steps: judged at the middle of a step, (1) and (2) of [`crate::control::condition`].
//!
//! # Rules
//! - A condition is in force for a whole step; when it changes inside of one is not located.
//! - Positions drift by the order of h², so that (6) of [`crate::stepping`] may let go of a contact for a step. For a
//!   condition it is closed until its gap exceeds 2 h² |g|: what holds only while bodies touch must not end by that.
//! - A site that is let in while its bodies overlap waits until they are apart, as in a run by events.
//!
//! # Tests
//! `crates/carom-scene/tests/stepped.rs`: `every_shipped_scene_runs_by_time_steps`, `errors_fall_with_the_step`.

use super::run::Stepped;
use crate::hybrid::sampling::Teller;
use crate::record::EventKind;

impl Stepped<'_> {
    /// Judge all conditions at the middle of the step that is at hand, at time t.
    pub(super) fn judge_conditions(&mut self, t: f64) {
        if self.given.conditions.is_empty() {
            return;
        }
        let state = (self.q_middle.as_slice(), self.v_middle.as_slice());
        let parts = (self.model, &self.middle.kin);
        self.switched = self.given.conditions.judge(t, state, parts);
        for site in 0..self.pool.declared {
            if !self.given.conditions.binds(site) {
                continue;
            }
            self.observe_middle(site);
            let overlaps = self.states[site].gap < -self.states[site].noise;
            if !overlaps || self.attached[site] {
                self.given.conditions.wait(site, false);
            } else if self.switched {
                self.given.conditions.wait(site, false);
                let muted = self.given.conditions.mutes(site);
                self.given.conditions.wait(site, !muted);
            }
        }
    }

    /// Whether a condition keeps a site out of play.
    pub(super) fn is_out_of_play(&self, site: usize) -> bool {
        let attached = self.attached.get(site).copied().unwrap_or(false);
        self.given.conditions.excludes(site, attached)
    }

    /// A site that does not touch at the middle of the step is let go of once it is out of reach.
    pub(super) fn let_go(&mut self, site: usize) {
        let reach = 2.0 * self.h * self.h * self.gravity();
        if let Some(attached) = self.attached.get_mut(site) {
            *attached &= self.states[site].gap <= reach;
        }
    }

    /// Tell of a condition that changed in this step.
    pub(super) fn tell_conditions(&mut self, t: f64, teller: &mut Teller<'_>) {
        if !std::mem::take(&mut self.switched) {
            return;
        }
        let (kind, contacts) = (self.event.kind, std::mem::take(&mut self.event.contacts));
        self.event.kind = EventKind::Switch;
        self.event.t = t;
        self.event.q.copy_from_slice(&self.q_middle);
        self.event.v_pre.copy_from_slice(&self.v);
        self.event.v_post.copy_from_slice(&self.v);
        self.event.energy_before = self.ledger.kinetic;
        self.event.energy_after = self.ledger.kinetic;
        teller.event(&self.event);
        (self.event.kind, self.event.contacts) = (kind, contacts);
    }
}
