//! `trajectory.parquet`: written in row groups as the run goes, read back column by column.
//!
//! Memory is bounded: [`GROUP_VALUES`] numbers at most wait for their row group. A row group is on
//! disk when the next begins; the footer, without which no reader opens the file, is written by
//! [`TrajectoryWriter::finish`], which a run reaches also when it fails or is interrupted.

use crate::columns::{Columns, MODE_WORDS};
use crate::error::ReportError;
use parquet::basic::{Compression, LogicalType, Repetition, Type as Physical};
use parquet::column::reader::ColumnReader;
use parquet::data_type::{ByteArray, ByteArrayType, DoubleType};
use parquet::errors::ParquetError;
use parquet::file::metadata::KeyValue;
use parquet::file::properties::WriterProperties;
use parquet::file::reader::{FileReader, SerializedFileReader};
use parquet::file::writer::SerializedFileWriter;
use parquet::schema::types::{Type, TypePtr};
use std::collections::BTreeMap;
use std::fs::File;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// Name of the note in the footer that holds the units by column.
pub(crate) const UNITS: &str = "carom.units";
/// Numbers of a row group at most, 8 MB.
pub const GROUP_VALUES: usize = 1 << 20;
/// Rows of a row group: at least the first, also where there are many columns, and at most the second.
const GROUP_ROWS: (usize, usize) = (1024, 1 << 16);

/// The trajectory in the making.
pub(crate) struct TrajectoryWriter {
    path: PathBuf,
    file: SerializedFileWriter<File>,
    numbers: Vec<Vec<f64>>,
    modes: Vec<Vec<ByteArray>>,
    words: [ByteArray; 3],
    rows: usize,
    group_rows: usize,
}

impl TrajectoryWriter {
    /// Creates the file; `notes` go into its footer.
    pub fn create(
        path: PathBuf,
        columns: &Columns,
        notes: Vec<(String, String)>,
    ) -> Result<Self, ReportError> {
        let file = File::create(&path).map_err(ReportError::io("create", &path))?;
        let notes = notes.into_iter().map(|(key, value)| KeyValue::new(key, value)).collect();
        let properties = WriterProperties::builder()
            .set_compression(Compression::SNAPPY)
            .set_created_by(format!("carom {}", env!("CARGO_PKG_VERSION")))
            .set_key_value_metadata(Some(notes))
            .build();
        let schema = schema(columns).map_err(ReportError::parquet(&path))?;
        let file = SerializedFileWriter::new(file, schema, Arc::new(properties))
            .map_err(ReportError::parquet(&path))?;
        let width = columns.numbers.len() + columns.modes.len();
        let group_rows = (GROUP_VALUES / width).clamp(GROUP_ROWS.0, GROUP_ROWS.1);
        Ok(Self {
            path,
            file,
            numbers: vec![Vec::new(); columns.numbers.len()],
            modes: vec![Vec::new(); columns.modes.len()],
            words: MODE_WORDS.map(ByteArray::from),
            rows: 0,
            group_rows,
        })
    }

    /// Adds a row.
    pub fn push(&mut self, row: &[f64], modes: &[u8]) -> Result<(), ReportError> {
        for (column, x) in self.numbers.iter_mut().zip(row) {
            column.push(*x);
        }
        for (column, code) in self.modes.iter_mut().zip(modes) {
            column.push(self.words[usize::from(*code)].clone());
        }
        self.rows += 1;
        if self.rows == self.group_rows { self.write_group() } else { Ok(()) }
    }

    fn write_group(&mut self) -> Result<(), ReportError> {
        let result = self.try_write_group();
        self.numbers.iter_mut().for_each(Vec::clear);
        self.modes.iter_mut().for_each(Vec::clear);
        self.rows = 0;
        result.map_err(ReportError::parquet(&self.path))
    }

    fn try_write_group(&mut self) -> Result<(), ParquetError> {
        let mut group = self.file.next_row_group()?;
        for values in &self.numbers {
            if let Some(mut column) = group.next_column()? {
                column.typed::<DoubleType>().write_batch(values, None, None)?;
                column.close()?;
            }
        }
        for values in &self.modes {
            if let Some(mut column) = group.next_column()? {
                column.typed::<ByteArrayType>().write_batch(values, None, None)?;
                column.close()?;
            }
        }
        group.close().map(|_| ())
    }

    /// Writes what waits, and the footer.
    pub fn finish(mut self) -> Result<(), ReportError> {
        let rest = if self.rows > 0 { self.write_group() } else { Ok(()) };
        let closed = self.file.close().map(|_| ()).map_err(ReportError::parquet(&self.path));
        rest.and(closed)
    }
}

