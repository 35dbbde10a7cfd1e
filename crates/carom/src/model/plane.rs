//! Mechanisms that move in a plane.

use super::tree::LinkMotion;
use super::{Feature, Model, Shape};
use crate::numeric::thresholds::geometry::UPRIGHT;
use nalgebra::Matrix3;

/// Whether everything moves and touches in the x–y plane of the world: turns about z, shifts across it, planes that stand on it, and
/// shapes whose sections there are what meets: no cylinders, hulls and ellipsoids, no boxes, capsules, disks and ellipses that lean. A part of a
/// mechanism is of the plane if the whole is.
pub fn moves_in_plane(model: &Model) -> bool {
    model.flat
}

/// Whether all shapes that may touch are of the plane of a mechanism whose joints are.
pub(super) fn has_plane_shapes(model: &Model) -> bool {
    // Axes in the world at q = 0: turns about z keep what is upright upright.
    let tree = model.tree();
    let mut frames: Vec<Matrix3<f64>> = Vec::with_capacity(tree.links.len());
    for link in &tree.links {
        frames.push(frames.get(link.parent).map_or(link.base.R, |R| R * link.base.R));
    }
    let rotation = |feature: &Feature| {
        let seat = feature.body.map(|b| tree.seats[b.index()]);
        let of_seat = |seat: super::tree::Seat| {
            frames.get(seat.link).map_or(seat.pose.R, |R| R * seat.pose.R)
        };
        seat.map_or_else(Matrix3::identity, of_seat) * feature.placement.R
    };
    let half_space = |f: &Feature| matches!(f.shape, Shape::HalfSpace { .. });
    // A planar joint says that the plane is meant: what has no section there is then refused, not met in space.
    let meant = tree.links.iter().any(|link| matches!(link.motion, LinkMotion::Planar));
    // The normal of a half-space is across z, and of ground of the plane, disks and ellipses z stays z.
    let upright = |f: &Feature| match &f.shape {
        Shape::HalfSpace { normal } => (rotation(f) * normal.into_inner()).z.abs() < UPRIGHT,
        Shape::Terrain { ground } => {
            ground.planar && (rotation(f)[(2, 2)].abs() - 1.0).abs() < UPRIGHT
        }
        Shape::Disk { .. } | Shape::Ellipse { .. } => {
            meant || (rotation(f)[(2, 2)].abs() - 1.0).abs() < UPRIGHT
        }
        _ => true,
    };
    let flat = |f: &Feature| match f.shape {
        _ if meant => true,
        Shape::Cylinder { .. } | Shape::Convex { .. } | Shape::Ellipsoid { .. } => false,
        Shape::Box { .. } => (rotation(f)[(2, 2)].abs() - 1.0).abs() < UPRIGHT,
        Shape::Capsule { .. } => rotation(f)[(2, 0)].abs() < UPRIGHT,
        _ => true,
    };
    let feature = |id: &super::FeatureId| model.feature(*id);
    model.groups().iter().all(|group| {
        let all = || group.features.iter().map(feature);
        let solids = || all().filter(|f| !half_space(f));
        all().all(upright) && (solids().count() < 2 || solids().all(flat))
    }) && model.pairs().iter().all(|pair| {
        let (a, b) = (model.feature(pair.a), model.feature(pair.b));
        upright(a) && upright(b) && (half_space(a) || half_space(b) || flat(a) && flat(b))
    })
}
