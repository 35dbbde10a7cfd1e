//! docs/coverage.md against what it names: commands, options, experiments, files, tests.

use std::collections::BTreeMap;
use std::fs;
use std::process::Command;

use carom_reproduce::{ALL, INVENTORY, Source, find};
use carom_testing::root;

struct Row {
    source: String,
    item: String,
    state: String,
    place: String,
    evidence: String,
}

fn rows() -> Vec<Row> {
    let text = fs::read_to_string(root().join("docs/coverage.md")).expect("the page");
    let mut source = String::new();
    let mut rows = Vec::new();
    for line in text.lines() {
        if let Some(name) = line.strip_prefix("## ") {
            source = name.to_owned();
        }
        let cells: Vec<&str> = line.split(" | ").collect();
        if line.starts_with("| item") || line.starts_with("|---") || !line.starts_with("| ") {
            continue;
        }
        assert_eq!(cells.len(), 4, "{line}");
        rows.push(Row {
            source: source.clone(),
            item: cells[0].trim_start_matches("| ").to_owned(),
            state: cells[1].to_owned(),
            place: cells[2].to_owned(),
            evidence: cells[3].trim_end_matches(" |").to_owned(),
        });
    }
    rows
}

/// What stands between back quotes.
fn quoted(text: &str) -> impl Iterator<Item = &str> {
    text.split('`').skip(1).step_by(2)
}

fn help(subcommand: &str) -> Option<String> {
    let output =
        Command::new(env!("CARGO_BIN_EXE_carom")).args([subcommand, "--help"]).output().ok()?;
    output.status.success().then(|| String::from_utf8_lossy(&output.stdout).into_owned())
}

#[test]
fn commands_files_and_tests_exist() {
    let mut known: BTreeMap<String, String> = BTreeMap::new();
    let (mut tests, mut commands) = (0, 0);
    for row in rows() {
        for word in quoted(&row.place).chain(quoted(&row.evidence)) {
            if let Some(command) = word.strip_prefix("carom ") {
                let mut words = command.split(' ');
                let sub = words.next().unwrap_or_default();
                let text = known
                    .entry(sub.to_owned())
                    .or_insert_with(|| help(sub).unwrap_or_else(|| panic!("no command `{word}`")));
                for option in command.split(' ').filter(|w| w.starts_with("--")) {
                    assert!(text.contains(option), "`{word}`: {option} is no option");
                }
                let named = command.split(' ').skip(1).filter(|w| !w.starts_with("--"));
                if sub == "reproduce" {
                    named.for_each(|n| assert!(find(n).is_some(), "no experiment `{n}`"));
                }
                commands += 1;
            } else if let Some((file, name)) =
                word.split_once("::").filter(|(f, _)| f.contains('/'))
            {
                let text = fs::read_to_string(root().join(file))
                    .unwrap_or_else(|_| panic!("{}: no file {file}", row.item));
                let declared = format!("#[test]\nfn {name}()");
                assert!(text.contains(&declared), "{}: no test {name} in {file}", row.item);
                tests += 1;
            } else if word.contains('/') {
                assert!(root().join(word).exists(), "{}: no {word}", row.item);
            }
        }
    }
    assert!(tests > 50 && commands > 40, "{tests} {commands}");
}

#[test]
fn nothing_is_missing_without_a_reason() {
    let rows = rows();
    let mut counts = [0; 3];
    for row in &rows {
        let state = ["yes", "partly", "no"].iter().position(|s| *s == row.state);
        counts[state.unwrap_or_else(|| panic!("{}: {}", row.item, row.state))] += 1;
        // Words beside the names: a restriction, or why not.
        let words: String = row.evidence.split('`').step_by(2).collect();
        let told = words.chars().filter(|c| c.is_alphabetic()).count();
        assert!(row.state == "yes" || told > 20, "{} {}: {}", row.source, row.item, row.evidence);
        assert!(row.state == "no" || quoted(&row.evidence).next().is_some(), "{}", row.item);
    }
    let page = fs::read_to_string(root().join("docs/coverage.md")).expect("the page");
    let [yes, partly, no] = counts;
    let line = format!("{} items: {yes} yes, {partly} partly, {no} no.", rows.len());
    assert!(page.contains(&line), "the page should say: {line}");
}

/// Every table and figure with a result, and every experiment of a source.
#[test]
fn the_inventory_is_covered() {
    let rows = rows();
    for item in INVENTORY {
        let own = rows.iter().filter(|r| r.source == item.source.short());
        let found = own.flat_map(|r| r.item.split(", ")).any(|i| i == item.item);
        assert!(found, "{} {} is not on the page", item.source.short(), item.item);
    }
    for experiment in ALL.iter().filter(|e| e.source != Source::Beyond) {
        let command = format!("carom reproduce {}", experiment.name);
        let named = rows.iter().any(|r| quoted(&r.evidence).any(|w| w == command));
        assert!(named, "{} is not on the page", experiment.name);
    }
}
