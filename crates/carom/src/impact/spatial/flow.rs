//! Several contacts along the path: one stage after the other, each with its modes.
//!
//! A stage in which no slip turns has constant rates and is taken in one exact step. Otherwise the stage is integrated
//! by extrapolation in a variable σ, ds = dσ / Σ(cᵢ/rᵢ) over the contacts whose slip turns, in which a slip that stops
//! decays exponentially instead of ending in a singularity. The state lives in the solution between stages.

use super::extrapolate::Extrapolation;
use super::law::NAME;
use super::modes::{Duty, ENUMERATED, Mode, Paradox, Rates, Search, Spent, TOLERANCE, Tangent};
use crate::impact::contact_space::{ContactSpace, Phase, ZERO_VELOCITY};
use crate::impact::error::{ImpactError, Reason};
use crate::impact::solution::{ImpactSolution, Outcome};
use crate::impact::trace::{Stage, StageEvent};

/// Error of one step relative to the velocity scale (works: to its square over G).
///
/// Events and results come out at about 1e-11; useful range 1e-14 (round-off) to 1e-8.
pub const STEP_TOLERANCE: f64 = 1e-13;

/// A slip whose rate has a smaller part across itself, relative to the terms of the rate, goes straight.
const STRAIGHT: f64 = 1e-13;

/// Slip speed, over the velocity scale, at which a slip that decays goes straight to rest.
const STOPPED: f64 = 1e-14;

/// Slip speed, over the velocity scale, at which a slip that starts beside a turning one enters the integration.
const ONSET: f64 = 1e-7;

/// Bound on the steps of one impact.
const STEPS: usize = 20_000;

/// Something that ends a stretch of path, beside the events.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Target {
    /// The clock reaches a value.
    Clock(f64),
    /// The normal velocity of a contact (its place in the list) rises to a value.
    Rise(usize, f64),
    /// The normal velocity falls to zero.
    Fall(usize),
    /// The normal impulse reaches a value.
    Impulse(usize, f64),
    /// The normal work reaches a value.
    Work(usize, f64),
}

/// What happened first.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Event {
    Target(usize),
    SlipStop(usize),
    ConeLeft(usize),
    PressLost(usize),
    Floor(usize),
}

/// What a contact does during a stage, for the names of events.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Status {
    Open,
    Stick,
    Slip,
}

/// Scratch of the staged law.
#[derive(Clone, Debug, Default)]
pub struct SpatialScratch {
    /// Contacts that are not apart, in order; the lists below follow it.
    pub(crate) contacts: Vec<usize>,
    pub(crate) duties: Vec<Duty>,
    /// Places of the colliding contacts in the list.
    pub(crate) colliding: Vec<usize>,
    /// Least allowed normal velocities.
    pub(crate) floors: Vec<f64>,
    /// Normal impulse and work of compression of each contact.
    pub(crate) compressed: Vec<[f64; 2]>,
    /// What ends the present stretch.
    pub(crate) targets: Vec<Target>,
    rates: Rates,
    search: Search,
    status: Vec<Status>,
    /// Weights cᵢ of the turning slips, zero for the others.
    turning: Vec<f64>,
    extrapolation: Extrapolation,
    y: Vec<f64>,
    next: Vec<f64>,
    trial: Vec<f64>,
    weights: Vec<f64>,
    modes: Vec<Mode>,
    spare: Rates,
}

/// A path under way.
pub(crate) struct Flow<'a> {
    pub space: &'a ContactSpace,
    pub scratch: &'a mut SpatialScratch,
    pub out: &'a mut ImpactSolution,
    /// Clock since the start.
    pub clock: f64,
    zero: f64,
    step: f64,
    steps: usize,
    stage: usize,
}

impl<'a> Flow<'a> {
    /// Sizes everything; all closed contacts are floored at zero and undriven.
    pub fn start(
        space: &'a ContactSpace,
        scratch: &'a mut SpatialScratch,
        out: &'a mut ImpactSolution,
    ) -> Self {
        out.reset(space);
        scratch.list(space);
        let zero = ZERO_VELOCITY * space.velocity_scale;
        let mut flow =
            Self { space, scratch, out, clock: 0.0, zero, step: 0.1, steps: 0, stage: 0 };
        let first = space.colliding().next().unwrap_or(0);
        flow.record(StageEvent::Start, first);
        flow
    }