fn schema(columns: &Columns) -> Result<TypePtr, ParquetError> {
    let mut fields = Vec::new();
    for column in &columns.numbers {
        let field = Type::primitive_type_builder(&column.name, Physical::DOUBLE)
            .with_repetition(Repetition::REQUIRED);
        fields.push(Arc::new(field.build()?));
    }
    for name in &columns.modes {
        let field = Type::primitive_type_builder(name, Physical::BYTE_ARRAY)
            .with_logical_type(Some(LogicalType::String))
            .with_repetition(Repetition::REQUIRED);
        fields.push(Arc::new(field.build()?));
    }
    Ok(Arc::new(Type::group_type_builder("trajectory").with_fields(fields).build()?))
}

/// One column of a trajectory in a file.
#[derive(Debug, Clone, PartialEq)]
pub enum Values {
    /// Numbers.
    Numbers(Vec<f64>),
    /// Codes of modes, places in [`MODE_WORDS`].
    Modes(Vec<u8>),
}

/// A trajectory on disk, opened to read.
pub(crate) struct TrajectoryReader {
    path: PathBuf,
    file: SerializedFileReader<File>,
    /// Names of the columns.
    pub names: Vec<String>,
}

impl TrajectoryReader {
    /// Opens the file.
    pub fn open(path: &Path) -> Result<Self, ReportError> {
        let file = File::open(path).map_err(ReportError::io("read", path))?;
        let file = SerializedFileReader::new(file).map_err(ReportError::parquet(path))?;
        let schema = file.metadata().file_metadata().schema_descr();
        let names = schema.columns().iter().map(|c| c.name().to_string()).collect();
        Ok(Self { path: path.into(), file, names })
    }

    /// Number of rows.
    pub fn rows(&self) -> usize {
        usize::try_from(self.file.metadata().file_metadata().num_rows()).unwrap_or(0)
    }

    /// Units by column, as the footer notes them.
    pub fn units(&self) -> BTreeMap<String, String> {
        let notes = self.file.metadata().file_metadata().key_value_metadata();
        let note = notes.and_then(|all| all.iter().find(|n| n.key == UNITS));
        let text = note.and_then(|n| n.value.as_deref()).unwrap_or("{}");
        serde_json::from_str(text).unwrap_or_default()
    }

    /// Number of row groups.
    pub fn groups(&self) -> usize {
        self.file.num_row_groups()
    }

    /// One column of one row group.
    pub fn read(&self, group: usize, column: usize) -> Result<Values, ReportError> {
        let wrap = || ReportError::parquet(&self.path);
        let group = self.file.get_row_group(group).map_err(wrap())?;
        let rows = usize::try_from(group.metadata().num_rows()).unwrap_or(0);
        match group.get_column_reader(column).map_err(wrap())? {
            ColumnReader::DoubleColumnReader(mut reader) => {
                let mut values = Vec::with_capacity(rows);
                reader.read_records(rows, None, None, &mut values).map_err(wrap())?;
                Ok(Values::Numbers(values))
            }
            ColumnReader::ByteArrayColumnReader(mut reader) => {
                let mut words = Vec::with_capacity(rows);
                reader.read_records(rows, None, None, &mut words).map_err(wrap())?;
                self.codes(column, &words)
            }
            _ => Err(ReportError::ColumnType {
                path: self.path.clone(),
                column: self.names[column].clone(),
            }),
        }
    }

    fn codes(&self, column: usize, words: &[ByteArray]) -> Result<Values, ReportError> {
        let code = |word: &ByteArray| {
            let place = MODE_WORDS.iter().position(|w| w.as_bytes() == word.data());
            place.map(|p| p as u8).ok_or_else(|| ReportError::UnknownMode {
                path: self.path.clone(),
                column: self.names[column].clone(),
                word: String::from_utf8_lossy(word.data()).into_owned(),
            })
        };
        words.iter().map(code).collect::<Result<_, _>>().map(Values::Modes)
    }
}

/// One column of all row groups.
pub(crate) fn whole_column(
    reader: &TrajectoryReader,
    column: usize,
) -> Result<Values, ReportError> {
    let mut whole: Option<Values> = None;
    for group in 0..reader.groups() {
        let part = reader.read(group, column)?;
        match (&mut whole, part) {
            (Some(Values::Numbers(all)), Values::Numbers(part)) => all.extend(part),
            (Some(Values::Modes(all)), Values::Modes(part)) => all.extend(part),
            (_, part) => whole = Some(part),
        }
    }
    let is_mode = reader.names[column].starts_with("mode.");
    let empty = if is_mode { Values::Modes(Vec::new()) } else { Values::Numbers(Vec::new()) };
    Ok(whole.unwrap_or(empty))
}
