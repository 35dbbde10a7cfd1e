//! Rows one after the other, as they are done: `journal.bin`.
//!
//! ```text
//! record = length (4 bytes) · row · FNV-1a of the row (8 bytes)                    (1)
//! ```
//! A process that is killed leaves a last record that may be cut off; it is dropped, as is all that follows a record
//! whose hash is wrong.
//!
//! # Tests
//! `eq1_what_is_cut_off_is_dropped`.

use super::row::Row;
use crate::error::StudyError;
use carom_report::run::disk::{change, replace};
use carom_report::{Digest, ReportError};
use std::fs::File;
use std::io::{Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

/// Name of the file.
pub const JOURNAL: &str = "journal.bin";
/// First bytes of the file.
const HEAD: &[u8; 8] = b"carom j1";

/// The journal of a folder, open to be written.
#[derive(Debug)]
pub struct Journal {
    path: PathBuf,
    file: File,
}

impl Journal {
    /// The rows of the journal of a folder, if it has one.
    pub fn read(dir: &Path) -> Result<Vec<Row>, StudyError> {
        let path = dir.join(JOURNAL);
        match std::fs::read(&path) {
            Ok(bytes) => Ok(rows(&bytes)),
            Err(e) if e.kind() == std::io::ErrorKind::NotFound => Ok(Vec::new()),
            Err(e) => Err(ReportError::io("read", path)(e).into()),
        }
    }

    /// A journal with these rows in place of the one before.
    pub fn start<'a>(
        dir: &Path,
        rows: impl IntoIterator<Item = &'a Row>,
    ) -> Result<Self, StudyError> {
        let path = dir.join(JOURNAL);
        let mut bytes = HEAD.to_vec();
        rows.into_iter().for_each(|row| bytes.extend(record(row)));
        replace(&path, &bytes)?;
        let mut file = change(&path)?;
        file.seek(SeekFrom::End(0)).map_err(ReportError::io("write", &path))?;
        Ok(Self { path, file })
    }

    /// Adds a row.
    pub fn push(&mut self, row: &Row) -> Result<(), StudyError> {
        let written = self.file.write_all(&record(row));
        Ok(written.map_err(ReportError::io("write", &self.path))?)
    }

    /// Waits until the rows are on the disk.
    pub fn sync(&self) -> Result<(), StudyError> {
        Ok(self.file.sync_data().map_err(ReportError::io("write", &self.path))?)
    }

    /// Removes the file.
    pub fn remove(self) -> Result<(), StudyError> {
        Ok(std::fs::remove_file(&self.path).map_err(ReportError::io("remove", &self.path))?)
    }
}

/// Equation (1).
fn record(row: &Row) -> Vec<u8> {
    let body = row.bytes();
    let mut bytes = (body.len() as u32).to_le_bytes().to_vec();
    bytes.extend(&body);
    bytes.extend(hash(&body).to_le_bytes());
    bytes
}

fn hash(bytes: &[u8]) -> u64 {
    let mut digest = Digest::default();
    digest.bytes(bytes);
    digest.value()
}

fn rows(bytes: &[u8]) -> Vec<Row> {
    let Some(mut rest) = bytes.strip_prefix(HEAD) else { return Vec::new() };
    let mut all = Vec::new();
    while let Some((row, length)) = first(rest) {
        all.push(row);
        rest = &rest[length..];
    }
    all
}

fn first(bytes: &[u8]) -> Option<(Row, usize)> {
    let (length, rest) = bytes.split_first_chunk::<4>()?;
    let length = u32::from_le_bytes(*length) as usize;
    let (body, rest) = rest.split_at_checked(length)?;
    let (told, _) = rest.split_first_chunk::<8>()?;
    let row = Row::read(body).filter(|_| hash(body) == u64::from_le_bytes(*told))?;
    Some((row, length + 12))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn eq1_what_is_cut_off_is_dropped() {
        let row = |number| Row {
            number,
            results: vec![number as f64],
            stop: "reached-end".into(),
            stop_time: 1.0,
            message: None,
            hash: number,
        };
        let all: Vec<Row> = (0..3).map(row).collect();
        let mut bytes = HEAD.to_vec();
        all.iter().for_each(|r| bytes.extend(record(r)));
        assert_eq!(rows(&bytes), all);
        let one = record(&all[0]).len();
        for cut in 0..bytes.len() {
            let whole = cut.saturating_sub(HEAD.len()) / one;
            assert_eq!(rows(&bytes[..cut]), all[..whole.min(3)], "{cut}");
        }
        let at = HEAD.len() + one + 9;
        bytes[at] ^= 1;
        assert_eq!(rows(&bytes), all[..1]);
    }
}
