//! Gaps at rest, to find bodies that overlap at the start.
//!
//! ```text
//! half-space – convex shape:  g = n · (c − p) − h(n)               (1)
//! round – round:              g = ‖c_B − c_A‖ − r_A − r_B          (2)
//! polytopes:                  their separation, see `carom::geometry`
//! ```
//! h is the support function of the shape about its centre c, n the normal of the half-space
//! through p. A shape of which the middle is behind the surface of ground may be there because the ground is turned
//! around, which is told. Tests: `eq1_supports_by_search`, `eq2_round_shapes`; `tests/terrain.rs`:
//! `a_start_on_the_solid_side_is_told`.

use crate::fault::{Behind, FreeSide};
use carom::contact::polytope_gap;
use carom::dynamics::Kinematics;
use carom::model::{ContactPair, Feature, Model, Shape};
use carom::spatial::Pose;
use nalgebra::Vector3;

/// The gap of a pair, m; negative where its shapes overlap.
pub(crate) fn gap(model: &Model, kin: &Kinematics, pair: &ContactPair) -> f64 {
    let (a, b) = (model.feature(pair.a), model.feature(pair.b));
    let (X_WA, X_WB) = (pose(model, kin, a), pose(model, kin, b));
    if let Some(gap) = polytope_gap(model, kin, pair) {
        return gap;
    }
    match a.shape {
        Shape::HalfSpace { normal } => {
            let n = X_WA.direction(&normal);
            n.dot(&(X_WB.r - X_WA.r)) - support(&b.shape, &X_WB, &n)
        }
        _ => (X_WB.r - X_WA.r).norm() - radius(&a.shape) - radius(&b.shape),
    }
}

/// Ground of a pair, if the middle of the other shape is on its solid side.
pub(crate) fn behind(model: &Model, kin: &Kinematics, pair: &ContactPair) -> Option<Behind> {
    let (a, b) = (model.feature(pair.a), model.feature(pair.b));
    let x = pose(model, kin, a).inverse().point(&pose(model, kin, b).point(&middle(&b.shape)));
    let side = match &a.shape {
        Shape::HalfSpace { normal } if normal.dot(&x) < 0.0 => FreeSide::Normal,
        Shape::Terrain { ground } if ground.covers(&x) => match ground.planar {
            true => FreeSide::Line,
            false => FreeSide::Triangles,
        },
        _ => return None,
    };
    Some(Behind { shape: b.name.clone(), ground: a.name.clone(), side })
}

/// A point inside of a shape, in its frame.
fn middle(shape: &Shape) -> Vector3<f64> {
    let mean = |sum: Vector3<f64>, count: usize| sum / count as f64;
    match shape {
        Shape::Polygon { corners, .. } => {
            mean(corners.iter().map(|c| Vector3::new(c[0], c[1], 0.0)).sum(), corners.len())
        }
        Shape::Convex { hull, .. } => mean(hull.corners.iter().sum(), hull.corners.len()),
        _ => Vector3::zeros(),
    }
}

fn pose(model: &Model, kin: &Kinematics, feature: &Feature) -> Pose {
    match feature.body {
        Some(body) => kin.pose(model, body).then(&feature.placement),
        None => feature.placement,
    }
}

fn radius(shape: &Shape) -> f64 {
    match *shape {
        Shape::Sphere { radius } | Shape::Disk { radius } => radius,
        _ => 0.0,
    }
}

