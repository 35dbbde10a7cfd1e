//! Triangles of a file.

use super::PLAIN;
use nalgebra::Vector3;
use std::collections::HashMap;
use std::fmt::Write;

/// Points, and triangles by the numbers of their corners.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Triangles {
    /// Points.
    pub points: Vec<Vector3<f64>>,
    /// Corners of each triangle.
    pub corners: Vec<[usize; 3]>,
    /// The object of each triangle; empty where the file knows none.
    pub objects: Vec<usize>,
    /// Red, green, blue of each triangle from 0 to 1; empty where the file knows none.
    pub colours: Vec<Option<[f64; 3]>>,
}

impl Triangles {
    /// As an OBJ text with the same numbers.
    pub(crate) fn plain(&self) -> String {
        let mut text = PLAIN.to_string();
        for p in &self.points {
            // Writing to a text does not fail.
            let _ = writeln!(text, "v {} {} {}", p.x, p.y, p.z);
        }
        for t in &self.corners {
            let _ = writeln!(text, "f {} {} {}", t[0] + 1, t[1] + 1, t[2] + 1);
        }
        text
    }

    /// Points that are the same bits are one.
    pub(super) fn from_soup(soup: impl Iterator<Item = [[f32; 3]; 3]>) -> Self {
        let mut found = Self::default();
        let mut numbers: HashMap<[u32; 3], usize> = HashMap::new();
        for triangle in soup {
            let corner = |p: [f32; 3]| {
                *numbers.entry(p.map(f32::to_bits)).or_insert_with(|| {
                    found.points.push(Vector3::from(p.map(f64::from)));
                    found.points.len() - 1
                })
            };
            found.corners.push(triangle.map(corner));
        }
        found
    }
}
