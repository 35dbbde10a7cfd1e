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
use crate::spatial::{Force, PointInertia};
use nalgebra::DMatrix;

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
    composites(model, kin, &mut scratch.I_c);
    let n = model.nv();
    // Column by column down to the diagonal, so that writes are contiguous.
    for (i, node) in tree.nodes.iter().enumerate() {
        let a = kin.axes[i];
        let I_c = &scratch.I_c[node.link];
        let F = if node.turns { I_c.turning(&a) } else { I_c.shifting(&a) };
        let column = &mut M.as_mut_slice()[i * n..][..=i];
        column.fill(0.0);
        climb(model, kin, i, F, |j, along| column[j] = along);
        column[i] += node.rotor;
    }
    mirror(n, M.as_mut_slice());
}

/// Equation (1).
fn composites(model: &Model, kin: &Kinematics, I_c: &mut [PointInertia]) {
    for (I_c, link) in I_c.iter_mut().zip(&kin.links) {
        *I_c = link.I;
    }
    for (i, link) in model.tree().links.iter().enumerate().rev() {
        if link.parent != WORLD {
            let (outer, inner) = I_c.split_at_mut(i);
            outer[link.parent].add_seen_at(&kin.links[i].r, &inner[0]);
        }
    }
}

/// Copy the upper triangle to the lower one, by tiles that stay in the cache.
fn mirror(n: usize, M: &mut [f64]) {
    const TILE: usize = 16;
    for low in (0..n).step_by(TILE) {
        for j in low..n {
            for i in low..j.min(low + TILE) {
                M[i * n + j] = M[j * n + i];
            }
        }
    }
}

/// Carry a wrench at the link of node `i` to the root, telling its component on each axis passed.
#[inline(always)]
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
