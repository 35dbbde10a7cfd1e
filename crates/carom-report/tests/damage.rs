//! Damage of a finished run is found, named, and let pass only if that is asked for.

mod support;

use carom_report::{Account, EventLine, Extras, ReportError, RunWriter, SavedRun};
use carom_testing::Scratch;
use std::fs;
use std::path::{Path, PathBuf};
use std::time::Duration;
use support::scenes::{self, both};

/// A run of the ball on disk.
fn ball(scratch: &Scratch) -> PathBuf {
    let dir = scratch.path("ball.run");
    both("ball", &[], &dir);
    dir
}

fn damaged(dir: &Path) -> PathBuf {
    match Account::load(dir) {
        Err(ReportError::Damaged { path, .. }) => path,
        other => panic!("{:?}", other.map(|_| "no damage was found")),
    }
}

/// Every flipped bit of a sample of places, and cut ends.
#[test]
fn every_change_of_a_file_is_found() {
    let scratch = Scratch::new("flips");
    let dir = ball(&scratch);
    for name in ["trajectory.parquet", "events.jsonl", "summary.json"] {
        let path = dir.join(name);
        let whole = fs::read(&path).unwrap();
        let step = (whole.len() / 61).max(1);
        for place in (0..whole.len()).step_by(step) {
            let mut bytes = whole.clone();
            bytes[place] ^= 1 << (place % 8);
            fs::write(&path, &bytes).unwrap();
            // The key of the seal itself may be hit: then the summary has no seal, and no harm.
            let seal = name == "summary.json" && place + 40 > whole.len();
            assert!(Account::load(&dir).is_err() || seal, "{name}, byte {place}");
        }
        if name == "summary.json" {
            let seal = whole.len() - 30;
            assert_eq!(&whole[seal..seal + 7], b"\"check\"");
            let mut bytes = whole.clone();
            bytes[seal + 1] ^= 0x80;
            fs::write(&path, &bytes).unwrap();
            assert!(Account::load(&dir).is_err(), "a seal that is no text");
        }
        for cut in [1, whole.len() / 2, whole.len() - 1] {
            fs::write(&path, &whole[..cut]).unwrap();
            assert!(Account::load(&dir).is_err(), "{name} cut to {cut}");
        }
        fs::write(&path, &whole).unwrap();
    }
    let events = fs::read_to_string(dir.join("events.jsonl")).unwrap();
    let fewer: String = events.lines().rev().skip(3).map(|l| format!("{l}\n")).collect();
    fs::write(dir.join("events.jsonl"), fewer).unwrap();
    assert_eq!(damaged(&dir), dir.join("events.jsonl"));
    assert!(Account::load(&dir).unwrap_err().to_string().contains("bytes are there"));
}

/// Whole files of another run of the same scene: as long as any, and of the same columns.
#[test]
fn files_of_another_run_are_found() {
    let scratch = Scratch::new("others");
    let (dir, other) = (ball(&scratch), scratch.path("other.run"));
    both("ball", &["contact.0.restitution=0.6"], &other);
    Account::load(&other).unwrap();
    for name in ["trajectory.parquet", "events.jsonl", "summary.json"] {
        let path = dir.join(name);
        let own = fs::read(&path).unwrap();
        fs::copy(other.join(name), &path).unwrap();
        let found = damaged(&dir);
        assert!(name == "summary.json" || found == path, "{name}: {}", found.display());
        fs::write(&path, own).unwrap();
    }
    Account::load(&dir).unwrap();
}

