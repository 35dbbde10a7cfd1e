//! Ground made of triangles and a rounded polytope: how far apart they are, and the features by which they touch.
//!
//! # Law
//! Everything is looked at in the frame of the ground, which may move. Of a face, a ridge or a corner of the ground and a corner, an edge
//! or a face of the shape, with its rounding r, the gap and what must hold for it are
//! ```text
//! face, corner x:     n·(x − p) − r,      the foot of x inside of the face                          (1)
//! corner x, face:     n_B·(x − p_B) − r,  x inside of the face, −n_B among the normals of the corner (2)
//! ridge, edge:        n·w − r,            n = ±d × d_B among the normals of both, both ends beyond   (3)
//! ridge, corner:      |w| − r,            w among the normals of both, the foot inside of the ridge  (4)
//! corner, edge:       likewise                                                                      (5)
//! corner, corner:     likewise                                                                      (6)
//! ```
//! n is a normal of a ridge or a corner if n·(x_w − x) ≤ 0 for each wing or neighbour. The separation is the least of
//! these; outside it is the distance. A corner inside of the shape leaves it on the shortest way along a normal of its own: the
//! longer ones are no gaps. (1) to (3) are negative only where the point is inside of the ground, or of the shape;
//! of shapes without a rounding (4) to (6) tell distances but are no contacts.
//!
//! Of ground of the plane, a line, the ridges along z are the corners, and there are no ridges: (1), (2) and (6) are left.
//!
//! # Rule
//! The features by which they touch are those within reach. Of two with the same foot, one stays if their normals agree or
//! the foot is on a ridge, the first of the order above; in a valley both stay.
//!
//! # Limits
//! Inside of a thin wall the nearer side is taken for the one that was passed. What is below the ground beside its border
//! is outside. More contacts than [`TerrainPair::slots`] are not watched.
//!
//! # Tests
//! `tests/terrain.rs`, where it moves `gaps_of_ground_that_moves` and `ground_that_moves_is_a_plane_that_moves`; of the plane
//! `tests/terrain_line.rs`.

use super::lines::PARALLEL;
use super::motion::BodyMotion;
use super::parts::{Convex, Part};
use super::polytope::Polytope;
use super::separation::{Features, Placed, Separation, corner_cone, edge_cone, place};
use super::terrain_round::spread;
use crate::model::Terrain;
use crate::spatial::Pose;
use nalgebra::Vector3;
use std::sync::Arc;

/// How far beyond its end a feature tells the separation, in units of δ: round-off.
const INSIDE: f64 = 1e-3;

/// Difference of two normals that agree.
const AGREE: f64 = 1e-3;

/// Ground and a shape over it.
#[derive(Debug, Clone)]
pub struct TerrainPair {
    /// The ground.
    pub ground: Arc<Terrain>,
    /// Its frame in its body.
    pub placement: Pose,
    /// The shape in its body; in the place of a round one its centre and its bounds.
    pub shape: Polytope,
    /// The shape, if it is a cylinder, a disk or an ellipsoid.
    pub round: Option<Convex>,
    /// The parts of a round shape.
    pub(super) parts: Vec<Part>,
    /// Size of the shape, m.
    pub(super) size: f64,
    /// δ: how far features reach beyond their ends, m.
    pub(super) delta: f64,
    /// Corners of the shape in the frame of the ground.
    pub(super) x: Vec<Vector3<f64>>,
    pub(super) near: Vec<usize>,
    pub(super) faces: Vec<usize>,
    pub(super) ridges: Vec<usize>,
    pub(super) corners: Vec<usize>,
    looked: Vec<(Features, Look)>,
    /// Caps of a cylinder and what they lie flat on, and room for them.
    pub(super) flat: Vec<(usize, Part)>,
    pub(super) lying: Vec<(usize, Part)>,
}

/// What some features are to each other.
#[derive(Debug, Clone, Copy)]
pub(super) struct Look {
    pub(super) gap: f64,
    /// How far inside of them the nearest points are, m.
    pub(super) extent: f64,
    /// The point of the ground.
    pub(super) foot: Vector3<f64>,
    pub(super) normal: Vector3<f64>,
}

