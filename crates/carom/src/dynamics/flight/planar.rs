//! Forward dynamics of trees that move in a plane: articulated bodies of three by three.
//!
//! # Law
//! With accelerations (α, a), wrenches (n, f) and r, h, a, f in the plane, ⊥(x, y) = (−y, x):
//! ```text
//! a_O = a_p + α_p ⊥r − ω_p² r + 2 ω_p ⊥d                              (1)
//! n = J α + H · a,   f = H α + M a;   rigid body: H = ⊥h, M = m 1     (2)
//! seen from r:  H' = H + M ⊥r,  J' = J + ⊥r · (H + H')                (3)
//! ```
//! and the sweeps of [`super::super::forward`]: u = τ − S · p, p ← p + U D⁻¹ u + I_A c,
//! v̇ = D⁻¹(u − U · A). A rigid body starts with p = (0, −ω² h).
//!
//! # Symbols
//! r from the parent's origin to the link's, d the joint's own shift velocity, h = m c the first
//! moment about the link's origin, J the moment of inertia about n there. All angles count from
//! the posture where no joint turns or shifts ([`super::plane`]), in which r, h and shift axes
//! are known.
//!
//! # Source
//! (1) to (3) are the equations of `spatial::ArticulatedInertia` and `dynamics::kinematics`
//! restricted to motions (α n, a) with a across n; what falls out are forces that joints bear.
//!
//! # Tests
//! `tests/flight.rs`: `planar_is_articulated` compares v̇ with the spatial sweeps on random trees in
//! random planes, `a_singular_posture_is_left_to_the_general_way`.

use super::super::articulated::SINGULAR;
use super::plane::Plane;
use crate::model::tree::{Link, LinkMotion, Node, WORLD};
use nalgebra::Vector3;

/// One degree of freedom.
#[derive(Debug, Clone, Copy)]
struct Axis {
    /// A turn per unit of v, or a shift per unit of v in the unmoved posture.
    kind: AxisKind,
    rotor: f64,
}

#[derive(Debug, Clone, Copy)]
enum AxisKind {
    Turn(f64),
    Shift([f64; 2]),
}

/// A link in the unmoved posture.
#[derive(Debug, Clone)]
struct PlanarLink {
    /// Place of its parent in the list, or [`WORLD`].
    parent: usize,
    /// First degree of freedom in v; the same place in q is at `q`.
    v: usize,
    q: usize,
    /// First of its axes, and how many.
    axes: (usize, usize),
    /// Turn per unit of v and rotor of a joint with one axis that turns, the most frequent one.
    hinge: Option<(f64, f64)>,
    /// Joint angle or shift at q = 0, per unit of the axis.
    offset: f64,
    r: [f64; 2],
    mass: f64,
    h: [f64; 2],
    J: f64,
    /// −g in the plane, for links on the world.
    held: [f64; 2],
}

/// A link on its way.
#[derive(Debug, Clone, Copy, Default)]
struct Moving {
    angle: f64,
    /// cos and sin of the angle.
    turn: [f64; 2],
    w: f64,
    r: [f64; 2],
    /// Velocity product, equation (1).
    c: [f64; 2],
    /// What is handed over by the links it carries, and the size of what was summed.
    I_A: Inertia3,
    scale: f64,
    p: [f64; 3],
    /// Acceleration (α, a).
    A: [f64; 3],
}

/// J, H and M of equation (2).
#[derive(Debug, Clone, Copy, Default)]
struct Inertia3 {
    J: f64,
    H: [f64; 2],
    xx: f64,
    xy: f64,
    yy: f64,
}

/// What the inward sweep leaves at a degree of freedom.
#[derive(Debug, Clone, Copy, Default)]
struct Pivot {
    /// Shift axis in the present posture.
    axis: [f64; 2],
    U: [f64; 3],
    D_inv: f64,
    u: f64,
}

