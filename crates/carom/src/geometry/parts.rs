//! Parts of convex shapes, and how two of them meet.
//!
//! A convex shape is made of faces, edges, corners, rims of cylinders, or is smooth as a whole. The common normal of two
//! shapes is that of two of their parts:
//!
//! | parts | gap |
//! |---|---|
//! | a face and a corner, a rim or a smooth shape | `round_plane` |
//! | two edges | `lines` |
//! | an edge and a corner | `lines` |
//! | an edge and a rim or a smooth shape | `smooth_pair` |
//! | corners, rims and smooth shapes | `smooth_pair`, two corners `sphere_sphere` |
//!
//! The nearest points of two parts are those of the shapes if the normal belongs to both parts and each point lies in its
//! part, by equations (1) to (3) of `smooth_polytope` and of `cylinder`.

use super::cylinder::{CORNERS, Cylinder};
use super::gap::{Approach, Gap};
use super::half_space::HalfSpace;
use super::lines::{Line, LinePair, LinePoint};
use super::motion::BodyMotion;
use super::polytope::Polytope;
use super::round_plane::{Round, approach_plane, gap_to_plane};
use super::separation::{Placed, corner_cone, edge_cone};
use super::smooth_pair::{Smooth, SmoothPair};
use super::sphere_sphere::{Sphere, SpherePair};
use nalgebra::{Matrix3, Vector3};

/// A part of a convex shape.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Part {
    /// A corner of a polytope, or one of those that stand for a flat cap.
    Corner(usize),
    /// An edge of a polytope; of a cylinder the side (0), or the straight edges of a flat cap.
    Edge(usize),
    /// A face of a polytope, a cap of a cylinder, a half-space.
    Face(usize),
    /// A rim of a cylinder.
    Rim(usize),
    /// All of a smooth shape.
    Whole,
}

/// A convex shape in the axes of its body.
#[derive(Debug, Clone)]
pub enum Convex {
    /// A rounded polytope.
    Polytope(Polytope),
    /// A cylinder.
    Cylinder(Cylinder),
    /// An ellipsoid.
    Smooth(Smooth),
    /// A half-space.
    HalfSpace(HalfSpace),
}

/// A part as the geometry sees it.
pub(super) enum Element {
    Plane(HalfSpace),
    Ball(Sphere),
    Line(Line),
    Round(Smooth),
}

/// Two parts, in the order that their gap wants.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Meeting {
    /// A round shape or a point over a plane.
    OnPlane(HalfSpace, Round),
    /// Two balls.
    Spheres(SpherePair),
    /// Two lines.
    Lines(LinePair),
    /// A line and a corner.
    LinePoint(LinePoint),
    /// Smooth shapes, or a line and one.
    Smooth(SmoothPair),
}

/// The nearest points of two parts.
#[derive(Debug, Clone, Copy)]
pub struct Touch {
    /// g, m.
    pub gap: f64,
    /// From the first shape to the second.
    pub normal: Vector3<f64>,
    /// On both shapes, in the world.
    pub x: [Vector3<f64>; 2],
}

impl Convex {
    /// All parts by which it may touch a shape that does not lie flat on it.
    pub fn parts(&self) -> Vec<Part> {
        match self {
            Self::Polytope(p) => {
                let faces = (0..p.faces.len()).map(Part::Face);
                let edges = (0..p.edges.len()).map(Part::Edge);
                faces.chain(edges).chain((0..p.vertices.len()).map(Part::Corner)).collect()
            }
            Self::Cylinder(c) if c.rims() == 1 => vec![Part::Face(0), Part::Face(1), Part::Rim(0)],
            Self::Cylinder(_) => {
                vec![Part::Face(0), Part::Face(1), Part::Edge(0), Part::Rim(0), Part::Rim(1)]
            }
            Self::Smooth(_) => vec![Part::Whole],
            Self::HalfSpace(_) => vec![Part::Face(0)],
        }
    }

    /// The cylinder that it is, if it is one.
    pub fn cylinder(&self) -> Option<&Cylinder> {
        match self {
            Self::Cylinder(c) => Some(c),
            _ => None,
        }
    }

