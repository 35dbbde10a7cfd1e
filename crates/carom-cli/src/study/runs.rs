//! The work on a study of runs.

use std::io::{IsTerminal, Write};
use std::path::Path;
use std::process::ExitCode;
use std::time::Instant;

use carom_report::run::disk::folder_within;
use carom_report::{Extras, ReportError, RunWriter, SourceFile};
use carom_scene::{Scene, short_number};
use carom_study::dataset::{RUNS, Store};
use carom_study::{Progress, Study, StudyError, Work};

use super::ask::Wanted;
use crate::args::{SceneArgs, StudyArgs};
use crate::interrupt::interrupt_flag;
use crate::{exit, job, progress, scene_file, threads};

/// Computes the rows that are missing.
pub fn run(scene: &Scene, given: &SceneArgs, out: &Path, args: &StudyArgs) -> ExitCode {
    let study = Wanted::of(args).and_then(|w| w.study(scene, &given.file, &given.overrides));
    let done = study.and_then(|study| match args.dry_run {
        true => Ok(exit::print_all(&described(&study))),
        false => work(&study, scene, (given, out), args),
    });
    match done {
        Ok(code) => code,
        Err(StudyError::Scene { values, source }) => {
            let code = scene_file::fail(&source);
            exit::say(format_args!("with {values}"));
            code
        }
        Err(error) => exit::fail(&error.to_string(), &error.hint()),
    }
}

fn work(
    study: &Study,
    scene: &Scene,
    (given, out): (&SceneArgs, &Path),
    args: &StudyArgs,
) -> Result<ExitCode, StudyError> {
    scene_file::warn(scene);
    let sources = job::keep(scene, &given.file);
    let store = Store::open(out, study.manifest(), (study.plan(), study.results()), &sources)?;
    let threads = threads::count(args.threads);
    let stop = interrupt_flag();
    let text = scene.files.first().map_or("", |file| &file.text);
    let source = KeptSource { text, file: &given.file, files: &sources };
    let keep = |row: u64, changes: &[String]| source.keep(out, row, changes);
    let work = Work { study, threads, stop: &stop, keep: Some(&keep) };
    let before = store.done_before();
    let shown = !args.quiet && std::io::stderr().is_terminal();
    let (last, failure, whole) = work.run(store, &mut |now| {
        if shown {
            let line = progress::row(part(now), &words(now), progress::columns());
            let _ = write!(std::io::stderr(), "\r\x1b[2K{line}");
        }
    })?;
    if shown {
        let _ = write!(std::io::stderr(), "\r\x1b[2K");
    }
    if !args.quiet {
        exit::say(last_line(out, &last, before, threads));
        if let Some(failure) = &failure {
            exit::say(format_args!("first row without an end: {failure}"));
        }
    }
    if !whole {
        exit::say("interrupted: the same command goes on from here");
        return Ok(ExitCode::from(exit::STOPPED));
    }
    // Rows that fail say so; if none does not, something is wrong with the study.
    match last.now > 0 && last.failed == last.now && before == 0 {
        true => Ok(exit::fail(
            "no row came to its end",
            "`carom run` of the scene with the values of a row tells more; --step-limit and --time-limit end rows early",
        )),
        false => Ok(ExitCode::SUCCESS),
    }
}

fn part(now: &Progress) -> f64 {
    now.done as f64 / now.total.max(1) as f64
}

fn words(now: &Progress) -> String {
    let mut text = format!("{} of {} rows, {}/s", now.done, now.total, short_number(now.rate()));
    if let Some(left) = now.remaining() {
        text.push_str(&format!(", {} left", progress::clock(left)));
    }
    if now.failed > 0 {
        text.push_str(&format!(", {} failed", now.failed));
    }
    text
}

fn last_line(out: &Path, last: &Progress, before: u64, threads: usize) -> String {
    let mut text = format!("{}: {} of {} rows", out.display(), last.done, last.total);
    if before > 0 {
        text.push_str(&format!(", {before} of them were there"));
    }
    text.push_str(&format!(
        ", {} now in {:.1} s on {threads} threads",
        last.now,
        last.time.as_secs_f64()
    ));
    if last.now > 0 {
        text.push_str(&format!(" ({} rows/s)", short_number(last.rate())));
    }
    if last.failed > 0 {
        text.push_str(&format!(", {} without an end", last.failed));
    }
    text
}

/// What a study would do.
fn described(study: &Study) -> String {
    let manifest = study.manifest();
    let mut text = format!(
        "{} rows in {} files of {} rows, seed {}\n",
        manifest.rows,
        manifest.parts(),
        manifest.part_rows,
        manifest.seed
    );
    for parameter in &manifest.vary {
        text.push_str(&format!("vary    {} = {}\n", parameter.name, parameter.value));
    }
    for name in study.results() {
        text.push_str(&format!("result  {name}\n"));
    }
    let last = manifest.rows.saturating_sub(1);
    for row in [0, last] {
        text.push_str(&format!("row {row}: {}\n", study.overrides(row).join(" ")));
    }
    text
}

/// The folder of the whole run of a row, by its number.
pub fn run_name(row: u64) -> String {
    format!("row-{row:012}.run")
}

/// The row of the folder of a whole run.
pub fn row_of(name: &str) -> Option<u64> {
    name.strip_prefix("row-")?.strip_suffix(".run")?.parse().ok()
}

/// The scene of runs that are kept.
pub struct KeptSource<'a> {
    /// Its text.
    pub text: &'a str,
    /// Its file.
    pub file: &'a Path,
    /// It and what it includes, as they are kept.
    pub files: &'a [SourceFile],
}

impl KeptSource<'_> {
    /// Runs a row once more, into a folder of its own in that of the study.
    pub fn keep(&self, out: &Path, row: u64, changes: &[String]) -> Result<(), ReportError> {
        let runs = folder_within(out, Path::new(RUNS))?;
        let dir = runs.join(run_name(row));
        let unreadable = |source| ReportError::Scene { dir: dir.clone(), source: Box::new(source) };
        let path = self.file.display().to_string();
        let scene = Scene::parse_with(self.text, &path, changes).map_err(unreadable)?;
        let job = job::job(&scene, self.file, changes, self.files);
        let extras = Extras { csv: false, npz: false };
        let mut writer = RunWriter::create(&dir, &scene.model, job, self.files, extras)?;
        let start = Instant::now();
        // A law that cannot be built has no run; its row says so.
        let Ok(simulation) = scene.simulation() else { return Ok(()) };
        let ended = simulation.run_with(scene.options.solver.until, &mut writer);
        writer.finish(&ended, false, start.elapsed()).map(|_| ())
    }
}