/// How far a shape reaches from its centre along ±n, equation (1).
fn support(shape: &Shape, X: &Pose, n: &Vector3<f64>) -> f64 {
    let d = X.R.tr_mul(n);
    let ellipsoid = |a: [f64; 3]| (a[0] * d.x).hypot((a[1] * d.y).hypot(a[2] * d.z));
    match *shape {
        Shape::Point | Shape::HalfSpace { .. } | Shape::Terrain { .. } => 0.0,
        Shape::Sphere { radius } => radius,
        Shape::Disk { radius } => ellipsoid([radius, radius, 0.0]),
        Shape::Ellipse { semi_axes: [a, b] } => ellipsoid([a, b, 0.0]),
        Shape::Ellipsoid { semi_axes } => ellipsoid(semi_axes),
        Shape::Box { half_extents: [a, b, c] } => a * d.x.abs() + b * d.y.abs() + c * d.z.abs(),
        Shape::Capsule { radius, half_length } => half_length * d.x.abs() + radius,
        Shape::Cylinder { radius, half_length } => {
            half_length * d.z.abs() + ellipsoid([radius, radius, 0.0])
        }
        Shape::Polygon { ref corners, rounding } => {
            let along = |c: &[f64; 2]| -(c[0] * d.x + c[1] * d.y);
            corners.iter().map(along).fold(f64::MIN, f64::max) + rounding
        }
        Shape::Convex { ref hull, rounding } => {
            hull.corners.iter().map(|c| -d.dot(c)).fold(f64::MIN, f64::max) + rounding
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use carom::spatial::rotation;

    /// Points of the surface, densely.
    fn surface(shape: &Shape) -> Vec<Vector3<f64>> {
        let mut points = Vec::new();
        const N: usize = 400;
        for i in 0..=N {
            for j in 0..=N {
                let theta = std::f64::consts::PI * i as f64 / N as f64;
                let phi = std::f64::consts::TAU * j as f64 / N as f64;
                let s = Vector3::new(theta.sin() * phi.cos(), theta.sin() * phi.sin(), theta.cos());
                points.push(match *shape {
                    Shape::Sphere { radius } => s * radius,
                    Shape::Disk { radius } => Vector3::new(phi.cos(), phi.sin(), 0.0) * radius,
                    Shape::Ellipse { semi_axes: [a, b] } => {
                        Vector3::new(a * phi.cos(), b * phi.sin(), 0.0)
                    }
                    Shape::Ellipsoid { semi_axes: [a, b, c] } => {
                        Vector3::new(a * s.x, b * s.y, c * s.z)
                    }
                    Shape::Box { half_extents: [a, b, c] } => {
                        let sign = |bit: usize| if (i + j) & bit == 0 { 1.0 } else { -1.0 };
                        Vector3::new(a * sign(1), b * sign(2), c * sign(4))
                    }
                    Shape::Capsule { radius, half_length } => {
                        s * radius
                            + Vector3::x() * if j % 2 == 0 { half_length } else { -half_length }
                    }
                    _ => Vector3::zeros(),
                });
            }
        }
        points
    }

    #[test]
    fn eq1_supports_by_search() {
        let n = Vector3::new(0.3, -0.5, 0.8).normalize();
        let X = Pose::rotation(rotation::exp(&Vector3::new(0.4, 1.1, -0.6)));
        for shape in [
            Shape::Point,
            Shape::Sphere { radius: 0.3 },
            Shape::Disk { radius: 0.3 },
            Shape::Ellipse { semi_axes: [0.5, 0.2] },
            Shape::Ellipsoid { semi_axes: [0.5, 0.2, 0.9] },
            Shape::Box { half_extents: [0.5, 0.0, 0.9] },
            Shape::Capsule { radius: 0.1, half_length: 0.7 },
        ] {
            let reach =
                surface(&shape).iter().map(|p| -n.dot(&X.point(p))).fold(f64::MIN, f64::max);
            let h = support(&shape, &X, &n);
            // A grid of 400 steps misses the top by at most (π/400)² of the size.
            assert!(h >= reach - 1e-15 && h - reach < 1e-4, "{shape:?}: {h} {reach}");
        }
    }

    #[test]
    fn eq2_round_shapes() {
        assert_eq!(radius(&Shape::Sphere { radius: 0.3 }), 0.3);
        assert_eq!(radius(&Shape::Point), 0.0);
    }
}
