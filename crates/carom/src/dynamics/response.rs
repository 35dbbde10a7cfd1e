//! What impulses do: M⁻¹b, M⁻¹Jᵀp and J M⁻¹ Jᵀ in O(n), without M.
//!
//! # Law
//! The elimination of [`super::articulated`] is M⁻¹ = Wᵀ D⁻¹ W with W the inward sweep, so
//! ```text
//! y = W b:   yᵢ = bᵢ + Sᵢ · F,   F ← F − U D⁻¹ yᵢ            (1)   inward, O(n)
//! J M⁻¹ Jᵀ = Yᵀ D⁻¹ Y,   Y = W Jᵀ                            (2)
//! x = M⁻¹b:  xᵢ = D⁻¹(yᵢ − U · A),   A ← A + S xᵢ             (3)   outward, O(n)
//! ```
//! For a force at one point or along one joint the inward sweep touches only the path to the root, F starts as
//! that force, and (2) needs no outward sweep at all.
//!
//! # Source
//! Mirtich 1996 (impulse response of articulated bodies) asks for two sweeps per direction; (2)
//! halves that. Checked against the dense J M⁻¹ Jᵀ.
//!
//! # Tests
//! `tests/identities.rs`: `eq2_both_contact_operators`, `eq3_solves`.

use super::{Articulated, Kinematics};
use crate::model::tree::WORLD;
use crate::model::{BodyId, Model};
use crate::spatial::{Force, Motion};
use nalgebra::{DMatrix, Matrix3, Vector3};

/// Scratch of the sweeps over all links.
#[derive(Debug, Clone)]
pub struct ResponseScratch {
    F: Vec<Force>,
    A: Vec<Motion>,
}

impl ResponseScratch {
    /// Room for a model.
    pub fn new(model: &Model) -> Self {
        let n = model.tree().links.len();
        Self { F: vec![Force::zero(); n], A: vec![Motion::zero(); n] }
    }
}

/// The three-by-three operator J M⁻¹ Jᵀ of a point fixed to a body, in world axes.
pub fn point_operator(
    model: &Model,
    kin: &Kinematics,
    art: &Articulated,
    body: BodyId,
    x: &Vector3<f64>,
) -> Matrix3<f64> {
    let mut G = Matrix3::zeros();
    let tree = model.tree();
    let link = tree.seats[body.index()].link;
    if link == WORLD {
        return G;
    }
    // Column k of n and f: moment and force of the unit force along axis k.
    let mut f = Matrix3::identity();
    let mut n = crate::spatial::rotation::skew(&(x - kin.links[link].o));
    let mut j = tree.tip_node(link);
    loop {
        let node = &tree.nodes[j];
        let a = &kin.axes[j];
        let y = if node.turns { n.tr_mul(a) } else { f.tr_mul(a) };
        let z = y * art.D_inv[j];
        G += z * y.transpose();
        if node.parent == WORLD {
            return G;
        }
        n -= art.U[j].n * z.transpose();
        f -= art.U[j].f * z.transpose();
        if node.first {
            let r = &kin.links[node.link].r;
            n += cross_columns(r, &f);
        }
        j = node.parent;
    }
}

/// r × each column of A.
#[inline]
fn cross_columns(r: &Vector3<f64>, A: &Matrix3<f64>) -> Matrix3<f64> {
    let cross = |k: usize| {
        let (x, y, z) = (A[(0, k)], A[(1, k)], A[(2, k)]);
        Vector3::new(r.y * z - r.z * y, r.z * x - r.x * z, r.x * y - r.y * x)
    };
    Matrix3::from_columns(&[cross(0), cross(1), cross(2)])
}

/// Add to `y` the inward sweep (1) of the wrench `F` at the world point `x` of a body.
///
/// One call per side of a contact; columns of Y made so give equation (2).
pub fn sweep_wrench(
    model: &Model,
    kin: &Kinematics,
    art: &Articulated,
    (body, x, wrench): (BodyId, &Vector3<f64>, &Force),
    y: &mut [f64],
) {
    let tree = model.tree();
    let link = tree.seats[body.index()].link;
    if link == WORLD {
        return;
    }
    climb((model, kin, art), tree.tip_node(link), wrench.seen_from(&(x - kin.links[link].o)), y);
}

