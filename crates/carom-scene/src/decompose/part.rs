//! The solid in a cell: the surface that is cut with it, and the corners of its hull.
//!
//! # Rule
//! The corners of hull(S ∩ C) are corners of the surface in C, points where its edges and triangles pass one or two of the planes of C,
//! all of which are corners of the triangles that the planes leave of it, and corners of C itself, where three planes meet in the
//! solid. So no section has to be closed, and triangles are cut one by one.
//!
//! # Tests
//! `tests/decompose.rs`: `eq1_pieces_cover_the_solid`.

use super::tree::Tree;
use carom::model::Hull;
use nalgebra::{Matrix3, Vector3};
use std::collections::HashMap;

/// Points within this share of the size of a plane lie in it.
const IN_PLANE: f64 = 1e-9;

/// How far into a cell it is looked whether a corner of it is one of the solid, a share of the size.
const INTO: f64 = 1e-6;

/// Half-space n·x ≤ o.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Plane {
    pub normal: Vector3<f64>,
    pub offset: f64,
}

impl Plane {
    fn flipped(&self) -> Self {
        Self { normal: -self.normal, offset: -self.offset }
    }

    fn height(&self, x: &Vector3<f64>) -> f64 {
        self.normal.dot(x) - self.offset
    }
}

/// The solid in one cell.
#[derive(Debug, Clone)]
pub(crate) struct Part {
    /// Planes of the cell.
    planes: Vec<Plane>,
    /// Corners of the cell in the solid.
    inner: Vec<Vector3<f64>>,
    pub points: Vec<Vector3<f64>>,
    pub corners: Vec<[usize; 3]>,
}

impl Part {
    /// All of the solid.
    pub fn whole(tree: &Tree<'_>) -> Self {
        let (points, corners) = (tree.mesh.points.clone(), tree.mesh.corners.clone());
        Self { planes: Vec::new(), inner: Vec::new(), points, corners }
    }

    /// What lies on the two sides of a plane; none if all of it lies on one.
    pub fn cut(&self, tree: &Tree<'_>, plane: &Plane) -> Option<[Self; 2]> {
        let slack = IN_PLANE * tree.mesh.size;
        let heights: Vec<f64> = self.points.iter().map(|p| plane.height(p)).collect();
        let beyond = |sign: f64| heights.iter().any(|h| sign * h > slack);
        if !beyond(1.0) || !beyond(-1.0) {
            return None;
        }
        Some([(plane.flipped(), -1.0), (*plane, 1.0)].map(|(side, sign)| {
            let (points, corners) = self.clipped(&heights, (sign, &side.normal), slack);
            let mut planes = self.planes.clone();
            planes.push(side);
            let kept = self.inner.iter().filter(|x| side.height(x) <= slack);
            let inner = kept.copied().chain(self.meeting(tree, &side)).collect();
            Self { planes, inner, points, corners }
        }))
    }

    /// Where a plane meets two planes of the cell, in the cell and in the solid that is in it there.
    fn meeting(&self, tree: &Tree<'_>, plane: &Plane) -> Vec<Vector3<f64>> {
        let slack = IN_PLANE * tree.mesh.size;
        let mut found = Vec::new();
        for (k, a) in self.planes.iter().enumerate() {
            for b in &self.planes[k + 1..] {
                let rows = [plane.normal, a.normal, b.normal].map(|n| n.transpose());
                let Some(inverse) = Matrix3::from_rows(&rows).try_inverse() else { continue };
                let x = inverse * Vector3::new(plane.offset, a.offset, b.offset);
                // A little into the cell: what only touches the surface there is no corner.
                let Some(into) = (inverse * Vector3::repeat(-1.0)).try_normalize(0.0) else {
                    continue;
                };
                let within = x + into * (INTO * tree.mesh.size);
                let in_cell = self.planes.iter().all(|p| p.height(&x) <= slack);
                if x.iter().all(|x| x.is_finite()) && in_cell && tree.is_inside(&within) {
                    found.push(x);
                }
            }
        }
        found
    }

    /// The triangles on the side where sign · height ≤ 0, of the given outward normal.
    fn clipped(
        &self,
        heights: &[f64],
        (sign, outward): (f64, &Vector3<f64>),
        slack: f64,
    ) -> (Vec<Vector3<f64>>, Vec<[usize; 3]>) {
        let mut points = Vec::new();
        let mut corners = Vec::new();
        let mut kept: HashMap<(usize, usize), usize> = HashMap::new();
        for t in &self.corners {
            let h = t.map(|i| if heights[i].abs() <= slack { 0.0 } else { sign * heights[i] });
            let mut polygon = Vec::with_capacity(4);
            for k in 0..3 {
                let next = (k + 1) % 3;
                if h[k] <= 0.0 {
                    polygon.push((t[k], t[k]));
                }
                if h[k] * h[next] < 0.0 {
                    polygon.push((t[k].min(t[next]), t[k].max(t[next])));
                }
            }
            // A triangle in the plane belongs to the side that its solid is on.
            let across = || {
                let [a, b, c] = t.map(|i| self.points[i]);
                (b - a).cross(&(c - a)).dot(outward)
            };
            if h == [0.0; 3] && across() < 0.0 {
                continue;
            }
            if polygon.len() < 3 {
                continue;
            }
            let place: Vec<usize> = polygon
                .iter()
                .map(|&(i, j)| {
                    *kept.entry((i, j)).or_insert_with(|| {
                        let (a, b) = (self.points[i], self.points[j]);
                        let share =
                            if i == j { 0.0 } else { heights[i] / (heights[i] - heights[j]) };
                        points.push(a + (b - a) * share);
                        points.len() - 1
                    })
                })
                .collect();
            corners.extend((1..place.len() - 1).map(|k| [place[0], place[k], place[k + 1]]));
        }
        (points, corners)
    }

    /// The hull, of so many corners at most; none if it has no volume.
    pub fn hull(&self, most: usize) -> Option<Hull> {
        let all: Vec<Vector3<f64>> = self.points.iter().chain(&self.inner).copied().collect();
        Hull::of_mesh(most, &all)
    }
}
