//! The folder of a run, and what happens if it exists already.
//!
//! | the folder | what happens |
//! |---|---|
//! | does not exist | it is made, with its parents |
//! | is empty | it is used |
//! | holds a run (`run.json` says so) | the files of that run are removed, anything else is left |
//! | holds anything else | error, nothing is touched |
//!
//! `run.json` comes first and `summary.json` last, each complete under another name before it takes
//! its own: a folder without `summary.json` is a run under way, whose writer holds the
//! [lock](super::lock) of the folder, or one that was killed, see [`crate::recover()`]. A run under way
//! is not replaced. What belongs to a run is what carom writes: the names below, the copies in
//! `source/` that `run.json` lists, and pictures by the names of plots in `plots/`.
//!
//! # Tests
//! `tests/folder.rs`.

use super::disk::{create, folder_within, replace};
use super::job::{FORMAT, Manifest, SourceFile};
use super::lock::{FolderLock, LOCK};
use super::seal::seal;
use crate::error::ReportError;
use serde::Serialize;
use std::fs;
use std::io::Write;
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
/// What other programs need to read the trajectory before it is complete.
pub const SO_FAR: &str = "trajectory.so_far";
/// What came out so far, while the run goes on.
pub const CHECKPOINT: &str = "checkpoint.json";

/// The report of the run, if one was made.
pub const REPORT: &str = "report.html";

/// Folder of the pictures of the run, if any were drawn.
pub const PLOTS: &str = "plots";

/// All names that a run may write but for `run.json`; the summary first, so that nobody takes what is
/// left for a finished run.
const NAMES: [&str; 15] = [
    SUMMARY,
    TRAJECTORY,
    EVENTS,
    CSV,
    NPZ,
    REPORT,
    JOURNAL,
    SO_FAR,
    CHECKPOINT,
    "summary.json.part",
    "checkpoint.json.part",
    "trajectory.journal.part",
    "trajectory.so_far.part",
    "trajectory.parquet.part",
    "report.html.part",
];

/// First words of the names of pictures in `plots/`.
const PICTURES: [&str; 11] = [
    "overview",
    "motion",
    "coordinates",
    "speeds",
    "torques",
    "forces",
    "energy",
    "modes",
    "phase",
    "impulse",
    "feasibility",
];

/// A folder that belongs to this run.
#[derive(Debug)]
pub struct Folder {
    dir: PathBuf,
    /// Nobody else writes as long as this is kept.
    _lock: FolderLock,
}

impl Folder {
    /// Takes the folder as the table above says, for as long as the value is kept.
    pub fn claim(dir: impl Into<PathBuf>) -> Result<Self, ReportError> {
        let dir = dir.into();
        if dir.exists() && !dir.is_dir() {
            return Err(ReportError::NotAFolder { dir });
        }
        fs::create_dir_all(&dir).map_err(ReportError::io("create", &dir))?;
        // Foreign folders do not even get a lock. One that has it may be half written at this moment: whose it is
        // can be told only by who holds the lock.
        if let Err(foreign) = own_or_empty(&dir)
            && !dir.join(LOCK).is_file()
        {
            return Err(foreign);
        }
        let lock = FolderLock::take(&dir)?;
        if own_or_empty(&dir)? {
            remove_run(&dir)?;
        }
        Ok(Self { dir, _lock: lock })
    }

    /// The folder of a run that was killed, to be completed.
    pub(crate) fn of_idle_run(dir: impl Into<PathBuf>) -> Result<Self, ReportError> {
        let dir = dir.into();
        let lock = FolderLock::take(&dir)?;
        Ok(Self { dir, _lock: lock })
    }

    /// Whether the manifest of a folder is one of ours.
    pub(crate) fn holds_run(dir: &Path) -> bool {
        let Ok(text) = fs::read_to_string(dir.join(MANIFEST)) else { return false };
        let Ok(value) = serde_json::from_str::<serde_json::Value>(&text) else { return false };
        value.get("format").and_then(|f| f.as_str()) == Some(FORMAT)
    }

    /// Removes what only a run under way has.
    pub(crate) fn remove_checkpoint(&self) -> Result<(), ReportError> {
        [CHECKPOINT, JOURNAL, SO_FAR].iter().try_for_each(|name| remove(&self.file(name)))
    }

    /// The folder itself.
    pub fn dir(&self) -> &Path {
        &self.dir
    }

    /// A file in it.
    pub fn file(&self, name: &str) -> PathBuf {
        self.dir.join(name)
    }

