//! The path in impulse space: one stage after the other, each with its modes.
//!
//! A stage in which no slip turns has constant rates and is taken in one exact step. Otherwise the stage is integrated
//! by collocation (`curve`). The state lives in the solution between stages: impulses, velocities and works so far.

use super::law::NAME;
use super::scratch::{DifferentialScratch, Event, Slip, Target};
use crate::coulomb::share::Room;
use crate::coulomb::{Duty, Tangent};
use crate::impact::contact_space::{ContactSpace, Phase, ZERO_VELOCITY};
use crate::impact::error::ImpactError;
use crate::impact::solution::{ImpactSolution, Outcome};
use crate::impact::trace::StageEvent;
use crate::numeric::thresholds::{POLISHED, SOLVED, STILL, WEDGED};

/// A path under way.
pub(crate) struct Flow<'a> {
    pub space: &'a ContactSpace,
    pub scratch: &'a mut DifferentialScratch,
    pub out: &'a mut ImpactSolution,
    /// Clock since the start.
    pub clock: f64,
    pub(super) zero: f64,
    pub(super) step: f64,
    pub(super) steps: usize,
    stage: usize,
}

/// A mode that has just ended by its own condition, and is not tried again.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Spent {
    Stick(usize),
    Press(usize),
}

impl<'a> Flow<'a> {
    /// Sizes everything; all closed contacts are floored at zero and undriven.
    pub fn start(
        space: &'a ContactSpace,
        scratch: &'a mut DifferentialScratch,
        out: &'a mut ImpactSolution,
    ) -> Self {
        out.reset(space);
        scratch.start(space);
        let zero = ZERO_VELOCITY * space.velocity_scale;
        let mut flow =
            Self { space, scratch, out, clock: 0.0, zero, step: 0.1, steps: 0, stage: 0 };
        let first = space.colliding().next().unwrap_or(0);
        flow.record(StageEvent::Start, first);
        flow
    }

    /// Normal velocity of a contact.
    pub fn u_n(&self, k: usize) -> f64 {
        self.out.u_post[self.space.contacts[k].normal()]
    }

    /// Sets the normal velocity, to remove round-off at a target.
    pub fn set_u_n(&mut self, k: usize, u: f64) {
        self.out.u_post[self.space.contacts[k].normal()] = u;
    }

    /// Normal impulse and work so far of a contact.
    pub fn normal(&self, k: usize) -> [f64; 2] {
        [self.out.impulses[self.space.contacts[k].normal()], self.out.normal_works[k]]
    }

    /// Goes on, through as many stages as it takes, to the first of the targets in the scratch; returns its index.
    pub fn run(&mut self) -> Result<usize, ImpactError> {
        let (mut spent, mut shared) = (None, false);
        loop {
            if !shared {
                self.choose(spent)?;
            }
            let event = if self.straight() {
                self.line()?
            } else {
                if !shared {
                    self.scratch.instant.refer(&self.scratch.rates);
                }
                self.curve()?
            };
            (spent, shared) = (None, false);
            match event {
                Event::Target(k) => return Ok(k),
                Event::ConeLeft(k) | Event::PressLost(k) if self.shares_anew(k) => shared = true,
                Event::ConeLeft(k) => spent = Some(Spent::Stick(k)),
                Event::PressLost(k) => spent = Some(Spent::Press(k)),
                Event::SlipStop(k) => self.stop_slip(k),
                Event::SlipStart(_) => {}
                Event::Floor(k) => {
                    let floor = self.scratch.floors[k];
                    self.set_u_n(k, floor);
                }
            }
        }
    }

    /// Whether redundant contacts share otherwise what they do together, so that contact k keeps its mode; not twice without
    /// coming on.
    fn shares_anew(&mut self, k: usize) -> bool {
        if self.clock <= std::mem::replace(&mut self.scratch.shared[k], self.clock) {
            return false;
        }
        (0..self.space.contacts.len()).for_each(|k| self.allow(k, None));
        let s = &mut *self.scratch;
        s.instant.refer(&s.rates) == Room::Roomy && s.instant.follow(&mut s.rates)
    }

