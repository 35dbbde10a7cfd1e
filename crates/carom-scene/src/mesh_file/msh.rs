//! MSH, MuJoCo's own format.

use super::Triangles;
use nalgebra::Vector3;

/// Four counts, then coordinates of points, normals and textures, then triangles.
pub(super) fn read(bytes: &[u8]) -> Result<Triangles, String> {
    let word = |i: usize| bytes.get(4 * i..4 * i + 4).map(|b| [b[0], b[1], b[2], b[3]]);
    let whole = |i: usize| word(i).and_then(|b| usize::try_from(i32::from_le_bytes(b)).ok());
    let number = |i: usize| word(i).map(|b| f64::from(f32::from_le_bytes(b)));
    let short = || "it is shorter or longer than its counts say".to_string();
    let count = |i: usize| whole(i).filter(|n| *n <= bytes.len()).ok_or_else(short);
    let (points, normals, textures, faces) = (count(0)?, count(1)?, count(2)?, count(3)?);
    let first = 4 + 3 * points + 3 * normals + 2 * textures;
    if bytes.len() != 4 * (first + 3 * faces) {
        return Err(short());
    }
    let point = |i: usize| Some(Vector3::new(number(i)?, number(i + 1)?, number(i + 2)?));
    let corner = |i: usize| whole(i).filter(|k| *k < points);
    let face = |i: usize| Some([corner(i)?, corner(i + 1)?, corner(i + 2)?]);
    let points: Option<Vec<_>> = (0..points).map(|k| point(4 + 3 * k)).collect();
    let corners: Option<Vec<_>> = (0..faces).map(|k| face(first + 3 * k)).collect();
    match (points, corners) {
        (Some(points), Some(corners)) => Ok(Triangles { points, corners, ..Triangles::default() }),
        _ => Err("a triangle has a corner that does not exist".into()),
    }
}