pub(super) const NOT: Look = Look {
    gap: f64::INFINITY,
    extent: f64::NEG_INFINITY,
    foot: Vector3::new(0.0, 0.0, 0.0),
    normal: Vector3::new(0.0, 0.0, 0.0),
};

impl TerrainPair {
    /// Ground where `placement` puts it in its body, and a polytope, or the bounds of a round shape and that; δ in m.
    pub fn new(
        ground: Arc<Terrain>,
        placement: Pose,
        (shape, round): (Polytope, Option<Convex>),
        delta: f64,
    ) -> Self {
        let size = if shape.reach > 0.0 { shape.reach } else { ground.size };
        let empty = Vec::new;
        Self {
            ground,
            placement,
            size,
            delta,
            x: Vec::with_capacity(shape.vertices.len()),
            shape,
            parts: round.as_ref().map_or_else(Vec::new, Convex::parts),
            round,
            near: empty(),
            faces: empty(),
            ridges: empty(),
            corners: empty(),
            looked: Vec::new(),
            flat: Vec::new(),
            lying: Vec::new(),
        }
    }

    /// Number of sites.
    pub fn slots(&self, most: usize) -> usize {
        match self.shape.dimension {
            0 | 1 if self.ground.planar => 4,
            _ if self.ground.planar => 8,
            0 if matches!(self.round, Some(Convex::Cylinder(_))) => most,
            0 => 4,
            1 => 8,
            _ => most,
        }
    }

    /// The shape's body as the ground sees it.
    pub(super) fn seen(&self, [a, b]: [&BodyMotion; 2]) -> BodyMotion {
        let ground = Pose::new(a.R, a.r).then(&self.placement).inverse();
        let Pose { R, r } = ground.then(&Pose::new(b.R, b.r));
        // A line has no place along z.
        let r = if self.ground.planar { Vector3::new(r.x, r.y, 0.0) } else { r };
        BodyMotion { R, r, ..BodyMotion::fixed() }
    }

    /// A lower bound of the gap by the ball around the shape, and the unit vector from the ground to its centre, in the world.
    pub fn apart(&self, motions: [&BodyMotion; 2]) -> (f64, Vector3<f64>) {
        let center = self.seen(motions).place(&self.shape.center);
        let w = center - self.ground.nearest(&center).0;
        let d = w.norm();
        let up = if d > 0.0 { w / d } else { Vector3::zeros() };
        (d - self.shape.reach, motions[0].R * (self.placement.R * up))
    }

    /// Faces, ridges and corners of the ground that may be nearest, or within `reach`.
    fn gather(&mut self, motion: &BodyMotion, reach: f64) {
        place(&self.shape, motion, &mut self.x);
        // The distance of the core is at most that of any of its corners, of a round shape that of a ball inside of it.
        let away = |x: &Vector3<f64>| (self.ground.nearest(x).0 - x).norm();
        let least = self.x.iter().map(away).fold(f64::INFINITY, f64::min);
        let (mut low, mut high) = (self.x[0], self.x[0]);
        self.x.iter().for_each(|x| (low, high) = (low.inf(x), high.sup(x)));
        let mut inner = 0.0;
        if let Some(round) = &self.round {
            let (half, within) = spread(round, motion, &self.x[0]);
            (low, high, inner) = (low - half, high + half, within);
        }
        let wide = (least - inner).max(reach + self.shape.radius) + self.hair();
        self.ground.near((&low, &high), wide, &mut self.near);
        let Self { ground, near, faces, ridges, corners, .. } = self;
        [&mut *faces, &mut *ridges, &mut *corners].into_iter().for_each(Vec::clear);
        for &t in near.iter() {
            faces.push(ground.triangles[t].face);
            ridges.extend(ground.ridge_of[t].iter().flatten());
            if ground.planar {
                continue;
            }
            let pointed = |i: &usize| !ground.neighbours[*i].is_empty();
            corners.extend(ground.triangles[t].corners.into_iter().filter(pointed));
        }
        if ground.planar {
            corners.extend(ridges.drain(..).filter(|&ridge| ground.is_corner(ridge)));
        }
        for list in [faces, ridges, corners] {
            list.sort_unstable();
            list.dedup();
        }
    }

    pub(super) fn placed<'p>(&'p self, motion: &'p BodyMotion) -> Placed<'p> {
        Placed { shape: &self.shape, motion, x: &self.x }
    }

