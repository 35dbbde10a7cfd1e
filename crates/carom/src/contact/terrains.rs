//! Pairs of ground and a shape: their sites.

use super::cores::{polytope, smooth};
use super::cylinders::{bounds, convex, geometry_of};
use super::polytope_pair::{MOST_SITES, PolytopePair};
use super::site::SiteGeometry;
use crate::geometry::{
    Convex, Features, HalfSpace, Line, LinePair, LinePoint, Polytope, Round, Sphere, SpherePair,
    TerrainPair,
};
use crate::model::{BodyId, Feature, Shape};
use crate::numeric::thresholds::EXTENT;
use nalgebra::{Matrix3, Vector3};

/// Ground and a shape; none for other pairs.
fn terrain(a: &Feature, b: &Feature) -> Option<TerrainPair> {
    let Shape::Terrain { ground } = &a.shape else { return None };
    let planar = ground.planar;
    let shapes = match polytope(b, planar) {
        Some(shape) => (shape, None),
        None => {
            let ellipse = smooth(b, planar).map(Convex::Smooth);
            let round = ellipse.or_else(|| convex(b, planar).filter(|_| !planar))?;
            (bounds(&round), Some(round))
        }
    };
    let size = if shapes.0.reach > 0.0 { shapes.0.reach } else { ground.size };
    Some(TerrainPair::new(ground.clone(), a.placement, shapes, EXTENT * size))
}

/// Number of sites of a pair of ground and a shape; none for other pairs.
pub(super) fn terrain_slots(a: &Feature, b: &Feature) -> Option<usize> {
    terrain(a, b).map(|pair| pair.slots(MOST_SITES))
}

/// The pair of ground and a shape; none for other pairs.
pub(super) fn terrain_pair(
    (a, b): (&Feature, &Feature),
    first: usize,
    count: usize,
) -> Option<PolytopePair> {
    let pair = terrain(a, b)?;
    let (middle, reach) = pair.ground.ball();
    let mut bounds = Polytope::point(a.placement.point(&middle), 0.0, pair.ground.planar);
    bounds.reach = reach;
    // What has no width of its own meets nothing narrower than the least edge.
    if pair.shape.width == 0.0 {
        bounds.width = pair.ground.least_edge();
    }
    let mut all = PolytopePair::new([a.body, b.body], [bounds, pair.shape.clone()], first, count);
    all.size = if pair.shape.reach > 0.0 { pair.shape.reach } else { pair.ground.size };
    all.terrain = Some(pair);
    Some(all)
}

/// What a site stands for.
pub(super) fn site_of(
    pair: &TerrainPair,
    features: Features,
    [a_body, b_body]: [Option<BodyId>; 2],
) -> SiteGeometry {
    let (ground, shape) = (&pair.ground, &pair.shape);
    let point = |k: usize| pair.placement.point(&ground.points[k]);
    let tip = |k: usize| pair.placement.point(&ground.corner(k));
    let round =
        |x: Vector3<f64>, radius: f64| Round::new(x, Matrix3::identity(), Vector3::repeat(radius));
    let ridge = |k: usize| {
        let [start, end] = ground.ridges[k].ends.map(point);
        Line { start, along: (end - start).normalize(), radius: 0.0 }
    };
    let edge = |k: usize| {
        let [start, end] = shape.edges[k].ends.map(|i| shape.vertices[i]);
        Line { start, along: (end - start).normalize(), radius: shape.radius }
    };
    match features {
        Features::FaceCorner { face, corner } => {
            let flat = &ground.faces[face];
            let (p, n) = (pair.placement.point(&flat.point), pair.placement.R * flat.normal);
            let plane = HalfSpace::new(p, n, ground.planar);
            let shape = round(shape.vertices[corner], shape.radius);
            SiteGeometry::OnPlane { plane_body: a_body, plane, shape_body: b_body, shape }
        }
        Features::CornerFace { corner, face } => {
            let plane = shape.faces[face].plane;
            let shape = round(tip(corner), 0.0);
            SiteGeometry::OnPlane { plane_body: b_body, plane, shape_body: a_body, shape }
        }
        Features::Edges { a, b, positive } => {
            let side = if positive { 1.0 } else { -1.0 };
            let lines = LinePair { a: ridge(a), b: edge(b), side };
            SiteGeometry::Lines { a_body, b_body, lines }
        }
        Features::EdgeCorner { edge, corner } => {
            let (point, radius) = (shape.vertices[corner], shape.radius);
            let pair = LinePoint { line: ridge(edge), point, radius };
            SiteGeometry::LinePoint { line_body: a_body, point_body: b_body, pair }
        }
        Features::CornerEdge { corner, edge: k } => {
            let pair = LinePoint { line: edge(k), point: tip(corner), radius: 0.0 };
            SiteGeometry::LinePoint { line_body: b_body, point_body: a_body, pair }
        }
        Features::Corners { a, b } => {
            let spheres = SpherePair {
                a: Sphere { center: tip(a), radius: 0.0 },
                b: Sphere { center: shape.vertices[b], radius: shape.radius },
                planar: ground.planar,
            };
            SiteGeometry::Spheres { a_body, b_body, spheres }
        }
        Features::Parts { a, b, positive } => {
            geometry_of(pair.meeting([a, b], positive, &pair.placement), [a_body, b_body])
        }
    }
}
