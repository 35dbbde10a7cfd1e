//! What a run tells while it is under way: samples at events, steps or intervals, and counts.

use super::options::Output;
use super::outcome::{SimError, Statistics};
use super::run::{Course, Shared, flow_error, modes_text, rate_error};
use crate::contact::{Site, SiteGeometry};
use crate::dynamics::{elements, energy, forces};
use crate::record::{Directive, Event, Observer, Rescue, Sample};
use carom_ode::FlowError;

/// Passes samples and events on, and counts.
pub(super) struct Teller<'o> {
    pub(super) observer: &'o mut dyn Observer,
    pub(super) stopped: bool,
    /// The safety net is a stop.
    pub(super) strict: bool,
    /// The first rescue of a strict run: which, when, and the sites that took part.
    pub(super) broken: Option<(Rescue, f64, Vec<usize>)>,
    pub(super) statistics: Statistics,
}

impl<'o> Teller<'o> {
    pub(super) fn new(observer: &'o mut dyn Observer, strict: bool) -> Self {
        let statistics = Statistics::default();
        Self { observer, stopped: false, strict, broken: None, statistics }
    }

    pub(super) fn site(&mut self, index: usize, site: &Site) {
        self.observer.site(index, site);
    }

    pub(super) fn event(&mut self, event: &Event) {
        self.statistics.events += 1;
        for (count, rescue) in self.statistics.rescues.iter_mut().zip(Rescue::ALL) {
            *count += u64::from(event.rescue == Some(rescue));
        }
        if let Some(rescue) = event.rescue.filter(|_| self.strict) {
            let contacts = event.contacts.iter().map(|c| c.site).collect();
            self.broken.get_or_insert((rescue, event.t, contacts));
        }
        if event.kind.is_jump() {
            self.statistics.impacts += 1;
            let gain = event.energy_after - event.energy_before;
            self.statistics.worst_gain = self.statistics.worst_gain.max(gain);
        }
        self.stopped |= self.observer.event(event) == Directive::Stop;
    }

    pub(super) fn step(&mut self, t: f64) {
        self.stopped |= self.observer.step(t) == Directive::Stop;
    }

    pub(super) fn sample(&mut self, sample: &Sample<'_>) {
        for gap in sample.gaps {
            self.statistics.worst_gap = self.statistics.worst_gap.min(*gap);
        }
        let closure = sample.ledger.closure().abs();
        self.statistics.worst_closure = self.statistics.worst_closure.max(closure);
        self.stopped |= self.observer.sample(sample) == Directive::Stop;
    }
}

impl Course<'_> {
    /// Nothing moves: only the samples remain.
    pub(super) fn coast(
        &mut self,
        t: f64,
        end: f64,
        teller: &mut Teller<'_>,
    ) -> Result<(), SimError> {
        if let Output::Interval(dt) = self.options.output {
            let mut next = self.start + dt * self.next_output as f64;
            while next < end && !teller.stopped {
                if next > t {
                    self.sample(next, teller)?;
                }
                self.next_output += 1;
                next = self.start + dt * self.next_output as f64;
            }
        }
        Ok(())
    }

    /// Samples from dense output at the interval asked for, in (t0, t1).
    pub(super) fn output_between(
        &mut self,
        t0: f64,
        t1: f64,
        teller: &mut Teller<'_>,
    ) -> Result<(), SimError> {
        let Output::Interval(dt) = self.options.output else { return Ok(()) };
        loop {
            let next = self.start + dt * self.next_output as f64;
            if next >= t1 || teller.stopped {
                return Ok(());
            }
            self.next_output += 1;
            if next > t0 {
                let mut shared = Shared(&self.flow);
                let dense = self.integrator.dense(&mut shared);
                dense.map_err(|e| flow_error(&self.flow, e))?.state(next, &mut self.y);
                // The interpolant meets closed contacts to its own error only.
                let projected = self.flow.borrow_mut().project_state(next, &mut self.y);
                projected.map_err(|source| rate_error(&self.flow, next, source))?;
                self.sample(next, teller)?;
            }
        }
    }

    /// Tell of the state in `y`; returns the power of applied forces.
    pub(super) fn sample(&mut self, t: f64, teller: &mut Teller<'_>) -> Result<f64, SimError> {
        let power = self.account(t)?;
        let flow = self.flow.get_mut();
        let (q, v, _) = flow.split(&self.y);
        teller.sample(&Sample {
            t,
            q,
            v,
            vdot: &flow.vdot,
            modes: &flow.contacts.modes,
            forces: &flow.contacts.forces,
            torques: &self.torques,
            gaps: &self.gaps,
            loops: &flow.loops,
            ledger: &self.ledger,
        });
        Ok(power)
    }

    /// Accelerations, forces, gaps and the ledger of the state in `y`; returns the power of applied forces.
    pub(super) fn account(&mut self, t: f64) -> Result<f64, SimError> {
        let flow = self.flow.get_mut();
        let (q, v, works) = flow.split(&self.y);
        let power = flow.accelerate(t, q, v).map_err(|source| SimError::Flow {
            modes: modes_text(flow),
            source: FlowError::Rate { t, source },
        })?;
        self.ledger.kinetic = energy::kinetic_energy(flow.model, &flow.posture.kin, v);
        self.ledger.gravity = energy::gravity_energy(flow.model, &flow.posture.kin);
        self.ledger.spring = forces::spring_energy(flow.model, q)
            + elements::point_spring_energy(flow.model, &flow.posture.kin);
        self.ledger.applied = works[0] + self.ledger.jolts;
        self.ledger.damping = works[1];
        // What sites do together is told of the first of them.
        let mut told = None;
        for (site, &work) in self.ledger.sites.iter_mut().zip(&flow.works.0) {
            site.sliding = if told.replace(work) == Some(work) { 0.0 } else { works[2 + work] };
        }
        self.transition.account(&mut self.ledger);
        flow.posture.place(q, v);
        for site in 0..flow.sites.len() {
            // Of most pairs of a robot no site stands for anything.
            if matches!(flow.sites[site].geometry, SiteGeometry::Idle { .. }) {
                let muted = flow.given.conditions.mutes(site);
                self.gaps[site] = match muted {
                    true => f64::NAN,
                    false => flow.far_gap(site).unwrap_or(f64::INFINITY),
                };
                continue;
            }
            flow.observe(site, q, v);
            // A contact that is out of play has no gap.
            let muted = !flow.contacts.modes[site].is_closed() && flow.given.conditions.mutes(site);
            self.gaps[site] = if muted {
                f64::NAN
            } else {
                flow.far_gap(site).unwrap_or(flow.contacts.states[site].gap)
            };
        }
        self.torques.resize(flow.given.motors.actuators.len(), 0.0);
        flow.given.motors.recorded(&mut self.torques);
        self.residual = self.residual.max(flow.residual);
        Ok(power)
    }
}
