//! Two straight edges, or an edge and a corner, each with its rounding.
//!
//! # Law
//! Edges with unit directions d_A, d_B through x_A, x_B; w from the nearest point P_A of the first line to the
//! nearest point P_B of the second; c = d_A·d_B, D = 1 − c², V = v_B(P_B) − v_A(P_A):
//! ```text
//! n = ±(d_A × d_B)/√D,   g = n·w − r_A − r_B                                          (1)
//! w·d_A = w·d_B = 0:  ṡ = (α − cβ)/D,  ṫ = (cα − β)/D,                               (2)
//!                     α = V·d_A + w·ḋ_A,  β = V·d_B + w·ḋ_B
//! ṅ = ±(ṁ − n(n·ṁ))/√D,   m = d_A × d_B                                             (3)
//! p_A = P_A + r_A n,  ρ_A = ṡ d_A + r_A(ṅ − ω_A × n)                                  (4)
//! p_B = P_B − r_B n,  ρ_B = ṫ d_B − r_B(ṅ − ω_B × n)
//! ```
//! The sign in (1) is chosen once, so that g turns negative when the edges pass through each other. An edge of A
//! and a corner P of B:
//! ```text
//! w = P − P_A,  n = w/|w|,  g = |w| − r_A − r_B,  ṡ = V·d_A + w·ḋ_A                     (5)
//! ṅ = (ẇ − n(n·ẇ))/|w|,  ẇ = V − ṡ d_A;  ρ as in (4) with ṫ = 0
//! ```
//!
//! # Limits
//! (1) to (4) grow like 1/D: lines that are parallel to within [`PARALLEL`] are not used as a pair of edges. (5)
//! needs |w| > 0, so a rounding.
//!
//! # Tests
//! `tests/gap_derivatives.rs`: `eq1_rate`, `eq3_eq4_accelerations`.

use super::gap::{Approach, Gap, Geometry, Status};
use super::motion::BodyMotion;
use super::tangents::{tangent_rates, tangents};
use nalgebra::Vector3;

/// Sine of the angle between two edges below which they count as parallel.
pub const PARALLEL: f64 = crate::numeric::thresholds::geometry::PARALLEL;

/// A straight edge with its rounding, fixed to a body, seen from the body's reference point.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Line {
    /// Its start in body axes, m.
    pub start: Vector3<f64>,
    /// Its unit direction in body axes.
    pub along: Vector3<f64>,
    /// Radius of its rounding, m.
    pub radius: f64,
}

/// Two edges that cross at a distance.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct LinePair {
    /// The edge that the normal points away from.
    pub a: Line,
    /// The edge that the normal points to.
    pub b: Line,
    /// +1 or −1: the sign in equation (1).
    pub side: f64,
}

/// An edge of A and a corner of B.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct LinePoint {
    /// The edge that the normal points away from.
    pub line: Line,
    /// The corner in the axes of its body, m.
    pub point: Vector3<f64>,
    /// Radius of the rounding of the corner, m.
    pub radius: f64,
}

/// Nearest points on two lines and their normal.
struct Crossing {
    d: [Vector3<f64>; 2],
    p: [Vector3<f64>; 2],
    w: Vector3<f64>,
    normal: Vector3<f64>,
    cosine: f64,
    sine: f64,
}

impl LinePair {
    fn crossing(&self, a: &BodyMotion, b: &BodyMotion) -> Crossing {
        let d = [a.R * self.a.along, b.R * self.b.along];
        let x = [a.place(&self.a.start), b.place(&self.b.start)];
        let (cosine, m, r) = (d[0].dot(&d[1]), d[0].cross(&d[1]), x[1] - x[0]);
        let sine = m.norm();
        let D = sine * sine;
        let (ra, rb) = (r.dot(&d[0]), r.dot(&d[1]));
        let (s, t) = ((ra - cosine * rb) / D, (cosine * ra - rb) / D);
        let p = [x[0] + s * d[0], x[1] + t * d[1]];
        Crossing { d, p, w: p[1] - p[0], normal: m * (self.side / sine), cosine, sine }
    }

