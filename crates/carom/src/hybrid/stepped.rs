//! A run by time steps: [`crate::stepping`]'s (1) to (7), step after step, with the same records as a run by events.
//!
//! # Rules
//! - t_k = t₀ + k h; the last step is cut to end with the run. Samples are taken at ends of steps: at all of them, or at the
//!   first at or after each multiple of the interval asked for.
//! - An event is told for a step in which something collides, or a recorded site changes its mode; one per step, in the middle
//!   of it, with the sites concerned. Sites of groups that are not written out make none.
//! - Contacts that slipped in the step before have μd, all others μs.
//! - The velocity at which bias and forces are taken is that of the middle, extrapolated by the acceleration of the step before.
//! - *Rest*: where nothing drives the mechanism and its velocities have been below
//!   ```text
//!   ½ m (κ h |g|)²,   κ = 10 max(residual, 1e-9)                                (1)
//!   ```
//!   of kinetic energy for [`QUIET`] steps, it rests for good: what the residual leaves undecided is no motion.
//!
//! # Tests
//! `tests/stepping.rs`.

use super::bilateral::{Bilateral, Form, bilaterals};
use super::flow::Given;
use super::options::{Options, Output};
use super::outcome::{Outcome, SimError, Statistics, Stop};
use super::posture::Posture;
use super::sampling::Teller;
use crate::contact::site_state::{SiteState, site_state};
use crate::contact::{Mode, Site};
use crate::coulomb::sparse::Effort;
use crate::dynamics::response::{ResponseScratch, sweep_outward};
use crate::dynamics::{energy, forces, integrate};
use crate::model::Model;
use crate::numeric::thresholds::{ACCEPTED, PENETRATION, SWEPT};
use crate::record::{ContactChange, Event, EventKind, Ledger, Rescue, Sample};
use crate::state::State;
use crate::stepping::{Ask, Parts, Pool, Rows, Solve};
use carom_ode::FlowError;

/// Steps without motion after which a mechanism is at rest.
const QUIET: u32 = 20;
/// Corrections of positions in one step.
const CORRECTIONS: usize = 4;
/// Overlap that is left, in units of the fall h² |g| of one step.
const OVERLAP: f64 = 1e-3;

/// One site of a step.
#[derive(Debug, Clone, Copy)]
struct Touch {
    site: usize,
    /// Velocity before, tangents first.
    u: [f64; 3],
    collides: bool,
}

/// A run under way.
pub(super) struct Stepped<'a> {
    model: &'a Model,
    /// M̂ of (2): the mechanism with more inertia.
    soft: &'a Model,
    options: Options,
    given: Given<'a>,
    h: f64,
    parts: Parts,
    pool: Pool,
    middle: Posture<'a>,
    end: Posture<'a>,
    states: Vec<SiteState>,
    modes: Vec<Mode>,
    guesses: Vec<[f64; 3]>,
    forces: Vec<[f64; 3]>,
    gaps: Vec<f64>,
    /// Largest extent of a shape of a link, m.
    reach: f64,
    rows: Rows,
    asks: Vec<Ask>,
    solve: Solve,
    touches: Vec<Touch>,
    bilaterals: Vec<Bilateral>,
    /// Guesses of bilateral rows.
    held: Vec<f64>,
    response: ResponseScratch,
    q: Vec<f64>,
    v: Vec<f64>,
    q_middle: Vec<f64>,
    v_middle: Vec<f64>,
    v_next: Vec<f64>,
    dv: Vec<f64>,
    user: Vec<f64>,
    tau: Vec<f64>,
    /// v̇ without contacts, and that of the last step.
    free: Vec<f64>,
    vdot: Vec<f64>,
    torques: Vec<f64>,
    before: Vec<Mode>,
    closed: Vec<usize>,
    event: Event,
    ledger: Ledger,
    residual: f64,
    last_residual: f64,
    quiet: u32,
    rests: bool,
    steps: u64,
    next_output: u64,
    start: f64,
}

