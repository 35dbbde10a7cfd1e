//! Balls that slide or roll on a level plane.
//!
//! # Rule
//! A ball whose only closed contact is one with a fixed plane *glides* if nothing but friction acts along that plane: gravity,
//! or the part of it that a planar joint follows, is −γ n. Then its accelerations are constant until it hits something or
//! stops to slide, and the motion is that of a [`flight`](super::flight).
//!
//! # Law
//! n: normal of the plane, r: radius, s = v − r ω × n: slip, d = s/|s| at the start.
//! ```text
//! slides: a = −μ γ d,   rolls: a = 0,   α = −(m r/I) n × a                                      (1)
//! s(τ) = s₀ + κ a τ,    κ = 1 + m r²/I,    stops at τ = |s₀|/(κ |a|)                            (2)
//! λ = m (a − g)                                                                                 (3)
//! W = ∫ λₜ·s dτ = m a·(s₀ τ + κ a τ²/2)                                                         (4)
//! Q̇ = ½ (ω₀ + α τ) Q,   Q = Σ Qₖ τᵏ,   (k + 1) Qₖ₊₁ = ½ (ω₀ Qₖ + α Qₖ₋₁)                        (5)
//! ```
//! The series (5) converges for all τ; it is summed in steps in which the ball turns by at most a radian, whose ends depend on
//! the start of the glide alone.
//!
//! # Limits
//! On a slope the direction of a slip turns, and there is no closed form: such a ball has a clock. So has one with rolling or
//! spinning friction.
//!
//! # Tests
//! `tests/glides.rs`: `eq1_eq2_a_ball_slides_until_it_rolls`, `eq3_eq4_forces_and_works_of_a_ball_that_slides`,
//! `eq5_a_ball_that_slides_and_spins`, `balls_on_a_table_are_clusters`, `a_disc_slides_in_the_plane_and_a_slope_needs_a_clock`; rolling
//! friction: `rolling_friction_of_a_pile_stops_its_balls` of carom-scene.

use super::ball::{Ball, Fixed, Wall};
use super::flight::{Flight, NOTHING};
use crate::contact::Mode;
use crate::spatial::rotation;
use nalgebra::{Vector3, Vector4};

/// A plane is level if it is so to this many units of round-off.
const LEVEL: f64 = 4.0 * f64::EPSILON;
/// Terms of (5) in which a turn by a radian is summed to round-off.
const MOST_TERMS: usize = 32;

/// Two terms in a row below this add nothing to a quaternion.
const NOTHING_MORE: f64 = 0.0625 * f64::EPSILON;

/// κ of (2).
fn answer(ball: &Ball, radius: f64) -> f64 {
    1.0 + ball.mass * radius * radius / ball.moment
}

/// Slip of a ball that touches a plane with this normal, m/s.
fn slip(
    (v, w): (&Vector3<f64>, &Vector3<f64>),
    normal: &Vector3<f64>,
    radius: f64,
) -> Vector3<f64> {
    let s = v - w.cross(normal) * radius;
    s - normal * normal.dot(&s)
}

impl Flight {
    /// The ball glides on a wall with this mode of contact, if its motion is known there, (1).
    pub fn glide(
        mut self,
        ball: &Ball,
        (wall, fixture): (&Wall, &Fixed),
        (mode, friction): (Mode, f64),
    ) -> Option<Self> {
        let Fixed::Plane { normal, .. } = fixture else { return None };
        let (gamma, level) = (-normal.dot(&ball.fall), LEVEL * ball.fall.norm());
        let along = ball.fall + normal * gamma;
        if gamma <= 0.0 || along.norm() > level || (ball.shifts(normal) - normal).norm() > LEVEL {
            return None;
        }
        self.u -= normal * normal.dot(&self.u);
        self.a = match mode {
            Mode::Open => return None,
            Mode::Stick => Vector3::zeros(),
            Mode::Slip { reference } => {
                let s = slip((&self.u, &self.w), normal, wall.radius);
                if s.dot(&reference) <= 0.0 {
                    return None;
                }
                s * (-friction * gamma / s.norm())
            }
        };
        if self.u == Vector3::zeros() && self.a == Vector3::zeros() {
            return None;
        }
        self.alpha = normal.cross(&self.a) * (-ball.mass * wall.radius / ball.moment);
        self.on = wall.site as u32;
        Some(self)
    }

    /// The site of the plane that it glides on.
    pub fn support(&self) -> Option<usize> {
        (self.on != NOTHING).then_some(self.on as usize)
    }