    /// Gap and its rate.
    pub fn approach(&self, a: &BodyMotion, b: &BodyMotion) -> Approach {
        let c = self.crossing(a, b);
        let gap = c.normal.dot(&c.w) - self.a.radius - self.b.radius;
        // The velocities at the rounded points, as in `gap`.
        let p_a = c.p[0] + self.a.radius * c.normal;
        let p_b = c.p[1] - self.b.radius * c.normal;
        Approach { gap, rate: c.normal.dot(&(b.velocity(&p_b) - a.velocity(&p_a))) }
    }

    /// Gap, contact points, velocities and biases.
    pub fn gap(&self, a: &BodyMotion, b: &BodyMotion) -> Gap {
        let c = self.crossing(a, b);
        let ddot = [a.w.cross(&c.d[0]), b.w.cross(&c.d[1])];
        let V = b.velocity(&c.p[1]) - a.velocity(&c.p[0]);
        let (alpha, beta) =
            (V.dot(&c.d[0]) + c.w.dot(&ddot[0]), V.dot(&c.d[1]) + c.w.dot(&ddot[1]));
        let D = c.sine * c.sine;
        let (sdot, tdot) = ((alpha - c.cosine * beta) / D, (c.cosine * alpha - beta) / D);
        let mdot = ddot[0].cross(&c.d[1]) + c.d[0].cross(&ddot[1]);
        let ndot = (mdot - c.normal * c.normal.dot(&mdot)) * (self.side / c.sine);
        let wander = [sdot * c.d[0], tdot * c.d[1]];
        let height = c.normal.dot(&c.w);
        round_off(c.p, (c.normal, ndot), height, [self.a.radius, self.b.radius], wander, a, b)
    }
}

impl LinePoint {
    fn foot(&self, a: &BodyMotion, b: &BodyMotion) -> (Vector3<f64>, [Vector3<f64>; 2]) {
        let d = a.R * self.line.along;
        let (x, p) = (a.place(&self.line.start), b.place(&self.point));
        (d, [x + d * d.dot(&(p - x)), p])
    }

    /// Gap and its rate.
    pub fn approach(&self, a: &BodyMotion, b: &BodyMotion) -> Approach {
        let (_, [foot, p]) = self.foot(a, b);
        let (w, radii) = (p - foot, self.line.radius + self.radius);
        let size = w.norm();
        let V = b.velocity(&p) - a.velocity(&foot);
        Approach { gap: size - radii, rate: w.dot(&V) / size }
    }

    /// Gap, contact points, velocities and biases.
    pub fn gap(&self, a: &BodyMotion, b: &BodyMotion) -> Gap {
        let (d, p) = self.foot(a, b);
        let w = p[1] - p[0];
        let size = w.norm();
        let normal = w / size;
        let V = b.velocity(&p[1]) - a.velocity(&p[0]);
        let sdot = V.dot(&d) + w.dot(&a.w.cross(&d));
        let wdot = V - sdot * d;
        let ndot = (wdot - normal * normal.dot(&wdot)) / size;
        let wander = [sdot * d, Vector3::zeros()];
        round_off(p, (normal, ndot), size, [self.line.radius, self.radius], wander, a, b)
    }
}

/// Equation (4) and what follows from it.
fn round_off(
    p: [Vector3<f64>; 2],
    (normal, normal_rate): (Vector3<f64>, Vector3<f64>),
    height: f64,
    [ra, rb]: [f64; 2],
    wander: [Vector3<f64>; 2],
    a: &BodyMotion,
    b: &BodyMotion,
) -> Gap {
    let geometry = Geometry {
        gap: height - ra - rb,
        normal,
        normal_rate,
        tangents: tangents(&normal, false),
        tangent_rates: tangent_rates(&normal, &normal_rate, false),
        point_a: p[0] + ra * normal,
        point_b: p[1] - rb * normal,
        status: Status::Regular,
    };
    let u = geometry.relative_velocity(a, b);
    let rho_a = wander[0] + ra * (normal_rate - a.w.cross(&normal));
    let rho_b = wander[1] - rb * (normal_rate - b.w.cross(&normal));
    geometry.finish(a, b, u, [rho_a, rho_b])
}
