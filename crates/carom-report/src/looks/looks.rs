//! What the robots of a scene look like.

use super::locate::locate;
use super::mesh::{Mesh, read};
use super::primitive::{ball, cuboid, cylinder};
use super::robot::{Shown, Visual, visuals};
use super::thin::thinned;
use crate::document::{Packed, pose7};
use crate::error::ReportError;
use crate::run::Account;
use carom_scene::Scene;
use serde::Serialize;
use std::collections::{BTreeSet, HashMap};
use std::path::{Path, PathBuf};

/// Triangles of all meshes together: what a page of this size can carry.
const BUDGET: usize = 24_000;
/// A mesh keeps this many whatever the others take.
const LEAST: usize = 200;

/// A mesh as the page reads it.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct PageMesh {
    /// x, y, z of its points, m.
    pub points: Packed,
    /// Numbers of the points of its triangles.
    pub triangles: Packed,
}

/// A mesh on a body.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Look {
    /// Name of the body.
    pub body: String,
    /// Place of the mesh among all.
    pub mesh: usize,
    /// x, y, z, qw, qx, qy, qz in the frame of the body.
    pub pose: [f64; 7],
    /// Red, green, blue from 0 to 1.
    pub colour: Option<[f64; 3]>,
}

/// Everything that the robots of a scene look like.
#[derive(Debug, Clone, PartialEq, Default, Serialize)]
pub struct Looks {
    /// Meshes, each once.
    pub meshes: Vec<PageMesh>,
    /// Where they are.
    pub looks: Vec<Look>,
    /// Names of all bodies of robots, also of those that look like nothing, but for those whose files are missing.
    pub links: Vec<String>,
    /// Files that were not found or not read, and why.
    pub missing: Vec<String>,
}

/// Key of a mesh: the same file in the same size is the same mesh.
type Key = (String, [u64; 3]);

impl Looks {
    /// The looks of the scene of a run; its files are looked for where the scene was read from, too.
    pub fn of_run(account: &Account) -> Option<Self> {
        Self::of(&account.scene, Some(Path::new(&account.summary.job.scene.name)))
    }

    /// As JSON.
    pub fn to_json(&self) -> Result<String, ReportError> {
        serde_json::to_string(self).map_err(|source| ReportError::Document { source })
    }

    /// The looks of a scene; none if it has no robot that looks like something.
    pub fn of(scene: &Scene, origin: Option<&Path>) -> Option<Self> {
        let mut shelf = Shelf::default();
        let first = scene.files.first().map(|f| PathBuf::from(&f.name))?;
        for file in &scene.files {
            let (links, all) = visuals(&file.text);
            let places = places(Path::new(&file.name), &first, origin);
            for prefix in prefixes(scene, &links) {
                shelf.links.extend(links.iter().map(|link| format!("{prefix}{link}")));
                for visual in &all {
                    shelf.put(visual, &format!("{prefix}{}", visual.link), &places);
                }
            }
        }
        (!shelf.looks.is_empty() || !shelf.missing.is_empty()).then(|| shelf.into_looks())
    }
}

/// Where a description lies: as it was opened, where links lead, and where the scene came from.
fn places(file: &Path, scene: &Path, origin: Option<&Path>) -> Vec<PathBuf> {
    let mut all = vec![file.to_path_buf()];
    all.extend(file.canonicalize());
    if let (Some(origin), Some(folder)) = (origin.and_then(Path::parent), scene.parent())
        && let Ok(rest) = file.strip_prefix(folder)
    {
        let there = origin.join(rest);
        all.extend(there.canonicalize());
        all.push(there);
    }
    all
}

/// What stands before the names of the links in the model, once for each robot of this description.
fn prefixes(scene: &Scene, links: &[String]) -> BTreeSet<String> {
    let names: BTreeSet<&str> =
        scene.model.body_ids().map(|id| scene.model.body(id).name.as_str()).collect();
    let Some(first) = links.first() else { return BTreeSet::new() };
    let of = |name: &&str| name.strip_suffix(first.as_str()).map(String::from);
    let whole =
        |prefix: &String| links.iter().all(|l| names.contains(format!("{prefix}{l}").as_str()));
    names.iter().filter_map(of).filter(whole).collect()
}

/// Meshes as they are found.
#[derive(Default)]
struct Shelf {
    known: HashMap<Key, Vec<usize>>,
    meshes: Vec<Mesh>,
    looks: Vec<Look>,
    links: Vec<String>,
    /// Bodies whose files are missing: they are seen by the shapes that touch.
    bare: BTreeSet<String>,
    missing: BTreeSet<String>,
}

impl Shelf {
    fn put(&mut self, visual: &Visual, body: &str, places: &[PathBuf]) {
        let meshes = self.numbers(visual, places);
        if meshes.is_empty() {
            self.bare.insert(body.into());
        }
        for mesh in meshes {
            let colour = visual.colour.or(self.meshes[mesh].colour);
            let pose = pose7(&visual.pose);
            self.looks.push(Look { body: body.into(), mesh, pose, colour });
        }
    }

    /// The meshes of what is shown, read if need be.
    fn numbers(&mut self, visual: &Visual, places: &[PathBuf]) -> Vec<usize> {
        let made = match &visual.shown {
            Shown::Box(size) => vec![cuboid(size)],
            Shown::Cylinder(radius, length) => vec![cylinder(*radius, *length)],
            Shown::Ball(radius) => vec![ball(*radius)],
            Shown::File(name, scale) => {
                let key = (name.clone(), [scale.x, scale.y, scale.z].map(f64::to_bits));
                if let Some(known) = self.known.get(&key) {
                    return known.clone();
                }
                let found = self.file(name, places);
                let meshes = found.into_iter().map(|mesh| mesh.scaled(scale)).collect();
                let numbers = self.keep(meshes);
                self.known.insert(key, numbers.clone());
                return numbers;
            }
        };
        self.keep(made)
    }

    fn keep(&mut self, meshes: Vec<Mesh>) -> Vec<usize> {
        let from = self.meshes.len();
        self.meshes.extend(meshes);
        (from..self.meshes.len()).collect()
    }

    fn file(&mut self, name: &str, places: &[PathBuf]) -> Vec<Mesh> {
        let found = locate(name, places).ok_or_else(|| "not found".to_string());
        found.and_then(|path| read(&path)).unwrap_or_else(|why| {
            self.missing.insert(format!("{name}: {why}"));
            Vec::new()
        })
    }

    /// Thinned to the budget, each mesh by its share of all triangles.
    fn into_looks(self) -> Looks {
        let all: usize = self.meshes.iter().map(|mesh| mesh.triangles.len()).sum();
        let share = |mesh: &Mesh| (BUDGET * mesh.triangles.len() / all.max(1)).max(LEAST);
        let page = |mesh: &Mesh| {
            let mesh = if all > BUDGET { thinned(mesh, share(mesh)) } else { mesh.clone() };
            let points = mesh.points.iter().flat_map(|p| [p.x, p.y, p.z].map(|x| x as f32));
            PageMesh {
                points: Packed::F32(points.collect()),
                triangles: Packed::U32(mesh.triangles.concat()),
            }
        };
        let missing = self.missing.into_iter().collect();
        Looks {
            meshes: self.meshes.iter().map(page).collect(),
            looks: self.looks,
            links: self.links.into_iter().filter(|link| !self.bare.contains(link)).collect(),
            missing,
        }
    }
}
