//! Where things are in the repository.

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
