//! Where output goes: lost output is an error, a gone reader is none, nothing ends by a panic, and
//! nothing from a file acts on a terminal.
#![cfg(target_os = "linux")]

use std::fs::{File, OpenOptions};
use std::os::unix::fs::symlink;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

use carom_testing::Scratch;

fn carom(arguments: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_carom"));
    command.args(arguments);
    command
}

fn scene(name: &str) -> String {
    carom_testing::scene(name).to_str().unwrap().into()
}

/// A disk without room.
fn full() -> File {
    OpenOptions::new().write(true).open("/dev/full").unwrap()
}

/// A pipe that nobody reads.
fn gone() -> Stdio {
    let (reader, writer) = std::io::pipe().unwrap();
    drop(reader);
    writer.into()
}

fn ball_run(scratch: &Scratch) -> String {
    let out = scratch.text("ball.run");
    let output = carom(&["run", &scene("ball.toml"), "-q", "--out", &out]).output().unwrap();
    assert!(output.status.success());
    out
}

#[test]
fn lost_output_is_an_error_and_a_gone_reader_is_none() {
    let scratch = Scratch::new("lost");
    let run = ball_run(&scratch);
    let (ball, jumper) = (scene("ball.toml"), scene("jumper.toml"));
    let commands = [
        vec!["check", &ball],
        vec!["events", &run],
        vec!["plot", &run, "--only", "energy", "--format", "svg"],
        vec!["laws"],
        vec!["schema"],
        vec!["reproduce", "--list"],
        vec!["capability", &jumper],
        vec!["capability", &jumper, "--json"],
        vec!["capability", &jumper, "--map", "femur,tibia", "--grid", "15"],
        vec!["optimize", &jumper, "--starts", "1", "-q"],
        vec!["--help"],
    ];
    for command in commands {
        let output = carom(&command).stdout(full()).output().unwrap();
        assert_eq!(output.status.code(), Some(2), "{command:?}");
        let output = carom(&command).stdout(gone()).output().unwrap();
        assert_eq!(output.status.code(), Some(0), "{command:?}");
    }
}

#[test]
fn nobody_on_stderr_is_no_panic() {
    let scratch = Scratch::new("deaf");
    let run = ball_run(&scratch);
    let (ball, out) = (scene("ball.toml"), scratch.text("q.run"));
    let typo = "body.ball.mass=-1";
    let cases = [
        (vec!["run", &ball, "--out", &out], 0),
        (vec!["check", &ball, "--set", typo], 2),
        (vec!["report", &run], 0),
        (vec!["events", "nowhere"], 2),
        (vec!["run", "--no-such-option"], 2),
    ];
    for (command, code) in cases {
        for deaf in [Stdio::from(full()), gone()] {
            let output = carom(&command).stderr(deaf).output().unwrap();
            assert_eq!(output.status.code(), Some(code), "{command:?}");
        }
    }
}

#[test]
fn absurd_numbers_end_with_a_message() {
    let scratch = Scratch::new("absurd");
    let jumper = scene("jumper.toml");
    let problem = scratch.path("p.jsonl");
    std::fs::write(
        &problem,
        r#"{"mass_matrix":[[1]],"velocity":[-1],"contacts":[{"normal":[1],"restitution":0.5}]}"#,
    )
    .unwrap();
    let (problem, out) = (problem.to_str().unwrap(), scratch.text("out.study"));
    let cases = [
        (vec!["impact", problem, "--threads", "99999999"], 0),
        (vec!["impact", problem, "--threads", "20000"], 0),
        (vec!["study", &jumper, "--samples", "2", "--threads", "3000", "-q", "--out", &out], 0),
        (vec!["capability", &jumper, "--map", "femur,tibia", "--grid", "1000000000"], 2),
        (vec!["capability", &jumper, "--directions", "1000000000000"], 2),
        (vec!["optimize", &jumper, "--starts", "99999999999"], 2),
        (vec!["optimize", &jumper, "--hops", "99999999999"], 2),
    ];
    for (command, code) in cases {
        let output = carom(&command).output().unwrap();
        assert_eq!(output.status.code(), Some(code), "{command:?}: {}", text(&output.stderr));
    }
}

/// Few threads where the system gives few, or little memory: the answers are the same.
#[test]
fn threads_that_the_system_refuses_are_done_without() {
    let scratch = Scratch::new("few");
    let study = |limit: &str| {
        let out = scratch.text(&format!("{limit}.study"));
        let command = format!(
            "ulimit -v {limit}; exec '{}' study '{}' --samples 40 --threads 3000 -q --out '{out}'",
            env!("CARGO_BIN_EXE_carom"),
            scene("jumper.toml"),
        );
        let output = Command::new("sh").args(["-c", &command]).output().unwrap();
        assert_eq!(output.status.code(), Some(0), "{limit}: {}", text(&output.stderr));
        std::fs::read(Path::new(&out).join("study.csv")).unwrap()
    };
    let whole = study("unlimited");
    for limit in ["3000000", "550000", "450000", "400000", "350000"] {
        assert!(study(limit) == whole, "{limit}");
    }
}