/// All branches that move in planes.
#[derive(Debug, Clone, Default)]
pub struct PlanarTrees {
    links: Vec<PlanarLink>,
    axes: Vec<Axis>,
    moving: Vec<Moving>,
    pivots: Vec<Pivot>,
}

impl PlanarTrees {
    /// Add a branch: its links, parents first, in the plane that it moves in.
    pub fn add(
        &mut self,
        (links, nodes): (&[Link], &[Node]),
        (branch, arms): (&[usize], &[Vector3<f64>]),
        (plane, frames): (&Plane, &[nalgebra::Matrix3<f64>]),
        gravity: &Vector3<f64>,
    ) {
        let first = self.links.len();
        for &i in branch {
            let link = &links[i];
            let place = |p| branch.iter().position(|&b| b == p).map_or(WORLD, |k| first + k);
            let R = &frames[i];
            let n = plane.normal();
            let sign = R.column(2).dot(&n).signum();
            let shift = |axis: Vector3<f64>| AxisKind::Shift(plane.project(&(R * axis)));
            let kinds = match link.motion {
                LinkMotion::Turn => vec![AxisKind::Turn(sign * link.ratio)],
                LinkMotion::Shift(axis) => vec![shift(axis * link.ratio)],
                _ => vec![shift(Vector3::x()), shift(Vector3::y()), AxisKind::Turn(sign)],
            };
            let start = self.axes.len();
            let rotors = nodes[link.v..link.v + link.nv].iter().map(|node| node.rotor);
            self.axes.extend(kinds.iter().zip(rotors).map(|(&kind, rotor)| Axis { kind, rotor }));
            let hinge = match self.axes[start..] {
                [Axis { kind: AxisKind::Turn(a), rotor }] => Some((a, rotor)),
                _ => None,
            };
            let about = R.transpose() * n;
            self.links.push(PlanarLink {
                parent: place(link.parent),
                v: link.v,
                q: link.q,
                axes: (start, link.nv),
                hinge,
                offset: link.offset / link.ratio,
                r: plane.project(&arms[i]),
                mass: link.inertia.mass,
                h: plane.project(&(R * link.inertia.h)),
                J: about.dot(&link.inertia.I.times(&about)),
                held: plane.project(&-gravity),
            });
        }
        self.moving.resize(self.links.len(), Moving::default());
        self.pivots.resize(self.axes.len(), Pivot::default());
    }

    /// v̇ of all branches; false where some posture is singular, and then without a result.
    pub fn forward(&mut self, q: &[f64], v: &[f64], tau: &[f64], vdot: &mut [f64]) -> bool {
        self.place(q, v);
        let regular = self.inward(tau);
        if regular {
            self.outward(vdot);
        }
        regular
    }

    /// Equation (1) and what it needs, from the root to the tips.
    fn place(&mut self, q: &[f64], v: &[f64]) {
        for (i, link) in self.links.iter().enumerate() {
            let (done, rest) = self.moving.split_at_mut(i);
            let out = &mut rest[0];
            let (angle, turn, w) =
                done.get(link.parent).map_or((0.0, [1.0, 0.0], 0.0), |p| (p.angle, p.turn, p.w));
            let mut r = turned(&turn, &link.r);
            if let Some((a, _)) = link.hinge {
                out.angle = angle + a * (q[link.q] + link.offset);
                out.w = w + a * v[link.v];
                let (s, c) = out.angle.sin_cos();
                out.turn = [c, s];
                (out.r, out.c) = (r, [-w * w * r[0], -w * w * r[1]]);
                out.weigh(link);
                continue;
            }
            let mut d = [0.0; 2];
            (out.angle, out.turn, out.w) = (angle, turn, w);
            for k in 0..link.axes.1 {
                let j = link.axes.0 + k;
                let (at, rate) = (q[link.q + k] + link.offset, v[link.v + k]);
                match self.axes[j].kind {
                    AxisKind::Turn(a) => {
                        out.angle += a * at;
                        let (s, c) = out.angle.sin_cos();
                        out.turn = [c, s];
                        out.w += a * rate;
                    }
                    AxisKind::Shift(a) => {
                        let a = turned(&turn, &a);
                        self.pivots[j].axis = a;
                        r = [r[0] + a[0] * at, r[1] + a[1] * at];
                        d = [d[0] + a[0] * rate, d[1] + a[1] * rate];
                    }
                }
            }
            out.r = r;
            out.c = [-w * (w * r[0] + 2.0 * d[1]), -w * (w * r[1] - 2.0 * d[0])];
            out.weigh(link);
        }
    }

