//! Gap, relative velocity and their rates at one site.
//!
//! # Law
//! With x the geometric contact point on the second body, r = x − c from its centre c, n the
//! outward normal of the plane on the first body (spheres: the line of centres):
//! ```text
//! u = v_B(x) − v_A(x),   ġ = n·u                                                  (1)
//! u̇ = a_B(c) − a_A(c) − ω_A × (v_B(c) − v_A(c)) + (α_B − α_A) × r + (ω_B − ω_A) × ṙ   (2)
//! d(e·u)/dt = (ω_A × e)·u + e·u̇   for e = t₁, t₂, n carried by body A              (3)
//! ellipsoid: r = −E n/h, h = √(nᵀE n), E = R diag(a²) Rᵀ, Δω = ω_A − ω_B            (4)
//!            ṙ = ω_B × r − (E(Δω × n) + r h s)/h,  s = −r·(Δω × n)/h
//! spheres:   u = Δv − (ρ_B ω_B + ρ_A ω_A) × n,  ṅ = (Δv − n n·Δv)/|d|               (5)
//! ```
//! γ is what (3) leaves when all coordinate accelerations vanish, so that the acceleration of row e
//! is J_e v̇ + γ. Points have r = 0; disks and ellipses are ellipsoids with a zero semi-axis.
//!
//! # Limits
//! A disk that lies flat (h = 0 with a radius) and concentric spheres have no normal contact point;
//! `degenerate` says so.
//!
//! # Tests
//! `tests/site_rates.rs`: `eq1_gap_rate`, `eq3_row_accelerations`.

use super::delassus::{Instant, RowBlock};
use super::site::{Primitive, Site, SiteGeometry};
use crate::dynamics::Kinematics;
use crate::dynamics::jacobian::VelocityProducts;
use crate::dynamics::response::ResponseScratch;
use crate::model::{BodyId, Model};
use crate::spatial::{Motion, Pose, Symmetric3};
use nalgebra::{Matrix3, Vector3};

/// What is known of a site at one instant.
#[derive(Debug, Clone, Copy)]
pub struct SiteState {
    /// Gap, m (rad at a revolute limit), > 0 apart.
    pub gap: f64,
    /// t₁, t₂ and n in the world.
    pub axes: [Vector3<f64>; 3],
    /// Contact point in the world.
    pub x: Vector3<f64>,
    /// Relative velocity along the axes, m/s.
    pub u: [f64; 3],
    /// Accelerations along the axes at v̇ = 0, m/s².
    pub gamma: [f64; 3],
    /// Whether the contact point is not defined.
    pub degenerate: bool,
}

impl Default for SiteState {
    fn default() -> Self {
        Self {
            gap: f64::INFINITY,
            axes: [Vector3::x(), Vector3::y(), Vector3::z()],
            x: Vector3::zeros(),
            u: [0.0; 3],
            gamma: [0.0; 3],
            degenerate: false,
        }
    }
}

impl SiteState {
    /// Append the rows of this site: its tangents, then the normal.
    pub fn push_rows(
        &self,
        site: &Site,
        at: &Instant<'_>,
        scratch: &mut ResponseScratch,
        block: &mut RowBlock,
    ) {
        if let SiteGeometry::Limit { dof, side, .. } = site.geometry {
            let ratio = at.model.coordinates()[dof].ratio;
            block.push_combination(at, scratch, &[(dof, side * ratio)]);
            return;
        }
        let bodies = site.bodies();
        for k in (0..site.tangents).chain([2]) {
            block.push_direction(at, bodies, &self.x, &self.axes[k]);
        }
    }
}

/// A body's motion at a point: pose-free, velocities and accelerations at v̇ = 0.
struct Carrier<'a> {
    model: &'a Model,
    kin: &'a Kinematics,
    products: &'a VelocityProducts,
    body: Option<BodyId>,
}

impl Carrier<'_> {
    fn pose(&self) -> Pose {
        self.body.map_or_else(Pose::identity, |b| self.kin.pose(self.model, b))
    }

    fn twist(&self, x: &Vector3<f64>) -> Motion {
        self.body.map_or_else(Motion::zero, |b| self.kin.twist_at(self.model, b, x))
    }

    fn bias(&self, x: &Vector3<f64>) -> Motion {
        self.body.map_or_else(Motion::zero, |b| self.products.at(self.model, self.kin, b, x))
    }
}

