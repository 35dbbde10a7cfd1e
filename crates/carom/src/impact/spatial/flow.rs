//! Several contacts along the path: one stage after the other, each with its modes.
//!
//! A stage in which no slip turns has constant rates and is taken in one exact step. Otherwise the stage is integrated
//! by extrapolation (`curve`). The state lives in the solution between stages.

use super::duty::{Spent, Tangent, along, direction};
use super::law::NAME;
use super::modes::{ENUMERATED, Search};
use super::scratch::{Event, SpatialScratch, Target};
use crate::impact::contact_space::{ContactSpace, Phase, ZERO_VELOCITY};
use crate::impact::error::{ImpactError, Reason};
use crate::impact::solution::{ImpactSolution, Outcome};
use crate::impact::trace::StageEvent;

/// A slip whose rate has a smaller part across itself, relative to the terms of the rate, goes straight.
const STRAIGHT: f64 = 1e-13;
/// Rate of a normal velocity, in units of what its own impulse alone would do, that is round-off.
const WEDGED: f64 = 1e-12;

/// A path under way.
pub(crate) struct Flow<'a> {
    pub space: &'a ContactSpace,
    pub scratch: &'a mut SpatialScratch,
    pub out: &'a mut ImpactSolution,
    /// Clock since the start.
    pub clock: f64,
    pub(super) zero: f64,
    pub(super) step: f64,
    pub(super) steps: usize,
    pub(super) stage: usize,
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
        if Search::too_many(&s.duties) {
            let (count, largest) = (s.contacts.len(), ENUMERATED.ilog(3) as usize);
            let reason = Reason::TooManyContacts { count, largest };
            return Err(ImpactError::NotApplicable { law: NAME, reason });
        }
        s.search
            .solve(&self.space.G, &s.duties, &mut s.rates)
            .map_err(|paradox| paradox.error(NAME, self.stage))?;
        self.name_events();
        self.stage += 1;
        Ok(())
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
            let du = s.rates.u[row];
            // A wedged contact moves by round-off only.
            let wedged = du.abs() <= WEDGED * self.space.G[(row, row)] * s.rates.p[row].abs();
            (out.u_post[row], if wedged { 0.0 } else { du }, s.rates.p[row])
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
    pub(super) fn advance(&mut self, ds: f64) {
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
