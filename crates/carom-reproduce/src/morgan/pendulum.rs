//! The double pendulum of section 2.1 at a collision of its tip.
//!
//! ```text
//! J = (−s₁ − s₁₂, −s₁₂; c₁ + c₁₂, c₁₂) r                                (1)
//! M = (c₂ + 5/3, c₂/2 + 1/3; c₂/2 + 1/3, 1/3) m r²                       (2)
//! ```
//! q1 from the horizontal, counter-clockwise, q2 relative. The first row of J is the tangent, the second the normal.
//! Tests: `tests/morgan.rs`: `pendulum_of_section_2_1`.

use carom::impact::{ImpactContact, ImpactProblem};
use nalgebra::{DMatrix, DVector, Matrix2, Vector2};

use crate::error::Trouble;

/// Mass of a bar, kg, and its length, m.
const MASS: f64 = 1.0;
const LENGTH: f64 = 1.0;

/// A collision of the pendulum.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Collision {
    /// Angles, rad.
    pub q: [f64; 2],
    /// Angular velocities before, rad/s.
    pub v: [f64; 2],
    /// Friction, static and dynamic.
    pub mu: f64,
    /// Energetic coefficient of restitution.
    pub e: f64,
}

impl Collision {
    /// Equation (1).
    pub fn jacobian(&self) -> Matrix2<f64> {
        let (s1, c1) = self.q[0].sin_cos();
        let (s12, c12) = (self.q[0] + self.q[1]).sin_cos();
        Matrix2::new(-s1 - s12, -s12, c1 + c12, c12) * LENGTH
    }

    /// Equation (2).
    pub fn mass_matrix(&self) -> Matrix2<f64> {
        let c2 = self.q[1].cos();
        let off = c2 / 2.0 + 1.0 / 3.0;
        Matrix2::new(c2 + 5.0 / 3.0, off, off, 1.0 / 3.0) * MASS * LENGTH * LENGTH
    }

    /// Tangential and normal velocity of the tip before.
    pub fn contact_velocity(&self) -> Vector2<f64> {
        self.jacobian() * Vector2::from(self.v)
    }

    /// The impact problem.
    pub fn problem(&self) -> Result<ImpactProblem, Trouble> {
        let J = self.jacobian();
        let contact = ImpactContact {
            name: "tip".into(),
            tangents: DMatrix::from_row_slice(1, 2, &[J[(0, 0)], J[(0, 1)]]),
            normal: DVector::from_row_slice(&[J[(1, 0)], J[(1, 1)]]),
            friction: self.mu,
            static_friction: self.mu,
            restitution: self.e,
            touching: true,
        };
        let M = self.mass_matrix();
        let M = DMatrix::from_fn(2, 2, |i, j| M[(i, j)]);
        Ok(ImpactProblem::new(M, DVector::from_row_slice(&self.v), vec![contact])?)
    }
}
