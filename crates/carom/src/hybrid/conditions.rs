//! Conditions on contacts at work: which sites are out of play, and the guards that change it.
//!
//! Equations (1) and (2) of [`crate::control::condition`]. A site that is out of play has no gap guard and
//! takes part in no event. A condition that changes is told as a `switch`.

use super::event::{Place, Transition};
use super::flow::Flow;
use super::guards::Watch;
use crate::contact::{Mode, Site};
use crate::control::{Bounds, Condition};
use crate::dynamics::Kinematics;
use crate::model::Model;
use crate::record::{Event, EventKind};
use carom_ode::Guard;

/// The conditions of a run.
#[derive(Default)]
pub(crate) struct Conditions<'a> {
    all: Vec<Condition<'a>>,
    /// Whether each holds.
    holds: Vec<bool>,
    /// The conditions of each site.
    of_site: Vec<Vec<usize>>,
    /// Sites let in while their bodies overlapped.
    waits: Vec<bool>,
    /// Some condition changed in the event under way.
    changed: bool,
}

impl<'a> Conditions<'a> {
    /// Take conditions over for the sites of a model.
    pub fn new(sites: &[Site], all: Vec<Condition<'a>>) -> Self {
        let of = |site: &Site| {
            let own = all.iter().enumerate();
            let own = own.filter(|(_, c)| site.pair.is_some_and(|pair| c.pairs.contains(&pair)));
            own.map(|(i, _)| i).collect()
        };
        let of_site = if all.is_empty() { Vec::new() } else { sites.iter().map(of).collect() };
        let (holds, waits) = (vec![true; all.len()], vec![false; of_site.len()]);
        Self { all, holds, of_site, waits, changed: false }
    }

    pub fn is_empty(&self) -> bool {
        self.all.is_empty()
    }

    /// Whether a site is bound to a condition.
    pub fn binds(&self, site: usize) -> bool {
        self.of_site.get(site).is_some_and(|own| !own.is_empty())
    }

    /// Whether an open site is out of play.
    pub fn mutes(&self, site: usize) -> bool {
        let Some(own) = self.of_site.get(site) else { return false };
        self.waits[site] || own.iter().any(|&i| !self.holds[i])
    }

    /// Whether a closed site is no more.
    fn ends(&self, site: usize) -> bool {
        let own = &self.of_site[site];
        own.iter().any(|&i| !self.holds[i] && self.all[i].bounds == Bounds::Exists)
    }

    /// Judge all conditions anew, without locating where they change; whether any did.
    pub fn judge(&mut self, t: f64, state: (&[f64], &[f64]), parts: (&Model, &Kinematics)) -> bool {
        let mut changed = false;
        for i in 0..self.all.len() {
            let holds = self.value(i, t, state, parts) > 0.0;
            changed |= holds != self.holds[i];
            self.holds[i] = holds;
        }
        changed
    }

    /// Whether a site is out of play by time steps, where a condition is judged once a step.
    pub fn excludes(&self, site: usize, closed: bool) -> bool {
        self.binds(site) && if closed { self.ends(site) } else { self.mutes(site) }
    }

    /// Let a site wait until its bodies are apart, or no longer.
    pub fn wait(&mut self, site: usize, waits: bool) {
        self.waits[site] = waits;
    }

    /// m of one condition.
    fn value(
        &mut self,
        i: usize,
        t: f64,
        state: (&[f64], &[f64]),
        parts: (&Model, &Kinematics),
    ) -> f64 {
        self.all[i].margin.value(t, state, parts)
    }

    /// Add the guards of conditions and of sites that wait.
    pub fn arm(&self, watches: &mut Vec<(usize, Watch)>, guards: &mut Vec<Guard>) {
        for i in 0..self.all.len() {
            watches.push((i, Watch::Condition));
            guards.push(Guard::falling(0.0));
        }
        for (site, _) in self.waits.iter().enumerate().filter(|(_, waits)| **waits) {
            watches.push((site, Watch::Parting));
            guards.push(Guard::falling(0.0));
        }
    }

    /// The value of the guard of a condition: m while it holds, −m while it does not.
    pub fn guard(
        &mut self,
        i: usize,
        t: f64,
        state: (&[f64], &[f64]),
        parts: (&Model, &Kinematics),
    ) -> f64 {
        let m = self.value(i, t, state, parts);
        if self.holds[i] { m } else { -m }
    }
}

impl Flow<'_> {
    /// Which conditions hold at the start of a run; the posture must be placed.
    pub(super) fn begin_conditions(&mut self, t: f64, q: &[f64], v: &[f64]) {
        for i in 0..self.given.conditions.all.len() {
            let parts = (self.model, &self.posture.kin);
            let holds = self.given.conditions.value(i, t, (q, v), parts) > 0.0;
            self.given.conditions.holds[i] = holds;
        }
    }
}

impl Transition {
    /// Conditions that change, sites that they end, and sites that must wait.
    pub(super) fn pass_conditions(&mut self, flow: &mut Flow<'_>, place: &Place<'_>, y: &[f64]) {
        if flow.given.conditions.is_empty() {
            return;
        }
        flow.given.conditions.changed = false;
        for &(i, watch) in place.fired {
            match watch {
                Watch::Condition => {
                    flow.given.conditions.holds[i] ^= true;
                    flow.given.conditions.changed = true;
                }
                Watch::Parting => flow.given.conditions.waits[i] = false,
                _ => {}
            }
        }
        if !flow.given.conditions.changed {
            return;
        }
        let (q, v, _) = flow.split(y);
        flow.posture.place(q, v);
        for site in 0..flow.sites.len() {
            // Rolling and spinning friction comes after the site that it follows, and ends with it.
            if flow.sites[site].follows().is_some_and(|of| !flow.contacts.modes[of].is_closed()) {
                flow.contacts.modes[site] = Mode::Open;
            }
            if flow.given.conditions.of_site[site].is_empty() {
                continue;
            }
            if flow.contacts.modes[site].is_closed() {
                if flow.given.conditions.ends(site) {
                    flow.contacts.modes[site] = Mode::Open;
                }
                continue;
            }
            flow.given.conditions.waits[site] = false;
            if !flow.given.conditions.mutes(site) {
                flow.observe(site, q, v);
                let s = &flow.contacts.states[site];
                flow.given.conditions.waits[site] = s.gap < -s.noise;
            }
        }
    }

    /// Tell of a condition that changed.
    pub(super) fn tell_conditions(
        &mut self,
        flow: &mut Flow<'_>,
        t: f64,
        y: &[f64],
        tell: &mut dyn FnMut(&Event),
    ) {
        if !std::mem::take(&mut flow.given.conditions.changed) {
            return;
        }
        let (q, v, _) = flow.split(y);
        flow.posture.place(q, v);
        self.event.clear();
        self.start_event(flow, t, &y[..q.len() + v.len()]);
        self.event.kind = EventKind::Switch;
        tell(&self.event);
        self.event.clear();
    }
}
