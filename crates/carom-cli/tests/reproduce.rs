//! `carom reproduce`: list, one experiment, and what is refused.

use carom_testing::Scratch;
use std::process::{Command, Output};

fn carom(scratch: &Scratch, arguments: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_carom"))
        .arg("reproduce")
        .args(arguments)
        .current_dir(scratch.folder())
        .output()
        .expect("the binary runs")
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8(bytes.to_vec()).expect("UTF-8")
}

#[test]
fn the_list_has_source_item_and_experiment() {
    let output = carom(&Scratch::new("list"), &["--list"]);
    assert_eq!(output.status.code(), Some(0));
    let list = text(&output.stdout);
    for (source, item, name) in [
        ("Morgan 2011", "figure 2.8", "morgan-paths"),
        ("Morgan 2011", "figure 3.1", "morgan-motion"),
        ("Hurmuzlu & Marghitu 1994", "figure 7", "hurmuzlu-plastic"),
        ("Johnson 2024", "problem 4", "johnson-problems"),
        ("carom", "–", "beyond-pendulum"),
    ] {
        let line = list.lines().find(|l| l.starts_with(source) && l.contains(&format!(" {item} ")));
        assert!(line.is_some_and(|l| l.contains(name)), "{source} {item}: {line:?}");
    }
    // Columns stay columns, however many experiments cover an item; what an item shows stands below it.
    let column = list.lines().next().unwrap().find("experiment").unwrap();
    for line in
        list.lines().filter(|l| !l.starts_with("    ") || l.starts_with(&" ".repeat(column)))
    {
        let before: Vec<char> = line.chars().take(column).collect();
        assert!(before.len() < column || before[column - 1] == ' ', "{line}");
    }
}

#[test]
fn one_experiment_writes_a_folder() {
    let scratch = Scratch::new("reproduce");
    let output = carom(&scratch, &["johnson-ball", "--fast", "--out", "one-experiment"]);
    assert_eq!(output.status.code(), Some(0), "{}", text(&output.stderr));
    assert!(
        text(&output.stdout)
            .starts_with("johnson-ball                  3 agree   1 differ   0 not decidable")
    );
    assert!(text(&output.stderr).contains("1 experiment, 3 agree, 1 differ, 0 not decidable"));
    for file in [
        "index.html",
        "summary.json",
        "johnson-ball/ball.csv",
        "johnson-ball/ball.svg",
        "johnson-ball/ball.png",
    ] {
        assert!(scratch.path("one-experiment").join(file).is_file(), "{file}");
    }
}

/// Killed in the middle: the same command takes over what is done, and computes the rest; --again computes everything.
#[test]
fn a_killed_reproduction_goes_on() {
    let scratch = Scratch::new("killed-reproduction");
    let names = ["johnson-ball", "hurmuzlu-variants", "--fast", "--threads", "1", "--out", "it"];
    let mut child = Command::new(env!("CARGO_BIN_EXE_carom"))
        .arg("reproduce")
        .args(names)
        .current_dir(scratch.folder())
        .stdout(std::process::Stdio::null())
        .stderr(std::process::Stdio::null())
        .spawn()
        .expect("the binary runs");
    let done = scratch.path("it").join("johnson-ball/record.json");
    let start = std::time::Instant::now();
    while !done.is_file() && start.elapsed().as_secs() < 60 {
        std::thread::sleep(std::time::Duration::from_millis(1));
    }
    child.kill().expect("killed");
    child.wait().expect("ended");
    let before = std::fs::read(&done).expect("the record of the first");
    let output = carom(&scratch, &names);
    assert_eq!(output.status.code(), Some(0), "{}", text(&output.stderr));
    let words = text(&output.stderr);
    assert!(
        words.contains("2 experiments, 1 of them from before") || words.contains("2 of them"),
        "{words}"
    );
    assert_eq!(std::fs::read(&done).expect("kept"), before);
    assert!(scratch.path("it").join("index.html").is_file());
    // All of it is there now.
    let words = text(&carom(&scratch, &names).stderr);
    assert!(words.contains("2 experiments, 2 of them from before"), "{words}");
    let mut again = names.to_vec();
    again.push("--again");
    let words = text(&carom(&scratch, &again).stderr);
    assert!(words.contains("2 experiments, 3 agree"), "{words}");
}

/// Ctrl-C and a request to terminate end it at once, with the exit code of a run that was stopped, and say what is kept.
#[cfg(unix)]
#[test]
fn an_interrupted_reproduction_says_what_it_has() {
    let scratch = Scratch::new("interrupted-reproduction");
    for signal in ["-INT", "-TERM"] {
        let child = Command::new(env!("CARGO_BIN_EXE_carom"))
            .args(["reproduce", "johnson-ball", "flickinger-leg-sample", "--threads", "1"])
            .args(["--again", "--out", "it"])
            .current_dir(scratch.folder())
            .stdout(std::process::Stdio::null())
            .stderr(std::process::Stdio::piped())
            .spawn()
            .expect("the binary runs");
        // It listens once the first of the two is done.
        let done = scratch.path("it").join("johnson-ball/record.json");
        let start = std::time::Instant::now();
        while !done.is_file() && start.elapsed().as_secs() < 60 {
            std::thread::sleep(std::time::Duration::from_millis(5));
        }
        let id = child.id().to_string();
        assert!(Command::new("kill").args([signal, &id]).status().expect("sent").success());
        let output = child.wait_with_output().expect("ended");
        let words = text(&output.stderr);
        assert_eq!(output.status.code(), Some(1), "{signal}: {words}");
        assert!(words.starts_with("interrupted: 1 of 2 experiments are in it;"), "{words}");
        std::fs::remove_file(&done).expect("for the second round");
    }
}

#[test]
fn bad_requests_have_hints() {
    for (arguments, message) in
        [(vec!["no-such"], "there is no experiment `no-such`"), (vec![], "no experiment was named")]
    {
        let output = carom(&Scratch::new("refused"), &arguments);
        assert_eq!(output.status.code(), Some(2));
        let words = text(&output.stderr);
        assert!(
            words.contains(message) && words.contains("hint: `carom reproduce --list`"),
            "{words}"
        );
    }
}
