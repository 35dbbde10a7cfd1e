//! Two rounded polytopes that may touch, and the sites that stand for their features.
//!
//! The number of sites of a pair never changes; what changes is which features each stands for. A site keeps its
//! features as long as they are among those of the pair's manifold, so that forces and modes stay with the corner
//! that they belong to.
//!
//! # Rule
//! When features are assigned anew,
//! 1. sites whose features are found again keep them;
//! 2. closed sites whose features are not found, but whose nearest points are inside of them, keep them too;
//! 3. other sites are given the features that are left, those of the smallest gap first; a closed one hands its mode to
//!    a new site that touches.
//!
//! δ is [`EXTENT`] of the size of the pair: features reach this far beyond their ends, so that a corner that sits on
//! an edge belongs to the face beside it.
//!
//! # Tests
//! `tests/polytopes.rs`.

use super::cores::{polytope, smooth};
use super::cylinders::{approach_of, cylinder_pair, site_of};
use super::site::{SiteGeometry, geometries};
use super::site_state::body_twist;
use super::terrains;
use crate::dynamics::Kinematics;
use crate::geometry::{
    Approach, BodyMotion, Convex, CornersOnPlane, CylinderPair, Features, HalfSpace, Line,
    LinePair, LinePoint, Placed, Polytope, Round, Search, Separation, Smooth, SmoothPair, Sphere,
    SpherePair, TerrainPair, extent, manifold, place, separation, smooth_extent, smooth_feature,
    smooth_separation,
};
use crate::model::{BodyId, ContactPair, Feature, Model, Shape, moves_in_plane};
use crate::numeric::thresholds::EXTENT;
use nalgebra::{Matrix3, Vector3};

/// Most sites of one pair.
pub(super) const MOST_SITES: usize = 16;

/// Gap up to which the features of a pair are watched one by one, a fraction of its size.
pub const NEAR: f64 = 0.05;

/// How many sites a pair needs: two ends of a segment in the plane, the corners of a polygon in space.
pub fn slots(a: &Polytope, b: &Polytope) -> usize {
    if a.dimension == 0 || b.dimension == 0 {
        return 1;
    }
    if a.planar || a.dimension == 1 && b.dimension == 1 {
        return 2;
    }
    (a.widest() + b.widest()).min(MOST_SITES)
}

/// A half-space and a polytope with more corners than a pair has sites; none for other pairs.
pub(super) fn many_corners(
    a: &Feature,
    b: &Feature,
    planar: bool,
) -> Option<(HalfSpace, Polytope)> {
    let Shape::HalfSpace { normal } = a.shape else { return None };
    let shape = polytope(b, planar).filter(|shape| shape.vertices.len() > MOST_SITES)?;
    let normal = a.placement.R * normal.into_inner();
    Some((HalfSpace::new(a.placement.r, normal, planar), shape))
}

/// A pair of rounded polytopes, or of one and an ellipsoid, with its sites.
#[derive(Debug, Clone)]
pub struct PolytopePair {
    /// The bodies; `None` is the world.
    pub bodies: [Option<BodyId>; 2],
    /// Both shapes in their bodies; in the place of an ellipsoid its centre and its bounds.
    pub shapes: [Polytope; 2],
    /// The second shape, if it is an ellipsoid.
    pub smooth: Option<Smooth>,
    /// Both shapes, if one is a cylinder; `shapes` are balls around them then.
    pub cylinder: Option<CylinderPair>,
    /// Both shapes, if the first is ground; `shapes` are a ball around it and the second shape then.
    pub terrain: Option<TerrainPair>,
    /// The half-space, if the first shape is one and the second has many corners; the first of `shapes` is as large as space
    /// then.
    pub on_plane: Option<CornersOnPlane>,
    /// Its first site.
    pub first: usize,
    /// What each site stands for.
    pub features: Vec<Option<Features>>,
    /// Size of the smaller shape, m.
    pub size: f64,
    x: [Vec<Vector3<f64>>; 2],
    search: Search,
    /// The nearest features of a polytope and an ellipsoid when they were last looked for.
    hint: Option<Features>,
    /// The axis of the features that were nearest last, in the axes of the first body, from it to the second.
    axis: Option<Vector3<f64>>,
    /// Which site told most of the margin last.
    teller: usize,
    found: Vec<(Features, Vector3<f64>)>,
}

