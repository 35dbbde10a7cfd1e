//! What a mesh bounds: closed surfaces, and which points they go around.
//!
//! # Rule
//! Points with the same coordinates are one, triangles with two equal corners none. Every edge must have as many triangles that go along
//! it one way as the other; then each point off the surface has a winding number
//! ```text
//! w(x) = Σ ±1 over the triangles that a way from x to infinity passes, + where it leaves       (1)
//! ```
//! whatever the way is, and it is inside if w ≥ 1. A mesh of negative volume faces inward, and is turned.
//!
//! # Tests
//! Here, and `tests/decompose.rs`: `open_meshes_name_an_edge`.

use crate::mesh_file::Triangles;
use nalgebra::{Matrix3, Vector3};
use std::collections::HashMap;

/// A closed mesh that faces outward.
#[derive(Debug, Clone)]
pub(crate) struct Closed {
    pub points: Vec<Vector3<f64>>,
    pub corners: Vec<[usize; 3]>,
    /// Largest extent along an axis, m.
    pub size: f64,
}

/// An edge with more triangles on one side of it than on the other.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct OpenEdge {
    pub ends: [Vector3<f64>; 2],
    /// Triangles along it one way and the other.
    pub triangles: [usize; 2],
}

impl OpenEdge {
    /// What is wrong, in words.
    pub fn because(&self) -> String {
        let at = |p: &Vector3<f64>| format!("({}, {}, {})", p.x, p.y, p.z);
        let [a, b] = &self.ends;
        let [one, other] = self.triangles;
        let what = match (one + other, other) {
            (1, _) => "belongs to one triangle only".to_string(),
            (2, 0) => "belongs to two triangles that face opposite sides".to_string(),
            (_, _) => format!("belongs to {one} triangles on one side and {other} on the other"),
        };
        format!(
            "it is not closed, and so has no inside: the edge from {} to {} {what}",
            at(a),
            at(b)
        )
    }
}

impl Closed {
    /// Of a mesh; otherwise its first open edge.
    pub fn of(mesh: &Triangles) -> Result<Self, OpenEdge> {
        let mut numbers: HashMap<[u64; 3], usize> = HashMap::new();
        let mut points: Vec<Vector3<f64>> = Vec::new();
        let mut corners: Vec<[usize; 3]> = Vec::with_capacity(mesh.corners.len());
        for t in &mesh.corners {
            let t = t.map(|i| {
                // −0 and 0 are one.
                let p = mesh.points[i].map(|x| x + 0.0);
                *numbers.entry([p.x, p.y, p.z].map(f64::to_bits)).or_insert_with(|| {
                    points.push(p);
                    points.len() - 1
                })
            });
            if t[0] != t[1] && t[1] != t[2] && t[2] != t[0] {
                corners.push(t);
            }
        }
        if let Some(open) = open_edge(&points, &corners) {
            return Err(open);
        }
        let volume: f64 = corners.iter().map(|t| six_volumes(t.map(|i| points[i]))).sum();
        if volume < 0.0 {
            corners.iter_mut().for_each(|t| t.swap(1, 2));
        }
        let size = extent(&points).max();
        Ok(Self { points, corners, size })
    }

    /// Volume, centre of mass and ∫xxᵀ about it of the solid, of unit density, by tetrahedra from the first point.
    pub fn moments(&self) -> (f64, Vector3<f64>, Matrix3<f64>) {
        let o = self.points[0];
        let (mut volume, mut first, mut second) = (0.0, Vector3::zeros(), Matrix3::zeros());
        for t in 0..self.corners.len() {
            let p = self.triangle(t).map(|p| p - o);
            let v = six_volumes(p) / 6.0;
            let s: Vector3<f64> = p.iter().sum();
            let squares: Matrix3<f64> = p.iter().map(|p| p * p.transpose()).sum();
            volume += v;
            first += s * (v / 4.0);
            second += (squares + s * s.transpose()) * (v / 20.0);
        }
        let c = first / volume;
        (volume, o + c, second - c * c.transpose() * volume)
    }

    /// The corners of a triangle.
    pub fn triangle(&self, number: usize) -> [Vector3<f64>; 3] {
        self.corners[number].map(|i| self.points[i])
    }
}

/// Six times the volume between a triangle and the origin.
pub(crate) fn six_volumes([a, b, c]: [Vector3<f64>; 3]) -> f64 {
    a.dot(&b.cross(&c))
}

/// Extents along the axes.
pub(crate) fn extent(points: &[Vector3<f64>]) -> Vector3<f64> {
    let Some(first) = points.first() else { return Vector3::zeros() };
    let bounds = points.iter().fold((*first, *first), |(l, h), p| (l.inf(p), h.sup(p)));
    bounds.1 - bounds.0
}

fn open_edge(points: &[Vector3<f64>], corners: &[[usize; 3]]) -> Option<OpenEdge> {
    let sides = |t: &[usize; 3]| [(t[0], t[1]), (t[1], t[2]), (t[2], t[0])];
    let mut counts: HashMap<(usize, usize), [usize; 2]> = HashMap::new();
    for (a, b) in corners.iter().flat_map(sides) {
        let count = counts.entry((a.min(b), a.max(b))).or_default();
        count[usize::from(a > b)] += 1;
    }
    // In the order of the triangles, so that it is the same edge every time.
    corners.iter().flat_map(sides).find_map(|(a, b)| {
        let [one, other] = counts[&(a.min(b), a.max(b))];
        let triangles = [one.max(other), one.min(other)];
        (one != other).then(|| OpenEdge { ends: [points[a], points[b]], triangles })
    })
}
