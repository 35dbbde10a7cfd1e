//! `carom study` of runs, with processes: killed, interrupted, without room, asked wrongly.
#![cfg(unix)]

use std::fs;
use std::path::Path;
use std::process::{Child, Command, Output, Stdio};
use std::time::{Duration, Instant};

use carom_testing::{Scratch, contents, scene};

const VARY: [&str; 6] = [
    "--vary",
    "contact.0.restitution=0:0.9:10",
    "--vary",
    "contact.0.friction=0:1:12",
    "--result",
    "rest=time(rest, 1)",
];

fn carom(arguments: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_carom"));
    command.arg("study").args(arguments);
    command
}

/// The study of the double pendulum that most tests take.
fn pendulum(out: &Path, more: &[&str]) -> Command {
    let mut command = carom(&[]);
    command.arg(scene("double_pendulum.toml")).args(VARY).args(["--part-rows", "16"]);
    command.args(["--set", "solver.until=3"]).arg("--out").arg(out).args(more);
    command
}

fn done(command: &mut Command) -> Output {
    let output = command.output().unwrap();
    assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
    output
}

fn stderr(output: &Output) -> String {
    String::from_utf8_lossy(&output.stderr).into_owned()
}

fn stdout(output: &Output) -> String {
    String::from_utf8_lossy(&output.stdout).into_owned()
}

/// A process that does not outlive its test.
struct Guarded(Child);