/// The pairs of polytopes among the pairs and written-out groups of a model, in the order of their sites.
pub fn polytope_pairs(model: &Model, sites: &[super::Site]) -> Vec<PolytopePair> {
    let planar = moves_in_plane(model);
    let mut all: Vec<PolytopePair> = Vec::new();
    // Sites come in the order of the pairs. Those of a part of a mechanism know the pair of the whole, if there is one.
    let mut first = 0;
    for pair in model.pairs() {
        let (a, b) = (model.feature(pair.a), model.feature(pair.b));
        let count = match sites[first].pair {
            Some(id) => sites[first..].iter().take_while(|s| s.pair == Some(id)).count(),
            None => geometries(a, b, planar).len(),
        };
        if matches!(sites[first].geometry, SiteGeometry::Idle { .. }) {
            all.extend(PolytopePair::of((a, b), planar, first, count));
        }
        first += count;
    }
    let limit = |s: &super::Site| matches!(s.geometry, SiteGeometry::Limit { .. });
    let mut first = sites.iter().take_while(|s| s.pair.is_some() || limit(s)).count();
    for group in model.groups().iter().filter(|group| group.is_written_out()) {
        for (i, &a) in group.features.iter().enumerate() {
            for &b in &group.features[i + 1..] {
                let Some((a, b)) = group.pair(model, a, b) else { continue };
                let (a, b) = (model.feature(a), model.feature(b));
                let count = geometries(a, b, planar).len();
                if matches!(sites[first].geometry, SiteGeometry::Idle { .. }) {
                    all.extend(PolytopePair::of((a, b), planar, first, count));
                }
                first += count;
            }
        }
    }
    all
}

/// Two shapes with one common normal: ellipsoids, or one and a ball or a point; none for others.
pub fn smooth_pair(a: &Feature, b: &Feature, planar: bool) -> Option<SmoothPair> {
    let ball = |f: &Feature| {
        let core = polytope(f, planar).filter(|p| p.dimension == 0)?;
        Some(Smooth::ball(core.vertices[0], core.radius))
    };
    let (sa, sb) = (smooth(a, planar), smooth(b, planar));
    if sa.is_none() && sb.is_none() {
        return None;
    }
    let (a, b) = (sa.or_else(|| ball(a))?, sb.or_else(|| ball(b))?);
    Some(SmoothPair { a, b, edge: None, planar })
}

/// The separation of a pair in a posture, if its features are polytopes or ellipsoids, m.
pub fn polytope_gap(model: &Model, kin: &Kinematics, pair: &ContactPair) -> Option<f64> {
    let planar = moves_in_plane(model);
    let (a, b) = (model.feature(pair.a), model.feature(pair.b));
    let motion = |body: Option<BodyId>| body_twist(model, kin, body);
    if let Some(pair) = smooth_pair(a, b, planar) {
        return Some(pair.approach(&motion(a.body), &motion(b.body)).gap);
    }
    let mut pair = PolytopePair::of((a, b), planar, 0, 0)?;
    let [ma, mb] = pair.bodies.map(motion);
    Some(pair.overlap(&ma, &mb))
}

impl PolytopePair {
    /// Of two polytopes, of one and an ellipsoid, which comes second, or of a cylinder and any shape; none for others.
    pub fn of(
        (a, b): (&Feature, &Feature),
        planar: bool,
        first: usize,
        count: usize,
    ) -> Option<Self> {
        if let Some(pair) = cylinder_pair((a, b), planar, first, count) {
            return Some(pair);
        }
        if let Some(pair) = terrains::terrain_pair((a, b), first, count) {
            return Some(pair);
        }
        if let Some((plane, shape)) = many_corners(a, b, planar) {
            let mut space = Polytope::point(plane.point, 0.0, planar);
            space.reach = f64::INFINITY;
            let mut pair = Self::new([a.body, b.body], [space, shape], first, count);
            pair.on_plane = Some(CornersOnPlane::new(plane));
            return Some(pair);
        }
        let (a, b) = if smooth(a, planar).is_some() { (b, a) } else { (a, b) };
        let core = polytope(a, planar)?;
        let Some(round) = smooth(b, planar) else {
            let other = polytope(b, planar)?;
            return Some(Self::new([a.body, b.body], [core, other], first, count));
        };
        let mut bounds = Polytope::point(round.center, 0.0, planar);
        bounds.reach = round.size();
        bounds.half = round.half_extents();
        let axes = round.semi_axes.iter().copied().filter(|a| *a > 0.0);
        bounds.width = 2.0 * axes.fold(f64::INFINITY, f64::min);
        let mut pair = Self::new([a.body, b.body], [core, bounds], first, count);
        pair.smooth = Some(round);
        Some(pair)
    }

