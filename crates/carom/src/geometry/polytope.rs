//! A rounded polytope: the convex hull of some points, swept by a ball.
//!
//! A point, a segment, a polygon, a box and the hull of a mesh are its *core*; a radius rounds it, so that
//! a sphere is a rounded point and a capsule a rounded segment. In the plane the sides of a polygon are its
//! faces, and there are no edges.
//!
//! # Law
//! Edge k with the ends i, j and the wings w (a further vertex of each face beside it) is the support of the
//! core along n exactly if
//! ```text
//! n·(x_j − x_i) = 0,   n·(x_w − x_i) ≤ 0 for each wing                          (1)
//! ```
//! so that no normals of faces are compared. A segment in space has no wings: any n across it will do. A point
//! lies over a face if
//! ```text
//! sₖ·(x − xₖ) ≥ 0 for each side of the face,  sₖ across n, pointing inward        (2)
//! ```
//!
//! # Tests
//! `hull.rs`, `tests/polytopes.rs`.

use super::half_space::HalfSpace;
use crate::spatial::Pose;
use nalgebra::Vector3;
use std::collections::BTreeMap;

/// A flat piece of the surface of a core.
#[derive(Debug, Clone, PartialEq)]
pub struct Face {
    /// The plane of the rounded surface over it.
    pub plane: HalfSpace,
    /// Its corners, counter-clockwise as seen from outside; two in the plane.
    pub corners: Vec<usize>,
    /// The unit vectors of equation (2), one per corner.
    pub sides: Vec<Vector3<f64>>,
    /// The edge from each corner to the next; empty in the plane.
    pub edges: Vec<usize>,
}

/// A straight edge of a core in space.
#[derive(Debug, Clone, PartialEq)]
pub struct Edge {
    /// Its ends.
    pub ends: [usize; 2],
    /// The wings of equation (1).
    pub wings: Vec<usize>,
    /// The faces beside it; none of a segment alone.
    pub faces: Option<[usize; 2]>,
    /// 1/cos φ, 2φ being the angle between the normals of its faces.
    pub spread: f64,
}

/// A convex core and its rounding, in the axes of a body, seen from its reference point.
#[derive(Debug, Clone, PartialEq)]
pub struct Polytope {
    /// Corners of the core, m.
    pub vertices: Vec<Vector3<f64>>,
    /// Faces, empty for a point and for a segment in space.
    pub faces: Vec<Face>,
    /// Of each face its normal n and n·x, x in the plane of the core.
    pub planes: Vec<(Vector3<f64>, f64)>,
    /// Edges, in space.
    pub edges: Vec<Edge>,
    /// Corners next to each corner.
    pub neighbours: Vec<Vec<usize>>,
    /// Radius of the rounding, m.
    pub radius: f64,
    /// Centre of a ball around it, m.
    pub center: Vector3<f64>,
    /// Radius of that ball, m.
    pub reach: f64,
    /// Half extents of a box around it along the axes of the body, about the same centre, m.
    pub half: Vector3<f64>,
    /// Least distance of a face from the corner opposite, with its rounding, m.
    pub width: f64,
    /// Dimension of the core, 0 to 3.
    pub dimension: usize,
    /// Whether it lives in the x–y plane.
    pub planar: bool,
}

impl Polytope {
    /// From corners and the loops of the faces, each counter-clockwise as seen from outside. Without faces it
    /// is a point or a segment.
    pub fn new(
        vertices: Vec<Vector3<f64>>,
        loops: &[(Vector3<f64>, Vec<usize>)],
        radius: f64,
        planar: bool,
    ) -> Self {
        let mut shape = Self {
            faces: Vec::with_capacity(loops.len()),
            planes: Vec::with_capacity(loops.len()),
            edges: Vec::new(),
            neighbours: vec![Vec::new(); vertices.len()],
            radius,
            center: Vector3::zeros(),
            reach: 0.0,
            half: Vector3::zeros(),
            width: 0.0,
            dimension: dimension(&vertices, loops.len(), planar),
            vertices,
            planar,
        };
        for (normal, corners) in loops {
            shape.push_face(*normal, corners);
        }
        if !planar {
            shape.find_edges();
        }
        shape.find_neighbours();
        shape.bound();
        shape
    }

