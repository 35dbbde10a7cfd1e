//! Poses, axes, twists and velocity products of all links.
//!
//! # Law
//! With d = Σ aᵢ q̇ᵢ over the shifts and Ω = Σ aᵢ q̇ᵢ over the turns of one joint, at the link's
//! origin O seen at r from the parent's:
//! ```text
//! ω = ω_p + Ω,      v_O = v_p + ω_p × r + d                         (1)
//! A = A_p(O) + S v̇ + c,   c = (ω_p × Ω ; ω_p × d + v_O × Ω)         (2)
//! ```
//! A is the spatial acceleration (the acceleration of the body's point that passes O is
//! A.v + ω × v_O). (2) is V × S q̇ summed over the axes of the joint, each carried by what comes
//! before it; for a quaternion joint the turns are carried by the body itself, and Ω × Ω = 0
//! makes no difference.
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
        let (done, rest) = kin.links.split_at_mut(i);
        let axes = &mut kin.axes[link.v..link.v + link.nv];
        if link.parent == WORLD {
            place(link, None, (q, v), axes, &mut rest[0]);
        } else {
            place(link, Some(&done[link.parent]), (q, v), axes, &mut rest[0]);
        }
    }
}

/// Pose, axes and twist of one link from those of its parent.
#[inline]
fn place(
    link: &Link,
    parent: Option<&LinkState>,
    (q, v): (&[f64], &[f64]),
    axes: &mut [Vector3<f64>],
    out: &mut LinkState,
) {
    let q = &q[link.q..];
    let v = &v[link.v..link.v + link.nv];
    let (base, mut r) = match parent {
        None => (link.base.R, link.base.r),
        Some(p) if link.unturned => (p.R, p.R * link.base.r),
        Some(p) => (p.R * link.base.R, p.R * link.base.r),
    };
    // d and Ω: the joint's own linear and angular velocity.
    let (mut d, mut W) = (Vector3::zeros(), Vector3::zeros());
    match link.motion {
        LinkMotion::Turn => {
            out.R = turned(&base, link.ratio * q[0] + link.offset);
            axes[0] = base.column(2) * link.ratio;
            W = axes[0] * v[0];
        }
        LinkMotion::Shift(axis) => {
            let a = base * axis;
            r += a * (link.ratio * q[0] + link.offset);
            out.R = base;
            axes[0] = a * link.ratio;
            d = axes[0] * v[0];
        }
        LinkMotion::Planar => {
            for i in 0..2 {
                axes[i] = base.column(i).into();
                r += axes[i] * q[i];
                d += axes[i] * v[i];
            }
            out.R = turned(&base, q[2]);
            axes[2] = base.column(2).into();
            W = axes[2] * v[2];
        }
        LinkMotion::Ball => {
            out.R = base * rotation::from_quaternion(&Vector4::new(q[0], q[1], q[2], q[3]));
            turn_axes(&out.R, v, axes, &mut W);
        }
        LinkMotion::Free => {
            for i in 0..3 {
                axes[i] = base.column(i).into();
            }
            r += base * Vector3::new(q[0], q[1], q[2]);
            d = base * Vector3::new(v[0], v[1], v[2]);
            out.R = base * rotation::from_quaternion(&Vector4::new(q[3], q[4], q[5], q[6]));
            turn_axes(&out.R, &v[3..], &mut axes[3..], &mut W);
        }
    }
    out.r = r;
    match parent {
        None => {
            out.o = r;
            out.V = Motion::new(W, d);
            out.c = Motion::new(Vector3::zeros(), d.cross(&W));
        }
        Some(p) => {
            out.o = p.o + r;
            out.V = Motion::new(p.V.w + W, p.V.v + p.V.w.cross(&r) + d);
            out.c = Motion::new(p.V.w.cross(&W), p.V.w.cross(&d) + out.V.v.cross(&W));
        }
    }
    out.I = if link.inertia.mass > 0.0 { link.inertia.rotated(&out.R) } else { link.inertia };
}

/// `base` turned about its own z.
#[inline]
fn turned(base: &Matrix3<f64>, angle: f64) -> Matrix3<f64> {
    let (s, c) = angle.sin_cos();
    let (x, y) = (base.column(0), base.column(1));
    Matrix3::from_columns(&[x * c + y * s, y * c - x * s, base.column(2).into()])
}

/// The three turns of a quaternion joint are about the axes of the body.
#[inline]
fn turn_axes(R: &Matrix3<f64>, v: &[f64], axes: &mut [Vector3<f64>], W: &mut Vector3<f64>) {
    for i in 0..3 {
        axes[i] = R.column(i).into();
    }
    *W = R * Vector3::new(v[0], v[1], v[2]);
}
