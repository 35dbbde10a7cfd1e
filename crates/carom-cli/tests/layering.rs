//! A file or folder uses only those above it; the order is that of `lib.rs`.

use std::path::Path;

const ORDER: [&str; 28] = [
    "exit",
    "progress",
    "words",
    "threads",
    "interrupt",
    "scene_file",
    "args",
    "salvage",
    "job",
    "live",
    "new",
    "check",
    "again",
    "run",
    "events",
    "plot",
    "report",
    "render",
    "gallery",
    "lesson",
    "laws",
    "impact",
    "agility",
    "study",
    "reproduce",
    "view",
    "schema",
    "manual",
];

#[test]
fn folders_use_only_folders_above() {
    let src = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    let faults = carom_testing::upward_uses(&src, &ORDER);
    assert!(faults.is_empty(), "{}", faults.join("\n"));
}

/// The module of the Python package, which cannot be linked without Python, is looked at from here.
#[test]
fn files_of_the_python_module_use_only_files_above() {
    const ORDER: [&str; 16] = [
        "error",
        "numbers",
        "arrow",
        "event",
        "run",
        "trouble",
        "hooks",
        "course",
        "scene",
        "simulator",
        "impact",
        "many",
        "witness",
        "study",
        "dataset",
        "questions",
    ];
    let src = Path::new(env!("CARGO_MANIFEST_DIR")).join("../carom-py/src");
    let faults = carom_testing::upward_uses(&src, &ORDER);
    assert!(faults.is_empty(), "{}", faults.join("\n"));
}
