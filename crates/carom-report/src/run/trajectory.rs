//! `trajectory.parquet`: written in row groups as the run goes, read back column by column.
//!
//! Memory is bounded: some [`GROUP_VALUES`] numbers at most wait for their row group, not counting columns that have had one value since it
//! began. The footer, without
//! which no reader opens the file, is written by [`TrajectoryWriter::finish`], which a run reaches also
//! when it fails or is interrupted. What a killed run lacks is in the [`journal`](super::journal), and for other programs in
//! [`so_far`](super::so_far).

use super::care::Care;
use super::columns::{Columns, MODE_WORDS};
use super::disk::{FileRecord, RecordedFile, replace};
use super::journal::Journal;
use super::lanes::{Lane, Lanes};
use super::repeats::Repeats;
use super::so_far;
use crate::error::ReportError;
use parquet::basic::{Compression, LogicalType, Repetition, Type as Physical};
use parquet::column::reader::ColumnReader;
use parquet::data_type::{ByteArray, ByteArrayType, DoubleType};
use parquet::errors::ParquetError;
use parquet::file::metadata::{FileMetaData, KeyValue, ParquetMetaData, ParquetMetaDataWriter};
use parquet::file::properties::{EnabledStatistics, WriterProperties};
use parquet::file::reader::{FileReader, SerializedFileReader};
use parquet::file::writer::SerializedFileWriter;
use parquet::schema::types::{ColumnPath, SchemaDescriptor, Type, TypePtr};
use std::collections::BTreeMap;
use std::fs::File;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// Name of the note in the footer that holds the units by column.
pub(crate) const UNITS: &str = "carom.units";
/// Numbers that wait for a row group, 8 MB.
pub const GROUP_VALUES: usize = 1 << 20;
/// Numbers for each column that wait too: what is told of a chunk is as much as forty numbers.
const GROUP_DEPTH: usize = 64;
/// Rows of a row group: at least the first, also where there are many columns, and at most the second.
const GROUP_ROWS: (usize, usize) = (1024, 1 << 16);

/// What a trajectory file says about its columns.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Heading {
    /// Names of the columns of numbers.
    pub numbers: Vec<String>,
    /// Names of the columns of modes.
    pub modes: Vec<String>,
    /// Notes for the footer.
    pub notes: Vec<(String, String)>,
}

impl Heading {
    /// The heading of columns with notes.
    pub fn new(columns: &Columns, notes: Vec<(String, String)>) -> Self {
        let numbers = columns.numbers.iter().map(|c| c.name.clone()).collect();
        Self { numbers, modes: columns.modes.clone(), notes }
    }

    fn key_values(&self) -> Vec<KeyValue> {
        let note = |(key, value): &(String, String)| KeyValue::new(key.clone(), value.clone());
        self.notes.iter().map(note).collect()
    }
}

/// Who wrote a file, in its footer.
fn created_by() -> String {
    format!("carom {}", env!("CARGO_PKG_VERSION"))
}

/// The trajectory in the making.
pub(crate) struct TrajectoryWriter {
    path: PathBuf,
    heading: Heading,
    schema: TypePtr,
    /// The journal on disk, if it is one of the row groups so far, and how many waiting rows it has.
    journal: Option<(Journal, usize)>,
    file: SerializedFileWriter<RecordedFile>,
    /// Numbers and modes of the waiting rows.
    numbers: Lanes<f64>,
    codes: Lanes<u8>,
    rows: usize,
}

impl TrajectoryWriter {
    /// Creates the file.
    pub fn create(path: PathBuf, heading: Heading) -> Result<Self, ReportError> {
        let file = RecordedFile::create(&path)?;
        let properties = properties(&heading);
        let schema = schema(&heading).map_err(ReportError::parquet(&path))?;
        let file = SerializedFileWriter::new(file, schema.clone(), Arc::new(properties))
            .map_err(ReportError::parquet(&path))?;
        let numbers = Lanes::new(heading.numbers.len());
        let codes = Lanes::new(heading.modes.len());
        Ok(Self { path, file, numbers, codes, schema, heading, journal: None, rows: 0 })
    }

    /// Adds a row.
    pub fn push(&mut self, row: &[f64], modes: &[u8]) -> Result<(), ReportError> {
        self.numbers.push(row);
        self.codes.push(modes);
        self.rows += 1;
        let (least, most) = GROUP_ROWS;
        let held = self.numbers.held() + self.codes.held();
        let room = GROUP_VALUES.max(GROUP_DEPTH * (self.numbers.width() + self.codes.width()));
        let full = self.rows >= most || self.rows >= least && held >= room;
        if full { self.write_group() } else { Ok(()) }
    }

    fn write_group(&mut self) -> Result<(), ReportError> {
        let result = self.try_write_group();
        self.numbers.clear();
        self.codes.clear();
        self.rows = 0;
        // The journal on disk stays true of the file before this group until it is replaced.
        self.journal = None;
        result.map_err(ReportError::parquet(&self.path))
    }

