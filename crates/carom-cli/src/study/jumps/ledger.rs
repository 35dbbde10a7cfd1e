//! `study.csv`: rows in the order of their numbers, appended as they come, read back to resume.
//!
//! Beside it `study.json` says which study it is. A file of another study is never overwritten. Rows
//! are written in order whatever the order in which threads finish, so the file of a study has the same
//! bytes for any number of threads and interruptions.

use std::collections::BTreeMap;
use std::fs::{self, File};
use std::io::{self, Seek, SeekFrom, Write};
use std::path::Path;

use carom_report::run::disk::{change, replace};
use carom_report::{FolderLock, ReportError};
use carom_scene::study::Jump;

use super::row;

/// The rows of a study on disk.
pub struct Ledger {
    file: File,
    /// All rows so far, in order.
    pub rows: Vec<Jump>,
    waiting: BTreeMap<u64, Jump>,
    /// Nobody else writes the folder as long as this is kept.
    _lock: FolderLock,
}

/// Everything that a study writes.
const NAMES: [&str; 4] = ["study.json", "study.csv", "study.svg", "study.png"];

/// Why the file cannot be used.
pub enum LedgerError {
    /// The folder or the disk refuses.
    Report(ReportError),
    /// It belongs to another study.
    Foreign,
}

impl From<ReportError> for LedgerError {
    fn from(e: ReportError) -> Self {
        Self::Report(e)
    }
}

impl Ledger {
    /// Opens the folder, and what is there of the same study.
    pub fn open(
        folder: &Path,
        manifest: &str,
        header: &str,
        varied: usize,
    ) -> Result<Self, LedgerError> {
        let lock = FolderLock::claim(folder, |name| NAMES.contains(&name))?;
        let (about, path) = (folder.join("study.json"), folder.join("study.csv"));
        let known = match fs::read_to_string(&about) {
            Ok(text) if text == manifest => true,
            Ok(_) => return Err(LedgerError::Foreign),
            Err(e) if e.kind() == io::ErrorKind::NotFound => false,
            Err(e) => return Err(ReportError::io("read", &about)(e).into()),
        };
        if !known {
            // Whatever else is there is not ours.
            if path.exists() {
                return Err(LedgerError::Foreign);
            }
            replace(&path, format!("{header}\n").as_bytes())?;
            replace(&about, manifest.as_bytes())?;
        }
        let text = fs::read_to_string(&path).map_err(ReportError::io("read", &path))?;
        let (rows, length) = whole_rows(&text, header, varied).ok_or(LedgerError::Foreign)?;
        let mut file = change(&path)?;
        // A line that was cut off goes.
        let cut = file.set_len(length as u64).and_then(|()| file.seek(SeekFrom::End(0)));
        cut.map_err(ReportError::io("write", &path))?;
        Ok(Self { file, rows, waiting: BTreeMap::new(), _lock: lock })
    }

    /// Takes a row, and writes all that are next.
    pub fn push(&mut self, row: Jump) -> io::Result<()> {
        self.waiting.insert(row.sample, row);
        let mut text = String::new();
        while let Some(row) = self.waiting.remove(&(self.rows.len() as u64)) {
            text.push_str(&row::line(&row));
            text.push('\n');
            self.rows.push(row);
        }
        self.file.write_all(text.as_bytes())
    }
}

/// The rows that are complete and in order, and how many bytes they take; none if the header differs.
fn whole_rows(text: &str, header: &str, varied: usize) -> Option<(Vec<Jump>, usize)> {
    let mut rows = Vec::new();
    let mut length = header.len() + 1;
    if text.get(..length)? != format!("{header}\n") {
        return None;
    }
    for line in text[length..].split_inclusive('\n') {
        let row = line.strip_suffix('\n').and_then(|line| row::parse(line, varied));
        match row {
            Some(row) if row.sample == rows.len() as u64 => rows.push(row),
            _ => break,
        }
        length += line.len();
    }
    Some((rows, length))
}
