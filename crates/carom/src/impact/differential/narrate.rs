//! Names of the events of a path, and their record.

use super::flow::Flow;
use super::scratch::Status;
use crate::coulomb::{Duty, Tangent};
use crate::impact::contact_space::Phase;
use crate::impact::trace::StageEvent;
use crate::numeric::thresholds::SAME_MOTION;

impl Flow<'_> {
    /// Records what the modes of a new stage mean for each contact.
    pub(super) fn name_events(&mut self) {
        if !self.out.trace.enabled {
            return;
        }
        for k in 0..self.space.contacts.len() {
            if self.space.contacts[k].phase == Phase::Apart {
                continue;
            }
            let (c, mode) =
                (&self.scratch.instant.problem.contacts[k], self.scratch.rates.modes[k]);
            let starts = c.duty == Duty::Coulomb;
            let next = match mode.tangent {
                _ if !mode.held && c.preload <= 0.0 => Status::Open,
                Tangent::Stick => Status::Stick,
                Tangent::Slip(d) => Status::Slip(d),
                Tangent::Smooth => Status::Slip([0.0; 2]),
            };
            let before = match self.scratch.status[k] {
                // At the start only a touching contact that opens at once is an event.
                Status::New if self.space.contacts[k].phase == Phase::Touching => match next {
                    Status::Open => Status::Stick,
                    _ => next,
                },
                Status::New => next,
                known => known,
            };
            let event = match (before, next) {
                (Status::Slip(a), Status::Slip(b)) if starts && turned(a, b) => {
                    Some(StageEvent::Reversal)
                }
                (Status::Slip(_), Status::Slip(_)) => None,
                (a, b) if a == b => None,
                (_, Status::Open) => Some(StageEvent::Detachment),
                (Status::Open, _) => Some(StageEvent::Attachment),
                (_, Status::Stick) => Some(StageEvent::SlipStop),
                (_, Status::Slip(_)) => Some(StageEvent::SlipStart),
                (_, Status::New) => None,
            };
            if let Some(event) = event {
                self.record(event, k);
            }
            self.scratch.status[k] = next;
        }
    }

    /// Records the present state, if the trace is wanted.
    pub fn record(&mut self, event: StageEvent, contact: usize) {
        self.out.record(event, contact, self.space);
    }
}

/// Whether a slip that has stopped goes on in another direction.
fn turned(a: [f64; 2], b: [f64; 2]) -> bool {
    a != b && a[0] * b[0] + a[1] * b[1] < 1.0 - SAME_MOTION
}
