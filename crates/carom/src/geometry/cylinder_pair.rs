//! A cylinder, a disk or a flat ellipse, and any other convex shape: by which parts they touch.
//!
//! # Rule
//! 1. *Nearest.* Every pair of parts has a common normal; the gap is the greatest separation of the shapes along these. Two
//!    parts hold if the normal belongs to both and each nearest point lies in its part (`parts`): for shapes apart this is
//!    sufficient, and the gap is their distance.
//! 2. *Flat.* Where a cap is tilted by no more than [`LIES_FLAT`] against a face, or an edge or a side against it, the cap is the
//!    polygon of `cylinder`: corners of either over the other, and crossings of edges, those of the common polygon.
//! 3. *Opposite.* Over a face whose separation is near the gap: the lowest points of both rims, and crossings of the side with
//!    the edges of the face; over a cap: the corners of the opposite face.
//! 4. *Along.* Where the side and an edge or another side run along each other, the ends of each beside the other; their
//!    crossing only where it is nearer than both ends.
//!
//! So a cylinder that lies on a face touches at both ends of its line, one that stands at the corners of its cap. A
//! rim loses its place where its tilt falls below LIES_FLAT, a flat cap where it rises above 4 LIES_FLAT, so that neither
//! is made and dropped in turn.
//!
//! # Limits
//! Caps that share less than an eighth of their rims, lying flat on each other, may have no common polygon.
//!
//! # Tests
//! `tests/cylinders.rs`, `tests/pairs_of_shapes.rs`.

use super::cylinder::CORNERS;
use super::lines::PARALLEL;
use super::motion::BodyMotion;
use super::parts::{Convex, Meeting, Part, Touch, meeting};
use super::separation::{Features, Separation, place};
use crate::numeric::thresholds::LIES_FLAT;
use nalgebra::Vector3;

/// Tilts, in units of [`LIES_FLAT`]: where a flat cap comes to be at an event, stays at an event, is lost.
pub(super) const FLAT_FROM: f64 = 2.0;
pub(super) const FLAT_UP_TO: f64 = 3.0;
pub(super) const FLAT_ENDS: f64 = 4.0;

/// A cap that lies flat.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Flat {
    /// Which shape has the cap.
    pub(super) shape: usize,
    /// Upper or lower.
    pub(super) cap: usize,
    /// The face or edge of the other shape.
    pub(super) other: Part,
}

/// Two convex shapes of which one, or both, are cylinders.
#[derive(Debug, Clone)]
pub struct CylinderPair {
    /// Both shapes.
    pub shapes: [Convex; 2],
    pub(super) parts: [Vec<Part>; 2],
    /// Corners of polytopes in the world.
    pub(super) x: [Vec<Vector3<f64>>; 2],
    /// Size of the smaller shape, and how far beyond its end a part reaches, m.
    pub(super) size: f64,
    pub(super) delta: f64,
    hint: Option<Features>,
    pub(super) flat: Option<Flat>,
    /// Whether the ends of two edges that run along each other stand for their crossing.
    pub(super) line: bool,
    pub(super) outline: Vec<Part>,
    pub(super) borders: [Vec<usize>; 2],
    pub(super) found: Vec<(Features, Vector3<f64>)>,
    /// How far parts of either shape are below its highest, m, and pairs of them in that order.
    levels: [Vec<f64>; 2],
    order: Vec<(f64, [usize; 2])>,
}

pub(super) type Motions<'m> = [&'m BodyMotion; 2];

impl CylinderPair {
    /// Two shapes; `size` is that of the smaller one, `delta` how far beyond its end a part reaches, m.
    pub fn new(shapes: [Convex; 2], size: f64, delta: f64) -> Self {
        let parts = [shapes[0].parts(), shapes[1].parts()];
        let corners = |s: &Convex| match s {
            Convex::Polytope(p) => Vec::with_capacity(p.vertices.len()),
            _ => Vec::new(),
        };
        let x = [corners(&shapes[0]), corners(&shapes[1])];
        let most = 4 * (parts[0].len() + parts[1].len() + 2 * CORNERS);
        let levels = [0, 1].map(|k| Vec::with_capacity(parts[k].len()));
        let order = Vec::with_capacity(parts[0].len() * parts[1].len());
        Self {
            shapes,
            parts,
            x,
            size,
            delta,
            hint: None,
            flat: None,
            line: false,
            outline: Vec::with_capacity(most),
            borders: [Vec::with_capacity(most), Vec::with_capacity(most)],
            found: Vec::with_capacity(most),
            levels,
            order,
        }
    }

    /// The normal of some features, in the axes of the first body.
    pub fn axis(&self, features: Features, motions: Motions<'_>) -> Option<Vector3<f64>> {
        self.touch(features, motions).map(|touch| motions[0].R.tr_mul(&touch.normal))
    }

