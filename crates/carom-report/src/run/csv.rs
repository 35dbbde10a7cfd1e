//! `trajectory.csv`: a header of names, then one line per sample, as RFC 4180 has it.
//!
//! Numbers are the shortest text that reads back to the same bits.

use super::columns::{Columns, MODE_WORDS};
use super::disk::{FileRecord, RecordedFile};
use crate::error::ReportError;
use std::io::{BufWriter, Write};
use std::path::PathBuf;

/// The CSV file in the making.
pub(crate) struct CsvWriter {
    path: PathBuf,
    file: BufWriter<RecordedFile>,
}

impl CsvWriter {
    /// Creates the file and writes the header.
    pub fn create(path: PathBuf, columns: &Columns) -> Result<Self, ReportError> {
        let file = RecordedFile::create(&path)?;
        let mut writer = Self { path, file: BufWriter::new(file) };
        let names = columns.numbers.iter().map(|c| &c.name).chain(&columns.modes);
        let header: Vec<String> = names.map(|name| quoted(name)).collect();
        writer.line(&header.join(","))?;
        Ok(writer)
    }

    /// Adds a row.
    pub fn push(&mut self, row: &[f64], modes: &[u8]) -> Result<(), ReportError> {
        let mut line = String::with_capacity(20 * row.len());
        for x in row {
            if !line.is_empty() {
                line.push(',');
            }
            line.push_str(&format!("{x:?}"));
        }
        for code in modes {
            line.push(',');
            line.push_str(MODE_WORDS[usize::from(*code)]);
        }
        self.line(&line)
    }

    fn line(&mut self, text: &str) -> Result<(), ReportError> {
        writeln!(self.file, "{text}").map_err(ReportError::io("write", &self.path))
    }

    /// Brings everything so far to the disk.
    pub fn checkpoint(&mut self) -> Result<(), ReportError> {
        let written = self.file.flush().and_then(|()| self.file.get_ref().sync_data());
        written.map_err(ReportError::io("write", &self.path))
    }

    /// Writes what waits; the record of the file.
    pub fn finish(mut self) -> Result<FileRecord, ReportError> {
        self.file.flush().map_err(ReportError::io("write", &self.path))?;
        Ok(self.file.get_ref().record())
    }
}

/// A field in quotes if it needs them.
fn quoted(text: &str) -> String {
    if text.contains([',', '"', '\n', '\r']) {
        format!("\"{}\"", text.replace('"', "\"\""))
    } else {
        text.to_string()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_with_commas_and_quotes_are_quoted() {
        assert_eq!(quoted("q.ball.z"), "q.ball.z");
        assert_eq!(quoted("a,b"), "\"a,b\"");
        assert_eq!(quoted("a\"b"), "\"a\"\"b\"");
    }
}