    /// When it stops to slide, (2), s.
    pub fn slides_until(&self, ball: &Ball, fixtures: &[Fixed]) -> Option<f64> {
        let (kappa, s) = self.slips(ball, fixtures)?;
        let rate = kappa * self.a.norm();
        (rate > 0.0).then(|| self.t0 + s.norm() / rate)
    }

    /// Work of friction since it began to glide, (4), J.
    pub fn work(&self, ball: &Ball, fixtures: &[Fixed], t: f64) -> f64 {
        let Some((kappa, s)) = self.slips(ball, fixtures) else { return 0.0 };
        let tau = t - self.t0;
        ball.mass * self.a.dot(&((s + self.a * (0.5 * kappa * tau)) * tau))
    }

    /// Force of the plane on the ball, (3), N.
    pub fn push(&self, ball: &Ball) -> Vector3<f64> {
        (self.a - ball.fall) * ball.mass
    }

    /// Accelerations of the joint at time `t`, into a slice of their length.
    pub fn write_rates(&self, ball: &Ball, t: f64, vdot: &mut [f64]) {
        let R = &ball.frame.R;
        let (a, alpha) = (R.tr_mul(&self.a), R.tr_mul(&self.alpha));
        if ball.planar {
            vdot[..3].copy_from_slice(&[a.x, a.y, alpha.z]);
            return;
        }
        let turn = rotation::from_quaternion(&self.orientation(ball, t));
        vdot[..3].copy_from_slice(a.as_slice());
        vdot[3..6].copy_from_slice(turn.tr_mul(&alpha).as_slice());
    }

    /// κ, and the slip at the start.
    fn slips(&self, ball: &Ball, fixtures: &[Fixed]) -> Option<(f64, Vector3<f64>)> {
        let on = self.support()?;
        let wall = ball.walls.iter().find(|wall| wall.site == on)?;
        let Fixed::Plane { normal, .. } = &fixtures[wall.fixture] else { return None };
        let s = slip((&self.u, &self.w), normal, wall.radius);
        Some((answer(ball, wall.radius), s))
    }

    /// Radians by which it turns at most in a time τ since its start.
    fn radians(&self, tau: f64) -> f64 {
        (self.w.norm() + 0.5 * self.alpha.norm() * tau) * tau
    }

    /// When it has turned by so many.
    fn time_of(&self, radians: u32) -> f64 {
        let (w, radians) = (self.w.norm(), f64::from(radians));
        let root = (w * w + 2.0 * self.alpha.norm() * radians).sqrt();
        if radians > 0.0 { 2.0 * radians / (w + root) } else { 0.0 }
    }

    /// Orientation at time `t`, (5).
    pub(super) fn turn_while_sliding(&self, ball: &Ball, t: f64) -> Vector4<f64> {
        let mut ahead = *self;
        ahead.follow_turn(ball, t);
        ahead.turned_by(ball, t - ahead.t0 - ahead.time_of(ahead.turned))
    }

    /// The orientation that is kept is that of the last full radian before `t`.
    pub fn follow_turn(&mut self, ball: &Ball, t: f64) {
        let slides = self.alpha != Vector3::zeros() && !ball.planar;
        while slides && f64::from(self.turned) + 1.0 < self.radians(t - self.t0) {
            let step = self.time_of(self.turned + 1) - self.time_of(self.turned);
            self.turn = self.turned_by(ball, step);
            self.turned += 1;
        }
    }

    /// Orientation so much later than the one that is kept.
    fn turned_by(&self, ball: &Ball, step: f64) -> Vector4<f64> {
        let R = &ball.frame.R;
        let w = R.tr_mul(&(self.w + self.alpha * self.time_of(self.turned)));
        let alpha = R.tr_mul(&self.alpha);
        if ball.planar {
            let angle = self.turn[0] + (w.z + 0.5 * alpha.z * step) * step;
            return Vector4::new(angle, 0.0, 0.0, 0.0);
        }
        let half = |x: Vector3<f64>| Vector4::new(0.0, 0.5 * x.x, 0.5 * x.y, 0.5 * x.z);
        let (by_spin, by_rate) = (half(w * step), half(alpha * (step * step)));
        let (mut before, mut term, mut sum) = (Vector4::zeros(), self.turn, self.turn);
        for k in 1..MOST_TERMS {
            let next = rotation::multiply(&by_spin, &term) + rotation::multiply(&by_rate, &before);
            (before, term) = (term, next / k as f64);
            sum += term;
            if before.amax().max(term.amax()) < NOTHING_MORE {
                break;
            }
        }
        sum / sum.norm()
    }
}
