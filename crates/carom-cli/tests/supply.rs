//! Where the dependencies come from, without a network: sources and checksums, copies of one crate, reasons, notices, the
//! oldest compiler. Licences are in `licences.rs`.

use std::collections::BTreeMap;
use std::fs;

use carom_testing::root;

/// Where all foreign crates come from.
const INDEX: &str = "registry+https://github.com/rust-lang/crates.io-index";

/// Crates in several versions, with why; each would be one as soon as its users agree.
const COPIES: [(&str, usize, &str); 8] = [
    ("getrandom", 2, "0.3 is built; 0.2 belongs to targets that are not"),
    ("glam", 4, "conversions of nalgebra, never built"),
    ("miniz_oxide", 2, "png itself, and by way of flate2"),
    ("num-bigint", 2, "parquet; 0.4 is an option that is not built"),
    ("strsim", 2, "clarabel's builder, tests only"),
    ("syn", 3, "derive macros of three generations"),
    ("thiserror", 2, "clarabel, tests only"),
    ("thiserror-impl", 2, "clarabel, tests only"),
];

/// Crates with a notice that does not apply, see ARCHITECTURE.md; whoever removes the crate removes the line.
const NOTICES: [(&str, &str); 1] = [("ttf-parser", "RUSTSEC-2026-0192")];

struct Package {
    name: String,
    source: Option<String>,
    checksum: bool,
}

fn read(name: &str) -> String {
    fs::read_to_string(root().join(name)).unwrap()
}

fn value<'t>(block: &'t str, key: &str) -> Option<&'t str> {
    let line = block.lines().find_map(|line| line.strip_prefix(key)?.strip_prefix(" = "))?;
    Some(line.trim_matches('"'))
}

fn packages() -> Vec<Package> {
    let text = read("Cargo.lock");
    let package = |block: &str| Package {
        name: value(block, "name").unwrap().into(),
        source: value(block, "source").map(String::from),
        checksum: value(block, "checksum").is_some_and(|sum| sum.len() == 64),
    };
    text.split("[[package]]").skip(1).map(package).collect()
}

#[test]
fn foreign_crates_come_from_the_index_with_checksums() {
    let all = packages();
    assert!(all.len() > 100);
    for package in &all {
        match &package.source {
            None => assert!(package.name.starts_with("carom"), "{} has no source", package.name),
            Some(source) => {
                assert_eq!(source, INDEX, "{}", package.name);
                assert!(package.checksum, "{} has no checksum", package.name);
            }
        }
    }
}

#[test]
fn copies_of_one_crate_are_known() {
    let mut counts: BTreeMap<String, usize> = BTreeMap::new();
    packages().into_iter().for_each(|p| *counts.entry(p.name).or_default() += 1);
    let found: Vec<(String, usize)> = counts.into_iter().filter(|(_, n)| *n > 1).collect();
    let known: Vec<(String, usize)> =
        COPIES.iter().map(|(name, n, _)| (name.to_string(), *n)).collect();
    assert_eq!(found, known, "name each crate in several versions with its reason, and no other");
}

/// Every crate that the workspace names for all its members has its reason in ARCHITECTURE.md.
#[test]
fn dependencies_have_reasons() {
    let (manifest, reasons) = (read("Cargo.toml"), read("ARCHITECTURE.md"));
    let table = manifest.split("[workspace.dependencies]").nth(1).unwrap();
    let table = table.split("\n[").next().unwrap();
    let names = table.lines().filter_map(|line| line.split_once(" = ").or(line.split_once('.')));
    let mut count = 0;
    for name in names.map(|(name, _)| name.trim()).filter(|name| !name.is_empty()) {
        let name = name.split('.').next().unwrap();
        if name.starts_with('#') || name.starts_with("carom") {
            continue;
        }
        let rows = reasons.lines().filter(|line| line.starts_with("| "));
        let mut first = rows.filter_map(|line| line.split(" | ").next());
        let told = |cell: &str| cell[1..].split([',', ' ', '(']).any(|word| word == name);
        assert!(first.any(told), "ARCHITECTURE.md does not say why `{name}` is needed");
        count += 1;
    }
    assert!(count > 5, "{count}");
}

#[test]
fn notices_are_told_and_still_apply() {
    let (all, reasons) = (packages(), read("ARCHITECTURE.md"));
    for (name, notice) in NOTICES {
        assert!(all.iter().any(|p| p.name == name), "{name} is gone: remove its notice");
        assert!(reasons.contains(notice), "ARCHITECTURE.md does not tell of {notice}");
    }
}

/// The oldest compiler that is claimed is the one that all gates run with: no other is tested.
#[test]
fn the_oldest_compiler_is_the_tested_one() {
    let (manifest, toolchain) = (read("Cargo.toml"), read("rust-toolchain.toml"));
    let claimed = value(&manifest, "rust-version").unwrap();
    let tested = value(&toolchain, "channel").unwrap();
    assert!(tested.starts_with(&format!("{claimed}.")), "{claimed} is claimed, {tested} is tested");
}
