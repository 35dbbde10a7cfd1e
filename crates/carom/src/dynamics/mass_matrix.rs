//! The mass matrix by composite bodies.
//!
//! ```text
//! I_c = I + Σ_children I_c(O)                                       (1)
//! Mᵢⱼ = Sⱼ · (I_c Sᵢ seen from j) for ancestors j of i, + rotorᵢ on the diagonal   (2)
//! ```
//! O(n · depth). Source: Walker & Orin's composite bodies, re-derived at moving reference points.
//! Tests: `tests/identities.rs`: `eq1_mass_matrix_by_columns`, `kinetic_energy`.

use super::Kinematics;
use super::articulated::Order;
use crate::model::Model;
use crate::model::tree::WORLD;
use crate::spatial::{Force, PointInertia};
use nalgebra::DMatrix;

/// Scratch: composite inertias of the links that carry others.
#[derive(Debug, Clone)]
pub struct CompositeScratch {
    I_c: Vec<PointInertia>,
    order: Vec<Order>,
}

impl CompositeScratch {
    /// Room for a model.
    pub fn new(model: &Model) -> Self {
        let n = model.tree().links.len();
        Self { I_c: vec![PointInertia::zero(); n], order: Order::of(model) }
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
    scratch.fill(model, kin);
    let n = model.nv();
    let entries = M.as_mut_slice();
    entries.fill(0.0);
    for (i, node) in tree.nodes.iter().enumerate() {
        let a = &kin.axes[i];
        let I_c = scratch.of(kin, node.link);
        let F = if node.turns { I_c.turning(a) } else { I_c.shifting(a) };
        climb(model, kin, i, F, |j, along| {
            entries[i * n + j] = along;
            entries[j * n + i] = along;
        });
        entries[i * n + i] += node.rotor;
    }
}

impl CompositeScratch {
    /// Equation (1).
    #[inline(always)]
    fn fill(&mut self, model: &Model, kin: &Kinematics) {
        for (i, link) in model.tree().links.iter().enumerate().rev() {
            if link.parent == WORLD {
                continue;
            }
            let (outer, inner) = self.I_c.split_at_mut(i);
            let inner = if self.order[i].tip { &kin.links[i].I } else { &inner[0] };
            let outer = &mut outer[link.parent];
            let base = if self.order[i].first { &kin.links[link.parent].I } else { &*outer };
            *outer = base.plus_seen_at(&kin.links[i].r, inner);
        }
    }

    /// The composite inertia of a link.
    #[inline(always)]
    fn of<'a>(&'a self, kin: &'a Kinematics, link: usize) -> &'a PointInertia {
        if self.order[link].tip { &kin.links[link].I } else { &self.I_c[link] }
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
