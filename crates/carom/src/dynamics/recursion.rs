//! Inverse dynamics by recursive Newton–Euler.
//!
//! # Law
//! ```text
//! τ = M(q) v̇ + h(q, v)                                               (1)
//! A = A_p(O) + c + S v̇,   A_world = −g                               (2)
//! f = I A + (ω × I_O ω ; ω × (ω × h)) + Σ_children f,   τᵢ = Sᵢ · f + rotorᵢ v̇ᵢ      (3)
//! ```
//! h holds gravity and velocity products; springs and dampers are in [`super::forces`].
//!
//! # Source
//! Featherstone, *Rigid Body Dynamics Algorithms*, as re-derived here at moving reference points.
//! Checked: M column by column against composite bodies, power balance.
//!
//! # Tests
//! `tests/identities.rs`: `eq1_mass_matrix_by_columns`, `power_balance`.

use super::Kinematics;
use crate::model::Model;
use crate::model::tree::WORLD;
use crate::spatial::{Force, Motion};
use nalgebra::Vector3;

/// Scratch of the recursion.
#[derive(Debug, Clone)]
pub struct RecursionScratch {
    A: Vec<Motion>,
    f: Vec<Force>,
}

impl RecursionScratch {
    /// Room for a model.
    pub fn new(model: &Model) -> Self {
        let n = model.tree().links.len();
        Self { A: vec![Motion::zero(); n], f: vec![Force::zero(); n] }
    }
}

/// h(q, v): the forces that hold v̇ = 0.
pub fn bias(model: &Model, kin: &Kinematics, scratch: &mut RecursionScratch, h: &mut [f64]) {
    recursion(model, kin, None, scratch, h);
}

/// τ = M v̇ + h, equation (1).
pub fn inverse_dynamics(
    model: &Model,
    kin: &Kinematics,
    vdot: &[f64],
    scratch: &mut RecursionScratch,
    tau: &mut [f64],
) {
    recursion(model, kin, Some(vdot), scratch, tau);
}

fn recursion(
    model: &Model,
    kin: &Kinematics,
    vdot: Option<&[f64]>,
    scratch: &mut RecursionScratch,
    tau: &mut [f64],
) {
    let tree = model.tree();
    let held = Motion::new(Vector3::zeros(), -model.gravity());
    for (i, link) in tree.links.iter().enumerate() {
        let s = &kin.links[i];
        let from = if link.parent == WORLD { held } else { scratch.A[link.parent] };
        let mut A = from.moved(&s.r) + s.c;
        if let Some(vdot) = vdot {
            for j in link.v..link.v + link.nv {
                if tree.nodes[j].turns {
                    A.w += kin.axes[j] * vdot[j];
                } else {
                    A.v += kin.axes[j] * vdot[j];
                }
            }
        }
        scratch.A[i] = A;
        scratch.f[i] = s.I.momentum(&A) + s.I.gyroscopic(&s.V.w);
    }
    for (i, link) in tree.links.iter().enumerate().rev() {
        let f = scratch.f[i];
        for j in link.v..link.v + link.nv {
            let node = &tree.nodes[j];
            let along = if node.turns { f.n.dot(&kin.axes[j]) } else { f.f.dot(&kin.axes[j]) };
            tau[j] = along + vdot.map_or(0.0, |vdot| node.rotor * vdot[j]);
        }
        if link.parent != WORLD {
            scratch.f[link.parent] += f.seen_from(&kin.links[i].r);
        }
    }
}
