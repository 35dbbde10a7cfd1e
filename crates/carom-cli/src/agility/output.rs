//! The folder of data and figures.

use std::path::Path;

use carom_report::FolderLock;
use carom_report::run::disk::replace;

use super::refusal::Refusal;

/// Everything that these commands write.
const NAMES: [&str; 14] = [
    "capability.json",
    "capability.svg",
    "capability.png",
    "directions.csv",
    "polygon.csv",
    "map.csv",
    "map.json",
    "map.svg",
    "map.png",
    "optima.csv",
    "optima.json",
    "optima.svg",
    "optima.png",
    "problem.json",
];

/// Takes the folder, if one was given, for as long as the lock is kept.
pub fn claim(folder: Option<&Path>) -> Result<Option<FolderLock>, Refusal> {
    let lock = folder.map(|dir| FolderLock::claim(dir, |name| NAMES.contains(&name)));
    Ok(lock.transpose()?)
}

/// Writes a file of the folder.
pub fn write(path: &Path, contents: impl AsRef<[u8]>) -> Result<(), Refusal> {
    debug_assert!(path.file_name().is_some_and(|n| NAMES.iter().any(|own| n == *own)));
    Ok(replace(path, contents.as_ref())?)
}
