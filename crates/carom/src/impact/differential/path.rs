//! The path in impulse space: rates of a stage, the next event, the step to it.
//!
//! The running state lives in the solution itself: impulses, velocities and works so far.

use super::modes::{Duty, Mode, Rates, Tangent};
use super::search::Search;
use crate::impact::contact_space::{ContactSpace, Phase, ZERO_VELOCITY};
use crate::impact::error::{ImpactError, Reason};
use crate::impact::solution::{ImpactSolution, Outcome};
use crate::impact::trace::StageEvent;

pub(crate) const NAME: &str = "differential";

/// What a contact does during a stage, for the names of events.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Status {
    Open,
    Stick,
    Slip(f64),
}

impl Status {
    fn of(duty: &Duty, mode: Mode) -> Self {
        match mode.tangent {
            _ if !mode.on && duty.drive <= 0.0 => Self::Open,
            Tangent::Stick => Self::Stick,
            Tangent::Slip(sign) => Self::Slip(sign),
            Tangent::Free => Self::Slip(0.0),
        }
    }

    /// Name of the change from `self` to `next`, if it is one.
    fn event(self, next: Self) -> Option<StageEvent> {
        match (self, next) {
            (a, b) if a == b => None,
            (_, Self::Open) => Some(StageEvent::Detachment),
            (Self::Open, _) => Some(StageEvent::Attachment),
            (_, Self::Stick) => Some(StageEvent::SlipStop),
            (Self::Stick, _) => Some(StageEvent::SlipStart),
            (Self::Slip(_), Self::Slip(_)) => Some(StageEvent::Reversal),
        }
    }
}

/// Scratch of the differential law.
#[derive(Clone, Debug, Default)]
pub struct DifferentialScratch {
    /// Contacts that are not apart, in order; the lists below follow it.
    pub(crate) contacts: Vec<usize>,
    pub(crate) duties: Vec<Duty>,
    /// Places of the colliding contacts in the list.
    pub(crate) colliding: Vec<usize>,
    /// Least allowed normal velocity of each contact; minus infinity where none is prescribed.
    pub(crate) floors: Vec<f64>,
    /// Normal impulse and work of compression of each contact.
    pub(crate) compressed: Vec<(f64, f64)>,
    pub(crate) rates: Rates,
    search: Search,
    status: Vec<Status>,
}

/// A path under way.
pub(crate) struct Path<'a> {
    pub space: &'a ContactSpace,
    pub scratch: &'a mut DifferentialScratch,
    pub out: &'a mut ImpactSolution,
    zero: f64,
    stage: usize,
}

impl<'a> Path<'a> {
    /// Sizes everything; all closed contacts are floored at zero and undriven.
    pub fn start(
        space: &'a ContactSpace,
        scratch: &'a mut DifferentialScratch,
        out: &'a mut ImpactSolution,
    ) -> Result<Self, ImpactError> {
        out.reset(space);
        scratch.contacts.clear();
        scratch.duties.clear();
        scratch.colliding.clear();
        for (k, c) in space.contacts.iter().enumerate().filter(|(_, c)| c.phase != Phase::Apart) {
            if c.tangents > 1 {
                let reason = Reason::Tangents { contact: k, found: c.tangents, largest: 1 };
                return Err(ImpactError::NotApplicable { law: NAME, reason });
            }
            let rough = c.tangents == 1 && c.static_friction > 0.0;
            if c.phase == Phase::Colliding {
                scratch.colliding.push(scratch.contacts.len());
            }
            scratch.contacts.push(k);
            scratch.duties.push(Duty {
                normal: c.normal(),
                tangent: rough.then_some(c.first),
                friction: c.friction,
                static_friction: c.static_friction,
                drive: 0.0,
                floor_rate: 0.0,
                closed: false,
                slip: 0.0,
            });
        }
        let nc = scratch.contacts.len();
        scratch.floors.clear();
        scratch.floors.resize(nc, 0.0);
        scratch.compressed.clear();
        scratch.compressed.resize(nc, (0.0, 0.0));
        scratch.status.clear();
        scratch.search.reserve(space.rows(), nc, &mut scratch.rates);
        let zero = ZERO_VELOCITY * space.velocity_scale;
        let mut path = Self { space, scratch, out, zero, stage: 0 };
        let first = path.space.colliding().next().unwrap_or(0);
        path.record(StageEvent::Start, first);
        Ok(path)
    }

    /// Normal velocity of the contact in place `i` of the list.
    pub fn u_n(&self, i: usize) -> f64 {
        self.out.u_post[self.scratch.duties[i].normal]
    }

    /// Sets the normal velocity of the contact in place `i`, to remove round-off at an event.
    pub fn set_u_n(&mut self, i: usize, u: f64) {
        self.out.u_post[self.scratch.duties[i].normal] = u;
    }

