//! Where two clusters meet: the first zero of the gaps between them, over the motions that both have taken ahead.
//!
//! The locator of [`carom_ode`] searches the common span of both legs as it searches a step; the time is then refined on
//! states of the accuracy of the integration,
//! ```text
//! t ← t − g/ġ                                                                           (1)
//! ```
//! Overlapping by more than round-off and approaching is a meeting at once, (1) of [`guards`](super::super::guards). What
//! overlaps and does not approach may turn around, and is watched as there,
//! ```text
//! max(g, τ ġ) where g < −η/2,   τ = 1 s,   η the round-off of g                          (2)
//! ```
//! Bodies at rest whose contact has let go with no acceleration overlap by round-off, and g is not known well enough to say that
//! they meet: above −η/2 the locator asks for a fall that can be seen.
//!
//! # Tests
//! (2): `tests/hybrid_wild.rs`, balls 43 of seed 602.

use super::clock::Clock;
use super::flight::Flight;
use super::members::Whole;
use crate::contact::site_state::{approach_between, gap_noise};
use crate::geometry::{Approach, BodyMotion};
use crate::hybrid::outcome::SimError;
use crate::model::BodyId;
use carom_ode::{Guard, Guards, Locator, Trajectory};

/// Corrections of the time of a meeting.
const MOST_CORRECTIONS: usize = 4;

/// Gaps up to this many times their round-off are closed.
pub(crate) const NEAR: f64 = 8.0;

/// A span of time that is searched.
struct Span(f64, f64);

impl Trajectory for Span {
    fn t0(&self) -> f64 {
        self.0
    }

    fn t1(&self) -> f64 {
        self.1
    }

    fn state(&self, _: f64, _: &mut [f64]) {}
}

/// One of two that may meet.
pub(crate) enum Party<'a> {
    /// A cluster with its clock.
    Cluster(Box<Clock<'a>>),
    /// A ball in flight, and the time that was last looked at, s.
    Ball { body: BodyId, flight: Flight, at: f64 },
}

impl Party<'_> {
    fn look(&mut self, t: f64) -> Result<(), SimError> {
        match self {
            Self::Cluster(clock) => clock.look(t),
            Self::Ball { at, .. } => {
                *at = t;
                Ok(())
            }
        }
    }

    fn holds(&self, own: BodyId) -> bool {
        match self {
            Self::Cluster(clock) => clock.members.body(own).is_some(),
            Self::Ball { body, .. } => *body == own,
        }
    }

    /// The motion of one of its bodies in the state last looked at.
    pub fn motion(&mut self, body: BodyId) -> BodyMotion {
        match self {
            Self::Cluster(clock) => clock.motion_now(body),
            Self::Ball { flight, at, .. } => flight.motion(*at),
        }
    }

    /// Begin and end of what it has ahead, s.
    pub fn span(&self) -> (f64, f64) {
        match self {
            Self::Cluster(clock) => (clock.t0, clock.t1),
            Self::Ball { flight, .. } => (flight.t0, flight.t1),
        }
    }

    /// What it has ahead ends at `t`; its state there is what was last looked at.
    fn cut(&mut self, t: f64) -> Result<(), SimError> {
        if let Self::Cluster(clock) = self {
            clock.cut(t)?;
            clock.y.copy_from_slice(&clock.course.y);
            return Ok(());
        }
        self.look(t)
    }
}

/// Longest correction of the time of a meeting, a fraction of the common span: more is no correction.
const REFINED: f64 = 1e-3;

/// Two parties and the sites between two of their assemblies.
pub(crate) struct Meeting<'m, 'a> {
    pub whole: &'m Whole<'a>,
    pub parties: &'m mut [Party<'a>; 2],
    /// Sites of the whole.
    pub sites: &'m [usize],
    /// Those that overlap where the search begins.
    pub overlapping: Vec<usize>,
}