    pub(super) fn element(&self, part: Part) -> Option<Element> {
        Some(match (self, part) {
            (Self::Polytope(p), Part::Corner(k)) => {
                Element::Ball(Sphere { center: p.vertices[k], radius: p.radius })
            }
            (Self::Polytope(p), Part::Edge(k)) => {
                let [i, j] = p.edges[k].ends;
                let along = (p.vertices[j] - p.vertices[i]).normalize();
                Element::Line(Line { start: p.vertices[i], along, radius: p.radius })
            }
            (Self::Polytope(p), Part::Face(k)) => Element::Plane(p.faces[k].plane),
            (Self::Cylinder(c), Part::Corner(k)) => {
                Element::Ball(Sphere { center: c.corner(k), radius: 0.0 })
            }
            (Self::Cylinder(c), Part::Edge(0)) => Element::Line(c.side()),
            (Self::Cylinder(c), Part::Edge(k)) => Element::Line(c.chord(k - 1).0),
            (Self::Cylinder(c), Part::Face(k)) => Element::Plane(c.cap(k)),
            (Self::Cylinder(c), Part::Rim(k)) => Element::Round(c.rim(k)),
            (Self::Smooth(s), Part::Whole) => Element::Round(*s),
            (Self::HalfSpace(plane), Part::Face(_)) => Element::Plane(*plane),
            _ => return None,
        })
    }

    /// Normal of a face in the world.
    pub fn normal(&self, body: &BodyMotion, face: usize) -> Option<Vector3<f64>> {
        let Some(Element::Plane(plane)) = self.element(Part::Face(face)) else { return None };
        Some(body.R * plane.normal)
    }

    /// A point of the plane of a face in the world.
    pub fn on_face(&self, body: &BodyMotion, face: usize) -> Option<Vector3<f64>> {
        let Some(Element::Plane(plane)) = self.element(Part::Face(face)) else { return None };
        Some(body.place(&plane.point))
    }

    /// Start, direction and length of an edge in the world.
    pub fn edge(
        &self,
        body: &BodyMotion,
        edge: usize,
    ) -> Option<(Vector3<f64>, Vector3<f64>, f64)> {
        let Some(Element::Line(line)) = self.element(Part::Edge(edge)) else { return None };
        let length = match (self, edge) {
            (Self::Polytope(p), k) => {
                let [i, j] = p.edges[k].ends;
                (p.vertices[j] - p.vertices[i]).norm()
            }
            (Self::Cylinder(c), 0) => 2.0 * c.half_length,
            (Self::Cylinder(c), k) => c.chord(k - 1).1,
            _ => return None,
        };
        Some((body.place(&line.start), body.R * line.along, length))
    }

    /// How far inside of a face a point lies, seen along its normal, m.
    pub fn inside(
        &self,
        (motion, x): (&BodyMotion, &[Vector3<f64>]),
        face: usize,
        p: &Vector3<f64>,
    ) -> f64 {
        match self {
            Self::Polytope(shape) => Placed { shape, motion, x }.inside(face, p),
            Self::Cylinder(c) => c.inside_cap(motion, p),
            _ => f64::INFINITY,
        }
    }

    /// Height of its highest point along `n`, m; of a half-space, which is asked along its normal only, that of its plane.
    pub fn height(&self, (body, x): (&BodyMotion, &[Vector3<f64>]), n: &Vector3<f64>) -> f64 {
        match self {
            Self::Polytope(p) => x.iter().map(|x| n.dot(x)).fold(f64::MIN, f64::max) + p.radius,
            Self::Cylinder(c) => -c.lowest(body, &-n),
            Self::Smooth(s) => n.dot(&s.support(body, n)),
            Self::HalfSpace(plane) => n.dot(&body.place(&plane.point)),
        }
    }

    /// A point amid it, of a half-space one of its plane.
    pub fn center(&self, body: &BodyMotion) -> Vector3<f64> {
        body.place(match self {
            Self::Polytope(p) => &p.center,
            Self::Cylinder(c) => &c.center,
            Self::Smooth(s) => &s.center,
            Self::HalfSpace(plane) => &plane.point,
        })
    }

