//! Fewer triangles: points that share a cell of a grid become their mean.
//!
//! The grid is the finest, of those tried, that leaves at most the triangles asked for. What is drawn then errs by at
//! most the diagonal of a cell.

use super::mesh::Mesh;
use nalgebra::Vector3;
use std::collections::{HashMap, HashSet};

/// Cells along the longest side at most, and the factor from one grid to the next.
const FINEST: f64 = 512.0;
const COARSER: f64 = 0.8;
const COARSEST: f64 = 4.0;

/// The mesh with at most `most` triangles; as it is if it has no more. Grids of less than four cells are not tried.
pub fn thinned(mesh: &Mesh, most: usize) -> Mesh {
    if mesh.triangles.len() <= most {
        return mesh.clone();
    }
    let mut cells = FINEST;
    loop {
        let coarse = clustered(mesh, cells);
        if coarse.triangles.len() <= most || cells <= COARSEST {
            return coarse;
        }
        cells *= COARSER;
    }
}

/// One point per cell; triangles that lose an edge are gone.
fn clustered(mesh: &Mesh, cells: f64) -> Mesh {
    let infinite = f64::INFINITY;
    let mut low = Vector3::from([infinite; 3]);
    let mut high = -low;
    for point in &mesh.points {
        (low, high) = (low.inf(point), high.sup(point));
    }
    let width = (high - low).max().max(f64::MIN_POSITIVE) / cells;
    let mut known: HashMap<[i64; 3], u32> = HashMap::new();
    let mut sums: Vec<(Vector3<f64>, f64)> = Vec::new();
    let mut numbers = Vec::with_capacity(mesh.points.len());
    for point in &mesh.points {
        let cell = ((point - low) / width).map(|x| x.floor() as i64);
        let number = *known.entry(cell.into()).or_insert_with(|| {
            sums.push((Vector3::zeros(), 0.0));
            sums.len() as u32 - 1
        });
        let (sum, count) = &mut sums[number as usize];
        (*sum, *count) = (*sum + point, *count + 1.0);
        numbers.push(number);
    }
    let mut seen = HashSet::new();
    let mut triangles = Vec::new();
    for triangle in &mesh.triangles {
        let [a, b, c] = triangle.map(|i| numbers[i as usize]);
        let mut key = [a, b, c];
        key.sort_unstable();
        if a != b && b != c && c != a && seen.insert(key) {
            triangles.push([a, b, c]);
        }
    }
    let points = sums.iter().map(|(sum, count)| sum / *count).collect();
    Mesh { points, triangles, colour: mesh.colour }
}
