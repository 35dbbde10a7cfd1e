//! `trajectory.so_far`: what a run has recorded, for other programs, while it goes on or after it was killed.
//!
//! A Parquet file cannot be read before its footer is written, but a footer may list row groups of other files, as that
//! of a `_metadata` file of a dataset does. This one begins with the rows that wait for their row group, and its footer lists
//! ```text
//! the row groups of trajectory.parquet so far, then its own                                        (1)
//! ```
//! each with the name of its file. It is replaced as a whole at every checkpoint, and the Parquet file only grows, so at every
//! instant both together are the run up to its last checkpoint: `pyarrow.dataset.parquet_dataset` reads them.
//! Recovery does not need it: the journal has the same rows, with checksums, and survives a failure of the power as well.
//!
//! # Tests
//! `eq1_row_groups_name_their_files` below; `python/tests/test_killed.py` kills a run and reads it.

use super::folder::{SO_FAR, TRAJECTORY};
use parquet::errors::ParquetError;
use parquet::file::metadata::{
    FileMetaData, ParquetMetaData, ParquetMetaDataWriter, RowGroupMetaData,
};

/// The footer of (1): what is told of the file as a whole, the row groups of the trajectory, and those of the rest.
pub(crate) fn footer(
    whole: FileMetaData,
    written: &[RowGroupMetaData],
    waiting: &[RowGroupMetaData],
) -> Result<Vec<u8>, ParquetError> {
    let mut groups = Vec::with_capacity(written.len() + waiting.len());
    for (file, part) in [(TRAJECTORY, written), (SO_FAR, waiting)] {
        for group in part {
            groups.push(in_file(group, file)?);
        }
    }
    let mut bytes = Vec::new();
    ParquetMetaDataWriter::new(&mut bytes, &ParquetMetaData::new(whole, groups)).finish()?;
    Ok(bytes)
}

/// A row group that says in which file it is.
fn in_file(group: &RowGroupMetaData, file: &str) -> Result<RowGroupMetaData, ParquetError> {
    let named = group.columns().iter().map(|c| c.clone().into_builder().set_file_path(file.into()));
    let columns = named.map(|c| c.build()).collect::<Result<_, _>>()?;
    group.clone().into_builder().set_column_metadata(columns).build()
}

#[cfg(test)]
mod tests {
    use super::super::trajectory::{Heading, TrajectoryWriter};
    use super::*;
    use parquet::file::metadata::ParquetMetaDataReader;

    #[test]
    fn eq1_row_groups_name_their_files() {
        let dir = std::env::temp_dir().join(format!("carom-so-far-{}", std::process::id()));
        std::fs::create_dir_all(&dir).unwrap();
        let heading =
            Heading { numbers: vec!["t".into()], modes: vec!["mode.a".into()], notes: Vec::new() };
        let mut writer = TrajectoryWriter::create(dir.join(TRAJECTORY), heading).unwrap();
        let mut files = Vec::new();
        for row in 0..=(1 << 16) + 5 {
            if [0, 7, 1 << 16, (1 << 16) + 5].contains(&row) {
                writer.so_far(&dir.join(SO_FAR)).unwrap();
                let file = std::fs::File::open(dir.join(SO_FAR)).unwrap();
                let found = ParquetMetaDataReader::new().parse_and_finish(&file).unwrap();
                let named = |g: &RowGroupMetaData| {
                    let mut names = g.columns().iter().map(|c| c.file_path().unwrap().to_string());
                    let first = names.next().unwrap();
                    assert!(names.all(|name| name == first));
                    (first, g.num_rows())
                };
                assert_eq!(found.file_metadata().num_rows(), row);
                files.push(found.row_groups().iter().map(named).collect::<Vec<_>>());
            }
            writer.push(&[row as f64], &[0]).unwrap();
        }
        std::fs::remove_dir_all(&dir).unwrap();
        let [whole, own] = [(TRAJECTORY, 1 << 16), (SO_FAR, 5)].map(|(f, n)| (f.to_string(), n));
        assert_eq!(files[0], []);
        assert_eq!(files[1], [(SO_FAR.to_string(), 7)]);
        assert_eq!(files[3], [whole.clone(), own]);
        assert_eq!(files[2], [whole]);
    }
}
