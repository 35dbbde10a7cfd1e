//! A stage in which slip turns, integrated to its first event.
//!
//! Steps are those of [`collocation`](super::collocation). Events are zeros of functions of the state, looked for at all
//! nodes of a step and found between them by [`locate`](super::locate).

use super::collocation::Right;
use super::flow::{Flow, along, direction};
use super::law::NAME;
use super::nodes::NODES;
use super::scratch::{Event, Slip, Target};
use crate::coulomb::Tangent;
use crate::impact::contact_space::Phase;
use crate::impact::error::ImpactError;
use crate::numeric::thresholds::{POLISHED, SOLVED, STEP_ESTIMATE, STILL};

/// Error of one step relative to the velocity scale (works: to its square over G): what it is by (6) of `collocation` where
/// its estimate is that of [`STEP_ESTIMATE`].
///
/// Events and results come out at about 1e-11; useful range 1e-14 (round-off) to 1e-8.
pub const STEP_TOLERANCE: f64 = POLISHED;

/// Slip speed, over the velocity scale, at which a slip that decays goes straight to rest: a little above the error that
/// [`STEP_TOLERANCE`] leaves, below which its direction means nothing.
const STOPPED: f64 = STILL;

/// Rate of a slip, over the terms that it is a sum of, that is not round-off.
const JUST_STOPS: f64 = crate::numeric::thresholds::JAMS;

/// Bound on the steps of one impact: those that end take up to a hundred or so.
const STEPS: usize = 500;

/// First step of a stage, in units of what a slip needs to stop.
const PACE: f64 = 0.2;

/// Order of the error estimate of a step.
const ORDER: f64 = NODES as f64 + 1.0;

