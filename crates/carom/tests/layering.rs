//! A folder uses only folders above it; the order is that of ARCHITECTURE.md.

use std::path::Path;

const ORDER: [&str; 14] = [
    "numeric",
    "spatial",
    "complementarity",
    "coulomb",
    "model",
    "state",
    "dynamics",
    "geometry",
    "contact",
    "impact",
    "control",
    "record",
    "stepping",
    "hybrid",
];

#[test]
fn folders_use_only_folders_above() {
    let src = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    let faults = carom_testing::upward_uses(&src, &ORDER);
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

#[test]
fn small_numbers_are_in_the_table_of_thresholds() {
    let found = carom_testing::small_literals(&Path::new(env!("CARGO_MANIFEST_DIR")).join("src"));
    assert!(found.is_empty(), "{}", found.join("\n"));
}
