//! Scenes as files: what is wrong with them, and what they cannot have, as users see it.

use std::collections::BTreeMap;
use std::path::Path;
use std::process::ExitCode;

use carom_scene::{Scene, SceneError, Warning};

use crate::exit;

/// Says what to do with a folder where a scene was expected.
pub fn refuse_folder(path: &Path) -> Option<ExitCode> {
    let hint = if path.join("summary.json").is_file() {
        "this is a run: `carom events`, `plot`, `report` and `view` take it; give the scene instead"
    } else {
        "give the file of a scene (.toml) or of a robot (.urdf, .xml)"
    };
    let message = format!("`{}` is a folder, not a scene", path.display());
    path.is_dir().then(|| exit::fail(&message, hint))
}

/// Print the warnings of a scene.
pub fn warn(scene: &Scene) {
    exit::remark(&warnings(&scene.warnings));
}

/// Print a fault of a scene; exit code 2.
pub fn fail(error: &SceneError) -> ExitCode {
    exit::remark(&error.report());
    ExitCode::from(exit::FAILED)
}

/// Warnings, those of one sort together.
fn warnings(list: &[Warning]) -> String {
    let mut sorts: BTreeMap<String, Vec<&Warning>> = BTreeMap::new();
    let mut order = Vec::new();
    for warning in list {
        let sort = warning.caution.sort();
        if !sorts.contains_key(&sort) {
            order.push(sort.clone());
        }
        sorts.entry(sort).or_default().push(warning);
    }
    let mut text = String::new();
    for sort in order {
        let of_sort = &sorts[&sort];
        text.push_str(&format!("warning: {}\n", of_sort[0]));
        if of_sort.len() > 1 {
            text.push_str(&format!("         and {} more of this sort\n", of_sort.len() - 1));
        }
    }
    text
}