    /// The slip of a contact ends, and with it what redundant contacts of the same body have of it.
    fn stop_slip(&mut self, k: usize) {
        let small = 10.0 * STILL * self.space.velocity_scale;
        for (i, c) in
            self.space.contacts.iter().enumerate().filter(|(_, c)| c.phase != Phase::Apart)
        {
            let slip = &mut self.out.u_post.as_mut_slice()[c.tangent_rows()];
            if i == k || direction(slip, small).is_none() {
                slip.fill(0.0);
            }
        }
    }

    /// Finds the modes and rates of the stage that begins here.
    fn choose(&mut self, spent: Option<Spent>) -> Result<(), ImpactError> {
        let limit = 200 + 50 * self.space.contacts.len();
        if self.stage >= limit {
            return Err(ImpactError::TooManyStages { law: NAME, limit });
        }
        for k in 0..self.space.contacts.len() {
            self.allow(k, spent);
        }
        let s = &mut *self.scratch;
        let solved = s.instant.solve(&mut s.rates);
        let stage = self.stage;
        if !solved.accepted() {
            let residual = solved.residual;
            return Err(ImpactError::NoConsistentMode { law: NAME, stage, residual });
        }
        if !solved.unique && !s.instant.lets_go(&s.rates) {
            return Err(ImpactError::AmbiguousModes { law: NAME, stage });
        }
        self.out.solved.unique &= solved.unique;
        self.out.solved.residual = self.out.solved.residual.max(solved.residual);
        self.out.solved.softness = self.out.solved.softness.max(solved.softness);
        self.name_events();
        self.stage += 1;
        Ok(())
    }

    /// What a contact may do, by its velocity.
    fn allow(&mut self, k: usize, spent: Option<Spent>) {
        let (s, row) = (&mut *self.scratch, &self.space.contacts[k]);
        if row.phase == Phase::Apart {
            return;
        }
        let c = &mut s.instant.problem.contacts[k];
        s.closed[k] = self.out.u_post[c.normal()] <= s.floors[k];
        let pressed = s.closed[k] && spent != Some(Spent::Press(k));
        c.preload = s.drive[k];
        c.driven = !pressed && c.preload > 0.0;
        c.static_friction = row.static_friction;
        let slip = direction(&self.out.u_post.as_slice()[row.tangent_rows()], self.zero);
        c.duty = match slip {
            _ if !pressed && !c.driven => Duty::Apart,
            Some(d) if c.rough() => Duty::Sliding(d),
            _ => Duty::Coulomb,
        };
        if spent == Some(Spent::Stick(k)) && c.duty == Duty::Coulomb {
            // Its friction is at the limit of μs: it slips against it, at once if μd is less.
            c.static_friction = c.friction;
            let last = &s.spare.p.as_slice()[row.tangent_rows()];
            if let (true, Some(d)) = (row.static_friction == c.friction, direction(last, 0.0)) {
                c.duty = Duty::Sliding(d.map(|d| -d));
            }
        }
    }

