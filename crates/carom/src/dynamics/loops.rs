//! The equations of loops: residual, Jacobian row and velocity product of each.
//!
//! # Law
//! Frame A at p_A with axes x_A, y_A, z_A is fixed to body a, frame B to body b; ω, p̈° and ω̇° are those of the
//! bodies at v̇ = 0 of [`jacobian`](super::jacobian).
//! ```text
//! point      φ = e·(p_B − p_A),          φ̇ = e·(ṗ_B − ṗ_A),   e = x, y, z of the world              (1)
//!            γ = e·(p̈°_B − p̈°_A)
//! axes       φ = u_A·w_B,                φ̇ = d·(ω_B − ω_A),    d = w_B × u_A                        (2)
//!            γ = d·(ω̇°_B − ω̇°_A) + ḋ·(ω_B − ω_A),  ḋ = (ω_B × w_B) × u_A + w_B × (ω_A × u_A)
//! distance   φ = |r| − ℓ, r = p_B − p_A, φ̇ = n·ṙ,             n = r/|r|                            (3)
//!            γ = n·(p̈°_B − p̈°_A) + (|ṙ|² − (n·ṙ)²)/|r|
//! ```
//! so that φ̈ = J v̇ + γ in all of them. (2) is taken for (u, w) = (x, z), (y, z) by a hinge, and for (x, y),
//! (y, z), (z, x) by a weld. Where everything moves in the plane the equations that hold by themselves are left
//! out: z of (1), and (2) but for (x, y).
//!
//! # Limits
//! (2) holds for axes that point against each other as well; whoever closes a loop looks at
//! [`LoopRows::reversed`].
//!
//! # Tests
//! `tests/loops/rows.rs`: `eq1_to_eq3_rows_from_differences`.

use super::Kinematics;
use super::jacobian::{VelocityProducts, add_point_row, add_turn_row};
use crate::model::{Anchor, BodyId, Loop, LoopKind, Model};
use crate::spatial::{Force, Motion, Pose};
use nalgebra::Vector3;

/// What the row of a loop measures.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Measure {
    /// A velocity along a direction, between the points of the two bodies.
    Shift {
        /// Direction in the world.
        d: Vector3<f64>,
        /// The points in the world.
        x: [Vector3<f64>; 2],
    },
    /// An angular velocity along a direction.
    Turn {
        /// Direction in the world.
        d: Vector3<f64>,
    },
}

impl Measure {
    /// Where the force of a unit multiplier acts on one side, and that force; `sign` is −1 on the first body.
    pub fn wrench(&self, side: usize, sign: f64) -> (Vector3<f64>, Force) {
        match self {
            Self::Shift { d, x } => (x[side], Force::new(Vector3::zeros(), d * sign)),
            Self::Turn { d } => (Vector3::zeros(), Force::new(d * sign, Vector3::zeros())),
        }
    }
}

/// One equation of a loop at one instant.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct LoopRow {
    /// The bodies; `None` is the world.
    pub bodies: [Option<BodyId>; 2],
    /// What J v is.
    pub measure: Measure,
    /// φ, m or 1.
    pub value: f64,
    /// Size of the numbers that φ is a difference of.
    pub size: f64,
    /// γ, m/s² or 1/s².
    pub gamma: f64,
}

impl LoopRow {
    /// Add J to a row.
    pub fn add_to(&self, model: &Model, kin: &Kinematics, row: &mut [f64]) {
        for (side, sign) in [(0, -1.0), (1, 1.0)] {
            let Some(body) = self.bodies[side] else { continue };
            match &self.measure {
                Measure::Shift { d, x } => {
                    add_point_row(model, kin, (body, &x[side]), d, sign, row);
                }
                Measure::Turn { d } => add_turn_row(model, kin, body, &(d * sign), row),
            }
        }
    }
}

/// A frame of a loop and its motion, in the world.
struct Side {
    X: Pose,
    /// Twist at the origin.
    V: Motion,
    /// Acceleration of the origin at v̇ = 0.
    A: Motion,
    /// Size of the numbers that place the origin, m.
    size: f64,
}

impl Side {
    fn of(model: &Model, (kin, products): (&Kinematics, &VelocityProducts), on: &Anchor) -> Self {
        let Some(body) = on.body else {
            let (X, still) = (on.placement, Motion::zero());
            return Self { X, V: still, A: still, size: X.r.amax() };
        };
        let pose = kin.pose(model, body);
        let X = pose.then(&on.placement);
        let V = kin.twist_at(model, body, &X.r);
        let size = pose.r.amax() + on.placement.r.amax();
        Self { V, A: products.at(model, kin, body, &X.r), X, size }
    }