    /// Normal velocity of the contact in place `i` of the list.
    pub fn u_n(&self, i: usize) -> f64 {
        self.out.u_post[self.scratch.duties[i].normal]
    }

    /// Sets the normal velocity, to remove round-off at a target.
    pub fn set_u_n(&mut self, i: usize, u: f64) {
        self.out.u_post[self.scratch.duties[i].normal] = u;
    }

    /// Normal impulse and work so far of the contact in place `i`.
    pub fn normal(&self, i: usize) -> [f64; 2] {
        let p = self.out.impulses[self.scratch.duties[i].normal];
        [p, self.out.normal_works[self.scratch.contacts[i]]]
    }

    /// Goes on, through as many stages as it takes, to the first of the targets in the scratch; returns its index.
    pub fn run(&mut self) -> Result<usize, ImpactError> {
        let mut spent = None;
        loop {
            self.choose(spent)?;
            let event = if self.straight() { self.line()? } else { self.curve()? };
            spent = None;
            match event {
                Event::Target(k) => return Ok(k),
                Event::ConeLeft(i) => spent = Some((i, Spent::Stick)),
                Event::PressLost(i) => spent = Some((i, Spent::Press)),
                Event::SlipStop(i) => {
                    let d = &self.scratch.duties[i];
                    self.out.u_post.as_mut_slice()[d.first..d.first + d.tangents].fill(0.0);
                }
                Event::Floor(i) => {
                    let floor = self.scratch.floors[i];
                    self.set_u_n(i, floor);
                }
            }
        }
    }

    /// Finds the modes and rates of the stage that begins here.
    fn choose(&mut self, spent: Option<(usize, Spent)>) -> Result<(), ImpactError> {
        let limit = 200 + 50 * self.scratch.contacts.len();
        if self.stage >= limit {
            return Err(ImpactError::TooManyStages { law: NAME, limit });
        }
        let (s, u) = (&mut *self.scratch, &self.out.u_post);
        for (i, d) in s.duties.iter_mut().enumerate() {
            d.closed = u[d.normal] <= s.floors[i];
            d.slip = direction(d, u.as_slice(), self.zero);
            d.spent = match spent {
                Some((j, spent)) if i == j => spent,
                _ => Spent::Nothing,
            };
        }
        let found = s.search.solve(&self.space.G, &s.duties, &mut s.rates);
        found.map_err(|paradox| self.paradox(paradox))?;
        self.name_events();
        self.stage += 1;
        Ok(())
    }

    fn paradox(&self, paradox: Paradox) -> ImpactError {
        match paradox {
            Paradox::None { residual } => {
                ImpactError::NoConsistentMode { law: NAME, stage: self.stage, residual }
            }
            Paradox::Several { count } => {
                ImpactError::AmbiguousModes { law: NAME, stage: self.stage, count }
            }
            Paradox::TooMany => {
                let count = self.scratch.contacts.len();
                let largest = ENUMERATED.ilog(3) as usize;
                let reason = Reason::TooManyContacts { count, largest };
                ImpactError::NotApplicable { law: NAME, reason }
            }
        }
    }

    /// Whether the rates of this stage are constant; else sets the weights of the slips that turn.
    fn straight(&mut self) -> bool {
        let s = &mut *self.scratch;
        s.turning.fill(0.0);
        let mut straight = true;
        for (i, (d, mode)) in s.duties.iter().zip(&s.rates.modes).enumerate() {
            if let (2, Tangent::Slip(v) | Tangent::Onset(v)) = (d.tangents, mode.tangent) {
                let w = [s.rates.u[d.first], s.rates.u[d.first + 1]];
                let size = w[0].hypot(w[1]);
                s.turning[i] = size.max(f64::MIN_POSITIVE);
                let across = (v[0] * w[1] - v[1] * w[0]).abs();
                straight &= across <= STRAIGHT * s.rates.scale_of(d);
            }
        }
        if straight {
            // The part across is round-off; left in, it would turn a slip that grows slowly.
            for (d, mode) in s.duties.iter().zip(&s.rates.modes) {
                if let (2, Tangent::Slip(v) | Tangent::Onset(v)) = (d.tangents, mode.tangent) {
                    let g = along(d, v, &s.rates.u);
                    (s.rates.u[d.first], s.rates.u[d.first + 1]) = (g * v[0], g * v[1]);
                }
            }
        }
        straight
    }

