//! Every command of the README's code blocks is run, and CI calls its test command.

use carom_testing::root;
use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::process::{Command, Stdio};

const MAIN_JOB: &str = "cargo run --release --locked -p carom-cli -- ";
const TEST_COMMAND: &str = "./check.sh";
/// Run by a gate of its own, and so are the blocks in Python.
const PYTHON_COMMAND: &str = "pip install '.[plot]'";
const PYTHON_GATE: &str = "scripts/python.sh";

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
    for command in all.iter().filter(|c| *c != TEST_COMMAND && *c != PYTHON_COMMAND) {
        let arguments = command.strip_prefix(MAIN_JOB).or_else(|| command.strip_prefix("carom "));
        let arguments = arguments.unwrap_or_else(|| panic!("`{command}` is not run by any test"));
        if arguments.starts_with("view ") {
            serves(command, arguments);
            continue;
        }
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

/// `carom view` serves until it is stopped: wait for its address, ask for the page, interrupt it.
fn serves(command: &str, arguments: &str) {
    let mut child = Command::new(env!("CARGO_BIN_EXE_carom"))
        .args(arguments.split_whitespace())
        .current_dir(root())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let mut line = String::new();
    BufReader::new(child.stderr.take().unwrap()).read_line(&mut line).unwrap();
    let host = line.trim().strip_prefix("http://").and_then(|l| l.split('/').next());
    let host = host.unwrap_or_else(|| panic!("`{command}` printed `{line}`"));
    let mut stream = TcpStream::connect(host).unwrap();
    write!(stream, "GET / HTTP/1.1\r\nHost: {host}\r\nConnection: close\r\n\r\n").unwrap();
    let mut page = String::new();
    stream.read_to_string(&mut page).unwrap();
    assert!(page.starts_with("HTTP/1.1 200"), "{page:.80}");
    Command::new("kill").args(["-INT", &child.id().to_string()]).status().unwrap();
    assert!(child.wait().unwrap().success(), "`{command}` did not stop well");
}

/// `pip install` and what is written in Python are run by the gate of the package.
#[test]
fn a_gate_installs_the_package() {
    let read = |name: &str| std::fs::read_to_string(root().join(name)).unwrap();
    assert!(commands().iter().any(|c| c == PYTHON_COMMAND));
    assert!(read("check.sh").contains(PYTHON_GATE));
    let gate = read(PYTHON_GATE);
    let install =
        gate.lines().find(|line| line.contains("bin/pip\" install") && line.ends_with(" ."));
    assert!(install.is_some(), "{PYTHON_GATE} does not install the package");
    assert!(read("python/tests/test_documents.py").contains("README.md"));
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

/// Markdown files for readers.
fn pages() -> Vec<std::path::PathBuf> {
    let named =
        ["README.md", "ARCHITECTURE.md", "CONTRIBUTING.md", "CHANGELOG.md", "viewer/README.md"];
    let mut all: Vec<_> = named.iter().map(|name| root().join(name)).collect();
    let docs = std::fs::read_dir(root().join("docs")).unwrap().map(|entry| entry.unwrap().path());
    all.extend(docs.filter(|path| path.extension().is_some_and(|e| e == "md")));
    assert!(all.len() > 10);
    all
}

/// The anchor that a heading has: small letters, blanks as hyphens, other signs left out.
fn anchor(heading: &str) -> String {
    let kept = heading.trim().to_lowercase();
    let kept = kept.chars().filter(|c| c.is_alphanumeric() || " -_".contains(*c));
    kept.map(|c| if c == ' ' { '-' } else { c }).collect()
}

#[test]
fn every_link_of_the_documentation_leads_somewhere() {
    let mut count = 0;
    for page in pages() {
        let text = std::fs::read_to_string(&page).unwrap();
        for link in text.split("](").skip(1).filter_map(|rest| rest.split(')').next()) {
            if link.starts_with("http") || link.contains(' ') {
                continue;
            }
            let (file, part) = link.split_once('#').map_or((link, None), |(f, p)| (f, Some(p)));
            let target = match file {
                "" => page.clone(),
                file => page.parent().unwrap().join(file),
            };
            assert!(target.exists(), "{}: {link}", page.display());
            if let Some(part) = part {
                let text = std::fs::read_to_string(&target).unwrap();
                let heads = text.lines().filter_map(|line| line.strip_prefix('#'));
                let found =
                    heads.map(|line| anchor(line.trim_start_matches('#'))).any(|a| a == part);
                assert!(found, "{}: {link}", page.display());
            }
            count += 1;
        }
    }
    assert!(count > 30, "{count}");
}

/// What docs/viewer.md says of films, the command says as well.
#[test]
fn options_of_films_are_those_of_the_command() {
    let text = std::fs::read_to_string(root().join("docs/viewer.md")).unwrap();
    let output =
        Command::new(env!("CARGO_BIN_EXE_carom")).args(["render", "--help"]).output().unwrap();
    let help = String::from_utf8(output.stdout).unwrap();
    let rows = text.lines().filter(|line| line.starts_with("| `--"));
    let words = |line: &str| -> Vec<String> {
        let first = line.split('|').nth(1).unwrap_or_default();
        let word = |part: &str| part.split([' ', '`']).next().map(String::from);
        first.split("`--").skip(1).filter_map(word).collect()
    };
    let options: Vec<String> = rows.flat_map(words).collect();
    assert!(options.len() >= 10, "{options:?}");
    for option in options {
        assert!(help.contains(&format!("--{option}")), "--{option}");
    }
}
