//! One run under way: flow, locate, jump, record.

use super::creep::Creep;
use super::event::{Place, Transition, stored};
use super::flow::{Flow, Given};
use super::guards::Watch;
use super::laws::Laws;
use super::options::{Options, Output};
use super::outcome::{Outcome, SimError, Statistics, Stop};
use super::progress::{Crowd, Mark};
use super::sampling::Teller;
use crate::contact::{Mode, Site};
use crate::dynamics::SingularInertia;
use crate::model::Model;
use crate::numeric::thresholds::{PENETRATION, VELOCITY_NOISE};
use crate::record::{Event, Ledger};
use crate::state::State;
use carom_ode::{
    FlowError, Guard, Guards, Integrator, Locator, Projection, Rate, Tolerance, polish,
};
use std::cell::RefCell;

/// Length of the first step after a rebound, in units of the time that the rebound should take.
const BEYOND_ARC: f64 = 1.1;

/// How often forces that pull after an event are another event of its instant.
const PULLS: usize = 3;

/// Longest step, in units of the time scale √(length/g) of the mechanism.
const HORIZON: f64 = 1e3;

/// The flow as the integrator and the locator share it.
pub(super) struct Shared<'c, 'a>(pub(super) &'c RefCell<Flow<'a>>);

impl Rate for Shared<'_, '_> {
    type Error = SingularInertia;

    fn rate(&mut self, t: f64, y: &[f64], dydt: &mut [f64]) -> Result<(), SingularInertia> {
        self.0.borrow_mut().rate(t, y, dydt)
    }

    fn project(&mut self, t: f64, y: &mut [f64]) -> Result<Projection, SingularInertia> {
        self.0.borrow_mut().project(t, y)
    }

    fn unknowns(&self) -> usize {
        self.0.borrow().unknowns()
    }

    fn steer(&mut self, z: &[f64]) {
        self.0.borrow_mut().steer(z);
    }

    fn velocities(&self, w: &mut [[f64; 2]], wdot: &mut [[f64; 2]]) {
        self.0.borrow().velocities(w, wdot);
    }

    fn turning(
        &mut self,
        t: f64,
        y: &[f64],
        D: &mut [[f64; 2]],
        B: &mut [[f64; 2]],
    ) -> Result<bool, SingularInertia> {
        self.0.borrow_mut().turning(t, y, D, B)
    }

    fn steered(&mut self, t0: f64, h: f64, nodes: &[f64]) {
        self.0.borrow_mut().steered(t0, h, nodes);
    }
}

impl Guards for Shared<'_, '_> {
    type Error = SingularInertia;

    fn evaluate(
        &mut self,
        t: f64,
        y: &[f64],
        g: &mut [f64],
        gdot: &mut [f64],
    ) -> Result<(), SingularInertia> {
        self.0.borrow_mut().evaluate(t, y, g, gdot)
    }

    fn glimpsed(&self, k: usize) -> Option<[f64; 2]> {
        self.0.borrow().glimpsed(k)
    }
}

/// What came of one step.
pub(super) enum Stride {
    /// An event at its very start.
    Now { t: f64 },
    /// It ends with an event.
    Event { t0: f64, t: f64 },
    /// Nothing happened.
    Step { t0: f64, t1: f64 },
    /// Nothing happens before the end of the run, which lies within it.
    Beyond { t0: f64 },
}

