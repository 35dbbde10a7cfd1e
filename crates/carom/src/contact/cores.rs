//! Features as rounded polytopes and as ellipsoids.

use crate::geometry::{Polytope, Smooth};
use crate::model::{Feature, Shape};
use crate::spatial::Pose;
use nalgebra::Vector3;

/// The polytope that a feature is, if it is one.
pub fn polytope(feature: &Feature, planar: bool) -> Option<Polytope> {
    let ends = |half: f64| [Vector3::new(-half, 0.0, 0.0), Vector3::new(half, 0.0, 0.0)];
    let core = match &feature.shape {
        Shape::Point => Polytope::point(Vector3::zeros(), 0.0, planar),
        Shape::Sphere { radius } => Polytope::point(Vector3::zeros(), *radius, planar),
        Shape::Disk { radius } if planar => Polytope::point(Vector3::zeros(), *radius, planar),
        Shape::Capsule { radius, half_length } => {
            Polytope::segment(ends(*half_length), *radius, planar)
        }
        Shape::Box { half_extents: [a, b, _] } if planar => match (*a > 0.0, *b > 0.0) {
            (false, false) => Polytope::point(Vector3::zeros(), 0.0, true),
            (true, false) => Polytope::segment(ends(*a), 0.0, true),
            (false, true) => {
                Polytope::segment(ends(*b).map(|x| Vector3::new(0.0, x.x, 0.0)), 0.0, true)
            }
            _ => {
                let corner = |x, y| Vector3::new(x, y, 0.0);
                Polytope::polygon(
                    &[corner(-a, -b), corner(*a, -b), corner(*a, *b), corner(-a, *b)],
                    0.0,
                )
            }
        },
        Shape::Box { half_extents } => Polytope::cuboid(*half_extents, 0.0),
        Shape::Polygon { corners, rounding } if planar => {
            let corners: Vec<_> = corners.iter().map(|c| Vector3::new(c[0], c[1], 0.0)).collect();
            Polytope::polygon(&corners, *rounding)
        }
        Shape::Convex { hull, rounding } if !planar => {
            Polytope::new(hull.corners.clone(), &hull.faces, *rounding, false)
        }
        _ => return None,
    };
    Some(core.placed(&feature.placement))
}

/// The ellipsoid, or in the plane the ellipse, that a feature is, if it is one.
pub fn smooth(feature: &Feature, planar: bool) -> Option<Smooth> {
    let semi_axes = match feature.shape {
        Shape::Ellipse { semi_axes: [a, b] } if planar => Vector3::new(a, b, 0.0),
        Shape::Ellipsoid { semi_axes } if !planar => semi_axes.into(),
        _ => return None,
    };
    let Pose { R: axes, r: center } = feature.placement;
    Some(Smooth { center, axes, semi_axes, radius: 0.0, two_sided: false })
}
