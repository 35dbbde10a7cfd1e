//! Pairs of a cylinder, or a disk or flat ellipse of space, and another shape: which shapes they are, and the geometry of their sites.

use super::cores::{polytope, smooth};
use super::polytope_pair::PolytopePair;
use super::site::SiteGeometry;
use crate::geometry::{
    Approach, BodyMotion, Convex, Cylinder, CylinderPair, Features, HalfSpace, Meeting, Polytope,
};
use crate::model::{BodyId, Feature, Shape};
use crate::numeric::thresholds::EXTENT;
use nalgebra::Vector3;

/// A feature as a convex shape of space; the tangents of a half-space may be those of the plane.
pub(super) fn convex(feature: &Feature, planar: bool) -> Option<Convex> {
    match feature.shape {
        Shape::Cylinder { radius, half_length } => {
            Some(Convex::Cylinder(Cylinder::new(&feature.placement, radius, half_length)))
        }
        Shape::Disk { radius } if !planar => {
            Some(Convex::Cylinder(Cylinder::flat(&feature.placement, [radius; 2])))
        }
        Shape::Ellipse { semi_axes } if !planar => {
            Some(Convex::Cylinder(Cylinder::flat(&feature.placement, semi_axes)))
        }
        Shape::HalfSpace { normal } => {
            let normal = feature.placement.R * normal.into_inner();
            Some(Convex::HalfSpace(HalfSpace::new(feature.placement.r, normal, planar)))
        }
        _ => smooth(feature, false)
            .map(Convex::Smooth)
            .or_else(|| polytope(feature, false).map(Convex::Polytope)),
    }
}

/// Least extent of a cylinder; that of what is flat is across its axis: half-spaces and ground are deep.
fn width(c: &Cylinder) -> f64 {
    2.0 * if c.rims() == 1 { c.least_radius() } else { c.radius.min(c.half_length) }
}

/// A ball and a box around a shape, and its width, as a polytope; that around a half-space is as large as space.
pub(super) fn bounds(shape: &Convex) -> Polytope {
    let (center, reach, half, width) = match shape {
        Convex::Polytope(p) => (p.center, p.reach, p.half, p.width),
        Convex::Cylinder(c) => (c.center, c.reach(), c.half_extents(), width(c)),
        Convex::Smooth(s) => (s.center, s.size(), s.half_extents(), 2.0 * s.least()),
        Convex::HalfSpace(plane) => {
            (plane.point, f64::INFINITY, Vector3::repeat(f64::INFINITY), 0.0)
        }
    };
    let mut ball = Polytope::point(center, 0.0, false);
    (ball.reach, ball.half, ball.width) = (reach, half, width);
    ball
}

/// The shapes of a pair of which one at least is a cylinder, and their bounds. Beside a shape that may be thin, what is flat has no
/// width: the other one decides how deep they overlap.
fn shapes(a: &Feature, b: &Feature, planar: bool) -> Option<(CylinderPair, [Polytope; 2])> {
    let cylinder = |f: &Feature| match f.shape {
        Shape::Cylinder { .. } => true,
        Shape::Disk { .. } | Shape::Ellipse { .. } => !planar,
        _ => false,
    };
    if !(cylinder(a) || cylinder(b)) {
        return None;
    }
    let shapes = [convex(a, planar)?, convex(b, planar)?];
    let mut bounds = [bounds(&shapes[0]), bounds(&shapes[1])];
    if !shapes.iter().any(|s| matches!(s, Convex::HalfSpace(_))) {
        for (shape, bounds) in shapes.iter().zip(&mut bounds) {
            let flat = shape.cylinder().is_some_and(|c| c.rims() == 1);
            bounds.width = if flat { 0.0 } else { bounds.width };
        }
    }
    let size = bounds.iter().map(|s| s.reach).filter(|r| *r > 0.0).fold(f64::MAX, f64::min);
    Some((CylinderPair::new(shapes, size, EXTENT * size), bounds))
}

/// Number of sites of a pair of a cylinder and another shape; none for other pairs.
pub(super) fn cylinder_slots(a: &Feature, b: &Feature, planar: bool) -> Option<usize> {
    shapes(a, b, planar).map(|(pair, _)| pair.slots())
}

/// The pair of a cylinder and another shape; none for other pairs.
pub(super) fn cylinder_pair(
    (a, b): (&Feature, &Feature),
    planar: bool,
    first: usize,
    count: usize,
) -> Option<PolytopePair> {
    let (cylinder, bounds) = shapes(a, b, planar)?;
    let mut pair = PolytopePair::new([a.body, b.body], bounds, first, count);
    pair.cylinder = Some(cylinder);
    Some(pair)
}

/// What a site stands for.
pub(super) fn site_of(
    pair: &CylinderPair,
    features: Features,
    bodies: [Option<BodyId>; 2],
) -> SiteGeometry {
    geometry_of(pair.meeting(features), bodies)
}

/// The geometry of a site where two parts meet, if they do, perhaps in the other order.
pub(super) fn geometry_of(
    meeting: Option<(Meeting, bool)>,
    [a, b]: [Option<BodyId>; 2],
) -> SiteGeometry {
    let Some((meeting, turned)) = meeting else {
        return SiteGeometry::Idle { a_body: a, b_body: b };
    };
    let (a_body, b_body) = if turned { (b, a) } else { (a, b) };
    match meeting {
        Meeting::OnPlane(plane, shape) => {
            SiteGeometry::OnPlane { plane_body: a_body, plane, shape_body: b_body, shape }
        }
        Meeting::Spheres(spheres) => SiteGeometry::Spheres { a_body, b_body, spheres },
        Meeting::Lines(lines) => SiteGeometry::Lines { a_body, b_body, lines },
        Meeting::LinePoint(pair) => {
            SiteGeometry::LinePoint { line_body: a_body, point_body: b_body, pair }
        }
        Meeting::Smooth(pair) => SiteGeometry::Smooth { a_body, b_body, pair },
    }
}

/// Gap and rate of some features.
pub(super) fn approach_of(
    pair: &CylinderPair,
    features: Features,
    [a, b]: [&BodyMotion; 2],
) -> Approach {
    match pair.meeting(features) {
        Some((meeting, false)) => meeting.approach(a, b),
        Some((meeting, true)) => meeting.approach(b, a),
        None => Approach { gap: f64::INFINITY, rate: 0.0 },
    }
}
