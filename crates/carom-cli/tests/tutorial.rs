//! docs/tutorial.md and docs/studies.md, followed to the letter in an empty folder; and `carom new`.

use std::fs;
use std::path::Path;
use std::process::{Command, Output};

use carom_report::SavedRun;
use carom_testing::{Scratch, root};

fn carom(arguments: &[&str], folder: &Path) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_carom"));
    command.args(arguments).current_dir(folder).output().unwrap()
}

fn stderr(output: &Output) -> String {
    String::from_utf8_lossy(&output.stderr).into_owned()
}

/// The words of a command, as a shell parts them.
fn words(command: &str) -> Vec<&str> {
    let mut words = Vec::new();
    for (k, part) in command.split('\'').enumerate() {
        if k % 2 == 1 {
            words.push(part);
        } else {
            words.extend(part.split_whitespace());
        }
    }
    words
}

/// Files are written as their blocks say, commands run in order.
fn followed(document: &str, folder: &Path) -> Vec<(String, Output)> {
    let text = fs::read_to_string(root().join(document)).unwrap();
    let (mut block, mut file, mut commands) = (None, String::new(), Vec::new());
    for line in text.lines() {
        match (line.strip_prefix("```"), &block) {
            (Some(head), None) => {
                block = Some(head.to_string());
                file.clear();
            }
            (Some(_), Some(head)) => {
                if let Some(name) = head.strip_prefix("toml ") {
                    let (name, more) = name.strip_suffix(" +").map_or((name, ""), |n| (n, "+"));
                    let path = folder.join(name);
                    let before = match more {
                        "+" => fs::read_to_string(&path).unwrap() + "\n",
                        _ => String::new(),
                    };
                    fs::write(path, before + &file).unwrap();
                }
                block = None;
            }
            (None, Some(head)) if head == "console" => {
                let command = line.strip_prefix("$ carom ").unwrap();
                let output = carom(&words(command), folder);
                assert!(output.status.success(), "{line}: {}", stderr(&output));
                commands.push((command.to_string(), output));
            }
            (None, Some(_)) => file.push_str(&format!("{line}\n")),
            (None, None) => {}
        }
    }
    commands
}

/// The study of the documentation finds the doubling of the period between 1.5 and 1.55.
#[test]
fn the_study_works() {
    let scratch = Scratch::new("studies");
    let folder = scratch.path("work");
    fs::create_dir(&folder).unwrap();
    let commands = followed("docs/studies.md", &folder);
    assert!(commands.len() >= 10, "{}", commands.len());
    let said = |of: &str| {
        let found = commands.iter().find(|(command, _)| command.starts_with(of)).unwrap();
        String::from_utf8_lossy(&found.1.stdout).into_owned()
    };
    assert!(
        said("study table.toml --dry-run").starts_with("66 rows in 1 files of 4096 rows, seed 1")
    );
    assert!(said("study show table").contains("reached-end (66)"), "{}", said("study show table"));
    assert!(said("study row").contains(" --set joint.shaker.initial_rate=-0."));
    for picture in ["bifurcation.svg", "bifurcation.png", "histogram.svg"] {
        assert!(folder.join("table.study/pictures").join(picture).is_file());
    }
    let reader = carom_study::dataset::Reader::open(&folder.join("table.study")).unwrap();
    let places = ["$gamma", "phase.15", "phase.16"].map(|name| reader.place(name).unwrap());
    let columns: Vec<Vec<f64>> =
        reader.read(0, &places).unwrap().into_iter().map(|c| c.numbers()).collect();
    for (k, gamma) in columns[0].iter().enumerate() {
        let apart = (columns[1][k] - columns[2][k]).abs();
        assert!(apart < 0.01 || *gamma > 1.5, "{gamma}: {apart}");
        assert!(apart > 0.01 || *gamma < 1.55 || *gamma > 1.66, "{gamma}: {apart}");
    }
}

#[test]
fn the_tutorial_works() {
    let scratch = Scratch::new("tutorial");
    let folder = scratch.path("work");
    fs::create_dir(&folder).unwrap();
    let commands = followed("docs/tutorial.md", &folder);
    assert!(commands.len() >= 13, "{}", commands.len());
    // What the text says of them.
    let said = |of: &str, nth: usize| {
        let all: Vec<_> = commands.iter().filter(|(c, _)| c.starts_with(of)).collect();
        let output = &all[nth].1;
        String::from_utf8_lossy(&output.stdout).into_owned() + &stderr(output)
    };
    assert!(said("check first.toml", 0).contains("6 degrees of freedom"));
    assert!(said("check first.toml", 1).contains("passes through `ground`"));
    assert!(said("events first.run", 0).contains("0.451524"));
    let rolling = SavedRun::load(folder.join("rolling.run")).unwrap();
    let speed = rolling.column("v.ball.vx").unwrap().last().unwrap();
    assert!((speed - 5.0 / 7.0).abs() < 1e-6, "{speed}");
    assert_eq!(rolling.modes("ball-ground").unwrap().last(), Some("stick"));
    assert!(said("events gate.run", 0).contains("impact"));
}

#[test]
fn a_new_scene_runs_and_nothing_is_overwritten() {
    let scratch = Scratch::new("new");
    let folder = scratch.path("work");
    fs::create_dir(&folder).unwrap();
    assert!(carom(&["new", "first"], &folder).status.success());
    let text = fs::read_to_string(folder.join("first.toml")).unwrap();
    assert!(
        text.contains("carom run first.toml")
            && text.lines().filter(|l| l.contains('#')).count() > 15
    );
    let output = carom(&["run", "first.toml"], &folder);
    assert!(output.status.success(), "{}", stderr(&output));
    assert!(!stderr(&output).contains("warning"), "{}", stderr(&output));
    // What is printed can be copied, whatever the name.
    let output = carom(&["new", "my scene"], &folder);
    assert!(stderr(&output).contains("`carom run 'my scene.toml'`"), "{}", stderr(&output));
    assert!(carom(&["new", "two\nlines"], &folder).status.success());
    for name in ["my scene.toml", "two\nlines.toml"] {
        let output = carom(&["check", name], &folder);
        assert!(output.status.success(), "{}", stderr(&output));
    }
    fs::write(folder.join("first.toml"), "mine").unwrap();
    for name in ["first", "first.toml"] {
        let again = carom(&["new", name], &folder);
        assert_eq!(again.status.code(), Some(2));
        assert!(stderr(&again).contains("nothing is overwritten"));
    }
    assert_eq!(fs::read_to_string(folder.join("first.toml")).unwrap(), "mine");
    for name in ["", ".toml", "sub/"] {
        assert_eq!(carom(&["new", name], &folder).status.code(), Some(2), "{name}");
    }
}