    pub(super) fn new(
        bodies: [Option<BodyId>; 2],
        shapes: [Polytope; 2],
        first: usize,
        count: usize,
    ) -> Self {
        let size = shapes.iter().map(|s| s.reach).filter(|r| *r > 0.0).fold(f64::MAX, f64::min);
        let x = [0, 1].map(|k| Vec::with_capacity(shapes[k].vertices.len()));
        let found = Vec::with_capacity(4 * MOST_SITES);
        let features = vec![None; count];
        let (smooth, cylinder, terrain, on_plane, hint) = (None, None, None, None, None);
        let search = Search::default();
        Self {
            bodies,
            shapes,
            smooth,
            cylinder,
            terrain,
            on_plane,
            first,
            features,
            size,
            x,
            search,
            hint,
            axis: None,
            teller: 0,
            found,
        }
    }

    /// Assign features to sites as if none had any before.
    pub fn assign_anew(
        &mut self,
        motions: (&BodyMotion, &BodyMotion),
        changed: impl FnMut(usize, SiteGeometry),
    ) -> Separation {
        self.features.fill(None);
        self.assign(motions, (|_| false, true), changed)
    }

    /// Its sites.
    pub fn sites(&self) -> std::ops::Range<usize> {
        self.first..self.first + self.features.len()
    }

    /// How far beyond its end a feature reaches, m.
    pub fn delta(&self) -> f64 {
        EXTENT * self.size
    }

    /// The first shape, if it is a half-space.
    fn plane(&self) -> Option<&HalfSpace> {
        match self.cylinder.as_ref().map(|pair| &pair.shapes[0]) {
            Some(Convex::HalfSpace(plane)) => Some(plane),
            _ => self.on_plane.as_ref().map(|pair| &pair.plane),
        }
    }

    /// Height of the ball around the second shape over the first, if that is a half-space, and its rate.
    fn over_plane(&self, a: &BodyMotion, b: &BodyMotion) -> Option<Approach> {
        let plane = self.plane()?;
        let n = a.R * plane.normal;
        let c = b.place(&self.shapes[1].center);
        let gap = n.dot(&(c - a.place(&plane.point))) - self.shapes[1].reach;
        Some(Approach { gap, rate: n.dot(&(b.velocity(&c) - a.velocity(&c))) })
    }

    /// A lower bound of the gap by balls around the shapes, m.
    pub fn apart(&self, a: &BodyMotion, b: &BodyMotion) -> f64 {
        if let Some(over) = self.over_plane(a, b) {
            return over.gap;
        }
        if let Some(pair) = &self.terrain {
            return pair.apart([a, b]).0;
        }
        let [sa, sb] = &self.shapes;
        (b.place(&sb.center) - a.place(&sa.center)).norm() - sa.reach - sb.reach
    }

    /// A lower bound of the gap by boxes around the shapes too, m, and where that is below `enough` along the axis of the features that
    /// were nearest last, in the axes of the first body now.
    pub fn surely_apart(&mut self, a: &BodyMotion, b: &BodyMotion, enough: f64) -> f64 {
        let boxes = self.boxes_apart(a, b);
        let along = self.axis.filter(|_| boxes < enough);
        along.map_or(boxes, |n| boxes.max(self.apart_along(n, a, b)))
    }

    /// How far the shapes are apart along n, in the axes of the first body, m: min n·x_B − max n·x_A − r.
    fn apart_along(&mut self, n: Vector3<f64>, a: &BodyMotion, b: &BodyMotion) -> f64 {
        let world = a.R * n;
        if let Some(pair) = &mut self.cylinder {
            return pair.apart_along(&world, [a, b]);
        }
        let [sa, sb] = &self.shapes;
        let top = sa.vertices.iter().fold(f64::NEG_INFINITY, |m, x| m.max(n.dot(x)));
        let n = b.R.tr_mul(&world);
        let bottom = sb.vertices.iter().fold(f64::INFINITY, |m, x| m.min(n.dot(x)));
        world.dot(&(b.r - a.r)) + bottom - top - sa.radius - sb.radius
    }

    /// The axis of some features, in the axes of the first body; none of rounded edges and corners.
    fn axis_of(&self, features: Features, a: &BodyMotion, b: &BodyMotion) -> Option<Vector3<f64>> {
        let [sa, sb] = &self.shapes;
        let turned = |n: Vector3<f64>| a.R.tr_mul(&(b.R * n));
        match features {
            Features::FaceCorner { face, .. } => Some(sa.faces[face].plane.normal),
            Features::CornerFace { face, .. } => Some(-turned(sb.faces[face].plane.normal)),
            Features::Edges { a: i, b: j, positive } => {
                let m = line(sa, i).along.cross(&turned(line(sb, j).along)).normalize();
                Some(if positive { m } else { -m })
            }
            _ => None,
        }
    }

