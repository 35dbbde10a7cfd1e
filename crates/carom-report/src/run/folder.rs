//! The folder of a run, and what happens if it exists already.
//!
//! | the folder | what happens |
//! |---|---|
//! | does not exist | it is made, with its parents |
//! | is empty | it is used |
//! | holds a run (`run.json` says so) | the files of that run are removed, anything else is left |
//! | holds anything else | error, nothing is touched |
//!
//! `run.json` comes first and `summary.json` last, renamed into place when complete: a folder
//! without `summary.json` is a run under way, whose writer holds a lock on `run.json`, or one that was
//! killed, see [`crate::recover()`]. A run under way is not replaced.
//!
//! # Tests
//! `tests/folder.rs`.

use super::job::FORMAT;
use crate::error::ReportError;
use serde::Serialize;
use std::fs::{self, File, TryLockError};
use std::path::{Path, PathBuf};

/// What was asked for.
pub const MANIFEST: &str = "run.json";
/// Samples.
pub const TRAJECTORY: &str = "trajectory.parquet";
/// Events.
pub const EVENTS: &str = "events.jsonl";
/// What came out.
pub const SUMMARY: &str = "summary.json";
/// Samples as text.
pub const CSV: &str = "trajectory.csv";
/// Samples as NumPy arrays.
pub const NPZ: &str = "trajectory.npz";
/// Folder of the scene and the files that it includes.
pub const SOURCE: &str = "source";

/// Rows and footer that the Parquet file still lacks, while the run goes on.
pub const JOURNAL: &str = "trajectory.journal";
/// What came out so far, while the run goes on.
pub const CHECKPOINT: &str = "checkpoint.json";

/// The report of the run, if one was made.
pub const REPORT: &str = "report.html";

/// All names that a run may write.
const NAMES: [&str; 13] = [
    MANIFEST,
    TRAJECTORY,
    EVENTS,
    SUMMARY,
    CSV,
    NPZ,
    REPORT,
    JOURNAL,
    CHECKPOINT,
    "summary.json.part",
    "checkpoint.json.part",
    "trajectory.journal.part",
    "trajectory.parquet.part",
];

/// A file of the scene, to be kept with the run.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SourceFile {
    /// File name within the folder `source`.
    pub name: String,
    /// Its text.
    pub text: String,
}

/// A folder that belongs to this run.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Folder {
    dir: PathBuf,
}

impl Folder {
    /// Takes the folder as the table above says.
    pub fn claim(dir: impl Into<PathBuf>) -> Result<Self, ReportError> {
        let dir = dir.into();
        if dir.exists() && !dir.is_dir() {
            return Err(ReportError::NotAFolder { dir });
        }
        fs::create_dir_all(&dir).map_err(ReportError::io("create", &dir))?;
        if Self::holds_run(&dir) {
            if lock_idle_run(&dir)?.is_none() {
                return Err(ReportError::UnderWay { dir });
            }
            remove_run(&dir)?;
        } else if let Some(found) = first_entry(&dir)? {
            return Err(ReportError::Foreign { dir, found });
        }
        Ok(Self { dir })
    }

    /// A folder that holds a run already.
    pub(crate) fn of(dir: impl Into<PathBuf>) -> Self {
        Self { dir: dir.into() }
    }

    /// Whether the manifest of a folder is one of ours.
    pub(crate) fn holds_run(dir: &Path) -> bool {
        let Ok(text) = fs::read_to_string(dir.join(MANIFEST)) else { return false };
        let Ok(value) = serde_json::from_str::<serde_json::Value>(&text) else { return false };
        value.get("format").and_then(|f| f.as_str()) == Some(FORMAT)
    }

    /// Marks the run as under way for as long as the file is kept. Where the file system has no
    /// locks there is no mark.
    pub(crate) fn mark_under_way(&self) -> Result<File, ReportError> {
        let path = self.file(MANIFEST);
        let file = File::open(&path).map_err(ReportError::io("read", &path))?;
        let _ = file.try_lock_shared();
        Ok(file)
    }

    /// Removes what only a run under way has.
    pub(crate) fn remove_checkpoint(&self) -> Result<(), ReportError> {
        [CHECKPOINT, JOURNAL].iter().try_for_each(|name| remove(&self.file(name)))
    }

    /// The folder itself.
    pub fn dir(&self) -> &Path {
        &self.dir
    }

    /// A file in it.
    pub fn file(&self, name: &str) -> PathBuf {
        self.dir.join(name)
    }

    /// Writes a JSON file under another name first, so that it is there completely or not at all.
    pub fn write_json(&self, name: &str, value: &impl Serialize) -> Result<(), ReportError> {
        let path = self.file(name);
        let mut text = serde_json::to_string_pretty(value).map_err(|source| ReportError::Json {
            path: path.clone(),
            line: source.line(),
            source,
        })?;
        text.push('\n');
        let part = self.file(&format!("{name}.part"));
        fs::write(&part, text).map_err(ReportError::io("write", &part))?;
        fs::rename(&part, &path).map_err(ReportError::io("rename", &path))
    }

    /// Writes the files of the scene.
    pub fn write_sources(&self, sources: &[SourceFile]) -> Result<(), ReportError> {
        let dir = self.file(SOURCE);
        for source in sources {
            let path = dir.join(&source.name);
            let parent = path.parent().unwrap_or(&dir);
            fs::create_dir_all(parent).map_err(ReportError::io("create", parent))?;
            fs::write(&path, &source.text).map_err(ReportError::io("write", &path))?;
        }
        Ok(())
    }
}

/// A lock on a run that nobody writes, to be kept while the folder is changed; none if somebody does.
pub(crate) fn lock_idle_run(dir: &Path) -> Result<Option<File>, ReportError> {
    let path = dir.join(MANIFEST);
    let file = File::open(&path).map_err(ReportError::io("read", &path))?;
    match file.try_lock() {
        Err(TryLockError::WouldBlock) => Ok(None),
        // Without locks nobody can tell.
        Ok(()) | Err(TryLockError::Error(_)) => Ok(Some(file)),
    }
}

/// Removes the files of a run; the manifest last, so that a half-removed run is still a run.
fn remove_run(dir: &Path) -> Result<(), ReportError> {
    let source = dir.join(SOURCE);
    if source.is_dir() {
        fs::remove_dir_all(&source).map_err(ReportError::io("remove", &source))?;
    }
    for name in NAMES.iter().rev() {
        remove(&dir.join(name))?;
    }
    Ok(())
}

/// Removes a file if it is there.
fn remove(path: &Path) -> Result<(), ReportError> {
    match fs::remove_file(path) {
        Err(e) if e.kind() != std::io::ErrorKind::NotFound => {
            Err(ReportError::io("remove", path)(e))
        }
        _ => Ok(()),
    }
}

fn first_entry(dir: &Path) -> Result<Option<String>, ReportError> {
    let entries = fs::read_dir(dir).map_err(ReportError::io("read", dir))?;
    let mut names = Vec::new();
    for entry in entries {
        let entry = entry.map_err(ReportError::io("read", dir))?;
        names.push(entry.file_name().to_string_lossy().into_owned());
    }
    Ok(names.into_iter().min())
}