impl<'a> Stepped<'a> {
    pub fn new(
        (model, soft): (&'a Model, &'a Model),
        state: &State,
        (options, h): (Options, f64),
        given: Given<'a>,
    ) -> Self {
        let (nq, nv) = (model.nq(), model.nv());
        let pool = Pool::new(model);
        let declared = pool.declared;
        Self {
            model,
            soft,
            options,
            given,
            h,
            parts: Parts::new(model),
            pool,
            middle: Posture::new(soft),
            end: Posture::new(soft),
            states: vec![SiteState::default(); declared],
            modes: vec![Mode::Open; declared],
            guesses: vec![[0.0; 3]; declared],
            forces: vec![[0.0; 3]; declared],
            gaps: vec![0.0; declared],
            reach: reach(model),
            rows: Rows::new(nv),
            asks: Vec::new(),
            solve: Solve::default(),
            touches: Vec::new(),
            bilaterals: Vec::new(),
            held: Vec::new(),
            response: ResponseScratch::new(model),
            q: state.q.as_slice().to_vec(),
            v: state.v.as_slice().to_vec(),
            q_middle: vec![0.0; nq],
            v_middle: vec![0.0; nv],
            v_next: vec![0.0; nv],
            dv: vec![0.0; nv],
            user: vec![0.0; nv],
            tau: vec![0.0; nv],
            free: vec![0.0; nv],
            vdot: vec![0.0; nv],
            torques: Vec::new(),
            before: Vec::new(),
            closed: Vec::new(),
            event: Event::empty(nq, nv),
            ledger: Ledger::new(declared),
            residual: 0.0,
            last_residual: 0.0,
            quiet: 0,
            rests: false,
            steps: 0,
            next_output: 1,
            start: state.t,
        }
    }

    pub fn run(&mut self, end: f64, teller: &mut Teller<'_>) -> Result<Stop, SimError> {
        let mut t = self.start;
        self.begin()?;
        self.sample(t, teller);
        while t < end && !teller.stopped && teller.broken.is_none() {
            if self.rests {
                self.coast(t, end, teller);
                t = end;
                break;
            }
            let next = (self.start + self.h * (self.steps + 1) as f64).min(end);
            self.step((t, next - t), teller)?;
            self.steps += 1;
            t = next;
            if self.is_due(t, end) {
                self.sample(t, teller);
            }
            teller.step(t);
        }
        self.start = t;
        if let Some((_, t, sites)) = teller.broken.take() {
            let contacts = sites.iter().map(|&s| self.pool.sites[s].name.clone()).collect();
            return Ok(Stop::NoSolution { t, contacts });
        }
        Ok(if teller.stopped { Stop::Observer } else { Stop::ReachedEnd })
    }

    pub fn outcome(self, stop: Stop, mut statistics: Statistics) -> Outcome {
        statistics.steps = self.steps;
        statistics.rates = self.steps;
        statistics.worst_residual = self.residual;
        let state = State { t: self.start, q: self.q.into(), v: self.v.into() };
        Outcome { stop, state, ledger: self.ledger, statistics }
    }

    /// Gaps and energies of the start; bodies may not overlap.
    fn begin(&mut self) -> Result<(), SimError> {
        self.end.place(&self.q, &self.v);
        self.pool.find(self.model, &self.end.kin, 0.0);
        self.make_room();
        let (mut deepest, mut place) = (0.0, None);
        for i in 0..self.pool.candidates.len() {
            let site = self.pool.candidates[i];
            self.observe_end(site);
            let state = &self.states[site];
            let touching = PENETRATION * state.noise;
            let least = -self.options.penetration.unwrap_or(touching).max(touching);
            if state.gap < least && state.gap < deepest {
                (deepest, place) = (state.gap, Some((site, least)));
            }
        }
        if let Some((site, least)) = place {
            let site = site_name(self.model, &self.pool.sites[site]);
            return Err(SimError::Penetration { site, gap: deepest, least });
        }
        self.note_energy();
        self.ledger.initial = self.ledger.stored();
        Ok(())
    }

