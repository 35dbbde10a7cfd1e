//! Runs whose process was killed: everything up to the last checkpoint comes back, bit by bit.

mod support;

use carom::hybrid::Output;
use carom::record::{Directive, Event, Observer, Sample};
use carom_report::{Extras, Folder, ReportError, RunWriter, SavedRun, Summary, recover};
use carom_testing::Scratch;
use std::fs;
use std::path::Path;
use std::time::Duration;
use support::{ball, job, simulation, write};

/// Rows of a row group of the ball: 2²⁰ numbers in 19 columns.
const GROUP: usize = (1 << 20) / 19;

/// Ends the run at a sample, and keeps copies of the folder as they are on disk.
struct Killed<'a> {
    writer: RunWriter,
    left: usize,
    /// Whether every sample is a checkpoint.
    always: bool,
    dir: &'a Path,
    image: &'a Path,
}

impl Observer for Killed<'_> {
    /// At the last sample the folder is copied: what a killed process leaves. Nothing follows.
    fn sample(&mut self, sample: &Sample<'_>) -> Directive {
        if self.left == 0 {
            return Directive::Stop;
        }
        // Two checkpoints in a row now and then, and at the end.
        let safe = self.always || self.left.is_multiple_of(30_000) || self.left < 3;
        self.writer.checkpoint_every(Duration::from_secs(if safe { 0 } else { 3600 }));
        let written = self.writer.sample(sample);
        self.left -= 1;
        if self.left > 0 {
            return written;
        }
        copy(self.dir, self.image);
        Directive::Stop
    }

    fn event(&mut self, event: &Event) -> Directive {
        if self.left == 0 { Directive::Stop } else { self.writer.event(event) }
    }
}

fn copy(from: &Path, to: &Path) {
    fs::create_dir_all(to).unwrap();
    for entry in fs::read_dir(from).unwrap() {
        let entry = entry.unwrap();
        if entry.file_type().unwrap().is_file() {
            fs::copy(entry.path(), to.join(entry.file_name())).unwrap();
        }
    }
}

/// A run stopped at its `samples`-th sample, and what would have been left of it if it had been
/// killed then.
fn killed(scratch: &Scratch, samples: usize, output: Output) -> Summary {
    let model = ball();
    let (dir, image) = (scratch.path("run"), scratch.path("image"));
    let extras = Extras { csv: true, npz: false };
    let writer = RunWriter::create(&dir, &model, job(), &[], extras).unwrap();
    let always = samples < 1000;
    let mut killed = Killed { writer, left: samples, always, dir: &dir, image: &image };
    let result = simulation(&model, output).run_with(2.0, &mut killed);
    killed.writer.finish(&result, true, Duration::ZERO).unwrap()
}

#[test]
fn a_killed_run_is_that_of_a_stopped_one() {
    for (samples, output) in [
        (1, Output::Steps),
        (40, Output::Interval(0.02)),
        // More than one row group, and exactly one.
        (100_000, Output::Interval(1e-5)),
        (GROUP, Output::Interval(1e-5)),
    ] {
        let scratch = Scratch::new(&format!("killed{samples}"));
        let stopped = killed(&scratch, samples, output);
        let (dir, image) = (scratch.path("run"), scratch.path("image"));
        assert!(!dir.join("trajectory.journal").exists() && !dir.join("checkpoint.json").exists());
        assert!(image.join("checkpoint.json").is_file() && !image.join("summary.json").exists());
        assert!(
            image.join("trajectory.so_far").is_file() && !dir.join("trajectory.so_far").exists()
        );
        let found = recover(&image).unwrap().expect("something to recover");
        let run = SavedRun::load(&image).unwrap();
        assert_eq!(run.len() as u64, found.samples);
        assert_eq!(run.t().last(), Some(&found.t));
        assert_eq!(run.summary.stop.reason, "interrupted");
        assert!(run.summary.stop.message.is_some());
        assert_eq!(run.events.len() as u64, run.summary.counts.events);
        let whole = SavedRun::load(&dir).unwrap();
        assert_eq!(run.t(), &whole.t()[..run.len()]);
        let column = "force.ball-ground.n";
        assert_eq!(run.column(column).unwrap(), &whole.column(column).unwrap()[..run.len()]);
        assert_eq!(run.events, whole.events[..run.events.len()]);
        // The last sample was a checkpoint: the two runs are the same to the last bit.
        assert_eq!(found.samples, stopped.counts.samples);
        assert_eq!(run.summary.result_hash, stopped.result_hash);
        assert_eq!(run.summary.energy, stopped.energy);
        assert_eq!(run.summary.state, stopped.state);
        assert_eq!(run.names, whole.names);
        for name in run.names.iter().filter(|n| !n.starts_with("mode.")) {
            assert_eq!(run.column(name), whole.column(name), "{name}");
        }
        let files = ["trajectory.csv", "events.jsonl", "trajectory.parquet"];
        // A file that only got its footer lacks the index of its pages, which no reader needs.
        for file in &files[..if samples == GROUP { 2 } else { 3 }] {
            assert!(fs::read(dir.join(file)).unwrap() == fs::read(image.join(file)).unwrap());
        }
        assert!(!image.join("trajectory.journal").exists());
        assert!(!image.join("trajectory.so_far").exists());
        assert_eq!(recover(&image).unwrap(), None, "once is enough");
    }
}