    /// Height along `n` of the middle of what is highest of a part, m.
    pub fn level(
        &self,
        (body, x): (&BodyMotion, &[Vector3<f64>]),
        part: Part,
        n: &Vector3<f64>,
    ) -> f64 {
        match (self, part) {
            (Self::Polytope(_), Part::Corner(k)) => n.dot(&x[k]),
            (Self::Polytope(p), Part::Edge(k)) => {
                let [i, j] = p.edges[k].ends;
                0.5 * n.dot(&(x[i] + x[j]))
            }
            (Self::Polytope(p), Part::Face(k)) => {
                let corners = &p.faces[k].corners;
                corners.iter().map(|&c| n.dot(&x[c])).sum::<f64>() / corners.len() as f64
            }
            (Self::Cylinder(c), part) => {
                let rise = n.dot(&(body.R * c.outward(0)));
                let side = c.radius * (1.0 - rise * rise).max(0.0).sqrt();
                let end = |k: usize| c.half_length * if k == 0 { rise } else { -rise };
                match part {
                    Part::Face(k) => end(k),
                    Part::Rim(k) => end(k) + side,
                    _ => side,
                }
            }
            _ => 0.0,
        }
    }

    /// How far the nearest point `own` is inside of a part, m; for a face, `other`, the nearest point of the other shape. `x`
    /// are the corners of a polytope in the world.
    pub fn reaches(
        &self,
        (body, x): (&BodyMotion, &[Vector3<f64>]),
        part: Part,
        [own, other]: [&Vector3<f64>; 2],
    ) -> f64 {
        match part {
            Part::Face(face) => self.inside((body, x), face, other),
            Part::Edge(edge) => {
                let Some((start, d, length)) = self.edge(body, edge) else {
                    return f64::NEG_INFINITY;
                };
                let along = d.dot(&(own - start));
                along.min(length - along)
            }
            _ => f64::INFINITY,
        }
    }

    /// Sine of the angle by which `n`, outward, is inside of the normals of a part.
    pub fn cone(
        &self,
        (motion, x): (&BodyMotion, &[Vector3<f64>]),
        part: Part,
        n: &Vector3<f64>,
    ) -> f64 {
        match (self, part) {
            (Self::Polytope(shape), Part::Edge(k)) => edge_cone(&Placed { shape, motion, x }, k, n),
            (Self::Polytope(shape), Part::Corner(k)) => {
                corner_cone(&Placed { shape, motion, x }, k, n)
            }
            (Self::Cylinder(c), Part::Rim(k)) if c.rims() > 1 => n.dot(&(motion.R * c.outward(k))),
            _ => 1.0,
        }
    }

    /// Corners that stand for a flat cap, or the corners of a face or an edge, into `found`.
    pub fn outline(&self, part: Part, found: &mut Vec<Part>) {
        found.clear();
        match (self, part) {
            (Self::Polytope(p), Part::Face(k)) => {
                found.extend(p.faces[k].corners.iter().map(|&c| Part::Corner(c)));
            }
            (Self::Polytope(p), Part::Edge(k)) => found.extend(p.edges[k].ends.map(Part::Corner)),
            (Self::Cylinder(_), Part::Face(k)) => {
                found.extend((0..CORNERS).map(|i| Part::Corner(k * CORNERS + i)));
            }
            (Self::Cylinder(_), Part::Edge(0)) => found.extend([Part::Rim(0), Part::Rim(1)]),
            _ => {}
        }
    }

    /// The edges around a face, or an edge alone, into `found`.
    pub fn border(&self, part: Part, found: &mut Vec<usize>) {
        found.clear();
        match (self, part) {
            (Self::Polytope(p), Part::Face(k)) => found.extend(&p.faces[k].edges),
            (Self::Cylinder(_), Part::Face(k)) => {
                found.extend((0..CORNERS).map(|i| 1 + k * CORNERS + i));
            }
            (_, Part::Edge(k)) => found.push(k),
            _ => {}
        }
    }
}