    /// A lower bound of the gap by balls and boxes, m. Along an axis n of either body boxes of half extents e with their
    /// centres d apart are |n·d| − Σ|n·aᵢ|eᵢ − Σ|n·bᵢ|eᵢ apart, and over a plane n·d − Σ|n·bᵢ|eᵢ.
    fn boxes_apart(&self, a: &BodyMotion, b: &BodyMotion) -> f64 {
        let balls = self.apart(a, b);
        let [sa, sb] = &self.shapes;
        if self.terrain.is_some() {
            return balls;
        }
        if let Some(plane) = self.plane() {
            let n = a.R * plane.normal;
            let d = b.place(&sb.center) - a.place(&plane.point);
            return balls.max(n.dot(&d) - b.R.tr_mul(&n).abs().dot(&sb.half));
        }
        let d = b.place(&sb.center) - a.place(&sa.center);
        let C = a.R.tr_mul(&b.R).abs();
        let along_a = a.R.tr_mul(&d).abs() - sa.half - C * sb.half;
        let along_b = b.R.tr_mul(&d).abs() - sb.half - C.tr_mul(&sa.half);
        balls.max(along_a.max()).max(along_b.max())
    }

    /// A bound of the speed at which points of the two shapes approach each other, m/s.
    pub fn closing_speed(&self, a: &BodyMotion, b: &BodyMotion) -> f64 {
        let [sa, sb] = &self.shapes;
        if sa.reach.is_infinite() {
            // The relative motion at the centre of the second shape, and its turn.
            let c = b.place(&sb.center);
            return (b.velocity(&c) - a.velocity(&c)).norm() + (b.w - a.w).norm() * sb.reach;
        }
        let ca = a.velocity(&a.place(&sa.center));
        let cb = b.velocity(&b.place(&sb.center));
        (cb - ca).norm() + a.w.norm() * sa.reach + b.w.norm() * sb.reach
    }

    fn place(&mut self, a: &BodyMotion, b: &BodyMotion) {
        let [xa, xb] = &mut self.x;
        place(&self.shapes[0], a, xa);
        place(&self.shapes[1], b, xb);
    }

