//! Every dependency must be offered under an allowed licence: of alternatives one, of
//! conjunctions all.

use serde_json::Value;
use std::process::Command;

const ALLOWED: [&str; 12] = [
    "0BSD",
    "Apache-2.0",
    "Apache-2.0 WITH LLVM-exception",
    "BSD-2-Clause",
    "BSD-3-Clause",
    "BSL-1.0",
    "CC0-1.0",
    "ISC",
    "MIT",
    "Unicode-3.0",
    "Unlicense",
    "Zlib",
];

/// Whether an SPDX expression can be met: OR binds weaker than AND, parentheses nest.
fn allowed(expression: &str) -> bool {
    any_of(expression, " OR ", any_of_and)
}

fn any_of_and(side: &str) -> bool {
    let side = side.trim();
    match side.strip_prefix('(').and_then(|s| s.strip_suffix(')')) {
        Some(inner) if split(inner, " OR ").is_some() => allowed(inner),
        _ => split(side, " AND ").unwrap_or_default().iter().all(|part| {
            let part = part.trim();
            match part.strip_prefix('(').and_then(|s| s.strip_suffix(')')) {
                Some(inner) => allowed(inner),
                None => ALLOWED.contains(&part),
            }
        }),
    }
}

fn any_of(expression: &str, word: &str, test: impl Fn(&str) -> bool) -> bool {
    let expression = expression.replace('/', " OR ");
    split(&expression, word).unwrap_or_default().iter().any(|part| test(part))
}

/// The parts of an expression between `word` outside parentheses; `None` if they do not balance.
fn split(expression: &str, word: &str) -> Option<Vec<String>> {
    let (mut parts, mut part, mut depth) = (Vec::new(), String::new(), 0_i32);
    let mut rest = expression;
    while let Some(c) = rest.chars().next() {
        if depth == 0 && rest.starts_with(word) {
            parts.push(std::mem::take(&mut part));
            rest = &rest[word.len()..];
            continue;
        }
        depth += i32::from(c == '(') - i32::from(c == ')');
        if depth < 0 {
            return None;
        }
        part.push(c);
        rest = &rest[c.len_utf8()..];
    }
    parts.push(part);
    (depth == 0).then_some(parts)
}

#[test]
fn the_reader_of_expressions_can_say_no() {
    assert!(allowed("MIT OR GPL-3.0"));
    assert!(allowed("MIT/Apache-2.0"));
    assert!(allowed("(MIT OR Apache-2.0) AND Unicode-3.0"));
    assert!(!allowed("GPL-3.0"));
    assert!(!allowed("MIT AND GPL-3.0"));
    assert!(!allowed("(MIT OR Apache-2.0) AND GPL-3.0"));
}

#[test]
fn every_dependency_may_be_used() {
    let manifest = concat!(env!("CARGO_MANIFEST_DIR"), "/../../Cargo.toml");
    let cargo = std::env::var("CARGO").unwrap_or_else(|_| "cargo".into());
    let output = Command::new(cargo)
        .args(["metadata", "--format-version", "1", "--locked", "--manifest-path", manifest])
        .output()
        .unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let metadata: Value = serde_json::from_slice(&output.stdout).unwrap();
    let packages = metadata["packages"].as_array().unwrap();
    assert!(packages.len() > 20);
    let refused: Vec<String> = packages
        .iter()
        .filter(|p| !allowed(p["license"].as_str().unwrap_or("none stated")))
        .map(|p| format!("{} {}: {}", p["name"], p["version"], p["license"]))
        .collect();
    assert!(refused.is_empty(), "not allowed:\n{}", refused.join("\n"));
}
