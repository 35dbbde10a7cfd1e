//! `study.csv`: rows in the order of their numbers, appended as they come, read back to resume.
//!
//! Beside it `study.json` says which study it is. A file of another study is never overwritten. Rows
//! are written in order whatever the order in which threads finish, so the file of a study has the same
//! bytes for any number of threads and interruptions.

use std::collections::BTreeMap;
use std::fs::{self, File, OpenOptions};
use std::io::{self, Write};
use std::path::Path;

use carom_scene::study::Jump;

use super::row;

/// The rows of a study on disk.
pub struct Ledger {
    file: File,
    /// All rows so far, in order.
    pub rows: Vec<Jump>,
    waiting: BTreeMap<u64, Jump>,
}

/// Why the file cannot be used.
pub enum LedgerError {
    /// The disk refuses.
    Io(io::Error),
    /// It belongs to another study.
    Foreign,
}

impl From<io::Error> for LedgerError {
    fn from(e: io::Error) -> Self {
        Self::Io(e)
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
        fs::create_dir_all(folder)?;
        let (about, path) = (folder.join("study.json"), folder.join("study.csv"));
        let known = match fs::read_to_string(&about) {
            Ok(text) if text == manifest => true,
            Ok(_) => return Err(LedgerError::Foreign),
            Err(e) if e.kind() == io::ErrorKind::NotFound => false,
            Err(e) => return Err(e.into()),
        };
        if !known {
            // Whatever else is there is not ours.
            if path.exists() {
                return Err(LedgerError::Foreign);
            }
            fs::write(&path, format!("{header}\n"))?;
            fs::write(&about, manifest)?;
        }
        let text = fs::read_to_string(&path)?;
        let (rows, length) = whole_rows(&text, header, varied).ok_or(LedgerError::Foreign)?;
        let file = OpenOptions::new().write(true).open(&path)?;
        // A line that was cut off goes.
        file.set_len(length as u64)?;
        let mut ledger = Self { file, rows, waiting: BTreeMap::new() };
        io::Seek::seek(&mut ledger.file, io::SeekFrom::End(0))?;
        Ok(ledger)
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
