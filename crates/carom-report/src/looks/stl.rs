//! STL: triangles without more, as bytes or as text.

use super::mesh::Mesh;
use nalgebra::Vector3;
use std::collections::HashMap;

/// Bytes before the count of a binary file, with the count, and of one triangle.
const HEAD: usize = 80;
const START: usize = HEAD + 4;
const EACH: usize = 50;

/// The mesh of a file.
pub(super) fn read(bytes: &[u8]) -> Result<Mesh, String> {
    let count = bytes.get(HEAD..START).and_then(|b| b.try_into().ok()).map(u32::from_le_bytes);
    // Text files begin with `solid`, but so do some binary ones: the length decides.
    match count.map(|n| n as usize) {
        Some(n) if START.checked_add(n.saturating_mul(EACH)) == Some(bytes.len()) => {
            Ok(joined(bytes[START..].chunks_exact(EACH).flat_map(corners)))
        }
        _ => text(&String::from_utf8_lossy(bytes)),
    }
}

/// The corners of a triangle after its normal.
fn corners(triangle: &[u8]) -> Vec<[f32; 3]> {
    let number = |i: usize| {
        let at = 12 + 4 * i;
        triangle[at..at + 4].try_into().map_or(f32::NAN, f32::from_le_bytes)
    };
    (0..3).map(|k| [number(3 * k), number(3 * k + 1), number(3 * k + 2)]).collect()
}

fn text(text: &str) -> Result<Mesh, String> {
    let mut words = text.split_ascii_whitespace();
    if words.next() != Some("solid") {
        return Err("neither binary STL nor text that begins with `solid`".into());
    }
    let mut corners = Vec::new();
    while let Some(word) = words.next() {
        if word == "vertex" {
            let mut number = || words.next().and_then(|w| w.parse().ok()).unwrap_or(f32::NAN);
            corners.push([number(), number(), number()]);
        }
    }
    Ok(joined(corners.into_iter()))
}

/// Corners in the same place are one point.
fn joined(corners: impl Iterator<Item = [f32; 3]>) -> Mesh {
    let mut mesh = Mesh::default();
    let mut known: HashMap<[u32; 3], u32> = HashMap::new();
    let mut order = Vec::new();
    for corner in corners {
        let next = mesh.points.len() as u32;
        let number = *known.entry(corner.map(f32::to_bits)).or_insert(next);
        if number == next {
            mesh.points.push(Vector3::from(corner.map(f64::from)));
        }
        order.push(number);
    }
    mesh.triangles = order.chunks_exact(3).map(|t| [t[0], t[1], t[2]]).collect();
    mesh
}
