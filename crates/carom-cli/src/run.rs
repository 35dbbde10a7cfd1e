//! `carom run`: simulate a scene and write the run into a folder.

use std::io::IsTerminal;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Instant;

use carom::hybrid::{Outcome, SimError};
use carom::record::{Directive, Event, Observer, Sample};
use carom_report::{Extras, RunWriter, Summary, significant};
use carom_scene::{Scene, remedy};

use crate::again::{self, Task};
use crate::args::RunArgs;
use crate::interrupt::interrupt_flag;
use crate::job;
use crate::progress::Progress;
use crate::words::wrapped;
use crate::{exit, scene_file};

/// Runs the command.
pub fn run(args: &RunArgs) -> ExitCode {
    let Task { file, overrides, before } = match again::task(args) {
        Ok(task) => task,
        Err(code) => return code,
    };
    if let Some(code) = scene_file::refuse_folder(&file) {
        return code;
    }
    let scene = match Scene::load_with(&file, &overrides) {
        Ok(scene) => scene,
        Err(error) => return scene_file::fail(&error),
    };
    if !args.quiet {
        scene_file::warn(&scene);
    }
    let simulation = match scene.simulation() {
        Ok(simulation) => simulation,
        Err(error) => return exit::fail(&error.to_string(), error.hint()),
    };
    let out = args.out.clone().unwrap_or_else(|| default_folder(&file));
    let kept = job::keep(&scene, &file);
    let job = job::job(&scene, &file, &overrides, &kept);
    let extras = Extras { csv: args.csv || scene.options.output.csv, npz: args.npz };
    let writer = match RunWriter::create(&out, &scene.model, job, &kept, extras) {
        Ok(writer) => writer,
        Err(error) => return exit::fail(&error.to_string(), error.hint()),
    };
    let until = scene.options.solver.until;
    let mut watch = Watch {
        writer,
        stop: interrupt_flag(),
        progress: Progress::new(scene.initial.t, until, !args.quiet),
    };
    let start = Instant::now();
    let result = simulation.run_with(until, &mut watch);
    let wall_time = start.elapsed();
    watch.progress.clear();
    let interrupted = watch.stop.load(Ordering::Relaxed);
    if let Err(error) = &result {
        watch.writer.advise(remedy(&scene, error, |set| {
            Scene::load_with(&file, &[overrides.as_slice(), &[set.into()]].concat()).ok()
        }));
    }
    match watch.writer.finish(&result, interrupted, wall_time) {
        Ok(summary) => {
            let code = ending(&result, &summary, &out, args.quiet);
            if let Some(before) = before.filter(|_| !args.quiet) {
                before.compare(&out);
            }
            match args.json.then(|| exit::print(&record(&summary, &out))) {
                Some(Err(lost)) => lost,
                _ => code,
            }
        }
        Err(error) => exit::fail(&error.to_string(), error.hint()),
    }
}

/// `NAME.run` in the present folder for a scene `NAME.toml`.
fn default_folder(scene: &Path) -> PathBuf {
    let stem = scene.file_stem().map_or_else(|| "scene".into(), |s| s.to_os_string());
    PathBuf::from(stem).with_extension("run")
}

/// The summary as one line of JSON.
fn record(summary: &Summary, out: &Path) -> String {
    let mut value = serde_json::to_value(summary).unwrap_or_default();
    if let Some(object) = value.as_object_mut() {
        object.insert("folder".into(), out.display().to_string().into());
        object.insert("exit_code".into(), code(summary).into());
    }
    format!("{value}\n")
}

/// Says how the run ended and gives the exit code.
pub fn ending(
    result: &Result<Outcome, SimError>,
    summary: &Summary,
    out: &Path,
    quiet: bool,
) -> ExitCode {
    if let Err(error) = result {
        let hint = summary.stop.hint.as_deref().unwrap_or_else(|| error.hint());
        exit::fail(&error.to_string(), hint);
        let t = significant(summary.stop.t);
        exit::say(format_args!("the run up to t = {t} s is in {}", out.display()));
    }
    // That a run was interrupted is known to who interrupted it, and the last line says it.
    let stopped = !quiet && summary.stop.reason != "interrupted";
    if let Some(why) = summary.stop.explanation().filter(|_| stopped) {
        exit::say(format_args!("stopped: {why}"));
    }
    if !quiet {
        let line = format!("{}: {}", out.display(), summary.line());
        // A terminal would break it in the middle of a number; what reads a pipe wants one line.
        let line = match std::io::stderr().is_terminal() {
            true => wrapped(&line, 0, 2).join("\n  "),
            false => line,
        };
        exit::say(format_args!("{line}"));
    }
    ExitCode::from(code(summary))
}

/// The exit code that tells how a run ended.
pub fn code(summary: &Summary) -> u8 {
    match summary.stop.reason.as_str() {
        "reached-end" => 0,
        "error" => exit::FAILED,
        _ => exit::STOPPED,
    }
}

/// Passes everything on to the files and watches for an interruption.
struct Watch {
    writer: RunWriter,
    stop: Arc<AtomicBool>,
    progress: Progress,
}

impl Watch {
    fn directive(&self, written: Directive) -> Directive {
        if self.stop.load(Ordering::Relaxed) { Directive::Stop } else { written }
    }
}

impl Observer for Watch {
    fn sample(&mut self, sample: &Sample<'_>) -> Directive {
        let written = self.writer.sample(sample);
        self.directive(written)
    }

    fn step(&mut self, t: f64) -> Directive {
        let written = self.writer.step(t);
        self.progress.update(t, self.writer.events());
        self.directive(written)
    }

    fn event(&mut self, event: &Event) -> Directive {
        let written = self.writer.event(event);
        self.progress.update(event.t, self.writer.events());
        self.directive(written)
    }
}