    /// How far the shapes are apart along `n`, which is in the world, m.
    pub fn apart_along(&mut self, n: &Vector3<f64>, motions: Motions<'_>) -> f64 {
        self.place(motions);
        self.separated(n, motions)
    }

    /// Most corners of a common polygon.
    pub fn slots(&self) -> usize {
        let widest = |s: &Convex| match s {
            Convex::Polytope(p) => p.widest(),
            Convex::Cylinder(_) => CORNERS,
            Convex::Smooth(_) | Convex::HalfSpace(_) => 1,
        };
        let [a, b] = [widest(&self.shapes[0]), widest(&self.shapes[1])];
        match a.min(b) {
            1 if self.shapes.iter().any(|s| matches!(s, Convex::HalfSpace(_))) => CORNERS,
            least @ (1 | 2) => least,
            _ => a + b,
        }
    }

    pub(super) fn place(&mut self, motions: Motions<'_>) {
        for k in 0..2 {
            if let Convex::Polytope(p) = &self.shapes[k] {
                place(p, motions[k], &mut self.x[k]);
            }
        }
    }

    /// The meeting of some features, and whether it is in the other order.
    pub fn meeting(&self, features: Features) -> Option<(Meeting, bool)> {
        let Features::Parts { a, b, positive } = features else { return None };
        meeting([&self.shapes[0], &self.shapes[1]], [a, b], positive)
    }

    /// The nearest points of some features.
    pub(super) fn touch(&self, features: Features, motions: Motions<'_>) -> Option<Touch> {
        let (meeting, turned) = self.meeting(features)?;
        let gap = match turned {
            false => meeting.gap(motions[0], motions[1]),
            true => meeting.gap(motions[1], motions[0]),
        };
        let (normal, x) = match turned {
            false => (gap.normal, [gap.point_a, gap.point_b]),
            true => (-gap.normal, [gap.point_b, gap.point_a]),
        };
        (!gap.gap.is_nan()).then_some(Touch { gap: gap.gap, normal, x })
    }

    /// The features of two parts; none for parallel edges.
    pub(super) fn features(&self, [a, b]: [Part; 2], motions: Motions<'_>) -> Option<Features> {
        let mut positive = true;
        if let (Part::Edge(i), Part::Edge(j)) = (a, b) {
            let (xa, da, _) = self.shapes[0].edge(motions[0], i)?;
            let (xb, db, _) = self.shapes[1].edge(motions[1], j)?;
            let m = da.cross(&db);
            if m.norm() <= PARALLEL {
                return None;
            }
            positive = m.dot(&(xb - xa)) >= 0.0;
        }
        Some(Features::Parts { a, b, positive })
    }

    /// Rule 1: how far inside of their parts the nearest points and the normal are, m.
    pub(super) fn holds(&self, [a, b]: [Part; 2], touch: &Touch, motions: Motions<'_>) -> f64 {
        let seen = [(motions[0], &self.x[0][..]), (motions[1], &self.x[1][..])];
        let [xa, xb] = &touch.x;
        let reach = self.shapes[0].reaches(seen[0], a, [xa, xb]);
        let reach = reach.min(self.shapes[1].reaches(seen[1], b, [xb, xa]));
        let cone = self.shapes[0].cone(seen[0], a, &touch.normal);
        let cone = cone.min(self.shapes[1].cone(seen[1], b, &-touch.normal));
        // At the axis of a rim, which has no curvature there, there is no common normal: the cap has it.
        let off = (xb - xa - touch.gap * touch.normal).norm();
        let joined = if off > self.delta { -off } else { f64::INFINITY };
        reach.min(cone * self.size).min(joined).min(self.facing([a, b], touch))
    }

    /// How far the core of an edge is before that of the other, m: rounded edges that turned past each other, parallel for an
    /// instant, would be behind.
    fn facing(&self, parts: [Part; 2], touch: &Touch) -> f64 {
        let [Part::Edge(_), Part::Edge(_)] = parts else { return f64::INFINITY };
        let radius = |k: usize| match (&self.shapes[k], parts[k]) {
            (Convex::Polytope(p), _) => p.radius,
            (Convex::Cylinder(c), Part::Edge(0)) => c.radius,
            _ => 0.0,
        };
        let radii = radius(0) + radius(1);
        if radii > 0.0 { touch.gap + radii } else { f64::INFINITY }
    }