#[test]
fn what_came_after_the_checkpoint_is_cut_off_and_told() {
    let scratch = Scratch::new("after");
    let samples = killed(&scratch, 60, Output::Interval(0.02)).counts.samples;
    let image = scratch.path("image");
    let events = fs::read_to_string(image.join("events.jsonl")).unwrap();
    assert!(events.lines().count() > 1);
    let first = events.lines().next().unwrap();
    // One whole line and half a line more than the checkpoint knows of.
    let more = format!("{events}{first}\n{}", &first[..first.len() / 2]);
    fs::write(image.join("events.jsonl"), more).unwrap();
    let csv = fs::read_to_string(image.join("trajectory.csv")).unwrap();
    fs::write(image.join("trajectory.csv"), format!("{csv}1.0,2.")).unwrap();
    // A row group that was never confirmed.
    let mut parquet = fs::read(image.join("trajectory.parquet")).unwrap();
    parquet.extend([7; 1000]);
    fs::write(image.join("trajectory.parquet"), parquet).unwrap();
    let found = recover(&image).unwrap().unwrap();
    assert_eq!(found.cut, 2);
    let words = found.to_string();
    assert!(words.contains("was interrupted before it ended"), "{words}");
    assert!(
        words.contains(&format!("{samples} samples"))
            && words.contains("2 lines of `events.jsonl`"),
        "{words}"
    );
    assert_eq!(fs::read_to_string(image.join("events.jsonl")).unwrap(), events);
    assert_eq!(fs::read_to_string(image.join("trajectory.csv")).unwrap(), csv);
    assert_eq!(SavedRun::load(&image).unwrap().len() as u64, samples);
}

#[test]
fn a_recovery_that_was_killed_is_done_again() {
    let scratch = Scratch::new("again");
    killed(&scratch, 50, Output::Interval(0.02));
    let (image, half) = (scratch.path("image"), scratch.path("half"));
    copy(&image, &half);
    recover(&image).unwrap().unwrap();
    // As far as it may get: everything is written but the summary, nothing is removed.
    for file in ["trajectory.parquet", "events.jsonl", "trajectory.csv"] {
        fs::copy(image.join(file), half.join(file)).unwrap();
    }
    fs::write(half.join("trajectory.parquet.part"), "PAR1 and no more").unwrap();
    recover(&half).unwrap().unwrap();
    assert_eq!(SavedRun::load(&half).unwrap(), SavedRun::load(&image).unwrap());
}

#[test]
fn what_the_disk_lost_is_not_invented() {
    let scratch = Scratch::new("lost");
    let samples = killed(&scratch, 50, Output::Interval(0.02)).counts.samples;
    let image = scratch.path("image");
    let journal = fs::read(image.join("trajectory.journal")).unwrap();
    fs::write(image.join("trajectory.journal"), &journal[..journal.len() - 3]).unwrap();
    let found = recover(&image).unwrap().unwrap();
    assert_eq!(found.samples, samples - 1);
    let run = SavedRun::load(&image).unwrap();
    assert_eq!((run.len() as u64, run.summary.counts.samples), (samples - 1, samples - 1));
    assert_eq!(run.summary.stop.t, found.t);
    assert!(run.summary.result_hash.is_empty(), "the hash would be of one sample more");
}

#[test]
fn a_run_under_way_is_left_alone() {
    let scratch = Scratch::new("under-way");
    let dir = scratch.path("run");
    let model = ball();
    let writer = RunWriter::create(&dir, &model, job(), &[], Extras::default()).unwrap();
    for error in [recover(&dir).unwrap_err(), Folder::claim(&dir).unwrap_err()] {
        assert!(matches!(error, ReportError::UnderWay { .. }), "{error}");
        assert!(error.hint().contains("Ctrl-C"));
    }
    drop(writer);
    let error = recover(&dir).unwrap_err();
    assert!(matches!(error, ReportError::NothingRecorded { .. }), "{error}");
    // The folder may be used again.
    write(&dir, &model, Output::Steps, Extras::default());
    assert!(SavedRun::load(&dir).is_ok());
}

#[test]
fn checkpoints_leave_no_trace_in_a_finished_run() {
    let scratch = Scratch::new("trace");
    let model = ball();
    let extras = Extras { csv: true, npz: true };
    let (plain, often) = (scratch.path("plain"), scratch.path("often"));
    write(&plain, &model, Output::Interval(2e-2), extras);
    let source = [carom_report::SourceFile { name: "ball.toml".into(), text: "# ball\n".into() }];
    let mut writer = RunWriter::create(&often, &model, job(), &source, extras).unwrap();
    writer.checkpoint_every(Duration::ZERO);
    let result = simulation(&model, Output::Interval(2e-2)).run_with(2.0, &mut writer);
    writer.finish(&result, false, Duration::from_millis(5)).unwrap();
    let names = |dir: &Path| {
        let mut names: Vec<_> =
            fs::read_dir(dir).unwrap().map(|e| e.unwrap().file_name()).collect();
        names.sort();
        names
    };
    assert_eq!(names(&plain), names(&often));
    for name in names(&plain).iter().filter(|n| *n != "source") {
        assert!(
            fs::read(plain.join(name)).unwrap() == fs::read(often.join(name)).unwrap(),
            "{name:?}"
        );
    }
}
