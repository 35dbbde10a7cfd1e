//! Where the mechanism is and how it moves.

use crate::model::Model;
use crate::model::tree::LinkMotion;
use nalgebra::DVector;

/// Time, coordinates and velocities.
#[derive(Debug, Clone, PartialEq)]
pub struct State {
    /// Time, s.
    pub t: f64,
    /// Coordinates; quaternions (w, x, y, z) are unit.
    pub q: DVector<f64>,
    /// Velocities.
    pub v: DVector<f64>,
}

impl State {
    /// At rest at time zero, all coordinates zero and all quaternions the identity.
    pub fn neutral(model: &Model) -> Self {
        let mut q = DVector::zeros(model.nq());
        for link in &model.tree().links {
            match link.motion {
                LinkMotion::Ball => q[link.q] = 1.0,
                LinkMotion::Free => q[link.q + 3] = 1.0,
                _ => {}
            }
        }
        Self { t: 0.0, q, v: DVector::zeros(model.nv()) }
    }
}
