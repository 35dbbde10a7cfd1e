//! A folder uses only folders above it; the order is that of `lib.rs`.

use std::path::Path;

const ORDER: [&str; 8] =
    ["error", "run", "stage", "document", "looks", "plots", "pictures", "page"];

#[test]
fn folders_use_only_folders_above() {
    let src = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    let faults = carom_testing::upward_uses(&src, &ORDER);
    assert!(faults.is_empty(), "{}", faults.join("\n"));
}
