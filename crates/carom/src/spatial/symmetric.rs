//! Symmetric three-by-three matrices in six numbers.

use nalgebra::{Matrix3, Vector3};
use std::ops::AddAssign;

/// A symmetric matrix stored as xx, xy, xz, yy, yz, zz.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Symmetric3 {
    /// Entry (0, 0).
    pub xx: f64,
    /// Entry (0, 1).
    pub xy: f64,
    /// Entry (0, 2).
    pub xz: f64,
    /// Entry (1, 1).
    pub yy: f64,
    /// Entry (1, 2).
    pub yz: f64,
    /// Entry (2, 2).
    pub zz: f64,
}

impl Symmetric3 {
    /// The zero matrix.
    #[inline]
    pub fn zero() -> Self {
        Self { xx: 0.0, xy: 0.0, xz: 0.0, yy: 0.0, yz: 0.0, zz: 0.0 }
    }

    /// A multiple of the identity.
    #[inline]
    pub fn scalar(s: f64) -> Self {
        Self { xx: s, yy: s, zz: s, ..Self::zero() }
    }

    /// The upper triangle of a matrix.
    #[inline]
    pub fn from_matrix(A: &Matrix3<f64>) -> Self {
        Self {
            xx: A[(0, 0)],
            xy: A[(0, 1)],
            xz: A[(0, 2)],
            yy: A[(1, 1)],
            yz: A[(1, 2)],
            zz: A[(2, 2)],
        }
    }

    /// As a full matrix.
    #[inline]
    pub fn to_matrix(self) -> Matrix3<f64> {
        Matrix3::new(
            self.xx, self.xy, self.xz, self.xy, self.yy, self.yz, self.xz, self.yz, self.zz,
        )
    }

    /// Product with a vector.
    #[inline]
    pub fn times(&self, v: &Vector3<f64>) -> Vector3<f64> {
        Vector3::new(
            self.xx * v.x + self.xy * v.y + self.xz * v.z,
            self.xy * v.x + self.yy * v.y + self.yz * v.z,
            self.xz * v.x + self.yz * v.y + self.zz * v.z,
        )
    }

    /// The sum of two.
    #[inline(always)]
    pub fn plus(&self, o: &Self) -> Self {
        Self {
            xx: self.xx + o.xx,
            xy: self.xy + o.xy,
            xz: self.xz + o.xz,
            yy: self.yy + o.yy,
            yz: self.yz + o.yz,
            zz: self.zz + o.zz,
        }
    }

    /// R S Rᵀ: the same tensor in the axes that R leads to.
    #[inline(always)]
    pub fn rotated(&self, R: &Matrix3<f64>) -> Self {
        let row = |i: usize| Vector3::new(R[(i, 0)], R[(i, 1)], R[(i, 2)]);
        let (r0, r1, r2) = (row(0), row(1), row(2));
        let (a, b) = (self.times(&r0), self.times(&r1));
        let (xx, yy) = (r0.dot(&a), r1.dot(&b));
        // A turn keeps the trace.
        let zz = self.xx + self.yy + self.zz - xx - yy;
        Self { xx, xy: r1.dot(&a), xz: r2.dot(&a), yy, yz: r2.dot(&b), zz }
    }

    /// Subtract s a aᵀ.
    #[inline]
    pub fn downdate(&mut self, s: f64, a: &Vector3<f64>) {
        let (x, y, z) = (s * a.x, s * a.y, s * a.z);
        self.xx -= x * a.x;
        self.xy -= x * a.y;
        self.xz -= x * a.z;
        self.yy -= y * a.y;
        self.yz -= y * a.z;
        self.zz -= z * a.z;
    }
}

impl AddAssign for Symmetric3 {
    #[inline]
    fn add_assign(&mut self, o: Self) {
        self.xx += o.xx;
        self.xy += o.xy;
        self.xz += o.xz;
        self.yy += o.yy;
        self.yz += o.yz;
        self.zz += o.zz;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::spatial::rotation;

    #[test]
    fn rotated_is_the_congruence() {
        let A = Matrix3::new(2.0, 0.3, -0.1, 0.3, 1.0, 0.4, -0.1, 0.4, 3.0);
        let R = rotation::exp(&Vector3::new(0.4, -0.9, 1.3));
        let rotated = Symmetric3::from_matrix(&A).rotated(&R).to_matrix();
        assert!((rotated - R * A * R.transpose()).norm() < 1e-15);
    }
}
