//! Ground made of triangles and a round shape: a cylinder, a disk, a flat ellipse or an ellipsoid.
//!
//! # Law
//! Faces, ridges and corners of the ground and parts of the shape ([`parts`](super::parts)) have the gaps of these parts;
//! with the lowest point x of a rim or an ellipsoid, the radius r of a side, and what must hold beside the foot being
//! inside of both,
//! ```text
//! face, rim or ellipsoid:      n·(x − p)                                                              (1)
//! corner x, cap:               n_B·(x − p_B),       −n_B among the normals of the corner               (2)
//! ridge or corner, side:       n·w − r,             n among the normals of the ridge or corner         (3)
//! ridge or corner, rim or ellipsoid:  max s(n),     likewise, and −n among those of the rim            (4)
//! ```
//! s(n) as in (2) of `smooth_pair`. The separation is the least of these. What is inside of a cylinder leaves it on the shortest
//! way along a normal of its own: a longer one is no gap. A sharp corner and a rim have a distance, but are no
//! contact: where they touch they have no one normal.
//!
//! # Rule
//! 1. *Flat.* A cap that is tilted by no more than [`LIES_FLAT`] against a face, or a ridge that supports it, lies flat on it: of
//!    the two it is the polygon of `cylinder` then, its corners over the face, its edges across the ridge. Of a face on which
//!    a cap lies flat the ridges around it go with it. Against all else that cap still is a rim. It begins and ends as in
//!    `cylinder_pair`.
//! 2. *Along.* Where the side runs along a ridge that its ends touch as well, their crossing is none.
//!
//! # Limits
//! A cap that lies flat and reaches over a border by less than 7.6 % of its radius, with nothing else of it over the ground, is
//! not found.
//!
//! # Tests
//! `tests/terrain_round.rs`.

use super::cylinder::{CORNERS, Cylinder};
use super::cylinder_pair::{FLAT_ENDS, FLAT_FROM, FLAT_UP_TO};
use super::half_space::HalfSpace;
use super::lines::{Line, PARALLEL};
use super::manifold::ALONG;
use super::motion::BodyMotion;
use super::parts::{Convex, Element, Meeting, Part, Touch, meet};
use super::separation::Features;
use super::sphere_sphere::Sphere;
use super::terrain_pair::{Look, NOT, TerrainPair};
use crate::numeric::thresholds::LIES_FLAT;
use crate::spatial::Pose;
use nalgebra::Vector3;

/// What a part of the ground has in the place of corners.
const NONE: &[Vector3<f64>] = &[];

/// Caps of a rim; a disk has two caps and one rim.
fn caps(cylinder: &Cylinder, rim: usize) -> std::ops::Range<usize> {
    if cylinder.rims() == 1 { 0..2 } else { rim..rim + 1 }
}

/// The cap that a corner or an edge of its polygon belongs to.
fn polygon_of(part: Part) -> Option<usize> {
    match part {
        Part::Corner(i) => Some(i / CORNERS),
        Part::Edge(i @ 1..) => Some((i - 1) / CORNERS),
        _ => None,
    }
}

impl TerrainPair {
    /// A part of the ground, where `at` puts the ground.
    fn part(&self, part: Part, at: &Pose) -> Option<Element> {
        let point = |k: usize| at.point(&self.ground.points[k]);
        let planar = self.ground.planar;
        Some(match part {
            Part::Face(k) => {
                let flat = &self.ground.faces[k];
                Element::Plane(HalfSpace::new(at.point(&flat.point), at.R * flat.normal, planar))
            }
            Part::Edge(k) => {
                let [start, end] = self.ground.ridges[k].ends.map(point);
                Element::Line(Line { start, along: (end - start).normalize(), radius: 0.0 })
            }
            Part::Corner(k) => {
                Element::Ball(Sphere { center: at.point(&self.ground.corner(k)), radius: 0.0 })
            }
            Part::Rim(_) | Part::Whole => return None,
        })
    }

