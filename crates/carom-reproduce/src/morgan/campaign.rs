//! General statements of the thesis, tried on many random collisions of the pendulum.
//!
//! Tests: `tests/morgan.rs`: `paths`.

use carom::impact::{ImpactAnswer, ImpactLaw, ImpactWorkspace};
use std::time::Instant;

use super::algebra::{Pause, algebra, stick_ratio};
use super::paths::LAW;
use super::pendulum::Collision;
use crate::claim::Claim;
use crate::error::Trouble;
use crate::experiment::Context;
use crate::outcome::Outcome;
use crate::show::power;

/// Adds the claims.
pub fn campaign(context: &Context, outcome: &mut Outcome) -> Result<(), Trouble> {
    let count = context.pick(100_000, 3000);
    let mut tally = Tally { gain: f64::NEG_INFINITY, ..Tally::default() };
    let mut work = ImpactWorkspace::new();
    let mut dice = Sequence(0);
    let mut seconds = 0.0;
    while tally.collisions < count {
        let collision = dice.collision();
        // A margin from grazing keeps the comparison clear of round-off.
        if collision.contact_velocity()[1] > -0.05 {
            continue;
        }
        let problem = collision.problem()?;
        let mut answer = ImpactAnswer::default();
        let start = Instant::now();
        LAW.resolve_problem(&problem, &mut work, &mut answer)?;
        seconds += start.elapsed().as_secs_f64();
        tally.add(&collision, &answer);
    }
    tally.claims(outcome);
    outcome.timing(format!("one collision, mean of {count}"), seconds / f64::from(count));
    Ok(())
}

/// What was seen.
#[derive(Default)]
struct Tally {
    collisions: u32,
    /// Tangential pause before, after the normal one, or none.
    orders: [u32; 3],
    /// Collisions without an end by the algorithm.
    unended: u32,
    /// Largest difference from the law.
    miss: f64,
    /// Largest gain of energy over the energy before.
    gain: f64,
    /// Tangential pauses in one collision, at most.
    pauses: usize,
    /// Slips that stopped although |m| > μ, or did not although |m| ≤ μ.
    wrong_sticks: u32,
    /// Tangential pauses where the printed test m ≤ μ would stick although |m| > μ.
    signed: u32,
}

impl Tally {
    fn add(&mut self, collision: &Collision, answer: &ImpactAnswer) {
        self.collisions += 1;
        let gain = answer.energy_after / answer.energy_before - 1.0;
        self.gain = self.gain.max(gain);
        let Some(path) = algebra(collision) else {
            self.unended += 1;
            return;
        };
        let is_tangential = |p: &Pause| matches!(p, Pause::Stick | Pause::Reversal);
        let names: Vec<Pause> = path.iter().map(|c| c.pause).collect();
        self.pauses = self.pauses.max(names.iter().filter(|p| is_tangential(p)).count());
        let tangential = names.iter().position(is_tangential);
        let normal = names.iter().position(|p| *p == Pause::Normal);
        self.orders[match (tangential, normal) {
            (Some(t), Some(n)) if t < n => 0,
            (Some(_), _) => 1,
            (None, _) => 2,
        }] += 1;
        let last = &path[path.len() - 1];
        let u = &answer.solution.u_post;
        let scale = collision.contact_velocity().amax().max(1.0);
        self.miss = self.miss.max((u[0] - last.v[0]).abs().max((u[1] - last.v[1]).abs()) / scale);
        if let (Some(_), Some(m)) = (tangential, stick_ratio(collision)) {
            let stuck = names.contains(&Pause::Stick) && u[0].abs() < 1e-11 * scale;
            let may = m.abs() <= collision.mu;
            self.wrong_sticks += u32::from(stuck != may);
            self.signed += u32::from(m <= collision.mu && !may);
        }
    }

    fn claims(&self, outcome: &mut Outcome) {
        let n = self.collisions;
        outcome.claim(Claim::test(
            "section 2.3, figure 2.8",
            "There are three orders of calculation: the tangential pause before the normal one, after it, or none.",
            self.orders.iter().all(|o| *o > 0) && self.unended == 0,
            format!(
                "{n} random collisions: {}, {} and {}; {} without an end",
                self.orders[0], self.orders[1], self.orders[2], self.unended
            ),
        ));
        outcome.claim(Claim::test(
            "section 2.2.2",
            "The velocity path crosses v_t = 0 at most once.",
            self.pauses == 1,
            format!("at most {} tangential pause in {n} collisions", self.pauses),
        ));
        outcome.claim(Claim::test(
            "chapters 1, 5",
            "The closed form needs no iteration and is numerically precise.",
            self.miss < 1e-9,
            format!(
                "law and algorithm differ by at most {} of the velocity before",
                power(self.miss)
            ),
        ));
        outcome.claim(Claim::test(
            "chapters 1, 5",
            "The method is energetically consistent: no collision gains energy.",
            self.gain <= 1e-12,
            format!("largest change of the energy: {} of it", power(self.gain)),
        ));
        outcome.claim(Claim::test(
            "chapter 3, (3.1)",
            "The slip can stick only where m ≤ μ, with m as printed, signed.",
            self.signed == 0,
            format!(
                "in {} of the tangential pauses m < −μ: the printed test would let them stick, the friction that this \
                 needs is outside the cone. With |m| ≤ μ, {} of {} pauses are decided otherwise than by the law",
                self.signed,
                self.wrong_sticks,
                self.orders[0] + self.orders[1]
            ),
        )
        .source_errs(
            "m is signed, and the friction that stick needs is |m| pₙ: for m < −μ it would be outside the cone. The test \
             |m| ≤ μ decides every pause as the law does.",
            self.signed > 0 && self.wrong_sticks == 0,
        ));
    }
}

/// Collisions spread evenly over postures, velocities, friction and restitution (additive recurrence with powers of the
/// root of x⁷ = x + 1).
struct Sequence(u64);

impl Sequence {
    fn collision(&mut self) -> Collision {
        self.0 += 1;
        const ROOT: f64 = 1.112_775_684_278_705_5;
        let x = |k: i32| (0.5 + self.0 as f64 / ROOT.powi(k)).fract();
        let angle = |k: i32| std::f64::consts::TAU * (x(k) - 0.5);
        let rate = |k: i32| 4.0 * (x(k) - 0.5);
        Collision { q: [angle(1), angle(2)], v: [rate(3), rate(4)], mu: 1.5 * x(5), e: x(6) }
    }
}
