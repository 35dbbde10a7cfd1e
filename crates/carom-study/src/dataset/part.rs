//! A part: a Parquet file of consecutive rows.

use super::row::Row;
use crate::error::StudyError;
use crate::fixed::{HASH, MESSAGE, ROW, STOP, STOP_TIME};
use crate::sampling::{Plan, Value};
use carom_report::ReportError;
use carom_report::run::disk::create;
use parquet::basic::{Compression, LogicalType, Repetition, Type as Physical};
use parquet::column::writer::ColumnWriter;
use parquet::data_type::ByteArray;
use parquet::errors::ParquetError;
use parquet::file::metadata::KeyValue;
use parquet::file::properties::WriterProperties;
use parquet::file::reader::{FileReader, SerializedFileReader};
use parquet::file::writer::SerializedFileWriter;
use parquet::schema::types::{Type, TypePtr};
use std::fs::File;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// Folder of the parts.
pub const PARTS: &str = "parts";
/// Rows of a row group at most.
const GROUP_ROWS: usize = 1 << 16;

/// The file of the part that begins with a row.
pub fn path_of(dir: &Path, first: u64) -> PathBuf {
    dir.join(PARTS).join(format!("part-{first:012}.parquet"))
}

/// The first row of a part, by the name of its file.
pub fn first_of(name: &str) -> Option<u64> {
    name.strip_prefix("part-")?.strip_suffix(".parquet")?.parse().ok()
}

/// What the parts of a study have in common.
#[derive(Debug, Clone)]
pub struct Form {
    schema: TypePtr,
    numeric: Vec<bool>,
    results: usize,
    notes: Vec<KeyValue>,
}

/// The values of one column.
enum Values {
    Whole(Vec<i64>),
    /// None is null.
    Numbers(Vec<Option<f64>>),
    Texts(Vec<Option<ByteArray>>),
}

impl Form {
    /// The form of a study: its parameters, the names of its results, and notes for the footer.
    pub fn new(
        plan: &Plan,
        results: &[String],
        notes: &[(&str, String)],
    ) -> Result<Self, ParquetError> {
        let mut fields = Vec::new();
        let mut add = |name: &str, kind: Physical, repetition| {
            let builder = Type::primitive_type_builder(name, kind).with_repetition(repetition);
            let text = (kind == Physical::BYTE_ARRAY).then_some(LogicalType::String);
            fields.push(Arc::new(builder.with_logical_type(text).build()?));
            Ok::<(), ParquetError>(())
        };
        add(ROW, Physical::INT64, Repetition::REQUIRED)?;
        for (name, numeric) in plan.names().iter().zip(plan.numeric()) {
            let kind = if *numeric { Physical::DOUBLE } else { Physical::BYTE_ARRAY };
            add(name, kind, Repetition::OPTIONAL)?;
        }
        for name in results {
            add(name, Physical::DOUBLE, Repetition::OPTIONAL)?;
        }
        add(STOP, Physical::BYTE_ARRAY, Repetition::OPTIONAL)?;
        add(STOP_TIME, Physical::DOUBLE, Repetition::OPTIONAL)?;
        add(MESSAGE, Physical::BYTE_ARRAY, Repetition::OPTIONAL)?;
        add(HASH, Physical::BYTE_ARRAY, Repetition::OPTIONAL)?;
        let note = |(key, value): &(&str, String)| KeyValue::new(key.to_string(), value.clone());
        Ok(Self {
            schema: Arc::new(Type::group_type_builder("study").with_fields(fields).build()?),
            numeric: plan.numeric().to_vec(),
            results: results.len(),
            notes: notes.iter().map(note).collect(),
        })
    }

    /// Writes a part, whole or not at all, and waits until it is on the disk.
    pub fn write(&self, path: &Path, plan: &Plan, rows: &[Row]) -> Result<(), StudyError> {
        let wrap = |source| ReportError::Parquet { path: path.into(), source };
        let bytes = self.bytes(plan, rows).map_err(wrap)?;
        store(path, &bytes)
    }