    /// How a part of the ground, where `at` puts it, and one of the shape meet, and whether in the other order.
    pub fn meeting(&self, [a, b]: [Part; 2], positive: bool, at: &Pose) -> Option<(Meeting, bool)> {
        meet(self.part(a, at)?, self.round.as_ref()?.element(b)?, (positive, self.ground.planar))
    }

    fn touch(&self, parts: [Part; 2], positive: bool, motion: &BodyMotion) -> Option<Touch> {
        let (meeting, turned) = self.meeting(parts, positive, &Pose::identity())?;
        let ground = BodyMotion::fixed();
        if let Meeting::Smooth(pair) = &meeting {
            let (gap, normal, x) = pair.nearest(&ground, motion);
            return (!gap.is_nan()).then_some(Touch { gap, normal, x });
        }
        let gap = match turned {
            false => meeting.gap(&ground, motion),
            true => meeting.gap(motion, &ground),
        };
        let (normal, x) = match turned {
            false => (gap.normal, [gap.point_a, gap.point_b]),
            true => (-gap.normal, [gap.point_b, gap.point_a]),
        };
        (!gap.gap.is_nan()).then_some(Touch { gap: gap.gap, normal, x })
    }

    /// How far a point is from a part of the ground at least, m.
    fn clear(&self, part: Part, x: &Vector3<f64>) -> f64 {
        match part {
            Part::Face(k) => {
                let flat = &self.ground.faces[k];
                flat.normal.dot(&(x - flat.point))
            }
            Part::Edge(k) => {
                let (start, d, length) = self.ridge(k);
                (x - start - d * d.dot(&(x - start)).clamp(0.0, length)).norm()
            }
            Part::Corner(k) => (x - self.ground.corner(k)).norm(),
            Part::Rim(_) | Part::Whole => 0.0,
        }
    }

    /// Equations (1) to (4): gap, extent, foot, normal. The extent is left out where the gap is beyond `most`.
    pub(super) fn look_parts(
        &self,
        [a, b]: [Part; 2],
        positive: bool,
        motion: &BodyMotion,
        most: f64,
    ) -> Look {
        let Some(round) = &self.round else { return NOT };
        if self.clear(a, &motion.place(&self.shape.center)) - self.shape.reach > most {
            return NOT;
        }
        let Some(touch) = self.touch([a, b], positive, motion).filter(|t| t.gap <= most) else {
            return NOT;
        };
        let Touch { gap, normal, x: [foot, x] } = touch;
        let seen = (motion, NONE);
        // A cap that lies flat is tilted a little against what carries it.
        let carries = matches!(b, Part::Face(_)) || polygon_of(b).is_some();
        let slack = if carries { FLAT_ENDS * LIES_FLAT } else { 0.0 };
        let (inside, cone) = match a {
            Part::Face(k) => (self.ground.over(k, &foot, self.hair()), 1.0),
            Part::Edge(k) => {
                let (start, d, length) = self.ridge(k);
                let s = d.dot(&(foot - start));
                // At the axis of a rim no normal is found.
                let off = (foot - start - d * s).norm();
                let joined = if off > self.delta { -off } else { f64::INFINITY };
                (s.min(length - s).min(joined), self.crest(k, &normal) + slack)
            }
            Part::Corner(k) => {
                let off = (x - foot - gap * normal).norm();
                let joined = if off > self.delta { -off } else { f64::INFINITY };
                (joined, self.peak(k, &normal) + slack)
            }
            _ => return NOT,
        };
        let inside = inside.min(round.reaches(seen, b, [&x, &foot]));
        let mut extent = inside.min(cone.min(round.cone(seen, b, &-normal)) * self.size);
        if let (Part::Edge(_), Part::Edge(0)) = (a, b) {
            extent = extent.min(gap + round.cylinder().map_or(0.0, |c| c.radius));
        }
        if extent >= -self.hair() && gap < -self.hair() && !self.enters([a, b], &touch, motion) {
            return NOT;
        }
        Look { gap, extent, foot, normal }
    }

