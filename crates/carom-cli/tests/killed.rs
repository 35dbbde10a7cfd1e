//! `carom run` killed without warning: everything up to a second before is read back.
#![cfg(unix)]

use std::path::Path;
use std::process::{Child, Command, Output, Stdio};
use std::time::{Duration, Instant};

use carom_report::{ReportError, SavedRun};
use carom_testing::Scratch;

/// A process that does not outlive its test.
struct Guarded(Child);

impl Drop for Guarded {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

fn carom() -> Command {
    Command::new(env!("CARGO_BIN_EXE_carom"))
}

/// A ball that bounces for hours of computing: small fixed steps, no loss.
fn endless(out: &Path) -> Guarded {
    let scene = carom_testing::scene("ball.toml");
    let child = carom()
        .arg("run")
        .arg(scene)
        .args(["--until", "1e9", "--method", "rk4", "--set", "solver.step=1e-6"])
        .args(["--set", "contact.0.restitution=1", "--output-interval", "0.01", "--csv", "--out"])
        .arg(out)
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    Guarded(child)
}

/// Waits for a condition, a minute at most.
fn wait_for(what: &str, mut holds: impl FnMut() -> bool) {
    let start = Instant::now();
    while !holds() {
        assert!(start.elapsed() < Duration::from_secs(60), "{what} takes too long");
        std::thread::sleep(Duration::from_millis(20));
    }
}

fn read(command: &str, run: &Path, more: &[&str]) -> Output {
    carom().arg(command).arg(run).args(more).output().unwrap()
}

fn stderr(output: &Output) -> String {
    String::from_utf8_lossy(&output.stderr).into_owned()
}

/// Lines of the file of events, whole ones only.
fn lines(run: &Path) -> usize {
    std::fs::read(run.join("events.jsonl"))
        .map_or(0, |bytes| bytes.iter().filter(|b| **b == b'\n').count())
}

/// Events of the last checkpoint.
fn checkpointed(run: &Path) -> u64 {
    let text = std::fs::read_to_string(run.join("checkpoint.json")).unwrap_or_default();
    let value: serde_json::Value = serde_json::from_str(&text).unwrap_or_default();
    value["counts"]["events"].as_u64().unwrap_or(0)
}

#[test]
fn a_killed_run_is_read_back() {
    let scratch = Scratch::new("read");
    let out = scratch.path("run");
    let mut child = endless(&out);
    wait_for("the second event in a checkpoint", || checkpointed(&out) > 1);
    // While it runs it is neither read nor replaced.
    let early = read("events", &out, &[]);
    assert_eq!(early.status.code(), Some(2));
    assert!(stderr(&early).contains("still under way"), "{}", stderr(&early));
    assert!(matches!(SavedRun::load(&out), Err(ReportError::UnderWay { .. })));
    // SIGKILL: no handler sees it.
    child.0.kill().unwrap();
    assert_eq!(child.0.wait().unwrap().code(), None);
    assert!(!out.join("summary.json").exists());
    // A line that was cut while it was written.
    let mut events = std::fs::read(out.join("events.jsonl")).unwrap();
    events.extend(b"{\"t\": 1.0, \"kind\": \"imp");
    std::fs::write(out.join("events.jsonl"), events).unwrap();

    // Where there is no room to complete it, it is left as it is, and nothing is given up.
    let command = format!(
        "trap '' XFSZ; ulimit -f 1; exec '{}' events '{}'",
        env!("CARGO_BIN_EXE_carom"),
        out.display()
    );
    let refused = Command::new("sh").args(["-c", &command]).output().unwrap();
    assert_eq!(refused.status.code(), Some(2), "{}", stderr(&refused));
    assert!(!stderr(&refused).contains("run the scene again"), "{}", stderr(&refused));
    assert!(out.join("trajectory.journal").is_file() && !out.join("summary.json").exists());

    let events = read("events", &out, &[]);
    assert!(events.status.success(), "{}", stderr(&events));
    let told = stderr(&events);
    assert!(told.starts_with("note: the run in `"), "{told}");
    assert!(told.contains("was interrupted before it ended; recovered"), "{told}");
    assert!(told.contains("`events.jsonl` after them"), "{told}");
    let rows = String::from_utf8_lossy(&events.stdout).lines().count();
    assert_eq!(rows, lines(&out) + 1, "one row for each event, and the titles");
    assert!(rows > 2);
    // Once it is complete there is nothing more to say.
    assert_eq!(stderr(&read("events", &out, &[])), "");

    let run = SavedRun::load(&out).unwrap();
    assert_eq!(run.summary.stop.reason, "interrupted");
    assert!(run.len() > 10 && run.t().is_sorted());
    assert_eq!(run.t().last(), Some(&run.summary.stop.t));
    assert_eq!(run.summary.counts.samples, run.len() as u64);
    let csv = std::fs::read_to_string(out.join("trajectory.csv")).unwrap();
    assert_eq!(csv.lines().count(), run.len() + 1);
    let energy = run.column("energy.stored").unwrap();
    assert!(energy.iter().all(|e| (e - energy[0]).abs() < 1e-6 * energy[0].abs()));

    let plots = read("plot", &out, &["--only", "coordinates", "--format", "svg"]);
    assert!(plots.status.success(), "{}", stderr(&plots));
    assert!(String::from_utf8_lossy(&plots.stdout).contains(".svg"));
    let report = read("report", &out, &[]);
    assert!(report.status.success(), "{}", stderr(&report));
    let html = std::fs::read_to_string(out.join("report.html")).unwrap();
    assert!(html.contains("the run ended early"));
}

#[test]
fn a_run_killed_at_once_says_that_there_is_nothing() {
    let scratch = Scratch::new("once");
    let out = scratch.path("run");
    let mut child = endless(&out);
    wait_for("the folder", || out.join("events.jsonl").is_file());
    child.0.kill().unwrap();
    child.0.wait().unwrap();
    if out.join("checkpoint.json").exists() {
        return; // The machine was so slow that a second had passed.
    }
    let events = read("events", &out, &[]);
    assert_eq!(events.status.code(), Some(2));
    let told = stderr(&events);
    assert!(told.contains("was interrupted before anything of it was recorded"), "{told}");
    assert!(told.contains("hint: "), "{told}");
}