    /// One step of length h from t.
    fn step(&mut self, (t, h): (f64, f64), teller: &mut Teller<'_>) -> Result<(), SimError> {
        self.drift(h);
        self.accelerate((t, h))?;
        self.touch((t, h));
        self.press((t, h), teller);
        self.account(h);
        self.tell(t + 0.5 * h, teller);
        self.land(t + h, h)?;
        self.note_energy();
        // What no force explains was made by the step itself.
        self.ledger.carried += self.ledger.closure();
        self.settle(h, teller, t + h);
        Ok(())
    }

    /// (1), and the velocity of the middle.
    fn drift(&mut self, h: f64) {
        for (i, v) in self.v.iter().enumerate() {
            self.dv[i] = 0.5 * h * v;
            self.v_middle[i] = v + 0.5 * h * self.vdot[i];
        }
        integrate::step(self.model, &self.q, &self.dv, &mut self.q_middle);
    }

    /// v̇ without contacts at the middle.
    fn accelerate(&mut self, (t, h): (f64, f64)) -> Result<(), SimError> {
        let middle = t + 0.5 * h;
        self.user.fill(0.0);
        self.middle.place(&self.q_middle, &self.v_middle);
        for force in &mut self.given.forces {
            let state = (self.q_middle.as_slice(), self.v_middle.as_slice());
            force.add(middle, state, (self.model, &self.middle.kin), &mut self.user);
        }
        self.find_forces().map_err(|source| failed(t, source))?;
        if self.given.motors.is_idle() {
            return Ok(());
        }
        self.before.clear();
        self.before.extend_from_slice(&self.modes[..self.pool.declared]);
        self.closed.clear();
        self.closed.extend((0..self.pool.declared).filter(|&s| self.modes[s].is_closed()));
        let sites = &self.pool.sites[..self.pool.declared];
        let state = (self.q_middle.as_slice(), self.v_middle.as_slice());
        self.given.motors.step_to(middle, &self.before, &self.closed);
        let known = (self.model, &self.middle.kin, &self.middle.products, &self.middle.art);
        self.given.motors.push((middle, state), known, (sites, &self.free), &mut self.user);
        self.find_forces().map_err(|source| failed(t, source))
    }

    /// The free acceleration under the user's forces, springs and dampers.
    fn find_forces(&mut self) -> Result<(), crate::dynamics::SingularInertia> {
        self.tau.copy_from_slice(&self.user);
        forces::add_joint_forces(self.model, &self.q_middle, &self.v, &mut self.tau);
        self.middle.forward(&self.q_middle, &self.v_middle, &self.tau, &mut self.free)
    }

    /// Sites that touch, equation (6), and what is asked of them, (3) and (7).
    fn touch(&mut self, (t, h): (f64, f64)) {
        let fastest = self.speed(&self.middle);
        self.pool.find(self.model, &self.middle.kin, h * fastest + h * h * self.gravity());
        self.make_room();
        self.rows.clear();
        self.asks.clear();
        self.touches.clear();
        self.hold(t + h, h);
        for i in 0..self.pool.candidates.len() {
            let site = self.pool.candidates[i];
            self.consider(site, h);
        }
    }