    /// Finds the rates of the stage that begins here.
    pub fn rates(&mut self) -> Result<(), ImpactError> {
        let limit = 64 + 32 * self.scratch.contacts.len();
        if self.stage >= limit {
            return Err(ImpactError::TooManyStages { law: NAME, limit });
        }
        let s = &mut *self.scratch;
        for (d, floor) in s.duties.iter_mut().zip(&s.floors) {
            d.closed = self.out.u_post[d.normal] <= *floor;
            d.slip = d.tangent.map_or(0.0, |t| match self.out.u_post[t] {
                0.0 => 0.0,
                u => u.signum(),
            });
        }
        s.search
            .solve(&self.space.G, &s.duties, &mut s.rates)
            .map_err(|paradox| paradox.error(NAME, self.stage))?;
        self.remove_round_off();
        self.name_events();
        self.stage += 1;
        Ok(())
    }

    /// A rate that is negative by round-off where the modes allow none is zero.
    fn remove_round_off(&mut self) {
        let s = &mut *self.scratch;
        for (d, mode) in s.duties.iter().zip(&s.rates.modes) {
            if d.closed && !mode.on {
                s.rates.u[d.normal] = s.rates.u[d.normal].max(d.floor_rate);
            }
            if let (Tangent::Slip(sign), Some(t)) = (mode.tangent, d.tangent)
                && d.slip == 0.0
                && sign * s.rates.u[t] < 0.0
            {
                s.rates.u[t] = 0.0;
            }
        }
    }

    fn name_events(&mut self) {
        if !self.out.trace.enabled {
            return;
        }
        for i in 0..self.scratch.contacts.len() {
            let next = Status::of(&self.scratch.duties[i], self.scratch.rates.modes[i]);
            let k = self.scratch.contacts[i];
            let before = match self.scratch.status.get(i) {
                Some(status) => *status,
                // At the start only a touching contact that opens at once is an event.
                None if next == Status::Open && self.space.contacts[k].phase == Phase::Touching => {
                    Status::Stick
                }
                None => next,
            };
            if let Some(event) = before.event(next) {
                self.record(event, k);
            }
            if i < self.scratch.status.len() {
                self.scratch.status[i] = next;
            } else {
                self.scratch.status.push(next);
            }
        }
    }

    /// Clock until a slip stops or an open contact meets its floor; infinite if neither happens.
    pub fn next_event(&self) -> f64 {
        let s = &*self.scratch;
        let mut ds = f64::INFINITY;
        for ((d, floor), mode) in s.duties.iter().zip(&s.floors).zip(&s.rates.modes) {
            if let (Some(t), Tangent::Slip(_)) = (d.tangent, mode.tangent)
                && d.slip * s.rates.u[t] < 0.0
            {
                ds = ds.min(-self.out.u_post[t] / s.rates.u[t]);
            }
            let closing = s.rates.u[d.normal] - d.floor_rate;
            if !d.closed && closing < 0.0 {
                ds = ds.min((floor - self.out.u_post[d.normal]) / closing);
            }
        }
        ds
    }

    /// Goes on by `ds` along the rates: impulses, velocities, works, floors.
    pub fn advance(&mut self, ds: f64) {
        let s = &mut *self.scratch;
        let (p, u) = (self.out.impulses.as_mut_slice(), self.out.u_post.as_mut_slice());
        for (d, &k) in s.duties.iter().zip(&s.contacts) {
            let work = |i: usize| ds * s.rates.p[i] * (u[i] + 0.5 * ds * s.rates.u[i]);
            self.out.normal_works[k] += work(d.normal);
            if let Some(t) = d.tangent {
                self.out.friction_works[k] += work(t);
            }
        }
        for (p_i, rate) in p.iter_mut().zip(&s.rates.p) {
            *p_i += ds * rate;
        }
        for (u_i, rate) in u.iter_mut().zip(&s.rates.u) {
            *u_i += ds * rate;
        }
        for (i, d) in s.duties.iter().enumerate() {
            s.floors[i] += ds * d.floor_rate;
            if (u[d.normal] - s.floors[i]).abs() <= self.zero {
                u[d.normal] = s.floors[i];
            }
            if let Some(t) = d.tangent
                && u[t].abs() <= self.zero
            {
                u[t] = 0.0;
            }
        }
    }

    /// Records the present state, if the trace is wanted.
    pub fn record(&mut self, event: StageEvent, contact: usize) {
        self.out.record(event, contact, self.space);
    }

    /// The end: totals and outcomes.
    pub fn finish(&mut self, contact: usize) {
        self.record(StageEvent::End, contact);
        self.out.sum_works();
        let scale = self.out.u_post.iter().fold(self.space.velocity_scale, |s, u| s.max(u.abs()));
        let zero = ZERO_VELOCITY * scale;
        for (k, c) in self.space.contacts.iter().enumerate() {
            let u_n = self.out.u_post[c.normal()];
            let leaves = if c.phase == Phase::Colliding { u_n > 0.0 } else { u_n > zero };
            let slips = c.tangent_rows().any(|t| self.out.u_post[t].abs() > zero);
            self.out.outcomes[k] = Outcome::of(c.phase, leaves, slips);
        }
    }
}
