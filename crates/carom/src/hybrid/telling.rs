//! What an event tells: which modes changed, what ended, who took part.

use super::event::Transition;
use super::flow::Flow;
use crate::contact::Mode;
use crate::dynamics::energy;
use crate::record::{ContactChange, Event, EventKind, Rescue};

impl Transition {
    pub(super) fn start_event(&mut self, flow: &Flow<'_>, t: f64, y: &[f64]) {
        let (q, v) = y.split_at(flow.model.nq());
        let v = &v[..flow.model.nv()];
        self.event.t = t;
        self.event.q.copy_from_slice(q);
        self.event.v_pre.copy_from_slice(v);
        self.event.v_post.copy_from_slice(v);
        self.event.energy_before = energy::kinetic_energy(flow.model, &flow.posture.kin, v);
        self.event.energy_after = self.event.energy_before;
        self.event.attenuation_work = 0.0;
        self.event.remaining_time = None;
        self.event.contacts.clear();
    }

    /// One event for all modes of the cluster that changed without an impulse.
    pub(super) fn tell_changes(
        &mut self,
        flow: &Flow<'_>,
        t: f64,
        y: &[f64],
        tell: &mut dyn FnMut(&Event),
    ) {
        let mut kind: Option<EventKind> = None;
        self.event.contacts.clear();
        for k in 0..self.cluster.sites.len() {
            let site = self.cluster.sites[k];
            let (before, after) = (self.before[site], flow.contacts.modes[site]);
            let Some(sort) = change_kind(&before, &after) else { continue };
            kind = Some(kind.map_or(sort, |k| most_telling(k, sort)));
            let u = flow.contacts.states[site].u;
            self.event.contacts.push(ContactChange {
                site,
                before,
                after,
                u_pre: u,
                u_post: u,
                impulse: [0.0; 3],
                normal_work: 0.0,
                friction_work: 0.0,
            });
        }
        let rescue = match self.choice.solved {
            solved if solved.softness > 0.0 => Some(Rescue::Soft),
            solved => (!solved.unique).then_some(Rescue::Chosen),
        };
        // What was chosen among several is told even if no mode changed.
        if let Some(kind) = kind.or(rescue.map(|_| EventKind::Touch)) {
            let contacts = std::mem::take(&mut self.event.contacts);
            self.start_event(flow, t, y);
            self.event.contacts = contacts;
            self.event.kind = kind;
            self.event.solved = Some(self.choice.solved.into());
            self.event.rescue = rescue;
            if self.event.contacts.is_empty() {
                self.tell_sites(flow);
            }
            tell(&self.event);
        }
        self.event.clear();
    }

    /// Contacts that ended because their surfaces did: a corner has passed the end of what it slid on.
    pub(super) fn tell_lost(
        &mut self,
        flow: &Flow<'_>,
        t: f64,
        y: &[f64],
        tell: &mut dyn FnMut(&Event),
    ) {
        if flow.facings.lost.is_empty() {
            return;
        }
        self.event.clear();
        self.start_event(flow, t, &y[..flow.model.nq() + flow.model.nv()]);
        self.event.kind = EventKind::LiftOff;
        self.event.contacts.extend(flow.facings.lost.iter().map(|lost| ContactChange {
            site: lost.site,
            before: lost.mode,
            after: Mode::Open,
            u_pre: lost.u,
            u_post: lost.u,
            impulse: [0.0; 3],
            normal_work: 0.0,
            friction_work: 0.0,
        }));
        tell(&self.event);
        self.event.clear();
    }

    /// All sites of the cluster take part in the event.
    pub(super) fn tell_sites(&mut self, flow: &Flow<'_>) {
        for &site in &self.cluster.sites {
            let u = flow.contacts.states[site].u;
            self.event.contacts.push(ContactChange {
                site,
                before: self.before[site],
                after: flow.contacts.modes[site],
                u_pre: u,
                u_post: u,
                impulse: [0.0; 3],
                normal_work: 0.0,
                friction_work: 0.0,
            });
        }
    }

    pub(super) fn tell_rest(
        &mut self,
        flow: &Flow<'_>,
        t: f64,
        y: &[f64],
        tell: &mut dyn FnMut(&Event),
    ) {
        self.start_event(flow, t, &y[..flow.model.nq() + flow.model.nv()]);
        self.event.clear();
        self.event.kind = EventKind::Rest;
        tell(&self.event);
    }
}

/// The sort of a change of mode.
fn change_kind(before: &Mode, after: &Mode) -> Option<EventKind> {
    match (before, after) {
        (Mode::Open, Mode::Open) | (Mode::Stick, Mode::Stick) => None,
        (Mode::Open, _) => Some(EventKind::Touch),
        (_, Mode::Open) => Some(EventKind::LiftOff),
        (Mode::Slip { .. }, Mode::Stick) => Some(EventKind::SlipStop),
        (Mode::Stick, Mode::Slip { .. }) => Some(EventKind::SlipStart),
        (Mode::Slip { reference: a }, Mode::Slip { reference: b }) => {
            (a.dot(b) < 0.0).then_some(EventKind::SlipReversal)
        }
    }
}

/// Of two changes at one instant, the one that names the event.
fn most_telling(a: EventKind, b: EventKind) -> EventKind {
    let rank = |k: EventKind| match k {
        EventKind::LiftOff => 0,
        EventKind::Touch => 1,
        EventKind::SlipReversal => 2,
        EventKind::SlipStart => 3,
        _ => 4,
    };
    if rank(b) < rank(a) { b } else { a }
}