    /// The elimination of the degrees of freedom, from the tips to the root.
    fn inward(&mut self, tau: &[f64]) -> bool {
        for (i, link) in self.links.iter().enumerate().rev() {
            let (before, rest) = self.moving.split_at_mut(i);
            let own = &rest[0];
            if let Some((a, rotor)) = link.hinge {
                let I = &own.I_A;
                let (aa, D) = (a * a, rotor + a * a * I.J);
                // Written so that NaN is not regular.
                if !(D > SINGULAR * aa * own.scale && D.is_finite()) {
                    return false;
                }
                let (D_inv, u) = (1.0 / D, tau[link.v] - a * own.p[0]);
                let U = [a * I.J, a * I.H[0], a * I.H[1]];
                let pivot = &mut self.pivots[link.axes.0];
                (pivot.U, pivot.D_inv, pivot.u) = (U, D_inv, u);
                if let Some(parent) = before.get_mut(link.parent) {
                    let (mut I, s) = (*I, u * D_inv);
                    I.downdate(D_inv, &U);
                    let p = [own.p[0] + U[0] * s, own.p[1] + U[1] * s, own.p[2] + U[2] * s];
                    parent.take(own, &I, &p);
                }
                continue;
            }
            let (mut I, mut p) = (own.I_A, own.p);
            for k in (0..link.axes.1).rev() {
                let j = link.axes.0 + k;
                let pivot = &mut self.pivots[j];
                let (U, along, size) = match self.axes[j].kind {
                    AxisKind::Turn(a) => {
                        ([a * I.J, a * I.H[0], a * I.H[1]], a * p[0], a * a * own.scale)
                    }
                    AxisKind::Shift(_) => {
                        let a = pivot.axis;
                        let U = I.shifting(&a);
                        let square = a[0] * a[0] + a[1] * a[1];
                        (U, a[0] * p[1] + a[1] * p[2], square * (I.xx + I.yy))
                    }
                };
                let D = self.axes[j].rotor
                    + match self.axes[j].kind {
                        AxisKind::Turn(a) => a * U[0],
                        AxisKind::Shift(_) => pivot.axis[0] * U[1] + pivot.axis[1] * U[2],
                    };
                // Written so that NaN is not regular.
                if !(D > SINGULAR * size && D.is_finite()) {
                    return false;
                }
                let D_inv = 1.0 / D;
                let u = tau[link.v + k] - along;
                (pivot.U, pivot.D_inv, pivot.u) = (U, D_inv, u);
                I.downdate(D_inv, &U);
                let s = u * D_inv;
                p = [p[0] + U[0] * s, p[1] + U[1] * s, p[2] + U[2] * s];
            }
            if let Some(parent) = before.get_mut(link.parent) {
                parent.take(own, &I, &p);
            }
        }
        true
    }