/// Add to `y` the inward sweep (1) of the force `b` along one degree of freedom.
pub fn sweep_joint(
    model: &Model,
    kin: &Kinematics,
    art: &Articulated,
    (dof, b): (usize, f64),
    y: &mut [f64],
) {
    let node = &model.tree().nodes[dof];
    y[dof] += b;
    let mut F = Force::zero() - art.U[dof] * (art.D_inv[dof] * b);
    if node.first {
        F = F.seen_from(&kin.links[node.link].r);
    }
    climb((model, kin, art), node.parent, F, y);
}

/// From node j to the root with the force F that acts there.
fn climb(
    (model, kin, art): (&Model, &Kinematics, &Articulated),
    mut j: usize,
    mut F: Force,
    y: &mut [f64],
) {
    while j != WORLD {
        let node = &model.tree().nodes[j];
        let along = if node.turns { F.n.dot(&kin.axes[j]) } else { F.f.dot(&kin.axes[j]) };
        y[j] += along;
        F = F - art.U[j] * (art.D_inv[j] * along);
        if node.first {
            F = F.seen_from(&kin.links[node.link].r);
        }
        j = node.parent;
    }
}

/// In place y = W b, equation (1), for any generalised force.
pub fn sweep_inward(
    model: &Model,
    kin: &Kinematics,
    art: &Articulated,
    scratch: &mut ResponseScratch,
    b: &mut [f64],
) {
    let tree = model.tree();
    scratch.F.fill(Force::zero());
    for (i, link) in tree.links.iter().enumerate().rev() {
        let mut F = scratch.F[i];
        for j in (link.v..link.v + link.nv).rev() {
            let a = &kin.axes[j];
            b[j] += if tree.nodes[j].turns { a.dot(&F.n) } else { a.dot(&F.f) };
            F = F - art.U[j] * (art.D_inv[j] * b[j]);
        }
        if link.parent != WORLD {
            scratch.F[link.parent] += F.seen_from(&kin.links[i].r);
        }
    }
}

/// In place x = Wᵀ D⁻¹ y, equation (3).
pub fn sweep_outward(
    model: &Model,
    kin: &Kinematics,
    art: &Articulated,
    scratch: &mut ResponseScratch,
    y: &mut [f64],
) {
    let tree = model.tree();
    for (i, link) in tree.links.iter().enumerate() {
        let from = if link.parent == WORLD { Motion::zero() } else { scratch.A[link.parent] };
        let mut A = from.moved(&kin.links[i].r);
        for j in link.v..link.v + link.nv {
            y[j] = art.D_inv[j] * (y[j] - art.U[j].power(&A));
            if tree.nodes[j].turns {
                A.w += kin.axes[j] * y[j];
            } else {
                A.v += kin.axes[j] * y[j];
            }
        }
        scratch.A[i] = A;
    }
}

/// In place b ← M⁻¹ b.
pub fn solve(
    model: &Model,
    kin: &Kinematics,
    art: &Articulated,
    scratch: &mut ResponseScratch,
    b: &mut [f64],
) {
    sweep_inward(model, kin, art, scratch, b);
    sweep_outward(model, kin, art, scratch, b);
}

/// G = Yᵀ D⁻¹ Y, equation (2), for the columns of Y.
pub fn delassus(art: &Articulated, Y: &DMatrix<f64>, G: &mut DMatrix<f64>) {
    let n = Y.nrows();
    for a in 0..Y.ncols() {
        for b in 0..=a {
            let (ya, yb) = (Y.column(a), Y.column(b));
            let mut sum = 0.0;
            for i in 0..n {
                sum += ya[i] * yb[i] * art.D_inv[i];
            }
            G[(a, b)] = sum;
            G[(b, a)] = sum;
        }
    }
}
