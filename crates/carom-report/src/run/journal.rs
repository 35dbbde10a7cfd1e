//! `trajectory.journal`: what `trajectory.parquet` still lacks while a run goes on.
//!
//! A Parquet file has its table of contents at its end, so it cannot be read before it is complete,
//! and a row group takes many rows. The journal closes both gaps: it holds the footer that the
//! Parquet file would have if it ended now, and the rows that wait for their row group.
//! ```text
//! head:   magic, length L and hash of the Parquet file, columns, footer, checksum
//! block:  number of rows, checksum, rows          one for each flush, appended
//! ```
//! The first L bytes of the Parquet file followed by the footer are a complete file. The journal is
//! replaced as a whole after a row group was written and grows by blocks until the next: at every
//! instant the one on disk is complete but perhaps for its last block, which its checksum tells.
//!
//! The bytes of the finished Parquet file do not depend on the journal, nor on when it was written.
//!
//! # Tests
//! `a_cut_block_is_left_out` below; `tests/recovery.rs`.

use super::columns::MODE_WORDS;
use super::digest::Digest;
use super::disk::{create, part_of};
use crate::error::ReportError;
use std::fs::{self, File};
use std::io::Write;
use std::path::{Path, PathBuf};

const MAGIC: &[u8; 8] = b"caromJ2\n";

/// A journal being written.
pub(crate) struct Journal {
    path: PathBuf,
    file: File,
}

/// A journal read back.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct JournalContents {
    /// Bytes of the Parquet file that count.
    pub length: u64,
    /// Their hash.
    pub hash: u64,
    /// What must follow them.
    pub footer: Vec<u8>,
    /// Columns of numbers and of modes.
    pub columns: (usize, usize),
    /// Rows that are not in the Parquet file: numbers one row after the other.
    pub numbers: Vec<f64>,
    /// Their modes likewise.
    pub modes: Vec<u8>,
}

impl Journal {
    /// Replaces the journal by one without rows.
    pub fn start(
        path: &Path,
        (length, hash): (u64, u64),
        columns: (usize, usize),
        footer: &[u8],
    ) -> Result<Self, ReportError> {
        let mut head = MAGIC.to_vec();
        head.extend(length.to_le_bytes());
        head.extend(hash.to_le_bytes());
        for count in [columns.0, columns.1, footer.len()] {
            head.extend((count as u64).to_le_bytes());
        }
        head.extend(footer);
        head.extend(checksum(&head).to_le_bytes());
        let part = part_of(path);
        let mut file = create(&part)?;
        file.write_all(&head)
            .and_then(|()| file.sync_data())
            .map_err(ReportError::io("write", &part))?;
        fs::rename(&part, path).map_err(ReportError::io("rename", path))?;
        Ok(Self { path: path.into(), file })
    }

    /// Appends a block; on disk when this returns.
    pub fn append(&mut self, rows: usize, payload: &[u8]) -> Result<(), ReportError> {
        let mut block = (rows as u64).to_le_bytes().to_vec();
        block.extend(checksum(payload).to_le_bytes());
        block.extend(payload);
        self.file
            .write_all(&block)
            .and_then(|()| self.file.sync_data())
            .map_err(ReportError::io("write", &self.path))
    }
}

impl JournalContents {
    /// Reads a journal; none if its head is not whole.
    pub fn read(path: &Path) -> Result<Option<Self>, ReportError> {
        let bytes = fs::read(path).map_err(ReportError::io("read", path))?;
        Ok(Self::parse(&bytes))
    }

    fn parse(bytes: &[u8]) -> Option<Self> {
        let mut rest = bytes.strip_prefix(MAGIC)?;
        let (length, hash) = (word(&mut rest)?, word(&mut rest)?);
        let [numbers, modes, footer] = [word(&mut rest)?, word(&mut rest)?, word(&mut rest)?]
            .map(|count| usize::try_from(count).ok());
        let columns = (numbers?, modes?);
        let footer = take(&mut rest, footer?)?;
        let head = &bytes[..bytes.len() - rest.len()];
        if word(&mut rest)? != checksum(head) {
            return None;
        }
        let footer = footer.to_vec();
        let mut contents =
            Self { length, hash, footer, columns, numbers: Vec::new(), modes: Vec::new() };
        while let Some(payload) = block(&mut rest, columns) {
            contents.add(payload);
        }
        Some(contents)
    }

