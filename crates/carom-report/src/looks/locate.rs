//! Where a file lies that a robot description names.
//!
//! `package://NAME/path` is looked for in the folders of the variables ROS_PACKAGE_PATH and AMENT_PREFIX_PATH, then, as
//! are all other names, beside the description and in the folders above it: first with the whole path, then without its
//! first parts, because descriptions are moved more often than the folders around their meshes.

use std::env;
use std::path::{Component, Path, PathBuf};

/// The file that `name` stands for in a description that lies at one of `places`.
pub fn locate(name: &str, places: &[PathBuf]) -> Option<PathBuf> {
    let (package, path) = split(name);
    if !package && Path::new(path).is_absolute() {
        return Some(PathBuf::from(path)).filter(|p| p.is_file());
    }
    // Nothing above where the search begins.
    let parts: Vec<Component> = Path::new(path)
        .components()
        .filter(|part| package || !matches!(part, Component::CurDir))
        .collect();
    let known = if package { packages() } else { Vec::new() };
    known.iter().map(|folder| folder.join(path)).find(|p| p.is_file()).or_else(|| {
        let folders: Vec<&Path> = places.iter().filter_map(|p| p.parent()).collect();
        let above = |skip: usize| {
            let rest: PathBuf = parts[skip..].iter().collect();
            let mut all = folders.iter().flat_map(|folder| folder.ancestors());
            all.find_map(|folder| Some(folder.join(&rest)).filter(|p| p.is_file()))
        };
        (0..parts.len()).find_map(above)
    })
}

/// Whether a name is of a package, and its path.
fn split(name: &str) -> (bool, &str) {
    for scheme in ["package://", "model://"] {
        if let Some(path) = name.strip_prefix(scheme) {
            return (true, path);
        }
    }
    (false, name.strip_prefix("file://").unwrap_or(name))
}

/// Folders that hold packages by their names.
fn packages() -> Vec<PathBuf> {
    let all = |variable: &str| env::var_os(variable).unwrap_or_default();
    let mut folders: Vec<PathBuf> = env::split_paths(&all("ROS_PACKAGE_PATH")).collect();
    folders.extend(env::split_paths(&all("AMENT_PREFIX_PATH")).map(|p| p.join("share")));
    folders.retain(|p| !p.as_os_str().is_empty());
    folders
}
