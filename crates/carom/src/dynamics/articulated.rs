//! Articulated inertias: the O(n) factorisation of M.
//!
//! # Law
//! From the tips to the root, at each degree of freedom:
//! ```text
//! U = I_A S,   D = S · U + rotor                                    (1)
//! I_A ← I_A − U D⁻¹ Uᵀ                                               (2)
//! parent's I_A ← parent's I_A + I_A seen from the parent             (3)
//! ```
//! D is the inertia that the degree of freedom feels when all those behind it give way; M is
//! singular exactly when some D vanishes, so this is where it is noticed and named.
//!
//! # Source
//! Featherstone 1983; sequential elimination of the axes of one joint is the block elimination
//! of its D, one pivot at a time. Checked against M, see `tests/identities.rs`.

use super::Kinematics;
use crate::model::Model;
use crate::model::tree::WORLD;
use crate::spatial::{ArticulatedInertia, Force, PointInertia};
use nalgebra::Vector3;
use thiserror::Error;

/// D relative to the inertia it is taken from, below which M counts as singular.
pub(super) const SINGULAR: f64 = crate::numeric::thresholds::dynamics::SINGULAR;

/// A degree of freedom that feels no inertia.
#[derive(Debug, Clone, Copy, PartialEq, Error)]
#[error(
    "the mass matrix is singular at degree of freedom {dof}: it feels {D:e} where {scale:e} is usual"
)]
pub struct SingularInertia {
    /// Index into v.
    pub dof: usize,
    /// The inertia it feels.
    pub D: f64,
    /// The inertia of the bodies behind it.
    pub scale: f64,
}

impl SingularInertia {
    /// What the user may do about it.
    pub fn hint(&self) -> &'static str {
        "give the bodies behind this joint an inertia about its axis, or the joint a rotor inertia"
    }
}

/// Articulated inertias and what the elimination leaves at each degree of freedom.
#[derive(Debug, Clone)]
pub struct Articulated {
    /// One per link: what its children have handed over.
    I_A: Vec<ArticulatedInertia>,
    /// One per link: its place among those that hand over.
    pub(super) order: Vec<Order>,
    /// One per degree of freedom: U at the origin of its link.
    pub U: Vec<Force>,
    /// One per degree of freedom: 1 / D.
    pub D_inv: Vec<f64>,
}

/// When a link is reached on the way from the tips to the root.
#[derive(Debug, Clone, Copy)]
pub(super) struct Order {
    /// It carries no other link: nothing was handed over.
    pub(super) tip: bool,
    /// It is the first to reach its parent: what it hands over replaces, others add.
    pub(super) first: bool,
}

impl Order {
    /// One per link.
    pub(super) fn of(model: &Model) -> Vec<Self> {
        let links = &model.tree().links;
        let mut order = vec![Self { tip: true, first: false }; links.len()];
        for (i, link) in links.iter().enumerate().rev() {
            if link.parent != WORLD {
                order[i].first = order[link.parent].tip;
                order[link.parent].tip = false;
            }
        }
        order
    }
}

impl Articulated {
    /// Room for a model.
    pub fn new(model: &Model) -> Self {
        Self {
            I_A: vec![ArticulatedInertia::zero(); model.tree().links.len()],
            order: Order::of(model),
            U: vec![Force::zero(); model.nv()],
            D_inv: vec![0.0; model.nv()],
        }
    }

    /// The inertia of link `i` with all that it carries, its own joint held.
    #[inline(always)]
    pub(super) fn gathered(&self, i: usize, body: &PointInertia) -> ArticulatedInertia {
        if self.order[i].tip {
            ArticulatedInertia::rigid(body)
        } else {
            self.I_A[i].with_rigid(body)
        }
    }

    /// Equation (3).
    #[inline(always)]
    pub(super) fn hand_over(
        &mut self,
        (i, parent): (usize, usize),
        r: &Vector3<f64>,
        I_A: &ArticulatedInertia,
    ) {
        let seen = I_A.seen_from(r);
        if self.order[i].first {
            self.I_A[parent] = seen;
        } else {
            self.I_A[parent].add(&seen);
        }
    }
}

/// Fill `art` for the posture in `kin`.
pub fn articulate(
    model: &Model,
    kin: &Kinematics,
    art: &mut Articulated,
) -> Result<(), SingularInertia> {
    let tree = model.tree();
    for (i, link) in tree.links.iter().enumerate().rev() {
        let s = &kin.links[i];
        let mut I_A = art.gathered(i, &s.I);
        for j in (link.v..link.v + link.nv).rev() {
            let node = &tree.nodes[j];
            let pivot = Pivot::of(&I_A, &kin.axes[j], node.turns, node.rotor);
            pivot.check(j)?;
            art.U[j] = pivot.U;
            art.D_inv[j] = pivot.D_inv;
            if node.parent != WORLD {
                I_A.downdate(pivot.D_inv, &pivot.U);
            }
        }
        if link.parent != WORLD {
            art.hand_over((i, link.parent), &s.r, &I_A);
        }
    }
    Ok(())
}

/// One step of the elimination, equation (1).
pub(super) struct Pivot {
    pub(super) U: Force,
    pub(super) D_inv: f64,
    D: f64,
    scale: f64,
}

impl Pivot {
    #[inline(always)]
    pub(super) fn of(I_A: &ArticulatedInertia, a: &Vector3<f64>, turns: bool, rotor: f64) -> Self {
        let (U, D, trace) = if turns {
            let U = Force::new(I_A.J.times(a), I_A.H.tr_mul(a));
            (U, a.dot(&U.n), I_A.J.xx + I_A.J.yy + I_A.J.zz)
        } else {
            let U = Force::new(I_A.H * a, I_A.M.times(a));
            (U, a.dot(&U.f), I_A.M.xx + I_A.M.yy + I_A.M.zz)
        };
        let D = D + rotor;
        Self { U, D_inv: 1.0 / D, D, scale: trace * a.norm_squared() }
    }

    /// Whether the pivot is one.
    #[inline(always)]
    pub(super) fn check(&self, dof: usize) -> Result<(), SingularInertia> {
        // Written so that NaN fails.
        if self.D > SINGULAR * self.scale && self.D_inv.is_finite() {
            return Ok(());
        }
        Err(SingularInertia { dof, D: self.D, scale: self.scale })
    }
}
