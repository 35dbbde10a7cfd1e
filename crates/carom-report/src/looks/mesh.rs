//! Triangles in a frame.

use super::{collada, obj, stl};
use carom::spatial::Pose;
use nalgebra::Vector3;
use std::fs;
use std::path::Path;

/// Largest file that is read, bytes.
const LARGEST: u64 = 256 << 20;

/// Points and triangles of one colour.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Mesh {
    /// Points, m.
    pub points: Vec<Vector3<f64>>,
    /// Triangles by the numbers of their points.
    pub triangles: Vec<[u32; 3]>,
    /// Red, green, blue from 0 to 1, if the file tells.
    pub colour: Option<[f64; 3]>,
}

impl Mesh {
    /// Every coordinate times a factor of its axis.
    pub fn scaled(mut self, scale: &Vector3<f64>) -> Self {
        for point in &mut self.points {
            point.component_mul_assign(scale);
        }
        // A mirror turns triangles inside out.
        if scale.x * scale.y * scale.z < 0.0 {
            self.triangles.iter_mut().for_each(|t| t.swap(1, 2));
        }
        self
    }

    /// In another frame.
    pub fn placed(mut self, X: &Pose) -> Self {
        for point in &mut self.points {
            *point = X.point(point);
        }
        self
    }

    /// Whether all numbers are numbers and all triangles have their points.
    fn is_sound(&self) -> bool {
        let count = self.points.len() as u32;
        self.points.iter().all(|p| p.iter().all(|x| x.is_finite()))
            && self.triangles.iter().flatten().all(|i| *i < count)
            && !self.triangles.is_empty()
    }
}

/// The meshes of a file, one per colour; its format is told by its name. Otherwise why there are none.
pub fn read(path: &Path) -> Result<Vec<Mesh>, String> {
    let ending = path.extension().map(|e| e.to_string_lossy().to_ascii_lowercase());
    let size = fs::metadata(path).map_err(|e| e.to_string())?.len();
    if size > LARGEST {
        return Err(format!("{size} bytes are more than {LARGEST}"));
    }
    let bytes = fs::read(path).map_err(|e| e.to_string())?;
    let meshes = match ending.as_deref() {
        Some("stl") => stl::read(&bytes).map(|mesh| vec![mesh]),
        Some("obj") => obj::read(&String::from_utf8_lossy(&bytes)).map(|mesh| vec![mesh]),
        Some("dae") => collada::read(&String::from_utf8_lossy(&bytes)),
        _ => Err("not one of .stl, .obj, .dae".into()),
    }?;
    let sound: Vec<Mesh> = meshes.into_iter().filter(Mesh::is_sound).collect();
    if sound.is_empty() { Err("it holds no triangles".into()) } else { Ok(sound) }
}
