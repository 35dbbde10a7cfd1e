//! Mechanisms that move in a plane.

use super::tree::LinkMotion;
use super::{Model, Shape};
use crate::numeric::thresholds::geometry::UPRIGHT;
use nalgebra::Vector3;

/// Whether everything moves in the x–y plane of the world: turns about z, shifts across it, and
/// planes that stand on it.
pub fn moves_in_plane(model: &Model) -> bool {
    // Axes in the world at q = 0: turns about z keep what is upright upright.
    let tree = model.tree();
    let mut z = Vec::with_capacity(tree.links.len());
    for link in &tree.links {
        let base = link.base.R;
        let frame = match z.get(link.parent) {
            Some(R) => R * base,
            None => base,
        };
        let upright = |v: Vector3<f64>| (v.z.abs() - 1.0).abs() < UPRIGHT;
        let holds = match link.motion {
            LinkMotion::Turn | LinkMotion::Planar => upright(frame.column(2).into()),
            LinkMotion::Shift(axis) => (frame * axis).z.abs() < UPRIGHT,
            LinkMotion::Ball | LinkMotion::Free => false,
        };
        if !holds {
            return false;
        }
        z.push(frame);
    }
    let grouped = model.groups().iter().flat_map(|group| group.features.iter().copied());
    model.pairs().iter().map(|pair| pair.a).chain(grouped).all(|id| {
        let feature = model.feature(id);
        // Of ground of the plane z stays z, of a half-space the normal is across it.
        let (axis, along) = match &feature.shape {
            Shape::Terrain { ground } if !ground.planar => return false,
            Shape::Terrain { .. } => (Vector3::z(), 1.0),
            Shape::HalfSpace { normal } => (normal.into_inner(), 0.0),
            _ => return true,
        };
        let n = feature.placement.R * axis;
        let seat = feature.body.map(|b| tree.seats[b.index()]);
        let n = match seat {
            Some(seat) => match z.get(seat.link) {
                Some(R) => R * (seat.pose.R * n),
                None => seat.pose.R * n,
            },
            None => n,
        };
        (n.z.abs() - along).abs() < UPRIGHT
    })
}
