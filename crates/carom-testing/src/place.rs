//! Where things are in the repository.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

/// The folder of the repository.
pub fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// The folder of the scenes.
pub fn scenes() -> PathBuf {
    root().join("scenes")
}

/// A scene's file by its name with ending.
pub fn scene(name: &str) -> PathBuf {
    scenes().join(name)
}

/// Every Rust file below a folder.
///
/// # Panics
/// If the folder cannot be read.
pub fn rust_files(folder: &Path) -> Vec<PathBuf> {
    let entries = match std::fs::read_dir(folder) {
        Ok(entries) => entries,
        Err(error) => panic!("{}: {error}", folder.display()),
    };
    let mut files = Vec::new();
    for path in entries.flatten().map(|entry| entry.path()) {
        if path.is_dir() {
            files.extend(rust_files(&path));
        } else if path.extension().is_some_and(|e| e == "rs") {
            files.push(path);
        }
    }
    files.sort();
    files
}

/// Every file below a folder but hidden ones, by its path from there.
pub fn contents(folder: &Path) -> BTreeMap<String, Vec<u8>> {
    let mut all = BTreeMap::new();
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        let name = path.file_name().unwrap().to_string_lossy().into_owned();
        if path.is_dir() {
            all.extend(contents(&path).into_iter().map(|(n, b)| (format!("{name}/{n}"), b)));
        } else if !name.starts_with('.') {
            all.insert(name, std::fs::read(&path).unwrap());
        }
    }
    all
}
