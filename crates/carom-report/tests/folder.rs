//! What happens if the folder exists already, and what a failed run leaves.

mod support;

use carom::hybrid::{Output, Simulation, Stop};
use carom::impact::Newton;
use carom::record::{Directive, Event, Observer, Sample};
use carom_report::{Extras, Folder, ReportError, RunWriter, SavedRun};
use carom_testing::Scratch;
use std::fs;
use std::time::Duration;
use support::{ball, job, simulation, start, write};

#[test]
fn earlier_runs_are_replaced_and_nothing_else() {
    let scratch = Scratch::new("replace");
    let dir = scratch.path("deep/run");
    let extras = Extras { csv: true, npz: true };
    write(&dir, &ball(), Output::Steps, extras);
    fs::write(dir.join("notes.txt"), "mine").unwrap();
    write(&dir, &ball(), Output::Steps, Extras::default());
    assert_eq!(fs::read_to_string(dir.join("notes.txt")).unwrap(), "mine");
    assert!(!dir.join("trajectory.csv").exists(), "of the earlier run");
    assert!(!dir.join("trajectory.npz").exists(), "of the earlier run");
    assert_eq!(fs::read_to_string(dir.join("source/ball.toml")).unwrap(), "# ball\n");
    assert!(SavedRun::load(&dir).is_ok());
}

#[test]
fn foreign_folders_are_left_alone() {
    let scratch = Scratch::new("foreign");
    let dir = scratch.path("data");
    fs::create_dir_all(&dir).unwrap();
    fs::write(dir.join("trajectory.parquet"), "precious").unwrap();
    fs::write(dir.join("run.json"), r#"{"format":"another program"}"#).unwrap();
    let error = Folder::claim(&dir).unwrap_err();
    assert!(matches!(&error, ReportError::Foreign { found, .. } if found == "run.json"));
    assert!(!error.hint().is_empty());
    assert_eq!(fs::read_to_string(dir.join("trajectory.parquet")).unwrap(), "precious");
    let file = dir.join("run.json");
    assert!(matches!(Folder::claim(&file), Err(ReportError::NotAFolder { .. })));
}

#[test]
fn unfinished_and_damaged_runs_are_named() {
    let scratch = Scratch::new("damaged");
    let dir = scratch.path("run");
    write(&dir, &ball(), Output::Steps, Extras::default());
    let events = fs::read_to_string(dir.join("events.jsonl")).unwrap();
    fs::write(dir.join("events.jsonl"), &events[..events.len() / 2]).unwrap();
    assert!(matches!(SavedRun::load(&dir), Err(ReportError::Json { line, .. }) if line > 1));
    fs::write(dir.join("events.jsonl"), events).unwrap();
    let parquet = fs::read(dir.join("trajectory.parquet")).unwrap();
    fs::write(dir.join("trajectory.parquet"), &parquet[..parquet.len() / 2]).unwrap();
    assert!(matches!(SavedRun::load(&dir), Err(ReportError::Parquet { .. })));
    fs::remove_file(dir.join("summary.json")).unwrap();
    let error = SavedRun::load(&dir).unwrap_err();
    assert!(matches!(error, ReportError::NothingRecorded { .. }), "{error}");
    fs::remove_file(dir.join("run.json")).unwrap();
    let error = SavedRun::load(&dir).unwrap_err();
    assert!(matches!(error, ReportError::NotARun { missing: "summary.json", .. }));
}

/// Ends the run at its third event.
struct Impatient(RunWriter);

impl Observer for Impatient {
    fn sample(&mut self, sample: &Sample<'_>) -> Directive {
        self.0.sample(sample)
    }

    fn event(&mut self, event: &Event) -> Directive {
        self.0.event(event);
        if self.0.events() < 3 { Directive::Continue } else { Directive::Stop }
    }
}

#[test]
fn a_stopped_run_is_complete_up_to_then() {
    let scratch = Scratch::new("stopped");
    let dir = scratch.path("run");
    let model = ball();
    let writer = RunWriter::create(&dir, &model, job(), &[], Extras::default()).unwrap();
    let mut impatient = Impatient(writer);
    let result = simulation(&model, Output::Steps).run_with(2.0, &mut impatient);
    assert_eq!(result.as_ref().unwrap().stop, Stop::Observer);
    let summary = impatient.0.finish(&result, true, Duration::ZERO).unwrap();
    assert_eq!(summary.stop.reason, "interrupted");
    let run = SavedRun::load(&dir).unwrap();
    assert_eq!(run.events.len(), 3);
    assert_eq!(run.t().last(), Some(&summary.stop.t));
    assert_eq!(summary.stop.t, run.events[2].t);
}

#[test]
fn a_failed_run_is_complete_up_to_then() {
    let scratch = Scratch::new("failed");
    let dir = scratch.path("run");
    let model = ball();
    let mut writer = RunWriter::create(&dir, &model, job(), &[], Extras::default()).unwrap();
    let broken = |t: f64, _: (&[f64], &[f64]), tau: &mut [f64]| {
        tau[0] = if t > 0.3 { f64::NAN } else { 0.0 };
    };
    let result =
        Simulation::new(&model, start(&model), Newton).force(broken).run_with(2.0, &mut writer);
    assert!(result.is_err());
    let summary = writer.finish(&result, false, Duration::ZERO).unwrap();
    assert_eq!(summary.stop.reason, "error");
    assert!(summary.stop.message.is_some() && summary.stop.hint.is_some());
    let run = SavedRun::load(&dir).unwrap();
    assert!(summary.stop.t > 0.0 && summary.stop.t <= 0.3);
    assert_eq!(run.t().last(), Some(&summary.stop.t));
    assert_eq!(run.summary, summary);
}