    fn try_write_group(&mut self) -> Result<(), ParquetError> {
        write_rows(&mut self.file, self.rows, (&self.numbers, &self.codes))?;
        self.file.flush()?;
        self.file.inner_mut().end_part();
        Ok(())
    }

    /// Brings everything so far to the disk, in the file itself or in the journal at `path`.
    pub fn checkpoint(&mut self, path: &Path) -> Result<(), ReportError> {
        let (mut journal, done) = match self.journal.take() {
            Some(journal) => journal,
            None => (self.start_journal(path)?, 0),
        };
        if self.rows > done {
            journal.append(self.rows - done, &self.bytes(done))?;
        }
        self.journal = Some((journal, self.rows));
        Ok(())
    }

    /// A journal for the row groups so far, after these are on disk.
    fn start_journal(&mut self, path: &Path) -> Result<Journal, ReportError> {
        let wrap = || ReportError::io("write", &self.path);
        self.file.flush().map_err(wrap())?;
        self.file.inner().sync_data().map_err(wrap())?;
        let footer = self.footer().map_err(ReportError::parquet(&self.path))?;
        let columns = (self.heading.numbers.len(), self.heading.modes.len());
        let written = (self.file.bytes_written() as u64, self.file.inner().hash());
        Journal::start(path, written, columns, &footer)
    }

    /// Puts what other programs need to read all rows up to the last checkpoint at `path`.
    pub fn so_far(&self, path: &Path) -> Result<(), ReportError> {
        let bytes = self.try_so_far().map_err(ReportError::parquet(path))?;
        replace(path, &bytes)
    }

    fn try_so_far(&self) -> Result<Vec<u8>, ParquetError> {
        let properties = Arc::new(properties(&self.heading));
        let mut rest = SerializedFileWriter::new(Vec::new(), self.schema.clone(), properties)?;
        if self.rows > 0 {
            write_rows(&mut rest, self.rows, (&self.numbers, &self.codes))?;
        }
        rest.flush()?;
        let (written, waiting) = (self.file.flushed_row_groups(), rest.flushed_row_groups());
        let rows = written.iter().chain(waiting).map(|g| g.num_rows()).sum();
        let footer = so_far::footer(self.about(rows), written, waiting)?;
        let mut bytes = rest.inner().clone();
        bytes.extend(footer);
        Ok(bytes)
    }

    /// The footer that the file would have if it ended after its last row group.
    fn footer(&self) -> Result<Vec<u8>, ParquetError> {
        let groups = self.file.flushed_row_groups().to_vec();
        let file = self.about(groups.iter().map(|g| g.num_rows()).sum());
        let mut bytes = Vec::new();
        ParquetMetaDataWriter::new(&mut bytes, &ParquetMetaData::new(file, groups)).finish()?;
        Ok(bytes)
    }

    /// What a footer says of a file of that many rows.
    fn about(&self, rows: i64) -> FileMetaData {
        FileMetaData::new(
            self.file.properties().writer_version().as_num(),
            rows,
            Some(created_by()),
            Some(self.heading.key_values()),
            Arc::new(SchemaDescriptor::new(self.schema.clone())),
            None,
        )
    }

    /// The waiting rows from `first` on, column by column.
    fn bytes(&self, first: usize) -> Vec<u8> {
        let mut bytes = Vec::new();
        let put = |lane: Lane<'_, _>| lane.put(&mut bytes);
        (0..self.numbers.width()).filter_map(|c| self.numbers.lane(c, first)).for_each(put);
        let put = |lane: Lane<'_, _>| lane.put(&mut bytes);
        (0..self.codes.width()).filter_map(|c| self.codes.lane(c, first)).for_each(put);
        bytes
    }

    /// Writes what waits, and the footer; the record of the file.
    pub fn finish(mut self) -> Result<FileRecord, ReportError> {
        if self.rows > 0 {
            self.write_group()?;
        }
        self.file.finish().map_err(ReportError::parquet(&self.path))?;
        self.file.flush().map_err(ReportError::io("write", &self.path))?;
        self.file.inner_mut().end_part();
        Ok(self.file.inner().record())
    }
}

