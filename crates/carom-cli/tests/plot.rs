//! `carom plot` through the binary: files, streams, exit codes.

use carom_testing::{Scratch, scene};
use std::path::Path;
use std::process::{Command, Output};

fn carom(args: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_carom")).args(args).output().unwrap()
}

/// A run of a scene in a scratch folder.
fn run(name: &str, scratch: &Scratch) -> String {
    let scene = scene(name);
    let out = scratch.path("it.run");
    let done = carom(&["run", scene.to_str().unwrap(), "--out", out.to_str().unwrap(), "--quiet"]);
    assert_eq!(done.status.code(), Some(0), "{}", String::from_utf8_lossy(&done.stderr));
    out.to_str().unwrap().into()
}

fn lines(bytes: &[u8]) -> Vec<String> {
    String::from_utf8(bytes.to_vec()).unwrap().lines().map(String::from).collect()
}

#[test]
fn all_plots_of_the_double_pendulum() {
    let scratch = Scratch::new("all");
    let run = run("double_pendulum.toml", &scratch);
    let done = carom(&["plot", &run]);
    assert_eq!(done.status.code(), Some(0), "{}", String::from_utf8_lossy(&done.stderr));
    assert!(done.stderr.is_empty());
    let files = lines(&done.stdout);
    for name in ["motion.svg", "motion.png", "energy.svg", "modes.png", "impulse_3.svg"] {
        let path = Path::new(&run).join("plots").join(name);
        assert!(files.contains(&path.to_str().unwrap().to_string()), "{name}: {files:?}");
    }
    for file in &files {
        let bytes = std::fs::read(file).unwrap();
        let start: &[u8] = if file.ends_with("svg") { b"<svg " } else { b"\x89PNG\r\n" };
        assert!(bytes.starts_with(start) && bytes.len() > 3000, "{file}");
    }
    // The folder is still a run: it can be listed, plotted and replaced.
    assert_eq!(carom(&["events", &run]).status.code(), Some(0));
}

#[test]
fn times_outside_the_run_and_sizes_that_are_none_are_refused() {
    let scratch = Scratch::new("outside");
    let run = run("ball.toml", &scratch);
    for (more, words) in [
        (["--from", "50"], "`--from 50` leaves nothing of the run, which goes from 0 s to 10 s"),
        (["--until", "-1"], "`--until -1` leaves nothing of the run, which goes from 0 s to 10 s"),
        (["--scale", "-1"], "must be a number from 0.1 to 20"),
    ] {
        let done = carom(&[&["plot", &run], &more[..]].concat());
        assert_eq!(done.status.code(), Some(2), "{more:?}");
        let text = String::from_utf8(done.stderr).unwrap();
        assert!(text.contains(words), "{more:?}: {text}");
    }
    assert!(!Path::new(&run).join("plots").exists());
}

#[test]
fn choices() {
    let scratch = Scratch::new("choices");
    let run = run("ball.toml", &scratch);
    let out = scratch.path("pictures");
    let out = out.to_str().unwrap();
    let some = ["plot", &run, "--out", out, "--only", "energy,phase", "--format", "svg"];
    let files = lines(&carom(&some).stdout);
    assert_eq!(files.len(), 2, "{files:?}");
    let light = std::fs::read(&files[0]).unwrap();
    assert_eq!(light, std::fs::read(&lines(&carom(&some).stdout)[0]).unwrap(), "same bytes");
    let dark = [&some[..], &["--dark"]].concat();
    assert_ne!(light, std::fs::read(&lines(&carom(&dark).stdout)[0]).unwrap());
    // Before the first impact nothing touches.
    let early = carom(&["plot", &run, "--out", out, "--only", "forces", "--until", "0.3"]);
    assert_eq!(early.status.code(), Some(0));
    assert!(early.stdout.is_empty());
    assert_eq!(lines(&early.stderr), ["nothing to plot: the run has no contact that closes"]);
}

