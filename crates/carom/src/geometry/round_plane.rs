//! A point, sphere or ellipsoid above a half-space.
//!
//! # Law
//! The shape B has centre c and semi-axes D = diag(a₁, a₂, a₃), any of them zero, along the columns
//! of Q. With N = Qᵀn, the normal in the axes of the shape,
//! ```text
//! h = |D N|,   s = −Q D²N / h,   p_B = c + s,   g = n·(c − x_A) − h           (1)
//! ṅ = ω_A × n,   Ṅ = Qᵀ((ω_A − ω_B) × n)                                      (2)
//! ρ_B = −Q (D²Ṅ − D²N (DN·DṄ)/h²)/h                                           (3)
//! p_A = p_B − g n,   ρ_A = uₜ + ρ_B − g ṅ                                     (4)
//! ```
//! h is the support function, s minimises n·x over the ellipsoid. (3) is the derivative of s in the
//! axes of the shape: how fast the contact point rolls over it. (4): p_A is the foot of p_B, so
//! ṗ_A = ṗ_B − ġn − gṅ. For a point s = ρ_B = 0; for a sphere s = −r n and ρ_B = −r(ω_A − ω_B) × n
//! without any rotation matrix.
//!
//! # Limits
//! h → 0 when a disk lies flat or a needle along the plane; below [`FLAT`] of the largest semi-axis
//! [`Status::Flat`] is reported and ρ_B = 0, because the contact is a face or a line there. The rate
//! of the gap is then the one-sided ġ = n·(ċ − v_A) − |DṄ|.
//!
//! # Tests
//! `tests/gap_derivatives.rs`: `eq1_support`, `eq1_rate`, `eq3_eq4_accelerations`,
//! `rolling_ellipse`, `rolling_sphere_on_a_turntable`, `flat_disk`.

use super::gap::{Approach, Gap, Geometry, Status};
use super::half_space::HalfSpace;
use super::motion::BodyMotion;
use nalgebra::{Matrix3, Vector3};

/// h below this share of the largest semi-axis counts as lying flat (angle in rad for a disk).
/// Useful from 1e-12 to 1e-6: curvature terms grow as 1/h.
pub const FLAT: f64 = crate::numeric::thresholds::geometry::FLAT;

/// A round shape, or a point, fixed to a body; seen from the body's reference point.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Round {
    /// A material point.
    Point {
        /// Where, in body axes, m.
        center: Vector3<f64>,
    },
    /// A ball.
    Sphere {
        /// Centre in body axes, m.
        center: Vector3<f64>,
        /// Radius, m.
        radius: f64,
    },
    /// An ellipsoid, a disk (r, r, 0), an ellipse (a, b, 0) or a needle (a, 0, 0).
    Ellipsoid {
        /// Centre in body axes, m.
        center: Vector3<f64>,
        /// Axes of the shape in body axes, one per column.
        axes: Matrix3<f64>,
        /// Semi-axes, m, each ≥ 0.
        semi_axes: Vector3<f64>,
    },
}

impl Round {
    /// The simplest form of an ellipsoid with these semi-axes.
    pub fn new(center: Vector3<f64>, axes: Matrix3<f64>, semi_axes: Vector3<f64>) -> Self {
        let [a, b, c] = semi_axes.into();
        match (a == b && b == c, a == 0.0) {
            (true, true) => Self::Point { center },
            (true, false) => Self::Sphere { center, radius: a },
            _ => Self::Ellipsoid { center, axes, semi_axes },
        }
    }

    /// Its largest radius, m.
    pub fn size(&self) -> f64 {
        match self {
            Self::Point { .. } => 0.0,
            Self::Sphere { radius, .. } => *radius,
            Self::Ellipsoid { semi_axes, .. } => semi_axes.amax(),
        }
    }

    /// Its centre in body axes, m.
    pub fn center(&self) -> &Vector3<f64> {
        match self {
            Self::Point { center }
            | Self::Sphere { center, .. }
            | Self::Ellipsoid { center, .. } => center,
        }
    }

    /// The lowest point as seen along `n` and how it wanders when the normal turns at `w` relative
    /// to the body.
    fn support(&self, R: &Matrix3<f64>, n: &Vector3<f64>, w: &Vector3<f64>) -> Support {
        match self {
            Self::Point { .. } => Support::default(),
            Self::Sphere { radius, .. } => Support {
                height: *radius,
                height_rate: 0.0,
                offset: -radius * n,
                wander: -*radius * w.cross(n),
                status: Status::Regular,
            },
            Self::Ellipsoid { axes, semi_axes, .. } => {
                ellipsoid_support(&(R * axes), semi_axes, n, w)
            }
        }
    }
}

/// h, ḣ, s and ρ of equations (1) and (3).
#[derive(Default)]
struct Support {
    height: f64,
    height_rate: f64,
    offset: Vector3<f64>,
    wander: Vector3<f64>,
    status: Status,
}

fn ellipsoid_support(
    Q: &Matrix3<f64>,
    semi: &Vector3<f64>,
    n: &Vector3<f64>,
    w: &Vector3<f64>,
) -> Support {
    // DN and DṄ.
    let dn = Q.tr_mul(n).component_mul(semi);
    let dn_rate = Q.tr_mul(&w.cross(n)).component_mul(semi);
    let h = dn.norm();
    if h <= FLAT * semi.amax() {
        return Support {
            height: h,
            height_rate: dn_rate.norm(),
            status: Status::Flat,
            ..Support::default()
        };
    }
    // The direction DN/h and its derivative, which is across it.
    let m = dn / h;
    let turn = dn_rate - m * m.dot(&dn_rate);
    Support {
        height: h,
        height_rate: m.dot(&dn_rate),
        offset: -(Q * m.component_mul(semi)),
        wander: -(Q * turn.component_mul(semi)) / h,
        status: Status::Regular,
    }
}

/// Gap and its rate between the half-space on `a` and the shape on `b`.
pub fn approach_plane(
    plane: &HalfSpace,
    a: &BodyMotion,
    round: &Round,
    b: &BodyMotion,
) -> Approach {
    let now = plane.in_world_normal(a);
    let c = b.place(round.center());
    let support = round.support(&b.R, &now.normal, &(a.w - b.w));
    // ġ = n·(ċ − v_A(c)) − ḣ, both velocities at the centre.
    let closing = now.normal.dot(&(b.velocity(&c) - a.velocity(&c)));
    Approach { gap: now.height(&c) - support.height, rate: closing - support.height_rate }
}

/// Gap, contact points, velocities and biases between the half-space on `a` and the shape on `b`.
pub fn gap_to_plane(plane: &HalfSpace, a: &BodyMotion, round: &Round, b: &BodyMotion) -> Gap {
    let now = plane.in_world(a);
    let c = b.place(round.center());
    let support = round.support(&b.R, &now.normal, &(a.w - b.w));
    let gap = now.height(&c) - support.height;
    let point_b = c + support.offset;
    let geometry = Geometry {
        gap,
        normal: now.normal,
        normal_rate: a.w.cross(&now.normal),
        tangents: now.tangents,
        tangent_rates: now.tangents.map(|t| a.w.cross(&t)),
        point_a: point_b - gap * now.normal,
        point_b,
        status: support.status,
    };
    let u = geometry.relative_velocity(a, b);
    let u_t = u - now.normal * now.normal.dot(&u);
    let rho_a = u_t + support.wander - gap * geometry.normal_rate;
    geometry.finish(a, b, u, [rho_a, support.wander])
}
