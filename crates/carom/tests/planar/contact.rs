//! Contacts to hit.

use carom::impact::planar::{PlanarContact, PlanarPath};
use carom::impact::{ImpactContact, ImpactProblem, StageEvent};
use nalgebra::{DMatrix, DVector};

use crate::impact_support::Rng;

/// A random contact with positive definite G; `coupling` near 1 makes it nearly singular.
pub fn random_contact(rng: &mut Rng, coupling: f64) -> PlanarContact {
    let (tt, nn) = (rng.range(0.2, 5.0), rng.range(0.2, 5.0));
    let friction = rng.range(0.0, 2.0);
    PlanarContact {
        tt,
        nn,
        tn: rng.range(-coupling, coupling) * (tt * nn).sqrt(),
        u_t: rng.normal(),
        u_n: -rng.range(0.01, 2.0),
        friction,
        static_friction: friction * rng.range(1.0, 1.5),
        restitution: rng.unit(),
    }
}

pub fn events(path: &PlanarPath) -> Vec<StageEvent> {
    path.states().iter().map(|s| s.event).collect()
}

/// A rod of 1 m and 1 kg at 45°, its lower end hitting the ground at (0.3, −2) m/s without spin.
pub fn rod() -> ImpactProblem {
    let (x, y) = (-0.5 * std::f64::consts::FRAC_1_SQRT_2, -0.5 * std::f64::consts::FRAC_1_SQRT_2);
    ImpactProblem::new(
        DMatrix::from_diagonal(&DVector::from_row_slice(&[1.0, 1.0, 1.0 / 12.0])),
        DVector::from_row_slice(&[0.3, -2.0, 0.0]),
        vec![ImpactContact {
            name: "tip".into(),
            tangents: DMatrix::from_row_slice(1, 3, &[1.0, 0.0, -y]),
            normal: DVector::from_row_slice(&[0.0, 1.0, x]),
            friction: 0.5,
            static_friction: 0.5,
            restitution: 0.9,
            touching: true,
        }],
    )
    .expect("valid")
}

/// a, b, c of a contact and its state, for the cases by name.
pub fn case(tt: f64, tn: f64, nn: f64, u_t: f64, friction: f64, restitution: f64) -> PlanarContact {
    PlanarContact { tt, tn, nn, u_t, u_n: -1.0, friction, static_friction: friction, restitution }
}
