//! The impact of a ball on the world, or of two balls on each other, without forming a cluster.
//!
//! # Law
//! ```text
//! G_ij = Σ (P eᵢ·P eⱼ)/m + (Q(ρ × eᵢ)·Q(ρ × eⱼ))/I,      ρ from the centre to the contact              (1)
//! Δv = ± P p/m,   Δω = ± Q(ρ × p)/I                                                                     (2)
//! ```
//! summed over the balls that take part; P and Q keep what a planar joint allows. G is the contact operator of these bodies,
//! so that the law, its audit and the net under it are those of every impact.
//!
//! # Limits
//! Left to the cluster are impacts that may end in a contact: without restitution, accumulating by (1)–(3) of
//! [`accumulation`](super::super::accumulation), or after which the law does not let them part; and laws that need more than
//! contact space.
//!
//! # Tests
//! `tests/balls.rs`: `eq1_eq2_balls_are_clusters`.

use super::ball::Ball;
use super::flight::Flight;
use crate::contact::site_state::{SiteState, state_between};
use crate::contact::{Mode, Site};
use crate::geometry::BodyMotion;
use crate::hybrid::accumulation::{RESOLVED, remaining_time, unresolved_speed};
use crate::hybrid::laws::Laws;
use crate::impact::net::resolve_or_comply;
use crate::impact::{ContactSpace, ImpactSolution, ImpactWorkspace};
use crate::model::BodyId;
use crate::numeric::thresholds::{TIME_RESOLUTION, VELOCITY_NOISE, ZERO_VELOCITY};
use crate::record::{ContactChange, Event, EventKind, Rescue};
use nalgebra::Vector3;

/// One side of the contact.
#[derive(Clone, Copy)]
pub(crate) enum Side<'b> {
    Ball(&'b Ball, &'b Flight),
    /// What never moves.
    Fixed(BodyMotion),
}

impl Side<'_> {
    pub fn motion(&self, t: f64) -> BodyMotion {
        match self {
            Self::Ball(_, flight) => flight.motion(t),
            Self::Fixed(motion) => *motion,
        }
    }

    fn fall(&self) -> Vector3<f64> {
        match self {
            Self::Ball(ball, _) => ball.fall,
            Self::Fixed(_) => Vector3::zeros(),
        }
    }
}

/// When and where, and under which rules.
pub(crate) struct Strike<'r> {
    pub t: f64,
    /// Remaining time below which accumulating impacts end, s.
    pub accumulated: f64,
    pub site: &'r Site,
    pub laws: &'r Laws<'r>,
}

/// Scratch of an impact of balls.
pub(crate) struct Rebound {
    space: ContactSpace,
    solution: ImpactSolution,
    work: Box<ImpactWorkspace>,
    /// What happened at the contact. Coordinates and velocities are the caller's.
    pub event: Event,
    /// Who took part, as the caller tells it.
    pub roster: Names,
}

/// The balls of an impact: bodies, and where their coordinates and velocities are.
#[derive(Debug, Default)]
pub(crate) struct Names {
    pub bodies: Vec<BodyId>,
    pub q: Vec<usize>,
    pub v: Vec<usize>,
}

impl Names {
    pub fn clear(&mut self) {
        self.bodies.clear();
        self.q.clear();
        self.v.clear();
    }

    pub fn enter(&mut self, ball: &Ball) {
        self.bodies.push(ball.body);
        self.q.extend(ball.q.clone());
        self.v.extend(ball.v.clone());
    }
}

impl Default for Rebound {
    fn default() -> Self {
        let (space, solution, work) = Default::default();
        Self { space, solution, work, event: Event::empty(0, 0), roster: Names::default() }
    }
}

