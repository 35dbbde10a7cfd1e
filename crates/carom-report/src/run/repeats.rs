//! Column chunks of one value, encoded once and used for every column that has it.
//!
//! Most columns of a robot's contacts are nought, far or open from the first row of a row group to the last. Such a chunk is a
//! dictionary of one value and a count: as many bytes for a thousand rows as for one, and nothing in it depends on the
//! column, so that it is copied from column to column.
//!
//! # Tests
//! `columns_of_one_value_are_small_and_true` below.

use bytes::Bytes;
use parquet::column::writer::{ColumnCloseResult, get_column_writer, get_typed_column_writer};
use parquet::data_type::DataType;
use parquet::errors::ParquetError;
use parquet::file::metadata::ColumnChunkMetaData;
use parquet::file::properties::{WriterProperties, WriterPropertiesPtr};
use parquet::file::writer::{SerializedPageWriter, SerializedRowGroupWriter, TrackedWrite};
use parquet::schema::types::ColumnDescPtr;
use std::collections::BTreeMap;
use std::io::Write;

/// Different values that are kept; what comes after them is encoded for its column alone.
const MOST_KEPT: usize = 64;

/// An encoded chunk.
type Chunk = (Bytes, ColumnCloseResult);

/// Chunks of one value for one row group.
pub(crate) struct Repeats {
    rows: usize,
    properties: WriterPropertiesPtr,
    /// By the bits of the value.
    kept: BTreeMap<u64, Chunk>,
}

impl Repeats {
    /// For that many rows, with the properties of the file but for the dictionary.
    pub fn new(rows: usize, properties: &WriterProperties) -> Self {
        let properties = properties.clone().into_builder().set_dictionary_enabled(true).build();
        Self { rows, properties: properties.into(), kept: BTreeMap::new() }
    }

    /// Writes a column of one value, which `bits` tells from all others of these.
    pub fn write<T: DataType, W: Write + Send>(
        &mut self,
        group: &mut SerializedRowGroupWriter<'_, W>,
        column: ColumnDescPtr,
        (value, bits): (&T::T, u64),
    ) -> Result<(), ParquetError> {
        if let Some((bytes, close)) = self.kept.get(&bits) {
            return group.append_column(bytes, of_column(close, column)?);
        }
        let (bytes, close) = self.encode::<T>(column.clone(), value)?;
        group.append_column(&bytes, close.clone())?;
        if self.kept.len() < MOST_KEPT {
            self.kept.insert(bits, (bytes, close));
        }
        Ok(())
    }

    fn encode<T: DataType>(
        &self,
        column: ColumnDescPtr,
        value: &T::T,
    ) -> Result<Chunk, ParquetError> {
        let mut sink = TrackedWrite::new(Vec::new());
        let pages = Box::new(SerializedPageWriter::new(&mut sink));
        let writer = get_column_writer(column, self.properties.clone(), pages);
        let mut writer = get_typed_column_writer::<T>(writer);
        writer.write_batch(&vec![value.clone(); self.rows], None, None)?;
        let close = writer.close()?;
        Ok((sink.into_inner()?.into(), close))
    }
}

/// What is told of a chunk, told of another column.
fn of_column(
    close: &ColumnCloseResult,
    column: ColumnDescPtr,
) -> Result<ColumnCloseResult, ParquetError> {
    let of = &close.metadata;
    let mut metadata = ColumnChunkMetaData::builder(column)
        .set_compression_codec(of.compression_codec())
        .set_encodings_mask(*of.encodings_mask())
        .set_total_compressed_size(of.compressed_size())
        .set_total_uncompressed_size(of.uncompressed_size())
        .set_num_values(of.num_values())
        .set_data_page_offset(of.data_page_offset())
        .set_dictionary_page_offset(of.dictionary_page_offset())
        .set_unencoded_byte_array_data_bytes(of.unencoded_byte_array_data_bytes());
    if let Some(statistics) = of.statistics() {
        metadata = metadata.set_statistics(statistics.clone());
    }
    Ok(ColumnCloseResult { metadata: metadata.build()?, ..close.clone() })
}

#[cfg(test)]
mod tests {
    use super::super::trajectory::{Heading, TrajectoryReader, TrajectoryWriter, Values};

    #[test]
    fn columns_of_one_value_are_small_and_true() {
        let dir = std::env::temp_dir().join(format!("carom-repeats-{}", std::process::id()));
        std::fs::create_dir_all(&dir).unwrap();
        let path = dir.join("trajectory.parquet");
        let (width, modes, rows) = (900, 300, 3000);
        let names = |what: &str, count: usize| (0..count).map(|k| format!("{what}.{k}")).collect();
        let heading =
            Heading { numbers: names("x", width), modes: names("mode", modes), notes: Vec::new() };
        let mut writer = TrajectoryWriter::create(path.clone(), heading).unwrap();
        // Three columns change; the others have one of a hundred values, more than are kept.
        let number = |row: usize, column: usize| match column {
            0..3 => (row * (column + 1)) as f64,
            3 => f64::NAN,
            4..500 => [0.0, -0.0, f64::INFINITY][column % 3],
            _ => 0.5 + (column % 100) as f64,
        };
        let mode = |row: usize, column: usize| match column {
            0 => (row / 7 % 3) as u8,
            _ => (column % 3) as u8,
        };
        for row in 0..rows {
            let numbers: Vec<f64> = (0..width).map(|c| number(row, c)).collect();
            let codes: Vec<u8> = (0..modes).map(|c| mode(row, c)).collect();
            writer.push(&numbers, &codes).unwrap();
        }
        writer.finish().unwrap();
        let reader = TrajectoryReader::open(&path).unwrap();
        assert_eq!((reader.rows(), reader.groups()), (rows, 1));
        for column in 0..width + modes {
            match reader.read(0, column).unwrap() {
                Values::Numbers(found) => {
                    let same = |(r, x): (usize, &f64)| x.to_bits() == number(r, column).to_bits();
                    assert!(found.len() == rows && found.iter().enumerate().all(same), "{column}");
                }
                Values::Modes(found) => {
                    let same = |(r, x): (usize, &u8)| *x == mode(r, column - width);
                    assert!(found.len() == rows && found.iter().enumerate().all(same), "{column}");
                }
            }
        }
        // A chunk of one value and what the footer says of it; as they are, three thousand numbers take a kilobyte packed.
        let size = std::fs::metadata(&path).unwrap().len() as usize;
        std::fs::remove_dir_all(&dir).unwrap();
        assert!(size < 3 * 8 * rows + 420 * (width + modes), "{size}");
    }
}