#[test]
fn mistakes() {
    let scratch = Scratch::new("mistakes");
    let run = run("pendulum.toml", &scratch);
    let other = scratch.folder().to_str().unwrap();
    for (args, words) in [
        (vec!["plot", other], "is not a finished run"),
        (vec!["plot", &run, "--only", "colours"], "choose from overview, motion"),
        (vec!["plot", &run, "--format", "gif"], "invalid value 'gif'"),
        (vec!["plot", &run, "--from", "2", "--until", "1"], "is not before"),
        (vec!["plot", &run, "--scale", "1e9"], "from 0.1 to 20"),
    ] {
        let done = carom(&args);
        let text = String::from_utf8_lossy(&done.stderr).into_owned();
        assert_eq!(done.status.code(), Some(2), "{args:?}: {text}");
        assert!(text.contains(words), "{args:?}: {text}");
        assert!(done.stdout.is_empty());
    }
}

/// For a column of a journal: PDF beside the others, the width on paper, no heading.
#[test]
fn figures_for_paper() {
    let scratch = Scratch::new("paper");
    let run = run("ball.toml", &scratch);
    let paper = ["--width", "85mm", "--font-size", "8", "--no-title", "--pdf"];
    let done = carom(&[&["plot", &run, "--only", "energy"][..], &paper].concat());
    assert_eq!(done.status.code(), Some(0), "{}", String::from_utf8_lossy(&done.stderr));
    let files = lines(&done.stdout);
    assert_eq!(files.len(), 3, "{files:?}");
    let read = |end: &str| std::fs::read(files.iter().find(|f| f.ends_with(end)).unwrap()).unwrap();
    assert!(read("pdf").starts_with(b"%PDF-1.4"));
    assert!(String::from_utf8(read("svg")).unwrap().contains("width=\"85mm\""));
    let wrong = carom(&["plot", &run, "--width", "85"]);
    assert_eq!(wrong.status.code(), Some(2));
    assert!(String::from_utf8_lossy(&wrong.stderr).contains("with its unit"));
    let wrong = carom(&["plot", &run, "--font-size", "1e-300"]);
    assert_eq!(wrong.status.code(), Some(2));
    assert!(String::from_utf8_lossy(&wrong.stderr).contains("from 1 to 100"));
    // Panels as wide as they can be made.
    let poster = ["--format", "svg", "--width", "2000mm", "--font-size", "1"];
    let done = carom(&[&["plot", &run, "--only", "motion"][..], &poster].concat());
    assert_eq!(done.status.code(), Some(0), "{}", String::from_utf8_lossy(&done.stderr));
}

/// Events by kind, contact and time, as a table and as JSON; other lists keep to 80 columns.
#[test]
fn lists_are_chosen_from_and_fit_the_terminal() {
    let scratch = Scratch::new("lists");
    let run = run("double_pendulum.toml", &scratch);
    let events = |more: &[&str]| {
        let done = carom(&[&["events", &run][..], more].concat());
        assert_eq!(done.status.code(), Some(0), "{}", String::from_utf8_lossy(&done.stderr));
        lines(&done.stdout)
    };
    let all = events(&[]).len();
    assert_eq!(events(&["--last", "3"]).len(), 4);
    assert_eq!(events(&["--kind", "close"]).len(), 2);
    assert_eq!(events(&["--contact", "tip"]).len(), all - 1);
    assert_eq!(events(&["--contact", "elbow"]).len(), 1);
    let (before, after) = (events(&["--until", "1"]).len(), events(&["--since", "1"]).len());
    assert_eq!(before + after, all + 1);
    let json: serde_json::Value =
        serde_json::from_str(&events(&["--kind", "impact", "--json"]).join("\n")).unwrap();
    assert_eq!(json.as_array().unwrap().len(), 17);
    assert!(json[0]["contacts"][0]["impulse_normal"].as_f64().unwrap() > 11.0);
    let scene = scene("jumper.toml");
    for args in [&["laws"][..], &["reproduce", "--list"], &["check", scene.to_str().unwrap()]] {
        for line in lines(&carom(args).stdout) {
            assert!(line.chars().count() <= 80, "{args:?}: {line}");
        }
    }
    for args in [&["laws", "--json"][..], &["check", scene.to_str().unwrap(), "--json"]] {
        let text = lines(&carom(args).stdout).join("\n");
        serde_json::from_str::<serde_json::Value>(&text).unwrap();
    }
}