    fn add(&mut self, payload: &[u8]) {
        let (numbers, modes) = self.columns;
        for row in payload.chunks_exact(8 * numbers + modes) {
            let (left, right) = row.split_at(8 * numbers);
            let number = |b: &[u8]| b.try_into().map_or(f64::NAN, f64::from_le_bytes);
            self.numbers.extend(left.chunks_exact(8).map(number));
            self.modes.extend_from_slice(right);
        }
    }

    /// Number of rows.
    pub fn rows(&self) -> usize {
        self.numbers.len() / self.columns.0.max(1)
    }

    /// One row: numbers and modes.
    pub fn row(&self, index: usize) -> (&[f64], &[u8]) {
        let (n, m) = self.columns;
        (&self.numbers[index * n..(index + 1) * n], &self.modes[index * m..(index + 1) * m])
    }
}

/// The payload of the next block, if it is whole.
fn block<'a>(rest: &mut &'a [u8], (numbers, modes): (usize, usize)) -> Option<&'a [u8]> {
    let rows = usize::try_from(word(rest)?).ok()?;
    let sum = word(rest)?;
    let width = numbers.checked_mul(8)?.checked_add(modes)?;
    let payload = take(rest, rows.checked_mul(width)?)?;
    let known = |row: &[u8]| row[8 * numbers..].iter().all(|m| usize::from(*m) < MODE_WORDS.len());
    let whole = width > 0 && checksum(payload) == sum;
    (whole && payload.chunks_exact(width).all(known)).then_some(payload)
}

fn word(rest: &mut &[u8]) -> Option<u64> {
    let bytes = take(rest, 8)?;
    Some(u64::from_le_bytes(bytes.try_into().ok()?))
}

fn take<'a>(rest: &mut &'a [u8], count: usize) -> Option<&'a [u8]> {
    let (taken, left) = rest.split_at_checked(count)?;
    *rest = left;
    Some(taken)
}

fn checksum(bytes: &[u8]) -> u64 {
    let mut digest = Digest::default();
    digest.bytes(bytes);
    digest.value()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_cut_block_is_left_out() {
        let path = std::env::temp_dir().join(format!("carom-journal-{}", std::process::id()));
        let mut journal = Journal::start(&path, (77, 5), (2, 1), b"footer").unwrap();
        let row = |a: f64, b: f64, mode: u8| {
            let mut bytes = a.to_le_bytes().to_vec();
            bytes.extend(b.to_le_bytes());
            bytes.push(mode);
            bytes
        };
        journal.append(1, &row(1.0, -0.0, 2)).unwrap();
        journal.append(2, &[row(2.0, 3.0, 0), row(4.0, 5.0, 1)].concat()).unwrap();
        let whole = fs::read(&path).unwrap();
        fs::remove_file(&path).unwrap();
        let contents = JournalContents::parse(&whole).unwrap();
        assert_eq!((contents.length, contents.hash), (77, 5));
        assert_eq!(contents.footer, b"footer");
        assert_eq!(contents.rows(), 3);
        assert_eq!(contents.row(2), (&[4.0, 5.0][..], &[1][..]));
        // Cut anywhere: what is whole before the cut is kept, and nothing else.
        let head = whole.len() - 16 - 17 - 16 - 34;
        for cut in 0..whole.len() {
            let rows = JournalContents::parse(&whole[..cut]).map(|c| c.rows());
            let expected = match cut {
                cut if cut < head => None,
                cut if cut < head + 33 => Some(0),
                _ => Some(1),
            };
            assert_eq!(rows, expected, "cut at {cut}");
        }
        // A changed byte: in the head nothing is believed, in a block the rows before it.
        for place in 0..whole.len() {
            let mut changed = whole.clone();
            changed[place] ^= 0x40;
            let rows = JournalContents::parse(&changed).map(|c| c.rows());
            let expected = if place < head { None } else { Some(usize::from(place >= head + 33)) };
            assert_eq!(rows, expected, "changed at {place}");
        }
    }
}