    /// Writes a JSON file, completely or not at all.
    pub fn write_json(&self, name: &str, value: &impl Serialize) -> Result<(), ReportError> {
        let path = self.file(name);
        replace(&path, self.json(name, value)?.as_bytes())
    }

    /// The same with the hash of its text as the last entry.
    pub(crate) fn write_sealed(
        &self,
        name: &str,
        value: &impl Serialize,
    ) -> Result<(), ReportError> {
        let path = self.file(name);
        replace(&path, seal(&self.json(name, value)?).as_bytes())
    }

    fn json(&self, name: &str, value: &impl Serialize) -> Result<String, ReportError> {
        let wrap = |source: serde_json::Error| ReportError::Json {
            path: self.file(name),
            line: source.line(),
            source,
        };
        serde_json::to_string_pretty(value).map(|text| text + "\n").map_err(wrap)
    }

    /// Writes the files of the scene.
    pub fn write_sources(&self, sources: &[SourceFile]) -> Result<(), ReportError> {
        for source in sources {
            let name = Path::new(SOURCE).join(&source.name);
            let within = name.parent().unwrap_or(Path::new(SOURCE));
            let parent = folder_within(&self.dir, within)?;
            let path = parent.join(name.file_name().unwrap_or_default());
            let written = create(&path)?.write_all(source.text.as_bytes());
            written.map_err(ReportError::io("write", &path))?;
        }
        Ok(())
    }
}

/// Whether a folder holds a run; an error if it holds anything else.
fn own_or_empty(dir: &Path) -> Result<bool, ReportError> {
    if Folder::holds_run(dir) {
        return Ok(true);
    }
    match first_entry(dir)? {
        Some(found) => Err(ReportError::Foreign { dir: dir.into(), found }),
        None => Ok(false),
    }
}

/// Removes the files of a run but for the manifest, so that a half-removed run is still a run.
fn remove_run(dir: &Path) -> Result<(), ReportError> {
    for name in NAMES {
        remove(&dir.join(name))?;
    }
    remove_sources(dir)?;
    remove_pictures(&dir.join(PLOTS))
}

/// Removes the copies that the manifest lists, and the folders that are empty without them.
fn remove_sources(dir: &Path) -> Result<(), ReportError> {
    let text = fs::read_to_string(dir.join(MANIFEST)).unwrap_or_default();
    let Ok(manifest) = serde_json::from_str::<Manifest>(&text) else { return Ok(()) };
    for name in manifest.sources {
        let Some(path) = plain_path(&dir.join(SOURCE), Path::new(&name)) else { continue };
        remove(&path)?;
        for parent in path.ancestors().skip(1).take_while(|p| *p != dir) {
            // A folder that holds something else stays.
            if fs::remove_dir(parent).is_err() {
                break;
            }
        }
    }
    Ok(())
}

/// A file below a folder, unless its name leads out of it, also by a link.
fn plain_path(base: &Path, name: &Path) -> Option<PathBuf> {
    let mut path = base.to_path_buf();
    for part in name.components() {
        if !fs::symlink_metadata(&path).is_ok_and(|m| m.is_dir()) {
            return None;
        }
        match part {
            std::path::Component::Normal(part) => path.push(part),
            _ => return None,
        }
    }
    Some(path)
}

/// Removes the pictures of plots, which would show the earlier run.
fn remove_pictures(dir: &Path) -> Result<(), ReportError> {
    if !fs::symlink_metadata(dir).is_ok_and(|m| m.is_dir()) {
        return Ok(());
    }
    for entry in fs::read_dir(dir).map_err(ReportError::io("read", dir))? {
        let path = entry.map_err(ReportError::io("read", dir))?.path();
        if is_picture(&path) {
            remove(&path)?;
        }
    }
    let _ = fs::remove_dir(dir);
    Ok(())
}

/// Whether a file has the name of a plot.
pub fn is_picture(path: &Path) -> bool {
    let text = |part: Option<&std::ffi::OsStr>| part.and_then(|p| p.to_str()).map(str::to_string);
    let (Some(stem), Some(extension)) = (text(path.file_stem()), text(path.extension())) else {
        return false;
    };
    let word = stem.split('-').next().unwrap_or_default();
    PICTURES.contains(&word) && matches!(extension.as_str(), "svg" | "png" | "pdf")
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
        if entry.file_name() != LOCK {
            names.push(entry.file_name().to_string_lossy().into_owned());
        }
    }
    Ok(names.into_iter().min())
}