    /// A stage of constant rates.
    fn line(&mut self) -> Result<Event, ImpactError> {
        let (mut ds, mut event) = (f64::INFINITY, None);
        let mut first = |x: f64, e: Event| {
            if x < ds {
                (ds, event) = (x, Some(e));
            }
        };
        let s = &*self.scratch;
        for (k, target) in s.targets.iter().enumerate() {
            first(self.time_to(target), Event::Target(k));
        }
        for (i, d) in s.duties.iter().enumerate() {
            if let (Tangent::Slip(v), Some(_)) = (s.rates.modes[i].tangent, d.slip) {
                let (r, g) = (along(d, v, self.out.u_post.as_slice()), along(d, v, &s.rates.u));
                if g < 0.0 {
                    first(-r / g, Event::SlipStop(i));
                }
            }
            let closing = s.rates.u[d.normal] - d.floor_rate;
            if !d.closed && closing < 0.0 {
                first((s.floors[i] - self.u_n(i)) / closing, Event::Floor(i));
            }
        }
        let Some(event) = event else {
            let contact = self.space.colliding().next().unwrap_or(0);
            let row = self.space.contacts[contact].normal();
            return Err(ImpactError::Jammed { law: NAME, contact, rate: s.rates.u[row] });
        };
        self.advance(ds.max(0.0));
        Ok(event)
    }

    /// Clock to a target at constant rates.
    fn time_to(&self, target: &Target) -> f64 {
        let (s, out) = (&*self.scratch, &*self.out);
        let rates = |i: usize| {
            let row = s.duties[i].normal;
            (out.u_post[row], s.rates.u[row], s.rates.p[row])
        };
        let wait = |rest: f64, rate: f64| match () {
            _ if rest <= 0.0 => 0.0,
            _ if rate > 0.0 => rest / rate,
            _ => f64::INFINITY,
        };
        match *target {
            Target::Clock(t) => (t - self.clock).max(0.0),
            Target::Rise(i, level) => {
                let (u, du, _) = rates(i);
                // On the level but falling: not yet risen.
                if u >= level && du < 0.0 { f64::INFINITY } else { wait(level - u, du) }
            }
            Target::Fall(i) => {
                let (u, du, _) = rates(i);
                if du < 0.0 { (u / -du).max(0.0) } else { f64::INFINITY }
            }
            Target::Impulse(i, level) => wait(level - self.normal(i)[0], rates(i).2),
            Target::Work(i, level) => {
                let (u, du, p) = rates(i);
                let rest = (level - self.normal(i)[1]) / p;
                let x = 2.0 * rest / (u + (u * u + 2.0 * du * rest).sqrt());
                match () {
                    _ if rest <= 0.0 => 0.0,
                    _ if p > 0.0 && x.is_finite() => x,
                    _ => f64::INFINITY,
                }
            }
        }
    }

    /// Goes on by `ds` at constant rates.
    fn advance(&mut self, ds: f64) {
        let (s, out) = (&mut *self.scratch, &mut *self.out);
        let (p, u) = (out.impulses.as_mut_slice(), out.u_post.as_mut_slice());
        for (d, &k) in s.duties.iter().zip(&s.contacts) {
            let work = |i: usize| ds * s.rates.p[i] * (u[i] + 0.5 * ds * s.rates.u[i]);
            out.normal_works[k] += work(d.normal);
            out.friction_works[k] += (d.first..d.first + d.tangents).map(work).sum::<f64>();
        }
        for i in 0..p.len() {
            p[i] += ds * s.rates.p[i];
            u[i] += ds * s.rates.u[i];
        }
        self.clock += ds;
        for (i, d) in s.duties.iter().enumerate() {
            s.floors[i] += ds * d.floor_rate;
            if (u[d.normal] - s.floors[i]).abs() <= self.zero {
                u[d.normal] = s.floors[i];
            }
            let slip = &mut u[d.first..d.first + d.tangents];
            if slip.iter().fold(0.0_f64, |r, x| r.hypot(*x)) <= self.zero {
                slip.fill(0.0);
            }
        }
    }

