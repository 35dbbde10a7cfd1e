//! Names of the events of a path of several contacts, and their record.

use super::duty::Tangent;
use super::flow::Flow;
use super::scratch::Status;
use crate::impact::contact_space::Phase;
use crate::impact::trace::StageEvent;

impl Flow<'_> {
    /// Records what the modes of a new stage mean for each contact.
    pub(super) fn name_events(&mut self) {
        if !self.out.trace.enabled {
            return;
        }
        for i in 0..self.scratch.contacts.len() {
            let (d, mode) = (&self.scratch.duties[i], self.scratch.rates.modes[i]);
            let next = match mode.tangent {
                _ if !mode.on && d.drive <= 0.0 => Status::Open,
                Tangent::Stick => Status::Stick,
                _ => Status::Slip,
            };
            let (k, from_rest) =
                (self.scratch.contacts[i], matches!(mode.tangent, Tangent::Onset(_)));
            let before = match self.scratch.status.get(i) {
                Some(status) => *status,
                None if next == Status::Open && self.space.contacts[k].phase == Phase::Touching => {
                    Status::Stick
                }
                None => {
                    self.scratch.status.push(next);
                    continue;
                }
            };
            let event = match (before, next) {
                (Status::Slip, Status::Slip) if from_rest => Some(StageEvent::Reversal),
                (a, b) if a == b => None,
                (_, Status::Open) => Some(StageEvent::Detachment),
                (Status::Open, _) => Some(StageEvent::Attachment),
                (_, Status::Stick) => Some(StageEvent::SlipStop),
                (_, Status::Slip) => Some(StageEvent::SlipStart),
            };
            if let Some(event) = event {
                self.record(event, k);
            }
            match self.scratch.status.get_mut(i) {
                Some(status) => *status = next,
                None => self.scratch.status.push(next),
            }
        }
    }

    /// Records the present state, if the trace is wanted.
    pub fn record(&mut self, event: StageEvent, contact: usize) {
        self.out.record(event, contact, self.space);
    }
}