    /// Whether what overlaps by more than round-off does, and is not beyond the ground or the shape.
    fn enters(&self, [a, b]: [Part; 2], touch: &Touch, motion: &BodyMotion) -> bool {
        let Touch { gap, normal, x: [foot, x] } = touch;
        match (a, b, &self.round) {
            // A disk has no inside.
            (Part::Corner(k), Part::Face(_) | Part::Edge(0), Some(Convex::Cylinder(c)))
                if c.rims() > 1 =>
            {
                self.is_inside(c, foot, motion)
                    && !self.leaves(|n| self.peak(k, n), c, (foot, -gap), motion)
            }
            (Part::Face(k), Part::Whole, _) => {
                let center = motion.place(&self.shape.center);
                let flat = &self.ground.faces[k];
                flat.normal.dot(&(center - flat.point)) >= 0.0 || self.ground.covers(&center)
            }
            (Part::Face(_), ..) => self.sunk(*gap, x),
            (_, Part::Whole, _) => true,
            (Part::Edge(k), Part::Edge(0), Some(Convex::Cylinder(c))) => {
                let r = c.radius;
                let core = gap + r >= -self.hair() || self.ground.covers(&(x + normal * r));
                core && !self.leaves(|n| self.crest(k, n), c, (foot, -gap), motion)
            }
            // A border has nothing behind it.
            (Part::Edge(k), Part::Rim(_), Some(Convex::Cylinder(c))) if c.rims() > 1 => {
                self.ground.covers(x)
                    || self.is_inside(c, foot, motion)
                        && !self.leaves(|n| self.crest(k, n), c, (foot, -gap), motion)
            }
            (Part::Edge(k), Part::Rim(_), Some(Convex::Cylinder(c))) => {
                self.ground.covers(x) || self.runs_through(k, c, motion)
            }
            _ => self.ground.covers(x),
        }
    }

    fn is_inside(&self, c: &Cylinder, x: &Vector3<f64>, motion: &BodyMotion) -> bool {
        c.inside_cap(motion, x).min(c.inside_side(motion, x)) >= 0.0
    }

    /// Whether a ridge runs through a disk.
    fn runs_through(&self, ridge: usize, c: &Cylinder, motion: &BodyMotion) -> bool {
        let (start, d, length) = self.ridge(ridge);
        let n = motion.R * c.outward(0);
        let s = n.dot(&(motion.place(&c.center) - start)) / n.dot(&d);
        (0.0..=length).contains(&s) && c.inside_cap(motion, &(start + d * s)) > 0.0
    }

    /// Whether a point inside of a cylinder leaves it on a shorter way than `depth` along a normal of its own, or is not inside but
    /// on its surface.
    fn leaves(
        &self,
        cone: impl Fn(&Vector3<f64>) -> f64,
        c: &Cylinder,
        (foot, depth): (&Vector3<f64>, f64),
        motion: &BodyMotion,
    ) -> bool {
        let axis = motion.R * c.outward(0);
        let d = foot - motion.place(&c.center);
        let height = axis.dot(&d);
        let across = d - axis * height;
        let side = across.norm();
        let ways = [
            (c.half_length - height, -axis),
            (c.half_length + height, axis),
            (c.radius - side, if side > 0.0 { -across / side } else { Vector3::zeros() }),
        ];
        let shorter = |(way, n): (f64, Vector3<f64>)| {
            let own = way <= self.hair() || cone(&n) * self.size >= -self.delta;
            way < depth - self.delta && own
        };
        ways.into_iter().any(shorter)
    }

    /// Sine of the angle between a cap and a face that looks at it, or a ridge that supports it.
    fn tilt(&self, cap: usize, on: Part, motion: &BodyMotion) -> f64 {
        let Some(Convex::Cylinder(cylinder)) = &self.round else { return f64::INFINITY };
        let n = motion.R * cylinder.outward(cap);
        match on {
            Part::Face(k) => {
                let m = &self.ground.faces[k].normal;
                if n.dot(m) < 0.0 { n.cross(m).norm() } else { f64::INFINITY }
            }
            Part::Edge(k) if self.crest(k, &-n) >= -FLAT_ENDS * LIES_FLAT => {
                n.dot(&self.ridge(k).1).abs()
            }
            _ => f64::INFINITY,
        }
    }

