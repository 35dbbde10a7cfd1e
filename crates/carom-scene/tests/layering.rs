//! A file or folder uses only those above it; the order is that of `lib.rs`.

use std::path::Path;

const ORDER: [&str; 38] = [
    "expression",
    "fault",
    "number",
    "plain",
    "advice",
    "source",
    "error",
    "warning",
    "suggest",
    "hash",
    "angle",
    "direction",
    "value",
    "toml",
    "overrides",
    "xml",
    "files",
    "spec",
    "law_words",
    "feedback",
    "options",
    "study_choice",
    "parts",
    "solid",
    "height_field",
    "mesh_file",
    "decompose",
    "convex_pieces",
    "shelf",
    "gap",
    "assemble",
    "urdf",
    "mjcf",
    "read",
    "scene",
    "remedy",
    "tree",
    "study",
];

#[test]
fn folders_use_only_folders_above() {
    let src = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    let faults = carom_testing::upward_uses(&src, &ORDER);
    assert!(faults.is_empty(), "{}", faults.join("\n"));
}