/// The state of `site` for the posture, twists and velocity products given.
pub fn site_state(
    model: &Model,
    site: &Site,
    (kin, products): (&Kinematics, &VelocityProducts),
    (q, v): (&[f64], &[f64]),
) -> SiteState {
    let carrier = |body| Carrier { model, kin, products, body };
    match &site.geometry {
        SiteGeometry::Limit { dof, q: place, side, bound } => {
            let c = &model.coordinates()[*dof];
            let gap = side * (c.ratio * q[*place] + c.offset - bound);
            let u = [0.0, 0.0, side * c.ratio * v[*dof]];
            SiteState { gap, u, ..SiteState::default() }
        }
        SiteGeometry::OnPlane { plane_body, point, normal, shape } => {
            on_plane(&carrier(*plane_body), (point, normal), &carrier(shape.body), shape)
        }
        SiteGeometry::Spheres { a, b } => spheres(&carrier(a.body), a, &carrier(b.body), b),
    }
}

/// Two tangents to a normal: t₁ lies in the x–y plane where that is possible.
fn tangents(n: &Vector3<f64>) -> [Vector3<f64>; 2] {
    let across = if n.z.abs() < 0.9 { n.cross(&Vector3::z()) } else { Vector3::y().cross(n) };
    let t1 = across.normalize();
    [t1, n.cross(&t1)]
}

/// Equations (1) to (4).
fn on_plane(
    a: &Carrier<'_>,
    (point, normal): (&Vector3<f64>, &Vector3<f64>),
    b: &Carrier<'_>,
    shape: &Primitive,
) -> SiteState {
    let (X_A, X_B) = (a.pose(), b.pose().then(&shape.placement));
    let n = X_A.direction(normal);
    let c = X_B.r;
    let [ax, ay, az] = shape.semi_axes;
    let round = ax > 0.0 || ay > 0.0 || az > 0.0;
    let (V_B, A_B) = (b.twist(&c), b.bias(&c));
    let (V_A, A_A) = (a.twist(&c), a.bias(&c));
    let (mut r, mut rdot, mut h) = (Vector3::zeros(), Vector3::zeros(), 0.0);
    if round {
        let squares = Matrix3::from_diagonal(&Vector3::new(ax * ax, ay * ay, az * az));
        let E = Symmetric3::from_matrix(&squares).rotated(&X_B.R);
        let En = E.times(&n);
        h = n.dot(&En).sqrt();
        if h > 0.0 {
            r = -En / h;
            let turn = (V_A.w - V_B.w).cross(&n);
            let hdot = -r.dot(&turn);
            rdot = V_B.w.cross(&r) - (E.times(&turn) + r * hdot) / h;
        }
    }
    let x = c + r;
    let dw = V_B.w - V_A.w;
    let dv = V_B.v - V_A.v;
    let u = dv + dw.cross(&r);
    let udot =
        A_B.v - A_A.v - V_A.w.cross(&dv) + (A_B.w - A_A.w).cross(&r) + dw.cross(&rdot);
    // The tangents are carried by the plane.
    let [t1, t2] = tangents(normal).map(|t| X_A.direction(&t));
    let axes = [t1, t2, n];
    SiteState {
        gap: n.dot(&(c - X_A.point(point))) - h,
        axes,
        x,
        u: axes.map(|e| e.dot(&u)),
        gamma: axes.map(|e| V_A.w.cross(&e).dot(&u) + e.dot(&udot)),
        degenerate: round && h <= 1e-12 * ax.max(ay).max(az),
    }
}

/// Equations (1), (3) and (5); the axes turn with the line of centres.
fn spheres(a: &Carrier<'_>, sa: &Primitive, b: &Carrier<'_>, sb: &Primitive) -> SiteState {
    let (ca, cb) = (a.pose().point(&sa.placement.r), b.pose().point(&sb.placement.r));
    let (ra, rb) = (sa.semi_axes[0], sb.semi_axes[0]);
    let d = cb - ca;
    let distance = d.norm();
    if distance == 0.0 {
        return SiteState { gap: -(ra + rb), degenerate: true, ..SiteState::default() };
    }
    let n = d / distance;
    let (V_A, V_B) = (a.twist(&ca), b.twist(&cb));
    let (A_A, A_B) = (a.bias(&ca), b.bias(&cb));
    let dv = V_B.v - V_A.v;
    let ndot = (dv - n * n.dot(&dv)) / distance;
    let spin = V_B.w * rb + V_A.w * ra;
    let u = dv - spin.cross(&n);
    let udot = A_B.v - A_A.v - (A_B.w * rb + A_A.w * ra).cross(&n) - spin.cross(&ndot);
    let turn = n.cross(&ndot);
    let [t1, t2] = tangents(&n);
    let axes = [t1, t2, n];
    SiteState {
        gap: distance - ra - rb,
        axes,
        x: ca + n * (ra + 0.5 * (distance - ra - rb)),
        u: axes.map(|e| e.dot(&u)),
        gamma: axes.map(|e| turn.cross(&e).dot(&u) + e.dot(&udot)),
        degenerate: false,
    }
}
