//! `trajectory.journal`: what `trajectory.parquet` still lacks while a run goes on.
//!
//! A Parquet file has its table of contents at its end, so it cannot be read before it is complete,
//! and a row group takes many rows. The journal closes both gaps: it holds the footer that the
//! Parquet file would have if it ended now, and the rows that wait for their row group.
//! ```text
//! head:   magic, length L and hash of the Parquet file, columns, footer, checksum
//! block:  number of rows, length, checksum, then for each column its rows, or one value if all have that
//!                                                 one for each flush, appended
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
use super::lanes::take_lane;
use crate::error::ReportError;
use std::fs::{self, File};
use std::io::Write;
use std::path::{Path, PathBuf};

const MAGIC: &[u8; 8] = b"caromJ3\n";

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
    /// Rows that are not in the Parquet file.
    blocks: Vec<Block>,
}

/// Rows of one flush, column by column; one value where all rows have the same.
#[derive(Debug, Clone, PartialEq)]
struct Block {
    rows: usize,
    numbers: Vec<Vec<f64>>,
    modes: Vec<Vec<u8>>,
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
        head.extend(checksum(&[&head]).to_le_bytes());
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
        block.extend((payload.len() as u64).to_le_bytes());
        block.extend(checksum(&[&block, payload]).to_le_bytes());
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
        if word(&mut rest)? != checksum(&[head]) {
            return None;
        }
        let blocks = std::iter::from_fn(|| block(&mut rest, columns)).collect();
        Some(Self { length, hash, footer: footer.to_vec(), columns, blocks })
    }

    /// Number of rows.
    pub fn rows(&self) -> usize {
        self.blocks.iter().map(|block| block.rows).sum()
    }

    /// Gives the first `count` rows away, one after the other: numbers and modes.
    pub fn each_row<E>(
        &self,
        count: usize,
        mut give: impl FnMut(&[f64], &[u8]) -> Result<(), E>,
    ) -> Result<(), E> {
        let (mut row, mut codes) = (Vec::new(), Vec::new());
        let places = self.blocks.iter().flat_map(|block| (0..block.rows).map(move |k| (block, k)));
        for (block, k) in places.take(count) {
            row.clear();
            codes.clear();
            row.extend(block.numbers.iter().map(|column| column[k.min(column.len() - 1)]));
            codes.extend(block.modes.iter().map(|column| column[k.min(column.len() - 1)]));
            give(&row, &codes)?;
        }
        Ok(())
    }
}

/// The next block, if it is whole.
fn block(rest: &mut &[u8], (numbers, modes): (usize, usize)) -> Option<Block> {
    let counts = take(rest, 16)?;
    let [rows, length] = [word(&mut &counts[..8])?, word(&mut &counts[8..])?];
    let sum = word(rest)?;
    let mut payload = take(rest, usize::try_from(length).ok()?)?;
    if checksum(&[counts, payload]) != sum || rows == 0 {
        return None;
    }
    let rows = usize::try_from(rows).ok()?;
    let mut block = Block { rows, numbers: Vec::new(), modes: Vec::new() };
    for _ in 0..numbers {
        let (lane, behind) = take_lane(payload, rows)?;
        block.numbers.push(lane);
        payload = behind;
    }
    for _ in 0..modes {
        let (lane, behind) = take_lane(payload, rows)?;
        block.modes.push(lane);
        payload = behind;
    }
    let known = |m: &u8| usize::from(*m) < MODE_WORDS.len();
    (payload.is_empty() && block.modes.iter().flatten().all(known)).then_some(block)
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

fn checksum(parts: &[&[u8]]) -> u64 {
    let mut digest = Digest::default();
    parts.iter().for_each(|bytes| digest.bytes(bytes));
    digest.value()
}

#[cfg(test)]
mod tests {
    use super::super::lanes::Lane;
    use super::*;

    #[test]
    fn a_cut_block_is_left_out() {
        let path = std::env::temp_dir().join(format!("carom-journal-{}", std::process::id()));
        let mut journal = Journal::start(&path, (77, 5), (2, 1), b"footer").unwrap();
        // Rows as columns: two of numbers, one of modes.
        let payload = |a: &[f64], b: &[f64], modes: &[u8]| {
            let mut bytes = Vec::new();
            [a, b].iter().for_each(|x| Lane::of(x).unwrap().put(&mut bytes));
            Lane::of(modes).unwrap().put(&mut bytes);
            bytes
        };
        journal.append(1, &payload(&[1.0], &[-0.0], &[2])).unwrap();
        journal.append(2, &payload(&[2.0, 4.0], &[3.0, 3.0], &[0, 1])).unwrap();
        let whole = fs::read(&path).unwrap();
        fs::remove_file(&path).unwrap();
        let contents = JournalContents::parse(&whole).unwrap();
        assert_eq!((contents.length, contents.hash), (77, 5));
        assert_eq!(contents.footer, b"footer");
        assert_eq!(contents.rows(), 3);
        let mut rows = Vec::new();
        let keep = |row: &[f64], modes: &[u8]| -> Result<(), ()> {
            rows.push((row.to_vec(), modes.to_vec()));
            Ok(())
        };
        contents.each_row(3, keep).unwrap();
        let expected = [([1.0, -0.0], 2), ([2.0, 3.0], 0), ([4.0, 3.0], 1)];
        assert_eq!(rows, expected.map(|(row, mode)| (row.to_vec(), vec![mode])));
        // Cut anywhere: what is whole before the cut is kept, and nothing else.
        let first = 24 + 9 + 9 + 2;
        let head = whole.len() - first - (24 + 17 + 9 + 3);
        for cut in 0..whole.len() {
            let rows = JournalContents::parse(&whole[..cut]).map(|c| c.rows());
            let expected = match cut {
                cut if cut < head => None,
                cut if cut < head + first => Some(0),
                _ => Some(1),
            };
            assert_eq!(rows, expected, "cut at {cut}");
        }
        // A changed byte: in the head nothing is believed, in a block the rows before it.
        for place in 0..whole.len() {
            let mut changed = whole.clone();
            changed[place] ^= 0x40;
            let rows = JournalContents::parse(&changed).map(|c| c.rows());
            let expected =
                if place < head { None } else { Some(usize::from(place >= head + first)) };
            assert_eq!(rows, expected, "changed at {place}");
        }
    }
}
