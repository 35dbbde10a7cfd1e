//! What can go wrong between a run and its files.

use parquet::errors::ParquetError;
use std::path::PathBuf;
use thiserror::Error;

/// A run could not be written or read.
#[derive(Debug, Error)]
pub enum ReportError {
    /// The operating system refused.
    #[error("cannot {doing} `{}`: {source}", path.display())]
    Io {
        /// What was tried: `create`, `write`, `read`, `rename`, `remove`.
        doing: &'static str,
        /// The file or folder.
        path: PathBuf,
        /// What the system said.
        source: std::io::Error,
    },
    /// The folder holds something that is not a run.
    #[error("`{}` is not a run and not empty: it holds `{found}`", dir.display())]
    Foreign {
        /// The folder.
        dir: PathBuf,
        /// The first entry by name.
        found: String,
    },
    /// The folder holds something that the command did not write.
    #[error("`{}` holds `{found}`, which is not of this command", dir.display())]
    Occupied {
        /// The folder.
        dir: PathBuf,
        /// An entry.
        found: String,
    },
    /// There is a file where the folder should be.
    #[error("`{}` is a file, not a folder", dir.display())]
    NotAFolder {
        /// The path.
        dir: PathBuf,
    },
    /// The folder to read lacks a file of a run.
    #[error("`{}` is not a finished run: `{missing}` is missing", dir.display())]
    NotARun {
        /// The folder.
        dir: PathBuf,
        /// The file that is missing.
        missing: &'static str,
    },
    /// Another process is writing the folder.
    #[error("`{}` is still under way: another process writes it", dir.display())]
    UnderWay {
        /// The folder.
        dir: PathBuf,
    },
    /// The run was killed before its first checkpoint.
    #[error("the run in `{}` was interrupted before anything of it was recorded", dir.display())]
    NothingRecorded {
        /// The folder.
        dir: PathBuf,
    },
    /// Parquet could not be written or read.
    #[error("`{}`: {source}", path.display())]
    Parquet {
        /// The file.
        path: PathBuf,
        /// What the format said.
        source: ParquetError,
    },
    /// A file is not the one that was written.
    #[error("`{}` is damaged: {}", path.display(), damage(*written, *found))]
    Damaged {
        /// The file.
        path: PathBuf,
        /// Bytes that were written.
        written: u64,
        /// Bytes that are there.
        found: u64,
    },
    /// A file holds more or less than the summary says.
    #[error("`{}` holds {found} {what}, `summary.json` says {expected}", path.display())]
    Count {
        /// The file.
        path: PathBuf,
        /// Samples or events.
        what: &'static str,
        /// How many there should be.
        expected: u64,
        /// How many there are.
        found: u64,
    },
    /// There is a link, or a folder, where a file of ours should be.
    #[error("`{}` is a link or not of the right kind: nothing is written through it", path.display())]
    Link {
        /// The name.
        path: PathBuf,
    },
    /// There is nothing to show.
    #[error("the run in `{}` has no samples", dir.display())]
    NoSamples {
        /// The folder.
        dir: PathBuf,
    },
    /// An event that the scene cannot have had.
    #[error("`{}`: event {number} does not fit the scene", path.display())]
    ForeignEvent {
        /// The file.
        path: PathBuf,
        /// Which one, from 1.
        number: usize,
    },
    /// A sample that the scene cannot have had.
    #[error("`{}`: row {number} does not fit the scene: times grow and numbers are finite", path.display())]
    ForeignRow {
        /// The file.
        path: PathBuf,
        /// Which one, from 1.
        number: usize,
    },
    /// A column of the trajectory has a type that carom does not write.
    #[error("`{}`: column `{column}` is neither of doubles nor of texts", path.display())]
    ColumnType {
        /// The file.
        path: PathBuf,
        /// The column.
        column: String,
    },
    /// A contact mode that carom does not know.
    #[error("`{}`: column `{column}` holds the mode `{word}`", path.display())]
    UnknownMode {
        /// The file.
        path: PathBuf,
        /// The column.
        column: String,
        /// The word.
        word: String,
    },
    /// JSON could not be written or read.
    #[error("`{}`, line {line}: {source}", path.display())]
    Json {
        /// The file.
        path: PathBuf,
        /// The line, from 1.
        line: usize,
        /// What the format said.
        source: serde_json::Error,
    },
    /// The columns of a trajectory are not those of its scene.
    #[error("the trajectory lacks coordinates of its scene")]
    ForeignColumns,
    /// A document could not be put into words.
    #[error("the document cannot be written: {source}")]
    Document {
        /// What the format said.
        source: serde_json::Error,
    },
    /// The scene that was kept with the run cannot be read.
    #[error("the scene kept in `{}`: {source}", dir.display())]
    Scene {
        /// The folder of the run.
        dir: PathBuf,
        /// What is wrong with it.
        source: Box<carom_scene::SceneError>,
    },
    /// No scene in the folder is the one that was run.
    #[error("`{}` does not hold the scene `{name}` that was run", dir.display())]
    NoScene {
        /// The folder of the run.
        dir: PathBuf,
        /// File name of the scene.
        name: String,
    },
}

