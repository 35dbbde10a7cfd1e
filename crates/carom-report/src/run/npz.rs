//! `trajectory.npz`: one NumPy array per column, made from the Parquet file when the run is over.
//!
//! A column of an npz is contiguous and its length stands in its header, so it cannot grow with the
//! run; the Parquet file is read back row group by row group, which keeps memory bounded. Numbers
//! are `<f8`, modes the words themselves, `<U5`.
//!
//! # Source
//! NumPy enhancement proposal 1 (format version 1.0).
//!
//! # Tests
//! `tests/npz.rs` reads one by its own reader.

use super::columns::MODE_WORDS;
use super::disk::create;
use super::trajectory::{TrajectoryReader, Values};
use super::zip::Archive;
use crate::error::ReportError;
use std::io::BufWriter;
use std::path::Path;

/// Letters of a mode in an array: the longest word.
const LETTERS: usize = 5;

/// Writes `npz` from the trajectory in `parquet`.
pub(crate) fn write_npz(parquet: &Path, npz: &Path) -> Result<(), ReportError> {
    let reader = TrajectoryReader::open(parquet)?;
    let file = create(npz)?;
    let mut archive = Archive::new(BufWriter::new(file));
    let wrap = || ReportError::io("write", npz);
    for (column, name) in reader.names.iter().enumerate() {
        let is_mode = name.starts_with("mode.");
        let width = if is_mode { 4 * LETTERS } else { 8 };
        let header = header(if is_mode { "<U5" } else { "<f8" }, reader.rows());
        let size = header.len() + width * reader.rows();
        archive.begin(&format!("{name}.npy"), size as u64).map_err(wrap())?;
        archive.write(&header).map_err(wrap())?;
        for group in 0..reader.groups() {
            archive.write(&bytes(&reader.read(group, column)?)).map_err(wrap())?;
        }
        archive.end().map_err(wrap())?;
    }
    archive.finish().map_err(wrap())
}

/// Header of a one-dimensional array, a multiple of 64 bytes long.
fn header(kind: &str, rows: usize) -> Vec<u8> {
    let mut text = format!("{{'descr': '{kind}', 'fortran_order': False, 'shape': ({rows},), }}");
    while (10 + text.len() + 1) % 64 != 0 {
        text.push(' ');
    }
    text.push('\n');
    let mut header = b"\x93NUMPY\x01\x00".to_vec();
    header.extend((text.len() as u16).to_le_bytes());
    header.extend(text.as_bytes());
    header
}

fn bytes(values: &Values) -> Vec<u8> {
    match values {
        Values::Numbers(numbers) => numbers.iter().flat_map(|x| x.to_le_bytes()).collect(),
        Values::Modes(codes) => codes.iter().flat_map(|code| word(*code)).collect(),
    }
}

/// A word in UCS-4, filled up with zeros.
fn word(code: u8) -> [u8; 4 * LETTERS] {
    let mut out = [0; 4 * LETTERS];
    for (i, letter) in MODE_WORDS[usize::from(code)].bytes().enumerate() {
        out[4 * i] = letter;
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn header_is_aligned_and_words_fit() {
        for rows in [0, 1, 123_456_789] {
            let header = header("<f8", rows);
            assert_eq!(header.len() % 64, 0);
            assert_eq!(header.last(), Some(&b'\n'));
        }
        assert!(MODE_WORDS.iter().all(|w| w.len() <= LETTERS && w.is_ascii()));
    }
}
