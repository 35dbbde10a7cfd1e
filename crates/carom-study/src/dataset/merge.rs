//! Shards to one dataset.

use super::journal::Journal;
use super::manifest::{MANIFEST, Manifest};
use super::part::{PARTS, count, path_of, store};
use super::store::SOURCE;
use crate::error::StudyError;
use carom_report::run::disk::{folder_within, replace};
use carom_report::{FolderLock, ReportError};
use std::path::{Path, PathBuf};

/// What a merge did.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Merged {
    /// Rows in parts now.
    pub rows: u64,
    /// Rows of the study.
    pub wanted: u64,
    /// The first row of each part that is in no shard.
    pub missing: Vec<u64>,
}

/// Copies the parts of shards into one folder, which is a study like any other: what is missing is computed by the
/// same `carom study` command without `--shard`.
pub fn merge(out: &Path, shards: &[PathBuf]) -> Result<Merged, StudyError> {
    let mut manifests = Vec::new();
    for dir in shards {
        let missing = || StudyError::NotAStudy { dir: dir.clone() };
        manifests.push(Manifest::load(dir)?.ok_or_else(missing)?);
    }
    let Some(first) = manifests.first() else {
        return Err(StudyError::NotAStudy { dir: out.into() });
    };
    let whole = |m: &Manifest| Manifest { shard: None, ..m.clone() };
    let longest = manifests.iter().max_by_key(|m| m.rows).unwrap_or(first);
    let study = whole(longest);
    for (dir, manifest) in shards.iter().zip(&manifests) {
        same(manifest, &study, dir)?;
    }
    if let Some(there) = out.is_dir().then(|| Manifest::load(out)).transpose()?.flatten() {
        same(&there, &study, out)?;
    }
    let own = [MANIFEST, PARTS, SOURCE, super::store::RUNS, super::journal::JOURNAL];
    let _lock = FolderLock::claim(out, |name| own.contains(&name))?;
    folder_within(out, Path::new(PARTS))?;
    copy_folder(&shards[0].join(SOURCE), &out.join(SOURCE))?;
    replace(&out.join(MANIFEST), study.text().as_bytes())?;
    let mut merged = Merged { rows: 0, wanted: study.rows, missing: Vec::new() };
    for part in 0..study.parts() {
        let range = study.rows_of(part);
        let wanted = range.end - range.start;
        match copy_part(out, shards, range.start)? {
            rows if rows == wanted => merged.rows += rows,
            _ => merged.missing.push(range.start),
        }
    }
    // Rows of parts that are not whole are not lost either.
    let mut rows = Vec::new();
    for dir in shards {
        rows.extend(Journal::read(dir)?);
    }
    rows.retain(|row| merged.missing.contains(&(row.number / study.part_rows * study.part_rows)));
    let journal = Journal::start(out, &rows)?;
    match merged.missing.is_empty() {
        true => journal.remove()?,
        false => journal.sync()?,
    }
    Ok(merged)
}

/// Both are the same study, whatever rows and shard.
fn same(manifest: &Manifest, study: &Manifest, dir: &Path) -> Result<(), StudyError> {
    let alike = Manifest { shard: None, ..manifest.clone() };
    // Which rows a file of rows begins with is known only where the file is: shards have the same one.
    let asked = study.rows_file.as_ref().map(|f| f.hash.clone()).unwrap_or_default();
    alike.check(study, dir, |_| asked.clone())
}

/// Copies the part from the shard that has most of it; how many rows it has.
fn copy_part(out: &Path, shards: &[PathBuf], first: u64) -> Result<u64, StudyError> {
    let target = path_of(out, first);
    let mut best = (if target.exists() { count(&target)? } else { 0 }, target.clone());
    for dir in shards {
        let path = path_of(dir, first);
        if !path.exists() {
            continue;
        }
        let rows = count(&path)?;
        if rows == best.0 && read(&path)? != read(&best.1)? {
            return Err(StudyError::Overlap { row: first, first: best.1, second: path });
        }
        if rows > best.0 {
            best = (rows, path);
        }
    }
    if best.0 > 0 && best.1 != target {
        store(&target, &read(&best.1)?)?;
    }
    Ok(best.0)
}

fn read(path: &Path) -> Result<Vec<u8>, StudyError> {
    Ok(std::fs::read(path).map_err(ReportError::io("read", path))?)
}

fn copy_folder(from: &Path, to: &Path) -> Result<(), StudyError> {
    let Ok(entries) = std::fs::read_dir(from) else { return Ok(()) };
    std::fs::create_dir_all(to).map_err(ReportError::io("create", to))?;
    for entry in entries {
        let entry = entry.map_err(ReportError::io("read", from))?;
        let (source, target) = (entry.path(), to.join(entry.file_name()));
        match source.is_dir() {
            true => copy_folder(&source, &target)?,
            false => replace(&target, &read(&source)?)?,
        }
    }
    Ok(())
}