    /// The same shape where `placement` puts it.
    pub fn placed(&self, placement: &Pose) -> Self {
        let vertices = self.vertices.iter().map(|x| placement.point(x)).collect();
        let turn = |f: &Face| (placement.R * f.plane.normal, f.corners.clone());
        let loops: Vec<_> = self.faces.iter().map(turn).collect();
        Self::new(vertices, &loops, self.radius, self.planar)
    }

    fn push_face(&mut self, normal: Vector3<f64>, corners: &[usize]) {
        let x = |k: usize| self.vertices[corners[k % corners.len()]];
        let n = corners.len();
        let sides = match self.planar {
            true => {
                let along = (x(1) - x(0)).normalize();
                vec![along, -along]
            }
            false => (0..n).map(|k| normal.cross(&(x(k + 1) - x(k))).normalize()).collect(),
        };
        self.planes.push((normal, normal.dot(&x(0))));
        let plane = HalfSpace::new(x(0) + normal * self.radius, normal, self.planar);
        self.faces.push(Face { plane, corners: corners.to_vec(), sides, edges: Vec::new() });
    }

    /// Edges from the loops of the faces; a segment alone is one.
    fn find_edges(&mut self) {
        let mut edges: Vec<Edge> = Vec::new();
        let mut known: BTreeMap<[usize; 2], usize> = BTreeMap::new();
        let bare = |ends| Edge { ends, wings: Vec::new(), faces: None, spread: f64::INFINITY };
        for index in 0..self.faces.len() {
            let n = self.faces[index].corners.len();
            for k in 0..n {
                let [i, j, wing] = [0, 1, 2].map(|s| self.faces[index].corners[(k + s) % n]);
                let at = *known.entry([i.min(j), i.max(j)]).or_insert_with(|| {
                    edges.push(bare([i, j]));
                    edges.len() - 1
                });
                let edge = &mut edges[at];
                edge.wings.push(wing);
                let other = edge.faces.map_or(index, |[first, _]| first);
                edge.faces = Some([other, index]);
                let normal = |face: usize| self.faces[face].plane.normal;
                edge.spread = 2.0 / (normal(other) + normal(index)).norm();
                self.faces[index].edges.push(at);
            }
        }
        if self.faces.is_empty() && self.vertices.len() == 2 {
            edges.push(bare([0, 1]));
        }
        self.edges = edges;
    }

    fn find_neighbours(&mut self) {
        let pairs: Vec<[usize; 2]> = match self.planar {
            true => self.faces.iter().map(|f| [f.corners[0], f.corners[1]]).collect(),
            false => self.edges.iter().map(|e| e.ends).collect(),
        };
        for [i, j] in pairs {
            for (from, to) in [(i, j), (j, i)] {
                if !self.neighbours[from].contains(&to) {
                    self.neighbours[from].push(to);
                }
            }
        }
    }

    fn bound(&mut self) {
        let (mut lo, mut hi) = (self.vertices[0], self.vertices[0]);
        for x in &self.vertices {
            lo = lo.inf(x);
            hi = hi.sup(x);
        }
        self.center = (lo + hi) * 0.5;
        self.half = (hi - lo).add_scalar(2.0 * self.radius) * 0.5;
        let far = |m: f64, x: &Vector3<f64>| m.max((x - self.center).norm());
        self.reach = self.vertices.iter().fold(0.0, far) + self.radius;
        let thickness = |f: &Face| {
            let n = f.plane.normal;
            let top = n.dot(&self.vertices[f.corners[0]]);
            self.vertices.iter().fold(0.0_f64, |w, x| w.max(top - n.dot(x)))
        };
        let core = self.faces.iter().map(thickness).fold(f64::INFINITY, f64::min);
        self.width = if core.is_finite() { core } else { 0.0 } + 2.0 * self.radius;
    }

