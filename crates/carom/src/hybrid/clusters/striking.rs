//! Balls that fly, strike and land.
//!
//! # Rule
//! A ball flies while it touches nothing, and glides while all that it touches is a level plane. Where it hits the world or another ball, and nothing else touches either, the impact
//! is resolved between flights, [`rebound`](super::rebound). In all other cases it *lands*: it becomes a cluster with a clock,
//! and what happens is decided as for all clusters. A cluster that is a ball whose motion is known takes off.
//!
//! # Tests
//! `tests/balls.rs`.

use super::ball::{Ball, rest};
use super::clock::Clock;
use super::flight::{End, Flight};
use super::herald::Roster;
use super::meeting::NEAR;
use super::members::PASSING;
use super::queue::{ANY, Entry};
use super::rebound::{Rebound, Side, Strike};
use super::schedule::Schedule;
use super::window::Window;
use crate::contact::site_state::{approach_between, gap_noise};
use crate::contact::{Mode, Site};
use crate::hybrid::guards::Watch;
use crate::hybrid::outcome::{SimError, Stop};
use crate::hybrid::sampling::Teller;
use crate::numeric::thresholds::PENETRATION;

/// Corrections of the time of a strike.
const MOST_CORRECTIONS: usize = 4;

impl Schedule<'_> {
    /// A ball that touches nothing of the world at the start flies; its energy, J.
    pub(super) fn fly_from_start(&mut self, assembly: usize) -> Option<f64> {
        let ball = self.balls[assembly].as_ref()?;
        let t = self.start;
        let (q, v) = (&self.handover.q[ball.q.clone()], &self.handover.v[ball.v.clone()]);
        let mut flight = Flight::begin(ball, t, q, v);
        flight.t1 = t;
        if self.touches_world((ball, &flight), (t, None), PENETRATION) {
            return None;
        }
        let motion = flight.motion(t);
        let energy = ball.kinetic(&motion.v, &motion.w) - ball.mass * ball.gravity.dot(&motion.r);
        self.flights[assembly] = Some(flight);
        Some(energy)
    }

    /// The motion of assemblies that have parted from others, if they are a ball whose motion is known.
    pub(super) fn flight_of(&self, group: &[usize], t: f64) -> Option<Flight> {
        let [assembly] = group else { return None };
        let ball = self.balls[*assembly].as_ref()?;
        let (q, v) = (&self.handover.q[ball.q.clone()], &self.handover.v[ball.v.clone()]);
        let mode = |site: usize| self.handover.mode(site);
        self.known(ball, (t, q, v), mode).filter(|_| self.handover.leaves_moving(ball))
    }

    /// The same of a cluster that stays as it is.
    pub(super) fn flight_in(&self, clock: &mut Clock<'_>, t: f64) -> Option<Flight> {
        let [assembly] = clock.assemblies[..] else { return None };
        let ball = self.balls[assembly].as_ref()?;
        if !clock.is_moving() {
            return None;
        }
        let (nq, nv) = (ball.q.len(), ball.v.len());
        let (q, v) = (&clock.course.y[..nq], &clock.course.y[nq..nq + nv]);
        self.known(ball, (t, q, v), |site| clock.mode(site))
    }

    /// The motion of a ball from time `t` on, if it is known: it touches nothing, or glides.
    fn known(
        &self,
        ball: &Ball,
        (t, q, v): (f64, &[f64], &[f64]),
        mode: impl Fn(usize) -> Mode,
    ) -> Option<Flight> {
        let flight = Flight::begin(ball, t, q, v);
        let mut closed = ball.walls.iter().filter(|wall| mode(wall.site).is_closed());
        match (closed.next(), closed.next()) {
            (None, _) => Some(flight),
            (Some(wall), None) => {
                // Rolling and spinning friction act on it besides (1) of `glide`.
                if self.whole.sites.iter().any(|site| site.follows() == Some(wall.site)) {
                    return None;
                }
                let friction = self.whole.sites[wall.site].surface.friction;
                let contact = (mode(wall.site), friction);
                flight.glide(ball, (wall, &self.fixtures[wall.fixture]), contact)
            }
            _ => None,
        }
    }

    /// A ball begins its flight.
    pub(super) fn launch(&mut self, assembly: usize, flight: Flight) {
        self.flights[assembly] = Some(flight);
        self.lead[assembly] = assembly;
    }

    /// A ball flies on: what it will hit, and whom. All that begin to fly together must have been launched.
    pub(super) fn fly(&mut self, assembly: usize, t: f64) -> Result<(), SimError> {
        let (Some(ball), Some(flight)) = (&self.balls[assembly], &mut self.flights[assembly])
        else {
            return Ok(());
        };
        flight.find_end(ball, &self.fixtures, t);
        // Rows at every step tell turns of less than half a turn.
        let turn = t + flight.half_turn(t);
        if self.herald.steps && turn < flight.t1 {
            (flight.t1, flight.end) = (turn, End::Turn);
        }
        self.set_out(assembly, t)
    }

    /// Nothing happened in the half turn of a ball.
    pub(super) fn fly_on(
        &mut self,
        assembly: usize,
        t: f64,
        teller: &mut Teller<'_>,
    ) -> Result<(), SimError> {
        self.fly(assembly, t)?;
        self.row(t, teller)
    }

    /// The balls of `group` that fly are given clocks.
    pub(super) fn land_group(&mut self, t: f64) -> Result<(), SimError> {
        (0..self.group.len()).try_for_each(|k| self.land(self.group[k], t))
    }

    fn land(&mut self, assembly: usize, t: f64) -> Result<(), SimError> {
        let Some((flight, ball)) = self.flights[assembly].take().zip(self.balls[assembly].as_ref())
        else {
            return Ok(());
        };
        let (q, v) = (&mut self.handover.q[ball.q.clone()], &mut self.handover.v[ball.v.clone()]);
        flight.write(ball, t, q, v);
        if let Some(on) = flight.support() {
            self.handover.ledger.sites[on].sliding += flight.work(ball, &self.fixtures, t);
        }
        let clock = self.form(vec![assembly], t)?;
        self.put(clock);
        Ok(())
    }

    /// Whether two balls in flight are further apart than so many times the round-off of their gap.
    pub(super) fn far_apart(&self, (a, b): (usize, usize), t: f64, closed: f64) -> bool {
        let Some((one, other)) = self.flights[a].as_ref().zip(self.flights[b].as_ref()) else {
            return false;
        };
        let (x, y, radii) = (one.center(t), other.center(t), one.reach + other.reach);
        let noise = 8.0 * f64::EPSILON * (x.amax() + y.amax() + radii);
        (x - y).norm() - radii > closed * noise
    }

    /// Whether a ball is as near to some other site of the world as so many times its round-off.
    fn touches_world(
        &self,
        (ball, flight): (&Ball, &Flight),
        (t, but): (f64, Option<usize>),
        closed: f64,
    ) -> bool {
        let c = flight.center(t);
        ball.walls.iter().filter(|wall| Some(wall.site) != but).any(|wall| {
            let (gap, noise) = self.fixtures[wall.fixture].gap(&c, wall.radius);
            gap <= closed * noise
        })
    }

    /// The sides of a site of balls in flight, and what of the world they hit.
    fn sides(&self, strikers: [Option<usize>; 2], site: &Site) -> [Side<'_>; 2] {
        let (a, b) = site.bodies();
        let side = |assembly: Option<usize>, body| {
            let flying =
                assembly.and_then(|k| self.balls[k].as_ref().zip(self.flights[k].as_ref()));
            flying.map_or_else(
                || Side::Fixed(rest(self.whole.model, body)),
                |(ball, flight)| Side::Ball(ball, flight),
            )
        };
        [side(strikers[0], a), side(strikers[1], b)]
    }

    /// Two balls meet, at the site where they are nearest if that is not known.
    pub(super) fn strike_each_other(
        &mut self,
        (a, b): (usize, usize),
        entry: &Entry,
        teller: &mut Teller<'_>,
    ) -> Result<Option<Stop>, SimError> {
        let place = match entry.site {
            ANY if self.whole.pass_by(a, b) => Some(PASSING),
            ANY => self.nearest_site((a, b), entry.t),
            site => Some(site as usize),
        };
        place.map_or(Ok(None), |place| self.strike((place, entry.t), teller))
    }

    /// The site of two balls with the least gap.
    fn nearest_site(&mut self, (a, b): (usize, usize), t: f64) -> Option<usize> {
        self.find_sites(a, b);
        let gap = |&place: &usize| {
            let site = self.whole.site(place);
            let sides = self.sides(self.whole.assemblies_at(place), site);
            let [a, b] = [0, 1].map(|k| sides[k].motion(t));
            approach_between(site, &a, &b).gap
        };
        self.sites.iter().copied().min_by(|a, b| gap(a).total_cmp(&gap(b)))
    }

    /// A ball hits the world, or another ball, at a site.
    pub(super) fn strike(
        &mut self,
        (site, t): (usize, f64),
        teller: &mut Teller<'_>,
    ) -> Result<Option<Stop>, SimError> {
        let strikers = self.whole.assemblies_at(site);
        let t = self.refine(strikers, site, t);
        self.rows_until(t, teller)?;
        if self.rebounds(strikers, (site, t), teller)? {
            return Ok(None);
        }
        self.group.clear();
        self.group.extend(strikers.into_iter().flatten());
        self.met.clear();
        match self.group[..] {
            [lead] => {
                self.land(lead, t)?;
                self.clocks[lead].iter_mut().for_each(|clock| clock.fire(site, Watch::Gap));
            }
            // What is more than passing has a site of its own.
            [a, b] if site == PASSING => {
                let own = self.nearest_site((a, b), t);
                self.met.extend(own);
            }
            _ => self.met.push(site),
        }
        let stop = self.event(t, teller);
        self.met.clear();
        stop
    }

    /// A ball that slides on a plane stops to do so.
    pub(super) fn stop_sliding(
        &mut self,
        (assembly, t): (usize, f64),
        teller: &mut Teller<'_>,
    ) -> Result<Option<Stop>, SimError> {
        let on = self.flights[assembly].and_then(|flight| flight.support());
        self.land(assembly, t)?;
        if let Some((clock, on)) = self.clocks[assembly].as_mut().zip(on) {
            clock.fire(on, Watch::Slip);
        }
        self.group.clear();
        self.group.push(assembly);
        self.event(t, teller)
    }

    /// The time of a strike on the gap itself, t ← t − g/ġ, but not before what has been told. What overlaps and has just
    /// stopped separating strikes where it is: it has no zero to go to.
    fn refine(&self, strikers: [Option<usize>; 2], site: usize, mut t: f64) -> f64 {
        let site = self.whole.site(site);
        let sides = self.sides(strikers, site);
        let least = sides.iter().fold(self.herald.t, |least, side| match side {
            Side::Ball(_, flight) => least.max(flight.t0),
            Side::Fixed(_) => least,
        });
        for _ in 0..MOST_CORRECTIONS {
            let [a, b] = [0, 1].map(|k| sides[k].motion(t));
            let (approach, noise) = (approach_between(site, &a, &b), gap_noise(site, &a, &b));
            let delta = -approach.gap / approach.rate;
            let close = approach.gap.abs() <= 0.25 * noise || approach.rate >= 0.0;
            if close || !delta.is_finite() || t + delta <= least {
                break;
            }
            t += delta;
        }
        t
    }

    /// Whether nothing else touches one of the balls that strike at a site.
    fn strikes_alone(
        &mut self,
        ball: usize,
        strikers: [Option<usize>; 2],
        (site, t): (usize, f64),
    ) -> Result<bool, SimError> {
        let (Some(flight), Some(own)) = (&self.flights[ball], &self.balls[ball]) else {
            return Ok(false);
        };
        let glides = flight.support().is_some();
        if glides || self.touches_world((own, flight), (t, Some(site)), NEAR) {
            return Ok(false);
        }
        let mut near = std::mem::take(&mut self.near);
        self.grid.near_within(ball, &Window::instant(flight, t), &mut near);
        let mut alone = Ok(true);
        for &other in near.iter().filter(|&&other| !strikers.contains(&Some(other))) {
            alone = self.touch((ball, other), t, NEAR).map(|touches| !touches);
            if !matches!(alone, Ok(true)) {
                break;
            }
        }
        self.near = near;
        alone
    }

    /// The impact between flights; false if it is left to the cluster.
    fn rebounds(
        &mut self,
        strikers: [Option<usize>; 2],
        (place, t): (usize, f64),
        teller: &mut Teller<'_>,
    ) -> Result<bool, SimError> {
        for k in strikers.into_iter().flatten() {
            let crowded = self.handover.crowd(k, t) >= self.options.events_at_once;
            if crowded || !self.strikes_alone(k, strikers, (place, t))? {
                return Ok(false);
            }
        }
        let site = self.whole.site(place);
        let accumulated = self.options.zeno() * (t - self.start);
        let strike = Strike { t, accumulated, site, laws: self.laws };
        let Some(mut rebound) = self.rebound.take() else { return Ok(false) };
        let flights = rebound.resolve(&strike, &self.sides(strikers, site));
        self.rebound = Some(rebound);
        let Some(flights) = flights else { return Ok(false) };
        if teller.statistics.events > self.options.max_events {
            return Err(SimError::TooManyEvents { t, count: self.options.max_events });
        }
        if self.herald.few {
            self.row(t, teller)?;
        }
        self.tell_rebound((strikers, &flights), place, teller);
        for (k, flight) in strikers.into_iter().zip(flights) {
            let Some((k, flight)) = k.zip(flight) else { continue };
            self.handover.count_event(k, t);
            self.flights[k] = Some(flight);
        }
        for k in strikers.into_iter().flatten() {
            self.fly(k, t)?;
        }
        if self.herald.few {
            self.row(t, teller)?;
        }
        Ok(true)
    }

    /// Tell the impact, whose flights before are still there, and enter its works.
    fn tell_rebound(
        &mut self,
        (strikers, after): ([Option<usize>; 2], &[Option<Flight>; 2]),
        place: usize,
        teller: &mut Teller<'_>,
    ) {
        let Some(rebound) = &mut self.rebound else { return };
        let Rebound { event, roster, .. } = &mut **rebound;
        let t = event.t;
        roster.clear();
        for part in [&mut event.q, &mut event.v_pre, &mut event.v_post] {
            part.clear();
        }
        let reversed = strikers[0] > strikers[1];
        for side in if reversed { [1, 0] } else { [0, 1] } {
            let Some(k) = strikers[side] else { continue };
            let (Some(ball), Some(flight), Some(next)) =
                (&self.balls[k], &self.flights[k], &after[side])
            else {
                continue;
            };
            roster.enter(ball);
            let (mut q, mut v) = ([0.0; 7], [0.0; 6]);
            flight.write(ball, t, &mut q, &mut v);
            event.q.extend_from_slice(&q[..ball.q.len()]);
            event.v_pre.extend_from_slice(&v[..ball.v.len()]);
            next.write(ball, t, &mut q, &mut v);
            event.v_post.extend_from_slice(&v[..ball.v.len()]);
        }
        self.handover.grow(self.whole.sites.len());
        let ledger = &mut self.handover.ledger;
        let works = if place == PASSING { &mut ledger.groups } else { &mut ledger.sites[place] };
        let (normal, friction) = (event.contacts[0].normal_work, event.contacts[0].friction_work);
        works.impact_normal += normal;
        works.impact_friction += friction;
        ledger.opened += event.energy_after - event.energy_before - normal - friction;
        let elsewhere =
            if self.herald.few { self.herald.ledger().kinetic - event.energy_before } else { 0.0 };
        let (bodies, q, v) = (&roster.bodies, &roster.q, &roster.v);
        let roster = Roster { bodies, q, v, places: &[place] };
        self.herald.tell_event(event, (&roster, &self.whole), elsewhere, teller);
        teller.statistics.mode_changes += 1;
    }
}
