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
        Some(_) if of_runs(args).is_some() => exit::fail(
            &format!("`{}` belongs to studies of runs", of_runs(args).unwrap_or_default()),
            "this scene declares random jumps; say what varies with --vary or --rows",
        ),
        Some(study) => jumps::run(Jumps { scene: &scene, study, out, args }),
        None if scene.runs.is_none() && !asks_for_runs => exit::fail(
            "the scene declares no study",
            "give --vary PATH=VALUES, or declare [study] in the scene: docs/studies.md",
        ),
        None => runs::run(&scene, given, &out, args),
    }
}

/// An option that is given and has no meaning for jumps.
fn of_runs(args: &StudyArgs) -> Option<&'static str> {
    let given = [
        ("--result", !args.results.is_empty()),
        ("--keep", args.keep.is_some()),
        ("--time-limit", args.time_limit.is_some()),
        ("--step-limit", args.step_limit.is_some()),
        ("--part-rows", args.part_rows.is_some()),
        ("--shard", args.shard.is_some()),
        ("--dry-run", args.dry_run),
    ];
    given.into_iter().find(|(_, given)| *given).map(|(name, _)| name)
}

/// `NAME.study` in the present folder for a scene `NAME.toml`.
fn default_folder(scene: &Path) -> PathBuf {
    let stem = scene.file_stem().map_or_else(|| "scene".into(), |s| s.to_os_string());
    PathBuf::from(stem).with_extension("study")
}
