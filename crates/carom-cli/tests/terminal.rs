//! What a terminal and a shell see: colours, width, completions, manuals, JSON.

use carom_testing::{Scratch, scene, scenes};
use std::process::{Command, Output};

fn carom(args: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_carom")).env_remove("NO_COLOR").args(args).output().unwrap()
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8(bytes.to_vec()).unwrap()
}

/// In a pipe there are no colours unless they are asked for; the words are the same.
#[test]
fn colours_are_chosen() {
    let plain = text(&carom(&["run", "no-such.toml"]).stderr);
    assert!(plain.starts_with("error: ") && !plain.contains('\x1b'), "{plain}");
    assert_eq!(text(&carom(&["run", "no-such.toml", "--color", "never"]).stderr), plain);
    let always = "--color=always";
    for args in [[always, "run", "no-such.toml"], ["run", "no-such.toml", always]] {
        let coloured = text(&carom(&args).stderr);
        assert!(coloured.starts_with("\x1b[1;31merror:\x1b[0m "), "{coloured:?}");
        assert!(coloured.contains("\x1b[1;36mhint:\x1b[0m "));
        let codes = ["\x1b[1;31m", "\x1b[1;36m", "\x1b[0m"];
        assert_eq!(codes.iter().fold(coloured, |text, code| text.replace(code, "")), plain);
    }
    assert!(text(&carom(&["--help", "--color", "always"]).stdout).contains('\x1b'));
    assert!(!text(&carom(&["--help"]).stdout).contains('\x1b'));
    let odd = carom(&["--color", "pink", "laws"]);
    assert_eq!(odd.status.code(), Some(2));
    assert!(text(&odd.stderr).contains("invalid value 'pink'"));
    // Words of a file never become colours.
    assert!(!text(&carom(&["run", "\x1b[31mred.toml"]).stderr).contains('\x1b'));
}

#[test]
fn completions_know_the_commands() {
    for (shell, word) in [
        ("bash", "carom__subcmd__gallery"),
        ("zsh", "'gallery:"),
        ("fish", "-a \"gallery\""),
        ("elvish", "cand gallery"),
        ("powershell", "'gallery'"),
    ] {
        let done = carom(&["completions", shell]);
        assert_eq!(done.status.code(), Some(0));
        let script = text(&done.stdout);
        assert!(script.contains(word), "{shell}: {word}");
        assert!(script.contains("camera"), "{shell}: options too");
    }
    assert_eq!(carom(&["completions", "tcsh"]).status.code(), Some(2));
}

#[test]
fn manuals_know_the_commands() {
    let page = text(&carom(&["man"]).stdout);
    assert!(page.contains(".TH carom 1") && page.contains("carom\\-render(1)"), "{page}");
    let scratch = Scratch::new("man");
    let folder = scratch.path("man1");
    let done = carom(&["man", "--out", folder.to_str().unwrap()]);
    assert_eq!(done.status.code(), Some(0), "{}", text(&done.stderr));
    let names: Vec<String> = text(&done.stdout).lines().map(String::from).collect();
    assert!(names.len() > 15 && names.iter().all(|name| std::path::Path::new(name).exists()));
    let run = std::fs::read_to_string(folder.join("carom-run.1")).unwrap();
    assert!(run.contains(".TH carom-run 1") && run.contains("\\-\\-output\\-interval"), "{run}");
}

/// One line on stdout that a program reads: the summary of the folder, and how it ended.
#[test]
fn a_run_tells_machines() {
    let scratch = Scratch::new("json");
    let out = scratch.path("ball.run");
    let ball = scene("ball.toml");
    let done = carom(&["run", ball.to_str().unwrap(), "--json", "--out", out.to_str().unwrap()]);
    let line = text(&done.stdout);
    assert_eq!(line.lines().count(), 1);
    let told: serde_json::Value = serde_json::from_str(&line).unwrap();
    assert_eq!((&told["exit_code"], &told["stop"]["reason"]), (&0.into(), &"reached-end".into()));
    assert_eq!(told["folder"], out.to_str().unwrap());
    let file = std::fs::read_to_string(out.join("summary.json")).unwrap();
    let file: serde_json::Value = serde_json::from_str(&file).unwrap();
    assert_eq!((&told["counts"], &told["result_hash"]), (&file["counts"], &file["result_hash"]));
    assert!(text(&done.stderr).contains("reached end at t = 10 s"), "people are told as well");
    // A run that stops says so in both ways; a scene that cannot be read says nothing to machines.
    let (rod, out) = (scene("painleve.toml"), scratch.path("rod.run"));
    let turns = ["body.rod.angular_velocity=5", "body.rod.velocity=[-5,1.7101007166283435]"];
    let set = ["--set", turns[0], "--set", turns[1]];
    let more = [&set[..], &["--strict", "--quiet", "--out", out.to_str().unwrap()]].concat();
    let done = carom(&[&["run", rod.to_str().unwrap(), "--json"][..], &more].concat());
    let told: serde_json::Value = serde_json::from_str(&text(&done.stdout)).unwrap();
    assert_eq!((done.status.code(), &told["exit_code"]), (Some(1), &1.into()));
    let done = carom(&["run", "no-such.toml", "--json"]);
    assert!(done.status.code() == Some(2) && done.stdout.is_empty());
}

/// Tables and sentences keep to 80 columns, whatever the scene.
#[test]
fn lines_fit_the_terminal() {
    let mut commands: Vec<Vec<String>> = Vec::new();
    for entry in std::fs::read_dir(scenes()).unwrap() {
        let path = entry.unwrap().path();
        if path.extension().is_some_and(|e| e == "toml") {
            commands.push(vec!["check".into(), path.to_str().unwrap().into()]);
        }
    }
    let jumper = scene("jumper.toml");
    let jumper = jumper.to_str().unwrap();
    let optimize = ["optimize", jumper, "--direction", "-1,1,0", "--starts", "1", "--quiet"];
    commands.push(optimize.map(String::from).to_vec());
    for args in commands {
        let args: Vec<&str> = args.iter().map(String::as_str).collect();
        let out = text(&carom(&args).stdout);
        // What is to be copied into a shell stays in one piece.
        let copied = |line: &str| line.trim().starts_with("--set") || line.contains("carom run");
        let long = |line: &&str| line.chars().count() > 80 && !copied(line);
        let found: Vec<&str> = out.lines().filter(long).collect();
        assert!(found.is_empty(), "{args:?}: {found:#?}");
    }
}
