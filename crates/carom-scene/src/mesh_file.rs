//! Triangles from files: STL (binary and text), Wavefront OBJ and MuJoCo's MSH.
//!
//! Normals, colours and textures are passed over; polygons of OBJ are cut into fans, and its objects and groups (`o`, `g`)
//! keep triangles apart.
//!
//! What a scene was read from is kept as text with its runs. A binary file is kept as the OBJ text that says the same, which
//! begins with [`PLAIN`] and is read under any name.

use crate::fault::Fault;
use crate::files::Files;
use crate::source::Sources;
use nalgebra::Vector3;
use std::collections::HashMap;
use std::fmt::Write;

/// Points, and triangles by the numbers of their corners.
#[derive(Debug, Clone, PartialEq, Default)]
pub(crate) struct Triangles {
    pub points: Vec<Vector3<f64>>,
    pub corners: Vec<[usize; 3]>,
    /// The object of each triangle; empty where the file knows none.
    pub objects: Vec<usize>,
}

/// First line of the text that stands for a binary file.
const PLAIN: &str = "# triangles as text\n";

/// The triangles of a file beside the scene; the scene remembers its text.
pub(crate) fn read_mesh(
    file: &str,
    files: &Files,
    sources: &mut Sources,
) -> Result<Triangles, Fault> {
    let (name, bytes) = files.bytes(file)?;
    let mesh =
        triangles(file, &bytes).map_err(|message| Fault::Syntax { format: "a mesh", message })?;
    if !sources.has(&name) {
        match String::from_utf8(bytes) {
            Ok(text) => sources.add_file(&name, &text),
            Err(_) => sources.add_file(&name, &mesh.plain()),
        };
    }
    Ok(mesh)
}

impl Triangles {
    /// As an OBJ text with the same numbers.
    fn plain(&self) -> String {
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
    fn from_soup(soup: impl Iterator<Item = [[f32; 3]; 3]>) -> Self {
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

/// The triangles of a file; its format is told by its name. Otherwise what is wrong.
pub(crate) fn triangles(name: &str, bytes: &[u8]) -> Result<Triangles, String> {
    let ending = name.rsplit('.').next().unwrap_or("").to_ascii_lowercase();
    let found = match ending.as_str() {
        _ if bytes.starts_with(PLAIN.as_bytes()) => obj(bytes)?,
        "stl" => stl(bytes)?,
        "obj" => obj(bytes)?,
        "msh" => msh(bytes)?,
        _ => return Err(format!("`.{ending}` is not read; use STL, OBJ or MSH")),
    };
    match found.points.iter().flat_map(|p| p.iter()).find(|x| !x.is_finite()) {
        Some(x) => Err(format!("a coordinate is {x}")),
        None if found.corners.is_empty() => Err("the file holds no triangle".into()),
        None => Ok(found),
    }
}

/// Binary STL has 80 bytes of head, a count, and 50 bytes for each triangle.
fn stl(bytes: &[u8]) -> Result<Triangles, String> {
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

/// MuJoCo's own format: four counts, then coordinates of points, normals and textures, then triangles.
fn msh(bytes: &[u8]) -> Result<Triangles, String> {
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

fn obj(bytes: &[u8]) -> Result<Triangles, String> {
    let text = std::str::from_utf8(bytes).map_err(|_| "it is not a text".to_string())?;
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

#[cfg(test)]
mod tests {
    use super::*;

    const TEXT: &str = "solid a\nfacet normal 0 0 1\nouter loop\nvertex 0 0 0\nvertex 1 0 0\n\
                        vertex 0 2 0.5\nendloop\nendfacet\nendsolid a\n";

    #[test]
    fn three_formats_say_the_same() {
        let from_text = triangles("a.stl", TEXT.as_bytes()).unwrap();
        let mut binary = vec![0_u8; 80];
        binary.extend(1_u32.to_le_bytes());
        let numbers = [0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 2.0, 0.5_f32];
        binary.extend(numbers.iter().flat_map(|x| x.to_le_bytes()));
        binary.extend([0, 0]);
        assert_eq!(triangles("a.STL", &binary).unwrap(), from_text);
        let obj = "# a\nv 0 0 0\nv 1 0 0\nvn 0 0 1\nv 0 2 0.5\nf 1/1/1 2//1 -1\n";
        assert_eq!(triangles("a.obj", obj.as_bytes()).unwrap(), from_text);
        assert_eq!(from_text.corners, [[0, 1, 2]]);
        let mut msh: Vec<u8> = [3_i32, 0, 0, 1].iter().flat_map(|x| x.to_le_bytes()).collect();
        msh.extend(numbers[3..].iter().flat_map(|x| x.to_le_bytes()));
        msh.extend([0_i32, 1, 2].iter().flat_map(|x| x.to_le_bytes()));
        assert_eq!(triangles("a.msh", &msh).unwrap(), from_text);
        assert!(triangles("a.msh", &msh[..20]).is_err());
        // The text that is kept of a binary file is the same triangles, under any name.
        let plain = from_text.plain();
        assert_eq!(triangles("a.stl", plain.as_bytes()).unwrap(), from_text);
        assert_eq!(triangles("a.msh", plain.as_bytes()).unwrap(), from_text);
    }

    #[test]
    fn faults_are_named() {
        for (name, text, part) in [
            ("a.dae", "", "STL, OBJ or MSH"),
            ("a.stl", "solid a\nendsolid a\n", "no triangle"),
            ("a.stl", "vertex 0 0\n", "line 1"),
            ("a.stl", "vertex 0 0 0\n", "three vertices"),
            ("a.obj", "v 0 0 0\nf 1 2 3\n", "line 2"),
            ("a.obj", "v 0 nan 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n", "NaN"),
        ] {
            let fault = triangles(name, text.as_bytes()).unwrap_err();
            assert!(fault.contains(part), "{fault}");
        }
        assert!(triangles("a.stl", &[0xff; 90]).is_err());
    }
}