/// One run under way.
pub(super) struct Course<'a> {
    pub(super) options: Options,
    pub(super) flow: RefCell<Flow<'a>>,
    pub(super) integrator: Integrator,
    locator: Locator,
    pub(super) transition: Transition,
    guards: Vec<Guard>,
    pub(super) fired: Vec<(usize, Watch)>,
    pub(super) start: f64,
    pub(super) y: Vec<f64>,
    pub(super) ledger: Ledger,
    pub(super) gaps: Vec<f64>,
    pub(super) torques: Vec<f64>,
    pub(super) next_output: u64,
    pub(super) residual: f64,
    /// Time that the shortest rebound is expected to take, s.
    arc: f64,
    /// Longest step, s.
    horizon: f64,
    /// The step that the motion would take if nothing slipped in space, s.
    smooth: f64,
    pub(super) crowd: Crowd,
    /// Steps and time when progress was last looked at, and √(length/g), s.
    pub(super) pace: (u64, f64),
    pub(super) slowness: f64,
    /// State at the end of a step that is looked at in part.
    shorter: Vec<f64>,
    /// Accelerations may have jumped at the start of the step.
    kinked: bool,
    /// Modes, with the directions of slips, and slow slips before the step renewed them.
    modes: Vec<Mode>,
    past: Creep,
    /// When events of friction were last projected, and slips found turned around, s.
    pub(super) projected_at: f64,
    pub(super) passed_at: f64,
}

