//! Places where two primitives may touch, or a joint may meet its stop.
//!
//! A pair of features becomes one site or more. Against a half-space boxes and polytopes with few corners are their corners,
//! capsules their two end spheres, and the sites never change; polytopes with many corners touch it by those that are lowest; cylinders touch planes and all other shapes by parts that do. Two rounded polytopes ([`crate::geometry::Polytope`]) have as many sites as their
//! common polygon may have corners, one and an ellipsoid have one; which features a site stands for follows the motion
//! ([`super::PolytopePair`]), and a site that stands for none is [`SiteGeometry::Idle`].

use super::cores::{polytope, smooth};
use super::cylinders::cylinder_slots;
use super::polytope_pair::{MOST_SITES, many_corners, slots, smooth_pair};
use super::terrains::terrain_slots;
use crate::geometry::{HalfSpace, LinePair, LinePoint, Round, SmoothPair, Sphere, SpherePair};
use crate::model::moves_in_plane;
use crate::model::tree::WORLD;
use crate::model::{BodyId, Feature, Model, PairId, Resistance, Shape, Surface};
use nalgebra::Vector3;

/// The geometry of a site.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum SiteGeometry {
    /// A round shape, or a point, above a plane.
    OnPlane {
        /// The body that carries the plane; `None` is the world.
        plane_body: Option<BodyId>,
        /// The plane in its body.
        plane: HalfSpace,
        /// The body of the shape; `None` is the world.
        shape_body: Option<BodyId>,
        /// The shape in its body.
        shape: Round,
    },
    /// Two spheres.
    Spheres {
        /// The body of the first sphere; `None` is the world.
        a_body: Option<BodyId>,
        /// The body of the second sphere.
        b_body: Option<BodyId>,
        /// Both spheres in their bodies.
        spheres: SpherePair,
    },
    /// Two edges.
    Lines {
        /// The body of the first edge; `None` is the world.
        a_body: Option<BodyId>,
        /// The body of the second edge.
        b_body: Option<BodyId>,
        /// Both edges in their bodies.
        lines: LinePair,
    },
    /// An ellipsoid and an ellipsoid, a ball, a point or an edge.
    Smooth {
        /// The body of the first shape; `None` is the world.
        a_body: Option<BodyId>,
        /// The body of the second shape.
        b_body: Option<BodyId>,
        /// Both shapes in their bodies.
        pair: SmoothPair,
    },
    /// A rounded edge and a corner.
    LinePoint {
        /// The body of the edge; `None` is the world.
        line_body: Option<BodyId>,
        /// The body of the corner.
        point_body: Option<BodyId>,
        /// Edge and corner in their bodies.
        pair: LinePoint,
    },
    /// A site of two polytopes that stands for no features now: infinitely far apart.
    Idle {
        /// The body of the first shape; `None` is the world.
        a_body: Option<BodyId>,
        /// The body of the second shape.
        b_body: Option<BodyId>,
    },
    /// A joint at the end of its range: gap = side × (angle − bound).
    Limit {
        /// Degree of freedom.
        dof: usize,
        /// Its place in q.
        q: usize,
        /// +1 at the lower end, −1 at the upper.
        side: f64,
        /// The end of the range, rad or m.
        bound: f64,
    },
    /// Rolling (across the normal) or spinning (about it) friction of another site, bounded by its normal force.
    /// Impulses of contacts are forces at points: it takes no part in impacts.
    Moment {
        /// The place of that site.
        of: usize,
        /// First body; `None` is the world.
        a_body: Option<BodyId>,
        /// Second body.
        b_body: Option<BodyId>,
        /// Whether it is about the normal.
        spin: bool,
    },
    /// Dry friction of a joint: always closed, pressed by a constant force. Bounded, so that it has no impulse.
    JointFriction {
        /// Degree of freedom.
        dof: usize,
        /// Largest friction of the joint at rest, N·m or N; it stands for the normal force.
        limit: f64,
    },
}