    /// Rule 1: whether a cap lies flat on something, or on a face beside it, by limits for what did and did not when that
    /// was last decided.
    fn lies_flat(
        &self,
        (cap, on): (usize, Part),
        (did, did_not): (f64, f64),
        motion: &BodyMotion,
    ) -> bool {
        let flat = |on: Part| {
            let limit = if self.flat.contains(&(cap, on)) { did } else { did_not };
            self.tilt(cap, on, motion) <= limit * LIES_FLAT
        };
        let beside =
            |k: usize| self.ground.ridges[k].faces.iter().any(|&face| flat(Part::Face(face)));
        flat(on) || matches!(on, Part::Edge(k) if beside(k))
    }

    /// Rule 1 at an event, or where nothing is closed: which caps lie flat on what.
    pub(super) fn find_flat(&mut self, motion: &BodyMotion) {
        if !matches!(self.round, Some(Convex::Cylinder(_))) {
            return;
        }
        let mut found = std::mem::take(&mut self.lying);
        found.clear();
        let faces = self.faces.iter().map(|&k| Part::Face(k));
        let ridges = self.ridges.iter().map(|&k| Part::Edge(k));
        for on in faces.chain(ridges) {
            for cap in 0..2 {
                if self.lies_flat((cap, on), (FLAT_UP_TO, FLAT_FROM), motion) {
                    found.push((cap, on));
                }
            }
        }
        self.lying = std::mem::replace(&mut self.flat, found);
    }

    /// By how much the tilt of a cap lets its rim, or the corners of its polygon, touch, m.
    pub(super) fn tilted(&self, [a, b]: [Part; 2], look: &Look, motion: &BodyMotion) -> f64 {
        let Some(Convex::Cylinder(cylinder)) = &self.round else { return f64::INFINITY };
        let flat = |cap: usize| self.flat.contains(&(cap, a));
        match (b, polygon_of(b)) {
            // Either the rim or the polygon touches, never both.
            (Part::Rim(k), _) if caps(cylinder, k).any(flat) => f64::NEG_INFINITY,
            (Part::Rim(k), _) => {
                let tilt = look.normal.cross(&(motion.R * cylinder.outward(k))).norm();
                (tilt - LIES_FLAT) * cylinder.radius - 2.0 * self.delta
            }
            (_, Some(cap)) if !flat(cap) => f64::NEG_INFINITY,
            (_, Some(cap)) => (FLAT_ENDS * LIES_FLAT - self.tilt(cap, a, motion)) * cylinder.radius,
            _ => f64::INFINITY,
        }
    }

