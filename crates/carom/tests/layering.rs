//! A folder uses only folders above it; the order is that of ARCHITECTURE.md.

use std::fs;
use std::path::Path;

const ORDER: [&str; 12] = [
    "spatial",
    "complementarity",
    "model",
    "state",
    "dynamics",
    "geometry",
    "contact",
    "impact",
    "control",
    "record",
    "hybrid",
    "agility",
];

fn rank(folder: &str) -> Option<usize> {
    ORDER.iter().position(|name| *name == folder)
}

/// Folders that a line of code names as `crate::folder`.
fn named(line: &str) -> impl Iterator<Item = &str> {
    line.match_indices("crate::").map(move |(at, _)| {
        let rest = &line[at + "crate::".len()..];
        let end = rest.find(|c: char| !c.is_alphanumeric() && c != '_').unwrap_or(rest.len());
        &rest[..end]
    })
}

#[test]
fn folders_use_only_folders_above() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    let files = carom_testing::rust_files(&root);
    assert!(files.len() > 50);
    let mut faults = Vec::new();
    for file in files {
        let inside = file.strip_prefix(&root).unwrap();
        let first = inside.components().next().unwrap().as_os_str().to_string_lossy().into_owned();
        let own = first.trim_end_matches(".rs").to_owned();
        let Some(own_rank) = rank(&own) else {
            assert_eq!(own, "lib", "{own} is missing in the order");
            continue;
        };
        for (number, line) in fs::read_to_string(&file).unwrap().lines().enumerate() {
            if line.trim_start().starts_with("//") {
                continue;
            }
            for used in named(line) {
                if rank(used).is_some_and(|r| r > own_rank) {
                    faults.push(format!("{}:{}: {line}", inside.display(), number + 1));
                }
            }
        }
    }
    assert!(faults.is_empty(), "{}", faults.join("\n"));
}

#[test]
fn architecture_names_the_same_order() {
    let text = include_str!("../../../ARCHITECTURE.md");
    let mut at = 0;
    for name in ORDER {
        let row = format!("| `{name}` |");
        let found = text[at..].find(&row);
        assert!(found.is_some(), "`{name}` is missing or out of order");
        at += found.unwrap();
    }
}
