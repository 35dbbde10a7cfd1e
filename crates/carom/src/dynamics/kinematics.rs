//! Poses, axes, twists and velocity products of all links.
//!
//! # Law
//! With d = Σ aᵢ q̇ᵢ over the shifts and Ω = Σ aᵢ q̇ᵢ over the turns of one joint, at the link's
//! origin O seen at r from the parent's:
//! ```text
//! ω = ω_p + Ω,      v_O = v_p + ω_p × r + d                         (1)
//! A = A_p(O) + S v̇ + c,   c = (ω_p × Ω ; ω_p × (ω_p × r + 2 d))     (2)
//! ```
//! A = (ω̇, v̇_O) is the acceleration of the body's own point O, so nothing in the dynamics depends
//! on v_O. (2) is the time derivative of (1) with Ȧxes = ω_p × axes for shifts and for turns about
//! axes of the parent; the turns of a quaternion joint are carried by the body itself, and
//! Ω × Ω = 0 makes no difference.
//!
//! # Tests
//! `tests/identities.rs`: `eq1_twists_from_differences`, `eq2_jdot_v_from_differences`.

use crate::model::tree::{Link, LinkMotion, WORLD};
use crate::model::{BodyId, Model};
use crate::spatial::{Motion, PointInertia, Pose, rotation};
use nalgebra::{Matrix3, Vector3, Vector4};

/// What is known of one link at one instant.
#[derive(Debug, Clone, Copy)]
pub struct LinkState {
    /// Rotation: link axes in the world.
    pub R: Matrix3<f64>,
    /// Origin in the world, the reference point of everything else.
    pub o: Vector3<f64>,
    /// Origin seen from the parent's origin, in world axes.
    pub r: Vector3<f64>,
    /// Twist.
    pub V: Motion,
    /// Velocity product, equation (2).
    pub c: Motion,
    /// Inertia in world axes about the origin.
    pub I: PointInertia,
}

/// Poses and twists of all links.
#[derive(Debug, Clone)]
pub struct Kinematics {
    /// One per link.
    pub links: Vec<LinkState>,
    /// One per degree of freedom: its axis in the world times the transmission ratio.
    pub axes: Vec<Vector3<f64>>,
}

impl Kinematics {
    /// Room for a model.
    pub fn new(model: &Model) -> Self {
        let link = LinkState {
            R: Matrix3::identity(),
            o: Vector3::zeros(),
            r: Vector3::zeros(),
            V: Motion::zero(),
            c: Motion::zero(),
            I: PointInertia::zero(),
        };
        Self {
            links: vec![link; model.tree().links.len()],
            axes: vec![Vector3::zeros(); model.nv()],
        }
    }

    /// Pose of a body in the world.
    pub fn pose(&self, model: &Model, body: BodyId) -> Pose {
        let seat = &model.tree().seats[body.index()];
        if seat.link == WORLD {
            return seat.pose;
        }
        let link = &self.links[seat.link];
        Pose::new(link.R, link.o).then(&seat.pose)
    }

    /// Twist of a body in world axes at the world point `x`.
    pub fn twist_at(&self, model: &Model, body: BodyId, x: &Vector3<f64>) -> Motion {
        let link = model.tree().seats[body.index()].link;
        if link == WORLD {
            return Motion::zero();
        }
        self.links[link].V.moved(&(x - self.links[link].o))
    }
}

/// Fill `kin` from coordinates `q` and velocities `v`.
pub fn kinematics(model: &Model, q: &[f64], v: &[f64], kin: &mut Kinematics) {
    debug_assert_eq!((q.len(), v.len()), (model.nq(), model.nv()));
    for (i, link) in model.tree().links.iter().enumerate() {
        let (parent, axes, out) = parts(link, i, kin);
        place(link, parent, q, axes, out);
        weigh(link, out);
        carry(link, parent, v, axes, out);
    }
}

/// Fill all of `kin` but the inertias, which keep what they held: enough for gaps and their rates.
/// [`inertias`] completes it.
pub fn sight(model: &Model, q: &[f64], v: &[f64], kin: &mut Kinematics) {
    debug_assert_eq!((q.len(), v.len()), (model.nq(), model.nv()));
    for (i, link) in model.tree().links.iter().enumerate() {
        let (parent, axes, out) = parts(link, i, kin);
        place(link, parent, q, axes, out);
        carry(link, parent, v, axes, out);
    }
}

/// Fill the inertias of `kin` from its poses.
pub fn inertias(model: &Model, kin: &mut Kinematics) {
    for (link, out) in model.tree().links.iter().zip(&mut kin.links) {
        weigh(link, out);
    }
}

/// Fill the poses, axes and inertias of `kin` from `q`; twists and velocity products keep what
/// they held. Enough for M, its factors and J M⁻¹ Jᵀ.
pub fn posture(model: &Model, q: &[f64], kin: &mut Kinematics) {
    debug_assert_eq!(q.len(), model.nq());
    for (i, link) in model.tree().links.iter().enumerate() {
        let (parent, axes, out) = parts(link, i, kin);
        place(link, parent, q, axes, out);
        weigh(link, out);
    }
}

