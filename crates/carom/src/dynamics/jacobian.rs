//! Jacobians of points and frames, and J̇v.
//!
//! ```text
//! ω = J_ω v,   v_x = J_x v                              (1)   at the body's point that passes x
//! ẍ = J_x v̇ + J̇_x v,   ω̇ = J_ω v̇ + J̇_ω v               (2)
//! ```
//! Tests: `tests/identities.rs`: `eq1_jacobian_from_differences`, `eq2_jdot_v_from_differences`.

use super::Kinematics;
use crate::model::tree::WORLD;
use crate::model::{BodyId, Model};
use crate::spatial::Motion;
use nalgebra::{DMatrix, Vector3};

/// Fill `J` (6 × nv): rows 0–2 angular, rows 3–5 linear at the world point `x` of the body.
pub fn frame_jacobian(
    model: &Model,
    kin: &Kinematics,
    body: BodyId,
    x: &Vector3<f64>,
    J: &mut DMatrix<f64>,
) {
    J.fill(0.0);
    along_path(model, kin, body, |j, turns, a, o| {
        if turns {
            J.fixed_view_mut::<3, 1>(0, j).copy_from(a);
            J.fixed_view_mut::<3, 1>(3, j).copy_from(&a.cross(&(x - o)));
        } else {
            J.fixed_view_mut::<3, 1>(3, j).copy_from(a);
        }
    });
}

/// Add `sign` × dᵀJ_x to `row`: the row of the velocity of the body's point at `x` along `d`.
pub fn add_point_row(
    model: &Model,
    kin: &Kinematics,
    (body, x): (BodyId, &Vector3<f64>),
    d: &Vector3<f64>,
    sign: f64,
    row: &mut [f64],
) {
    along_path(model, kin, body, |j, turns, a, o| {
        let rate = if turns { d.dot(&a.cross(&(x - o))) } else { d.dot(a) };
        row[j] += sign * rate;
    });
}

/// Add dᵀJ_ω to `row`: the row of the angular velocity of the body along `d`.
pub fn add_turn_row(
    model: &Model,
    kin: &Kinematics,
    body: BodyId,
    d: &Vector3<f64>,
    row: &mut [f64],
) {
    along_path(model, kin, body, |j, turns, a, _| {
        if turns {
            row[j] += d.dot(a);
        }
    });
}

/// Visit the degrees of freedom that move a body: index, whether it turns, axis, origin.
fn along_path(
    model: &Model,
    kin: &Kinematics,
    body: BodyId,
    mut visit: impl FnMut(usize, bool, &Vector3<f64>, &Vector3<f64>),
) {
    let tree = model.tree();
    let mut j = tree.tip_node(tree.seats[body.index()].link);
    while j != WORLD {
        let node = &tree.nodes[j];
        visit(j, node.turns, &kin.axes[j], &kin.links[node.link].o);
        j = node.parent;
    }
}

/// Accelerations of all links and their origins at v̇ = 0, the source of J̇v.
#[derive(Debug, Clone)]
pub struct VelocityProducts {
    A: Vec<Motion>,
}

impl VelocityProducts {
    /// Room for a model.
    pub fn new(model: &Model) -> Self {
        Self { A: vec![Motion::zero(); model.tree().links.len()] }
    }

    /// (J̇_ω v, J̇_x v) of the body's point at the world point `x`, equation (2).
    pub fn at(&self, model: &Model, kin: &Kinematics, body: BodyId, x: &Vector3<f64>) -> Motion {
        let link = model.tree().seats[body.index()].link;
        if link == WORLD {
            return Motion::zero();
        }
        let s = &kin.links[link];
        let r = x - s.o;
        let A = self.A[link].moved(&r);
        Motion::new(A.w, A.v + s.V.w.cross(&s.V.w.cross(&r)))
    }
}

/// Fill `products` for the state in `kin`.
pub fn velocity_products(model: &Model, kin: &Kinematics, products: &mut VelocityProducts) {
    for (i, link) in model.tree().links.iter().enumerate() {
        let s = &kin.links[i];
        let from = if link.parent == WORLD { Motion::zero() } else { products.A[link.parent] };
        products.A[i] = from.moved(&s.r) + s.c;
    }
}
