//! Two spheres; two disks in the plane are the same.
//!
//! # Law
//! ```text
//! d = c_B − c_A,  ℓ = |d|,  n = d/ℓ,  g = ℓ − r_A − r_B                        (1)
//! ṅ = (ḋ − n(n·ḋ))/ℓ                                                          (2)
//! p_A = c_A + r_A n,  p_B = c_B − r_B n                                        (3)
//! ρ_A = r_A(ṅ − ω_A × n),  ρ_B = −r_B(ṅ − ω_B × n)                             (4)
//! ```
//! (4) is how fast the contact point wanders over each sphere. The tangents follow the normal as in
//! `tangents.rs`. A radius of zero is a point.
//!
//! # Limits
//! ℓ ≤ [`CONCENTRIC`] (r_A + r_B): [`Status::Concentric`], with a normal of no meaning and ṅ = 0.
//!
//! # Tests
//! `tests/gap_derivatives.rs`: `eq1_rate`, `eq3_eq4_accelerations`, `sphere_rolling_on_a_sphere`,
//! `concentric_spheres`.

use super::gap::{Approach, Gap, Geometry, Status};
use super::motion::BodyMotion;
use super::tangents::{tangent_rates, tangents};
use nalgebra::Vector3;

/// Distance of the centres, as a share of the sum of the radii, below which there is no normal.
pub const CONCENTRIC: f64 = crate::numeric::thresholds::geometry::CONCENTRIC;

/// A sphere fixed to a body, seen from the body's reference point.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Sphere {
    /// Centre in body axes, m.
    pub center: Vector3<f64>,
    /// Radius, m, ≥ 0.
    pub radius: f64,
}

/// Two spheres, and whether they move in the x–y plane.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct SpherePair {
    /// The sphere the normal points away from.
    pub a: Sphere,
    /// The sphere the normal points to.
    pub b: Sphere,
    /// Whether the first tangent is to lie in the x–y plane.
    pub planar: bool,
}

/// Centres, distance and normal of equation (1).
struct Line {
    centers: [Vector3<f64>; 2],
    distance: f64,
    normal: Vector3<f64>,
    status: Status,
}

impl SpherePair {
    fn line(&self, a: &BodyMotion, b: &BodyMotion) -> Line {
        let centers = [a.place(&self.a.center), b.place(&self.b.center)];
        let d = centers[1] - centers[0];
        let distance = d.norm();
        if distance <= CONCENTRIC * (self.a.radius + self.b.radius) {
            let normal = if self.planar { Vector3::x() } else { Vector3::z() };
            return Line { centers, distance, normal, status: Status::Concentric };
        }
        Line { centers, distance, normal: d / distance, status: Status::Regular }
    }

    /// Gap and its rate.
    pub fn approach(&self, a: &BodyMotion, b: &BodyMotion) -> Approach {
        let line = self.line(a, b);
        let closing = b.velocity(&line.centers[1]) - a.velocity(&line.centers[0]);
        Approach {
            gap: line.distance - self.a.radius - self.b.radius,
            rate: line.normal.dot(&closing),
        }
    }

    /// Gap, contact points, velocities and biases.
    pub fn gap(&self, a: &BodyMotion, b: &BodyMotion) -> Gap {
        let Line { centers, distance, normal, status } = self.line(a, b);
        let closing = b.velocity(&centers[1]) - a.velocity(&centers[0]);
        let normal_rate = match status {
            Status::Regular => (closing - normal * normal.dot(&closing)) / distance,
            _ => Vector3::zeros(),
        };
        let geometry = Geometry {
            gap: distance - self.a.radius - self.b.radius,
            normal,
            normal_rate,
            tangents: tangents(&normal, self.planar),
            tangent_rates: tangent_rates(&normal, &normal_rate, self.planar),
            point_a: centers[0] + self.a.radius * normal,
            point_b: centers[1] - self.b.radius * normal,
            status,
        };
        let u = geometry.relative_velocity(a, b);
        let rho_a = self.a.radius * (normal_rate - a.w.cross(&normal));
        let rho_b = -self.b.radius * (normal_rate - b.w.cross(&normal));
        geometry.finish(a, b, u, [rho_a, rho_b])
    }
}