impl Drop for Guarded {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

/// Bytes of the journal, and parts.
fn progress(dir: &Path) -> u64 {
    let journal = fs::metadata(dir.join("journal.bin")).map_or(0, |m| m.len());
    let parts = fs::read_dir(dir.join("parts")).map_or(0, |entries| entries.count() as u64);
    journal + 1000 * parts
}

/// Killed ten times with rows under way, then finished by another number of threads: the same bytes.
#[test]
fn killed_ten_times_it_ends_with_the_same_bytes() {
    let scratch = Scratch::new("killed-study");
    let (whole, killed) = (scratch.path("whole"), scratch.path("killed"));
    done(&mut pendulum(&whole, &["--threads", "1"]));
    for round in 0..10_u64 {
        let mut child = pendulum(&killed, &["--threads", "2", "-q"]);
        let mut child = Guarded(child.stderr(Stdio::null()).spawn().unwrap());
        let (start, before) = (Instant::now(), progress(&killed));
        // Until some rows are done, then a little longer, each time another while.
        while progress(&killed) < before + 200
            && child.0.try_wait().unwrap().is_none()
            && start.elapsed() < Duration::from_secs(20)
        {
            std::thread::sleep(Duration::from_millis(1));
        }
        std::thread::sleep(Duration::from_millis(round % 4));
        child.0.kill().unwrap();
        child.0.wait().unwrap();
    }
    let last = done(&mut pendulum(&killed, &["--threads", "3"]));
    assert!(stderr(&last).contains("120 of 120 rows"), "{}", stderr(&last));
    assert!(stderr(&last).contains("of them were there"), "{}", stderr(&last));
    assert_eq!(contents(&whole), contents(&killed));
}

#[test]
fn an_interrupted_study_goes_on() {
    let scratch = Scratch::new("interrupted-study");
    let out = scratch.path("out");
    let slow = ["--set", "solver.rtol=1e-11", "--set", "solver.atol=1e-12", "--threads", "1"];
    let mut child = Guarded(pendulum(&out, &slow).stderr(Stdio::piped()).spawn().unwrap());
    let start = Instant::now();
    while progress(&out) < 200 && start.elapsed() < Duration::from_secs(20) {
        std::thread::sleep(Duration::from_millis(1));
    }
    let id = child.0.id().to_string();
    assert!(Command::new("kill").args(["-INT", &id]).status().unwrap().success());
    let code = child.0.wait().unwrap().code();
    assert!(out.join("journal.bin").is_file());
    assert_eq!(code, Some(1));
    // What is done can be looked at.
    let shown = stdout(&done(&mut carom(&["show", out.to_str().unwrap()])));
    assert!(shown.contains(" of 120 rows in ") && !shown.starts_with("0 of"), "{shown}");
    let rest = done(&mut pendulum(&out, &slow));
    assert!(stderr(&rest).contains("120 of 120 rows"), "{}", stderr(&rest));
    assert!(stderr(&rest).contains("of them were there"), "{}", stderr(&rest));
}

/// Files may grow to a few kilobytes only: the study stops, says so, keeps what it has, and goes on with room.
#[test]
fn without_room_nothing_is_lost() {
    let scratch = Scratch::new("full-study");
    let (whole, full) = (scratch.path("whole"), scratch.path("full"));
    done(&mut pendulum(&whole, &[]));
    let arguments = pendulum(&full, &["--threads", "1"]);
    let quoted = |a: &std::ffi::OsStr| format!("'{}'", a.to_string_lossy());
    let words: Vec<String> =
        std::iter::once(arguments.get_program()).chain(arguments.get_args()).map(quoted).collect();
    let limited = format!("trap '' XFSZ; ulimit -f 2; exec {}", words.join(" "));
    let output = Command::new("bash").args(["-c", &limited]).output().unwrap();
    assert_eq!(output.status.code(), Some(2), "{}", stderr(&output));
    assert!(stderr(&output).contains("cannot write"), "{}", stderr(&output));
    done(&mut pendulum(&full, &["--threads", "1"]));
    assert_eq!(contents(&whole), contents(&full));
}

#[test]
fn shards_merge() {
    let scratch = Scratch::new("shards");
    let (whole, merged) = (scratch.path("whole"), scratch.path("merged"));
    done(&mut pendulum(&whole, &[]));
    let mut merge = carom(&["merge"]);
    merge.arg(&merged);
    for k in 1..=3 {
        let dir = scratch.path(&format!("shard{k}"));
        done(&mut pendulum(&dir, &["--shard", &format!("{k}/3")]));
        merge.arg(dir);
    }
    let output = done(&mut merge);
    assert!(stderr(&output).contains("120 of 120 rows"), "{}", stderr(&output));
    assert_eq!(contents(&whole), contents(&merged));
    let mut two = carom(&["merge"]);
    two.arg(scratch.path("two")).arg(scratch.path("shard1")).arg(scratch.path("shard3"));
    let output = two.output().unwrap();
    assert_eq!(output.status.code(), Some(1));
    assert!(stderr(&output).contains("begins with row 16"), "{}", stderr(&output));
    let many = pendulum(&scratch.path("many"), &["--shard", "1/99"]).output().unwrap();
    assert_eq!(many.status.code(), Some(2));
    assert!(stderr(&many).contains("hint: give fewer shards, or --part-rows 1 or less"));
}

#[test]
fn what_is_asked_wrongly() {
    let scratch = Scratch::new("wrong-study");
    let out = scratch.path("out");
    let ball = scene("ball.toml");
    let cases: [(&[&str], &str); 12] = [
        (&["--vary", "body.bal.mass=1:2:3"], "did you mean `ball`"),
        (&["--vary", "contact.0.restitution=0:2:3"], "restitution"),
        (&["--vary", "contact.0.restitution=0:0:3"], "the range is empty"),
        (&["--vary", "contact.0.restitution=0:nan:3"], "an end of the range is NaN"),
        (&["--vary", "a=0:1:1e6", "--vary", "b=0:1:1e6"], "1.000e12 rows, at most 1e10"),
        (&["--vary", "body.ball.mass=random(1, 2)", "--samples", "1000000000000"], "1.000e12 rows"),
        (&["--vary", "body.ball.mass=random(1, 2)"], "say how many with --samples"),
        (&["--vary", "body.ball.mass=1:2:3", "--result", "a=q.ball.w"], "`q.ball.w` is not known"),
        (&["--vary", "body.ball.mass=1:2:3", "--result", "max(t)"], "is not NAME=EXPRESSION"),
        (
            &["--vary", "body.ball.mass=1:2:3", "--keep", "b > 1"],
            "condition `b > 1`: `b` is not known",
        ),
        (&["--vary", "body.ball.mass=1:2:3", "--shard", "4/3"], "must be I/N with 1 ≤ I ≤ N"),
        (&["--rows", "/nonexistent/rows.csv"], "cannot read `/nonexistent/rows.csv`"),
    ];
    for (arguments, told) in cases {
        let mut command = carom(&[]);
        let output = command.arg(&ball).args(arguments).arg("--out").arg(&out).output().unwrap();
        assert_eq!(output.status.code(), Some(2), "{arguments:?}");
        assert!(stderr(&output).contains(told), "{arguments:?}: {}", stderr(&output));
        assert!(stdout(&output).is_empty());
        assert!(!out.exists(), "{arguments:?}");
    }
    // A dataset of another scene, a folder of something else, a folder that cannot be.
    let mass = ["--vary", "body.ball.mass=1:2:3", "--out"];
    done(carom(&[]).arg(&ball).args(mass).arg(&out));
    let before = contents(&out);
    let other = carom(&[]).arg(scene("superball.toml")).args(mass).arg(&out).output().unwrap();
    assert_eq!(other.status.code(), Some(2));
    assert!(stderr(&other).contains("holds another study: its scene is"), "{}", stderr(&other));
    assert_eq!(contents(&out), before);
    let jumps =
        carom(&[]).arg(scene("jumper.toml")).args(["--samples", "1", "--out"]).arg(&out).output();
    assert_eq!(jumps.unwrap().status.code(), Some(2));
    assert_eq!(contents(&out), before);
    let mixed = carom(&["--dry-run"]).arg(scene("jumper.toml")).output().unwrap();
    assert_eq!(mixed.status.code(), Some(2));
    assert!(stderr(&mixed).contains("`--dry-run` belongs to studies of runs"));
    let read_only = carom(&[]).arg(&ball).args(mass).arg("/proc/x.study").output().unwrap();
    assert_eq!(read_only.status.code(), Some(2));
    assert!(stderr(&read_only).contains("cannot create `/proc/x.study`"), "{}", stderr(&read_only));
}

#[test]
fn a_dataset_is_shown_repeated_and_drawn() {
    let scratch = Scratch::new("shown-study");
    let out = scratch.path("out");
    done(&mut pendulum(&out, &["--keep", "rest < 1.09 and contact.0.restitution == 0"]));
    let folder = out.to_str().unwrap();
    let shown = stdout(&done(&mut carom(&["show", folder])));
    assert!(shown.starts_with("120 of 120 rows in 8 files"), "{shown}");
    assert!(shown.contains("contact.0.friction     0 to 1, mean 0.5"), "{shown}");
    assert!(shown.contains("reached-end (120)"), "{shown}");
    // The kept run is that of its row, and the command of the row repeats it.
    let kept: Vec<_> = fs::read_dir(out.join("runs")).unwrap().map(|e| e.unwrap().path()).collect();
    assert!(!kept.is_empty() && kept.len() < 120, "{kept:?}");
    let name = kept[0].file_name().unwrap().to_str().unwrap().to_string();
    let row: u64 = name.trim_start_matches("row-").trim_end_matches(".run").parse().unwrap();
    let command = stdout(&done(&mut carom(&["row", folder, &row.to_string()])));
    let words: Vec<&str> = command.split_whitespace().skip(1).collect();
    let mut again = Command::new(env!("CARGO_BIN_EXE_carom"));
    done(again.args(&words).current_dir(scratch.folder()));
    let summary = |path: &Path| -> serde_json::Value {
        let text = fs::read_to_string(path.join("summary.json")).unwrap();
        let value: serde_json::Value = serde_json::from_str(&text).unwrap();
        value["result_hash"].clone()
    };
    assert_eq!(summary(&kept[0]), summary(&scratch.path(&name)));
    assert!(summary(&kept[0]).is_string());
    let beyond = carom(&["row", folder, "120"]).output().unwrap();
    assert_eq!(beyond.status.code(), Some(2));
    assert!(stderr(&beyond).contains("rows 0 to 119, not 120"));

    let (e, mu) = ("contact.0.restitution", "contact.0.friction");
    for (kind, arguments) in [
        ("scatter", vec!["--x", e, "--y", "rest"]),
        ("bifurcation", vec!["--x", mu, "--y", "rest"]),
        ("map", vec!["--x", e, "--y", mu, "--value", "rest"]),
        ("basin", vec!["--x", e, "--y", mu, "--value", "stop"]),
        ("parallel", vec!["--x", e, "--x", mu, "--x", "rest"]),
        ("histogram", vec!["--x", "rest", "--where", "contact.0.restitution > 0.3"]),
    ] {
        let format = ["--format", "svg,png,pdf"];
        let output = done(carom(&["plot", folder, "--kind", kind]).args(arguments).args(format));
        assert_eq!(stdout(&output).lines().count(), 3, "{kind}");
        assert!(out.join(format!("pictures/{kind}.pdf")).is_file(), "{kind}");
    }
    let unknown = carom(&["plot", folder, "--kind", "histogram", "--x", "rst"]).output().unwrap();
    assert_eq!(unknown.status.code(), Some(2));
    assert!(stderr(&unknown).contains("no column `rst`; did you mean `rest`"));
    let lacking = carom(&["plot", folder, "--kind", "map", "--x", e, "--y", mu]).output().unwrap();
    assert!(stderr(&lacking).contains("map needs a column for --value"), "{}", stderr(&lacking));
    let nothing = carom(&["show", scratch.folder().to_str().unwrap()]).output().unwrap();
    assert_eq!(nothing.status.code(), Some(2));
    assert!(stderr(&nothing).contains("is not a study"));
}

/// `[study]` of a scene says the same as arguments; `--dry-run` only tells.
#[test]
fn a_scene_says_its_study() {
    let scratch = Scratch::new("said-study");
    let path = scratch.path("ball.toml");
    let text = fs::read_to_string(scene("ball.toml")).unwrap();
    let study = "\n[study]\nvary.\"contact.0.restitution\" = \"0.1:0.5:3\"\nresult.second = \"time(impact, 2)\"\n";
    fs::write(&path, text + study).unwrap();
    let told = stdout(&done(carom(&["--dry-run"]).arg(&path).current_dir(scratch.folder())));
    assert!(told.starts_with("3 rows in 1 files of 4096 rows, seed 1\n"), "{told}");
    assert!(!scratch.path("ball.study").exists());
    done(carom(&["-q"]).arg(&path).current_dir(scratch.folder()));
    let folder = scratch.path("ball.study");
    let shown = stdout(&done(&mut carom(&["show", folder.to_str().unwrap()])));
    assert!(shown.contains("second                 0.541828 to 0.903047"), "{shown}");
    for (line, told) in [
        ("vary.knee = { from = 0, to = 1 }", "must be a text such as"),
        ("goal = [0, 0, 0]", "belongs to studies of jumps"),
        ("vary.a = 3", "a text, or a table"),
        ("result = 3", "texts by name"),
    ] {
        fs::write(
            &path,
            format!("[study]\n{line}\n[body.a]\nmass = 1\nshape = {{ sphere = 1 }}\n"),
        )
        .unwrap();
        let output = carom(&[]).arg(&path).output().unwrap();
        assert_eq!(output.status.code(), Some(2));
        assert!(stderr(&output).contains(told), "{line}: {}", stderr(&output));
    }
}
