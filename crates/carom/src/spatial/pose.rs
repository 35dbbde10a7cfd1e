//! Rigid transforms.
//!
//! `X_AB` takes coordinates in frame B to coordinates in frame A: r_A = R_AB r_B + r_AB.

use nalgebra::{Matrix3, Vector3};

/// Position and orientation of frame B in frame A.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Pose {
    /// Rotation: columns are the axes of B in A.
    pub R: Matrix3<f64>,
    /// Origin of B in A, m.
    pub r: Vector3<f64>,
}

impl Pose {
    /// The pose of a frame in itself.
    pub fn identity() -> Self {
        Self { R: Matrix3::identity(), r: Vector3::zeros() }
    }

    /// A pose from its rotation and origin.
    pub fn new(R: Matrix3<f64>, r: Vector3<f64>) -> Self {
        Self { R, r }
    }

    /// A pure shift.
    pub fn translation(r: Vector3<f64>) -> Self {
        Self { R: Matrix3::identity(), r }
    }

    /// A pure rotation.
    pub fn rotation(R: Matrix3<f64>) -> Self {
        Self { R, r: Vector3::zeros() }
    }

    /// `X_AB * X_BC = X_AC`.
    #[inline]
    pub fn then(&self, X_BC: &Pose) -> Pose {
        Pose { R: self.R * X_BC.R, r: self.point(&X_BC.r) }
    }

    /// Coordinates in A of a point given in B.
    #[inline]
    pub fn point(&self, r_B: &Vector3<f64>) -> Vector3<f64> {
        self.R * r_B + self.r
    }

    /// Coordinates in A of a direction given in B.
    #[inline]
    pub fn direction(&self, d_B: &Vector3<f64>) -> Vector3<f64> {
        self.R * d_B
    }

    /// The pose of A in B.
    #[inline]
    pub fn inverse(&self) -> Pose {
        let Rt = self.R.transpose();
        Pose { R: Rt, r: -(Rt * self.r) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::spatial::rotation;

    #[test]
    fn inverse_undoes() {
        let X =
            Pose::new(rotation::exp(&Vector3::new(0.3, -1.2, 0.7)), Vector3::new(1.0, -2.0, 0.5));
        let I = X.then(&X.inverse());
        assert!((I.R - Matrix3::identity()).norm() < 1e-15 && I.r.norm() < 1e-15);
    }
}