    /// Equations (1) to (6): gap, extent, foot, normal. The extent is left out where the gap is beyond `most`.
    fn look(&self, features: Features, motion: &BodyMotion, most: f64) -> Look {
        let b = self.placed(motion);
        match features {
            Features::FaceCorner { face, corner } => {
                let flat = &self.ground.faces[face];
                let h = flat.normal.dot(&(self.x[corner] - flat.point));
                let gap = h - self.shape.radius;
                if gap > most {
                    return NOT;
                }
                let foot = self.x[corner] - h * flat.normal;
                let extent = self.ground.over(face, &foot, self.hair());
                if extent > -self.hair() && h < -self.hair() && !self.sunk(h, &self.x[corner]) {
                    return NOT;
                }
                Look { gap, extent, foot, normal: flat.normal }
            }
            Features::CornerFace { corner, face } => {
                let foot = self.ground.corner(corner);
                let n = b.normal(face);
                let h = n.dot(&(foot - self.x[self.shape.faces[face].corners[0]]));
                let gap = h - self.shape.radius;
                if gap > most || h < -self.hair() && !self.holds(&b, corner, h) {
                    return NOT;
                }
                let extent = b.inside(face, &foot).min(self.peak(corner, &-n) * self.size);
                Look { gap, extent, foot, normal: -n }
            }
            Features::Edges { a, b, positive } => self.look_edges((a, b, positive), motion, most),
            Features::EdgeCorner { edge, corner } => {
                let (start, d, length) = self.ridge(edge);
                let s = d.dot(&(self.x[corner] - start));
                let foot = start + d * s;
                let cone = |n: &Vector3<f64>| self.crest(edge, n).min(corner_cone(&b, corner, &-n));
                self.beside(foot, self.x[corner], s.min(length - s), cone, most)
            }
            Features::CornerEdge { corner, edge } => {
                let foot = self.ground.corner(corner);
                let (start, d, length) = b.edge(edge);
                let s = d.dot(&(foot - start));
                let cone = |n: &Vector3<f64>| self.peak(corner, n).min(edge_cone(&b, edge, &-n));
                self.beside(foot, start + d * s, s.min(length - s), cone, most)
            }
            Features::Corners { a, b: corner } => {
                let cone = |n: &Vector3<f64>| self.peak(a, n).min(corner_cone(&b, corner, &-n));
                self.beside(self.ground.corner(a), self.x[corner], f64::INFINITY, cone, most)
            }
            Features::Parts { a, b, positive } => self.look_parts([a, b], positive, motion, most),
        }
    }

    /// Equations (4) to (6): two points beside each other.
    fn beside(
        &self,
        foot: Vector3<f64>,
        x: Vector3<f64>,
        inside: f64,
        cone: impl Fn(&Vector3<f64>) -> f64,
        most: f64,
    ) -> Look {
        let w = x - foot;
        let d = w.norm();
        let gap = d - self.shape.radius;
        if !(gap <= most && d > self.delta) {
            return NOT;
        }
        let normal = w / d;
        Look { gap, extent: inside.min(cone(&normal) * d), foot, normal }
    }

    /// Equation (3).
    fn look_edges(
        &self,
        (i, j, positive): (usize, usize, bool),
        motion: &BodyMotion,
        most: f64,
    ) -> Look {
        let b = self.placed(motion);
        let ((xa, da, la), (xb, db, lb)) = (self.ridge(i), b.edge(j));
        let m = da.cross(&db);
        let sine = m.norm();
        if sine <= PARALLEL {
            return NOT;
        }
        let normal = if positive { m / sine } else { -m / sine };
        let r = xb - xa;
        let h = normal.dot(&r);
        let gap = h - self.shape.radius;
        if gap > most {
            return NOT;
        }
        let (c, D) = (da.dot(&db), sine * sine);
        let (ra, rb) = (r.dot(&da), r.dot(&db));
        let (s, t) = ((ra - c * rb) / D, (c * ra - rb) / D);
        let cones = self.crest(i, &normal).min(edge_cone(&b, j, &-normal));
        let extent = s.min(la - s).min(t).min(lb - t).min(cones * self.size);
        if extent >= -self.hair() && self.behind(h, &(xb + db * t)) {
            return NOT;
        }
        Look { gap, extent, foot: xa + da * s, normal }
    }

