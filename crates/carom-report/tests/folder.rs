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
    fs::write(dir.join("source/notes.txt"), "mine").unwrap();
    fs::create_dir(dir.join("plots")).unwrap();
    for name in ["energy.svg", "impulse-3.png", "mine.svg"] {
        fs::write(dir.join("plots").join(name), "").unwrap();
    }
    write(&dir, &ball(), Output::Steps, Extras::default());
    assert_eq!(fs::read_to_string(dir.join("notes.txt")).unwrap(), "mine");
    assert_eq!(fs::read_to_string(dir.join("source/notes.txt")).unwrap(), "mine");
    let left: Vec<_> =
        fs::read_dir(dir.join("plots")).unwrap().map(|e| e.unwrap().file_name()).collect();
    assert_eq!(left, ["mine.svg"], "pictures of the earlier run are gone, others are not");
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
    assert!(matches!(SavedRun::load(&dir), Err(ReportError::Damaged { .. })));
    fs::write(dir.join("events.jsonl"), events).unwrap();
    let parquet = fs::read(dir.join("trajectory.parquet")).unwrap();
    fs::write(dir.join("trajectory.parquet"), &parquet[..parquet.len() / 2]).unwrap();
    assert!(matches!(SavedRun::load(&dir), Err(ReportError::Damaged { .. })));
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

#[test]
fn every_plot_is_known_as_a_picture() {
    for kind in carom_report::plots::PlotKind::ALL {
        for name in [format!("{}.svg", kind.word()), format!("{}-2.png", kind.word())] {
            assert!(carom_report::run::folder::is_picture(name.as_ref()), "{name}");
        }
    }
}

/// A second writer is refused for as long as the first one writes, also after the first has removed
/// the files of an earlier run, and the folder is never a mixture.
#[test]
fn a_folder_has_one_writer() {
    let scratch = Scratch::new("writers");
    let dir = scratch.path("run");
    let model = ball();
    for earlier in [false, true] {
        assert_eq!(dir.exists(), earlier);
        let first = RunWriter::create(&dir, &model, job(), &[], Extras::default());
        let mut first = first.unwrap();
        let refused = || RunWriter::create(&dir, &model, job(), &[], Extras::default()).err();
        assert!(matches!(refused(), Some(ReportError::UnderWay { .. })));
        let result = simulation(&model, Output::Steps).run_with(2.0, &mut first);
        assert!(matches!(refused(), Some(ReportError::UnderWay { .. })));
        first.finish(&result, false, Duration::ZERO).unwrap();
        SavedRun::load(&dir).unwrap();
    }
}
