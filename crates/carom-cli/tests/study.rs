//! `carom study`: the same bytes for any number of threads and after an interruption.

use carom_testing::{Scratch, scene};
use std::fs;
use std::process::{Command, Output};

/// A file of a study.
fn read(folder: &Scratch, name: &str) -> String {
    fs::read_to_string(folder.path(name)).expect("a file of the study")
}

fn study(folder: &Scratch, arguments: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_carom"))
        .arg("study")
        .arg(scene("jumper.toml"))
        .arg("--out")
        .arg(folder.folder())
        .args(["--set", "solver.until=0.1"])
        .args(arguments)
        .output()
        .expect("the binary runs")
}

#[test]
fn threads_and_interruptions_do_not_matter() {
    let (one, three) = (Scratch::new("one"), Scratch::new("three"));
    let output = study(&one, &["--samples", "12", "--threads", "1"]);
    assert_eq!(output.status.code(), Some(0), "{}", String::from_utf8_lossy(&output.stderr));
    let table = String::from_utf8(output.stdout).unwrap();
    assert!(table.contains("timed-out           0"), "{table}");
    assert!(table.contains("bound 100 rtol E kept by every jump"), "{table}");
    // Every jump is in one row of the table: a class, or one of the causes for which it has none.
    let number = |line: &str| -> usize {
        line.get(20..27).and_then(|n| n.trim().parse().ok()).unwrap_or_else(|| panic!("{table}"))
    };
    let jumped = table.lines().find(|l| l.starts_with("jumped")).unwrap();
    let jumped: usize = jumped.split_whitespace().nth(1).unwrap().parse().unwrap();
    let classes = table.lines().filter(|l| l.starts_with("below 0") || l.contains(" to "));
    let classes: usize = classes.filter(|l| !l.contains("stance")).map(number).sum();
    let causes: usize = table.lines().filter(|l| l.starts_with("  because")).map(number).sum();
    assert!(causes > 0 && classes > 0 && classes + causes == jumped, "{table}");
    assert!(table.contains(&format!("{causes}   of {jumped} that jumped")), "{table}");
    let rows = read(&one, "study.csv");
    assert_eq!(rows.lines().count(), 13);
    assert!(read(&one, "study.svg").starts_with("<svg"));

    // Half of it, then a line cut off as by a crash, then the rest on more threads.
    assert_eq!(study(&three, &["--samples", "5", "--threads", "3"]).status.code(), Some(0));
    let path = three.path("study.csv");
    let half = fs::read_to_string(&path).unwrap();
    fs::write(&path, format!("{half}5,0.3,")).unwrap();
    let output = study(&three, &["--samples", "12", "--threads", "3"]);
    assert_eq!(output.status.code(), Some(0));
    assert!(String::from_utf8_lossy(&output.stderr).contains("12 of 12 jumps, 7 of them now"));
    assert_eq!(read(&three, "study.csv"), rows);
    assert_eq!(String::from_utf8(output.stdout).unwrap(), table);
}

#[test]
fn another_study_is_left_alone() {
    let folder = Scratch::new("foreign");
    assert_eq!(study(&folder, &["--samples", "2"]).status.code(), Some(0));
    let before = read(&folder, "study.csv");
    let output = study(&folder, &["--samples", "2", "--seed", "2"]);
    assert_eq!(output.status.code(), Some(2));
    assert!(String::from_utf8_lossy(&output.stderr).contains("holds another study"));
    assert_eq!(read(&folder, "study.csv"), before);
}

/// If no row comes to its end, the study fails, and says what can be done.
#[test]
fn rows_that_all_end_early_are_told_with_a_hint() {
    let folder = Scratch::new("early");
    let output = study(&folder, &["--vary", "contact.0.restitution=0:1:3", "--step-limit", "10"]);
    assert_eq!(output.status.code(), Some(2));
    let told = String::from_utf8_lossy(&output.stderr);
    assert!(told.contains("no row came to its end") && told.contains("hint: "), "{told}");
}

#[test]
fn scenes_without_study_say_so() {
    let ball = scene("ball.toml");
    let output = Command::new(env!("CARGO_BIN_EXE_carom")).arg("study").arg(ball).output().unwrap();
    assert_eq!(output.status.code(), Some(2));
    let text = String::from_utf8_lossy(&output.stderr);
    assert!(text.starts_with("error: the scene declares no study\nhint: "), "{text}");
}
