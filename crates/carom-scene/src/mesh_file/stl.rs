//! STL, binary and text: triangles without more.

use super::Triangles;

/// Binary STL has 80 bytes of head, a count, and 50 bytes for each triangle.
pub(super) fn read(bytes: &[u8]) -> Result<Triangles, String> {
    const HEAD: usize = 84;
    const EACH: usize = 50;
    let count = |b: &[u8]| u32::from_le_bytes([b[80], b[81], b[82], b[83]]) as usize;
    if bytes.len() >= HEAD && bytes.len() - HEAD == EACH.saturating_mul(count(bytes)) {
        let number = |b: &[u8]| f32::from_le_bytes([b[0], b[1], b[2], b[3]]);
        let point = |b: &[u8]| [number(b), number(&b[4..]), number(&b[8..])];
        let soup = bytes[HEAD..]
            .chunks_exact(EACH)
            .map(|b| [point(&b[12..]), point(&b[24..]), point(&b[36..])]);
        return Ok(Triangles::from_soup(soup));
    }
    let Ok(text) = std::str::from_utf8(bytes) else {
        return Err("it is neither a text nor as long as its count of triangles says".into());
    };
    let mut points: Vec<[f32; 3]> = Vec::new();
    for (i, line) in text.lines().enumerate() {
        if let Some(rest) = line.trim_start().strip_prefix("vertex") {
            let numbers: Option<Vec<f32>> =
                rest.split_whitespace().map(|t| t.parse().ok()).collect();
            match numbers.as_deref() {
                Some(&[x, y, z]) => points.push([x, y, z]),
                _ => return Err(format!("line {}: a vertex has three numbers", i + 1)),
            }
        }
    }
    if !points.len().is_multiple_of(3) {
        return Err("a triangle has three vertices".into());
    }
    Ok(Triangles::from_soup(points.chunks_exact(3).map(|c| [c[0], c[1], c[2]])))
}