/// A folder that came from elsewhere: commands that write into it follow none of its links.
#[test]
fn nothing_is_written_through_links() {
    let scratch = Scratch::new("linked");
    let victim = write(&scratch, "victim", "precious");
    let outside = scratch.path("outside");
    std::fs::create_dir(&outside).unwrap();
    let run = ball_run(&scratch);
    let folder = Path::new(&run);
    std::fs::create_dir(folder.join("plots")).unwrap();
    let names = ["plots/energy.svg", "plots/energy.svg.part", "report.html", "report.html.part"];
    for name in names {
        symlink(&victim, folder.join(name)).unwrap();
    }
    let plot = ["plot", &run, "--only", "energy", "--format", "svg"];
    for command in [&plot[..], &["report", &run]] {
        let output = carom(command).output().unwrap();
        assert_eq!(output.status.code(), Some(0), "{command:?}: {}", text(&output.stderr));
        assert_eq!(std::fs::read_to_string(&victim).unwrap(), "precious", "{command:?}");
    }
    for name in ["plots/energy.svg", "report.html"] {
        assert!(folder.join(name).symlink_metadata().unwrap().is_file(), "{name} is a file now");
    }
    // A folder that is a link leads elsewhere as well.
    std::fs::remove_dir_all(folder.join("plots")).unwrap();
    symlink(&outside, folder.join("plots")).unwrap();
    let output = carom(&plot).output().unwrap();
    assert_eq!(output.status.code(), Some(2), "{}", text(&output.stderr));
    assert_eq!(std::fs::read_dir(&outside).unwrap().count(), 0);
}

/// A file that is not there is no news; one on a full disk is named, with the right hint.
#[test]
fn a_full_disk_is_named() {
    let scratch = Scratch::new("full");
    let run = ball_run(&scratch);
    let command = format!("ulimit -f 1; exec '{}' report '{run}'", env!("CARGO_BIN_EXE_carom"));
    // A file that may not grow is refused by a signal, which is ignored to get the error.
    let command = format!("trap '' XFSZ; {command}");
    let output = Command::new("sh").args(["-c", &command]).output().unwrap();
    assert_eq!(output.status.code(), Some(2), "{}", text(&output.stderr));
    assert!(!Path::new(&run).join("report.html.part").exists());
    assert!(!Path::new(&run).join("report.html").exists());
}

/// A run that the disk stops: exit 2, and what reached the disk is a run that says so.
#[test]
fn a_run_that_the_disk_stops_is_kept() {
    let scratch = Scratch::new("stopped");
    let out = scratch.text("stopped.run");
    let command = format!(
        "trap '' XFSZ; ulimit -f 200; exec '{}' run '{}' --csv --output-interval 0.01 --out '{out}'",
        env!("CARGO_BIN_EXE_carom"),
        scene("ball.toml"),
    );
    let output = Command::new("sh").args(["-c", &command]).output().unwrap();
    assert_eq!(output.status.code(), Some(2), "{}", text(&output.stderr));
    let saved = carom_report::SavedRun::load(&out).unwrap();
    assert_eq!(saved.summary.stop.reason, "error");
    assert!(saved.summary.stop.message.as_ref().is_some_and(|m| m.contains("trajectory.csv")));
    assert!(saved.len() > 100 && saved.len() as u64 == saved.summary.counts.samples);
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

fn acting(output: &Output) -> Vec<char> {
    let all = text(&output.stdout) + &text(&output.stderr);
    let acts = |c: &char| (c.is_control() && *c != '\n') || matches!(c, '\u{202a}'..='\u{202e}');
    all.chars().filter(acts).collect()
}

#[test]
fn nothing_from_a_file_acts_on_the_terminal() {
    let scratch = Scratch::new("escapes");
    let evil = r"\u001b]0;x\u0007\u009b31m\u202e";
    let toml = format!(
        "title = \"t{evil}\"\ndescription = \"{evil}\"\n\
         [body.\"b{evil}\"]\nmass = 1\nshape = {{ sphere = 0.1 }}\nposition = [0, 0, 0.2]\n\
         [body.ground]\nshape = \"plane\"\n\
         [[contact]]\nbetween = [\"b{evil}\", \"ground\"]\nrestitution = 0.5\nfriction = 0.3\n"
    );
    let path = write(&scratch, "evil.toml", &toml);
    let bad = write(&scratch, "bad.toml", &toml.replace("mass = 1", "mass = -1"));
    let name = "n&#x9b;31m\u{202e}";
    let urdf = write(
        &scratch,
        "evil.urdf",
        &format!("<robot name=\"r\"><link name=\"{name}\"/><link name=\"{name}\"/></robot>"),
    );
    let lines = write(&scratch, "p.jsonl", "{\"mass_matrix\": \u{1b}[31m\u{9b}\u{202e}}\n");
    let run = scratch.text("evil.run");
    let cases = [
        (vec!["check", &path], 0),
        (vec!["run", &path, "--out", &run], 0),
        (vec!["events", &run], 0),
        (vec!["check", &bad], 2),
        (vec!["check", &urdf], 2),
        (vec!["impact", &lines], 2),
        (vec!["check", "no\u{1b}[31mwhere"], 2),
        (vec!["plot", &run, "--scale", "\u{9b}31m\u{1b}"], 2),
        (vec!["check", &path, "--set", "\u{1b}[31m=1"], 2),
    ];
    for (command, code) in cases {
        let output = carom(&command).output().unwrap();
        assert_eq!(output.status.code(), Some(code), "{command:?}: {}", text(&output.stderr));
        assert_eq!(acting(&output), [], "{command:?}: {}", text(&output.stderr));
    }
}

fn write(scratch: &Scratch, name: &str, contents: &str) -> String {
    let path: PathBuf = scratch.path(name);
    std::fs::write(&path, contents).unwrap();
    path.to_str().unwrap().into()
}
