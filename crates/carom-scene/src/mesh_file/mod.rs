//! Triangles from files, the same for what touches and for what is shown.
//!
//! | file | format |
//! |---|---|
//! | `stl` | STL, binary and text |
//! | `obj` | Wavefront OBJ |
//! | `collada` | COLLADA (DAE) |
//! | `msh` | MuJoCo's MSH |
//! | `triangles` | what they all are |
//!
//! Normals and textures are passed over; polygons are cut into fans.
//!
//! What a scene was read from is kept as text with its runs. A binary file is kept as the OBJ text that says the same, which
//! begins with [`PLAIN`] and is read under any name.

mod collada;
mod msh;
mod obj;
mod stl;
mod triangles;

pub use triangles::Triangles;

use crate::fault::Fault;
use crate::files::Files;
use crate::source::Sources;

const NO_TRIANGLE: &str = "the file holds no triangle";

/// First line of the text that stands for a binary file.
const PLAIN: &str = "# triangles as text\n";

/// The triangles of a file beside the scene; the scene remembers its text.
pub(crate) fn read_mesh(
    file: &str,
    files: &Files,
    sources: &mut Sources,
) -> Result<Triangles, Fault> {
    let mesh = read_cloud(file, files, sources)?;
    match mesh.corners.is_empty() {
        true => Err(Fault::Syntax { format: "a mesh", message: NO_TRIANGLE.into() }),
        false => Ok(mesh),
    }
}

/// The same of a file that may hold points alone.
pub(crate) fn read_cloud(
    file: &str,
    files: &Files,
    sources: &mut Sources,
) -> Result<Triangles, Fault> {
    let (name, bytes) = files.bytes(file)?;
    let mesh =
        cloud(file, &bytes).map_err(|message| Fault::Syntax { format: "a mesh", message })?;
    if !sources.has(&name) {
        match String::from_utf8(bytes) {
            Ok(text) => sources.add_file(&name, &text),
            Err(_) => sources.add_file(&name, &mesh.plain()),
        };
    }
    Ok(mesh)
}

/// The triangles of a file; its format is told by its name. Otherwise what is wrong.
pub fn triangles(name: &str, bytes: &[u8]) -> Result<Triangles, String> {
    cloud(name, bytes).and_then(|mesh| match mesh.corners.is_empty() {
        true => Err(NO_TRIANGLE.into()),
        false => Ok(mesh),
    })
}

fn cloud(name: &str, bytes: &[u8]) -> Result<Triangles, String> {
    let ending = name.rsplit('.').next().unwrap_or("").to_ascii_lowercase();
    // Comments may be in any encoding; numbers are not.
    let text = || String::from_utf8_lossy(bytes);
    let found = match ending.as_str() {
        _ if bytes.starts_with(PLAIN.as_bytes()) => obj::read(&text())?,
        "stl" => stl::read(bytes)?,
        "obj" => obj::read(&text())?,
        "msh" => msh::read(bytes)?,
        "dae" => collada::read(&text())?,
        _ => return Err(format!("`.{ending}` is not read; use STL, OBJ, DAE or MSH")),
    };
    match found.points.iter().flat_map(|p| p.iter()).find(|x| !x.is_finite()) {
        Some(x) => Err(format!("a coordinate is {x}")),
        None if found.points.is_empty() => Err(NO_TRIANGLE.into()),
        None => Ok(found),
    }
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
            ("a.ply", "", "STL, OBJ, DAE or MSH"),
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