    /// A stage in which slip turns, to its first event.
    fn curve(&mut self) -> Result<Event, ImpactError> {
        self.leave_rest();
        self.pack();
        self.step = self.step.min(0.5);
        loop {
            self.steps += 1;
            if self.steps > STEPS {
                return Err(ImpactError::TooManyStages { law: NAME, limit: STEPS });
            }
            self.weigh();
            let error = self.trial_step(self.step);
            if error > 1.0 || !error.is_finite() {
                self.step *=
                    if error.is_finite() { (0.8 * error.powf(-0.1)).max(0.2) } else { 0.25 };
                if self.step < 1e-12 {
                    let (residual, tolerance) = (error, STEP_TOLERANCE);
                    return Err(ImpactError::Unsolved { law: NAME, residual, tolerance });
                }
                continue;
            }
            let (miss, _) = self.nearest();
            if miss < 0.0 {
                let event = self.locate();
                self.unpack();
                return Ok(self.close_slip(event));
            }
            let s = &mut *self.scratch;
            std::mem::swap(&mut s.y, &mut s.trial);
            self.step = (self.step * (0.8 * error.max(1e-8).powf(-0.1)).min(2.0)).min(1.0);
        }
    }

    /// A slip that starts beside a turning one: goes on along the first rates until it has a direction of its own.
    fn leave_rest(&mut self) {
        let s = &*self.scratch;
        let mut ds = 0.0_f64;
        for (d, mode) in s.duties.iter().zip(&s.rates.modes) {
            if matches!(mode.tangent, Tangent::Onset(_)) && d.tangents == 2 {
                let rate = s.rates.u[d.first].hypot(s.rates.u[d.first + 1]);
                ds = ds.max(ONSET * self.space.velocity_scale / rate.max(f64::MIN_POSITIVE));
            }
        }
        if ds > 0.0 && ds.is_finite() {
            self.advance(ds);
        }
    }

    fn pack(&mut self) {
        let (s, out) = (&mut *self.scratch, &*self.out);
        s.y.clear();
        s.y.extend(out.u_post.iter().chain(out.impulses.iter()));
        s.y.extend(out.normal_works.iter().chain(&out.friction_works));
        s.y.push(self.clock);
        s.modes.clear();
        s.modes.extend_from_slice(&s.rates.modes);
        for x in [&mut s.trial, &mut s.next, &mut s.weights] {
            x.clear();
            x.resize(s.y.len(), 0.0);
        }
        s.extrapolation.reserve(s.y.len());
    }

    /// The located state, in `trial`, becomes the state of the path.
    fn unpack(&mut self) {
        let (s, out) = (&mut *self.scratch, &mut *self.out);
        let (m, nc) = (out.u_post.len(), out.outcomes.len());
        let (u, rest) = s.trial.split_at(m);
        let (p, rest) = rest.split_at(m);
        let (normal, rest) = rest.split_at(nc);
        let (friction, clock) = rest.split_at(nc);
        out.u_post.as_mut_slice().copy_from_slice(u);
        out.impulses.as_mut_slice().copy_from_slice(p);
        out.normal_works.copy_from_slice(normal);
        out.friction_works.copy_from_slice(friction);
        for (i, d) in s.duties.iter().enumerate() {
            s.floors[i] += d.floor_rate * (clock[0] - self.clock);
            let u = &mut out.u_post.as_mut_slice()[d.normal];
            if s.modes[i].on || (*u - s.floors[i]).abs() <= self.zero {
                *u = s.floors[i];
            }
        }
        self.clock = clock[0];
    }

