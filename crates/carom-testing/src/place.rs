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
