//! How far two rounded polytopes are apart, and by which features.
//!
//! # Law
//! Along any unit vector n the shapes are at least s(n) = min n·x_B − max n·x_A − r apart, r = r_A + r_B. The
//! separation
//! ```text
//! s = max s(n) over the face normals of A and of B and the edge normals ±(d_A × d_B)/|d_A × d_B|
//!     of edges that are supports along n                                                      (1)
//! ```
//! is positive exactly if the cores are apart by more than r along a face or an edge normal (separating axes),
//! continuous, never above the distance, and for sharp shapes zero exactly when they touch. With a rounding the
//! distance d of the cores takes its place wherever the nearest points are not inside of the features of (1):
//! ```text
//! g = s  (sharp, or the nearest points inside of the features, or cores that overlap),   g = d − r otherwise   (2)
//! ```
//! Of axes whose separations are equal, the one of the greater rate is taken: it is the separation just after.
//!
//! Axes that cannot have the greatest separation are left out ([`axes`](super::axes)): of two bodies with many faces nearly
//! all, so that the cost grows like the number of features, not like their product.
//!
//! # Limits
//! The distance of rounded cores by other features compares all of them. For cores that are together too thin to have
//! a volume (two segments) only a rounding makes (2) a gap.
//!
//! # Tests
//! `tests/polytopes.rs`: `eq1_eq2_separation_and_distance`.

use super::axes::Search;
use super::lines::PARALLEL;
use super::motion::BodyMotion;
use super::parts::Part;
use super::polytope::Polytope;
use nalgebra::Vector3;

/// Which features of A and B are nearest.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Features {
    /// A corner of B above a face of A.
    FaceCorner {
        /// Face of A.
        face: usize,
        /// Corner of B.
        corner: usize,
    },
    /// A corner of A above a face of B.
    CornerFace {
        /// Corner of A.
        corner: usize,
        /// Face of B.
        face: usize,
    },
    /// Two edges that cross at a distance.
    Edges {
        /// Edge of A.
        a: usize,
        /// Edge of B.
        b: usize,
        /// Whether the normal is +d_A × d_B.
        positive: bool,
    },
    /// A rounded edge of A and a corner of B.
    EdgeCorner {
        /// Edge of A.
        edge: usize,
        /// Corner of B.
        corner: usize,
    },
    /// A corner of A and a rounded edge of B.
    CornerEdge {
        /// Corner of A.
        corner: usize,
        /// Edge of B.
        edge: usize,
    },
    /// Two rounded corners.
    Corners {
        /// Corner of A.
        a: usize,
        /// Corner of B.
        b: usize,
    },
    /// Two parts of which one is a cylinder's.
    Parts {
        /// Part of A.
        a: Part,
        /// Part of B.
        b: Part,
        /// Of two edges, whether the normal is +d_A × d_B.
        positive: bool,
    },
}

/// A shape where its body is now, with its corners in the world.
#[derive(Debug, Clone, Copy)]
pub struct Placed<'a> {
    /// The shape.
    pub shape: &'a Polytope,
    /// How its body moves.
    pub motion: &'a BodyMotion,
    /// Corners in the world, m.
    pub x: &'a [Vector3<f64>],
}

/// The corners of a shape in the world.
pub fn place(shape: &Polytope, motion: &BodyMotion, x: &mut Vec<Vector3<f64>>) {
    x.clear();
    x.extend(shape.vertices.iter().map(|v| motion.place(v)));
}

