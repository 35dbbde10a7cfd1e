//! The scene of a saved run, read from the copy that lies with it.
//!
//! The copy is found by the name of the scene's file within the folder `source` and checked by its
//! hash, which covers the text, the overrides and every included file.

use super::folder::SOURCE;
use super::job::SourceFile;
use super::summary::Summary;
use crate::error::ReportError;
use carom_scene::Scene;
use std::ffi::OsStr;
use std::fs;
use std::path::{Path, PathBuf};

/// The scene of a run and its files as they lie in the folder `source`.
#[derive(Debug, Clone, PartialEq)]
pub struct SavedScene {
    /// The scene, overrides included.
    pub scene: Scene,
    /// Its file in the folder.
    pub path: PathBuf,
    /// Its files by their names within the folder, the scene first.
    pub files: Vec<SourceFile>,
}

impl SavedScene {
    /// Reads the scene of the run in `dir`, whose summary is given.
    pub fn load(dir: impl AsRef<Path>, summary: &Summary) -> Result<Self, ReportError> {
        let dir = dir.as_ref();
        let source = dir.join(SOURCE);
        let record = &summary.job.scene;
        let name = Path::new(&record.name).file_name().unwrap_or(OsStr::new("")).to_os_string();
        let mut fault = None;
        for path in files_named(&source, &name)? {
            match Scene::load_with(&path, &record.overrides) {
                Ok(scene) if scene.hash == record.hash => {
                    let files = relative(&scene, &source);
                    return Ok(Self { scene, path, files });
                }
                Ok(_) => {}
                Err(source) => fault = fault.or(Some(source)),
            }
        }
        let name = name.to_string_lossy().into_owned();
        Err(match fault {
            Some(source) => ReportError::Scene { dir: dir.into(), source: Box::new(source) },
            None => ReportError::NoScene { dir: dir.into(), name },
        })
    }
}

/// All files of that name below a folder, the higher ones first, then by path.
fn files_named(dir: &Path, name: &OsStr) -> Result<Vec<PathBuf>, ReportError> {
    let mut found = Vec::new();
    let mut level = vec![dir.to_path_buf()];
    while !level.is_empty() {
        let mut next = Vec::new();
        for folder in level {
            let Ok(entries) = fs::read_dir(&folder) else { continue };
            for entry in entries {
                let path = entry.map_err(ReportError::io("read", &folder))?.path();
                if path.is_dir() {
                    next.push(path);
                } else if path.file_name() == Some(name) {
                    found.push(path);
                }
            }
        }
        next.sort();
        level = next;
    }
    Ok(found)
}

/// The files of a scene by their names within a folder; others are left out.
fn relative(scene: &Scene, folder: &Path) -> Vec<SourceFile> {
    let file = |f: &carom_scene::SceneFile| {
        let name = Path::new(&f.name).strip_prefix(folder).ok()?;
        Some(SourceFile { name: settle(name), text: f.text.clone() })
    };
    scene.files.iter().filter_map(file).collect()
}

/// A path without `..`, with slashes.
fn settle(path: &Path) -> String {
    let mut parts: Vec<String> = Vec::new();
    for part in path.components() {
        match part {
            std::path::Component::ParentDir => {
                parts.pop();
            }
            std::path::Component::Normal(name) => parts.push(name.to_string_lossy().into_owned()),
            _ => {}
        }
    }
    parts.join("/")
}
