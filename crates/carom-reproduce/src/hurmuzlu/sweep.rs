//! One method over all postures.

use carom::impact::chain::RATES;
use carom::impact::{ImpactAnswer, StageEvent, ThreeLinkChain};
use nalgebra::DVector;

use super::interval::{Interval, intervals};
use super::method::Method;
use crate::collision::{loss, resolve};
use crate::error::Trouble;
use crate::experiment::Context;

/// Velocities and impulses below this count as zero, m/s and N·s; those before are up to 0.4 m/s.
pub const ZERO: f64 = 1e-11;
/// Differences of velocities above this are differences of the methods, not of their round-off.
pub const APART: f64 = 1e-9;
/// Friction at A0, and at Ac where there is any.
pub const FRICTION: f64 = 0.5;

/// What a method gives in one posture.
#[derive(Debug, Clone)]
pub struct Point {
    /// φ1, degrees.
    pub degrees: f64,
    /// Velocity after.
    pub velocity: DVector<f64>,
    /// Share of the energy that is lost.
    pub loss: f64,
    /// Normal impulse at A0, N·s.
    pub impulse: f64,
    /// Normal velocity at A0 after, m/s.
    pub rebound: f64,
    /// Normal velocity at Ac before, m/s.
    pub approach: f64,
    /// Tangential velocity at Ac before and after, m/s.
    pub slip: [f64; 2],
    /// Tangential impulse at Ac, N·s.
    pub friction: f64,
    /// Whether A0 slips or does friction work at all.
    pub friction_work_at_a0: f64,
    /// Whether slip at Ac stops or reverses on the way; only the differential methods know.
    pub slip_changes: bool,
    /// Normal work until the end of compression, and after it, J; zero for algebraic methods.
    pub normal_work: [f64; 2],
}

impl Point {
    /// No collision.
    fn quiet(degrees: f64, [slip, approach]: [f64; 2], velocity: DVector<f64>) -> Self {
        Self {
            degrees,
            velocity,
            loss: 0.0,
            impulse: 0.0,
            rebound: 0.0,
            approach,
            slip: [slip; 2],
            friction: 0.0,
            friction_work_at_a0: 0.0,
            slip_changes: false,
            normal_work: [0.0; 2],
        }
    }

    /// Whether A0 leaves although an impulse acted there.
    pub fn rebounds_with_interaction(&self) -> bool {
        self.rebound > ZERO && self.impulse > ZERO
    }

    /// Whether A0 leaves.
    pub fn rebounds(&self) -> bool {
        self.rebound > ZERO
    }

    /// Whether the slip at Ac has changed its sign.
    pub fn reverses(&self) -> bool {
        self.slip[0] * self.slip[1] < 0.0
    }

    /// Largest difference of the velocities after.
    pub fn apart(&self, other: &Self) -> f64 {
        (&self.velocity - &other.velocity).amax()
    }
}

/// One method over all postures.
#[derive(Debug, Clone)]
pub struct Sweep {
    /// The method.
    pub method: Method,
    /// Distance of two postures, degrees.
    pub step: f64,
    /// The postures.
    pub points: Vec<Point>,
}

impl Sweep {
    /// All postures between −90° and 90°, at the middle of equal steps.
    pub fn new(
        context: &Context,
        method: Method,
        friction: f64,
        restitution: f64,
    ) -> Result<Self, Trouble> {
        Self::with_rates(context.pick(3600, 360), method, [friction, restitution], RATES)
    }

    /// So many postures with friction and restitution at Ac, and other angular velocities than the printed ones.
    pub fn with_rates(
        count: i32,
        method: Method,
        [friction, restitution]: [f64; 2],
        rates: [f64; 3],
    ) -> Result<Self, Trouble> {
        let step = 180.0 / f64::from(count);
        let law = method.law();
        let point = |i: i32| {
            let degrees = -90.0 + step * (f64::from(i) + 0.5);
            let chain = ThreeLinkChain {
                phi: degrees.to_radians(),
                friction_touching: FRICTION,
                friction_colliding: friction,
                restitution,
            };
            let mut problem = chain.problem();
            problem.velocity.rows_mut(0, 3).copy_from_slice(&rates);
            let colliding = &problem.contacts[ThreeLinkChain::COLLIDING];
            let slip = colliding.tangents.row(0).transpose().dot(&problem.velocity);
            let approach = colliding.normal.dot(&problem.velocity);
            // With other rates than the printed ones Ac need not approach: then nothing happens.
            if approach > -ZERO {
                return Ok(Point::quiet(degrees, [slip, approach], problem.velocity));
            }
            let answer = resolve(law.as_ref(), &problem)?;
            Ok(gather(degrees, [slip, approach], answer))
        };
        let points = (0..count).map(point).collect::<Result<_, Trouble>>()?;
        Ok(Self { method, step, points })
    }

    /// The same for several methods.
    pub fn several(
        context: &Context,
        methods: &[Method],
        friction: f64,
        restitution: f64,
    ) -> Result<Vec<Self>, Trouble> {
        methods.iter().map(|m| Self::new(context, *m, friction, restitution)).collect()
    }

    /// Where a test holds.
    pub fn wherever(&self, test: impl Fn(&Point) -> bool) -> Vec<Interval> {
        intervals(self.points.iter().map(|p| (p, test(p))), self.step)
    }

    /// Where a test on this and another sweep holds.
    pub fn compared(&self, other: &Self, test: impl Fn(&Point, &Point) -> bool) -> Vec<Interval> {
        let pairs = self.points.iter().zip(&other.points);
        intervals(pairs.map(|(a, b)| (a, test(a, b))), self.step)
    }

    /// Largest difference of velocities from another sweep.
    pub fn apart(&self, other: &Self) -> f64 {
        self.points.iter().zip(&other.points).map(|(a, b)| a.apart(b)).fold(0.0, f64::max)
    }

    /// Largest of a quantity.
    pub fn largest(&self, quantity: impl Fn(&Point) -> f64) -> f64 {
        self.points.iter().map(quantity).fold(f64::NEG_INFINITY, f64::max)
    }

    /// Number of postures where a test holds.
    pub fn count(&self, test: impl Fn(&Point) -> bool) -> usize {
        self.points.iter().filter(|p| test(p)).count()
    }

    /// A quantity at every posture.
    pub fn values(&self, quantity: impl Fn(&Point) -> f64) -> Vec<f64> {
        self.points.iter().map(quantity).collect()
    }
}

fn gather(degrees: f64, [slip, approach]: [f64; 2], answer: ImpactAnswer) -> Point {
    let solution = &answer.solution;
    let at_ac = |event: StageEvent| {
        solution
            .trace
            .stages
            .iter()
            .any(|s| s.event == event && s.contact == ThreeLinkChain::COLLIDING)
    };
    let clean = |u: f64| if u.abs() < ZERO { 0.0 } else { u };
    let turn = solution.trace.stages.iter().find(|s| s.event == StageEvent::EndOfCompression);
    let compression = turn.map_or(0.0, |s| s.normal_work);
    Point {
        degrees,
        loss: loss(&answer),
        impulse: solution.impulses[1],
        rebound: clean(solution.u_post[1]),
        approach,
        slip: [slip, clean(solution.u_post[2])],
        friction: solution.impulses[2],
        friction_work_at_a0: solution.friction_works[ThreeLinkChain::TOUCHING],
        slip_changes: at_ac(StageEvent::SlipStop) || at_ac(StageEvent::Reversal),
        normal_work: [compression, solution.normal_work - compression],
        velocity: answer.velocity,
    }
}
