//! Heights over a grid as triangles.
//!
//! # Rule
//! A cell of a grid with the corners a, b (along x) and c, d (above them along y) is the triangles a b d and a d c.

use nalgebra::Vector3;

/// Points, and triangles by their corners.
pub(crate) type Triangles = (Vec<Vector3<f64>>, Vec<[usize; 3]>);

/// The triangles of heights over a grid around the origin, row by row.
pub(crate) fn height_field(heights: &[Vec<f64>], size: [f64; 2]) -> Triangles {
    let (m, n) = (heights.len(), heights[0].len());
    let along = |k: usize, count: usize, size: f64| size * (k as f64 / (count - 1) as f64 - 0.5);
    let point = |j: usize, i: usize| {
        Vector3::new(along(i, n, size[0]), along(j, m, size[1]), heights[j][i])
    };
    let points = (0..m).flat_map(|j| (0..n).map(move |i| (j, i))).map(|(j, i)| point(j, i));
    let points = points.collect();
    let mut triangles = Vec::with_capacity(2 * (m - 1) * (n - 1));
    for j in 0..m - 1 {
        for i in 0..n - 1 {
            let (a, c) = (j * n + i, (j + 1) * n + i);
            triangles.extend([[a, a + 1, c + 1], [a, c + 1, c]]);
        }
    }
    (points, triangles)
}