/// A killed run whose journal was cut: what is left is shown, and a run without a sample is named, by everything that would
/// draw it.
#[test]
fn a_run_without_samples_is_named() {
    let scratch = Scratch::new("empty");
    let scene = scenes::load("ball", &[]);
    let killed = |dir: &Path| {
        let job = scenes::job(&scene, "ball", &[]);
        let files = scenes::files(&scene);
        let made = RunWriter::create(dir, &scene.model, job, &files, Extras::default());
        let mut writer = made.unwrap();
        writer.checkpoint_every(Duration::ZERO);
        scene.simulation().unwrap().run_with(0.6, &mut writer).unwrap();
    };
    let first = scratch.path("whole.run");
    killed(&first);
    let length = fs::metadata(first.join("trajectory.journal")).unwrap().len();
    let whole = Account::load(&first).unwrap().table.len();
    let mut empty = 0;
    for cut in (0..length).step_by(100) {
        let dir = scratch.path(&format!("{cut}.run"));
        killed(&dir);
        let journal = fs::OpenOptions::new().write(true).open(dir.join("trajectory.journal"));
        journal.unwrap().set_len(cut).unwrap();
        match Account::load(&dir) {
            Ok(account) => {
                assert!(account.table.len() < whole && !account.table.is_empty(), "cut to {cut}");
                carom_report::plots::RunPlots::new(&account).unwrap();
                carom_report::document::RunDocument::new(&account).unwrap();
            }
            Err(error) => {
                // A journal without its whole head tells nothing at all.
                let headless = matches!(error, ReportError::NothingRecorded { .. }) && empty == 0;
                let empty_run = matches!(error, ReportError::NoSamples { .. });
                assert!(empty_run || headless, "cut to {cut}: {error}");
                assert!(Account::load_damaged(&dir).is_err());
                if empty_run {
                    assert!(!SavedRun::load_events(&dir).unwrap().1.is_empty(), "events are left");
                    empty += 1;
                }
            }
        }
    }
    assert!(empty > 0, "no cut left events without samples");
}

/// What is left of a damaged run can be asked for, and what is wrong is told with it.
#[test]
fn the_rest_is_shown_if_asked() {
    let scratch = Scratch::new("rest");
    let dir = ball(&scratch);
    let (account, faults) = Account::load_damaged(&dir).unwrap();
    assert!(faults.is_empty());
    let path = dir.join("events.jsonl");
    let text = fs::read_to_string(&path).unwrap();
    let mut lines: Vec<&str> = text.lines().collect();
    lines[1] = "{";
    fs::write(&path, lines.join("\n")).unwrap();
    let (rest, faults) = Account::load_damaged(&dir).unwrap();
    assert_eq!(rest.events.len(), account.events.len() - 1);
    assert!(matches!(faults[0], ReportError::Damaged { .. }));
    assert!(matches!(faults[1], ReportError::Json { line: 2, .. }));
    let (events, faults) = SavedRun::load_damaged_events(&dir).unwrap();
    assert_eq!((events, faults.len()), (rest.events, 3));
}

/// Events that the scene cannot have had reach nobody who relies on their lengths.
#[test]
fn foreign_events_are_named() {
    let scratch = Scratch::new("lengths");
    let dir = ball(&scratch);
    let path = dir.join("events.jsonl");
    let text = fs::read_to_string(&path).unwrap();
    let all: Vec<EventLine> = text.lines().map(|l| serde_json::from_str(l).unwrap()).collect();
    let changes: [fn(&mut EventLine); 5] = [
        |e| e.q.clear(),
        |e| e.velocity_after.push(0.0),
        |e| e.contacts[0].name = "nobody".into(),
        |e| e.contacts[0].impulse_tangent.clear(),
        |e| e.t = f64::MAX,
    ];
    for change in changes {
        let mut events = all.clone();
        change(&mut events[0]);
        let lines: Vec<String> =
            events.iter().map(|e| serde_json::to_string(e).unwrap() + "\n").collect();
        fs::write(&path, lines.concat()).unwrap();
        let (account, faults) = Account::load_damaged(&dir).unwrap();
        let foreign = |e: &ReportError| matches!(e, ReportError::ForeignEvent { .. });
        assert!(faults.iter().any(foreign), "{faults:?}");
        carom_report::plots::RunPlots::new(&account).unwrap();
        carom_report::document::RunDocument::new(&account).unwrap();
    }
}

/// Runs of before there were hashes are read as ever.
#[test]
fn runs_without_hashes_are_read() {
    let scratch = Scratch::new("old");
    let dir = ball(&scratch);
    let path = dir.join("summary.json");
    let mut value: serde_json::Value = serde_json::from_slice(&fs::read(&path).unwrap()).unwrap();
    value.as_object_mut().unwrap().remove("files").unwrap();
    value.as_object_mut().unwrap().remove("check").unwrap();
    fs::write(&path, value.to_string()).unwrap();
    Account::load(&dir).unwrap();
}
