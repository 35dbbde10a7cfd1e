//! Every command of the README's code blocks is run, and CI calls its test command.

use std::path::{Path, PathBuf};
use std::process::Command;

const MAIN_JOB: &str = "cargo run --release --locked -p carom-cli -- ";
const TEST_COMMAND: &str = "./check.sh";

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// The commands of all `console` blocks, in order.
fn commands() -> Vec<String> {
    let text = std::fs::read_to_string(root().join("README.md")).unwrap();
    let (mut inside, mut all) = (false, Vec::new());
    for line in text.lines() {
        if let Some(language) = line.strip_prefix("```") {
            inside = !inside && language == "console";
        } else if inside && let Some(command) = line.strip_prefix("$ ") {
            all.push(command.to_owned());
        }
    }
    all
}

#[test]
fn every_command_of_the_readme_works() {
    let all = commands();
    assert!(all[0].starts_with(MAIN_JOB), "the main job comes first");
    assert_eq!(all[1], TEST_COMMAND, "the test command comes second");
    for command in all.iter().filter(|c| *c != TEST_COMMAND) {
        let arguments = command.strip_prefix(MAIN_JOB).or_else(|| command.strip_prefix("carom "));
        let arguments = arguments.unwrap_or_else(|| panic!("`{command}` is not run by any test"));
        let output = Command::new(env!("CARGO_BIN_EXE_carom"))
            .args(arguments.split_whitespace())
            .current_dir(root())
            .output()
            .unwrap();
        assert!(
            output.status.success(),
            "`{command}` ended with {}:\n{}",
            output.status,
            String::from_utf8_lossy(&output.stderr)
        );
    }
}

#[test]
fn ci_runs_the_test_command() {
    let ci = std::fs::read_to_string(root().join(".ci/run")).unwrap();
    assert_eq!(ci, format!("#!/usr/bin/env bash\nexec {TEST_COMMAND}\n"));
}

#[test]
fn every_link_of_the_documents_exists() {
    for document in ["README.md", "ARCHITECTURE.md"] {
        let text = std::fs::read_to_string(root().join(document)).unwrap();
        for part in text.split("](").skip(1) {
            let target = part.split(')').next().unwrap();
            if !target.starts_with("http") {
                assert!(root().join(target).exists(), "{document} links to {target}");
            }
        }
    }
}
