//! Features of a model as shapes to draw.
//!
//! A model keeps what may touch: a rod is a box without width. Here it becomes a rod again.

use super::{Drawn, Form, Outline};
use carom::model::{Feature, Hull, Shape};
use carom::spatial::Pose;
use nalgebra::{Matrix3, Vector3};

/// The shapes of some features of one body, in their order.
pub(super) fn solids<'a>(features: impl Iterator<Item = &'a Feature>, planar: bool) -> Vec<Drawn> {
    features.map(|feature| single(feature, planar)).collect()
}

fn single(feature: &Feature, planar: bool) -> Drawn {
    if let Some((outline, middle)) = outline(&feature.shape) {
        let pose = feature.placement.then(&Pose::translation(middle));
        return Drawn {
            name: feature.name.clone(),
            pose,
            form: Form::Hull { outline: outline.into() },
        };
    }
    let form = form(&feature.shape);
    let pose = match &feature.shape {
        Shape::HalfSpace { normal } => {
            let n = feature.placement.R * normal.into_inner();
            Pose::new(upright(&n, planar), feature.placement.r)
        }
        _ => feature.placement,
    };
    Drawn { name: feature.name.clone(), pose, form }
}

fn form(shape: &Shape) -> Form {
    match *shape {
        Shape::Point => Form::Point,
        Shape::Sphere { radius } => Form::Sphere { radius },
        Shape::Disk { radius } => Form::Disk { radius },
        Shape::Ellipse { semi_axes } => Form::Ellipse { radii: semi_axes },
        Shape::Ellipsoid { semi_axes } => Form::Ellipsoid { radii: semi_axes },
        Shape::Box { half_extents: [a, 0.0, 0.0] } => Form::Rod { length: 2.0 * a },
        Shape::Box { half_extents } => Form::Box { size: half_extents.map(|h| 2.0 * h) },
        Shape::Capsule { radius, half_length } => {
            Form::Capsule { radius, length: 2.0 * half_length }
        }
        Shape::Cylinder { radius, half_length } => {
            Form::Cylinder { radius, length: 2.0 * half_length }
        }
        Shape::HalfSpace { .. } => Form::Plane,
        // Drawn by its outline.
        Shape::Polygon { .. } | Shape::Convex { .. } | Shape::Terrain { .. } => Form::Point,
    }
}

/// The outline of a shape with corners, and its middle.
fn outline(shape: &Shape) -> Option<(Outline, Vector3<f64>)> {
    match shape {
        Shape::Polygon { corners, rounding } => {
            let corners = rounded(corners, *rounding);
            let all = (0..corners.len()).collect();
            Some(Outline::centred(corners, vec![all]))
        }
        Shape::Convex { hull, rounding } => {
            let faces = hull.faces.iter().map(|f| f.1.clone()).collect();
            Some(Outline::centred(swollen(hull, *rounding), faces))
        }
        Shape::Terrain { ground } if ground.planar => {
            let corners = ground.polyline();
            // One face, there and back along the line.
            let way = (0..corners.len()).chain((1..corners.len() - 1).rev()).collect();
            Some(Outline::centred(corners, vec![way]))
        }
        Shape::Terrain { ground } => {
            let faces = ground.triangles.iter().map(|t| t.corners.to_vec()).collect();
            Some(Outline::centred(ground.points.clone(), faces))
        }
        _ => None,
    }
}

/// The outline of a polygon that is swept by a ball, arcs by a few points.
fn rounded(corners: &[[f64; 2]], radius: f64) -> Vec<Vector3<f64>> {
    let n = corners.len();
    let direction = |k: usize| {
        let (p, q) = (corners[k % n], corners[(k + 1) % n]);
        (q[1] - p[1]).atan2(q[0] - p[0]) - std::f64::consts::FRAC_PI_2
    };
    let mut points = Vec::new();
    for (k, c) in corners.iter().enumerate() {
        let (from, to) = (direction(k + n - 1), direction(k));
        let turn = (to - from).rem_euclid(std::f64::consts::TAU);
        let count = if radius > 0.0 { 6 } else { 0 };
        for i in 0..=count {
            let angle = from + turn * f64::from(i) / f64::from(count.max(1));
            points.push(Vector3::new(
                c[0] + radius * angle.cos(),
                c[1] + radius * angle.sin(),
                0.0,
            ));
        }
    }
    points
}

/// Corners moved out with the faces beside them: the flat parts of the rounded surface, with sharp edges.
fn swollen(hull: &Hull, radius: f64) -> Vec<Vector3<f64>> {
    let place = |k: usize| {
        let beside = hull.faces.iter().filter(|f| f.1.contains(&k)).map(|f| f.0);
        let sum: Vector3<f64> = beside.sum();
        hull.corners[k] + sum.normalize() * radius
    };
    (0..hull.corners.len()).map(place).collect()
}

/// A rotation whose z (in the plane: y) is the unit vector `n`; the identity for z (y) itself.
fn upright(n: &Vector3<f64>, planar: bool) -> Matrix3<f64> {
    if planar {
        let x = Vector3::new(n.y, -n.x, 0.0);
        return Matrix3::from_columns(&[x, *n, x.cross(n)]);
    }
    carom::spatial::rotation::with_z_along(n)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn planes_stand_on_their_normals() {
        for (planar, n) in
            [(true, Vector3::new(-0.6, 0.8, 0.0)), (false, Vector3::new(0.6, 0.0, 0.8))]
        {
            let R = upright(&n, planar);
            assert!((R.column(if planar { 1 } else { 2 }) - n).norm() < 1e-15);
            assert!((R.determinant() - 1.0).abs() < 1e-15);
        }
        assert_eq!(upright(&Vector3::y(), true), Matrix3::identity());
        assert_eq!(upright(&Vector3::z(), false), Matrix3::identity());
    }
}