    /// Weights of the error estimate. Velocities count relative to the scale, slips that turn relative to themselves,
    /// down to a hundredth of it; impulses and works relative to what has passed, at least to that of a free impact.
    fn weigh(&mut self) {
        let (s, space) = (&mut *self.scratch, self.space);
        let (m, nc, scale) = (space.rows(), space.contacts.len(), space.velocity_scale);
        let size = |y: &[f64], least: f64| y.iter().fold(least, |s, x| s.max(x.abs()));
        let (mut p, mut work) = (f64::INFINITY, f64::INFINITY);
        for k in space.colliding() {
            let n = space.contacts[k].normal();
            let u = space.u_pre[n].abs();
            p = p.min(u / space.G[(n, n)]);
            work = work.min(u * u / space.G[(n, n)]);
        }
        let weight = |size: f64| 1.0 / (STEP_TOLERANCE * size);
        s.weights[..m].fill(weight(scale));
        s.weights[m..2 * m].fill(weight(size(&s.y[m..2 * m], p)));
        let works = 2 * m..2 * m + nc;
        s.weights[works.clone()].fill(weight(size(&s.y[works], work)));
        let losses = 2 * m + nc..2 * m + 2 * nc;
        s.weights[losses.clone()].fill(weight(size(&s.y[losses], p * scale)));
        s.weights[2 * m + 2 * nc] = 0.0;
        for (d, _) in s.duties.iter().zip(&s.turning).filter(|(_, c)| **c > 0.0) {
            let r = s.y[d.first].hypot(s.y[d.first + 1]).max(0.01 * scale);
            s.weights[d.first..d.first + 2].fill(weight(r));
        }
    }

    /// One step by `h` from `y`, left in `trial`.
    fn trial_step(&mut self, h: f64) -> f64 {
        let s = &mut *self.scratch;
        let mut right = Right {
            space: self.space,
            contacts: &s.contacts,
            duties: &s.duties,
            turning: &s.turning,
            modes: &mut s.modes,
            search: &mut s.search,
            rates: &mut s.spare,
        };
        s.extrapolation.step(|y, dy| right.rate(y, dy), &s.y, h, &s.weights, &mut s.trial)
    }

    /// The smallest event function at `trial`, relative, and its event.
    fn nearest(&mut self) -> (f64, Event) {
        let s = &mut *self.scratch;
        let mut right = Right {
            space: self.space,
            contacts: &s.contacts,
            duties: &s.duties,
            turning: &s.turning,
            modes: &mut s.modes,
            search: &mut s.search,
            rates: &mut s.spare,
        };
        right.rate(&s.trial, &mut s.next);
        self.events()
    }

    /// Event functions at `trial`, positive before the event; rates in `spare`.
    fn events(&self) -> (f64, Event) {
        let s = &*self.scratch;
        let (y, m, scale) = (&s.trial, self.space.rows(), self.space.velocity_scale);
        let clock = y[y.len() - 1];
        let mut least = (f64::INFINITY, Event::Target(0));
        let mut consider = |f: f64, e: Event| {
            if f < least.0 {
                least = (f, e);
            }
        };
        for (k, target) in s.targets.iter().enumerate() {
            consider(self.target_function(target), Event::Target(k));
        }
        let largest = s.spare.p.iter().fold(f64::MIN_POSITIVE, |a, x| a.max(x.abs()));
        for (i, (d, mode)) in s.duties.iter().zip(&s.modes).enumerate() {
            match mode.tangent {
                Tangent::Slip(v) if d.tangents == 1 => {
                    consider(v[0] * y[d.first] / scale, Event::SlipStop(i));
                }
                Tangent::Slip(_) if d.tangents == 2 => {
                    let r = y[d.first].hypot(y[d.first + 1]);
                    consider(r / scale - STOPPED, Event::SlipStop(i));
                }
                Tangent::Stick => {
                    let p_t = s.spare.p[d.first..d.first + d.tangents].iter();
                    let p_t = p_t.fold(0.0_f64, |a, x| a.hypot(*x));
                    let margin = d.static_friction * s.spare.p[d.normal] - p_t;
                    consider(margin / largest + TOLERANCE, Event::ConeLeft(i));
                }
                _ => {}
            }
            if mode.on {
                consider(
                    (s.spare.p[d.normal] - d.drive) / largest + TOLERANCE,
                    Event::PressLost(i),
                );
            } else {
                let floor = s.floors[i] + d.floor_rate * (clock - self.clock);
                consider((y[d.normal] - floor) / scale + ROUND, Event::Floor(i));
            }
        }
        debug_assert!(y.len() > 2 * m);
        least
    }