    /// Bilateral rows come first.
    fn hold(&mut self, t: f64, h: f64) {
        let given = (self.model, self.given.prescribed.as_slice());
        let known = (&self.middle.kin, &self.middle.products);
        bilaterals(given, known, (t, &self.q_middle), &mut self.bilaterals);
        self.held.resize(self.bilaterals.len(), 0.0);
        for (row, guess) in self.bilaterals.iter().zip(&self.held) {
            let Form::Joints { terms, count } = &row.form else { continue };
            let terms = &terms[..*count];
            self.rows.push_combination(&self.middle.instant(), &self.parts, terms);
            let k = self.rows.len() - 1;
            let u = self.rows.times(&self.parts, k, &self.v)[0];
            let rate = self.rows.times(&self.parts, k, &self.free)[0];
            let b = [u + h * rate - row.target[1], 0.0, 0.0];
            self.asks.push(Ask { b, friction: 0.0, held: true, guess: [*guess, 0.0, 0.0] });
            let u = [u, 0.0, 0.0];
            self.touches.push(Touch { site: usize::MAX, u, collides: false });
        }
    }

    fn consider(&mut self, site: usize, h: f64) {
        let known = (&self.middle.kin, &self.middle.products);
        let state = (self.q_middle.as_slice(), self.v_middle.as_slice());
        self.states[site] = site_state(self.model, &self.pool.sites[site], known, state);
        let s = &self.states[site];
        let fall = h * h * self.gravity();
        if !s.gap.is_finite() || s.gap > h * s.speed + fall + s.noise {
            self.open(site);
            return;
        }
        let parts = &self.parts;
        self.rows.push_site(&self.middle.instant(), parts, (&self.pool.sites[site], s), true);
        let k = self.rows.len() - 1;
        let normal = self.rows.rows(k) - 1;
        let u = self.rows.times(parts, k, &self.v);
        let rate = self.rows.times(parts, k, &self.free);
        let a = (rate[normal] + s.gamma[2]).abs().max(self.gravity());
        if s.gap > 0.5 * h * h * a + s.noise {
            self.rows.pop();
            self.open(site);
            return;
        }
        let surface = &self.pool.sites[site].surface;
        let collides = -u[normal] > 2.0 * h * a;
        let mut b = [0.0; 3];
        (0..=normal).for_each(|i| b[i] = u[i] + h * rate[i]);
        if collides {
            b[normal] += surface.restitution * u[normal];
        }
        let slipped = matches!(self.modes[site], Mode::Slip { .. });
        let friction = if slipped { surface.friction } else { surface.static_friction };
        self.asks.push(Ask { b, friction, held: false, guess: self.guesses[site] });
        self.touches.push(Touch { site, u, collides });
    }

    /// A site that does not touch.
    fn open(&mut self, site: usize) {
        self.guesses[site] = [0.0; 3];
        if self.modes[site].is_closed() {
            let mode = std::mem::replace(&mut self.modes[site], Mode::Open);
            self.note(site, mode, [[0.0; 3]; 3], [0.0; 2]);
        }
    }

    /// The impulses of the step and the velocity after it, (2) and (3).
    fn press(&mut self, (t, h): (f64, f64), teller: &mut Teller<'_>) {
        let effort = effort(self.asks.len());
        let quality = self.solve.solve(&self.parts, &self.rows, &self.asks, &effort);
        self.residual = self.residual.max(quality.residual);
        if teller.strict && quality.residual > ACCEPTED {
            let sites = self.touches.iter().map(|t| t.site).filter(|&s| s < self.pool.declared);
            teller.broken.get_or_insert((Rescue::Soft, t, sites.collect()));
        }
        self.last_residual = quality.residual;
        self.respond_middle();
        for i in 0..self.v.len() {
            self.v_next[i] = self.v[i] + h * self.free[i] + self.dv[i];
        }
        let collision = self.touches.iter().any(|touch| touch.collides);
        for i in 0..self.v.len() {
            let change = if collision { h * self.free[i] } else { self.v_next[i] - self.v[i] };
            self.vdot[i] = change / h;
        }
    }

    /// dv = M̂⁻¹Jᵀx of the forces found.
    fn respond_middle(&mut self) {
        respond(self.soft, &self.middle, &self.solve.s, &mut self.response, &mut self.dv);
    }