    fn placed<'p>(&'p self, a: &'p BodyMotion, b: &'p BodyMotion) -> [Placed<'p>; 2] {
        let [sa, sb] = &self.shapes;
        [
            Placed { shape: sa, motion: a, x: &self.x[0] },
            Placed { shape: sb, motion: b, x: &self.x[1] },
        ]
    }

    /// Separation and nearest features.
    pub fn separation(&mut self, a: &BodyMotion, b: &BodyMotion) -> Separation {
        if let Some(pair) = &mut self.cylinder {
            let found = pair.separation([a, b]);
            // A half-space has one axis, and its bound by boxes is along it.
            if !matches!(pair.shapes[0], Convex::HalfSpace(_)) {
                self.axis = pair.axis(found.features, [a, b]).or(self.axis);
            }
            return found;
        }
        if let Some(pair) = &mut self.terrain {
            return pair.separation([a, b]);
        }
        if let Some(pair) = &self.on_plane {
            return pair.separation(&self.shapes[1], [a, b]);
        }
        self.place(a, b);
        let tie = self.delta();
        let [sa, sb] = &self.shapes;
        let pa = Placed { shape: sa, motion: a, x: &self.x[0] };
        let pb = Placed { shape: sb, motion: b, x: &self.x[1] };
        let Some(smooth) = &self.smooth else {
            let found = separation(&pa, &pb, tie, &mut self.search);
            self.axis = self.axis_of(found.features, a, b).or(self.axis);
            return found;
        };
        let hint = self.features.first().copied().flatten().or(self.hint);
        let found = smooth_separation(&pa, (smooth, b), hint);
        self.hint = Some(found.features);
        found
    }

    /// The gap that is told of a pair no site of which stands for anything, m: the separation, or of `many` pairs a lower bound by
    /// boxes where that is beyond what is near. Of a thousand pairs nobody looks at those that are far, and their separations in every row
    /// would cost more than the motion.
    pub fn told_gap(&mut self, [a, b]: [&BodyMotion; 2], many: bool) -> f64 {
        if many {
            let apart = self.boxes_apart(a, b);
            if apart > NEAR * self.size {
                return apart;
            }
        }
        self.separation(a, b).gap
    }

    /// The separation, also where one shape is deep inside of the other, m.
    pub fn overlap(&mut self, a: &BodyMotion, b: &BodyMotion) -> f64 {
        match &mut self.terrain {
            Some(pair) => pair.overlap([a, b]),
            None => self.separation(a, b).gap,
        }
    }

    /// How far inside of the features of a site the nearest points are, m.
    pub fn extent(&mut self, site: usize, a: &BodyMotion, b: &BodyMotion) -> f64 {
        let Some(features) = self.features[site - self.first] else { return f64::INFINITY };
        if let Some(pair) = &mut self.cylinder {
            return pair.extent(features, [a, b]);
        }
        if let Some(pair) = &mut self.terrain {
            return pair.extent(features, [a, b]);
        }
        if self.on_plane.is_none() {
            self.place(a, b);
        }
        self.extent_of(features, a, b)
    }

    /// The same of any features, where the shapes were last placed.
    fn extent_of(&self, features: Features, a: &BodyMotion, b: &BodyMotion) -> f64 {
        if let Some(pair) = &self.cylinder {
            return pair.extent_placed(features, [a, b]);
        }
        if let Some(pair) = &self.terrain {
            return pair.extent_placed(features, [a, b]);
        }
        if self.on_plane.is_some() {
            return f64::INFINITY;
        }
        let [pa, pb] = self.placed(a, b);
        match &self.smooth {
            Some(smooth) => smooth_extent(&pa, (smooth, b), features).1,
            None => extent(&pa, &pb, features),
        }
    }

    /// How far what no site stands for is from touching, m, over how fast that can change, m/s: a time within which the shapes
    /// meet nowhere but at their sites, s, and the first of the two. `speed` bounds the velocities of their points relative to each
    /// other, `turn` that of their turning; a time of `enough`, s, will do. None where no site tells.
    ///
    /// A corner over a face: all corners of the other shape that no site stands for are at least m above that face. Two edges
    /// that cross with the sine s: along their normal n all other corners are at least m behind the edges of their own shape, which
    /// only meet where they cross; n turns by at most ω/s, so that m changes by 2ρω/s, ρ the larger of the balls around the shapes, and
    /// s by ω.
    pub fn margin(
        &mut self,
        [a, b]: [&BodyMotion; 2],
        (speed, turn): (f64, f64),
        enough: f64,
    ) -> Option<[f64; 2]> {
        if self.cylinder.is_some() || self.terrain.is_some() || self.smooth.is_some() {
            return None;
        }
        let mut longest: Option<[f64; 2]> = None;
        let count = self.features.len();
        let mut teller = self.teller;
        // The site that told last time first.
        for at in (0..count).map(|k| (self.teller + k) % count) {
            let Some(features) = self.features[at] else { continue };
            if longest.is_some_and(|[time, _]| time >= enough) {
                break;
            }
            let [m, rate] = match features {
                Features::FaceCorner { face, .. } => {
                    let own = self.on_plane.as_ref().map(|pair| pair.plane);
                    let plane = own.unwrap_or_else(|| self.shapes[0].faces[face].plane);
                    let stands = |corner| Features::FaceCorner { face, corner };
                    let known = |corner| self.features.contains(&Some(stands(corner)));
                    [above(&plane, [a, b], &self.shapes[1], known), speed]
                }
                Features::CornerFace { face, .. } => {
                    let stands = |corner| Features::CornerFace { corner, face };
                    let known = |corner| self.features.contains(&Some(stands(corner)));
                    [
                        above(&self.shapes[1].faces[face].plane, [b, a], &self.shapes[0], known),
                        speed,
                    ]
                }
                Features::Edges { a: i, b: j, positive } => {
                    let along = |shape: &Polytope, edge: usize, motion: &BodyMotion| {
                        let [p, q] = shape.edges[edge].ends;
                        motion.R * (shape.vertices[q] - shape.vertices[p]).normalize()
                    };
                    let [sa, sb] = &self.shapes;
                    let cross = along(sa, i, a).cross(&along(sb, j, b));
                    let sine = cross.norm();
                    let n = cross * if positive { 1.0 } else { -1.0 } / sine;
                    let m = behind(sa, i, &a.R.tr_mul(&-n)).min(behind(sb, j, &b.R.tr_mul(&n)));
                    let reach = sa.reach.max(sb.reach);
                    // Not longer than the sine stays above four fifths of what it is.
                    [m.min(0.4 * reach), 2.5 * reach * turn / sine]
                }
                _ => continue,
            };
            let time = if m > 0.0 { m / rate } else { f64::NEG_INFINITY };
            if longest.is_none_or(|[t, _]| time > t) {
                longest = Some([time, m]);
                teller = at;
            }
        }
        self.teller = teller;
        longest
    }

    /// Assign features to sites by the rule above. `closed` tells which sites are closed, and `event` whether they may
    /// lose their features now; `changed` is told of each
    /// site that stands for something else now, in the order of sites, with what its new features are.
    pub fn assign(
        &mut self,
        (a, b): (&BodyMotion, &BodyMotion),
        (closed, event): (impl Fn(usize) -> bool, bool),
        mut changed: impl FnMut(usize, SiteGeometry),
    ) -> Separation {
        let mut found = std::mem::take(&mut self.found);
        let delta = self.delta();
        let settled = event || !self.sites().any(&closed);
        let nearest = self.find((a, b), settled, &mut found);
        if nearest.gap > NEAR * self.size {
            found.clear();
        }
        for k in 0..self.features.len() {
            let Some(features) = self.features[k] else { continue };
            if let Some(at) = found.iter().position(|(f, _)| *f == features) {
                found.remove(at);
                continue;
            }
            // The guard of a closed site waits for 2δ.
            let reaches = || !event || self.extent_of(features, a, b) >= -1.5 * delta;
            let stays = closed(self.first + k) && reaches();
            if !stays {
                self.features[k] = None;
                changed(self.first + k, self.geometry(None));
            } else if let Some(at) = self.twin(&found, features, (a, b)) {
                // The same corner by other features.
                found.remove(at);
            }
        }
        // Those of the smallest gap first, if there are more than sites.
        let free = self.features.iter().filter(|f| f.is_none()).count();
        if found.len() > free {
            let gap = |f: &Features| self.approach(*f, a, b).gap;
            found.sort_by(|x, y| gap(&x.0).total_cmp(&gap(&y.0)));
        }
        let mut left = found.drain(..);
        for k in 0..self.features.len() {
            if self.features[k].is_some() {
                continue;
            }
            let Some((features, _)) = left.next() else { break };
            self.features[k] = Some(features);
            changed(self.first + k, self.geometry(Some(features)));
        }
        drop(left);
        self.found = found;
        nearest
    }

    /// The nearest features, and all those by which the shapes touch or nearly, into `found`; `settled` as in
    /// [`CylinderPair::manifold`].
    fn find(
        &mut self,
        (a, b): (&BodyMotion, &BodyMotion),
        settled: bool,
        found: &mut Vec<(Features, Vector3<f64>)>,
    ) -> Separation {
        let reach = NEAR * self.size;
        if let Some(pair) = &mut self.cylinder {
            return pair.manifold([a, b], (reach, settled), found);
        }
        if let Some(pair) = &mut self.terrain {
            return pair.manifold([a, b], (reach, settled), found);
        }
        if let Some(pair) = &mut self.on_plane {
            let room = (EXTENT * self.size, reach, self.features.len());
            return pair.manifold(&self.shapes[1], [a, b], room, found);
        }
        let nearest = self.separation(a, b);
        let [pa, pb] = self.placed(a, b);
        if self.smooth.is_some() {
            found.clear();
            found.push((nearest.features, pb.x[0]));
        } else {
            manifold(&pa, &pb, &nearest, (self.delta(), reach), found);
        }
        nearest
    }

    /// Found features whose point is that of some features a site keeps.
    fn twin(
        &self,
        found: &[(Features, Vector3<f64>)],
        features: Features,
        (a, b): (&BodyMotion, &BodyMotion),
    ) -> Option<usize> {
        if let Some(pair) = &self.terrain {
            return pair.twin(found, features, [a, b]);
        }
        if self.on_plane.is_some() {
            return None;
        }
        let x = match &self.cylinder {
            Some(pair) => pair.point_of(features, [a, b])?,
            None => {
                let [pa, pb] = self.placed(a, b);
                crate::geometry::point_of(&pa, &pb, features)
            }
        };
        found.iter().position(|(_, y)| (x - y).norm() <= 8.0 * self.delta())
    }

    /// Distance of the balls around the shapes, and its rate.
    pub fn ball_approach(&self, a: &BodyMotion, b: &BodyMotion) -> Approach {
        if let Some(over) = self.over_plane(a, b) {
            return over;
        }
        if let Some(pair) = &self.terrain {
            let (gap, up) = pair.apart([a, b]);
            let center = b.place(&pair.shape.center);
            return Approach { gap, rate: up.dot(&(b.velocity(&center) - a.velocity(&center))) };
        }
        let [sa, sb] = &self.shapes;
        let ball = |s: &Polytope| Sphere { center: s.center, radius: s.reach };
        SpherePair { a: ball(sa), b: ball(sb), planar: sa.planar }.approach(a, b)
    }

    /// Gap and rate of some features.
    pub fn approach(&self, features: Features, a: &BodyMotion, b: &BodyMotion) -> Approach {
        if let Some(pair) = &self.cylinder {
            return approach_of(pair, features, [a, b]);
        }
        match self.geometry(Some(features)) {
            SiteGeometry::OnPlane { plane_body, plane, shape, .. } => {
                let (over, under) = if plane_body == self.bodies[0] { (b, a) } else { (a, b) };
                crate::geometry::approach_plane(&plane, under, &shape, over)
            }
            SiteGeometry::Spheres { spheres, .. } => spheres.approach(a, b),
            SiteGeometry::Lines { lines, .. } => lines.approach(a, b),
            SiteGeometry::Smooth { pair, .. } => pair.approach(a, b),
            SiteGeometry::LinePoint { line_body, pair, .. } => {
                let (line, point) = if line_body == self.bodies[0] { (a, b) } else { (b, a) };
                pair.approach(line, point)
            }
            _ => Approach { gap: f64::INFINITY, rate: 0.0 },
        }
    }

    /// The geometry of a site that stands for these features.
    pub fn geometry(&self, features: Option<Features>) -> SiteGeometry {
        let [a_body, b_body] = self.bodies;
        let [a, b] = &self.shapes;
        let Some(features) = features else { return SiteGeometry::Idle { a_body, b_body } };
        if let Some(pair) = &self.cylinder {
            return site_of(pair, features, self.bodies);
        }
        if let Some(pair) = &self.terrain {
            return terrains::site_of(pair, features, self.bodies);
        }
        if let (Some(pair), Features::FaceCorner { corner, .. }) = (&self.on_plane, features) {
            let (plane, shape) = (pair.plane, ball(b, corner));
            return SiteGeometry::OnPlane { plane_body: a_body, plane, shape_body: b_body, shape };
        }
        if let Some(smooth) = &self.smooth {
            return match (smooth_feature(a, smooth, features), features) {
                (Some(pair), _) => SiteGeometry::Smooth { a_body, b_body, pair },
                (None, Features::FaceCorner { face, .. }) => SiteGeometry::OnPlane {
                    plane_body: a_body,
                    plane: a.faces[face].plane,
                    shape_body: b_body,
                    shape: Round::new(smooth.center, smooth.axes, smooth.semi_axes),
                },
                _ => SiteGeometry::Idle { a_body, b_body },
            };
        }
        match features {
            Features::FaceCorner { face, corner } => SiteGeometry::OnPlane {
                plane_body: a_body,
                plane: a.faces[face].plane,
                shape_body: b_body,
                shape: ball(b, corner),
            },
            Features::CornerFace { corner, face } => SiteGeometry::OnPlane {
                plane_body: b_body,
                plane: b.faces[face].plane,
                shape_body: a_body,
                shape: ball(a, corner),
            },
            Features::Edges { a: i, b: j, positive } => {
                let side = if positive { 1.0 } else { -1.0 };
                let lines = LinePair { a: line(a, i), b: line(b, j), side };
                SiteGeometry::Lines { a_body, b_body, lines }
            }
            Features::EdgeCorner { edge, corner } => {
                let pair =
                    LinePoint { line: line(a, edge), point: b.vertices[corner], radius: b.radius };
                SiteGeometry::LinePoint { line_body: a_body, point_body: b_body, pair }
            }
            Features::CornerEdge { corner, edge } => {
                let pair =
                    LinePoint { line: line(b, edge), point: a.vertices[corner], radius: a.radius };
                SiteGeometry::LinePoint { line_body: b_body, point_body: a_body, pair }
            }
            Features::Corners { a: i, b: j } => {
                let sphere =
                    |s: &Polytope, k: usize| Sphere { center: s.vertices[k], radius: s.radius };
                let spheres = SpherePair { a: sphere(a, i), b: sphere(b, j), planar: a.planar };
                SiteGeometry::Spheres { a_body, b_body, spheres }
            }
            Features::Parts { .. } => SiteGeometry::Idle { a_body, b_body },
        }
    }
}

