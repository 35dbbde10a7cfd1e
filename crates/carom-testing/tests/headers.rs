//! What the headers of modules say of tests is true: every file and every test that they name exists.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

use carom_testing::{root, rust_files};

/// Every name that is defined as a function.
fn functions(text: &str) -> impl Iterator<Item = String> {
    text.split("fn ").skip(1).map(|rest| rest.chars().take_while(|c| is_name(*c)).collect())
}

fn is_name(c: char) -> bool {
    c.is_alphanumeric() || c == '_'
}

/// Words between backquotes in the part of a header that speaks of tests.
fn named(header: &str) -> Vec<&str> {
    let start = header.find("# Tests").or_else(|| header.find("Tests: "));
    start.map_or(Vec::new(), |at| header[at..].split('`').skip(1).step_by(2).collect())
}

fn exists(krate: &Path, name: &str) -> bool {
    let path = if name.starts_with("crates/") { root().join(name) } else { krate.join(name) };
    path.exists() || path.with_extension("rs").exists()
}

#[test]
fn tests_that_headers_name_exist() {
    let files = rust_files(&root().join("crates"));
    let texts: Vec<(PathBuf, String)> =
        files.into_iter().map(|path| (path.clone(), fs::read_to_string(path).unwrap())).collect();
    let defined: BTreeSet<String> = texts.iter().flat_map(|(_, text)| functions(text)).collect();
    let (mut faults, mut count) = (Vec::new(), 0);
    for (path, text) in &texts {
        let inside = path.strip_prefix(root().join("crates")).unwrap();
        let krate = root().join("crates").join(inside.components().next().unwrap());
        let lines = text.lines().filter_map(|line| line.strip_prefix("//!"));
        let header = lines.map(str::trim).collect::<Vec<_>>().join(" ");
        for name in named(&header) {
            let is_path = name.starts_with("tests/") || name.starts_with("crates/");
            let is_test = name.contains('_') && name.chars().all(is_name);
            count += usize::from(is_path || is_test);
            if is_path && !exists(&krate, name) || is_test && !defined.contains(name) {
                faults.push(format!("{}: `{name}`", inside.display()));
            }
        }
    }
    assert!(count > 300, "only {count} names found");
    assert!(faults.is_empty(), "named, but not there:\n{}", faults.join("\n"));
}