impl Placed<'_> {
    /// Its middle in the world.
    pub(super) fn middle(&self) -> Vector3<f64> {
        self.motion.place(&self.shape.center)
    }

    /// Normal of a face in the world.
    #[inline]
    pub fn normal(&self, face: usize) -> Vector3<f64> {
        self.motion.R * self.shape.faces[face].plane.normal
    }

    /// How far inside of a face a point lies, seen along its normal, m.
    pub fn inside(&self, face: usize, x: &Vector3<f64>) -> f64 {
        let f = &self.shape.faces[face];
        // In the axes of the body, so that the sides need not be turned.
        let local = self.motion.R.tr_mul(&(x - self.motion.r));
        let sides = f.sides.iter().zip(&f.corners);
        sides.fold(f64::INFINITY, |m, (s, &c)| m.min(s.dot(&(local - self.shape.vertices[c]))))
    }

    /// Start, direction and length of an edge in the world.
    pub fn edge(&self, edge: usize) -> (Vector3<f64>, Vector3<f64>, f64) {
        let [i, j] = self.shape.edges[edge].ends;
        let d = self.x[j] - self.x[i];
        let length = d.norm();
        (self.x[i], d / length, length)
    }

    /// The lowest corner along n and its height.
    pub(super) fn lowest(&self, n: &Vector3<f64>) -> (usize, f64) {
        let mut best = (0, f64::INFINITY);
        for (k, x) in self.x.iter().enumerate() {
            let h = n.dot(x);
            if h < best.1 {
                best = (k, h);
            }
        }
        best
    }
}

/// The separation of a pair and the features that it belongs to.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Separation {
    /// g of equation (2), m.
    pub gap: f64,
    /// The nearest features.
    pub features: Features,
    /// The best face axis, and its separation s(n), m; none where no shape has faces.
    pub face: Option<(Features, f64)>,
}

/// Equations (1) and (2). Separations that differ by less than `tie`, m, are equal.
pub fn separation(a: &Placed<'_>, b: &Placed<'_>, tie: f64, search: &mut Search) -> Separation {
    let mut best = search.face_axes(a, b, tie);
    let face = best.features.map(|f| (f, best.s - a.shape.radius - b.shape.radius));
    search.edge_axes(a, b, tie, &mut best);
    search.last = best.features;
    let radii = a.shape.radius + b.shape.radius;
    let space = if a.shape.planar { 2 } else { 3 };
    let full = a.shape.dimension + b.shape.dimension >= space;
    let inside = best.features.is_some_and(|f| extent(a, b, f) >= 0.0);
    match best.features {
        Some(features) if radii == 0.0 || inside || full && best.s <= 0.0 => {
            Separation { gap: best.s - radii, features, face }
        }
        _ => {
            let (d, features) = distance(a, b);
            Separation { gap: d - radii, features, face }
        }
    }
}

/// Where two lines are nearest, as lengths along them.
pub(super) fn crossing(a: &Placed<'_>, b: &Placed<'_>, i: usize, j: usize) -> Option<(f64, f64)> {
    let ((xa, da, _), (xb, db, _)) = (a.edge(i), b.edge(j));
    let c = da.dot(&db);
    let D = da.cross(&db).norm_squared();
    if D <= PARALLEL * PARALLEL {
        return None;
    }
    let r = xb - xa;
    let (ra, rb) = (r.dot(&da), r.dot(&db));
    Some(((ra - c * rb) / D, (c * ra - rb) / D))
}

/// How far inside of their features the nearest points are, m; negative outside. The normal of a rounded edge or
/// corner must lie between those of the faces beside it; such angles count by the length of the rounding.
pub fn extent(a: &Placed<'_>, b: &Placed<'_>, features: Features) -> f64 {
    match features {
        Features::FaceCorner { face, corner } => a.inside(face, &b.x[corner]),
        Features::CornerFace { corner, face } => b.inside(face, &a.x[corner]),
        Features::Edges { a: i, b: j, positive } => {
            let Some((s, t)) = crossing(a, b, i, j) else { return f64::NEG_INFINITY };
            let ((xa, da, la), (xb, db, lb)) = (a.edge(i), b.edge(j));
            let ends = s.min(la - s).min(t).min(lb - t);
            let rounding = (xb + t * db - xa - s * da).norm();
            if a.shape.radius + b.shape.radius == 0.0 {
                return ends;
            }
            let m = da.cross(&db).normalize();
            let n = if positive { m } else { -m };
            ends.min(edge_cone(a, i, &n) * rounding).min(edge_cone(b, j, &-n) * rounding)
        }
        Features::EdgeCorner { edge, corner } => edge_corner(a, b, edge, corner),
        Features::CornerEdge { corner, edge } => edge_corner(b, a, edge, corner),
        Features::Corners { a: i, b: j } => {
            let w = b.x[j] - a.x[i];
            let size = w.norm();
            let n = w / size;
            (corner_cone(a, i, &n) * size).min(corner_cone(b, j, &-n) * size)
        }
        Features::Parts { .. } => f64::NEG_INFINITY,
    }
}

