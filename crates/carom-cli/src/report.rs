//! `carom report`: a run as one HTML file.

use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::atomic::Ordering;

use carom_report::Account;
use carom_report::ReportError;
use carom_report::document::RunDocument;
use carom_report::page::report;
use carom_report::run::disk::replace;
use carom_report::run::folder::REPORT;
use carom_scene::Scene;

use crate::args::ReportArgs;
use crate::interrupt::interrupt_flag;
use crate::live::{Lived, simulate, too_many};
use crate::progress::Progress;
use crate::run::ending;
use crate::salvage::{load, salvage};
use crate::{exit, scene_file};

/// Runs the command.
pub fn run(args: &ReportArgs) -> ExitCode {
    if args.target.is_dir() {
        return of_run(args);
    }
    let scene = match Scene::load_with(&args.target, &args.overrides) {
        Ok(scene) => scene,
        Err(error) => return scene_file::fail(&error),
    };
    scene_file::warn(&scene);
    if let Some(samples) = too_many(&scene) {
        let message = format!("the run would have {samples:.1e} samples, too many for one page");
        return exit::fail(&message, "let output.interval be longer, or until shorter");
    }
    let stop = interrupt_flag();
    let mut progress = Progress::new(scene.initial.t, scene.options.solver.until, true);
    let mut onlooker = |t: f64, events: u64| {
        progress.update(t, events);
        !stop.load(Ordering::Relaxed)
    };
    let lived = simulate(scene, (&args.target, &args.overrides), &mut onlooker);
    progress.clear();
    match lived {
        Ok(Lived { account, result }) => {
            let out = args.out.clone().unwrap_or_else(|| default_file(&args.target));
            match write(&account, &out) {
                Ok(()) => ending(&result, &account.summary, &out, false),
                Err(error) => exit::fail(&error.to_string(), error.hint()),
            }
        }
        Err(error) => exit::fail(&error.to_string(), error.hint()),
    }
}

/// The report of a run on disk.
fn of_run(args: &ReportArgs) -> ExitCode {
    if let Some(change) = args.overrides.first() {
        let message = format!("`--set {change}` cannot change a run that is done");
        return exit::fail(&message, "give the scene instead of the run, or `carom run` it again");
    }
    salvage(&args.target);
    let out = args.out.clone().unwrap_or_else(|| args.target.join(REPORT));
    match load(&args.target, args.damage).and_then(|account| write(&account, &out)) {
        Ok(()) => {
            exit::say(out.display());
            ExitCode::SUCCESS
        }
        Err(error) => exit::fail(&error.to_string(), error.hint()),
    }
}

/// Writes the file under another name first, so that it is there completely or not at all.
fn write(account: &Account, out: &Path) -> Result<(), ReportError> {
    let html = report(&RunDocument::new(account)?)?;
    replace(out, html.as_bytes())
}

/// `NAME.html` in the present folder for a scene `NAME.toml`.
fn default_file(scene: &Path) -> PathBuf {
    let stem = scene.file_stem().map_or_else(|| "scene".into(), |s| s.to_os_string());
    PathBuf::from(stem).with_extension("html")
}
