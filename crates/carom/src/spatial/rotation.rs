//! Rotations: quaternion kinematics, exponential and logarithm.
//!
//! Quaternions are stored (w, x, y, z), unit, and turn body coordinates into parent coordinates:
//! r_A = R(Q) r_B. The angular velocity ω is resolved in the body frame B.
//!
//! ```text
//! R(Q) = (w² − ε·ε) 1 + 2 ε εᵀ + 2 w [ε]×,     ε = (x, y, z)      (1)
//! Q̇ = ½ Q ⊗ (0, ω)                                               (2)
//! exp: Q ⊗ (cos ½‖φ‖, sin ½‖φ‖ φ/‖φ‖)                             (3)
//! ```
//!
//! Checked: (1) against the matrix exponential, (2) against differences of (3), and the logarithm
//! as the inverse of (3) up to half a turn.

use crate::numeric::thresholds::rotation;
use nalgebra::{Matrix3, Vector3, Vector4};

/// The cross-product matrix: `skew(a) * b = a × b`.
#[inline]
pub fn skew(a: &Vector3<f64>) -> Matrix3<f64> {
    Matrix3::new(0.0, -a.z, a.y, a.z, 0.0, -a.x, -a.y, a.x, 0.0)
}

/// Rotation matrix of a unit quaternion (w, x, y, z), equation (1).
#[inline]
pub fn from_quaternion(Q: &Vector4<f64>) -> Matrix3<f64> {
    let (w, x, y, z) = (Q[0], Q[1], Q[2], Q[3]);
    let (x2, y2, z2) = (x + x, y + y, z + z);
    let (xx, yy, zz) = (x * x2, y * y2, z * z2);
    let (xy, xz, yz) = (x * y2, x * z2, y * z2);
    let (wx, wy, wz) = (w * x2, w * y2, w * z2);
    Matrix3::new(
        1.0 - (yy + zz),
        xy - wz,
        xz + wy,
        xy + wz,
        1.0 - (xx + zz),
        yz - wx,
        xz - wy,
        yz + wx,
        1.0 - (xx + yy),
    )
}

/// Unit quaternion of a rotation matrix, with w ≥ 0 up to rounding.
pub fn to_quaternion(R: &Matrix3<f64>) -> Vector4<f64> {
    // The largest of the four squared components keeps the division well conditioned.
    let trace = R.trace();
    let squares = [trace, R[(0, 0)], R[(1, 1)], R[(2, 2)]];
    let mut largest = 0;
    for i in 1..4 {
        if squares[i] > squares[largest] {
            largest = i;
        }
    }
    let mut Q = Vector4::zeros();
    if largest == 0 {
        Q[0] = 1.0 + trace;
        Q[1] = R[(2, 1)] - R[(1, 2)];
        Q[2] = R[(0, 2)] - R[(2, 0)];
        Q[3] = R[(1, 0)] - R[(0, 1)];
    } else {
        let i = largest - 1;
        let (j, k) = ((i + 1) % 3, (i + 2) % 3);
        Q[0] = R[(k, j)] - R[(j, k)];
        Q[1 + i] = 1.0 + R[(i, i)] - R[(j, j)] - R[(k, k)];
        Q[1 + j] = R[(j, i)] + R[(i, j)];
        Q[1 + k] = R[(k, i)] + R[(i, k)];
    }
    if Q[0] < 0.0 {
        Q = -Q;
    }
    Q / Q.norm()
}

/// Product of two quaternions.
#[inline]
pub fn multiply(P: &Vector4<f64>, Q: &Vector4<f64>) -> Vector4<f64> {
    Vector4::new(
        P[0] * Q[0] - P[1] * Q[1] - P[2] * Q[2] - P[3] * Q[3],
        P[0] * Q[1] + P[1] * Q[0] + P[2] * Q[3] - P[3] * Q[2],
        P[0] * Q[2] - P[1] * Q[3] + P[2] * Q[0] + P[3] * Q[1],
        P[0] * Q[3] + P[1] * Q[2] - P[2] * Q[1] + P[3] * Q[0],
    )
}

