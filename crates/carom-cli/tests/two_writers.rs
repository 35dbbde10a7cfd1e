//! Processes that want the same folder: one has it, the others say so, and nothing is mixed.
#![cfg(unix)]

use std::path::Path;
use std::process::{Command, Output, Stdio};

use carom_report::SavedRun;
use carom_testing::Scratch;

fn carom() -> Command {
    Command::new(env!("CARGO_BIN_EXE_carom"))
}

/// Starts both at once and waits for both.
fn together(mut commands: [Command; 2]) -> [Output; 2] {
    let start = |c: &mut Command| c.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    let [a, b] = &mut commands;
    [start(a), start(b)].map(|child| child.wait_with_output().unwrap())
}

fn run(scene: &str, until: &str, out: &Path) -> Command {
    let mut command = carom();
    command.arg("run").arg(carom_testing::scene(scene)).args(["--until", until, "-q", "--out"]);
    command.arg(out);
    command
}

/// Over an earlier run, and into a new folder: what is there afterwards is one run, whole.
#[test]
fn a_run_is_replaced_by_one_process() {
    let scratch = Scratch::new("race");
    let dir = scratch.path("race.run");
    for round in 0..12 {
        if round == 6 {
            std::fs::remove_dir_all(&dir).unwrap();
        }
        let outputs =
            together([run("oscillator.toml", "60", &dir), run("double_pendulum.toml", "40", &dir)]);
        let codes = outputs.each_ref().map(|o| o.status.code());
        assert!(codes.contains(&Some(0)), "round {round}: {codes:?}");
        for output in outputs.iter().filter(|o| o.status.code() != Some(0)) {
            assert_eq!(output.status.code(), Some(2), "round {round}");
            let told = String::from_utf8_lossy(&output.stderr);
            assert!(told.contains("still under way"), "{told}");
        }
        let saved = SavedRun::load(&dir).unwrap();
        assert_eq!(saved.len() as u64, saved.summary.counts.samples, "round {round}");
        assert_eq!(saved.events.len() as u64, saved.summary.counts.events, "round {round}");
    }
}

/// The other commands that write folders.
#[test]
fn studies_and_answers_have_one_writer_and_leave_foreign_folders_alone() {
    let scratch = Scratch::new("outputs");
    let held = scratch.path("held");
    std::fs::create_dir(&held).unwrap();
    let lock = carom_report::FolderLock::take(&held).unwrap();
    let foreign = scratch.path("foreign");
    std::fs::create_dir(&foreign).unwrap();
    std::fs::write(foreign.join("thesis.tex"), "precious").unwrap();
    let jumper = carom_testing::scene("jumper.toml");
    let jumper = jumper.to_str().unwrap();
    for command in [vec!["study", jumper, "--samples", "1"], vec!["capability", jumper]] {
        for (dir, word) in [(&held, "still under way"), (&foreign, "`thesis.tex`")] {
            let output = carom().args(&command).arg("--out").arg(dir).output().unwrap();
            let told = String::from_utf8_lossy(&output.stderr);
            assert_eq!(output.status.code(), Some(2), "{command:?}: {told}");
            assert!(told.contains(word) && told.contains("hint: "), "{told}");
        }
    }
    drop(lock);
    assert_eq!(std::fs::read_dir(&foreign).unwrap().count(), 1, "nothing came to it");
    let again = scratch.path("again");
    for _ in 0..2 {
        let output = carom().args(["capability", jumper, "-q", "--out"]).arg(&again).output();
        assert_eq!(output.unwrap().status.code(), Some(0), "its own files are no hindrance");
    }
    let reproduced = scratch.path("reproduced");
    std::fs::create_dir(&reproduced).unwrap();
    let lock = carom_report::FolderLock::of_folder(&reproduced).unwrap();
    let mut command = carom();
    command.args(["reproduce", "--fast", "morgan-paths", "--out"]).arg(&reproduced);
    let output = command.output().unwrap();
    assert_eq!(output.status.code(), Some(2));
    assert!(String::from_utf8_lossy(&output.stderr).contains("still under way"));
    drop(lock);
}