    /// Works of the step and modes after it.
    fn account(&mut self, h: f64) {
        let mean = |i: usize| 0.5 * (self.v[i] + self.v_next[i]);
        for (i, c) in self.model.coordinates().iter().enumerate() {
            self.ledger.applied += h * self.user[i] * mean(i);
            self.ledger.damping -= h * c.damping * (c.ratio * mean(i)).powi(2);
        }
        let nb = self.bilaterals.len();
        for k in 0..self.touches.len() {
            let touch = self.touches[k];
            let after = self.rows.times(&self.parts, k, &self.v_next);
            let x = self.solve.x[k];
            if k < nb {
                self.held[k] = x[0];
                if self.bilaterals[k].prescribed {
                    self.ledger.applied += 0.5 * x[0] * (touch.u[0] + after[0]);
                }
                continue;
            }
            self.account_site(touch, (x, after), h, self.rows.rows(k) - 1);
        }
    }

    fn account_site(&mut self, touch: Touch, (x, after): ([f64; 3], [f64; 3]), h: f64, n: usize) {
        let work = |i: usize| 0.5 * x[i] * (touch.u[i] + after[i]);
        let (normal, rubbing) = (work(n), (0..n).map(work).sum::<f64>());
        let site = touch.site;
        let line = self.ledger.sites.get_mut(site);
        let line = if site < self.pool.declared { line } else { Some(&mut self.ledger.groups) };
        if let Some(line) = line {
            line.impact_normal += normal;
            let at = if touch.collides { &mut line.impact_friction } else { &mut line.sliding };
            *at += rubbing;
        }
        self.guesses[site] = x;
        let mode = self.mode_after(site, (x, after), n);
        let before = std::mem::replace(&mut self.modes[site], mode);
        if let Some(force) = self.forces.get_mut(site) {
            *force = spread(x, n).map(|p| p / h);
        }
        if touch.collides || before.word() != mode.word() {
            let rows = [touch.u, after, x].map(|row| spread(row, n));
            self.note(site, before, rows, [normal, rubbing]);
            if touch.collides {
                self.event.kind = EventKind::Impact;
            }
        }
    }

    fn mode_after(&self, site: usize, (x, u): ([f64; 3], [f64; 3]), n: usize) -> Mode {
        if x[n] <= 0.0 {
            return Mode::Open;
        }
        let state = &self.states[site];
        let slip = state.axes[0] * if n > 0 { u[0] } else { 0.0 }
            + state.axes[1] * if n > 1 { u[1] } else { 0.0 };
        let (size, least) = (slip.norm(), ACCEPTED * self.h * self.gravity().max(state.speed));
        let friction = self.pool.sites[site].surface.friction;
        let full = x[0].hypot(if n > 1 { x[1] } else { 0.0 }) >= friction * x[n] * (1.0 - ACCEPTED);
        if n == 0 || (full && size > least && size > 0.0) {
            let reference = if size > 0.0 { slip / size } else { state.axes[0] };
            return if n == 0 { Mode::Stick } else { Mode::Slip { reference } };
        }
        Mode::Stick
    }

    /// A recorded site takes part in the event of this step.
    fn note(
        &mut self,
        site: usize,
        before: Mode,
        [u_pre, u_post, impulse]: [[f64; 3]; 3],
        works: [f64; 2],
    ) {
        if site >= self.pool.declared {
            return;
        }
        let [normal_work, friction_work] = works;
        let after = self.modes[site];
        self.event.contacts.push(ContactChange {
            site,
            before,
            after,
            u_pre,
            u_post,
            impulse,
            normal_work,
            friction_work,
        });
    }