    fn target_function(&self, target: &Target) -> f64 {
        let s = &*self.scratch;
        let (y, m, scale) = (&s.trial, self.space.rows(), self.space.velocity_scale);
        let normal = |i: usize| s.duties[i].normal;
        match *target {
            Target::Clock(t) => (t - y[y.len() - 1]) / t.abs().max(f64::MIN_POSITIVE),
            Target::Rise(i, level) => (level - y[normal(i)]) / scale,
            Target::Fall(i) => y[normal(i)] / scale + ROUND,
            Target::Impulse(i, level) => {
                (level - y[m + normal(i)]) / level.abs().max(f64::MIN_POSITIVE)
            }
            Target::Work(i, level) => {
                let work = y[2 * m + s.contacts[i]];
                (level - work) / s.compressed[i][1].abs().max(level.abs()).max(f64::MIN_POSITIVE)
            }
        }
    }

    /// Shortens the last step to the first event: false position (Illinois) on the smallest event function, and
    /// bisection where that, flat at first because another event has just passed, does not halve the bracket.
    fn locate(&mut self) -> Event {
        let (mut f_hi, mut event) = self.nearest();
        let s = &mut *self.scratch;
        s.trial.copy_from_slice(&s.y);
        let (mut f_lo, at_start) = self.nearest();
        if f_lo <= 0.0 {
            return at_start;
        }
        let (mut lo, mut hi, mut width) = (0.0, self.step, f64::INFINITY);
        for round in 0..120 {
            let slow = round % 3 == 2 && hi - lo > 0.125 * width;
            if round % 3 == 2 {
                width = hi - lo;
            }
            let x = (lo * f_hi - hi * f_lo) / (f_hi - f_lo);
            let x = if x > lo && x < hi && !slow { x } else { 0.5 * (lo + hi) };
            self.trial_step(x);
            let (f, e) = self.nearest();
            if f <= 0.0 {
                (hi, f_hi, event) = (x, f, e);
                f_lo *= 0.5;
            } else {
                (lo, f_lo) = (x, f);
                f_hi *= 0.5;
            }
            if (f <= 0.0 && f > -1e-15) || hi - lo <= 1e-15 * hi {
                break;
            }
        }
        self.trial_step(hi);
        event
    }

    /// A slip that has all but stopped goes straight to rest.
    fn close_slip(&mut self, event: Event) -> Event {
        if let Event::SlipStop(i) = event {
            let s = &mut *self.scratch;
            let d = &s.duties[i];
            if let Some(v) = direction(d, self.out.u_post.as_slice(), 0.0) {
                s.rates.copy_from(&s.spare);
                let (r, g) = (along(d, v, self.out.u_post.as_slice()), along(d, v, &s.rates.u));
                let fast = g < -1e-6 * s.rates.scale_of(d);
                if fast {
                    self.advance(-r / g);
                }
            }
        }
        event
    }

    fn name_events(&mut self) {
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
        let (space, out) = (self.space, &mut *self.out);
        let (impulses, velocity) = (&out.impulses, &out.u_post);
        let normal_work: f64 = out.normal_works.iter().sum();
        let friction_work: f64 = out.friction_works.iter().sum();
        out.trace.record(|| Stage {
            event,
            contact,
            normal_impulse: space.colliding().map(|k| impulses[space.contacts[k].normal()]).sum(),
            velocity: velocity.as_slice().to_vec(),
            impulses: impulses.as_slice().to_vec(),
            energy: space.kinetic_energy + normal_work + friction_work,
            normal_work,
            friction_work,
        });
    }

