//! The mass matrix by composite bodies.
//!
//! ```text
//! I_c = I + Σ_children I_c(O)                                       (1)
//! Mᵢⱼ = Sⱼ · (I_c Sᵢ seen from j) for ancestors j of i, + rotorᵢ on the diagonal   (2)
//! ```
//! O(n · depth). Source: Walker & Orin's composite bodies, re-derived at moving reference points.
//! Tests: `tests/identities.rs`: `eq1_mass_matrix_by_columns`, `kinetic_energy`.

use super::Kinematics;
use crate::model::Model;
use crate::model::tree::WORLD;
use crate::spatial::{Force, Motion, PointInertia};
use nalgebra::{DMatrix, Vector3};

/// Scratch: composite inertias.
#[derive(Debug, Clone)]
pub struct CompositeScratch {
    I_c: Vec<PointInertia>,
}

impl CompositeScratch {
    /// Room for a model.
    pub fn new(model: &Model) -> Self {
        Self { I_c: vec![PointInertia::zero(); model.tree().links.len()] }
    }
}

/// M(q), both triangles.
pub fn mass_matrix(
    model: &Model,
    kin: &Kinematics,
    scratch: &mut CompositeScratch,
    M: &mut DMatrix<f64>,
) {
    debug_assert_eq!(M.shape(), (model.nv(), model.nv()));
    let tree = model.tree();
    for (I_c, link) in scratch.I_c.iter_mut().zip(&kin.links) {
        *I_c = link.I;
    }
    for (i, link) in tree.links.iter().enumerate().rev() {
        if link.parent != WORLD {
            let inner = scratch.I_c[i];
            scratch.I_c[link.parent].add_seen_at(&kin.links[i].r, &inner);
        }
    }
    M.fill(0.0);
    for (i, node) in tree.nodes.iter().enumerate() {
        let a = kin.axes[i];
        let S = if node.turns {
            Motion::new(a, Vector3::zeros())
        } else {
            Motion::new(Vector3::zeros(), a)
        };
        let F = scratch.I_c[node.link].momentum(&S);
        climb(model, kin, i, F, |j, along| {
            M[(i, j)] = along;
            M[(j, i)] = along;
        });
        M[(i, i)] += node.rotor;
    }
}

/// Carry a wrench at the link of node `i` to the root, telling its component on each axis passed.
#[inline]
pub(super) fn climb(
    model: &Model,
    kin: &Kinematics,
    i: usize,
    mut F: Force,
    mut tell: impl FnMut(usize, f64),
) {
    let tree = model.tree();
    let mut j = i;
    loop {
        let node = &tree.nodes[j];
        let along = if node.turns { F.n.dot(&kin.axes[j]) } else { F.f.dot(&kin.axes[j]) };
        tell(j, along);
        if node.parent == WORLD {
            return;
        }
        if node.first {
            F = F.seen_from(&kin.links[node.link].r);
        }
        j = node.parent;
    }
}