/// The parent's state, and the axes and state to be filled.
#[inline(always)]
fn parts<'a>(
    link: &Link,
    i: usize,
    kin: &'a mut Kinematics,
) -> (Option<&'a LinkState>, &'a mut [Vector3<f64>], &'a mut LinkState) {
    let (done, rest) = kin.links.split_at_mut(i);
    let parent = if link.parent == WORLD { None } else { Some(&done[link.parent]) };
    (parent, &mut kin.axes[link.v..link.v + link.nv], &mut rest[0])
}

/// Pose and axes of one link from the pose of its parent.
#[inline(always)]
fn place(
    link: &Link,
    parent: Option<&LinkState>,
    q: &[f64],
    axes: &mut [Vector3<f64>],
    out: &mut LinkState,
) {
    let q = &q[link.q..];
    let (base, r) = match parent {
        None => (link.base.R, link.base.r),
        Some(p) if link.unturned => (p.R, p.R * link.base.r),
        Some(p) => (p.R * link.base.R, p.R * link.base.r),
    };
    (out.R, out.r) = match link.motion {
        LinkMotion::Turn => {
            axes[0] = base.column(2) * link.ratio;
            (turned(&base, link.ratio * q[0] + link.offset), r)
        }
        LinkMotion::Shift(axis) => {
            let a = base * axis;
            axes[0] = a * link.ratio;
            (base, r + a * (link.ratio * q[0] + link.offset))
        }
        LinkMotion::Planar => {
            set_axes(&base, axes);
            (turned(&base, q[2]), r + axes[0] * q[0] + axes[1] * q[1])
        }
        LinkMotion::Ball => {
            let R = base * rotation::from_quaternion(&Vector4::new(q[0], q[1], q[2], q[3]));
            set_axes(&R, axes);
            (R, r)
        }
        LinkMotion::Free => {
            let R = base * rotation::from_quaternion(&Vector4::new(q[3], q[4], q[5], q[6]));
            set_axes(&base, axes);
            set_axes(&R, &mut axes[3..]);
            (R, r + base * Vector3::new(q[0], q[1], q[2]))
        }
    };
    out.o = parent.map_or(out.r, |p| p.o + out.r);
}

/// Inertia of one link that is already placed.
#[inline(always)]
fn weigh(link: &Link, out: &mut LinkState) {
    out.I = if link.inertia.mass > 0.0 { link.inertia.rotated(&out.R) } else { link.inertia };
}

/// The columns of R, the turns of a quaternion joint being about the axes of the body.
#[inline(always)]
fn set_axes(R: &Matrix3<f64>, axes: &mut [Vector3<f64>]) {
    for i in 0..3 {
        axes[i] = R.column(i).into();
    }
}

/// `base` turned about its own z.
#[inline(always)]
fn turned(base: &Matrix3<f64>, angle: f64) -> Matrix3<f64> {
    let (s, c) = angle.sin_cos();
    let (x, y) = (base.column(0), base.column(1));
    Matrix3::from_columns(&[x * c + y * s, y * c - x * s, base.column(2).into()])
}

/// Twist and velocity product of one link that is already placed, equations (1) and (2).
#[inline(always)]
fn carry(
    link: &Link,
    parent: Option<&LinkState>,
    v: &[f64],
    axes: &[Vector3<f64>],
    out: &mut LinkState,
) {
    let v = &v[link.v..link.v + link.nv];
    let sum = |i: usize| axes[i] * v[i] + axes[i + 1] * v[i + 1] + axes[i + 2] * v[i + 2];
    match link.motion {
        LinkMotion::Turn => add_twist(parent, None, Some(axes[0] * v[0]), out),
        LinkMotion::Shift(_) => add_twist(parent, Some(axes[0] * v[0]), None, out),
        LinkMotion::Planar => {
            let d = axes[0] * v[0] + axes[1] * v[1];
            add_twist(parent, Some(d), Some(axes[2] * v[2]), out);
        }
        LinkMotion::Ball => add_twist(parent, None, Some(sum(0)), out),
        LinkMotion::Free => add_twist(parent, Some(sum(0)), Some(sum(3)), out),
    }
}

/// The joint's own velocities `d` and `W` (Ω) on top of the parent's motion.
#[inline(always)]
fn add_twist(
    parent: Option<&LinkState>,
    d: Option<Vector3<f64>>,
    W: Option<Vector3<f64>>,
    out: &mut LinkState,
) {
    let zero = Vector3::zeros;
    let Some(p) = parent else {
        out.V = Motion::new(W.unwrap_or_else(zero), d.unwrap_or_else(zero));
        out.c = Motion::zero();
        return;
    };
    let w = p.V.w;
    let swept = w.cross(&out.r);
    out.V = Motion::new(W.map_or(w, |W| w + W), p.V.v + d.map_or(swept, |d| swept + d));
    // ω_p × (ω_p × r + 2 d)
    let moving = d.map_or(swept, |d| swept + d * 2.0);
    out.c = Motion::new(W.map_or_else(zero, |W| w.cross(&W)), w.cross(&moving));
}