    /// Rule 2: by how much the tilt of a cap lets its rim, or the corners of its polygon, touch, m.
    fn tilted(&self, parts: [Part; 2], touch: &Touch, motions: Motions<'_>) -> f64 {
        let mut least = f64::INFINITY;
        for shape in 0..2 {
            let Some(cylinder) = self.shapes[shape].cylinder() else { continue };
            let (cap, rim) = match parts[shape] {
                Part::Rim(k) => (k, true),
                Part::Corner(i) => (i / CORNERS, false),
                Part::Edge(i @ 1..) => ((i - 1) / CORNERS, false),
                _ => continue,
            };
            let lies = |f: &Flat| match f.shape == shape {
                true => f.cap == cap || rim && cylinder.rims() == 1,
                false => match f.other {
                    Part::Face(k) => k == cap || rim && cylinder.rims() == 1,
                    _ => false,
                },
            };
            // Either the rim or the polygon touches, never both.
            if self.flat.as_ref().is_some_and(lies) == rim {
                return f64::NEG_INFINITY;
            }
            least = least.min(match rim {
                true => {
                    let axis = motions[shape].R * cylinder.outward(cap);
                    let tilt = touch.normal.cross(&axis).norm();
                    (tilt - LIES_FLAT) * cylinder.radius - 2.0 * self.delta
                }
                false => {
                    let tilt = self.tilt(Flat { shape, cap, other: parts[1 - shape] }, motions);
                    (FLAT_ENDS * LIES_FLAT - tilt) * cylinder.radius
                }
            });
        }
        least
    }

    /// Sine of the angle between a cap and a face, or between a cap and an edge.
    pub(super) fn tilt(&self, flat: Flat, motions: Motions<'_>) -> f64 {
        let other = 1 - flat.shape;
        let Some(n) = self.shapes[flat.shape].normal(motions[flat.shape], flat.cap) else {
            return f64::INFINITY;
        };
        let tilt = match flat.other {
            Part::Face(k) => {
                self.shapes[other].normal(motions[other], k).map(|m| match n.dot(&m) < 0.0 {
                    true => n.cross(&m).norm(),
                    false => f64::INFINITY,
                })
            }
            Part::Edge(k) => self.shapes[other].edge(motions[other], k).map(|e| n.dot(&e.1).abs()),
            _ => None,
        };
        tilt.unwrap_or(f64::INFINITY)
    }

    /// How far inside of some features the nearest points are, m.
    pub fn extent(&mut self, features: Features, motions: Motions<'_>) -> f64 {
        self.place(motions);
        self.extent_placed(features, motions)
    }

    /// The same where the shapes were last placed.
    pub fn extent_placed(&self, features: Features, motions: Motions<'_>) -> f64 {
        let Features::Parts { a, b, .. } = features else { return f64::NEG_INFINITY };
        let touch = self.touch(features, motions);
        let inside =
            |t: Touch| self.holds([a, b], &t, motions).min(self.tilted([a, b], &t, motions));
        touch.map_or(f64::NEG_INFINITY, inside)
    }

    /// The point of B that stands for some features.
    pub fn point_of(&self, features: Features, motions: Motions<'_>) -> Option<Vector3<f64>> {
        Some(self.touch(features, motions)?.x[1])
    }

    /// Rules 1 and 2: gap and nearest parts. Where ends stand for a crossing, it counts from an overlap of δ on.
    pub fn separation(&mut self, motions: Motions<'_>) -> Separation {
        let mut now = self.deepest(motions);
        let edges =
            matches!(now.features, Features::Parts { a: Part::Edge(_), b: Part::Edge(_), .. });
        if self.line && edges && now.gap < 0.0 && now.gap >= -self.delta {
            now.gap = 0.0;
        }
        now
    }

    fn deepest(&mut self, motions: Motions<'_>) -> Separation {
        self.place(motions);
        if let Some(flat) = self.flat
            && self.tilt(flat, motions) <= FLAT_ENDS * LIES_FLAT
            && let Some(lowest) = self.lowest_of(flat, motions)
        {
            return lowest;
        }
        if let Some(hint @ Features::Parts { a, b, .. }) = self.hint
            && let Some(touch) = self.touch(hint, motions)
            // Beyond the shape, a face looks at what it no longer faces.
            && touch.gap >= -self.delta
            && self.holds([a, b], &touch, motions) >= 0.0
        {
            return Separation { gap: touch.gap, features: hint, face: None };
        }
        let found = self.nearest(motions);
        self.hint = Some(found.features);
        found
    }

    /// Rule 1: the greatest separation of the shapes along the normals of all pairs of parts; of equal ones the parts that the
    /// points are deepest inside of.
    pub(super) fn nearest(&mut self, motions: Motions<'_>) -> Separation {
        self.search(motions).0
    }

