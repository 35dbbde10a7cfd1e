//! Articulated-body inertia: what a branch of a tree feels like at one point.
//!
//! ```text
//! (n; f) = [J H; Hᵀ M] (α; a)                                   (1)
//! seen from r:  H' = H + [r]M,  J' = J + [r]Hᵀ − H'[r]           (2)
//! ```
//! (2) follows from a = a' − r × α' and n' = n + r × f; checked against the shift of a rigid body.

use super::{Force, Motion, PointInertia, Symmetric3};
use nalgebra::{Matrix3, Vector3};

/// A symmetric six-by-six inertia in 21 numbers.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct ArticulatedInertia {
    /// Moment from angular acceleration.
    pub J: Symmetric3,
    /// Moment from linear acceleration.
    pub H: Matrix3<f64>,
    /// Force from linear acceleration.
    pub M: Symmetric3,
}

impl ArticulatedInertia {
    /// No inertia.
    #[inline]
    pub fn zero() -> Self {
        Self { J: Symmetric3::zero(), H: Matrix3::zeros(), M: Symmetric3::zero() }
    }

    /// The inertia of one rigid body.
    #[inline(always)]
    pub fn rigid(body: &PointInertia) -> Self {
        Self { J: body.I, H: super::rotation::skew(&body.h), M: Symmetric3::scalar(body.mass) }
    }

    /// The sum with one rigid body at the same reference point.
    #[inline(always)]
    pub fn with_rigid(&self, body: &PointInertia) -> Self {
        let (J, H, M, h, m) = (&self.J, &self.H, &self.M, &body.h, body.mass);
        Self {
            J: J.plus(&body.I),
            H: Matrix3::new(
                H[(0, 0)],
                H[(0, 1)] - h.z,
                H[(0, 2)] + h.y,
                H[(1, 0)] + h.z,
                H[(1, 1)],
                H[(1, 2)] - h.x,
                H[(2, 0)] - h.y,
                H[(2, 1)] + h.x,
                H[(2, 2)],
            ),
            M: Symmetric3 { xx: M.xx + m, yy: M.yy + m, zz: M.zz + m, ..*M },
        }
    }

    /// The wrench that gives the acceleration `m`, equation (1).
    #[inline]
    pub fn times(&self, m: &Motion) -> Force {
        Force { n: self.J.times(&m.w) + self.H * m.v, f: self.H.tr_mul(&m.w) + self.M.times(&m.v) }
    }

    /// Subtract s U Uᵀ: what is left when one degree of freedom gives way.
    #[inline(always)]
    pub fn downdate(&mut self, s: f64, U: &Force) {
        self.J.downdate(s, &U.n);
        self.M.downdate(s, &U.f);
        let f = U.f * s;
        for column in 0..3 {
            for row in 0..3 {
                self.H[(row, column)] -= U.n[row] * f[column];
            }
        }
    }

    /// The same inertia about a reference point from which the present one is seen at `r`,
    /// equation (2).
    #[inline(always)]
    pub fn seen_from(&self, r: &Vector3<f64>) -> Self {
        let (x, y, z) = (r.x, r.y, r.z);
        let (A, h, J) = (&self.M, &self.H, &self.J);
        // H' = H + [r] M, row by row.
        let h00 = h[(0, 0)] - z * A.xy + y * A.xz;
        let h01 = h[(0, 1)] - z * A.yy + y * A.yz;
        let h02 = h[(0, 2)] - z * A.yz + y * A.zz;
        let h10 = h[(1, 0)] + z * A.xx - x * A.xz;
        let h11 = h[(1, 1)] + z * A.xy - x * A.yz;
        let h12 = h[(1, 2)] + z * A.xz - x * A.zz;
        let h20 = h[(2, 0)] - y * A.xx + x * A.xy;
        let h21 = h[(2, 1)] - y * A.xy + x * A.yy;
        let h22 = h[(2, 2)] - y * A.xz + x * A.yz;
        // J' = J + [r]Hᵀ − H'[r]; ([r]Hᵀ)ᵢⱼ = (r × Hⱼ)ᵢ with Hⱼ the j-th row of H.
        let J = Symmetric3 {
            xx: J.xx - z * (h[(0, 1)] + h01) + y * (h[(0, 2)] + h02),
            xy: J.xy - z * (h[(1, 1)] - h00) + y * h[(1, 2)] - x * h02,
            xz: J.xz - z * h[(2, 1)] + y * (h[(2, 2)] - h00) + x * h01,
            yy: J.yy + z * (h[(1, 0)] + h10) - x * (h[(1, 2)] + h12),
            yz: J.yz + z * h[(2, 0)] - y * h10 - x * (h[(2, 2)] - h11),
            zz: J.zz - y * (h[(2, 0)] + h20) + x * (h[(2, 1)] + h21),
        };
        Self { J, H: Matrix3::new(h00, h01, h02, h10, h11, h12, h20, h21, h22), M: *A }
    }

    /// Add an inertia at the same reference point.
    #[inline(always)]
    pub fn add(&mut self, o: &ArticulatedInertia) {
        self.J += o.J;
        self.H += o.H;
        self.M += o.M;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::spatial::{Inertia, rotation::skew};

    fn body() -> PointInertia {
        Inertia::new(
            2.0,
            Vector3::new(0.1, 0.2, -0.3),
            Matrix3::from_diagonal(&Vector3::new(0.2, 0.3, 0.4)),
        )
        .unwrap()
        .about_origin()
    }

    #[test]
    fn eq1_is_the_momentum_map_of_a_rigid_body() {
        let m = Motion::new(Vector3::new(0.3, 1.1, -0.7), Vector3::new(-0.2, 0.5, 0.9));
        let difference = ArticulatedInertia::rigid(&body()).times(&m) - body().momentum(&m);
        assert!(difference.n.norm() + difference.f.norm() < 1e-15);
    }

    #[test]
    fn eq2_is_the_congruence_by_the_shift() {
        let mut inner = ArticulatedInertia::rigid(&body());
        inner
            .downdate(0.3, &Force::new(Vector3::new(0.1, 0.5, -0.2), Vector3::new(0.7, -0.3, 0.4)));
        let r = Vector3::new(1.0, -2.0, 0.5);
        let outer = inner.seen_from(&r);
        let (J, H, M) = (inner.J.to_matrix(), inner.H, inner.M.to_matrix());
        let H2 = H + skew(&r) * M;
        let J2 = J - H * skew(&r) + skew(&r) * H.transpose() - skew(&r) * M * skew(&r);
        assert!((outer.H - H2).norm() < 1e-14);
        assert!((outer.J.to_matrix() - J2).norm() < 1e-14);
        assert!((J2 - J2.transpose()).norm() < 1e-14);
    }

    #[test]
    fn rigid_bodies_add() {
        let sum = ArticulatedInertia::rigid(&body()).with_rigid(&body());
        let mut twice = ArticulatedInertia::rigid(&body());
        twice.add(&ArticulatedInertia::rigid(&body()));
        assert_eq!(sum, twice);
    }
}
