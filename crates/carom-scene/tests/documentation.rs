//! docs/scenes.md and the reader.
//!
//! The tables of the reference are made from the reader's own list of keys. After a change of the
//! format, `CAROM_BLESS=1 cargo test -p carom-scene --test documentation` writes them anew.

use carom_scene::{Scene, reference_tables};
use std::path::Path;

const START: &str = "<!-- keys of ";
const END: &str = "<!-- end of keys -->";

fn path() -> std::path::PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/scenes.md")
}

/// The document with every table made anew, and the names of the tables in it.
fn renewed(text: &str) -> (String, Vec<String>) {
    let tables = reference_tables();
    let mut out = String::new();
    let mut names = Vec::new();
    let mut inside = false;
    for line in text.lines() {
        if line == END {
            inside = false;
        }
        if !inside {
            out.push_str(line);
            out.push('\n');
        }
        if let Some(name) = line.strip_prefix(START).and_then(|l| l.strip_suffix(" -->")) {
            let table = tables.iter().find(|(n, _)| *n == name);
            out.push_str(&table.unwrap_or_else(|| panic!("no table `{name}`")).1);
            names.push(name.to_string());
            inside = true;
        }
    }
    (out, names)
}

#[test]
fn the_reference_has_every_key() {
    let text = std::fs::read_to_string(path()).unwrap();
    let (renewed, names) = renewed(&text);
    let known: Vec<&str> = reference_tables().iter().map(|(n, _)| *n).collect();
    assert_eq!(names, known, "every table once, in order");
    if std::env::var_os("CAROM_BLESS").is_some() {
        std::fs::write(path(), renewed).unwrap();
    } else {
        assert!(
            text == renewed,
            "docs/scenes.md is out of step with the reader; see this file's header"
        );
    }
}

/// Every TOML block of the document is a scene that loads, or is marked as a part of one.
#[test]
fn the_examples_load() {
    let text = std::fs::read_to_string(path()).unwrap();
    let mut count = 0;
    for block in text.split("```toml\n").skip(1) {
        let code = block.split("```").next().unwrap();
        if code.starts_with("# part") {
            continue;
        }
        Scene::parse(code, "../../scenes/example.toml")
            .unwrap_or_else(|e| panic!("{code}\n{}", e.report()));
        count += 1;
    }
    assert!(count >= 3);
}