impl<'a> Course<'a> {
    pub(super) fn new(
        model: &'a Model,
        state: &State,
        options: Options,
        (sites, given): (&[Site], Given<'a>),
    ) -> Result<Self, SimError> {
        let mut flow = Flow::new(model, sites, given);
        flow.projected = options.projected_step().is_some();
        // Loops and prescribed motions act from the first sample on.
        flow.regroup();
        let n = flow.len();
        let mut y = vec![0.0; n];
        let (nq, nv) = (model.nq(), model.nv());
        y[..nq].copy_from_slice(state.q.as_slice());
        y[nq..nq + nv].copy_from_slice(state.v.as_slice());
        let mut ledger = Ledger::new(sites.len());
        flow.posture.place(&y[..nq], &y[nq..nq + nv]);
        ledger.initial = stored(&flow, &y);
        let mut integrator = Integrator::new(options.method(), tolerance(model, n, &options)?)?;
        integrator.set_max_step(options.max_step);
        let transition = Transition::new(&flow, fall_time(model, state));
        Ok(Self {
            options,
            flow: RefCell::new(flow),
            integrator,
            locator: Locator::new(n),
            transition,
            guards: Vec::with_capacity(2 * sites.len()),
            fired: Vec::with_capacity(2 * sites.len()),
            start: state.t,
            y,
            ledger,
            gaps: vec![0.0; sites.len()],
            torques: Vec::new(),
            next_output: 1,
            residual: 0.0,
            arc: f64::INFINITY,
            horizon: HORIZON * time_scale(model, state),
            smooth: 0.0,
            crowd: Crowd::new(state.t),
            pace: (0, state.t),
            slowness: fall_time(model, state),
            shorter: vec![0.0; n],
            kinked: false,
            modes: vec![Mode::Open; sites.len()],
            past: Creep::new(),
            projected_at: f64::NAN,
            passed_at: f64::NAN,
        })
    }

    pub(super) fn run(
        &mut self,
        laws: &Laws<'_>,
        end: f64,
        teller: &mut Teller<'_>,
    ) -> Result<Stop, SimError> {
        let mut t = self.start;
        self.check_gaps()?;
        self.sample(t, teller)?;
        self.change(t, laws, teller)?;
        while t < end && !teller.stopped && teller.broken.is_none() {
            if let Some(stop) = self.broken_books(t) {
                return Ok(stop);
            }
            if self.rests() {
                self.coast(t, end, teller)?;
                t = end;
                break;
            }
            self.bound_steps()?;
            let Some(event) = self.flow(end, teller)? else {
                t = self.integrator.t();
                teller.step(t);
                continue;
            };
            t = event;
            self.bound_events(t, teller.statistics.events)?;
            self.sample(t, teller)?;
            self.change(t, laws, teller)?;
        }
        if !matches!(self.options.output, Output::Steps) || self.rests() {
            self.sample(t, teller)?;
        }
        if let Some((rescue, t, sites)) = teller.broken.take() {
            return Ok(Stop::at(rescue, t, &sites, &self.flow.borrow().sites));
        }
        if let Some(stop) = self.broken_books(t) {
            return Ok(stop);
        }
        Ok(if teller.stopped { Stop::Observer } else { Stop::ReachedEnd })
    }

    /// One step, told; the time of the event in it, if there is one.
    fn flow(&mut self, end: f64, teller: &mut Teller<'_>) -> Result<Option<f64>, SimError> {
        let (start, stride) = (self.integrator.t(), self.stride(end)?);
        if std::mem::take(&mut self.kinked) && matches!(self.options.output, Output::Steps) {
            self.sample(start, teller)?;
        }
        match stride {
            // The state at the start of the step is still in `y`.
            Stride::Now { t } => Ok(Some(t)),
            Stride::Event { t0, t } => {
                self.output_between(t0, t, teller)?;
                self.y.copy_from_slice(self.integrator.y());
                Ok(Some(t))
            }
            Stride::Step { t0, t1 } => {
                self.output_between(t0, t1, teller)?;
                self.y.copy_from_slice(self.integrator.y());
                if matches!(self.options.output, Output::Steps) {
                    self.sample(t1, teller)?;
                }
                Ok(None)
            }
            Stride::Beyond { t0 } => {
                self.output_between(t0, end, teller)?;
                self.finish(end, teller).map(|()| None)
            }
        }
    }

    /// One step of the integrator and the first event in it, which has then collected what fired. `y` stays the
    /// state at its start.
    pub(super) fn stride(&mut self, end: f64) -> Result<Stride, SimError> {
        if self.overlaps() || self.projects_friction()? {
            return Ok(Stride::Now { t: self.integrator.t() });
        }
        self.modes.clone_from(&self.flow.get_mut().contacts.modes);
        let ((q, v), t) = (self.split(), self.integrator.t());
        let slips = self.flow.borrow_mut().refresh_references(t, q, v);
        let slips = slips.map_err(|source| rate_error(&self.flow, t, source))?;
        if slips && (self.pulls(true) || self.turned(t)?) {
            return Ok(Stride::Now { t });
        }
        self.follow_features()?;
        self.bound_step();
        std::mem::swap(&mut self.flow.get_mut().creep, &mut self.past);
        self.flow.get_mut().creep.clear();
        if slips {
            self.locator.refresh();
        }
        if slips && self.options.projected_step().is_none() {
            self.follow_slow_slips()?;
            if self.pulls(false) {
                return Ok(Stride::Now { t: self.integrator.t() });
            }
        }
        self.flow.get_mut().singular = None;
        let bound = self.horizon(end);
        let step = self.integrator.advance(&mut Shared(&self.flow), bound);
        if (step.as_ref().is_err_and(no_way_on) || self.crawls()) && self.stall() {
            return Ok(Stride::Now { t: self.integrator.t() });
        }
        step.map_err(|e| flow_error(&self.flow, e))?;
        if self.pulls_from(t)? {
            return Ok(Stride::Now { t });
        }
        if !slips {
            self.smooth = self.integrator.next_step().unwrap_or(0.0);
        }
        let mut shared = Shared(&self.flow);
        let dense = self.integrator.dense(&mut shared).map_err(|e| flow_error(&self.flow, e))?;
        let (t0, t1) = (dense.t0(), dense.t1());
        let (overlap, turned) = self.flow.borrow_mut().first_overlap(&dense, end);
        if turned {
            self.locator.refresh();
        }
        let mut found = Ok(None);
        if let Some(t) = overlap {
            let shorter = dense.until(t, &mut self.shorter);
            found = self.locator.locate(&shorter, &mut Shared(&self.flow));
        }
        if matches!(found, Ok(None)) {
            if overlap.is_some() {
                self.flow.borrow_mut().rouse();
                self.locator.refresh();
            }
            found = self.locator.locate(&dense, &mut Shared(&self.flow));
        }
        let found = found.map_err(|source| rate_error(&self.flow, t1, source))?;
        let Some(crossing) = found.filter(|crossing| crossing.t <= end) else {
            return Ok(if t1 > end { Stride::Beyond { t0 } } else { Stride::Step { t0, t1 } });
        };
        // A crossing so close to the start that its time is the same is one at the start.
        if crossing.at_start || crossing.t <= t0 {
            self.collect_fired();
            return Ok(Stride::Now { t: crossing.t });
        }
        let polished = polish(
            &mut self.integrator,
            &mut Shared(&self.flow),
            &mut self.locator,
            &mut Shared(&self.flow),
            crossing,
        );
        if polished.as_ref().is_err_and(no_way_on) && self.stall() {
            return Ok(Stride::Now { t: t0 });
        }
        let t = polished.map_err(|e| flow_error(&self.flow, e))?;
        if t > end {
            return Ok(Stride::Beyond { t0 });
        }
        self.collect_fired();
        let t = self.before_pole(t0, t)?;
        Ok(if t > t0 { Stride::Event { t0, t } } else { Stride::Now { t } })
    }

    /// An event in (t₀, t] at which a force that is watched pulls, because it has passed through infinity, is moved to where it still
    /// pushes, equation (4) of [`super::guards`].
    fn before_pole(&mut self, t0: f64, t: f64) -> Result<f64, SimError> {
        let flow = self.flow.get_mut();
        if !flow.watches.iter().any(|watch| flow.pulls(watch)) {
            return Ok(t);
        }
        let dense = self.integrator.dense(&mut Shared(&self.flow));
        let dense = dense.map_err(|e| flow_error(&self.flow, e))?;
        let flow = &self.flow;
        let mut look = |at: f64| -> Result<bool, SimError> {
            dense.state(at, &mut self.shorter);
            let mut flow = flow.borrow_mut();
            let placed = flow.project_state(at, &mut self.shorter);
            let (q, v, _) = flow.split(&self.shorter);
            let found = placed.and_then(|_| flow.accelerate(at, q, v));
            found.map_err(|source| SimError::Flow {
                modes: modes_text(&flow),
                source: FlowError::Rate { t: at, source },
            })?;
            Ok(flow.watches.iter().any(|watch| flow.pulls(watch)))
        };
        let (mut pushes, mut pulls) = (t0, t);
        loop {
            let middle = 0.5 * (pushes + pulls);
            if middle <= pushes || middle >= pulls {
                break;
            }
            *if look(middle)? { &mut pulls } else { &mut pushes } = middle;
        }
        if pulls < t && look(pulls)? {
            // What would have happened later has not happened.
            let flow = flow.borrow();
            self.fired.clear();
            self.fired.extend(flow.watches.iter().filter(|watch| flow.pulls(watch)));
        }
        if pushes > t0 {
            let landed = self.integrator.land(&mut Shared(&self.flow), pushes);
            landed.map_err(|e| flow_error(&self.flow, e))?;
        }
        Ok(pushes)
    }

    /// How far a step may go. Steps do not know the end of the run, so that what happens does not
    /// depend on it; but forces and motions of the user's may not be defined beyond it.
    fn horizon(&self, end: f64) -> f64 {
        let autonomous = self.flow.borrow().given.is_nothing();
        if autonomous { self.integrator.t() + self.horizon } else { end }
    }

    /// The last step reaches beyond the end of the run: repeat it up to there.
    fn finish(&mut self, end: f64, teller: &mut Teller<'_>) -> Result<(), SimError> {
        let step = self.integrator.restep(&mut Shared(&self.flow), end);
        step.map_err(|e| flow_error(&self.flow, e))?;
        self.y.copy_from_slice(self.integrator.y());
        if matches!(self.options.output, Output::Steps) {
            self.sample(end, teller)?;
        }
        Ok(())
    }

    /// A step turns no link by more than half a turn, so that gaps see what happens, or by a turn where only forces are
    /// watched, which follow what the integrator resolves; that after a rebound need not go far beyond its end.
    fn bound_step(&mut self) {
        let flow = self.flow.get_mut();
        let fastest = if self.guards.is_empty() { 0.0 } else { flow.fastest_turn() };
        let gaps = flow.watches.iter().any(|w| w.1 == Watch::Gap);
        let widest = if gaps { std::f64::consts::PI } else { std::f64::consts::TAU };
        let turn = widest / fastest.max(f64::MIN_POSITIVE);
        let arc = BEYOND_ARC * std::mem::replace(&mut self.arc, f64::INFINITY);
        self.integrator.set_max_step(self.options.max_step.min(turn).min(arc));
    }

    /// Directions of slow slips are unknowns of the step that begins, which ends with the first of them.
    fn follow_slow_slips(&mut self) -> Result<(), SimError> {
        let (t, longest) = (self.integrator.t(), self.integrator.max_step());
        let h = self.integrator.next_step().unwrap_or(0.0).min(longest);
        let ends = self.flow.get_mut().find_creep((t, &self.y), h);
        let ends = ends.map_err(|source| rate_error(&self.flow, t, source))?;
        self.integrator.set_max_step(longest.min(ends));
        Ok(())
    }

    pub(super) fn split(&self) -> (&[f64], &[f64]) {
        let (nq, nv) = {
            let flow = self.flow.borrow();
            (flow.model.nq(), flow.model.nv())
        };
        (&self.y[..nq], &self.y[nq..nq + nv])
    }

    fn collect_fired(&mut self) {
        let flow = self.flow.borrow();
        self.fired.clear();
        self.fired.extend(self.locator.fired().iter().map(|&k| flow.watches[k]));
    }

    /// Open sites that overlap and approach: they touch now, equation (1) of [`super::guards`].
    fn overlaps(&mut self) -> bool {
        self.fired.clear();
        let flow = self.flow.get_mut();
        let (q, v, _) = flow.split(&self.y);
        let mut placed = false;
        for k in 0..flow.watches.len() {
            let (site, watch) = flow.watches[k];
            if watch != Watch::Gap || flow.contacts.states[site].gap > 0.0 {
                continue;
            }
            if !std::mem::replace(&mut placed, true) {
                flow.posture.place(q, v);
            }
            flow.observe(site, q, v);
            let (s, noise) =
                (&flow.contacts.states[site], flow.contacts.gap_noise(site, self.options.rtol));
            if s.gap < -noise && s.u[2] <= VELOCITY_NOISE * s.speed {
                self.fired.push((site, watch));
            }
        }
        !self.fired.is_empty()
    }

    /// Closed sites that pull, under the directions of slips `before` the step renews them or where slow slips have just been
    /// given theirs: they let go now, equation (2) of [`super::guards`].
    fn pulls(&mut self, before: bool) -> bool {
        self.fired.clear();
        let flow = self.flow.get_mut();
        if before || flow.creep.renewed {
            self.fired.extend(flow.watches.iter().filter(|w| flow.pulls(w)));
        }
        if !self.fired.is_empty() {
            // The forces just before are those of the directions before.
            flow.contacts.modes.clone_from(&self.modes);
            if !before {
                std::mem::swap(&mut flow.creep, &mut self.past);
            }
        }
        !self.fired.is_empty()
    }

    /// Spatial slips against their reference that no longer return to it, (7) of [`super::guards`]: they stop now.
    fn turned(&mut self, t: f64) -> Result<bool, SimError> {
        self.fired.clear();
        let flow = self.flow.get_mut();
        if flow.find_against() {
            let (q, v, _) = flow.split(&self.y);
            let result = flow.accelerate(t, q, v);
            result.map_err(|source| rate_error(&self.flow, t, source))?;
            let flow = self.flow.get_mut();
            let gone = |site: usize| flow.against[site] && flow.slip_along(site)[1] <= 0.0;
            let fired = flow.watches.iter().filter(|w| w.1 == Watch::Slip && gone(w.0));
            self.fired.extend(fired);
        }
        Ok(!self.fired.is_empty())
    }

    /// The same under the directions that the step from t has found.
    fn pulls_from(&mut self, t: f64) -> Result<bool, SimError> {
        let flow = self.flow.get_mut();
        if flow.creep.sites.is_empty() {
            return Ok(false);
        }
        let (q, v, _) = flow.split(&self.y);
        let result = flow.accelerate(t, q, v);
        result.map_err(|source| rate_error(&self.flow, t, source))?;
        Ok(self.pulls(false))
    }

    /// Sites of polytopes stand for the features that are near now. Where these have changed, accelerations may jump, so
    /// that guards and integrator start anew.
    fn follow_features(&mut self) -> Result<(), SimError> {
        let flow = self.flow.get_mut();
        let (q, v, _) = flow.split(&self.y);
        if flow.assign_features(q, v, false) {
            let t = self.integrator.t();
            flow.regroup();
            let power = self.account(t)?;
            self.resume(t, power, false)?;
            self.kinked = true;
        }
        Ok(())
    }

    /// The jump or change of modes at an event, and a fresh start after it.
    fn change(&mut self, t: f64, laws: &Laws<'_>, teller: &mut Teller<'_>) -> Result<(), SimError> {
        let before = teller.statistics.events;
        let start = before == 0 && t == self.start;
        self.pass(t, start, laws, &mut |event| teller.event(event))?;
        let told = teller.statistics.events > before;
        teller.statistics.mode_changes += u64::from(told);
        let kinked = std::mem::take(&mut self.kinked);
        let power = if told || kinked {
            self.sample(t, teller)?
        } else {
            let flow = self.flow.get_mut();
            let (q, v, _) = flow.split(&self.y);
            let result = flow.accelerate(t, q, v);
            result.map_err(|source| rate_error(&self.flow, t, source))?
        };
        self.resume(t, power, told)
    }

    /// The jump or change of modes at an event, at a state that is accounted for; `tell` hears of what came of it. Forces that pull
    /// after it are the next event of this instant, (8) of [`super::guards`].
    pub(super) fn pass(
        &mut self,
        t: f64,
        start: bool,
        laws: &Laws<'_>,
        tell: &mut dyn FnMut(&Event),
    ) -> Result<(), SimError> {
        self.pass_once(t, start, laws, tell)?;
        for _ in 0..PULLS {
            if !self.pulls_after(t)? {
                break;
            }
            self.pass_once(t, false, laws, tell)?;
        }
        Ok(())
    }

    /// Which closed sites pull under the forces of the flow, where several are closed and some slip.
    fn pulls_after(&mut self, t: f64) -> Result<bool, SimError> {
        self.fired.clear();
        let flow = self.flow.get_mut();
        let modes = &flow.contacts.modes;
        let closed = |site: &usize| modes[*site].is_closed() && flow.moves(*site);
        let slips = modes.iter().any(|mode| matches!(mode, Mode::Slip { .. }));
        if !slips || (0..modes.len()).filter(closed).nth(1).is_none() {
            return Ok(false);
        }
        let (q, v, _) = flow.split(&self.y);
        let result = flow.accelerate(t, q, v);
        result.map_err(|source| rate_error(&self.flow, t, source))?;
        let flow = self.flow.get_mut();
        flow.measure(t);
        for site in 0..flow.sites.len() {
            let own =
                flow.sites[site].pressed_by().is_none() && flow.sites[site].follows().is_none();
            let known = flow.contacts.force_noise[site] * flow.contacts.loads[site];
            let closed = flow.contacts.modes[site].is_closed() && flow.carried[site].is_none();
            if own && closed && flow.contacts.forces[site][2] < -known {
                self.fired.push((site, Watch::NormalForce));
            }
        }
        Ok(!self.fired.is_empty())
    }

    fn pass_once(
        &mut self,
        t: f64,
        start: bool,
        laws: &Laws<'_>,
        tell: &mut dyn FnMut(&Event),
    ) -> Result<(), SimError> {
        let accumulated = self.options.zeno() * (t - self.start);
        let crowd = &self.crowd;
        let crowded = crowd.count > self.options.events_at_once || crowd.returned || crowd.chatters;
        let stalled = crowd.stalled;
        let rushed = crowd.rush.carries(t);
        let rtol = self.options.rtol;
        let closure = self.ledger.closure();
        let flow = self.flow.get_mut();
        let bound = self.options.ledger_bound(&self.ledger, flow.model);
        let (q, v, _) = flow.split(&self.y);
        self.kinked = flow.renew_features(&mut self.fired, q, v);
        let place = Place {
            t,
            accumulated,
            rtol,
            bound,
            fired: &self.fired,
            laws,
            start,
            crowded,
            rushed,
            stalled,
        };
        let flow = self.flow.get_mut();
        self.transition.pass(flow, &place, &mut self.y, &mut self.ledger, tell)?;
        self.crowd.stalled = false;
        if crowded {
            self.crowd.count = 0;
        }
        let (_, v, _) = flow.split(&self.y);
        self.crowd.note(&flow.contacts.modes, v);
        flow.creep.clear();
        flow.contacts.held.fill(false);
        let work = self.integrator.work();
        let steps = work.steps + work.rejected;
        self.crowd.mark = Mark { steps, strayed: work.strayed, t };
        flow.regroup();
        // What is told next asks which slips have a direction.
        flow.measure(t);
        if self.options.steps_are_fixed() {
            self.account(t)?;
            self.ledger.opened += self.ledger.closure() - closure;
        }
        Ok(())
    }

    /// Guards and integrator start anew from `y`, whose accelerations are known with the power of applied forces.
    pub(super) fn resume(&mut self, t: f64, power: f64, told: bool) -> Result<(), SimError> {
        let flow = self.flow.get_mut();
        flow.arm(t, self.options.rtol, &mut self.guards);
        self.locator.arm(&self.guards);
        if told {
            self.arc = self.transition.arc(flow);
            let h = self.smooth.min(flow.explicit_step());
            if self.integrator.next_step().is_some_and(|next| next < h) {
                self.integrator.suggest_step(h);
            }
        }
        let (flow, y) = (&self.flow.borrow(), &self.y);
        let restarted =
            self.integrator.restart_with_rate(t, y, |dydt| flow.fill_rate(y, power, dydt));
        restarted.map_err(|e| flow_error(&self.flow, e))
    }

    pub(super) fn rests(&self) -> bool {
        let flow = self.flow.borrow();
        flow.given.is_nothing()
            && flow.frozen.iter().all(|f| *f)
            && flow.carried.iter().all(Option::is_none)
    }

    /// The run is over if its energies cannot be those of the scene.
    pub(super) fn broken_books(&self, t: f64) -> Option<Stop> {
        self.options.broken_books(&self.ledger, self.flow.borrow().model, t)
    }

    /// No gap may be negative at the start, or only as far as is let pass; closed ones become candidates.
    pub(super) fn check_gaps(&mut self) -> Result<(), SimError> {
        let flow = self.flow.get_mut();
        let (q, v, _) = flow.split(&self.y);
        flow.posture.place(q, v);
        self.fired.clear();
        flow.begin_conditions(self.start, q, v);
        flow.assign_features(q, v, true);
        let deepest = flow.deepest_overlap();
        for site in 0..flow.sites.len() {
            if flow.given.conditions.mutes(site) {
                continue;
            }
            flow.observe(site, q, v);
            if let Some((_, gap)) = deepest.filter(|d| d.0 == site) {
                let gap_of_site = &mut flow.contacts.states[site];
                gap_of_site.gap = gap.min(gap_of_site.gap);
            }
            let state = &flow.contacts.states[site];
            // What is let pass is let pass below the surface only: a small gap stays open.
            let touching = PENETRATION * state.noise;
            let least = -self.options.penetration.unwrap_or(touching).max(touching);
            if state.gap < least {
                let (site, gap) = (flow.sites[site].name.clone(), state.gap);
                return Err(SimError::Penetration { site, gap, least });
            }
            if state.gap <= touching {
                self.fired.push((site, Watch::Gap));
            }
        }
        Ok(())
    }

    /// Begin a new ledger with the energy at hand.
    pub(super) fn open_account(&mut self) {
        let flow = self.flow.get_mut();
        let (q, v, _) = flow.split(&self.y);
        flow.posture.place(q, v);
        self.ledger.clear();
        self.ledger.initial = stored(flow, &self.y);
    }

    /// How long the shortest rebound of the last event should take, s; its accelerations must be known.
    pub(super) fn rebound_time(&mut self) -> f64 {
        self.transition.arc(self.flow.get_mut())
    }

    /// The step after a rebound need not go far beyond it.
    pub(super) fn expect_rebound(&mut self, arc: f64) {
        self.arc = arc;
    }

    /// Add what was done here.
    pub(super) fn count(&self, statistics: &mut Statistics) {
        let work = self.integrator.work();
        statistics.steps += work.steps;
        statistics.rejected += work.rejected;
        statistics.rates += work.rates;
        statistics.guards += self.locator.evaluations();
        statistics.unresolved_guards += self.locator.unresolved();
        statistics.worst_residual = statistics.worst_residual.max(self.residual);
    }

    pub(super) fn outcome(self, stop: Stop, mut statistics: Statistics) -> Outcome {
        self.count(&mut statistics);
        let flow = self.flow.into_inner();
        let (q, v, _) = flow.split(&self.y);
        let state = State { t: self.integrator.t(), q: q.to_vec().into(), v: v.to_vec().into() };
        Outcome { stop, state, ledger: self.ledger, statistics }
    }
}

/// Size of the numbers that place the mechanism, m.
fn reach(model: &Model, state: &State) -> f64 {
    let links = model.tree().links.iter();
    links.fold(state.q.amax().max(1.0), |reach, link| reach.max(link.base.r.amax()))
}

/// A time that the mechanism takes to do something, s.
fn time_scale(model: &Model, state: &State) -> f64 {
    let reach = reach(model, state);
    let g = model.gravity().norm();
    reach / state.v.amax().max((g * reach).sqrt()).max(f64::EPSILON)
}

/// √(length/g), s; the time scale where there is no gravity.
fn fall_time(model: &Model, state: &State) -> f64 {
    let g = model.gravity().norm();
    if g > 0.0 { (reach(model, state) / g).sqrt() } else { time_scale(model, state) }
}

/// Coordinates and velocities by the options; works relative to the energy scale.
fn tolerance(model: &Model, n: usize, options: &Options) -> Result<Tolerance, SimError> {
    let mut atol = vec![options.atol; n];
    let works = model.nq() + model.nv();
    atol[works..].fill(options.work_tolerance(model));
    let mut tolerance = Tolerance::new(vec![options.rtol; n], atol)?;
    for body in model.body_ids() {
        let range = model.q_range(body);
        if range.len() >= 4 {
            tolerance = tolerance.with_block(range.end - 4..range.end)?;
        }
    }
    Ok(tolerance)
}

pub(super) fn modes_text(flow: &Flow<'_>) -> String {
    let closed = flow.contacts.modes.iter().zip(&flow.sites).filter(|(m, _)| m.is_closed());
    let words: Vec<String> = closed.map(|(m, s)| format!("{} {}", s.name, m.word())).collect();
    if words.is_empty() { String::from("all open") } else { words.join(", ") }
}

/// Whether an integration failed because no step is short enough.
fn no_way_on<E>(error: &FlowError<E>) -> bool {
    matches!(error, FlowError::StepUnderflow { .. } | FlowError::NonFinite { .. })
}

pub(super) fn flow_error(flow: &RefCell<Flow<'_>>, source: FlowError<SingularInertia>) -> SimError {
    let flow = flow.borrow();
    // A rate that stays NaN however short the step, because M is singular.
    let source = match (source, flow.singular) {
        (FlowError::NonFinite { t, .. }, Some(source)) => FlowError::Rate { t, source },
        (other, _) => other,
    };
    SimError::Flow { modes: modes_text(&flow), source }
}

pub(super) fn rate_error(flow: &RefCell<Flow<'_>>, t: f64, source: SingularInertia) -> SimError {
    flow_error(flow, FlowError::Rate { t, source })
}