/// Rows as one row group of a file: columns of numbers, and codes of modes.
fn write_rows<W: Write + Send>(
    file: &mut SerializedFileWriter<W>,
    rows: usize,
    (numbers, codes): (&Lanes<f64>, &Lanes<u8>),
) -> Result<(), ParquetError> {
    let columns = file.schema_descr().columns().to_vec();
    let (of_numbers, of_codes) = columns.split_at(numbers.width());
    let properties = file.properties().clone();
    let mut repeats = Repeats::new(rows, &properties);
    let mut group = file.next_row_group()?;
    for (at, own) in of_numbers.iter().enumerate() {
        match numbers.lane(at, 0) {
            Some(Lane::One(value)) => {
                let value = (&value, value.to_bits());
                repeats.write::<DoubleType, W>(&mut group, own.clone(), value)?;
            }
            Some(Lane::Each(values)) => {
                let Some(mut column) = group.next_column()? else { break };
                column.typed::<DoubleType>().write_batch(values, None, None)?;
                column.close()?;
            }
            None => {}
        }
    }
    let mut repeats = Repeats::new(rows, &properties);
    let words = MODE_WORDS.map(ByteArray::from);
    let word = |code: &u8| words[usize::from(*code)].clone();
    let mut column_words = Vec::with_capacity(rows);
    for (at, own) in of_codes.iter().enumerate() {
        match codes.lane(at, 0) {
            Some(Lane::One(code)) => {
                let value = (&word(&code), u64::from(code));
                repeats.write::<ByteArrayType, W>(&mut group, own.clone(), value)?;
            }
            Some(Lane::Each(codes)) => {
                let Some(mut column) = group.next_column()? else { break };
                column_words.clear();
                column_words.extend(codes.iter().map(word));
                column.typed::<ByteArrayType>().write_batch(&column_words, None, None)?;
                column.close()?;
            }
            None => {}
        }
    }
    group.close()?;
    Ok(())
}

/// Numbers that change hardly repeat and are written as they are; of modes, which are few words, there is a dictionary. Statistics are of
/// whole row groups: nobody looks for pages in a thousand columns.
fn properties(heading: &Heading) -> WriterProperties {
    let words = heading.modes.iter().map(|name| ColumnPath::from(name.as_str()));
    let plain = WriterProperties::builder()
        .set_compression(Compression::SNAPPY)
        .set_created_by(created_by())
        .set_key_value_metadata(Some(heading.key_values()))
        .set_statistics_enabled(EnabledStatistics::Chunk)
        .set_dictionary_enabled(false);
    words.fold(plain, |made, word| made.set_column_dictionary_enabled(word, true)).build()
}

fn schema(heading: &Heading) -> Result<TypePtr, ParquetError> {
    let mut fields = Vec::new();
    for name in &heading.numbers {
        let field = Type::primitive_type_builder(name, Physical::DOUBLE)
            .with_repetition(Repetition::REQUIRED);
        fields.push(Arc::new(field.build()?));
    }
    for name in &heading.modes {
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

impl Values {
    /// How many there are.
    pub fn len(&self) -> usize {
        match self {
            Self::Numbers(numbers) => numbers.len(),
            Self::Modes(codes) => codes.len(),
        }
    }
}

/// A trajectory on disk, opened to read.
pub(crate) struct TrajectoryReader {
    path: PathBuf,
    file: SerializedFileReader<File>,
    /// Row groups that are looked at.
    groups: usize,
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
        Ok(Self { path: path.into(), groups: file.num_row_groups(), file, names })
    }

    /// The same with the first row groups only.
    pub fn first(mut self, groups: usize) -> Self {
        self.groups = self.groups.min(groups);
        self
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

    /// What the file says about its columns.
    pub fn heading(&self) -> Heading {
        let notes = self.file.metadata().file_metadata().key_value_metadata();
        let note = |n: &KeyValue| Some((n.key.clone(), n.value.clone()?));
        let (modes, numbers) = self.names.iter().cloned().partition(|n| n.starts_with("mode."));
        let notes = notes.map_or(Vec::new(), |all| all.iter().filter_map(note).collect());
        Heading { numbers, modes, notes }
    }

    /// Number of row groups.
    pub fn groups(&self) -> usize {
        self.groups
    }

    /// One column of one row group.
    pub fn read(&self, group: usize, column: usize) -> Result<Values, ReportError> {
        let wrap = || ReportError::parquet(&self.path);
        let group = self.file.get_row_group(group).map_err(wrap())?;
        let rows = usize::try_from(group.metadata().num_rows()).unwrap_or(0);
        match group.get_column_reader(column).map_err(wrap())? {
            ColumnReader::DoubleColumnReader(mut reader) => {
                let mut values = Vec::new();
                reader.read_records(rows, None, None, &mut values).map_err(wrap())?;
                Ok(Values::Numbers(values))
            }
            ColumnReader::ByteArrayColumnReader(mut reader) => {
                let mut words = Vec::new();
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

/// One column of all row groups; what comes after a damage that is let pass is left out.
pub(crate) fn whole_column(
    reader: &TrajectoryReader,
    column: usize,
    care: &mut Care,
) -> Result<Values, ReportError> {
    let mut whole: Option<Values> = None;
    for group in 0..reader.groups() {
        let part = match reader.read(group, column) {
            Ok(part) => part,
            Err(damage) => {
                care.meet(damage)?;
                break;
            }
        };
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