    /// The event of this step, if there is one.
    fn tell(&mut self, t: f64, teller: &mut Teller<'_>) {
        let collided = self.touches.iter().any(|touch| touch.collides);
        if self.event.contacts.is_empty() {
            if collided {
                teller.statistics.impacts += 1;
            }
            return;
        }
        let impact = self.event.kind == EventKind::Impact;
        self.event.contacts.sort_by_key(|c| c.site);
        self.event.t = t;
        self.event.kind = if impact { EventKind::Impact } else { kind(&self.event.contacts) };
        self.event.q.copy_from_slice(&self.q_middle);
        self.event.v_pre.copy_from_slice(&self.v);
        self.event.v_post.copy_from_slice(&self.v_next);
        self.end.pose(&self.q_middle, &self.v);
        self.event.energy_before = energy::kinetic_energy(self.model, &self.end.kin, &self.v);
        self.end.pose(&self.q_middle, &self.v_next);
        self.event.energy_after = energy::kinetic_energy(self.model, &self.end.kin, &self.v_next);
        teller.event(&self.event);
        if !impact {
            teller.statistics.mode_changes += 1;
        }
        self.event.clear();
        self.event.kind = EventKind::Touch;
    }

    /// (4), and positions without overlap, (5).
    fn land(&mut self, t: f64, h: f64) -> Result<(), SimError> {
        self.dv.iter_mut().zip(&self.v_next).for_each(|(d, v)| *d = 0.5 * h * v);
        integrate::step(self.model, &self.q_middle, &self.dv, &mut self.q);
        self.v.copy_from_slice(&self.v_next);
        if !self.v.iter().chain(&self.q).all(|x| x.is_finite()) {
            return Err(SimError::Diverged { t, step: h });
        }
        for _ in 0..CORRECTIONS {
            if !self.correct(t, h).map_err(|source| failed(t, source))? {
                break;
            }
        }
        Ok(())
    }

    /// One correction of positions; whether there was anything to correct.
    fn correct(&mut self, t: f64, h: f64) -> Result<bool, crate::dynamics::SingularInertia> {
        self.end.place(&self.q, &self.v);
        let allowed = OVERLAP * h * h * self.gravity();
        let mut depth = 0.0_f64;
        let mut wrong = false;
        for i in 0..self.pool.candidates.len() {
            let site = self.pool.candidates[i];
            self.observe_end(site);
            let s = &self.states[site];
            wrong |= s.gap < -allowed.max(s.noise);
            depth = depth.max(-s.gap);
        }
        let given = (self.model, self.given.prescribed.as_slice());
        let known = (&self.end.kin, &self.end.products);
        bilaterals(given, known, (t, &self.q), &mut self.bilaterals);
        let value = |row: &Bilateral| (row.value - row.target[0], 8.0 * f64::EPSILON * row.size);
        wrong |= self.bilaterals.iter().any(|row| {
            let (miss, noise) = value(row);
            miss.abs() > noise
        });
        if !wrong {
            return Ok(false);
        }
        self.end.articulate(&self.q, &self.v)?;
        self.rows.clear();
        self.asks.clear();
        for row in &self.bilaterals {
            let Form::Joints { terms, count } = &row.form else { continue };
            let terms = &terms[..*count];
            self.rows.push_combination(&self.end.instant(), &self.parts, terms);
            let b = [value(row).0, 0.0, 0.0];
            self.asks.push(Ask { b, friction: 0.0, held: true, guess: [0.0; 3] });
        }
        for &site in &self.pool.candidates {
            let s = &self.states[site];
            if s.gap <= depth {
                let place = (&self.pool.sites[site], s);
                self.rows.push_site(&self.end.instant(), &self.parts, place, false);
                let b = [s.gap, 0.0, 0.0];
                self.asks.push(Ask { b, friction: 0.0, held: false, guess: [0.0; 3] });
            }
        }
        self.solve.solve(&self.parts, &self.rows, &self.asks, &effort(self.asks.len()));
        respond(self.soft, &self.end, &self.solve.s, &mut self.response, &mut self.dv);
        integrate::step(self.model, &self.q, &self.dv, &mut self.q_middle);
        self.q.copy_from_slice(&self.q_middle);
        Ok(true)
    }

