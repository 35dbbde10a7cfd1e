//! A stage in which slip turns, integrated to its first event.
//!
//! The variable is σ, ds = dσ / Σ(cᵢ/rᵢ) over the contacts whose slip turns, in which a slip that stops decays
//! exponentially instead of ending in a singularity. Events are zeros of functions of the state, found by shortening the
//! last step. A slip that starts beside a turning one has the friction of its first direction until it is fast enough to
//! have one of its own.

use super::flow::{Flow, along, direction};
use super::law::NAME;
use super::rates::{Instant, Rates};
use super::scratch::{Event, Target};
use crate::coulomb::Tangent;
use crate::impact::contact_space::{ContactSpace, Phase};
use crate::impact::error::ImpactError;
use crate::numeric::thresholds::{POLISHED, SAME_MOTION, SOLVED, STILL};

/// Error of one step relative to the velocity scale (works: to its square over G).
///
/// Events and results come out at about 1e-11; useful range 1e-14 (round-off) to 1e-8.
pub const STEP_TOLERANCE: f64 = POLISHED;

/// Slip speed, over the velocity scale, at which a slip that decays goes straight to rest: a little above the error that
/// [`STEP_TOLERANCE`] leaves, below which its direction means nothing.
const STOPPED: f64 = STILL;

/// Slip speed, over the velocity scale, at which a slip that has started has a direction of its own.
const GROWN: f64 = SAME_MOTION;

/// Rate of a slip, over the terms that it is a sum of, that is not round-off.
const JUST_STOPS: f64 = crate::numeric::thresholds::JAMS;

/// Bound on the steps of one impact.
const STEPS: usize = 10_000;

impl Flow<'_> {
    /// A stage in which slip turns, to its first event.
    pub(super) fn curve(&mut self) -> Result<Event, ImpactError> {
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

    fn pack(&mut self) {
        let (s, out) = (&mut *self.scratch, &*self.out);
        s.y.clear();
        s.y.extend(out.u_post.iter().chain(out.impulses.iter()));
        s.y.extend(out.normal_works.iter().chain(&out.friction_works));
        s.y.push(self.clock);
        s.spare.copy_from(&s.rates);
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
        let weight = |size: f64| 1.0 / (STEP_TOLERANCE * size);
        s.weights[..m].fill(weight(scale));
        s.weights[m..2 * m].fill(weight(size(&s.y[m..2 * m], p)));
        let works = 2 * m..2 * m + nc;
        s.weights[works.clone()].fill(weight(size(&s.y[works], work)));
        let losses = 2 * m + nc..2 * m + 2 * nc;
        s.weights[losses.clone()].fill(weight(size(&s.y[losses], p * scale)));
        s.weights[2 * m + 2 * nc] = 0.0;
        for (c, _) in space.contacts.iter().zip(&s.turning).filter(|(_, turns)| **turns > 0.0) {
            let r = s.y[c.first].hypot(s.y[c.first + 1]).max(0.01 * scale);
            s.weights[c.tangent_rows()].fill(weight(r));
        }
    }

    /// One step by `h` from `y`, left in `trial`.
    fn trial_step(&mut self, h: f64) -> f64 {
        let s = &mut *self.scratch;
        let mut right = Right {
            space: self.space,
            turning: &s.turning,
            instant: &mut s.instant,
            rates: &mut s.spare,
        };
        s.extrapolation.step(|y, dy| right.rate(y, dy), &s.y, h, &s.weights, &mut s.trial)
    }

    /// The smallest event function at `trial`, relative, and its event.
    fn nearest(&mut self) -> (f64, Event) {
        let s = &mut *self.scratch;
        let mut right = Right {
            space: self.space,
            turning: &s.turning,
            instant: &mut s.instant,
            rates: &mut s.spare,
        };
        right.rate(&s.trial, &mut s.next);
        self.events()
    }

    /// Event functions at `trial`, positive before the event; rates in `spare`.
    fn events(&self) -> (f64, Event) {
        let s = &*self.scratch;
        let (y, scale) = (&s.trial, self.space.velocity_scale);
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
        let largest = s.spare.p.amax().max(f64::MIN_POSITIVE);
        for (k, c) in s.instant.problem.contacts.iter().enumerate() {
            if self.space.contacts[k].phase == Phase::Apart {
                continue;
            }
            let (mode, slip) = (s.spare.modes[k], &y[c.tangent_rows()]);
            let normal = s.spare.p[c.normal()] - c.preload;
            match mode.tangent {
                Tangent::Slip(v) if s.turning[k] > 0.0 => {
                    consider(along(v, slip) / scale - STOPPED, Event::SlipStop(k));
                }
                Tangent::Slip(_) if c.tangents == 2 => {
                    consider(GROWN - slip[0].hypot(slip[1]) / scale, Event::Grown(k));
                }
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
        if let Event::SlipStop(k) = event {
            let (s, c) = (&mut *self.scratch, &self.space.contacts[k]);
            let slip = &self.out.u_post.as_slice()[c.tangent_rows()];
            if let Some(v) = direction(slip, 0.0) {
                s.rates.copy_from(&s.spare);
                let (r, g) = (along(v, slip), along(v, &s.rates.u.as_slice()[c.tangent_rows()]));
                if g < -JUST_STOPS * s.instant.terms(k, &s.rates.p) {
                    self.advance(-r / g);
                }
            }
        }
        event
    }
}

/// Right-hand side of the integration.
struct Right<'a> {
    space: &'a ContactSpace,
    turning: &'a [f64],
    instant: &'a mut Instant,
    rates: &'a mut Rates,
}

impl Right<'_> {
    /// dy/dσ; false where the modes have no rates.
    fn rate(&mut self, y: &[f64], dy: &mut [f64]) -> bool {
        let (m, nc) = (self.space.rows(), self.space.contacts.len());
        let mut stretch = 0.0;
        for (k, c) in self.space.contacts.iter().enumerate().filter(|(k, _)| self.turning[*k] > 0.0)
        {
            let Some(v) = direction(&y[c.tangent_rows()], 0.0) else { return false };
            self.rates.modes[k].tangent = Tangent::Slip(v);
            stretch += self.turning[k] / y[c.first].hypot(y[c.first + 1]);
        }
        if !self.instant.follow(self.rates) {
            return false;
        }
        let ds = 1.0 / stretch;
        dy.fill(0.0);
        for i in 0..m {
            dy[i] = ds * self.rates.u[i];
            dy[m + i] = ds * self.rates.p[i];
        }
        for (k, c) in self.space.contacts.iter().enumerate() {
            dy[2 * m + k] = dy[m + c.normal()] * y[c.normal()];
            dy[2 * m + nc + k] = c.tangent_rows().map(|i| dy[m + i] * y[i]).sum();
        }
        dy[2 * m + 2 * nc] = ds;
        dy.iter().all(|x| x.is_finite())
    }
}