impl Flow<'_> {
    /// A stage in which slip turns, to its first event.
    pub(super) fn curve(&mut self) -> Result<Event, ImpactError> {
        self.pack();
        if !self.begin() {
            return Err(self.unsolved(f64::INFINITY));
        }
        let mut pace = PACE;
        loop {
            self.steps += 1;
            if self.steps > STEPS {
                return Err(ImpactError::TooManyStages { law: NAME, limit: STEPS });
            }
            self.weigh();
            let natural = self.natural();
            self.step = pace * natural;
            let error = self.trial_step(self.step);
            if error > 1.0 {
                pace *= if error.is_finite() {
                    (0.8 * error.powf(-1.0 / ORDER)).max(0.2)
                } else {
                    0.25
                };
                if pace < f64::EPSILON {
                    return Err(self.unsolved(error));
                }
                continue;
            }
            for node in 0..NODES {
                if self.nearest(node).0 < 0.0 {
                    let event = self.locate(node);
                    self.unpack();
                    self.scratch.rates.copy_from(&self.scratch.spare);
                    return Ok(self.close_slip(event));
                }
            }
            let s = &mut *self.scratch;
            std::mem::swap(&mut s.y, &mut s.trial);
            s.collocation.accept(self.step);
            pace *= (0.8 * error.powf(-1.0 / ORDER)).min(4.0);
        }
    }

    /// Length over which rates change: of a slip until it would stop at its rate, of all velocities at theirs.
    fn natural(&self) -> f64 {
        let s = &*self.scratch;
        let rate = s.collocation.start_rates();
        let size = rate.iter().fold(f64::MIN_POSITIVE, |size, rate| size.max(rate.abs()));
        let ends = |&k: &usize| {
            let rows = self.space.contacts[k].tangent_rows();
            let length = |x: &[f64]| x[0].hypot(x[1]);
            let r = length(&s.y[rows.clone()]);
            if r > self.zero { r / length(&rate[rows]) } else { f64::INFINITY }
        };
        s.collocation.turn.iter().map(ends).fold(self.space.velocity_scale / size, f64::min)
    }

    fn unsolved(&self, residual: f64) -> ImpactError {
        ImpactError::Unsolved { law: NAME, residual, tolerance: STEP_TOLERANCE }
    }

    fn pack(&mut self) {
        let (s, out) = (&mut *self.scratch, &*self.out);
        s.y.clear();
        s.y.extend(out.u_post.iter().chain(out.impulses.iter()));
        s.y.extend(out.normal_works.iter().chain(&out.friction_works));
        s.y.push(self.clock);
        s.spare.copy_from(&s.rates);
        for x in [&mut s.trial, &mut s.weights] {
            x.clear();
            x.resize(s.y.len(), 0.0);
        }
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
        for (k, c) in
            self.space.contacts.iter().enumerate().filter(|(_, c)| c.phase != Phase::Apart)
        {
            s.floors[k] += s.instant.floor_rate(k) * (clock[0] - self.clock);
            let u = &mut out.u_post.as_mut_slice()[c.normal()];
            if s.rates.modes[k].held || (*u - s.floors[k]).abs() <= self.zero {
                *u = s.floors[k];
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
        let weight = |size: f64| 1.0 / (STEP_ESTIMATE * size);
        s.weights[..m].fill(weight(scale));
        s.weights[m..2 * m].fill(weight(size(&s.y[m..2 * m], p)));
        let works = 2 * m..2 * m + nc;
        s.weights[works.clone()].fill(weight(size(&s.y[works], work)));
        let losses = 2 * m + nc..2 * m + 2 * nc;
        s.weights[losses.clone()].fill(weight(size(&s.y[losses], p * scale)));
        s.weights[2 * m + 2 * nc] = 0.0;
        for &k in &s.collocation.turn {
            let c = &space.contacts[k];
            let r = s.y[c.first].hypot(s.y[c.first + 1]).max(0.01 * scale);
            s.weights[c.tangent_rows()].fill(weight(r));
        }
    }

    fn begin(&mut self) -> bool {
        let s = &mut *self.scratch;
        let mut right = Right { space: self.space, instant: &mut s.instant, rates: &mut s.spare };
        s.collocation.begin(&mut right, &s.y, self.zero)
    }

    /// One step by `h` from `y`; its error.
    pub(super) fn trial_step(&mut self, h: f64) -> f64 {
        let s = &mut *self.scratch;
        let mut right = Right { space: self.space, instant: &mut s.instant, rates: &mut s.spare };
        s.collocation.step(&mut right, &s.y, h, &s.weights)
    }

    /// The smallest event function at a node of the step by `h`, relative, and its event; the state is in `trial`.
    pub(super) fn nearest_after(&mut self, h: f64, node: usize) -> (f64, Event) {
        let s = &mut *self.scratch;
        s.collocation.rates_at(node + 1, &mut s.spare);
        s.collocation.state(self.space, &s.y, h, node, &mut s.trial);
        self.events()
    }

    pub(super) fn nearest(&mut self, node: usize) -> (f64, Event) {
        self.nearest_after(self.step, node)
    }

    /// The smallest event function at `trial`, positive before the event; rates in `spare`.
    pub(super) fn events(&self) -> (f64, Event) {
        self.least(|_| true)
    }

    /// The smallest of some event functions there.
    pub(super) fn least(&self, of: impl Fn(Event) -> bool) -> (f64, Event) {
        let s = &*self.scratch;
        let (y, scale) = (&s.trial, self.space.velocity_scale);
        let clock = y[y.len() - 1];
        let mut least = (f64::INFINITY, Event::Target(0));
        let mut consider = |f: f64, e: Event| {
            if f < least.0 && of(e) {
                least = (f, e);
            }
        };
        for (k, target) in s.targets.iter().enumerate() {
            consider(self.target_function(target), Event::Target(k));
        }
        let largest = s.spare.p.amax().max(f64::MIN_POSITIVE);
        for (k, c) in s.instant.problem.contacts.iter().enumerate() {
            if self.space.contacts[k].phase == Phase::Apart {
                continue;
            }
            let (mode, slip) = (s.spare.modes[k], &y[c.tangent_rows()]);
            let normal = s.spare.p[c.normal()] - c.preload;
            match mode.tangent {
                Tangent::Slip(v) if c.tangents == 2 => match s.slips[k] {
                    Slip::Goes => consider(along(v, slip) / scale - STOPPED, Event::SlipStop(k)),
                    Slip::Starts => consider(along(v, slip) / scale + POLISHED, Event::SlipStop(k)),
                    // Ten times what counts as none, or round-off would start it again and again.
                    Slip::Frozen => {
                        let r = slip[0].hypot(slip[1]);
                        consider((10.0 * self.zero - r) / scale, Event::SlipStart(k));
                    }
                    Slip::Idle => consider(SOLVED - normal / largest, Event::SlipStart(k)),
                },
                Tangent::Slip(v) => {
                    consider(along(v, slip) / scale + POLISHED, Event::SlipStop(k));
                }
                Tangent::Stick => {
                    let p_t = s.spare.p.as_slice()[c.tangent_rows()].iter();
                    let p_t = p_t.fold(0.0_f64, |a, x| a.hypot(*x));
                    let margin = c.static_friction * s.spare.p[c.normal()] - p_t;
                    consider(margin / largest + SOLVED, Event::ConeLeft(k));
                }
                Tangent::Smooth => {}
            }
            if mode.held {
                consider(normal / largest + SOLVED, Event::PressLost(k));
            } else {
                let floor = s.floors[k] + s.instant.floor_rate(k) * (clock - self.clock);
                consider((y[c.normal()] - floor) / scale + POLISHED, Event::Floor(k));
            }
        }
        least
    }

    fn target_function(&self, target: &Target) -> f64 {
        let s = &*self.scratch;
        let (y, m, scale) = (&s.trial, self.space.rows(), self.space.velocity_scale);
        let normal = |k: usize| self.space.contacts[k].normal();
        match *target {
            Target::Clock(t) => (t - y[y.len() - 1]) / t.abs().max(f64::MIN_POSITIVE),
            Target::Rise(k, level) => (level - y[normal(k)]) / scale,
            Target::Fall(k) => y[normal(k)] / scale + POLISHED,
            Target::Impulse(k, level) => {
                (level - y[m + normal(k)]) / level.abs().max(f64::MIN_POSITIVE)
            }
            Target::Work(k, level) => {
                let work = y[2 * m + k];
                (level - work) / s.compressed[k][1].abs().max(level.abs()).max(f64::MIN_POSITIVE)
            }
        }
    }

    /// A slip that has all but stopped goes straight to rest.
    fn close_slip(&mut self, event: Event) -> Event {
        if let Event::SlipStop(k) = event {
            let (s, c) = (&mut *self.scratch, &self.space.contacts[k]);
            let slip = &self.out.u_post.as_slice()[c.tangent_rows()];
            if let Some(v) = direction(slip, 0.0) {
                let (r, g) = (along(v, slip), along(v, &s.rates.u.as_slice()[c.tangent_rows()]));
                if g < -JUST_STOPS * s.instant.terms(c.tangent_rows(), &s.rates.p) {
                    self.advance(-r / g);
                }
            }
        }
        event
    }
}