    /// Rest, equation (1).
    fn settle(&mut self, h: f64, teller: &mut Teller<'_>, t: f64) {
        let kappa = 10.0 * self.last_residual.max(ACCEPTED);
        let slow = kappa * h * self.gravity();
        let still = self.ledger.kinetic <= 0.5 * self.model.moving_mass() * slow * slow;
        self.quiet = if still && self.given.is_nothing() { self.quiet + 1 } else { 0 };
        if self.quiet < QUIET {
            return;
        }
        self.rests = true;
        self.event.clear();
        self.event.kind = EventKind::Rest;
        self.event.t = t;
        self.event.q.copy_from_slice(&self.q);
        self.event.v_pre.copy_from_slice(&self.v);
        self.event.v_post.fill(0.0);
        self.event.energy_before = self.ledger.kinetic;
        self.event.energy_after = 0.0;
        self.v.fill(0.0);
        self.vdot.fill(0.0);
        self.ledger.carried -= self.ledger.kinetic;
        self.ledger.kinetic = 0.0;
        teller.event(&self.event);
    }

    /// Energies at the end of the step.
    fn note_energy(&mut self) {
        self.end.pose(&self.q, &self.v);
        self.ledger.kinetic = energy::kinetic_energy(self.model, &self.end.kin, &self.v);
        self.ledger.gravity = energy::gravity_energy(self.model, &self.end.kin);
        self.ledger.spring = forces::spring_energy(self.model, &self.q);
    }

    /// Whether a sample is taken at the end of this step.
    fn is_due(&mut self, t: f64, end: f64) -> bool {
        let Output::Interval(dt) = self.options.output else {
            return t >= end || matches!(self.options.output, Output::Steps);
        };
        let mut due = t >= end;
        // The end of a step may miss a multiple of the interval by round-off.
        while self.start + dt * self.next_output as f64 <= t + 1e-3 * self.h {
            self.next_output += 1;
            due = true;
        }
        due
    }

    /// Nothing moves: only the samples remain.
    fn coast(&mut self, t: f64, end: f64, teller: &mut Teller<'_>) {
        if let Output::Interval(dt) = self.options.output {
            let mut next = self.start + dt * self.next_output as f64;
            while next < end && !teller.stopped {
                if next > t {
                    self.sample(next, teller);
                }
                self.next_output += 1;
                next = self.start + dt * self.next_output as f64;
            }
        }
        self.sample(end, teller);
    }

    fn sample(&mut self, t: f64, teller: &mut Teller<'_>) {
        self.end.place(&self.q, &self.v);
        let mut deepest = 0.0_f64;
        for i in 0..self.pool.candidates.len() {
            let site = self.pool.candidates[i];
            self.observe_end(site);
            match self.gaps.get_mut(site) {
                Some(gap) => *gap = self.states[site].gap,
                None => deepest = deepest.min(self.states[site].gap),
            }
        }
        teller.statistics.worst_gap = teller.statistics.worst_gap.min(deepest);
        self.torques.resize(self.given.motors.actuators.len(), 0.0);
        self.given.motors.recorded(&mut self.torques);
        let n = self.pool.declared;
        teller.sample(&Sample {
            t,
            q: &self.q,
            v: &self.v,
            vdot: &self.vdot,
            modes: &self.modes[..n],
            forces: &self.forces,
            torques: &self.torques,
            gaps: &self.gaps,
            // Models with loops are not stepped.
            loops: &[],
            ledger: &self.ledger,
        });
    }

    /// Room for sites that are new.
    fn make_room(&mut self) {
        let n = self.pool.sites.len();
        self.states.resize(n, SiteState::default());
        self.modes.resize(n, Mode::Open);
        self.guesses.resize(n, [0.0; 3]);
    }

