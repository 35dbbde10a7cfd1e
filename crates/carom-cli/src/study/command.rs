//! Which sort of study, or what is to be done with one.

use std::path::{Path, PathBuf};
use std::process::ExitCode;

use carom_scene::Scene;

use super::jumps::{self, Jumps};
use super::{folder, plot, runs};
use crate::args::{StudyArgs, StudyCommand};
use crate::{exit, scene_file};

/// Runs the command.
pub fn run(args: &StudyArgs) -> ExitCode {
    let done = match &args.command {
        Some(StudyCommand::Show(args)) => folder::show(args),
        Some(StudyCommand::Row(args)) => folder::row(args),
        Some(StudyCommand::Merge(args)) => folder::merge(args),
        Some(StudyCommand::Plot(args)) => plot::run(args),
        None => return study(args),
    };
    done.unwrap_or_else(|error| exit::fail(&error.to_string(), &error.hint()))
}

fn study(args: &StudyArgs) -> ExitCode {
    let Some(given) = &args.scene else {
        return exit::fail("no scene is given", "carom study SCENE --vary PATH=VALUES");
    };
    if let Some(code) = scene_file::refuse_folder(&given.file) {
        return code;
    }
    let scene = match Scene::load_with(&given.file, &given.overrides) {
        Ok(scene) => scene,
        Err(error) => return scene_file::fail(&error),
    };
    let out = args.out.clone().unwrap_or_else(|| default_folder(&given.file));
    let asks_for_runs = !args.vary.is_empty() || args.rows.is_some();
    match scene.study.clone().filter(|_| !asks_for_runs) {
        Some(study) => jumps::run(Jumps { scene: &scene, study, out, args }),
        None if scene.runs.is_none() && !asks_for_runs => exit::fail(
            "the scene declares no study",
            "give --vary PATH=VALUES, or declare [study] in the scene: docs/studies.md",
        ),
        None => runs::run(&scene, given, &out, args),
    }
}

/// `NAME.study` in the present folder for a scene `NAME.toml`.
fn default_folder(scene: &Path) -> PathBuf {
    let stem = scene.file_stem().map_or_else(|| "scene".into(), |s| s.to_os_string());
    PathBuf::from(stem).with_extension("study")
}