/// How high over a plane the lowest corner of a shape is that is not known, m; the plane is in the axes of the first body.
fn above(
    plane: &HalfSpace,
    [under, over]: [&BodyMotion; 2],
    shape: &Polytope,
    known: impl Fn(usize) -> bool,
) -> f64 {
    let n = under.R * plane.normal;
    let level = n.dot(&(over.r - under.place(&plane.point))) - shape.radius;
    let n = over.R.tr_mul(&n);
    let mut least = f64::INFINITY;
    for (corner, x) in shape.vertices.iter().enumerate() {
        let height = level + n.dot(x);
        if height < least && !known(corner) {
            least = height;
        }
    }
    least
}

/// How far behind an edge all other corners of its shape are along n, m; n in the axes of its body, the edge across n.
fn behind(shape: &Polytope, edge: usize, n: &Vector3<f64>) -> f64 {
    let ends = shape.edges[edge].ends;
    let level = n.dot(&shape.vertices[ends[0]]).max(n.dot(&shape.vertices[ends[1]]));
    let others = shape.vertices.iter().enumerate().filter(|(k, _)| !ends.contains(k));
    others.fold(f64::INFINITY, |least, (_, x)| least.min(n.dot(x) - level))
}

fn ball(shape: &Polytope, corner: usize) -> Round {
    let radius = Vector3::from_element(shape.radius);
    Round::new(shape.vertices[corner], Matrix3::identity(), radius)
}

