//! Wavefront OBJ: points and polygons; its objects and groups (`o`, `g`) keep triangles apart. Normals, textures and
//! materials are passed over.

use super::Triangles;
use nalgebra::Vector3;

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
                let fan = (1..face.len() - 1).map(|k| [face[0], face[k], face[k + 1]]);
                found.corners.extend(fan);
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