/// Q̇ for the body-frame angular velocity ω, equation (2).
#[inline]
pub fn quaternion_rate(Q: &Vector4<f64>, w_B: &Vector3<f64>) -> Vector4<f64> {
    multiply(Q, &Vector4::new(0.0, 0.5 * w_B.x, 0.5 * w_B.y, 0.5 * w_B.z))
}

/// Unit quaternion that turns by the vector φ (axis times angle), equation (3).
pub fn quaternion_exp(phi: &Vector3<f64>) -> Vector4<f64> {
    let half = 0.5 * phi.norm();
    let (s, c) = half.sin_cos();
    // sin(x)/x by its series where the division would lose digits.
    let sinc = if half < 1e-4 { 1.0 - half * half / 6.0 } else { s / half };
    let e = phi * (0.5 * sinc);
    Vector4::new(c, e.x, e.y, e.z)
}

/// The vector φ of the shortest turn with `quaternion_exp(φ) = ±Q`.
pub fn quaternion_log(Q: &Vector4<f64>) -> Vector3<f64> {
    let Q = if Q[0] < 0.0 { -Q } else { *Q };
    let e = Vector3::new(Q[1], Q[2], Q[3]);
    let s = e.norm();
    let scale = if s < rotation::SMALL_TURN { 2.0 / Q[0] } else { 2.0 * s.atan2(Q[0]) / s };
    e * scale
}

/// Rotation matrix that turns by the vector φ (axis times angle).
pub fn exp(phi: &Vector3<f64>) -> Matrix3<f64> {
    from_quaternion(&quaternion_exp(phi))
}

/// Rotation from roll, pitch, yaw about fixed axes x, then y, then z (URDF's convention).
pub fn from_rpy(roll: f64, pitch: f64, yaw: f64) -> Matrix3<f64> {
    exp(&Vector3::new(0.0, 0.0, yaw))
        * exp(&Vector3::new(0.0, pitch, 0.0))
        * exp(&Vector3::new(roll, 0.0, 0.0))
}

/// A rotation whose third column is the unit vector `z`; the identity for z itself.
pub fn with_z_along(z: &Vector3<f64>) -> Matrix3<f64> {
    let seed = if z.x.abs() < 0.9 { Vector3::x() } else { Vector3::y() };
    let x = (seed - z * z.dot(&seed)).normalize();
    Matrix3::from_columns(&[x, z.cross(&x), *z])
}

#[cfg(test)]
mod tests {
    use super::*;

    fn vectors() -> [Vector3<f64>; 4] {
        [
            Vector3::new(0.3, -0.2, 0.9),
            Vector3::new(1e-9, 2e-9, -1e-9),
            Vector3::new(0.0, 3.1, 0.1),
            Vector3::new(-1.9, 1.4, 0.2),
        ]
    }

    #[test]
    fn eq1_matches_matrix_exponential() {
        for phi in vectors() {
            let exact = skew(&phi).exp();
            assert!((exp(&phi) - exact).norm() < 1e-14);
        }
    }

    #[test]
    fn eq2_matches_differences_of_eq3() {
        let Q = quaternion_exp(&Vector3::new(0.4, 0.1, -0.8));
        let w = Vector3::new(0.7, -1.1, 0.3);
        let step = 1e-5;
        let ahead = multiply(&Q, &quaternion_exp(&(w * step)));
        let behind = multiply(&Q, &quaternion_exp(&(-w * step)));
        let difference = (ahead - behind) / (2.0 * step);
        assert!((difference - quaternion_rate(&Q, &w)).norm() < 1e-10);
    }

    #[test]
    fn eq3_log_inverts_exp() {
        for phi in vectors() {
            assert!((quaternion_log(&quaternion_exp(&phi)) - phi).norm() < 1e-14);
        }
    }

    #[test]
    fn matrix_to_quaternion_and_back() {
        for phi in vectors() {
            let R = exp(&phi);
            assert!((from_quaternion(&to_quaternion(&R)) - R).norm() < 1e-14);
        }
    }

    #[test]
    fn z_along_is_a_rotation() {
        for phi in vectors() {
            let z = phi.normalize();
            let R = with_z_along(&z);
            assert!((R.column(2) - z).norm() < 1e-15);
            assert!((R.determinant() - 1.0).abs() < 1e-14);
        }
        assert_eq!(with_z_along(&Vector3::z()), Matrix3::identity());
    }
}