    /// A point with its rounding: a sphere, or a disk in the plane.
    pub fn point(center: Vector3<f64>, radius: f64, planar: bool) -> Self {
        Self::new(vec![center], &[], radius, planar)
    }

    /// A segment with its rounding: a capsule. In the plane it has two sides.
    pub fn segment(ends: [Vector3<f64>; 2], radius: f64, planar: bool) -> Self {
        let along = (ends[1] - ends[0]).normalize();
        let across = Vector3::new(along.y, -along.x, 0.0);
        let sides = [(across, vec![0, 1]), (-across, vec![1, 0])];
        Self::new(ends.to_vec(), if planar { &sides } else { &[] }, radius, planar)
    }

    /// A convex polygon of the x–y plane, its corners counter-clockwise.
    pub fn polygon(corners: &[Vector3<f64>], radius: f64) -> Self {
        let n = corners.len();
        let side = |k: usize| {
            let along = (corners[(k + 1) % n] - corners[k]).normalize();
            (Vector3::new(along.y, -along.x, 0.0), vec![k, (k + 1) % n])
        };
        let sides: Vec<_> = (0..n).map(side).collect();
        Self::new(corners.to_vec(), &sides, radius, true)
    }

    /// A box in space by its half extents, some of which may be zero: a rectangle, a segment or a point then.
    pub fn cuboid(half: [f64; 3], radius: f64) -> Self {
        let thick: Vec<usize> = (0..3).filter(|&k| half[k] > 0.0).collect();
        let axis = |k: usize, s: f64| {
            let mut x = Vector3::zeros();
            x[k] = s;
            x
        };
        match thick.as_slice() {
            [] => Self::point(Vector3::zeros(), radius, false),
            &[k] => Self::segment([axis(k, -half[k]), axis(k, half[k])], radius, false),
            &[i, j] => {
                let n = axis(i, 1.0).cross(&axis(j, 1.0));
                let corner = |s: f64, t: f64| axis(i, s * half[i]) + axis(j, t * half[j]);
                let corners =
                    vec![corner(-1., -1.), corner(1., -1.), corner(1., 1.), corner(-1., 1.)];
                Self::new(corners, &[(n, vec![0, 1, 2, 3]), (-n, vec![3, 2, 1, 0])], radius, false)
            }
            _ => {
                let sign = |i: usize, bit: usize| if i >> bit & 1 == 1 { 1.0 } else { -1.0 };
                let corner = |i: usize| {
                    Vector3::new(sign(i, 0) * half[0], sign(i, 1) * half[1], sign(i, 2) * half[2])
                };
                let loops = [
                    (-Vector3::x(), vec![0, 4, 6, 2]),
                    (Vector3::x(), vec![1, 3, 7, 5]),
                    (-Vector3::y(), vec![0, 1, 5, 4]),
                    (Vector3::y(), vec![2, 6, 7, 3]),
                    (-Vector3::z(), vec![0, 2, 3, 1]),
                    (Vector3::z(), vec![4, 5, 7, 6]),
                ];
                Self::new((0..8).map(corner).collect(), &loops, radius, false)
            }
        }
    }

    /// Largest number of corners of a face, of a segment its two ends.
    pub fn widest(&self) -> usize {
        self.faces.iter().map(|f| f.corners.len()).fold(self.vertices.len().min(2), usize::max)
    }
}

fn dimension(vertices: &[Vector3<f64>], faces: usize, planar: bool) -> usize {
    match (vertices.len(), faces) {
        (1, _) => 0,
        (2, _) => 1,
        (_, 2) => 2,
        _ if planar => 2,
        _ => 3,
    }
}
