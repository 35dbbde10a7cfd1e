//! Motion on the configuration manifold: q̇ from v, steps, differences.
//!
//! ```text
//! q̇ = N(q) v                  (1)   identity but for quaternions, Q̇ = ½ Q ⊗ (0, ω)
//! q ⊕ w,  w = v Δt            (2)   exponential step: quaternions stay unit
//! q₁ ⊖ q₀ = w,  q₀ ⊕ w = q₁   (3)   logarithm, shortest turn
//! ```
//! Tests: `tests/identities.rs`: `eq1_coordinate_rate`, `eq3_difference_inverts_step`.

use crate::model::Model;
use crate::model::tree::{Link, LinkMotion};
use crate::spatial::rotation;
use nalgebra::{Vector3, Vector4};

/// q̇ = N(q) v, equation (1).
pub fn coordinate_rate(model: &Model, q: &[f64], v: &[f64], qdot: &mut [f64]) {
    if model.nq() == model.nv() {
        // No quaternions: every coordinate is the integral of its velocity.
        qdot.copy_from_slice(v);
        return;
    }
    for link in &model.tree().links {
        let plain = plain(link);
        qdot[link.q..link.q + plain].copy_from_slice(&v[link.v..link.v + plain]);
        if let Some((at, turn)) = quaternion(link) {
            let Q = Vector4::from_column_slice(&q[at..at + 4]);
            let w = Vector3::from_column_slice(&v[turn..turn + 3]);
            qdot[at..at + 4].copy_from_slice(rotation::quaternion_rate(&Q, &w).as_slice());
        }
    }
}

/// out = q ⊕ w, equation (2): plain coordinates add, quaternions turn by the body-frame vector.
pub fn step(model: &Model, q: &[f64], w: &[f64], out: &mut [f64]) {
    for link in &model.tree().links {
        for i in 0..plain(link) {
            out[link.q + i] = q[link.q + i] + w[link.v + i];
        }
        if let Some((at, turn)) = quaternion(link) {
            let Q = Vector4::from_column_slice(&q[at..at + 4]);
            let phi = Vector3::from_column_slice(&w[turn..turn + 3]);
            let next = rotation::multiply(&Q, &rotation::quaternion_exp(&phi));
            out[at..at + 4].copy_from_slice((next / next.norm()).as_slice());
        }
    }
}

/// out = q1 ⊖ q0, equation (3).
pub fn difference(model: &Model, q1: &[f64], q0: &[f64], out: &mut [f64]) {
    for link in &model.tree().links {
        for i in 0..plain(link) {
            out[link.v + i] = q1[link.q + i] - q0[link.q + i];
        }
        if let Some((at, turn)) = quaternion(link) {
            let Q0 = Vector4::new(q0[at], -q0[at + 1], -q0[at + 2], -q0[at + 3]);
            let Q1 = Vector4::from_column_slice(&q1[at..at + 4]);
            let phi = rotation::quaternion_log(&rotation::multiply(&Q0, &Q1));
            out[turn..turn + 3].copy_from_slice(phi.as_slice());
        }
    }
}

/// Make every quaternion of `q` unit again; returns the largest correction of a norm.
pub fn normalize(model: &Model, q: &mut [f64]) -> f64 {
    let mut worst = 0.0_f64;
    for link in &model.tree().links {
        if let Some((at, _)) = quaternion(link) {
            let norm = Vector4::from_column_slice(&q[at..at + 4]).norm();
            worst = worst.max((norm - 1.0).abs());
            for x in &mut q[at..at + 4] {
                *x /= norm;
            }
        }
    }
    worst
}

/// How many first coordinates of a link are their own velocity's integral.
fn plain(link: &Link) -> usize {
    match link.motion {
        LinkMotion::Ball => 0,
        LinkMotion::Free => 3,
        _ => link.nv,
    }
}

/// Where the quaternion of a link stands in q, and its turns in v.
fn quaternion(link: &Link) -> Option<(usize, usize)> {
    match link.motion {
        LinkMotion::Ball => Some((link.q, link.v)),
        LinkMotion::Free => Some((link.q + 3, link.v + 3)),
        _ => None,
    }
}
