//! Triangles in a frame.

use carom::spatial::Pose;
use carom_scene::{Triangles, triangles};
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

    /// The triangles of one colour with their points.
    fn of_colour(all: &Triangles, colour: Option<[f64; 3]>) -> Self {
        let has = |k: usize| all.colours.get(k).copied().flatten() == colour;
        let own = || all.corners.iter().enumerate().filter(|(k, _)| has(*k)).map(|(_, t)| t);
        let mut numbers: Vec<Option<u32>> = vec![None; all.points.len()];
        own().flatten().for_each(|&i| numbers[i] = Some(0));
        let mut mesh = Self { colour, ..Self::default() };
        // Points in the order of the file.
        for (i, number) in numbers.iter_mut().enumerate().filter(|(_, n)| n.is_some()) {
            *number = Some(mesh.points.len() as u32);
            mesh.points.push(all.points[i]);
        }
        mesh.triangles = own().map(|t| t.map(|i| numbers[i].unwrap_or(0))).collect();
        mesh
    }
}

/// The meshes of a file, one per colour; its format is told by its name. Otherwise why there are none.
pub fn read(path: &Path) -> Result<Vec<Mesh>, String> {
    let size = fs::metadata(path).map_err(|e| e.to_string())?.len();
    if size > LARGEST {
        return Err(format!("{size} bytes are more than {LARGEST}"));
    }
    let bytes = fs::read(path).map_err(|e| e.to_string())?;
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    let all = triangles(&name, &bytes)?;
    let mut colours: Vec<Option<[f64; 3]>> = Vec::new();
    for k in 0..all.corners.len() {
        let colour = all.colours.get(k).copied().flatten();
        if !colours.contains(&colour) {
            colours.push(colour);
        }
    }
    Ok(colours.into_iter().map(|colour| Mesh::of_colour(&all, colour)).collect())
}