    /// Whether the rates of this stage are constant; else says which slips turn.
    fn straight(&mut self) -> bool {
        let s = &mut *self.scratch;
        s.collocation.turn.clear();
        let mut straight = true;
        for k in s.instant.problem.active() {
            let c = &s.instant.problem.contacts[k];
            if let (2, Tangent::Slip(v)) = (c.tangents, s.rates.modes[k].tangent) {
                let slip = &self.out.u_post.as_slice()[c.tangent_rows()];
                let w = [s.rates.u[c.first], s.rates.u[c.first + 1]];
                let terms = s.instant.terms(c.tangent_rows(), &s.rates.p);
                s.slips[k] = match direction(slip, self.zero) {
                    Some(_) => Slip::Goes,
                    None if s.rates.p[c.normal()] <= 0.0 => Slip::Idle,
                    None if w[0].hypot(w[1]) <= SOLVED * terms => Slip::Frozen,
                    None => Slip::Starts,
                };
                if matches!(s.slips[k], Slip::Frozen | Slip::Idle) {
                    continue;
                }
                s.collocation.turn.push(k);
                straight &= (v[0] * w[1] - v[1] * w[0]).abs() <= POLISHED * terms;
            }
        }
        if straight {
            // The part across is round-off; left in, it would turn a slip that grows slowly.
            for k in s.instant.problem.active() {
                let c = &s.instant.problem.contacts[k];
                if let (2, Tangent::Slip(v)) = (c.tangents, s.rates.modes[k].tangent) {
                    let tangents = &mut s.rates.u.as_mut_slice()[c.tangent_rows()];
                    let g = along(v, tangents);
                    (tangents[0], tangents[1]) = (g * v[0], g * v[1]);
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
        for (i, target) in s.targets.iter().enumerate() {
            first(self.time_to(target), Event::Target(i));
        }
        for (k, c) in s.instant.problem.contacts.iter().enumerate() {
            if self.space.contacts[k].phase == Phase::Apart {
                continue;
            }
            if let Duty::Sliding(v) = c.duty
                && s.rates.modes[k].tangent != Tangent::Smooth
            {
                let r = along(v, &self.out.u_post.as_slice()[c.tangent_rows()]);
                let g = along(v, &s.rates.u.as_slice()[c.tangent_rows()]);
                if g < 0.0 {
                    first(-r / g, Event::SlipStop(k));
                }
            }
            let closing = s.rates.u[c.normal()] - s.instant.floor_rate(k);
            if !s.closed[k] && closing < 0.0 {
                first((s.floors[k] - self.u_n(k)) / closing, Event::Floor(k));
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
        let rates = |k: usize| {
            let row = self.space.contacts[k].normal();
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
            Target::Rise(k, level) => {
                let (u, du, _) = rates(k);
                // On the level but falling: not yet risen.
                if u >= level && du < 0.0 { f64::INFINITY } else { wait(level - u, du) }
            }
            Target::Fall(k) => {
                let (u, du, _) = rates(k);
                if du < 0.0 { (u / -du).max(0.0) } else { f64::INFINITY }
            }
            Target::Impulse(k, level) => wait(level - self.normal(k)[0], rates(k).2),
            Target::Work(k, level) => {
                let ((u, du, p), rest) = (rates(k), level - self.normal(k)[1]);
                let x = rest / p;
                let x = 2.0 * x / (u + (u * u + 2.0 * du * x).sqrt());
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
        for (k, c) in self.space.contacts.iter().enumerate() {
            let work = |i: usize| ds * s.rates.p[i] * (u[i] + 0.5 * ds * s.rates.u[i]);
            out.normal_works[k] += work(c.normal());
            out.friction_works[k] += c.tangent_rows().map(work).sum::<f64>();
        }
        for i in 0..p.len() {
            p[i] += ds * s.rates.p[i];
            u[i] += ds * s.rates.u[i];
        }
        self.clock += ds;
        for (k, c) in self.space.contacts.iter().enumerate() {
            if c.phase == Phase::Apart {
                continue;
            }
            s.floors[k] += ds * s.instant.floor_rate(k);
            if (u[c.normal()] - s.floors[k]).abs() <= self.zero {
                u[c.normal()] = s.floors[k];
            }
            let slip = &mut u[c.tangent_rows()];
            if direction(slip, self.zero).is_none() {
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

/// Direction of up to two components, none if they do not exceed `zero`.
pub(super) fn direction(w: &[f64], zero: f64) -> Option<[f64; 2]> {
    let w: [f64; 2] = std::array::from_fn(|t| w.get(t).copied().unwrap_or(0.0));
    let r = w[0].hypot(w[1]);
    (r > zero).then(|| w.map(|w| w / r))
}

/// Part of some components along a direction.
pub(super) fn along(v: [f64; 2], w: &[f64]) -> f64 {
    w.iter().zip(v).map(|(w, v)| w * v).sum()
}