fn line(shape: &Polytope, edge: usize) -> Line {
    let [i, j] = shape.edges[edge].ends;
    let along = (shape.vertices[j] - shape.vertices[i]).normalize();
    Line { start: shape.vertices[i], along, radius: shape.radius }
}

#[cfg(test)]
mod tests {
    use super::*;
    use nalgebra::Rotation3;

    /// Shapes that turn and drift past each other: no bound is above the separation, and that along the axis of the last
    /// search is close to it while little has changed.
    fn check_bounds(mut pair: PolytopePair) {
        let (mut tight, mut count) = (0, 0);
        for step in 0..2000 {
            let t = f64::from(step) * 1e-3;
            let turned = |rate: Vector3<f64>, r: Vector3<f64>| BodyMotion {
                R: Rotation3::new(rate * t).into_inner(),
                r,
                ..BodyMotion::fixed()
            };
            let a = turned(Vector3::new(1.0, 0.3, 2.0), Vector3::zeros());
            let place = Vector3::new(0.9 * t.cos(), 0.7, 0.4 * (3.0 * t).sin());
            let b = turned(Vector3::new(-0.5, 2.0, 0.7), place);
            let bound = pair.surely_apart(&a, &b, f64::INFINITY);
            let along = pair.axis.is_some();
            let s = pair.separation(&a, &b).gap;
            assert!(bound <= s + 1e-14, "{step}: {bound} {s}");
            if s > 0.0 && along {
                count += 1;
                tight += usize::from(bound > 0.9 * s);
            }
        }
        assert!(count > 500 && tight > count / 2, "{tight} of {count}");
    }

