//! What is known of two surfaces near each other, and how it changes.
//!
//! # Law
//! p_A and p_B are the geometric contact points, n the normal from A to B, g n = p_B − p_A. With
//! u = v_B(p_B) − v_A(p_A), the velocity of the *material* points that are there now,
//! ```text
//! ġ = n·u                                                                     (1)
//! u̇ = a_B(p_B) + ω_B × ρ_B − a_A(p_A) − ω_A × ρ_A,   ρ = ṗ − v(p)             (2)
//! g̈ = n·u̇ + ṅ·u,      d/dt (tₖ·u) = tₖ·u̇ + ṫₖ·u                            (3)
//! ```
//! (1) holds because the geometric points move along their surfaces relative to the bodies, across
//! n, and n·ṅ = 0. In (2) the contact point wanders over body B at ρ_B (rolling), so u is taken at
//! ever new material points. The accelerations split as a = J v̇ + a⁰; the biases stored here are
//! (3) with a⁰, so that
//! ```text
//! g̈ = Jₙ v̇ + bₙ,   u̇ₜ = Jₜ v̇ + bₜ                                            (4)
//! ```
//! with the point Jacobians of p_A and p_B, curvature and rotating normals included.
//!
//! # Assumptions
//! Rigid, smooth surfaces with one nearest pair of points; see [`Status`].
//!
//! # Tests
//! `tests/gap_derivatives.rs`: `eq1_rate`, `eq3_eq4_accelerations`, and closed forms.

use super::motion::BodyMotion;
use nalgebra::Vector3;

/// Whether the nearest points are well defined.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Status {
    /// One pair of nearest points.
    #[default]
    Regular,
    /// A flat face or an edge lies along the plane: every point of it is nearest. The gap is right;
    /// the points are those of the shape's centre and the biases leave out the curvature.
    Flat,
    /// The centres of two spheres coincide: no normal exists; ẑ (x̂ in the plane) stands in.
    Concentric,
}

/// Gap and approach velocity alone, as guards need them.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Approach {
    /// g, m, positive when apart.
    pub gap: f64,
    /// ġ, m/s, positive when separating.
    pub rate: f64,
}

/// Everything about a pair that contact and impact laws need.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Gap {
    /// g, m, positive when apart.
    pub gap: f64,
    /// n, from A to B.
    pub normal: Vector3<f64>,
    /// ṅ, 1/s.
    pub normal_rate: Vector3<f64>,
    /// t₁, t₂ with t₁ × t₂ = n.
    pub tangents: [Vector3<f64>; 2],
    /// Nearest point of A in the world; uₙ and uₜ are those of A's material point there.
    pub point_a: Vector3<f64>,
    /// Nearest point of B in the world.
    pub point_b: Vector3<f64>,
    /// uₙ = ġ, m/s.
    pub u_n: f64,
    /// uₜ along both tangents, m/s.
    pub u_t: [f64; 2],
    /// bₙ of equation (4), m/s².
    pub bias_n: f64,
    /// bₜ of equation (4), m/s².
    pub bias_t: [f64; 2],
    /// Whether the nearest points are well defined.
    pub status: Status,
}

/// The geometry of a pair at one instant, before velocities enter.
pub(super) struct Geometry {
    pub(super) gap: f64,
    pub(super) normal: Vector3<f64>,
    pub(super) normal_rate: Vector3<f64>,
    pub(super) tangents: [Vector3<f64>; 2],
    pub(super) tangent_rates: [Vector3<f64>; 2],
    pub(super) point_a: Vector3<f64>,
    pub(super) point_b: Vector3<f64>,
    pub(super) status: Status,
}

impl Geometry {
    /// u, the relative velocity of the material points.
    pub(super) fn relative_velocity(&self, a: &BodyMotion, b: &BodyMotion) -> Vector3<f64> {
        b.velocity(&self.point_b) - a.velocity(&self.point_a)
    }

    /// Equations (1)–(4), given u and how the contact points wander over both bodies.
    pub(super) fn finish(
        self,
        a: &BodyMotion,
        b: &BodyMotion,
        u: Vector3<f64>,
        [rho_a, rho_b]: [Vector3<f64>; 2],
    ) -> Gap {
        let udot = b.acceleration(&self.point_b) + b.w.cross(&rho_b)
            - a.acceleration(&self.point_a)
            - a.w.cross(&rho_a);
        let (t, tdot) = (&self.tangents, &self.tangent_rates);
        Gap {
            gap: self.gap,
            normal: self.normal,
            normal_rate: self.normal_rate,
            tangents: self.tangents,
            point_a: self.point_a,
            point_b: self.point_b,
            u_n: self.normal.dot(&u),
            u_t: [t[0].dot(&u), t[1].dot(&u)],
            bias_n: self.normal.dot(&udot) + self.normal_rate.dot(&u),
            bias_t: [t[0].dot(&udot) + tdot[0].dot(&u), t[1].dot(&udot) + tdot[1].dot(&u)],
            status: self.status,
        }
    }
}