/// A place where contact may happen.
#[derive(Debug, Clone, PartialEq)]
pub struct Site {
    /// Name of the pair, with a number where a pair has several sites.
    pub name: String,
    /// The pair; `None` for a joint limit and for a site of a group.
    pub pair: Option<PairId>,
    /// What touches what.
    pub geometry: SiteGeometry,
    /// Restitution and friction in force.
    pub surface: Surface,
    /// Number of tangents that carry friction: 2 in space, 1 in the plane, 0 without friction and at
    /// a joint limit.
    pub tangents: usize,
}

impl Site {
    /// First and second body; `None` is the world. A joint limit has none.
    pub fn bodies(&self) -> (Option<BodyId>, Option<BodyId>) {
        match &self.geometry {
            SiteGeometry::OnPlane { plane_body, shape_body, .. } => (*plane_body, *shape_body),
            SiteGeometry::Spheres { a_body, b_body, .. }
            | SiteGeometry::Lines { a_body, b_body, .. }
            | SiteGeometry::Smooth { a_body, b_body, .. }
            | SiteGeometry::Idle { a_body, b_body } => (*a_body, *b_body),
            SiteGeometry::LinePoint { line_body, point_body, .. } => (*line_body, *point_body),
            SiteGeometry::Moment { a_body, b_body, .. } => (*a_body, *b_body),
            SiteGeometry::Limit { .. } | SiteGeometry::JointFriction { .. } => (None, None),
        }
    }

    /// Whether it takes part in impacts.
    pub fn hits(&self) -> bool {
        !matches!(self.geometry, SiteGeometry::JointFriction { .. } | SiteGeometry::Moment { .. })
    }

    /// The place of the site whose normal force bounds this one.
    pub fn follows(&self) -> Option<usize> {
        match self.geometry {
            SiteGeometry::Moment { of, .. } => Some(of),
            _ => None,
        }
    }

    /// The normal force of a site that is pressed whatever happens.
    pub fn pressed_by(&self) -> Option<f64> {
        match self.geometry {
            SiteGeometry::JointFriction { limit, .. } => Some(limit),
            _ => None,
        }
    }

    /// The degree of freedom of a site that is a joint's own.
    pub fn joint(&self) -> Option<usize> {
        match self.geometry {
            SiteGeometry::Limit { dof, .. } | SiteGeometry::JointFriction { dof, .. } => Some(dof),
            _ => None,
        }
    }

    /// The moving links of the two bodies.
    pub fn links(&self, model: &Model) -> [Option<usize>; 2] {
        let (a, b) = self.bodies();
        [a, b].map(|body| {
            let link = model.tree().seats[body?.index()].link;
            (link != WORLD).then_some(link)
        })
    }
}

/// All sites of a model: pairs, joint limits, groups that are small enough to be written out, then what takes no part in
/// impacts.
pub fn sites(model: &Model) -> Vec<Site> {
    sites_in(model, if moves_in_plane(model) { 1 } else { 2 })
}

/// All sites of a model that is part of a planar mechanism (one tangent) or of a spatial one (two).
pub fn sites_in(model: &Model, tangents: usize) -> Vec<Site> {
    let mut all = Vec::new();
    for (index, pair) in model.pairs().iter().enumerate() {
        let (a, b) = (model.feature(pair.a), model.feature(pair.b));
        let geometries = geometries(a, b, tangents == 1);
        let several = geometries.len() > 1;
        for (k, geometry) in geometries.into_iter().enumerate() {
            let name = if several { format!("{}/{}", pair.name, k + 1) } else { pair.name.clone() };
            let pair_id = model.pair_id(index);
            // Without friction the tangents carry no force, so they are no rows.
            let tangents = if pair.surface.static_friction > 0.0 { tangents } else { 0 };
            all.push(Site { name, pair: Some(pair_id), geometry, surface: pair.surface, tangents });
        }
    }
    let mut moments = Vec::new();
    for (of, site) in all.iter().enumerate() {
        let by = site.pair.map_or(Resistance::default(), |pair| model.pair(pair).resistance);
        push_moments((of, site), by, tangents, &mut moments);
    }
    all.extend(limit_sites(model));
    for group in model.groups().iter().filter(|group| group.is_written_out()) {
        for (i, &a) in group.features.iter().enumerate() {
            for &b in &group.features[i + 1..] {
                let Some((a, b)) = group.pair(model, a, b) else { continue };
                let (fa, fb) = (model.feature(a), model.feature(b));
                let name = format!("{}:{}-{}", group.name, fb.name, fa.name);
                let first = all.len();
                push_sites(&name, (fa, fb), group.surface, tangents, &mut all);
                for (k, site) in all[first..].iter().enumerate() {
                    push_moments((first + k, site), group.resistance, tangents, &mut moments);
                }
            }
        }
    }
    // What follows another site comes last.
    all.extend(friction_sites(model));
    all.extend(moments);
    all
}

