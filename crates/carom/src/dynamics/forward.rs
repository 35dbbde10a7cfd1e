//! Forward dynamics by articulated bodies: v̇ = M⁻¹(τ − h) in O(n).
//!
//! # Law
//! With U, D and I_A of [`super::articulated`], from the tips to the root and back:
//! ```text
//! u = τ − S · p,   p ← p + U D⁻¹ u (+ I_A c at the last axis of a joint)      (1)
//! v̇ = D⁻¹ (u − U · A'),   A' = A_p(O) (+ c),   A = A' + S v̇                   (2)
//! ```
//! p starts as (ω × I_O ω; ω × (ω × h)); gravity enters as A_world = −g.
//!
//! # Tests
//! `tests/identities.rs`: `forward_is_inverse_of_inverse`.

use super::articulated::Pivot;
use super::{Articulated, Kinematics, SingularInertia};
use crate::model::Model;
use crate::model::tree::WORLD;
use crate::spatial::{Force, Motion};
use nalgebra::Vector3;

/// Scratch of the two sweeps.
#[derive(Debug, Clone)]
pub struct ForwardScratch {
    p: Vec<Force>,
    A: Vec<Motion>,
    u: Vec<f64>,
}

impl ForwardScratch {
    /// Room for a model.
    pub fn new(model: &Model) -> Self {
        let n = model.tree().links.len();
        Self { p: vec![Force::zero(); n], A: vec![Motion::zero(); n], u: vec![0.0; model.nv()] }
    }
}

/// v̇ = M⁻¹(τ − h); leaves the articulated inertias in `art` for further solves.
pub fn forward_dynamics(
    model: &Model,
    kin: &Kinematics,
    tau: &[f64],
    (art, scratch): (&mut Articulated, &mut ForwardScratch),
    vdot: &mut [f64],
) -> Result<(), SingularInertia> {
    inward(model, kin, tau, art, scratch)?;
    outward(model, kin, art, scratch, vdot);
    Ok(())
}

/// Equation (1), from the tips to the root.
fn inward(
    model: &Model,
    kin: &Kinematics,
    tau: &[f64],
    art: &mut Articulated,
    scratch: &mut ForwardScratch,
) -> Result<(), SingularInertia> {
    let tree = model.tree();
    for (i, link) in tree.links.iter().enumerate().rev() {
        let s = &kin.links[i];
        let mut I_A = art.gathered(i, &s.I);
        let mut p = s.I.gyroscopic(&s.V.w);
        if !art.order[i].tip {
            p += scratch.p[i];
        }
        for j in (link.v..link.v + link.nv).rev() {
            let node = &tree.nodes[j];
            let a = &kin.axes[j];
            let pivot = Pivot::of(&I_A, a, node.turns, node.rotor);
            pivot.check(j)?;
            let u = tau[j] - if node.turns { a.dot(&p.n) } else { a.dot(&p.f) };
            art.U[j] = pivot.U;
            art.D_inv[j] = pivot.D_inv;
            scratch.u[j] = u;
            if node.parent != WORLD {
                I_A.downdate(pivot.D_inv, &pivot.U);
                p += pivot.U * (u * pivot.D_inv);
                if node.last {
                    p += I_A.times(&s.c);
                }
            }
        }
        if link.parent != WORLD {
            art.hand_over((i, link.parent), &s.r, &I_A);
            let seen = p.seen_from(&s.r);
            let sum = &mut scratch.p[link.parent];
            *sum = if art.order[i].first { seen } else { *sum + seen };
        }
    }
    Ok(())
}

/// Equation (2), from the root to the tips.
fn outward(
    model: &Model,
    kin: &Kinematics,
    art: &Articulated,
    scratch: &mut ForwardScratch,
    vdot: &mut [f64],
) {
    let tree = model.tree();
    let held = Motion::new(Vector3::zeros(), -model.gravity());
    for (i, link) in tree.links.iter().enumerate() {
        let s = &kin.links[i];
        let from = if link.parent == WORLD { held } else { scratch.A[link.parent] };
        let mut A = from.moved(&s.r);
        for j in link.v..link.v + link.nv {
            let node = &tree.nodes[j];
            if node.last {
                A = A + s.c;
            }
            vdot[j] = art.D_inv[j] * (scratch.u[j] - art.U[j].power(&A));
            if node.turns {
                A.w += kin.axes[j] * vdot[j];
            } else {
                A.v += kin.axes[j] * vdot[j];
            }
        }
        scratch.A[i] = A;
    }
}