    fn axis(&self, k: usize) -> Vector3<f64> {
        self.X.R.column(k).into_owned()
    }
}

/// The equations of a loop at one instant.
pub struct LoopRows {
    one: LoopKind,
    bodies: [Option<BodyId>; 2],
    a: Side,
    b: Side,
}

impl LoopRows {
    /// Of a loop, for poses, twists and velocity products.
    pub fn new(model: &Model, known: (&Kinematics, &VelocityProducts), one: &Loop) -> Self {
        let (a, b) = (Side::of(model, known, &one.a), Side::of(model, known, &one.b));
        Self { one: one.kind, bodies: one.bodies(), a, b }
    }

    /// How many equations a loop has.
    pub fn count(kind: &LoopKind, planar: bool) -> usize {
        match (kind, planar) {
            (LoopKind::Point, false) | (LoopKind::Weld, true) => 3,
            (LoopKind::Point | LoopKind::Hinge, true) => 2,
            (LoopKind::Hinge, false) => 5,
            (LoopKind::Weld, false) => 6,
            (LoopKind::Distance { .. }, _) => 1,
        }
    }

    /// Tell of every equation; in the plane, of those that do not hold by themselves.
    pub fn visit(&self, planar: bool, mut tell: impl FnMut(LoopRow)) {
        if let LoopKind::Distance { length } = self.one {
            tell(self.distance(length));
            return;
        }
        let axes = [Vector3::x(), Vector3::y(), Vector3::z()];
        for e in &axes[..if planar { 2 } else { 3 }] {
            tell(self.point(e));
        }
        let pairs: &[(usize, usize)] = match (self.one, planar) {
            (LoopKind::Hinge, false) => &[(0, 2), (1, 2)],
            (LoopKind::Weld, false) => &[(0, 1), (1, 2), (2, 0)],
            (LoopKind::Weld, true) => &[(0, 1)],
            _ => &[],
        };
        for &(u, w) in pairs {
            tell(self.axes(u, w));
        }
    }

    /// Whether axes that should coincide point against each other.
    pub fn reversed(&self) -> bool {
        match self.one {
            LoopKind::Hinge => self.a.axis(2).dot(&self.b.axis(2)) < 0.0,
            LoopKind::Weld => (0..3).any(|k| self.a.axis(k).dot(&self.b.axis(k)) < 0.0),
            _ => false,
        }
    }

    /// Equation (1).
    fn point(&self, e: &Vector3<f64>) -> LoopRow {
        let (a, b) = (&self.a, &self.b);
        LoopRow {
            bodies: self.bodies,
            measure: Measure::Shift { d: *e, x: [a.X.r, b.X.r] },
            value: e.dot(&(b.X.r - a.X.r)),
            size: a.size + b.size,
            gamma: e.dot(&(b.A.v - a.A.v)),
        }
    }

    /// Equation (2).
    fn axes(&self, u: usize, w: usize) -> LoopRow {
        let (a, b) = (&self.a, &self.b);
        let (u, w) = (a.axis(u), b.axis(w));
        let d = w.cross(&u);
        let turning = b.V.w.cross(&w).cross(&u) + w.cross(&a.V.w.cross(&u));
        LoopRow {
            bodies: self.bodies,
            measure: Measure::Turn { d },
            value: u.dot(&w),
            size: 1.0,
            gamma: d.dot(&(b.A.w - a.A.w)) + turning.dot(&(b.V.w - a.V.w)),
        }
    }

    /// Equation (3).
    fn distance(&self, length: f64) -> LoopRow {
        let (a, b) = (&self.a, &self.b);
        let (r, rate) = (b.X.r - a.X.r, b.V.v - a.V.v);
        let long = r.norm().max(f64::MIN_POSITIVE);
        let n = r / long;
        let across = rate.norm_squared() - n.dot(&rate).powi(2);
        LoopRow {
            bodies: self.bodies,
            measure: Measure::Shift { d: n, x: [a.X.r, b.X.r] },
            value: r.norm() - length,
            size: a.size + b.size + length,
            gamma: n.dot(&(b.A.v - a.A.v)) + across / long,
        }
    }
}
