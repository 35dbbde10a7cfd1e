//! Features of a model as shapes to draw.
//!
//! A model keeps what may touch: a rod is a box without width, a cylinder its two rims, named
//! `NAME.top` and `NAME.bottom`. Here they become a rod and a cylinder again.

use super::{Drawn, Form, Outline};
use carom::model::{Feature, Hull, Shape};
use carom::spatial::Pose;
use nalgebra::{Matrix3, Vector3};

/// Names of the rims of a cylinder end so.
const RIMS: [&str; 2] = [".top", ".bottom"];

/// The shapes of some features of one body, in their order.
pub(super) fn solids<'a>(features: impl Iterator<Item = &'a Feature>, planar: bool) -> Vec<Drawn> {
    let features: Vec<&Feature> = features.collect();
    let mut drawn = Vec::new();
    let mut used = vec![false; features.len()];
    for (i, feature) in features.iter().enumerate() {
        if used[i] {
            continue;
        }
        let other = (i + 1..features.len()).find_map(|j| {
            Some((j, cylinder(feature, features[j]).or_else(|| cylinder(features[j], feature))?))
        });
        match other {
            Some((j, solid)) => {
                used[j] = true;
                drawn.push(solid);
            }
            None => drawn.push(single(feature, planar)),
        }
    }
    drawn
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
        Shape::HalfSpace { .. } => Form::Plane,
        // Drawn by its outline.
        Shape::Polygon { .. } | Shape::Convex { .. } => Form::Point,
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

/// The cylinder between two rims that face each other, if they are that.
fn cylinder(top: &Feature, bottom: &Feature) -> Option<Drawn> {
    let name = top.name.strip_suffix(RIMS[0])?;
    if bottom.name.strip_suffix(RIMS[1])? != name {
        return None;
    }
    let (&Shape::Disk { radius }, &Shape::Disk { radius: same }) = (&top.shape, &bottom.shape)
    else {
        return None;
    };
    let (a, b) = (&top.placement, &bottom.placement);
    let axis = a.r - b.r;
    let length = axis.norm();
    let straight = a.R == b.R && (a.R.column(2) * length - axis).norm() <= 1e-9 * length;
    if radius != same || !straight {
        return None;
    }
    let pose = Pose::new(a.R, (a.r + b.r) * 0.5);
    Some(Drawn { name: name.into(), pose, form: Form::Cylinder { radius, length } })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn rim(name: &str, z: f64) -> Feature {
        Feature {
            name: name.into(),
            body: None,
            placement: Pose::translation(Vector3::new(1.0, 0.0, z)),
            shape: Shape::Disk { radius: 0.2 },
        }
    }

    #[test]
    fn two_rims_are_a_cylinder() {
        let rims = [rim("can.top", 0.8), rim("can.bottom", 0.2)];
        let drawn = solids(rims.iter(), false);
        assert_eq!(drawn.len(), 1);
        assert_eq!(drawn[0].name, "can");
        assert_eq!(drawn[0].pose.r, Vector3::new(1.0, 0.0, 0.5));
        let Form::Cylinder { radius, length } = drawn[0].form else { panic!("{drawn:?}") };
        assert!(radius == 0.2 && (length - 0.6).abs() < 1e-15);
    }

    #[test]
    fn rims_of_two_cans_stay_disks() {
        let rims = [rim("can.top", 0.8), rim("tin.bottom", 0.2)];
        let drawn = solids(rims.iter(), false);
        assert_eq!(drawn.len(), 2);
        assert!(drawn.iter().all(|d| matches!(d.form, Form::Disk { .. })));
    }

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