/// Rolling friction of a site at this place, and in space spinning friction; `tangents` is that of the mechanism.
pub(crate) fn push_moments(
    (of, site): (usize, &Site),
    by: Resistance,
    tangents: usize,
    moments: &mut Vec<Site>,
) {
    let (a_body, b_body) = site.bodies();
    for (spin, mu, word) in [(false, by.rolling, "rolling"), (true, by.spinning, "spinning")] {
        if mu > 0.0 && !(spin && tangents == 1) {
            moments.push(Site {
                name: if site.name.is_empty() {
                    String::new()
                } else {
                    format!("{}:{word}", site.name)
                },
                pair: None,
                geometry: SiteGeometry::Moment { of, a_body, b_body, spin },
                surface: Surface { restitution: 0.0, static_friction: mu, friction: mu },
                tangents: if spin { 1 } else { tangents },
            });
        }
    }
}

/// Joints with dry friction: μs = 1 of a normal force that is the friction at rest.
fn friction_sites(model: &Model) -> Vec<Site> {
    let names = model.v_names();
    let rough = model.coordinates().iter().enumerate().filter(|(_, c)| c.static_friction > 0.0);
    let site = |(dof, c): (usize, &crate::model::Coordinate)| Site {
        name: format!("{}:friction", names[dof]),
        pair: None,
        geometry: SiteGeometry::JointFriction { dof, limit: c.static_friction },
        surface: Surface {
            restitution: 0.0,
            static_friction: 1.0,
            friction: c.friction / c.static_friction,
        },
        tangents: 1,
    };
    rough.map(site).collect()
}

/// Append the sites of two features of a group; `tangents` is that of the mechanism.
pub(crate) fn push_sites(
    name: &str,
    (a, b): (&Feature, &Feature),
    surface: Surface,
    tangents: usize,
    all: &mut Vec<Site>,
) {
    let geometries = geometries(a, b, tangents == 1);
    let several = geometries.len() > 1;
    let tangents = if surface.static_friction > 0.0 { tangents } else { 0 };
    for (k, geometry) in geometries.into_iter().enumerate() {
        let name = if several { format!("{name}/{}", k + 1) } else { name.to_string() };
        all.push(Site { name, pair: None, geometry, surface, tangents });
    }
}

/// The sites of two features.
pub(super) fn geometries(a: &Feature, b: &Feature, planar: bool) -> Vec<SiteGeometry> {
    if let Some(slots) = cylinder_slots(a, b, planar).or_else(|| terrain_slots(a, b)) {
        return vec![SiteGeometry::Idle { a_body: a.body, b_body: b.body }; slots];
    }
    if many_corners(a, b, planar).is_some() {
        return vec![SiteGeometry::Idle { a_body: a.body, b_body: b.body }; MOST_SITES];
    }
    if let Shape::HalfSpace { normal } = a.shape {
        let normal = a.placement.R * normal.into_inner();
        let plane = HalfSpace::new(a.placement.r, normal, planar);
        let above =
            |shape| SiteGeometry::OnPlane { plane_body: a.body, plane, shape_body: b.body, shape };
        return rounds(b, planar).into_iter().map(above).collect();
    }
    let cored = |f: &Feature| f.shape.core_dimension(planar);
    if cored(a).zip(cored(b)).is_some_and(|(a, b)| a + b > 0)
        && let Some((pa, pb)) = polytope(a, planar).zip(polytope(b, planar))
    {
        let idle = SiteGeometry::Idle { a_body: a.body, b_body: b.body };
        return vec![idle; slots(&pa, &pb)];
    }
    let (a_body, b_body) = (a.body, b.body);
    if let Some(pair) = smooth_pair(a, b, planar) {
        return vec![SiteGeometry::Smooth { a_body, b_body, pair }];
    }
    if smooth(a, planar).is_some() || smooth(b, planar).is_some() {
        return vec![SiteGeometry::Idle { a_body, b_body }];
    }
    let sphere = |f: &Feature| Sphere { center: f.placement.r, radius: radius(&f.shape) };
    let spheres = SpherePair { a: sphere(a), b: sphere(b), planar };
    vec![SiteGeometry::Spheres { a_body: a.body, b_body: b.body, spheres }]
}