fn edge_corner(a: &Placed<'_>, b: &Placed<'_>, edge: usize, corner: usize) -> f64 {
    let (x, d, _) = a.edge(edge);
    let w = b.x[corner] - x - d * d.dot(&(b.x[corner] - x));
    let size = w.norm();
    over_edge(a, edge, &b.x[corner]).min(corner_cone(b, corner, &-(w / size)) * size)
}

/// How far inside of a rounded edge a point beside it is, m.
pub(super) fn over_edge(a: &Placed<'_>, edge: usize, point: &Vector3<f64>) -> f64 {
    let (x, d, length) = a.edge(edge);
    let s = d.dot(&(point - x));
    let w = point - x - s * d;
    let size = w.norm();
    s.min(length - s).min(edge_cone(a, edge, &(w / size)) * size)
}

/// Sine of the angle by which n is inside of the normals of an edge.
pub(super) fn edge_cone(shape: &Placed<'_>, edge: usize, n: &Vector3<f64>) -> f64 {
    let e = &shape.shape.edges[edge];
    let x = shape.x[e.ends[0]];
    e.wings.iter().fold(1.0, |m, &w| {
        let d = shape.x[w] - x;
        f64::min(m, -n.dot(&d) / d.norm())
    })
}

/// The same for a corner.
pub(super) fn corner_cone(shape: &Placed<'_>, corner: usize, n: &Vector3<f64>) -> f64 {
    let x = shape.x[corner];
    shape.shape.neighbours[corner].iter().fold(1.0, |m, &k| {
        let d = shape.x[k] - x;
        f64::min(m, -n.dot(&d) / d.norm())
    })
}

/// Distance of the cores and the nearest features; the cores must be apart.
fn distance(a: &Placed<'_>, b: &Placed<'_>) -> (f64, Features) {
    let mut best = (f64::INFINITY, Features::Corners { a: 0, b: 0 });
    let mut offer = |d: f64, features: Features| {
        if d < best.0 {
            best = (d, features);
        }
    };
    for (i, x) in a.x.iter().enumerate() {
        for (j, y) in b.x.iter().enumerate() {
            offer((y - x).norm(), Features::Corners { a: i, b: j });
        }
        for edge in 0..b.shape.edges.len() {
            if let Some(d) = beside(b, edge, x) {
                offer(d, Features::CornerEdge { corner: i, edge });
            }
        }
        for face in 0..b.shape.faces.len() {
            let h = b.normal(face).dot(&(x - b.x[b.shape.faces[face].corners[0]]));
            if h >= 0.0 && b.inside(face, x) >= 0.0 {
                offer(h, Features::CornerFace { corner: i, face });
            }
        }
    }
    for (j, y) in b.x.iter().enumerate() {
        for edge in 0..a.shape.edges.len() {
            if let Some(d) = beside(a, edge, y) {
                offer(d, Features::EdgeCorner { edge, corner: j });
            }
        }
        for face in 0..a.shape.faces.len() {
            let h = a.normal(face).dot(&(y - a.x[a.shape.faces[face].corners[0]]));
            if h >= 0.0 && a.inside(face, y) >= 0.0 {
                offer(h, Features::FaceCorner { face, corner: j });
            }
        }
    }
    for i in 0..a.shape.edges.len() {
        for j in 0..b.shape.edges.len() {
            let Some((s, t)) = crossing(a, b, i, j) else { continue };
            let ((xa, da, la), (xb, db, lb)) = (a.edge(i), b.edge(j));
            if s >= 0.0 && s <= la && t >= 0.0 && t <= lb {
                let w = xb + t * db - xa - s * da;
                let positive = da.cross(&db).dot(&w) >= 0.0;
                offer(w.norm(), Features::Edges { a: i, b: j, positive });
            }
        }
    }
    best
}

/// Distance of a point from an edge, if its foot lies inside of it.
fn beside(shape: &Placed<'_>, edge: usize, x: &Vector3<f64>) -> Option<f64> {
    let (start, d, length) = shape.edge(edge);
    let s = d.dot(&(x - start));
    (s >= 0.0 && s <= length).then(|| (x - start - s * d).norm())
}
