//! A folder that came from elsewhere: nothing is written through its links.
#![cfg(unix)]

mod support;

use carom::hybrid::Output;
use carom_report::{Extras, ReportError, RunWriter, SavedRun, recover};
use carom_testing::Scratch;
use std::fs;
use std::os::unix::fs::symlink;
use std::path::{Path, PathBuf};
use std::time::Duration;
use support::{ball, job, simulation, write};

const PRECIOUS: &str = "precious\nprecious\n";

/// A run that was killed: its checkpoints are there, its summary is not.
fn killed(dir: &Path) {
    let model = ball();
    let extras = Extras { csv: true, npz: false };
    let mut writer = RunWriter::create(dir, &model, job(), &[], extras).unwrap();
    writer.checkpoint_every(Duration::ZERO);
    simulation(&model, Output::Steps).run_with(2.0, &mut writer).unwrap();
    drop(writer);
    assert!(!dir.join("summary.json").exists());
}

fn victim(scratch: &Scratch) -> PathBuf {
    let path = scratch.path("victim");
    fs::write(&path, PRECIOUS).unwrap();
    path
}

#[test]
fn recovery_refuses_links() {
    for name in ["trajectory.parquet", "events.jsonl", "trajectory.csv"] {
        let scratch = Scratch::new("linked");
        let (dir, victim) = (scratch.path("run"), victim(&scratch));
        killed(&dir);
        fs::remove_file(dir.join(name)).unwrap();
        symlink(&victim, dir.join(name)).unwrap();
        let error = recover(&dir).unwrap_err();
        assert!(matches!(error, ReportError::Link { .. }), "{name}: {error}");
        assert!(SavedRun::load_events(&dir).is_err());
        assert_eq!(fs::read_to_string(&victim).unwrap(), PRECIOUS, "{name}");
    }
}

#[test]
fn links_give_way_to_files() {
    let parts = ["summary.json.part", "trajectory.parquet.part", "summary.json"];
    for name in parts {
        let scratch = Scratch::new("parts");
        let (dir, victim) = (scratch.path("run"), victim(&scratch));
        killed(&dir);
        // A link to nothing yet would make a file elsewhere.
        for to in [victim.clone(), scratch.path("nowhere")] {
            let _ = fs::remove_file(dir.join(name));
            symlink(to, dir.join(name)).unwrap();
        }
        recover(&dir).unwrap();
        SavedRun::load(&dir).unwrap();
        assert_eq!(fs::read_to_string(&victim).unwrap(), PRECIOUS, "{name}");
        assert!(!scratch.path("nowhere").exists(), "{name}");
    }
}

#[test]
fn a_new_run_writes_through_no_link() {
    let scratch = Scratch::new("anew");
    let (dir, victim) = (scratch.path("run"), victim(&scratch));
    let model = ball();
    write(&dir, &model, Output::Steps, Extras::default());
    let outside = scratch.path("outside");
    fs::create_dir(&outside).unwrap();
    fs::write(outside.join("ball.toml"), PRECIOUS).unwrap();
    for name in ["run.json.part", "trajectory.csv", "trajectory.journal", "trajectory.npz"] {
        symlink(&victim, dir.join(name)).unwrap();
    }
    write(&dir, &model, Output::Steps, Extras { csv: true, npz: true });
    fs::remove_dir_all(dir.join("source")).unwrap();
    symlink(&outside, dir.join("source")).unwrap();
    let source = [carom_report::SourceFile { name: "ball.toml".into(), text: "x".into() }];
    let error = RunWriter::create(&dir, &model, job(), &source, Extras::default()).err();
    assert!(matches!(error, Some(ReportError::Link { .. })));
    assert_eq!(fs::read_to_string(outside.join("ball.toml")).unwrap(), PRECIOUS);
    assert_eq!(fs::read_to_string(&victim).unwrap(), PRECIOUS);
    fs::remove_file(dir.join(".carom.lock")).unwrap();
    symlink(&victim, dir.join(".carom.lock")).unwrap();
    let error = RunWriter::create(&dir, &model, job(), &[], Extras::default()).err();
    assert!(matches!(error, Some(ReportError::Link { .. })));
}
