//! A stage in which slip turns, integrated to its first event.
//!
//! The variable is σ, ds = dσ / Σ(cᵢ/rᵢ) over the contacts whose slip turns, in which a slip that stops decays
//! exponentially instead of ending in a singularity. Events are zeros of functions of the state, found by shortening the
//! last step.

use super::duty::{Duty, Mode, Rates, Tangent, along, direction};
use super::flow::Flow;
use super::law::NAME;
use super::modes::Search;
use super::scratch::{Event, Target};
use crate::impact::contact_space::ContactSpace;
use crate::impact::error::ImpactError;
use crate::impact::instant::TOLERANCE;

/// Error of one step relative to the velocity scale (works: to its square over G).
///
/// Events and results come out at about 1e-11; useful range 1e-14 (round-off) to 1e-8.
pub const STEP_TOLERANCE: f64 = 1e-13;

/// Slip speed, over the velocity scale, at which a slip that decays goes straight to rest: a little above the error that
/// [`STEP_TOLERANCE`] leaves, below which its direction means nothing.
const STOPPED: f64 = 1e-10;

/// Slip speed, over the velocity scale, at which a slip that starts beside a turning one enters the integration.
const ONSET: f64 = 1e-7;

/// Bound on the steps of one impact.
const STEPS: usize = 20_000;

/// Part of the velocity scale by which a normal velocity may fall below its floor: round-off.
const ROUND: f64 = 1e-14;

impl Flow<'_> {
    /// A stage in which slip turns, to its first event.
    pub(super) fn curve(&mut self) -> Result<Event, ImpactError> {
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
}

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
