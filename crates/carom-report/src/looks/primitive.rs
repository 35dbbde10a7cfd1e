//! Boxes, cylinders and balls as triangles. Cylinders stand along z, as in URDF.

use super::mesh::Mesh;
use nalgebra::Vector3;
use std::f64::consts::{PI, TAU};

/// Sides of round things.
const ROUND: u32 = 24;

/// A box with its middle at the origin.
pub(super) fn cuboid(size: &Vector3<f64>) -> Mesh {
    let half = size * 0.5;
    let sign = |bit: usize| if bit == 0 { -1.0 } else { 1.0 };
    let corner = |i: usize| Vector3::new(sign(i & 1), sign(i & 2), sign(i & 4));
    let points = (0..8).map(|i| corner(i).component_mul(&half)).collect();
    // Corners of a side in the order that is seen from outside.
    let sides: [[u32; 4]; 6] =
        [[0, 2, 3, 1], [4, 5, 7, 6], [0, 1, 5, 4], [2, 6, 7, 3], [0, 4, 6, 2], [1, 3, 7, 5]];
    let triangles = sides.iter().flat_map(|[a, b, c, d]| [[*a, *b, *c], [*a, *c, *d]]).collect();
    Mesh { points, triangles, colour: None }
}

/// A cylinder along z with its middle at the origin.
pub(super) fn cylinder(radius: f64, length: f64) -> Mesh {
    let mut mesh = Mesh::default();
    mesh.points.push(Vector3::new(0.0, 0.0, -0.5 * length));
    mesh.points.push(Vector3::new(0.0, 0.0, 0.5 * length));
    for k in 0..ROUND {
        let (sin, cos) = (TAU * f64::from(k) / f64::from(ROUND)).sin_cos();
        for z in [-0.5 * length, 0.5 * length] {
            mesh.points.push(Vector3::new(radius * cos, radius * sin, z));
        }
        let (a, b) = (2 + 2 * k, 2 + 2 * ((k + 1) % ROUND));
        mesh.triangles.extend([[0, b, a], [1, a + 1, b + 1], [a, b, b + 1], [a, b + 1, a + 1]]);
    }
    mesh
}

/// A ball about the origin.
pub(super) fn ball(radius: f64) -> Mesh {
    let (rings, mut mesh) = (ROUND / 2, Mesh::default());
    for j in 0..=rings {
        let (sin, cos) = (PI * f64::from(j) / f64::from(rings)).sin_cos();
        for k in 0..ROUND {
            let (s, c) = (TAU * f64::from(k) / f64::from(ROUND)).sin_cos();
            mesh.points.push(Vector3::new(sin * c, sin * s, cos) * radius);
            if j < rings {
                let (a, b) = (j * ROUND + k, j * ROUND + (k + 1) % ROUND);
                let below = [a + ROUND, b + ROUND];
                mesh.triangles.extend([[a, below[0], below[1]], [a, below[1], b]]);
            }
        }
    }
    mesh
}