    /// The same, and how many pairs of parts were tried.
    fn search(&mut self, motions: Motions<'_>) -> (Separation, usize) {
        self.rank(motions);
        let mut best: Option<(f64, f64, Separation)> = None;
        for (tried, &(_, [i, j])) in self.order.iter().enumerate() {
            let parts = [self.parts[0][i], self.parts[1][j]];
            let Some(features) = self.features(parts, motions) else { continue };
            let Some(touch) = self.touch(features, motions) else { continue };
            let s = self.separated(&touch.normal, motions);
            if s.is_nan() || best.is_some_and(|(most, ..)| s < most - self.delta) {
                continue;
            }
            let extent = self.holds(parts, &touch, motions);
            if extent >= 0.0 && touch.gap >= -self.delta {
                return (Separation { gap: touch.gap, features, face: None }, tried + 1);
            }
            let better = |&(most, deepest, _): &(f64, f64, Separation)| {
                s > most + self.delta || extent > deepest
            };
            if best.as_ref().is_none_or(better) {
                let most = best.map_or(s, |b| b.0.max(s));
                let gap = if extent >= 0.0 { touch.gap } else { s };
                best = Some((most, extent, Separation { gap, features, face: None }));
            }
        }
        let none = Features::Parts { a: self.parts[0][0], b: self.parts[1][0], positive: true };
        let far = Separation { gap: f64::INFINITY, features: none, face: None };
        (best.map_or(far, |b| b.2), self.order.len())
    }

    /// All pairs of parts, those that are highest of their shapes towards each other first.
    fn rank(&mut self, motions: Motions<'_>) {
        let known = self.hint.and_then(|hint| self.touch(hint, motions)).map(|touch| touch.normal);
        let n = known.unwrap_or_else(|| {
            let [a, b] = [0, 1].map(|k| self.shapes[k].center(motions[k]));
            (b - a).try_normalize(0.0).unwrap_or_else(Vector3::z)
        });
        for (k, n) in [n, -n].iter().enumerate() {
            let (shape, placed) = (&self.shapes[k], (motions[k], &self.x[k][..]));
            let levels = &mut self.levels[k];
            levels.clear();
            levels.extend(self.parts[k].iter().map(|part| shape.level(placed, *part, n)));
            let top = levels.iter().copied().fold(f64::NEG_INFINITY, f64::max);
            levels.iter_mut().for_each(|level| *level = top - *level);
        }
        let [a, b] = &self.levels;
        self.order.clear();
        for (i, below) in a.iter().enumerate() {
            self.order.extend(b.iter().enumerate().map(|(j, further)| (below + further, [i, j])));
        }
        self.order.sort_unstable_by(|x, y| x.0.total_cmp(&y.0).then(x.1.cmp(&y.1)));
    }

    /// How far the shapes are apart along `n`, m.
    fn separated(&self, n: &Vector3<f64>, motions: Motions<'_>) -> f64 {
        let down = self.shapes[1].height((motions[1], &self.x[1]), &-n);
        -down - self.shapes[0].height((motions[0], &self.x[0]), n)
    }

    /// The lowest of the features of a flat cap.
    pub(super) fn lowest_of(&mut self, flat: Flat, motions: Motions<'_>) -> Option<Separation> {
        let mut found = std::mem::take(&mut self.found);
        found.clear();
        self.common_polygon(flat, motions, &mut found);
        let gap = |f: &Features| self.touch(*f, motions).map_or(f64::INFINITY, |t| t.gap);
        let lowest = found.iter().map(|(f, _)| (gap(f), *f)).min_by(|x, y| x.0.total_cmp(&y.0));
        self.found = found;
        lowest.map(|(gap, features)| Separation { gap, features, face: None })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::geometry::{Cylinder, Polytope};
    use crate::spatial::Pose;
    use nalgebra::Rotation3;

    /// A box that turns beside a can: the first parts that hold are among the first that are tried, and their gap is that of a
    /// search that knows no normal.
    #[test]
    fn parts_that_face_each_other_come_first() {
        let can = Convex::Cylinder(Cylinder::new(&Pose::identity(), 0.1, 0.15));
        let cube = Convex::Polytope(Polytope::cuboid([0.2, 0.1, 0.15], 0.0));
        let fresh = || CylinderPair::new([cube.clone(), can.clone()], 0.18, 1e-8);
        let mut pair = fresh();
        let (mut tried, mut searches) = (0, 0);
        for step in 0..2000 {
            let t = f64::from(step) * 5e-3;
            let R = Rotation3::new(Vector3::new(1.0, 0.7, 0.3) * t).into_inner();
            let r = Vector3::new(0.5 * t.cos(), 0.5 * t.sin(), 0.2 * (3.0 * t).sin());
            let motions = [&BodyMotion::fixed(), &BodyMotion { R, r, ..BodyMotion::fixed() }];
            let gap = pair.separation(motions).gap;
            assert!((gap - fresh().separation(motions).gap).abs() < 1e-12);
            tried += pair.search(motions).1;
            searches += usize::from(gap > 0.0);
        }
        assert!(searches > 1900 && tried < 5 * searches, "{tried} in {searches}");
    }
}
