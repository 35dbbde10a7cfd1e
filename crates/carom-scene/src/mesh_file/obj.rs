//! Wavefront OBJ: points and polygons, quadrangles cut along the shorter diagonal, others in fans; its objects and groups (`o`, `g`) keep triangles apart. Normals, textures and
//! materials are passed over.

use super::Triangles;
use nalgebra::Vector3;

/// Whether a quadrangle is cut from its second corner to its fourth, which is the shorter way; in single precision, as what MuJoCo
/// reads OBJ files with, since the inertia of those that are not flat depends on it.
fn is_cut_across(face: &[usize], points: &[Vector3<f64>]) -> bool {
    let [a, b, c, d] = *face else { return false };
    let squared = |i: usize, j: usize| {
        let [x, y, z] = [0, 1, 2].map(|k| points[j][k] as f32 - points[i][k] as f32);
        x * x + y * y + z * z
    };
    squared(a, c) >= squared(b, d)
}

/// The triangles of a text.
pub(super) fn read(text: &str) -> Result<Triangles, String> {
    let mut found = Triangles::default();
    let mut object = 0;
    for (i, line) in text.lines().enumerate() {
        let bad = |what: &str| format!("line {}: {what}", i + 1);
        let mut words = line.split_whitespace();
        match words.next() {
            Some("v") => {
                let numbers: Option<Vec<f64>> = words.take(3).map(|t| t.parse().ok()).collect();
                match numbers.as_deref() {
                    Some(&[x, y, z]) => found.points.push(Vector3::new(x, y, z)),
                    _ => return Err(bad("a vertex has three numbers")),
                }
            }
            Some("f") => {
                let count = found.points.len();
                let corner = |word: &str| {
                    let number: i64 = word.split('/').next()?.parse().ok()?;
                    let from_end = number < 0;
                    let index = if from_end { count as i64 + number } else { number - 1 };
                    usize::try_from(index).ok().filter(|index| *index < count)
                };
                let face: Option<Vec<usize>> = words.map(corner).collect();
                let face = face.filter(|f| f.len() >= 3);
                let face = face.ok_or_else(|| bad("a face has three vertices that exist"))?;
                let first = usize::from(is_cut_across(&face, &found.points));
                let at = |k: usize| face[(first + k) % face.len()];
                found.corners.extend((1..face.len() - 1).map(|k| [at(0), at(k), at(k + 1)]));
                found.objects.resize(found.corners.len(), object);
            }
            Some("o" | "g") => object += 1,
            _ => {}
        }
    }
    if object == 0 {
        found.objects.clear();
    }
    Ok(found)
}