/// How two parts meet, and whether in the other order; `positive` is the sign of d_A × d_B in the normal of two edges.
pub fn meeting(
    [a, b]: [&Convex; 2],
    [part_a, part_b]: [Part; 2],
    positive: bool,
) -> Option<(Meeting, bool)> {
    meet(a.element(part_a)?, b.element(part_b)?, (positive, false))
}

/// The same of elements of any shapes, convex or not, of space or of the plane.
pub(super) fn meet(
    a: Element,
    b: Element,
    (positive, planar): (bool, bool),
) -> Option<(Meeting, bool)> {
    use Element::{Ball, Line, Plane, Round as Smoothed};
    let round = |s: &Smooth| Round::new(s.center, s.axes, s.semi_axes);
    let ball =
        |s: &Sphere| Round::new(s.center, Matrix3::identity(), Vector3::from_element(s.radius));
    let smooth = |a: Smooth, b: Smooth, edge: Option<Vector3<f64>>| {
        Meeting::Smooth(SmoothPair { a, b, edge, planar })
    };
    let sphere = |s: &Sphere| Smooth::ball(s.center, s.radius);
    let side = if positive { 1.0 } else { -1.0 };
    let straight = |meeting| Some((meeting, false));
    let turned = |meeting| Some((meeting, true));
    match (a, b) {
        (Plane(p), Ball(s)) => straight(Meeting::OnPlane(p, ball(&s))),
        (Ball(s), Plane(p)) => turned(Meeting::OnPlane(p, ball(&s))),
        (Plane(p), Smoothed(s)) => straight(Meeting::OnPlane(p, round(&s))),
        (Smoothed(s), Plane(p)) => turned(Meeting::OnPlane(p, round(&s))),
        (Ball(a), Ball(b)) => straight(Meeting::Spheres(SpherePair { a, b, planar })),
        (Line(a), Line(b)) => straight(Meeting::Lines(LinePair { a, b, side })),
        (Line(line), Ball(s)) => {
            straight(Meeting::LinePoint(LinePoint { line, point: s.center, radius: s.radius }))
        }
        (Ball(s), Line(line)) => {
            turned(Meeting::LinePoint(LinePoint { line, point: s.center, radius: s.radius }))
        }
        (Line(l), Smoothed(s)) => {
            straight(smooth(Smooth::ball(l.start, l.radius), s, Some(l.along)))
        }
        (Smoothed(s), Line(l)) => turned(smooth(Smooth::ball(l.start, l.radius), s, Some(l.along))),
        (Ball(s), Smoothed(b)) => straight(smooth(sphere(&s), b, None)),
        (Smoothed(a), Ball(s)) => straight(smooth(a, sphere(&s), None)),
        (Smoothed(a), Smoothed(b)) => straight(smooth(a, b, None)),
        (Plane(_), Plane(_) | Line(_)) | (Line(_), Plane(_)) => None,
    }
}

impl Meeting {
    /// Gap, contact points, velocities and biases; `a` moves the first part of the meeting.
    pub fn gap(&self, a: &BodyMotion, b: &BodyMotion) -> Gap {
        match self {
            Self::OnPlane(plane, round) => gap_to_plane(plane, a, round, b),
            Self::Spheres(pair) => pair.gap(a, b),
            Self::Lines(pair) => pair.gap(a, b),
            Self::LinePoint(pair) => pair.gap(a, b),
            Self::Smooth(pair) => pair.gap(a, b),
        }
    }

    /// Gap and its rate.
    pub fn approach(&self, a: &BodyMotion, b: &BodyMotion) -> Approach {
        match self {
            Self::OnPlane(plane, round) => approach_plane(plane, a, round, b),
            Self::Spheres(pair) => pair.approach(a, b),
            Self::Lines(pair) => pair.approach(a, b),
            Self::LinePoint(pair) => pair.approach(a, b),
            Self::Smooth(pair) => pair.approach(a, b),
        }
    }
}