    #[test]
    fn bounds_are_below_the_separation() {
        let ring = |k: usize| (std::f64::consts::TAU * k as f64 / 7.0).sin_cos();
        let points: Vec<_> = (0..14)
            .map(|k| Vector3::new(ring(k).0, ring(k).1, 1.0 - 2.0 * (k / 7) as f64) * 0.3)
            .collect();
        let hull = crate::model::Hull::of(&points).unwrap();
        let shapes = [
            Polytope::new(hull.corners.clone(), &hull.faces, 0.0, false),
            Polytope::cuboid([0.4, 0.1, 0.2], 0.0),
        ];
        check_bounds(PolytopePair::new([None, None], shapes, 0, 8));
        let feature = |shape: Shape| Feature {
            name: String::new(),
            body: None,
            placement: crate::spatial::Pose::identity(),
            shape,
        };
        let can = feature(Shape::Cylinder { radius: 0.2, half_length: 0.3 });
        for other in [
            Shape::Convex { hull: hull.into(), rounding: 0.0 },
            Shape::Cylinder { radius: 0.1, half_length: 0.4 },
            Shape::Ellipsoid { semi_axes: [0.1, 0.2, 0.3] },
        ] {
            check_bounds(PolytopePair::of((&can, &feature(other)), false, 0, 16).unwrap());
        }
    }
}
