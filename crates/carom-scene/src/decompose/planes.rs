//! Planes along which a part may be cut.
//!
//! # Rule
//! Tried are
//! - planes across the axes of the mesh and the principal axes of the part, at [`STEPS`] places in equal distances, and, around the
//!   best of all, at halves and quarters of these;
//! - planes of the triangles beside edges that are dents, in the order of the lengths of the edges in them, [`MOST_DENTS`] at most.
//!
//! # Tests
//! `tests/decompose.rs`: `eq3_an_l_is_two_boxes`, `eq2_concavity_of_a_ring`.

use super::closed::Closed;
use super::part::{Part, Plane};
use nalgebra::{Matrix3, SymmetricEigen, Vector3};
use std::collections::HashMap;

/// Places along one axis.
pub(crate) const STEPS: usize = 9;

/// Most planes beside dents.
const MOST_DENTS: usize = 24;

/// Sine of the angle of an edge that is a dent, at least.
const BENT: f64 = 1e-3;

/// Planes that differ by less than this share of the size, and by as much in their normals, are one.
const ALIKE: f64 = 1e-3;

/// Planes beside the dents of a mesh, those with the longest dents first.
pub(crate) fn beside_dents(mesh: &Closed) -> Vec<Plane> {
    let mut sides: HashMap<(usize, usize), Vec<usize>> = HashMap::new();
    let edges = |t: &[usize; 3]| [(t[0], t[1]), (t[1], t[2]), (t[2], t[0])];
    for (number, t) in mesh.corners.iter().enumerate() {
        for (a, b) in edges(t) {
            sides.entry((a.min(b), a.max(b))).or_default().push(number);
        }
    }
    let mut weights: Vec<(f64, Plane)> = Vec::new();
    let mut places: HashMap<[i64; 4], usize> = HashMap::new();
    for (number, t) in mesh.corners.iter().enumerate() {
        let Some(plane) = plane_of(mesh.triangle(number)) else { continue };
        for (a, b) in edges(t) {
            let others = &sides[&(a.min(b), a.max(b))];
            // Another triangle at the edge stands in front of this one.
            let dent = others.iter().filter(|&&o| o != number).any(|&o| {
                let height = |&i: &usize| plane.normal.dot(&mesh.points[i]) - plane.offset;
                let far = mesh.corners[o].iter().map(|i| (mesh.points[*i] - mesh.points[a]).norm());
                let reach = far.fold(0.0, f64::max);
                mesh.corners[o].iter().map(height).fold(0.0, f64::max) > BENT * reach
            });
            if !dent {
                continue;
            }
            let length = (mesh.points[a] - mesh.points[b]).norm();
            let cell = |x: f64| (x / ALIKE).round() as i64;
            let n = plane.normal;
            let key = [cell(n.x), cell(n.y), cell(n.z), cell(plane.offset / mesh.size)];
            let place = *places.entry(key).or_insert_with(|| {
                weights.push((0.0, plane));
                weights.len() - 1
            });
            weights[place].0 += length;
        }
    }
    weights.sort_by(|one, other| other.0.total_cmp(&one.0));
    weights.into_iter().map(|(_, plane)| plane).collect()
}

fn plane_of([a, b, c]: [Vector3<f64>; 3]) -> Option<Plane> {
    let normal = (b - a).cross(&(c - a)).try_normalize(0.0)?;
    Some(Plane { normal, offset: normal.dot(&a) })
}

/// The planes to try for a part, each with the distance to the next one like it.
pub(crate) fn tried(part: &Part, beside_dents: &[Plane]) -> Vec<(Plane, f64)> {
    let mut axes: Vec<Vector3<f64>> = vec![Vector3::x(), Vector3::y(), Vector3::z()];
    for axis in principal(&part.points) {
        if axes.iter().all(|known| known.cross(&axis).norm() > 0.1) {
            axes.push(axis);
        }
    }
    let mut all = Vec::new();
    for normal in axes {
        let along = part.points.iter().map(|p| normal.dot(p));
        let (low, high) =
            along.fold((f64::INFINITY, f64::NEG_INFINITY), |(l, h), x| (l.min(x), h.max(x)));
        let step = (high - low) / (STEPS + 1) as f64;
        all.extend((1..=STEPS).map(|k| (Plane { normal, offset: low + step * k as f64 }, step)));
    }
    let passes = |plane: &&Plane| {
        let height = |p: &Vector3<f64>| plane.normal.dot(p) - plane.offset;
        part.points.iter().any(|p| height(p) > 0.0) && part.points.iter().any(|p| height(p) < 0.0)
    };
    all.extend(beside_dents.iter().filter(passes).take(MOST_DENTS).map(|plane| (*plane, 0.0)));
    all
}

/// Principal axes of some points.
fn principal(points: &[Vector3<f64>]) -> [Vector3<f64>; 3] {
    let centre = points.iter().sum::<Vector3<f64>>() / points.len().max(1) as f64;
    let spread: Matrix3<f64> = points.iter().map(|p| (p - centre) * (p - centre).transpose()).sum();
    let R = SymmetricEigen::new(spread).eigenvectors;
    [0, 1, 2].map(|k| R.column(k).into_owned())
}