    fn bytes(&self, plan: &Plan, rows: &[Row]) -> Result<Vec<u8>, ParquetError> {
        let properties = WriterProperties::builder()
            .set_compression(Compression::SNAPPY)
            .set_created_by(format!("carom {}", env!("CARGO_PKG_VERSION")))
            .set_key_value_metadata(Some(self.notes.clone()))
            .build();
        let mut file =
            SerializedFileWriter::new(Vec::new(), self.schema.clone(), Arc::new(properties))?;
        for rows in rows.chunks(GROUP_ROWS) {
            let mut group = file.next_row_group()?;
            let mut columns = self.columns(plan, rows).into_iter();
            while let Some(mut writer) = group.next_column()? {
                if let Some(values) = columns.next() {
                    put(writer.untyped(), values)?;
                }
                writer.close()?;
            }
            group.close()?;
        }
        file.into_inner()
    }

    fn columns(&self, plan: &Plan, rows: &[Row]) -> Vec<Values> {
        let text = |text: &str| Some(ByteArray::from(text));
        let number = |x: f64| (!x.is_nan()).then_some(x);
        let mut all = vec![Values::Whole(rows.iter().map(|r| r.number as i64).collect())];
        let parameters: Vec<Vec<Value>> = rows.iter().map(|r| plan.values(r.number)).collect();
        for (k, numeric) in self.numeric.iter().enumerate() {
            let column = parameters.iter().map(|row| &row[k]);
            all.push(match numeric {
                true => Values::Numbers(column.map(|v| number(v.number())).collect()),
                false => Values::Texts(column.map(|v| text(&v.to_string())).collect()),
            });
        }
        for k in 0..self.results {
            let result = |r: &Row| r.results.get(k).copied().and_then(number);
            all.push(Values::Numbers(rows.iter().map(result).collect()));
        }
        all.push(Values::Texts(rows.iter().map(|r| text(&r.stop)).collect()));
        all.push(Values::Numbers(rows.iter().map(|r| number(r.stop_time)).collect()));
        all.push(Values::Texts(rows.iter().map(|r| r.message.as_deref().and_then(text)).collect()));
        all.push(Values::Texts(rows.iter().map(|r| text(&format!("{:016x}", r.hash))).collect()));
        all
    }
}

fn put(writer: &mut ColumnWriter<'_>, values: Values) -> Result<(), ParquetError> {
    fn levels<T>(values: Vec<Option<T>>) -> (Vec<i16>, Vec<T>) {
        let levels = values.iter().map(|v| i16::from(v.is_some())).collect();
        (levels, values.into_iter().flatten().collect())
    }
    match (writer, values) {
        (ColumnWriter::Int64ColumnWriter(w), Values::Whole(values)) => {
            w.write_batch(&values, None, None)?;
        }
        (ColumnWriter::DoubleColumnWriter(w), Values::Numbers(values)) => {
            let (levels, values) = levels(values);
            w.write_batch(&values, Some(&levels), None)?;
        }
        (ColumnWriter::ByteArrayColumnWriter(w), Values::Texts(values)) => {
            let (levels, values) = levels(values);
            w.write_batch(&values, Some(&levels), None)?;
        }
        _ => return Err(ParquetError::General("a column of another type".into())),
    }
    Ok(())
}

/// Gives a file its contents, whole or not at all, on the disk before it has its name.
pub fn store(path: &Path, bytes: &[u8]) -> Result<(), StudyError> {
    let mut part = path.as_os_str().to_os_string();
    part.push(".part");
    let part = PathBuf::from(part);
    let write = || -> Result<(), ReportError> {
        let mut file = create(&part)?;
        let written = file.write_all(bytes).and_then(|()| file.sync_data());
        written.map_err(ReportError::io("write", path))?;
        std::fs::rename(&part, path).map_err(ReportError::io("rename", path))
    };
    write().map_err(|error| {
        let _ = std::fs::remove_file(&part);
        error.into()
    })
}

/// How many rows a part has; an error if it cannot be read.
pub fn count(path: &Path) -> Result<u64, StudyError> {
    let reader = open(path)?;
    u64::try_from(reader.metadata().file_metadata().num_rows())
        .map_err(|_| StudyError::Damaged { path: path.into(), problem: "it has no rows" })
}

/// Opens a part.
pub fn open(path: &Path) -> Result<SerializedFileReader<File>, StudyError> {
    let file = File::open(path).map_err(ReportError::io("read", path))?;
    SerializedFileReader::new(file).map_err(|_| StudyError::Damaged {
        path: path.into(),
        problem: "it is no Parquet file, or its end is missing",
    })
}
