//! The three-link chain of Hurmuzlu & Marghitu 1994, section 4: a problem of two contacts with known qualitative answers.
//!
//! # Law
//! Links of length L, mass m, inertia mL²/12; φ from the vertical, counter-clockwise, d(φ) = (−sin φ, cos φ). From the
//! touching end A0 the joints follow as A0 + L d(φ1), + L d(φ2), and the colliding end
//! ```text
//! A_c = A0 + L (d(φ1) + d(φ2) + d(φ3))                                     (1)
//! M = Σ_i m J_iᵀJ_i + (mL²/12) e_i e_iᵀ                                    (2)
//! ```
//! J_i is the Jacobian of the centre of link i with respect to (φ1, φ2, φ3, x0, y0), e_i its angle. Tangents point
//! along +x, normals along +y; both surfaces are horizontal.
//!
//! # Source
//! Hurmuzlu & Marghitu 1994, section 4 and figure 2. Posture φ2 = π/2, φ3 = π + φ1, so that both ends are at one height;
//! the printed φ3 = π − φ1 cannot be what was computed (A_c would separate for φ1 < −30°). Rates 0.1, 0.2, 0.3 rad/s
//! and A0 at rest as printed.
//!
//! # Tests
//! `tests/chain.rs`: `eq1_both_ends_at_one_height`, `eq2_mass_matrix_from_differences`, and the source's statements.

use nalgebra::{DMatrix, DVector, Vector2};

use super::problem::{ImpactContact, ImpactProblem};

/// Length of a link, m.
pub const LENGTH: f64 = 1.0;
/// Mass of a link, kg.
pub const MASS: f64 = 1.0;
/// Angular velocities before the impact, rad/s.
pub const RATES: [f64; 3] = [0.1, 0.2, 0.3];

/// The chain just before the impact of its end A_c.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ThreeLinkChain {
    /// Angle of the first link, rad, −π/2 to π/2.
    pub phi: f64,
    /// Friction at the touching end A0.
    pub friction_touching: f64,
    /// Friction at the colliding end A_c.
    pub friction_colliding: f64,
    /// Restitution at A_c.
    pub restitution: f64,
}

impl ThreeLinkChain {
    /// Index of the touching end A0 in the problem's contacts.
    pub const TOUCHING: usize = 0;
    /// Index of the colliding end A_c.
    pub const COLLIDING: usize = 1;

    /// Angles of the three links.
    pub fn angles(&self) -> [f64; 3] {
        use std::f64::consts::{FRAC_PI_2, PI};
        [self.phi, FRAC_PI_2, PI + self.phi]
    }

    /// Position of A_c relative to A0, equation (1).
    pub fn colliding_end(&self) -> Vector2<f64> {
        self.angles().iter().map(|phi| LENGTH * Vector2::new(-phi.sin(), phi.cos())).sum()
    }

    /// The impact problem in the coordinates (φ1, φ2, φ3, x0, y0).
    pub fn problem(&self) -> ImpactProblem {
        let mut M = DMatrix::zeros(5, 5);
        for link in 0..3 {
            let J = self.jacobian(link, 0.5);
            M += MASS * J.transpose() * &J;
            M[(link, link)] += MASS * LENGTH * LENGTH / 12.0;
        }
        let [a, b, c] = RATES;
        let touching = self.contact("A0", DMatrix::from_fn(2, 5, |i, j| f64::from(j == i + 3)));
        let colliding = self.contact("Ac", self.jacobian(2, 1.0));
        ImpactProblem {
            mass_matrix: M,
            velocity: DVector::from_row_slice(&[a, b, c, 0.0, 0.0]),
            contacts: vec![touching, colliding],
            bilateral: DMatrix::zeros(0, 5),
        }
    }

    /// Jacobian (2 × 5) of the point at `fraction` of a link.
    fn jacobian(&self, link: usize, fraction: f64) -> DMatrix<f64> {
        let mut J = DMatrix::zeros(2, 5);
        (J[(0, 3)], J[(1, 4)]) = (1.0, 1.0);
        for (i, phi) in self.angles().iter().enumerate().take(link + 1) {
            let reach = LENGTH * if i == link { fraction } else { 1.0 };
            J[(0, i)] = -reach * phi.cos();
            J[(1, i)] = -reach * phi.sin();
        }
        J
    }

    fn contact(&self, name: &str, J: DMatrix<f64>) -> ImpactContact {
        let colliding = name == "Ac";
        let friction = if colliding { self.friction_colliding } else { self.friction_touching };
        ImpactContact {
            name: name.into(),
            tangents: J.rows(0, 1).into_owned(),
            normal: J.row(1).transpose(),
            friction,
            static_friction: friction,
            restitution: if colliding { self.restitution } else { 0.0 },
            touching: true,
        }
    }
}
