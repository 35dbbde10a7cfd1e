//! Wavefront OBJ: points and polygons; normals, textures and materials are left out.

use super::mesh::Mesh;
use nalgebra::Vector3;

/// The mesh of a file.
pub(super) fn read(text: &str) -> Result<Mesh, String> {
    let mut mesh = Mesh::default();
    for (number, line) in text.lines().enumerate() {
        let mut words = line.split_ascii_whitespace();
        match words.next() {
            Some("v") => {
                let mut next = || words.next().and_then(|w| w.parse().ok()).unwrap_or(f64::NAN);
                mesh.points.push(Vector3::new(next(), next(), next()));
            }
            Some("f") => {
                let corners: Option<Vec<u32>> =
                    words.map(|word| corner(word, mesh.points.len())).collect();
                let corners =
                    corners.ok_or_else(|| format!("line {}: no such point", number + 1))?;
                fan(&corners, &mut mesh.triangles);
            }
            _ => {}
        }
    }
    Ok(mesh)
}

/// The point that a corner `7`, `7/1/2` or `-1` names.
fn corner(word: &str, count: usize) -> Option<u32> {
    let number: i64 = word.split('/').next()?.parse().ok()?;
    let at = if number < 0 { count as i64 + number } else { number - 1 };
    u32::try_from(at).ok().filter(|i| (*i as usize) < count)
}

/// A polygon as triangles about its first corner.
pub(super) fn fan(corners: &[u32], triangles: &mut Vec<[u32; 3]>) {
    for pair in corners.get(1..).unwrap_or_default().windows(2) {
        triangles.push([corners[0], pair[0], pair[1]]);
    }
}