impl ReportError {
    /// What the user may do about it.
    pub fn hint(&self) -> &'static str {
        match self {
            Self::Io { source, .. } if is_full(source) => {
                "free the disk and give the command again; what is recorded is kept"
            }
            Self::Io { .. } => "check that the path exists, may be written and has room",
            Self::Damaged { .. }
            | Self::Count { .. }
            | Self::ForeignEvent { .. }
            | Self::ForeignRow { .. } => {
                "--damaged shows what can still be read; to be sure, run the scene again"
            }
            Self::Link { .. } => "remove it, if you know what it is, or give another folder",
            Self::NoSamples { .. } => "run the scene again; `carom events` may still show events",
            Self::Foreign { .. } => "give another folder; only earlier runs are replaced",
            Self::Occupied { .. } => "give an empty or a new folder",
            Self::NotAFolder { .. } => "give another name",
            Self::UnderWay { .. } => {
                "wait until it ends, or stop it with Ctrl-C: what it has is kept"
            }
            Self::NothingRecorded { .. } => "run the scene again",
            Self::NotARun { .. } => "give the folder that `carom run --out` wrote",
            Self::Parquet { .. } | Self::ColumnType { .. } | Self::UnknownMode { .. } => {
                "the file is damaged or not of this version; run the scene again"
            }
            Self::ForeignColumns => {
                "trajectory and scene are of different runs; run the scene again"
            }
            Self::Document { .. } => "this should not happen; please report it with the scene",
            Self::Scene { .. } | Self::NoScene { .. } => {
                "the copy in `source` was changed or moved; run the scene again"
            }
            Self::Json { .. } => {
                "the file was changed or cut; --damaged shows what can still be read"
            }
        }
    }

    /// Wraps an error of the operating system.
    pub fn io(
        doing: &'static str,
        path: impl Into<PathBuf>,
    ) -> impl FnOnce(std::io::Error) -> Self {
        let path = path.into();
        move |source| Self::Io { doing, path, source }
    }

    /// Wraps an error of Parquet.
    pub(crate) fn parquet(path: impl Into<PathBuf>) -> impl FnOnce(ParquetError) -> Self {
        let path = path.into();
        move |source| match source {
            ParquetError::External(inner) => match inner.downcast::<std::io::Error>() {
                Ok(source) => Self::Io { doing: "use", path, source: *source },
                Err(inner) => Self::Parquet { path, source: ParquetError::External(inner) },
            },
            source => Self::Parquet { path, source },
        }
    }
}

/// Whether the system has no room.
fn is_full(error: &std::io::Error) -> bool {
    matches!(error.kind(), std::io::ErrorKind::StorageFull | std::io::ErrorKind::QuotaExceeded)
}

/// What happened to a file, as far as its length tells.
fn damage(written: u64, found: u64) -> String {
    if written == found {
        "its contents are not those that were written".into()
    } else {
        format!("{found} bytes are there, {written} were written")
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::io::{Error, ErrorKind};

    /// A full disk is not a damaged file, whoever met it: what is recorded is still there.
    #[test]
    fn a_full_disk_asks_for_room_and_not_for_another_run() {
        for kind in [ErrorKind::StorageFull, ErrorKind::QuotaExceeded] {
            let by_parquet = ParquetError::External(Box::new(Error::from(kind)));
            for error in [
                ReportError::parquet("trajectory.parquet")(by_parquet),
                ReportError::io("write", "events.jsonl")(Error::from(kind)),
            ] {
                assert!(error.hint().starts_with("free the disk"), "{error}: {}", error.hint());
            }
        }
        let damaged = ReportError::parquet("trajectory.parquet")(ParquetError::EOF("cut".into()));
        assert!(damaged.hint().contains("run the scene again"));
    }
}
