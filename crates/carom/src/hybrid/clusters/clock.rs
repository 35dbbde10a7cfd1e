//! A cluster and its clock: its own integrator, step, dense output and guards.
//!
//! A *leg* is the step that a clock has taken ahead of the run, up to its first event or its end. Within the leg the
//! state at any time is known; what happens elsewhere may cut it short.

use super::members::Members;
use crate::contact::Mode;
use crate::contact::site_state::body_twist;
use crate::geometry::BodyMotion;
use crate::hybrid::guards::Watch;
use crate::hybrid::outcome::SimError;
use crate::hybrid::run::{Course, Shared, Stride, flow_error, rate_error};
use crate::model::BodyId;

/// How a leg ends.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Ends {
    /// With an event.
    Event,
    /// With the step of the integrator.
    Step,
    /// Not at all: the cluster is at rest.
    Never,
}

/// A cluster with its clock.
pub(crate) struct Clock<'a> {
    pub members: &'a Members,
    pub course: Course<'a>,
    /// Its assemblies, ascending.
    pub assemblies: Vec<usize>,
    /// Start of the leg, s, where `course.y` is the state.
    pub t0: f64,
    /// End of the leg, s.
    pub t1: f64,
    pub ends: Ends,
    /// The state that was last asked for.
    pub y: Vec<f64>,
    /// Velocities of features at the start of a window, m/s.
    pub velocities: Vec<nalgebra::Vector3<f64>>,
}

impl<'a> Clock<'a> {
    pub fn new(members: &'a Members, course: Course<'a>, assemblies: Vec<usize>) -> Self {
        let y = course.y.clone();
        let t0 = course.start;
        Self {
            members,
            course,
            assemblies,
            t0,
            t1: t0,
            ends: Ends::Step,
            y,
            velocities: Vec::new(),
        }
    }

    /// The next leg, from the state in `course.y` at time `t`, which the integrator has.
    pub fn go(&mut self, t: f64) -> Result<(), SimError> {
        (self.t0, self.t1, self.ends) = (t, f64::INFINITY, Ends::Never);
        if self.course.rests() {
            return Ok(());
        }
        self.course.bound_steps()?;
        (self.t1, self.ends) = match self.course.stride(f64::INFINITY)? {
            Stride::Now { t } => (t, Ends::Event),
            Stride::Event { t, .. } => (t, Ends::Event),
            Stride::Step { t1, .. } => (t1, Ends::Step),
            Stride::Beyond { t0 } => (t0, Ends::Step),
        };
        Ok(())
    }

    /// The state at a time of the leg, in `self.y`.
    pub fn look(&mut self, t: f64) -> Result<(), SimError> {
        if t <= self.t0 || self.ends == Ends::Never {
            self.y.copy_from_slice(&self.course.y);
            return Ok(());
        }
        let flow = &self.course.flow;
        let dense = self.course.integrator.dense(&mut Shared(flow));
        dense.map_err(|e| flow_error(flow, e))?.state(t.min(self.t1), &mut self.y);
        Ok(())
    }

    /// The motion of a body of the whole in the state that was last looked at.
    pub fn motion_now(&mut self, body: BodyId) -> BodyMotion {
        let flow = self.course.flow.get_mut();
        let (q, v, _) = flow.split(&self.y);
        flow.posture.sight(q, v);
        body_twist(flow.model, &flow.posture.kin, self.members.body(body))
    }

    /// The leg ends at `t`, where its state is in `course.y` to the accuracy of the integration.
    pub fn cut(&mut self, t: f64) -> Result<(), SimError> {
        if t < self.t1 && self.ends == Ends::Event {
            // What would have happened at its end has not happened.
            self.course.fired.clear();
        }
        if t <= self.t0 || self.ends == Ends::Never {
            return Ok(());
        }
        (self.t1, self.ends) = (t, if t < self.t1 { Ends::Step } else { self.ends });
        let flow = &self.course.flow;
        let integrator = &mut self.course.integrator;
        if t != integrator.t() {
            let shared = &mut Shared(flow);
            let cut = match integrator.interpolates(shared, t).map_err(|e| flow_error(flow, e))? {
                true => integrator.land(shared, t),
                false => integrator.restep(shared, t),
            };
            cut.map_err(|e| flow_error(flow, e))?;
        }
        self.course.y.copy_from_slice(self.course.integrator.y());
        Ok(())
    }

    /// The state at a time of the leg as a row of output wants it: on its closed contacts. What belongs to it is in the
    /// flow and the ledger of the course.
    pub fn present(&mut self, t: f64) -> Result<(), SimError> {
        self.look(t)?;
        if t > self.t0 && self.ends != Ends::Never {
            let flow = &self.course.flow;
            let projected = flow.borrow_mut().project_state(t, &mut self.y);
            projected.map_err(|source| rate_error(flow, t, source))?;
        }
        std::mem::swap(&mut self.y, &mut self.course.y);
        let accounted = self.course.account(t);
        std::mem::swap(&mut self.y, &mut self.course.y);
        accounted.map(|_| ())
    }

    /// The leg ends with what is watched at this site of the whole.
    pub fn fire(&mut self, site: usize, watch: Watch) {
        let own = self.members.places.iter().position(|&place| place == site);
        self.course.fired.clear();
        self.course.fired.extend(own.map(|own| (own, watch)));
        self.ends = Ends::Event;
    }

    /// Whether it moves by itself: nothing rests, and no time step carries it.
    pub fn is_moving(&mut self) -> bool {
        let flow = self.course.flow.get_mut();
        flow.carried.iter().all(Option::is_none) && flow.frozen.iter().all(|frozen| !frozen)
    }

    /// The mode of a site of the whole.
    pub fn mode(&self, site: usize) -> Mode {
        let own = self.members.places.iter().position(|&place| place == site);
        own.map_or(Mode::Open, |own| self.course.flow.borrow().contacts.modes[own])
    }

    /// The sets of assemblies that closed contacts join, or all while a time step carries the cluster.
    pub fn groups(&mut self) -> Vec<Vec<usize>> {
        let count = self.assemblies.len();
        let flow = self.course.flow.get_mut();
        if count == 1 || flow.carried.iter().any(Option::is_some) {
            return Vec::new();
        }
        let mut label: Vec<usize> = (0..count).collect();
        let root = |label: &[usize], mut k: usize| {
            while label[k] != k {
                k = label[k];
            }
            k
        };
        for (mode, joins) in flow.contacts.modes.iter().zip(&self.members.joins) {
            if let Some((a, b)) = joins.filter(|_| mode.is_closed()) {
                let (a, b) = (root(&label, a), root(&label, b));
                label[a.max(b)] = a.min(b);
            }
        }
        let mut groups: Vec<Vec<usize>> = vec![Vec::new(); count];
        for k in 0..count {
            groups[root(&label, k)].push(self.assemblies[k]);
        }
        groups.retain(|group| !group.is_empty());
        groups
    }
}
