//! The flight of a ball, and when it ends.
//!
//! # Law
//! ```text
//! c(t) = c₀ + v₀ τ + a τ²/2,   ω = ω₀ + α τ,   τ = t − t₀                               (1)
//! plane:     n·(c − x) − r = 0                                 degree 2 in τ            (2)
//! spheres:   |c_B − c_A|² − (r_A + r_B)² = 0                   degree 4, or 2 if a_A = a_B (3)
//! ```
//! a is gravity, of which a joint in a plane follows its part, and α = 0; of balls that glide on a plane both are those of
//! [`glide`](super::glide). The first zero through which a gap falls is that of
//! [`polynomial`](crate::numeric::polynomial); its time is refined on the gap itself, t ← t − g/ġ.
//!
//! # Tests
//! `tests/balls.rs`: `eq1_eq2_a_thrown_ball`, `eq3_balls_that_fall_on_pins`.

use super::ball::{Ball, Fixed};
use crate::geometry::BodyMotion;
use crate::numeric::polynomial::{first_fall, first_fall_of_square};
use crate::spatial::rotation;
use nalgebra::{Vector3, Vector4};
use std::f64::consts::PI;

/// How a flight ends.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum End {
    /// Not by itself.
    Never,
    /// With a hit of the world at this site.
    Hit(u32),
    /// Its slip on the plane that it glides on stops.
    Stop,
    /// Nothing happens: half a turn.
    Turn,
}

/// The site of a ball that glides on nothing.
pub(super) const NOTHING: u32 = u32::MAX;

/// A ball under way. What others ask of it, in its window, comes first: two cache lines.
#[derive(Debug, Clone, Copy)]
#[repr(C, align(64))]
pub(crate) struct Flight {
    /// Centre and its velocity.
    pub(super) c: Vector3<f64>,
    pub(super) u: Vector3<f64>,
    /// When it began, s.
    pub t0: f64,
    /// Largest radius of the shapes that may meet others, m.
    pub reach: f64,
    /// Acceleration.
    pub(super) a: Vector3<f64>,
    /// When it ends, s; infinite if it does not.
    pub t1: f64,
    pub end: End,
    /// The site of the plane that it glides on, or [`NOTHING`], and how many radians of its way `turn` is ahead of its start.
    pub(super) on: u32,
    pub(super) turned: u32,
    /// Angular velocity in the world at its start.
    pub(super) w: Vector3<f64>,
    /// Orientation in the frame of the joint: the quaternion, or the angle in its first place.
    pub(super) turn: Vector4<f64>,
    /// Angular acceleration in the world.
    pub(super) alpha: Vector3<f64>,
}

impl Flight {
    /// From the coordinates and velocities of the ball at time `t`.
    pub fn begin(ball: &Ball, t: f64, q: &[f64], v: &[f64]) -> Self {
        let R = &ball.frame.R;
        let (place, rate, turn, w) = if ball.planar {
            let (x, u) = (Vector3::new(q[0], q[1], 0.0), Vector3::new(v[0], v[1], 0.0));
            (x, u, Vector4::new(q[2], 0.0, 0.0, 0.0), Vector3::new(0.0, 0.0, v[2]))
        } else {
            let turn = Vector4::new(q[3], q[4], q[5], q[6]);
            let w = rotation::from_quaternion(&turn) * Vector3::new(v[3], v[4], v[5]);
            (Vector3::new(q[0], q[1], q[2]), Vector3::new(v[0], v[1], v[2]), turn, w)
        };
        let (c, u, w) = (ball.frame.point(&place), R * rate, R * w);
        let (a, reach, alpha) = (ball.fall, ball.reach, Vector3::zeros());
        let (t1, end, on, turned) = (f64::INFINITY, End::Never, NOTHING, 0);
        Self { c, u, t0: t, reach, a, t1, end, on, turned, w, turn, alpha }
    }

    /// Centre, m.
    pub fn center(&self, t: f64) -> Vector3<f64> {
        let tau = t - self.t0;
        self.c + (self.u + self.a * (0.5 * tau)) * tau
    }

    /// Velocity of the centre, m/s.
    pub fn velocity(&self, t: f64) -> Vector3<f64> {
        self.u + self.a * (t - self.t0)
    }

    /// Angular velocity, rad/s.
    pub fn spin(&self, t: f64) -> Vector3<f64> {
        self.w + self.alpha * (t - self.t0)
    }

    /// Size of the acceleration, m/s².
    pub fn fall(&self) -> f64 {
        self.a.norm()
    }

    /// Pose and twist; as all shapes are round about the centre, axes do not matter.
    pub fn motion(&self, t: f64) -> BodyMotion {
        BodyMotion {
            r: self.center(t),
            v: self.velocity(t),
            w: self.spin(t),
            ..BodyMotion::fixed()
        }
    }

