//! One run under way: flow, locate, jump, record.

use super::laws::Laws;
use super::motion::{Motion, Scales};
use super::options::{Options, Output};
use super::outcome::{Outcome, SimError, Statistics, Stop};
use super::teller::Teller;
use super::transition::{Dead, Place, Transition};
use super::watch::Watch;
use crate::contact::{Mode, Site};
use crate::dynamics::{SingularInertia, energy, forces};
use crate::model::Model;
use crate::record::Ledger;
use crate::state::State;
use carom_ode::{
    FlowError, Guard, Guards, Integrator, Locator, Projection, Rate, Tolerance, polish,
};
use std::cell::RefCell;

/// Length of the first step after a lift-off, in units of the time scale √(length/g).
const GRACE: f64 = 1e-4;

/// Length of the first step after a rebound, in units of the time that the rebound should take.
const BEYOND_ARC: f64 = 1.1;

/// Longest step, in units of the time scale.
const HORIZON: f64 = 1e3;

/// The motion as the integrator and the locator share it.
pub(super) struct Shared<'c, 'a>(pub(super) &'c RefCell<Motion<'a>>);

impl Rate for Shared<'_, '_> {
    type Error = SingularInertia;

    fn rate(&mut self, t: f64, y: &[f64], dydt: &mut [f64]) -> Result<(), SingularInertia> {
        self.0.borrow_mut().rate(t, y, dydt)
    }

    fn project(&mut self, t: f64, y: &mut [f64]) -> Result<Projection, SingularInertia> {
        self.0.borrow_mut().project(t, y)
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
}

/// One run under way.
pub(super) struct Course<'a> {
    pub(super) options: Options,
    pub(super) motion: RefCell<Motion<'a>>,
    pub(super) integrator: Integrator,
    pub(super) locator: Locator,
    pub(super) transition: Transition,
    pub(super) guards: Vec<Guard>,
    pub(super) fired: Vec<(usize, Watch)>,
    pub(super) start: f64,
    pub(super) y: Vec<f64>,
    pub(super) ledger: Ledger,
    pub(super) forces: Vec<[f64; 3]>,
    pub(super) gaps: Vec<f64>,
    pub(super) torques: Vec<f64>,
    pub(super) next_output: u64,
    pub(super) residual: f64,
    /// Some site has just lifted off and is not watched yet.
    pub(super) grace: bool,
    /// Time that the shortest rebound is expected to take, s.
    pub(super) arc: f64,
    /// An event has just been worked through.
    pub(super) changed: bool,
}