    /// The end: totals and outcomes.
    pub fn finish(&mut self, contact: usize) {
        self.record(StageEvent::End, contact);
        self.out.sum_works();
        self.out.classify(self.space);
        for (k, c) in self.space.contacts.iter().enumerate() {
            // A colliding contact with e > 0 leaves, however slowly.
            if c.phase == Phase::Colliding && self.out.u_post[c.normal()] > 0.0 {
                self.out.outcomes[k] = Outcome::Rebound;
            }
        }
    }
}

/// Part of the velocity scale by which a normal velocity may fall below its floor: round-off.
const ROUND: f64 = 1e-14;

/// Right-hand side of the integration.
struct Right<'a> {
    space: &'a ContactSpace,
    contacts: &'a [usize],
    duties: &'a [Duty],
    turning: &'a [f64],
    modes: &'a mut [Mode],
    search: &'a mut Search,
    rates: &'a mut Rates,
}

impl Right<'_> {
    /// dy/dσ; false where the modes have no rates.
    fn rate(&mut self, y: &[f64], dy: &mut [f64]) -> bool {
        let (m, nc) = (self.space.rows(), self.space.contacts.len());
        let mut stretch = 0.0;
        for (i, d) in self.duties.iter().enumerate().filter(|(i, _)| self.turning[*i] > 0.0) {
            let w = [y[d.first], y[d.first + 1]];
            let r = w[0].hypot(w[1]);
            if r == 0.0 {
                return false;
            }
            self.modes[i].tangent = Tangent::Slip(w.map(|w| w / r));
            stretch += self.turning[i] / r;
        }
        if !self.search.rates(&self.space.G, self.duties, self.modes, self.rates) {
            return false;
        }
        let ds = 1.0 / stretch;
        dy.fill(0.0);
        for i in 0..m {
            dy[i] = ds * self.rates.u[i];
            dy[m + i] = ds * self.rates.p[i];
        }
        for (d, &k) in self.duties.iter().zip(self.contacts) {
            dy[2 * m + k] = dy[m + d.normal] * y[d.normal];
            let friction = (d.first..d.first + d.tangents).map(|i| dy[m + i] * y[i]);
            dy[2 * m + nc + k] = friction.sum();
        }
        dy[2 * m + 2 * nc] = ds;
        dy.iter().all(|x| x.is_finite())
    }
}

impl SpatialScratch {
    fn list(&mut self, space: &ContactSpace) {
        self.contacts.clear();
        self.duties.clear();
        self.colliding.clear();
        self.status.clear();
        self.targets.clear();
        for (k, c) in space.contacts.iter().enumerate().filter(|(_, c)| c.phase != Phase::Apart) {
            if c.phase == Phase::Colliding {
                self.colliding.push(self.contacts.len());
            }
            self.contacts.push(k);
            self.duties.push(Duty {
                first: c.first,
                tangents: if c.static_friction > 0.0 { c.tangents } else { 0 },
                normal: c.normal(),
                friction: c.friction,
                static_friction: c.static_friction,
                drive: 0.0,
                floor_rate: 0.0,
                closed: false,
                slip: None,
                spent: Spent::Nothing,
            });
        }
        let nc = self.contacts.len();
        for x in [&mut self.floors, &mut self.turning] {
            x.clear();
            x.resize(nc, 0.0);
        }
        self.compressed.clear();
        self.compressed.resize(nc, [0.0; 2]);
        self.search.reserve(space.rows(), nc, &mut self.rates);
        self.search.reserve(space.rows(), nc, &mut self.spare);
    }
}

/// Direction of slip, none if the speed does not exceed `zero`.
fn direction(d: &Duty, u: &[f64], zero: f64) -> Option<[f64; 2]> {
    let w: [f64; 2] = std::array::from_fn(|t| if t < d.tangents { u[d.first + t] } else { 0.0 });
    let r = w[0].hypot(w[1]);
    (r > zero).then(|| w.map(|w| w / r))
}

/// Part of a velocity or rate of a contact along a direction.
fn along(d: &Duty, v: [f64; 2], u: &[f64]) -> f64 {
    (0..d.tangents).map(|t| v[t] * u[d.first + t]).sum()
}
