//! A folder uses only folders above it; the order is that of `lib.rs`.

use std::path::Path;

const ORDER: [&str; 3] = ["thresholds", "ode", "events"];

#[test]
fn folders_use_only_folders_above() {
    let src = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    let faults = carom_testing::upward_uses(&src, &ORDER);
    assert!(faults.is_empty(), "{}", faults.join("\n"));
}

#[test]
fn small_numbers_are_in_the_table_of_thresholds() {
    let found = carom_testing::small_literals(&Path::new(env!("CARGO_MANIFEST_DIR")).join("src"));
    assert!(found.is_empty(), "{}", found.join("\n"));
}
