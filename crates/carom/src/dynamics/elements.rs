//! Forces of springs and dampers between points, and of constant loads.
//!
//! # Law
//! With r = p_B − p_A the line between the ends, ℓ = |r|, n = r/ℓ:
//! ```text
//! tension  N = k (ℓ − ℓ₀) + d ℓ̇,     force N n on a at p_A, −N n on b at p_B                (1)
//! V = ½ k (ℓ − ℓ₀)²,   P_damper = −d ℓ̇² ≤ 0                                                  (2)
//! ```
//! A load is a force at a point of a body with a moment, along axes of the world or of the body, or a torque on
//! the angle φ = ratio × q + offset of a joint; its work is applied work.
//!
//! # Limits
//! Where the ends of a spring meet, ℓ = 0, n has no direction: there (1) pulls nowhere.
//!
//! # Tests
//! `tests/elements.rs`: `eq1_forces_are_the_gradient_of_the_energy`, `eq2_the_ledger_closes`.

use super::Kinematics;
use super::jacobian::{add_point_row, add_turn_row};
use crate::model::{BodyPoint, Load, LoadAxes, Model, PointSpring};
use nalgebra::Vector3;

/// A spring at one instant.
struct Stretch {
    x: [Vector3<f64>; 2],
    n: Vector3<f64>,
    length: f64,
    rate: f64,
}

impl Stretch {
    fn of(model: &Model, kin: &Kinematics, spring: &PointSpring) -> Self {
        let [(xa, va), (xb, vb)] = [&spring.a, &spring.b].map(|end| end_of(model, kin, end));
        let r = xb - xa;
        let length = r.norm();
        let n = if length > 0.0 { r / length } else { Vector3::zeros() };
        Self { x: [xa, xb], n, length, rate: n.dot(&(vb - va)) }
    }
}

/// Place and velocity of the end of a spring.
fn end_of(model: &Model, kin: &Kinematics, end: &BodyPoint) -> (Vector3<f64>, Vector3<f64>) {
    let Some(body) = end.body else { return (end.point, Vector3::zeros()) };
    let x = kin.pose(model, body).point(&end.point);
    (x, kin.twist_at(model, body, &x).v)
}

/// Add the forces of springs and dampers between points to `tau`, equation (1).
pub fn add_spring_forces(model: &Model, kin: &Kinematics, tau: &mut [f64]) {
    for spring in model.springs() {
        let s = Stretch::of(model, kin, spring);
        let tension = spring.stiffness * (s.length - spring.rest) + spring.damping * s.rate;
        for (body, x, sign) in [(spring.a.body, &s.x[0], 1.0), (spring.b.body, &s.x[1], -1.0)] {
            if let Some(body) = body {
                add_point_row(model, kin, (body, x), &s.n, sign * tension, tau);
            }
        }
    }
}

/// Energy stored in springs between points, J, equation (2).
pub fn point_spring_energy(model: &Model, kin: &Kinematics) -> f64 {
    let of = |spring: &PointSpring| {
        let stretch = Stretch::of(model, kin, spring).length - spring.rest;
        0.5 * spring.stiffness * stretch * stretch
    };
    model.springs().iter().map(of).sum()
}

/// Power that dampers between points take out, W, ≥ 0, equation (2).
pub fn point_damper_power(model: &Model, kin: &Kinematics) -> f64 {
    let of = |s: &PointSpring| s.damping * Stretch::of(model, kin, s).rate.powi(2);
    model.springs().iter().map(of).sum()
}

/// Add constant forces and torques to `tau`.
pub fn add_loads(model: &Model, kin: &Kinematics, tau: &mut [f64]) {
    for load in model.loads() {
        match load {
            Load::Joint { dof, torque } => tau[*dof] += model.coordinates()[*dof].ratio * torque,
            Load::Body { body, point, force, moment, axes } => {
                let X = kin.pose(model, *body);
                let turned = |d: &Vector3<f64>| match axes {
                    LoadAxes::World => *d,
                    LoadAxes::Body => X.direction(d),
                };
                add_point_row(model, kin, (*body, &X.point(point)), &turned(force), 1.0, tau);
                add_turn_row(model, kin, *body, &turned(moment), tau);
            }
        }
    }
}