/// Radius of a round feature; a point has none.
fn radius(shape: &Shape) -> f64 {
    match shape {
        Shape::Sphere { radius } | Shape::Disk { radius } => *radius,
        _ => 0.0,
    }
}

/// The round shapes that stand for a feature. In the plane a disk is a sphere, and a box has the
/// corners of its middle section.
fn rounds(feature: &Feature, planar: bool) -> Vec<Round> {
    let at = |r: Vector3<f64>, semi_axes: [f64; 3]| {
        Round::new(feature.placement.point(&r), feature.placement.R, semi_axes.into())
    };
    let center = Vector3::zeros();
    match &feature.shape {
        Shape::Point | Shape::HalfSpace { .. } | Shape::Cylinder { .. } | Shape::Terrain { .. } => {
            vec![at(center, [0.0; 3])]
        }
        &Shape::Sphere { radius } | &Shape::Disk { radius } => vec![at(center, [radius; 3])],
        &Shape::Ellipse { semi_axes: [a, b] } => vec![at(center, [a, b, 0.0])],
        &Shape::Ellipsoid { semi_axes } => vec![at(center, semi_axes)],
        Shape::Polygon { corners, rounding } => {
            let corner = |c: &[f64; 2]| at(Vector3::new(c[0], c[1], 0.0), [*rounding; 3]);
            corners.iter().map(corner).collect()
        }
        Shape::Convex { hull, rounding } => {
            hull.corners.iter().map(|&c| at(c, [*rounding; 3])).collect()
        }
        &Shape::Capsule { radius, half_length } => {
            let end = |side: f64| at(Vector3::new(side * half_length, 0.0, 0.0), [radius; 3]);
            vec![end(-1.0), end(1.0)]
        }
        &Shape::Box { half_extents } => {
            corners(half_extents, planar).into_iter().map(|r| at(r, [0.0; 3])).collect()
        }
    }
}

/// Distinct corners of a box, x fastest.
fn corners(half: [f64; 3], planar: bool) -> Vec<Vector3<f64>> {
    let signs = |h: f64| if h > 0.0 { vec![-h, h] } else { vec![0.0] };
    let mut all = Vec::new();
    for z in if planar { vec![0.0] } else { signs(half[2]) } {
        for y in signs(half[1]) {
            for x in signs(half[0]) {
                all.push(Vector3::new(x, y, z));
            }
        }
    }
    all
}

fn limit_sites(model: &Model) -> Vec<Site> {
    let names = model.v_names();
    let mut all = Vec::new();
    for (dof, (c, q)) in model.coordinates().iter().zip(model.q_of_v()).enumerate() {
        let (Some(limits), Some(q)) = (c.limits, *q) else { continue };
        for (side, bound, end) in [(1.0, limits.lower, "lower"), (-1.0, limits.upper, "upper")] {
            if bound.is_finite() {
                let surface = Surface {
                    restitution: limits.restitution,
                    static_friction: 0.0,
                    friction: 0.0,
                };
                all.push(Site {
                    name: format!("{}:{end}", names[dof]),
                    pair: None,
                    geometry: SiteGeometry::Limit { dof, q, side, bound },
                    surface,
                    tangents: 0,
                });
            }
        }
    }
    all
}
