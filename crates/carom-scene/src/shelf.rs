//! Mesh files of a scene and of the robots in it, each read once.

use crate::convex_pieces::{Cut, Standing, convex_pieces};
use crate::fault::Fault;
use crate::files::Files;
use crate::mesh_file::{Triangles, read_mesh};
use crate::source::Sources;
use nalgebra::Vector3;
use std::collections::HashMap;
use std::path::Path;
use std::sync::Arc;

/// Mesh files read so far.
pub(crate) struct Shelf<'a> {
    pub sources: &'a mut Sources,
    pub files: &'a mut Files,
    known: HashMap<String, Arc<Triangles>>,
    standing: HashMap<(String, [u64; 3]), (Cut, Standing)>,
}

impl<'a> Shelf<'a> {
    pub fn new(sources: &'a mut Sources, files: &'a mut Files) -> Self {
        Self { sources, files, known: HashMap::new(), standing: HashMap::new() }
    }

    /// The triangles of a file beside the scene.
    pub fn mesh(&mut self, file: &str) -> Result<Arc<Triangles>, Fault> {
        if let Some(known) = self.known.get(file) {
            return Ok(known.clone());
        }
        let mesh = Arc::new(read_mesh(file, self.files, self.sources)?);
        self.known.insert(file.into(), mesh.clone());
        Ok(mesh)
    }

    /// The convex hulls that stand for a mesh of a file, stretched along its axes.
    pub fn hulls(
        &mut self,
        (file, mesh): (&str, &Triangles),
        scale: Vector3<f64>,
        cut: Cut,
    ) -> Result<Standing, (String, &'static str)> {
        let key = (file.to_string(), [scale.x, scale.y, scale.z].map(f64::to_bits));
        if let Some((_, known)) = self.standing.get(&key).filter(|(by, _)| *by == cut) {
            return Ok(known.clone());
        }
        let points = mesh.points.iter().map(|p| p.component_mul(&scale)).collect();
        let found = convex_pieces(&Triangles { points, ..mesh.clone() }, cut)?;
        self.standing.insert(key, (cut, found.clone()));
        Ok(found)
    }

    /// Where a mesh of a robot lies: `package://NAME/path`, `file://` and plain paths. What is relative is looked for in the
    /// folder of the robot file and, for packages, in the folders around it, with and without the name of the package.
    pub fn of_robot(&self, robot: &str, name: &str) -> String {
        if let Some(path) = name.strip_prefix("file://") {
            return path.into();
        }
        let folder = Path::new(robot).parent().unwrap_or(Path::new(""));
        let Some(inside) = name.strip_prefix("package://").or(name.strip_prefix("model://")) else {
            return folder.join(name).display().to_string();
        };
        let short = inside.split_once('/').map_or(inside, |(_, rest)| rest);
        let mut around = folder.to_path_buf();
        for _ in 0..=MOST_FOLDERS {
            for path in [around.join(inside), around.join(short)] {
                let path = path.display().to_string();
                if self.files.exists(&path) {
                    return path;
                }
            }
            around.push("..");
        }
        folder.join(short).display().to_string()
    }
}

/// Folders around that of a robot in which its packages are looked for.
const MOST_FOLDERS: usize = 6;