impl Meeting<'_, '_> {
    /// Gap, its rate and its round-off at a site in the states last looked at.
    pub fn observe(&mut self, site: usize) -> (Approach, f64) {
        let site = &self.whole.sites[site];
        let (a, b) = site.bodies();
        let mut motion = |body: Option<BodyId>| {
            let Some(body) = body else { return BodyMotion::fixed() };
            let here = self.parties[0].holds(body);
            self.parties[usize::from(!here)].motion(body)
        };
        let (a, b) = (motion(a), motion(b));
        (approach_between(site, &a, &b), gap_noise(site, &a, &b))
    }

    /// What is watched of a site, (2), in the states last looked at.
    fn guard(&mut self, site: usize) -> Approach {
        let (now, _) = self.observe(site);
        if now.rate > now.gap && self.overlapping.contains(&site) {
            return Approach { gap: now.rate, rate: f64::NAN };
        }
        now
    }

    fn look(&mut self, t: f64) -> Result<(), SimError> {
        self.parties.iter_mut().try_for_each(|party| party.look(t))
    }

    /// Whether some gap is at most so many times its round-off at time `t`.
    pub fn touches(&mut self, t: f64, near: f64) -> Result<bool, SimError> {
        self.look(t)?;
        Ok((0..self.sites.len()).any(|k| {
            let (approach, noise) = self.observe(self.sites[k]);
            approach.gap <= near * noise
        }))
    }

    /// The first time in [from, to] at which they meet, and the sites.
    pub fn first(
        &mut self,
        (from, to): (f64, f64),
        (locator, guards): (&mut Locator, &mut Vec<Guard>),
        met: &mut Vec<usize>,
    ) -> Result<Option<f64>, SimError> {
        met.clear();
        guards.clear();
        self.overlapping.clear();
        self.look(from)?;
        for &site in self.sites {
            let (approach, noise) = self.observe(site);
            guards.push(Guard::falling(noise));
            if approach.gap < -0.5 * noise {
                self.overlapping.push(site);
                if self.guard(site).gap < -noise {
                    met.push(site);
                }
            }
        }
        if !met.is_empty() {
            return Ok(Some(from));
        }
        if to <= from {
            return Ok(None);
        }
        locator.arm(guards);
        let found = locator.locate(&Span(from, to), self)?;
        met.extend(locator.fired().iter().map(|&k| self.sites[k]));
        Ok(found.map(|crossing| crossing.t))
    }

    /// Cut both legs at the meeting at `site`; returns its time, refined by (1), but not before `least`.
    pub fn cut(&mut self, mut t: f64, site: usize, least: f64) -> Result<f64, SimError> {
        let begins = self.parties.iter().fold(least, |m, party| m.max(party.span().0));
        let ends = self.parties.iter().fold(f64::INFINITY, |m, party| m.min(party.span().1));
        for round in 0.. {
            self.parties.iter_mut().try_for_each(|party| party.cut(t))?;
            let (approach, noise) = self.observe(site);
            let delta = -approach.gap / approach.rate;
            // What overlaps and has just stopped separating has no zero to go to.
            let close = approach.gap.abs() <= 0.25 * noise || approach.rate >= 0.0;
            let far = delta.abs() > REFINED * (ends - begins);
            let close = close || far || !delta.is_finite();
            if close || round == MOST_CORRECTIONS || t + delta <= begins || t + delta > ends {
                break;
            }
            t += delta;
        }
        Ok(t)
    }
}

impl Guards for Meeting<'_, '_> {
    type Error = SimError;

    fn evaluate(
        &mut self,
        t: f64,
        _: &[f64],
        g: &mut [f64],
        gdot: &mut [f64],
    ) -> Result<(), SimError> {
        self.look(t)?;
        for k in 0..self.sites.len() {
            let now = self.guard(self.sites[k]);
            (g[k], gdot[k]) = (now.gap, now.rate);
        }
        Ok(())
    }
}