    /// The state of a site at the end of the step.
    fn observe_end(&mut self, site: usize) {
        let known = (&self.end.kin, &self.end.products);
        let state = (self.q.as_slice(), self.v.as_slice());
        self.states[site] = site_state(self.model, &self.pool.sites[site], known, state);
    }

    fn gravity(&self) -> f64 {
        self.model.gravity().norm()
    }

    /// Largest speed of a point of a link that is as far from its origin as the mechanism is from the world's, m/s.
    fn speed(&self, posture: &Posture<'_>) -> f64 {
        posture.kin.links.iter().fold(0.0, |s, l| s.max(l.V.v.norm() + l.V.w.norm() * self.reach))
    }
}

/// dv = M̂⁻¹Jᵀx with s = Zᵀx.
fn respond(
    model: &Model,
    posture: &Posture<'_>,
    s: &[f64],
    scratch: &mut ResponseScratch,
    dv: &mut [f64],
) {
    for ((d, s), D_inv) in dv.iter_mut().zip(s).zip(&posture.art.D_inv) {
        *d = s / D_inv.sqrt();
    }
    sweep_outward(model, &posture.kin, &posture.art, scratch, dv);
}

/// Contacts up to which every step is solved to round-off; above, sweeps go on from the step before.
const EXACT: usize = 64;

/// How much may be done for the problem of so many contacts.
fn effort(contacts: usize) -> Effort {
    if contacts <= EXACT {
        return Effort { target: ACCEPTED, sweeps: 400, factor: 1e7 };
    }
    Effort { target: SWEPT, sweeps: 100, factor: 0.0 }
}

/// Tangents and normal at their usual places.
fn spread(row: [f64; 3], n: usize) -> [f64; 3] {
    let mut rows = [0.0; 3];
    rows[..n].copy_from_slice(&row[..n]);
    rows[2] = row[n];
    rows
}

/// The sort of an event without collision, by the strongest change.
fn kind(changes: &[ContactChange]) -> EventKind {
    let any = |test: fn(&ContactChange) -> bool| changes.iter().any(test);
    if any(|c| !c.before.is_closed()) {
        EventKind::Touch
    } else if any(|c| !c.after.is_closed()) {
        EventKind::LiftOff
    } else if any(|c| c.after == Mode::Stick) {
        EventKind::SlipStop
    } else {
        EventKind::SlipStart
    }
}

fn site_name(model: &Model, site: &Site) -> String {
    let (a, b) = site.bodies();
    let name = |body: Option<crate::model::BodyId>| {
        body.map_or("world", |b| model.body(b).name.as_str()).to_string()
    };
    if site.name.is_empty() { format!("{}-{}", name(b), name(a)) } else { site.name.clone() }
}

fn failed(t: f64, source: crate::dynamics::SingularInertia) -> SimError {
    SimError::Flow { modes: String::from("time step"), source: FlowError::Rate { t, source } }
}

/// How far the features of a body reach from the origin of its link at most, m.
fn reach(model: &Model) -> f64 {
    let tree = model.tree();
    let far = |f: &crate::model::Feature| {
        let seat = f.body.map(|b| tree.seats[b.index()].pose.r.norm()).unwrap_or(0.0);
        seat + f.placement.r.norm()
    };
    model.features().iter().filter(|f| f.body.is_some()).map(far).fold(0.0, f64::max)
}

/// M̂ of (2) as a mechanism: springs and dampers of joints taken at the middle of steps of length h.
pub(super) fn softened(model: &Model, h: f64) -> std::borrow::Cow<'_, Model> {
    let coordinates = model.coordinates().iter();
    if !coordinates.clone().any(|c| c.spring.is_some() || c.damping != 0.0) {
        return std::borrow::Cow::Borrowed(model);
    }
    std::borrow::Cow::Owned(model.stiffened(|c| {
        let stiffness = c.spring.map_or(0.0, |s| s.stiffness);
        c.ratio * c.ratio * (0.5 * h * c.damping + 0.25 * h * h * stiffness)
    }))
}