    /// Orientation in the frame of the joint at time `t`.
    pub(super) fn orientation(&self, ball: &Ball, t: f64) -> Vector4<f64> {
        if t == self.t0 {
            return self.turn;
        }
        if self.alpha != Vector3::zeros() {
            return self.turn_while_sliding(ball, t);
        }
        let phi = ball.frame.R.tr_mul(&self.w) * (t - self.t0);
        if ball.planar {
            return Vector4::new(self.turn[0] + phi.z, 0.0, 0.0, 0.0);
        }
        // The turn is about an axis that does not move, so that it comes before what was.
        let Q = rotation::multiply(&rotation::quaternion_exp(&phi), &self.turn);
        Q / Q.norm()
    }

    /// Coordinates and velocities of the joint at time `t`, into slices of their lengths.
    pub fn write(&self, ball: &Ball, t: f64, q: &mut [f64], v: &mut [f64]) {
        let R = &ball.frame.R;
        let (place, rate) =
            (R.tr_mul(&(self.center(t) - ball.frame.r)), R.tr_mul(&self.velocity(t)));
        let (turn, w) = (self.orientation(ball, t), R.tr_mul(&self.spin(t)));
        if ball.planar {
            q[..3].copy_from_slice(&[place.x, place.y, turn[0]]);
            v[..3].copy_from_slice(&[rate.x, rate.y, w.z]);
            return;
        }
        q[..3].copy_from_slice(place.as_slice());
        q[3..7].copy_from_slice(turn.as_slice());
        v[..3].copy_from_slice(rate.as_slice());
        v[3..6].copy_from_slice(rotation::from_quaternion(&turn).tr_mul(&w).as_slice());
    }

    /// The flight after an impulse at time `t` that changes velocity and angular velocity by so much.
    pub fn struck(&self, ball: &Ball, t: f64, dv: &Vector3<f64>, dw: &Vector3<f64>) -> Self {
        Self {
            c: self.center(t),
            u: self.velocity(t) + dv,
            t0: t,
            t1: f64::INFINITY,
            end: End::Never,
            w: self.w + dw,
            turn: self.orientation(ball, t),
            ..*self
        }
    }

    /// When it hits what of the world first, from `from` on, or stops to slide.
    pub fn find_end(&mut self, ball: &Ball, fixtures: &[Fixed], from: f64) {
        let (c, u) = (self.center(from), self.velocity(from));
        let mut first = f64::INFINITY;
        self.end = End::Never;
        for wall in ball.walls.iter().filter(|wall| wall.site != self.on as usize) {
            let fixture = &fixtures[wall.fixture];
            if let Some(tau) = falls_on((fixture, wall.radius), (&c, &u, &self.a), first) {
                (first, self.end) = (tau, End::Hit(wall.site as u32));
            }
        }
        self.t1 = from + first;
        if let Some(stop) = self.slides_until(ball, fixtures).filter(|stop| *stop <= self.t1) {
            (self.t1, self.end) = (stop.max(from), End::Stop);
        }
    }

    /// Time in which it turns by less than π from `t` on: |ω| τ + |α| τ²/2 = π.
    pub fn half_turn(&self, t: f64) -> f64 {
        let w = self.spin(t).norm();
        2.0 * PI / (w + (w * w + 2.0 * PI * self.alpha.norm()).sqrt())
    }

    /// When two balls come as near as `radii` in [from, to].
    pub fn meets(&self, other: &Self, radii: f64, (from, to): (f64, f64)) -> Option<f64> {
        let d = other.center(from) - self.center(from);
        let u = other.velocity(from) - self.velocity(from);
        let a = other.a - self.a;
        near((&d, &u, &a), radii, to - from).map(|tau| from + tau)
    }
}

/// Time until a ball of this radius falls on what is fixed, (2) or (3).
fn falls_on(
    (fixed, radius): (&Fixed, f64),
    (c, u, a): (&Vector3<f64>, &Vector3<f64>, &Vector3<f64>),
    span: f64,
) -> Option<f64> {
    match fixed {
        Fixed::Plane { point, normal } => {
            let gap = normal.dot(&(c - point)) - radius;
            first_fall_of_square([gap, normal.dot(u), 0.5 * normal.dot(a)], span)
        }
        Fixed::Sphere { center, radius: own } => near((&(c - center), u, a), own + radius, span),
    }
}

/// Time until |d + u τ + a τ²/2| falls to `radii`, (3).
fn near(
    (d, u, a): (&Vector3<f64>, &Vector3<f64>, &Vector3<f64>),
    radii: f64,
    span: f64,
) -> Option<f64> {
    let distance = d.norm();
    let apart = (distance - radii) * (distance + radii);
    let (closing, speed) = (d.dot(u), u.norm_squared());
    if *a != Vector3::zeros() {
        let c = [apart, 2.0 * closing, speed + d.dot(a), u.dot(a), 0.25 * a.norm_squared()];
        return first_fall(&c, span);
    }
    if closing >= 0.0 {
        return None;
    }
    if apart <= 0.0 {
        return Some(0.0);
    }
    // (d·u)² − u² (d² − r²) without cancellation.
    let square = speed * radii * radii - d.cross(u).norm_squared();
    if square <= 0.0 {
        return None;
    }
    let tau = apart / (square.sqrt() - closing);
    (tau <= span).then_some(tau)
}