impl Rebound {
    /// The flights after the impact of the second side on the first, and in `event` what happened; none if it is left to
    /// the cluster.
    pub fn resolve(
        &mut self,
        strike: &Strike<'_>,
        sides: &[Side<'_>; 2],
    ) -> Option<[Option<Flight>; 2]> {
        let Strike { t, site, .. } = *strike;
        let motions = [0, 1].map(|k| sides[k].motion(t));
        let state = state_between(site, &motions[0], &motions[1]);
        let e = site.surface.restitution;
        if state.degenerate || e <= 0.0 {
            return None;
        }
        self.prepare(&state, site, (sides, &motions));
        let u = self.space.u_pre[site.tangents];
        let gddot = state.axes[2].dot(&(sides[1].fall() - sides[0].fall())) + state.gamma[2];
        let strongest = sides.iter().map(|s| s.fall().norm()).fold(gddot.abs(), f64::max);
        let still = TIME_RESOLUTION * t.abs() * strongest;
        let zero = (ZERO_VELOCITY * self.space.velocity_scale).max(still);
        let floor = unresolved_speed(gddot, RESOLVED * state.noise);
        let accumulates = remaining_time(e, -u, gddot) < strike.accumulated || -e * u < floor;
        if accumulates || -u <= zero.max(VELOCITY_NOISE * state.speed) {
            return None;
        }
        let law = strike.laws.choose(&self.space, |_| site.pair);
        if law.attenuated().is_some() || law.rotational().is_some() {
            return None;
        }
        let before = kinetic(sides, &motions);
        self.space.kinetic_energy = before;
        resolve_or_comply(law, &self.space, &mut self.work, &mut self.solution).ok()?;
        if self.solution.u_post[site.tangents] <= zero.max(floor) {
            return None;
        }
        let flights = self.launch(&state, (sides, &motions), t);
        self.event.clear();
        (self.event.t, self.event.kind) = (t, EventKind::Impact);
        self.event.energy_before = before;
        let after = [0, 1].map(|k| flights[k].map_or(motions[k], |flight| flight.motion(t)));
        self.event.energy_after = kinetic(sides, &after);
        self.event.solved = Some(self.solution.solved);
        self.event.rescue = self.solution.rescue.map(|_| Rescue::Compliant);
        self.event.contacts.push(self.change(site.tangents));
        Some(flights)
    }

    /// Contact space, (1).
    fn prepare(
        &mut self,
        state: &SiteState,
        site: &Site,
        (sides, motions): (&[Side<'_>; 2], &[BodyMotion; 2]),
    ) {
        let rows = site.tangents + 1;
        self.space.resize(rows);
        let axis = |i: usize| state.axes[if i == site.tangents { 2 } else { i }];
        for i in 0..rows {
            let u = state.u[if i == site.tangents { 2 } else { i }];
            // What round-off leaves is no motion.
            let noise = VELOCITY_NOISE * state.speed;
            self.space.u_pre[i] = if u.abs() <= noise { 0.0 } else { u };
        }
        for (side, motion) in sides.iter().zip(motions) {
            let Side::Ball(ball, _) = side else { continue };
            let rho = state.x - motion.r;
            let (mut shifts, mut turns) = ([Vector3::zeros(); 3], [Vector3::zeros(); 3]);
            for i in 0..rows {
                shifts[i] = ball.shifts(&axis(i));
                turns[i] = ball.turns(&rho.cross(&axis(i)));
                for j in 0..=i {
                    let g = shifts[i].dot(&shifts[j]) / ball.mass
                        + turns[i].dot(&turns[j]) / ball.moment;
                    self.space.G[(i, j)] += g;
                    if i != j {
                        self.space.G[(j, i)] += g;
                    }
                }
            }
        }
        let friction = [site.surface.friction, site.surface.static_friction];
        self.space.push_contact(site.tangents, friction, site.surface.restitution, true);
        self.space.classify();
    }

    /// The flights that follow, (2).
    fn launch(
        &self,
        state: &SiteState,
        (sides, motions): (&[Side<'_>; 2], &[BodyMotion; 2]),
        t: f64,
    ) -> [Option<Flight>; 2] {
        let p = &self.solution.impulses;
        let tangents = p.len() - 1;
        let impulse =
            (0..tangents).fold(state.axes[2] * p[tangents], |sum, k| sum + state.axes[k] * p[k]);
        [0, 1].map(|k| {
            let Side::Ball(ball, flight) = &sides[k] else { return None };
            let p = if k == 0 { -impulse } else { impulse };
            let rho = state.x - motions[k].r;
            let dv = ball.shifts(&p) / ball.mass;
            let dw = ball.turns(&rho.cross(&p)) / ball.moment;
            Some(flight.struck(ball, t, &dv, &dw))
        })
    }

    /// What the contact did.
    fn change(&self, tangents: usize) -> ContactChange {
        let pick = |x: &nalgebra::DVector<f64>| {
            let mut rows = [0.0, 0.0, x[tangents]];
            rows[..tangents].copy_from_slice(&x.as_slice()[..tangents]);
            rows
        };
        ContactChange {
            site: 0,
            before: Mode::Open,
            after: Mode::Open,
            u_pre: pick(&self.space.u_pre),
            u_post: pick(&self.solution.u_post),
            impulse: pick(&self.solution.impulses),
            normal_work: self.solution.normal_works[0],
            friction_work: self.solution.friction_works[0],
        }
    }
}

/// Kinetic energy of the balls among the sides, J.
fn kinetic(sides: &[Side<'_>; 2], motions: &[BodyMotion; 2]) -> f64 {
    let own = |(side, m): (&Side<'_>, &BodyMotion)| match side {
        Side::Ball(ball, _) => ball.kinetic(&m.v, &m.w),
        Side::Fixed(_) => 0.0,
    };
    sides.iter().zip(motions).map(own).sum()
}