    /// Overlap that may be round-off, m.
    pub(super) fn hair(&self) -> f64 {
        16.0 * self.delta
    }

    /// Whether a point at the height h < 0 over a face is in the ground, and this face its nearest side.
    pub(super) fn sunk(&self, h: f64, x: &Vector3<f64>) -> bool {
        let depth = (x - self.ground.nearest(x).0).norm();
        -h <= depth + self.hair() && self.ground.covers(x)
    }

    /// Whether a point below the plane of a face, or the normal of a ridge, is not in the ground but beyond it.
    fn behind(&self, height: f64, x: &Vector3<f64>) -> bool {
        height < -self.hair() && !self.ground.covers(x)
    }

    /// Whether the core of the shape holds a corner of the ground that is at the height h over one of its faces, and the corner
    /// does not leave it on a shorter way along a normal of its own.
    fn holds(&self, b: &Placed<'_>, corner: usize, h: f64) -> bool {
        let x = self.ground.corner(corner);
        self.shape.faces.iter().enumerate().all(|(k, f)| {
            let n = b.normal(k);
            let height = n.dot(&(x - self.x[f.corners[0]]));
            let own =
                || height >= -self.hair() || self.peak(corner, &-n) * self.size >= -self.delta;
            height <= 0.0 && !(height > h + self.delta && own())
        })
    }

    /// Start, direction and length of a ridge.
    pub(super) fn ridge(&self, ridge: usize) -> (Vector3<f64>, Vector3<f64>, f64) {
        let [i, j] = self.ground.ridges[ridge].ends;
        let d = self.ground.points[j] - self.ground.points[i];
        let length = d.norm();
        (self.ground.points[i], d / length, length)
    }

    /// Sine of the angle by which n is inside of the normals of a ridge.
    pub(super) fn crest(&self, ridge: usize, n: &Vector3<f64>) -> f64 {
        let r = &self.ground.ridges[ridge];
        self.cone(r.ends[0], &r.wings, n)
    }

    /// The same for a corner.
    pub(super) fn peak(&self, corner: usize, n: &Vector3<f64>) -> f64 {
        if self.ground.planar {
            return self.crest(corner, n);
        }
        self.cone(corner, &self.ground.neighbours[corner], n)
    }

    fn cone(&self, at: usize, others: &[usize], n: &Vector3<f64>) -> f64 {
        let x = self.ground.points[at];
        others.iter().fold(1.0, |m, &k| {
            let mut d = self.ground.points[k] - x;
            if self.ground.planar {
                d.z = 0.0;
            }
            f64::min(m, -n.dot(&d) / d.norm())
        })
    }

    /// All features of what was gathered, in the order of the law; `distances` if those of (4) to (6) are wanted.
    fn each(&self, distances: bool, motion: &BodyMotion, mut visit: impl FnMut(Features)) {
        if self.round.is_some() {
            return self.each_part(distances, motion, &mut visit);
        }
        let (corners, edges, faces) =
            (self.x.len(), self.shape.edges.len(), self.shape.faces.len());
        for &face in &self.faces {
            (0..corners).for_each(|corner| visit(Features::FaceCorner { face, corner }));
        }
        for &corner in &self.corners {
            (0..faces).for_each(|face| visit(Features::CornerFace { corner, face }));
        }
        for &a in &self.ridges {
            for b in 0..edges {
                for positive in [true, false] {
                    visit(Features::Edges { a, b, positive });
                }
            }
        }
        if !distances {
            return;
        }
        for &edge in &self.ridges {
            (0..corners).for_each(|corner| visit(Features::EdgeCorner { edge, corner }));
        }
        for &corner in &self.corners {
            (0..edges).for_each(|edge| visit(Features::CornerEdge { corner, edge }));
            (0..corners).for_each(|b| visit(Features::Corners { a: corner, b }));
        }
    }

    /// The separation and the nearest features.
    pub fn separation(&mut self, motions: [&BodyMotion; 2]) -> Separation {
        let motion = self.seen(motions);
        self.gather(&motion, 0.0);
        self.least(&motion)
    }