impl<'a> Course<'a> {
    pub(super) fn new(
        model: &'a Model,
        state: &State,
        options: Options,
        sites: &'a [Site],
    ) -> Result<Self, SimError> {
        let mut motion = Motion::new(model, sites, scales(model, state));
        let n = motion.len();
        let mut y = vec![0.0; n];
        let (nq, nv) = (model.nq(), model.nv());
        y[..nq].copy_from_slice(state.q.as_slice());
        y[nq..nq + nv].copy_from_slice(state.v.as_slice());
        let mut ledger = Ledger::new(sites.len());
        motion.place(&y[..nq], &y[nq..nq + nv]);
        ledger.initial = energy::kinetic_energy(model, &motion.kin, &y[nq..nq + nv])
            + energy::gravity_energy(model, &motion.kin)
            + forces::spring_energy(model, &y[..nq]);
        let mut integrator = Integrator::new(options.method(), tolerance(model, n, &options)?)?;
        integrator.set_max_step(options.max_step);
        let transition = Transition::new(&motion);
        Ok(Self {
            options,
            motion: RefCell::new(motion),
            integrator,
            locator: Locator::new(n),
            transition,
            guards: Vec::with_capacity(2 * sites.len()),
            fired: Vec::with_capacity(2 * sites.len()),
            start: state.t,
            y,
            ledger,
            forces: vec![[0.0; 3]; sites.len()],
            gaps: vec![0.0; sites.len()],
            torques: Vec::new(),
            next_output: 1,
            residual: 0.0,
            grace: false,
            arc: f64::INFINITY,
            changed: false,
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
        if let Some(stop) = self.change(t, laws, teller)? {
            return Ok(stop);
        }
        let (mut at_once, mut last) = (0, f64::NEG_INFINITY);
        while t < end && !teller.stopped {
            if self.rests() {
                self.coast(t, end, teller)?;
                t = end;
                break;
            }
            let Some(event) = self.flow(end, teller)? else {
                t = self.integrator.t();
                teller.step(t);
                continue;
            };
            t = event;
            // Progress below round-off is none.
            at_once = if t - last > 1e-13 * t.abs() { 0 } else { at_once + 1 };
            last = t;
            self.bound_events(t, at_once, teller)?;
            self.sample(t, teller)?;
            if let Some(stop) = self.change(t, laws, teller)? {
                return Ok(stop);
            }
        }
        if !matches!(self.options.output, Output::Steps) || self.rests() {
            self.sample(t, teller)?;
        }
        Ok(if teller.stopped { Stop::Observer } else { Stop::ReachedEnd })
    }

    /// One step; the time of the event in it, if there is one.
    fn flow(&mut self, end: f64, teller: &mut Teller<'_>) -> Result<Option<f64>, SimError> {
        if std::mem::take(&mut self.changed) && self.sinks() {
            return Ok(Some(self.integrator.t()));
        }
        let (q, v) = self.split();
        if self.motion.borrow_mut().refresh_references(q, v) {
            self.locator.refresh();
        }
        self.bound_step();
        self.motion.get_mut().singular = None;
        let bound = self.horizon(end);
        let mut shared = Shared(&self.motion);
        let step = self.integrator.advance(&mut shared, bound);
        step.map_err(|e| flow_error(&self.motion, e))?;
        let dense = self.integrator.dense(&mut shared).map_err(|e| flow_error(&self.motion, e))?;
        let (t0, t1) = (dense.t0(), dense.t1());
        let found = self.locator.locate(&dense, &mut Shared(&self.motion));
        let found = found.map_err(|source| rate_error(&self.motion, t1, source))?;
        let Some(crossing) = found.filter(|crossing| crossing.t <= end) else {
            self.output_between(t0, t1.min(end), teller)?;
            if t1 > end {
                return self.finish(end, teller).map(|()| None);
            }
            self.y.copy_from_slice(self.integrator.y());
            if matches!(self.options.output, Output::Steps) {
                self.sample(t1, teller)?;
            }
            return Ok(if self.grace { self.end_grace(t1) } else { self.sunken(t1) });
        };
        // A crossing so close to the start that its time is the same is one at the start.
        if crossing.at_start || crossing.t <= t0 {
            // The state at the start of the step is still in `y`.
            self.collect_fired();
            return Ok(Some(crossing.t));
        }
        let t = polish(
            &mut self.integrator,
            &mut Shared(&self.motion),
            &mut self.locator,
            &mut Shared(&self.motion),
            crossing,
        )
        .map_err(|e| flow_error(&self.motion, e))?;
        self.output_between(t0, t.min(end), teller)?;
        if t > end {
            return self.finish(end, teller).map(|()| None);
        }
        self.y.copy_from_slice(self.integrator.y());
        self.collect_fired();
        Ok(Some(t))
    }

    /// How far a step may go. Steps do not know the end of the run, so that what happens does not
    /// depend on it; but forces and motions of the user's may not be defined beyond it.
    fn horizon(&self, end: f64) -> f64 {
        let motion = self.motion.borrow();
        if motion.autonomous() { self.integrator.t() + HORIZON * motion.scales.time() } else { end }
    }

    /// The last step reaches beyond the end of the run: repeat it up to there.
    fn finish(&mut self, end: f64, teller: &mut Teller<'_>) -> Result<(), SimError> {
        let step = self.integrator.restep(&mut Shared(&self.motion), end);
        step.map_err(|e| flow_error(&self.motion, e))?;
        self.y.copy_from_slice(self.integrator.y());
        if matches!(self.options.output, Output::Steps) {
            self.sample(end, teller)?;
        }
        Ok(())
    }

    /// A step turns no link by more than half a turn, so that guards see what happens; the first
    /// step after a lift-off is short; that after a rebound need not go far beyond its end.
    fn bound_step(&mut self) {
        let motion = self.motion.get_mut();
        let fastest = if self.guards.is_empty() { 0.0 } else { motion.fastest_turn() };
        let turn = std::f64::consts::PI / fastest.max(f64::MIN_POSITIVE);
        let grace = if self.grace { GRACE * motion.scales.time() } else { f64::INFINITY };
        let arc = BEYOND_ARC * std::mem::replace(&mut self.arc, f64::INFINITY);
        self.integrator.set_max_step(self.options.max_step.min(turn).min(grace).min(arc));
    }

    fn split(&self) -> (&[f64], &[f64]) {
        let (nq, nv) = {
            let motion = self.motion.borrow();
            (motion.model.nq(), motion.model.nv())
        };
        (&self.y[..nq], &self.y[nq..nq + nv])
    }

    fn collect_fired(&mut self) {
        let motion = self.motion.borrow();
        self.fired.clear();
        self.fired.extend(self.locator.fired().iter().map(|&k| motion.watches[k]));
    }

    /// The jump or change of modes at an event, and a fresh start after it.
    fn change(
        &mut self,
        t: f64,
        laws: &Laws<'_>,
        teller: &mut Teller<'_>,
    ) -> Result<Option<Stop>, SimError> {
        let zeno = self.options.zeno() * (t - self.start);
        let place = Place { t, zeno, fired: &self.fired, laws };
        let motion = self.motion.get_mut();
        let before = teller.statistics.events;
        let passed =
            self.transition.pass(motion, &place, &mut self.y, &mut self.ledger, &mut |event| {
                teller.event(event)
            });
        match passed {
            Ok(()) => {}
            Err(Dead::Error(e)) => return Err(e),
            Err(Dead::NoSolution) => return Ok(Some(self.stop_at(t, true))),
            Err(Dead::Ambiguous) => return Ok(Some(self.stop_at(t, false))),
        }
        if teller.statistics.events == before {
            self.transition.note_hops(t, &self.fired);
        }
        self.grace = self.transition.spare(motion, t, &self.y).map_err(|source| {
            SimError::Flow { modes: modes_text(motion), source: FlowError::Rate { t, source } }
        })?;
        let spared = &self.transition.spared;
        motion.rearm(&mut self.guards, |site| spared[site]);
        self.locator.arm(&self.guards);
        let restarted = if teller.statistics.events > before {
            teller.statistics.mode_changes += 1;
            let power = self.sample(t, teller)?;
            self.arc = self.transition.arc(self.motion.get_mut());
            let (motion, y) = (&self.motion.borrow(), &self.y);
            self.integrator.restart_with_rate(t, y, |dydt| motion.fill_rate(y, power, dydt))
        } else {
            self.integrator.restart(t, &self.y)
        };
        restarted.map_err(|e| flow_error(&self.motion, e))?;
        self.changed = true;
        Ok(None)
    }

    fn stop_at(&self, t: f64, none: bool) -> Stop {
        let motion = self.motion.borrow();
        let contacts = motion.active.iter().map(|&s| motion.sites[s].name.clone()).collect();
        if none { Stop::NoSolution { t, contacts } } else { Stop::Ambiguous { t, contacts } }
    }

    fn rests(&self) -> bool {
        let motion = self.motion.borrow();
        motion.autonomous() && motion.frozen.iter().all(|f| *f)
    }

    /// No gap may be negative at the start; closed ones become candidates.
    fn check_gaps(&mut self) -> Result<(), SimError> {
        let (nq, nv) = {
            let motion = self.motion.borrow();
            (motion.model.nq(), motion.model.nv())
        };
        let motion = self.motion.get_mut();
        let least = -1e-9 * motion.scales.length;
        let (q, v) = (&self.y[..nq], &self.y[nq..nq + nv]);
        motion.place(q, v);
        self.fired.clear();
        for site in 0..motion.sites.len() {
            motion.observe(site, q, v);
            let state = &motion.states[site];
            if state.gap < least {
                let (site, gap) = (motion.sites[site].name.clone(), state.gap);
                return Err(SimError::Penetration { site, gap, least });
            }
            if state.gap <= -least {
                self.fired.push((site, Watch::Gap));
            }
        }
        Ok(())
    }

    fn bound_events(&self, t: f64, at_once: usize, teller: &Teller<'_>) -> Result<(), SimError> {
        if at_once > self.options.events_at_once {
            let kind = self.transition.event.kind.word();
            return Err(SimError::Chatter { t, count: at_once, kind });
        }
        if teller.statistics.events > self.options.max_events {
            return Err(SimError::TooManyEvents { t, count: self.options.max_events });
        }
        Ok(())
    }

    pub(super) fn outcome(self, stop: Stop, mut statistics: Statistics) -> Outcome {
        let motion = self.motion.into_inner();
        let (q, v, _) = motion.split(&self.y);
        let work = self.integrator.work();
        statistics.steps = work.steps;
        statistics.rejected = work.rejected;
        statistics.rates = work.rates;
        statistics.guards = self.locator.evaluations();
        statistics.unresolved_guards = self.locator.unresolved();
        statistics.worst_residual = self.residual;
        let state = State { t: self.integrator.t(), q: q.to_vec().into(), v: v.to_vec().into() };
        Outcome { stop, state, ledger: self.ledger, statistics }
    }
}

/// Sizes of the mechanism, for round-off.
fn scales(model: &Model, state: &State) -> Scales {
    let mut reach = 1.0_f64;
    for link in &model.tree().links {
        reach = reach.max(link.base.r.amax());
    }
    reach = reach.max(state.q.amax());
    let g = model.gravity().norm();
    let velocity = state.v.amax().max((g * reach).sqrt()).max(1e-3);
    let force = (model.moving_mass() * g.max(velocity * velocity / reach)).max(1e-9);
    Scales { length: reach, velocity, force }
}

/// Coordinates and velocities by the options; works relative to the energy scale.
fn tolerance(model: &Model, n: usize, options: &Options) -> Result<Tolerance, SimError> {
    let mut atol = vec![options.atol; n];
    let works = model.nq() + model.nv();
    let weight = model.moving_mass().max(1e-9) * model.gravity().norm().max(1.0);
    for a in &mut atol[works..] {
        *a = options.rtol.max(options.atol) * weight;
    }
    let mut tolerance = Tolerance::new(vec![options.rtol; n], atol)?;
    for body in model.body_ids() {
        let range = model.q_range(body);
        if range.len() >= 4 {
            tolerance = tolerance.with_block(range.end - 4..range.end)?;
        }
    }
    Ok(tolerance)
}

pub(super) fn modes_text(motion: &Motion<'_>) -> String {
    let closed = motion.modes.iter().zip(motion.sites).filter(|(m, _)| m.is_closed());
    let words: Vec<String> =
        closed.map(|(m, s): (&Mode, &Site)| format!("{} {}", s.name, m.word())).collect();
    if words.is_empty() { String::from("all open") } else { words.join(", ") }
}

pub(super) fn flow_error(
    motion: &RefCell<Motion<'_>>,
    source: FlowError<SingularInertia>,
) -> SimError {
    let motion = motion.borrow();
    // A rate that stays NaN however short the step, because M is singular.
    let source = match (source, motion.singular) {
        (FlowError::NonFinite { t, .. }, Some(source)) => FlowError::Rate { t, source },
        (other, _) => other,
    };
    SimError::Flow { modes: modes_text(&motion), source }
}

pub(super) fn rate_error(
    motion: &RefCell<Motion<'_>>,
    t: f64,
    source: SingularInertia,
) -> SimError {
    flow_error(motion, FlowError::Rate { t, source })
}