    /// All features of what was gathered and the parts of the shape, in the order of the law; `distances` if those that are
    /// no contacts are wanted.
    pub(super) fn each_part(
        &self,
        distances: bool,
        motion: &BodyMotion,
        visit: &mut impl FnMut(Features),
    ) {
        let mut push = |a: Part, b: Part, positive: bool| visit(Features::Parts { a, b, positive });
        let flat = |cap: usize, on: Part| self.lies_flat((cap, on), (FLAT_ENDS, 1.0), motion);
        let cylinder = match &self.round {
            Some(Convex::Cylinder(c)) => Some(c),
            _ => None,
        };
        let rolls =
            |rim: usize, on: Part| cylinder.is_none_or(|c| !caps(c, rim).any(|cap| flat(cap, on)));
        let polygon = |first: usize, cap: usize| first + cap * CORNERS..first + (cap + 1) * CORNERS;
        for on in self.faces.iter().map(|&k| Part::Face(k)) {
            for &part in &self.parts {
                match part {
                    Part::Rim(k) if rolls(k, on) => push(on, part, true),
                    Part::Face(k) if flat(k, on) => {
                        polygon(0, k).for_each(|i| push(on, Part::Corner(i), true));
                    }
                    Part::Whole => push(on, part, true),
                    _ => {}
                }
            }
        }
        let corners = || self.corners.iter().map(|&k| Part::Corner(k));
        for on in corners() {
            for &part in self.parts.iter().filter(|part| matches!(part, Part::Face(_))) {
                push(on, part, true);
            }
        }
        for (k, on) in self.ridges.iter().map(|&k| (k, Part::Edge(k))) {
            for &part in &self.parts {
                match part {
                    Part::Edge(0) => {
                        self.crossing((k, 0), motion).into_iter().for_each(|up| push(on, part, up));
                    }
                    Part::Rim(rim) if rolls(rim, on) => push(on, part, true),
                    Part::Face(cap) if flat(cap, on) => {
                        for edge in polygon(1, cap) {
                            let up = self.crossing((k, edge), motion);
                            up.into_iter().for_each(|up| push(on, Part::Edge(edge), up));
                        }
                    }
                    Part::Whole => push(on, part, true),
                    _ => {}
                }
            }
        }
        for on in corners() {
            for &part in &self.parts {
                match part {
                    Part::Edge(_) | Part::Whole => push(on, part, true),
                    Part::Rim(_) if distances => push(on, part, true),
                    _ => {}
                }
            }
        }
    }

    /// The sign of the normal of a ridge and an edge of the shape: to the side of the axis of a cylinder, and to the inside
    /// of a cap; none for parallel ones.
    fn crossing(&self, (ridge, edge): (usize, usize), motion: &BodyMotion) -> Option<bool> {
        let Some(Convex::Cylinder(c)) = &self.round else { return None };
        let (start, d, _) = self.ridge(ridge);
        let (x, e, _) = self.round.as_ref()?.edge(motion, edge)?;
        let m = d.cross(&e);
        let up = match polygon_of(Part::Edge(edge)) {
            Some(cap) => m.dot(&(motion.R * c.outward(cap))) < 0.0,
            None => m.dot(&(x - start)) >= 0.0,
        };
        (m.norm() > PARALLEL).then_some(up)
    }

    /// Rule 2, of what was looked at.
    pub(super) fn drop_crossings(&self, looked: &mut Vec<(Features, Look)>, motion: &BodyMotion) {
        let Some(Convex::Cylinder(c)) = &self.round else { return };
        let axis = motion.R * c.outward(0);
        let mut at = 0;
        while at < looked.len() {
            let (features, own) = looked[at];
            at += 1;
            let Features::Parts { a: Part::Edge(ridge), b: Part::Edge(0), .. } = features else {
                continue;
            };
            let [i, j] = self.ground.ridges[ridge].ends;
            let is_end = |features: &Features| match features {
                Features::Parts { a: Part::Edge(k), b: Part::Rim(_), .. } => *k == ridge,
                Features::Parts { a: Part::Corner(k), b: Part::Edge(0), .. } => [i, j].contains(k),
                _ => false,
            };
            let near = |(f, l): &&(Features, Look)| is_end(f) && l.gap <= own.gap + self.delta;
            if self.ridge(ridge).1.dot(&axis).abs() >= ALONG
                && looked.iter().filter(near).count() > 1
            {
                at -= 1;
                looked.remove(at);
            }
        }
    }
}

/// Half extents of a shape along the axes of the frame in which it is seen, and the radius of a ball about its centre inside
/// of it, m.
pub(super) fn spread(
    round: &Convex,
    motion: &BodyMotion,
    center: &Vector3<f64>,
) -> (Vector3<f64>, f64) {
    let along = |k: usize| {
        let e = Vector3::ith(k, 1.0);
        round.height((motion, NONE), &e) - center[k]
    };
    let inner = match round {
        Convex::Cylinder(c) => c.radius.min(c.half_length),
        Convex::Smooth(s) => s.least() + s.radius,
        Convex::Polytope(_) | Convex::HalfSpace(_) => 0.0,
    };
    (Vector3::new(along(0), along(1), along(2)), inner)
}