    fn least(&self, motion: &BodyMotion) -> Separation {
        let mut best: Option<(f64, Features)> = None;
        self.each(true, motion, |features| {
            let most = best.map_or(f64::INFINITY, |(gap, _)| gap);
            let look = self.look(features, motion, most);
            // Beyond a ridge a face is above what it does not reach, by δ at most: more than an overlap may be.
            if look.extent >= -INSIDE * self.delta && look.gap < most {
                best = Some((look.gap, features));
            }
        });
        // Where round-off leaves none, the face below the centre stands for them.
        let (gap, features) = best.unwrap_or_else(|| {
            let center = motion.place(&self.shape.center);
            let (p, t) = self.ground.nearest(&center);
            let face = self.ground.triangles[t].face;
            let features = match self.parts.last() {
                Some(&b) => Features::Parts { a: Part::Face(face), b, positive: true },
                None => Features::FaceCorner { face, corner: 0 },
            };
            ((center - p).norm() - self.shape.reach, features)
        });
        Separation { gap, features, face: None }
    }

    /// How far inside of some features the nearest points are, m.
    pub fn extent(&mut self, features: Features, motions: [&BodyMotion; 2]) -> f64 {
        let motion = self.seen(motions);
        place(&self.shape, &motion, &mut self.x);
        self.lasting(features, &motion)
    }

    /// The same where the shape was last placed.
    pub fn extent_placed(&self, features: Features, motions: [&BodyMotion; 2]) -> f64 {
        self.lasting(features, &self.seen(motions))
    }

    fn lasting(&self, features: Features, motion: &BodyMotion) -> f64 {
        let look = self.look(features, motion, f64::INFINITY);
        match features {
            Features::Parts { a, b, .. } => look.extent.min(self.tilted([a, b], &look, motion)),
            _ => look.extent,
        }
    }

    /// The separation, and the features by which they touch or nearly, to `reach`, m, by the rule above; `settled` where caps
    /// that lie flat may change, which is at events or where nothing is closed.
    pub fn manifold(
        &mut self,
        motions: [&BodyMotion; 2],
        (reach, settled): (f64, bool),
        found: &mut Vec<(Features, Vector3<f64>)>,
    ) -> Separation {
        found.clear();
        let motion = self.seen(motions);
        self.gather(&motion, reach);
        if settled {
            self.find_flat(&motion);
        }
        let nearest = self.least(&motion);
        if nearest.gap > reach {
            return nearest;
        }
        let mut looked = std::mem::take(&mut self.looked);
        looked.clear();
        self.each(self.shape.radius > 0.0, &motion, |features| {
            let look = self.look(features, &motion, reach);
            if look.extent < -self.delta || look.gap > reach {
                return;
            }
            let same = |(_, other): &(Features, Look)| {
                (other.foot - look.foot).norm() <= 4.0 * self.delta
                    && ((other.normal - look.normal).norm() <= AGREE || self.on_ridge(&look.foot))
            };
            if !looked.iter().any(same) {
                looked.push((features, look));
            }
        });
        self.drop_crossings(&mut looked, &motion);
        found.extend(looked.iter().map(|(features, look)| (*features, look.foot)));
        self.looked = looked;
        nearest
    }

    /// Found features that are the same contact as some others, by the rule above; both of a valley are not.
    pub fn twin(
        &self,
        found: &[(Features, Vector3<f64>)],
        features: Features,
        motions: [&BodyMotion; 2],
    ) -> Option<usize> {
        let motion = self.seen(motions);
        let own = self.look(features, &motion, f64::INFINITY);
        let same = |(other, foot): &(Features, Vector3<f64>)| {
            let normal = self.look(*other, &motion, f64::INFINITY).normal;
            (foot - own.foot).norm() <= 8.0 * self.delta
                && ((normal - own.normal).norm() <= AGREE || self.on_ridge(foot))
        };
        found.iter().position(same)
    }

    fn on_ridge(&self, foot: &Vector3<f64>) -> bool {
        if self.ground.planar {
            let near = |&k: &usize| (foot - self.ground.corner(k)).norm() <= 4.0 * self.delta;
            return self.corners.iter().any(near);
        }
        self.ridges.iter().any(|&r| {
            let (start, d, length) = self.ridge(r);
            let s = d.dot(&(foot - start)).clamp(0.0, length);
            (foot - start - d * s).norm() <= 4.0 * self.delta
        })
    }
}