    /// v̇ from the root to the tips.
    fn outward(&mut self, vdot: &mut [f64]) {
        for (i, link) in self.links.iter().enumerate() {
            let (done, rest) = self.moving.split_at_mut(i);
            let own = &mut rest[0];
            let [mut w, mut x, mut y] = match done.get(link.parent) {
                None => [0.0, link.held[0], link.held[1]],
                Some(p) => {
                    let [w, x, y] = p.A;
                    [w, x - w * own.r[1] + own.c[0], y + w * own.r[0] + own.c[1]]
                }
            };
            if let Some((per, _)) = link.hinge {
                let pivot = &self.pivots[link.axes.0];
                let U = &pivot.U;
                let a = pivot.D_inv * (pivot.u - (U[0] * w + U[1] * x + U[2] * y));
                vdot[link.v] = a;
                own.A = [w + per * a, x, y];
                continue;
            }
            for k in 0..link.axes.1 {
                let j = link.axes.0 + k;
                let pivot = &self.pivots[j];
                let U = &pivot.U;
                let a = pivot.D_inv * (pivot.u - (U[0] * w + U[1] * x + U[2] * y));
                vdot[link.v + k] = a;
                match self.axes[j].kind {
                    AxisKind::Turn(per) => w += per * a,
                    AxisKind::Shift(_) => {
                        x += pivot.axis[0] * a;
                        y += pivot.axis[1] * a;
                    }
                }
            }
            own.A = [w, x, y];
        }
    }
}

impl Moving {
    /// Inertia and force of the rigid body alone, (2).
    #[inline(always)]
    fn weigh(&mut self, link: &PlanarLink) {
        let h = turned(&self.turn, &link.h);
        self.I_A = Inertia3 { J: link.J, H: [-h[1], h[0]], xx: link.mass, xy: 0.0, yy: link.mass };
        self.scale = link.J;
        let ww = -self.w * self.w;
        self.p = [0.0, ww * h[0], ww * h[1]];
    }

    /// Hand over what is left of inertia and force, (3).
    #[inline(always)]
    fn take(&mut self, own: &Moving, I: &Inertia3, p: &[f64; 3]) {
        let (c, r) = (&own.c, &own.r);
        let f = [p[1] + I.xx * c[0] + I.xy * c[1], p[2] + I.xy * c[0] + I.yy * c[1]];
        let n = p[0] + I.H[0] * c[0] + I.H[1] * c[1];
        self.I_A.add_seen_from(I, r);
        self.scale += I.J.abs() + (I.xx + I.yy) * (r[0] * r[0] + r[1] * r[1]);
        self.p[0] += n + r[0] * f[1] - r[1] * f[0];
        self.p[1] += f[0];
        self.p[2] += f[1];
    }
}

impl Inertia3 {
    /// The wrench of a shift.
    #[inline(always)]
    fn shifting(&self, a: &[f64; 2]) -> [f64; 3] {
        [
            self.H[0] * a[0] + self.H[1] * a[1],
            self.xx * a[0] + self.xy * a[1],
            self.xy * a[0] + self.yy * a[1],
        ]
    }

    /// Subtract s U Uᵀ.
    #[inline(always)]
    fn downdate(&mut self, s: f64, U: &[f64; 3]) {
        let [n, x, y] = [s * U[0], s * U[1], s * U[2]];
        self.J -= n * U[0];
        self.H[0] -= n * U[1];
        self.H[1] -= n * U[2];
        self.xx -= x * U[1];
        self.xy -= x * U[2];
        self.yy -= y * U[2];
    }

    /// Add an inertia whose reference point is seen at `r`, equation (3).
    #[inline(always)]
    fn add_seen_from(&mut self, o: &Self, r: &[f64; 2]) {
        let H = [o.H[0] - o.xx * r[1] + o.xy * r[0], o.H[1] - o.xy * r[1] + o.yy * r[0]];
        self.J += o.J - r[1] * (o.H[0] + H[0]) + r[0] * (o.H[1] + H[1]);
        self.H[0] += H[0];
        self.H[1] += H[1];
        self.xx += o.xx;
        self.xy += o.xy;
        self.yy += o.yy;
    }
}

/// A vector turned by the angle of that cosine and sine.
#[inline(always)]
fn turned([c, s]: &[f64; 2], a: &[f64; 2]) -> [f64; 2] {
    [c * a[0] - s * a[1], s * a[0] + c * a[1]]
}
