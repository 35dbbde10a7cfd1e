//! A file or folder uses only those above it; the order is that of `lib.rs`.

use std::path::Path;

const ORDER: [&str; 9] =
    ["error", "fixed", "sampling", "results", "dataset", "witness", "study", "work", "pictures"];

#[test]
fn folders_use_only_folders_above() {
    let src = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    let faults = carom_testing::upward_uses(&src, &ORDER);
    assert!(faults.is_empty(), "{}", faults.join("\n"));
}
