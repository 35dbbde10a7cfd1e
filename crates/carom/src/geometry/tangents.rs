//! Two tangents for a normal, as smooth functions of it.
//!
//! # Law
//! ```text
//! planar:   t₁ = n × ẑ,  t₂ = n × t₁ = −ẑ                                      (1)
//! spatial:  t₁ = (1 − nₓ²a, −nₓn_y a, −nₓ),  t₂ = (−nₓn_y a, 1 − n_y²a, −n_y),   (2)
//!           a = 1/(1 + n_z);  for n_z < −0.7 with n mirrored in z, and t₂ reversed
//! ```
//! Both are orthonormal and right-handed, t₁ × t₂ = n. In the plane t₁ points to +x for a floor
//! with n = ŷ; in space t₁ = x̂ for a floor with n = ẑ.
//!
//! # Limits
//! (1) needs n ⟂ ẑ. No field of tangents is smooth on the whole sphere: (2) jumps at n_z = −0.7, away
//! from the normals that occur by themselves (level, upright, upside down). A normal that turns
//! through it changes the components of a slip velocity, not the slip velocity itself.
//!
//! # Tests
//! `eq1_eq2_right_handed`, `rates_are_derivatives`.

use nalgebra::Vector3;

/// n_z below which the mirrored form of equation (2) is used.
const MIRROR: f64 = -0.7;

/// Tangents t₁, t₂ of a unit normal, equation (1) or (2).
pub fn tangents(n: &Vector3<f64>, planar: bool) -> [Vector3<f64>; 2] {
    if planar {
        let t = Vector3::new(n.y, -n.x, 0.0);
        return [t, n.cross(&t)];
    }
    let side = if n.z < MIRROR { -1.0 } else { 1.0 };
    let a = 1.0 / (1.0 + side * n.z);
    let b = -n.x * n.y * a;
    [
        Vector3::new(1.0 - n.x * n.x * a, b, -side * n.x),
        side * Vector3::new(b, 1.0 - n.y * n.y * a, -side * n.y),
    ]
}

/// ṫ₁, ṫ₂ for a normal that changes at the rate ṅ.
pub fn tangent_rates(n: &Vector3<f64>, ndot: &Vector3<f64>, planar: bool) -> [Vector3<f64>; 2] {
    if planar {
        let (t, tdot) = (Vector3::new(n.y, -n.x, 0.0), Vector3::new(ndot.y, -ndot.x, 0.0));
        return [tdot, ndot.cross(&t) + n.cross(&tdot)];
    }
    let side = if n.z < MIRROR { -1.0 } else { 1.0 };
    let a = 1.0 / (1.0 + side * n.z);
    let adot = -a * a * side * ndot.z;
    let bdot = -(ndot.x * n.y + n.x * ndot.y) * a - n.x * n.y * adot;
    let square = |n: f64, ndot: f64| -2.0 * n * ndot * a - n * n * adot;
    [
        Vector3::new(square(n.x, ndot.x), bdot, -side * ndot.x),
        side * Vector3::new(bdot, square(n.y, ndot.y), -side * ndot.y),
    ]
}

#[cfg(test)]
mod tests {
    use super::*;

    fn normals() -> impl Iterator<Item = Vector3<f64>> {
        (0..40).map(|i| {
            let (a, b) = (0.37 * f64::from(i), 1.91 * f64::from(i));
            Vector3::new(a.sin() * b.cos(), a.sin() * b.sin(), a.cos())
        })
    }

    #[test]
    fn eq1_eq2_right_handed() {
        for n in normals().chain([Vector3::z(), -Vector3::z(), Vector3::y()]) {
            let [t, s] = tangents(&n, false);
            assert!((t.cross(&s) - n).norm() < 1e-15 && (t.norm() - 1.0).abs() < 1e-15);
            let m = Vector3::new(n.x, n.y, 0.0);
            if m.norm() > 0.0 {
                let m = m.normalize();
                let [t, s] = tangents(&m, true);
                assert!((t.cross(&s) - m).norm() < 1e-15 && s == -Vector3::z() * s.norm());
            }
        }
        assert_eq!(tangents(&Vector3::y(), true)[0], Vector3::x());
        assert_eq!(tangents(&Vector3::z(), false), [Vector3::x(), Vector3::y()]);
    }

    #[test]
    fn rates_are_derivatives() {
        for n in normals() {
            let spin = Vector3::new(0.3, -0.7, 0.9);
            for planar in [false, true] {
                let (n, w) = if planar {
                    (Vector3::new(n.x, n.y, 0.0).normalize(), Vector3::z())
                } else {
                    (n, spin)
                };
                if (n.z - MIRROR).abs() < 1e-3 && !planar || !n.x.is_finite() {
                    continue;
                }
                let ndot = w.cross(&n);
                let d = 1e-5;
                let at = |d: f64| tangents(&(nalgebra::Rotation3::new(w * d) * n), planar);
                let (hi, lo, rate) = (at(d), at(-d), tangent_rates(&n, &ndot, planar));
                for k in 0..2 {
                    assert!((rate[k] - (hi[k] - lo[k]) / (2.0 * d)).norm() < 1e-9, "{n}");
                }
            }
        }
    }
}
