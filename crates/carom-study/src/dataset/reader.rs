//! Columns back, part by part: memory does not grow with the study.

use super::manifest::Manifest;
use super::part::{PARTS, first_of, open};
use super::row::Row;
use crate::error::StudyError;
use crate::fixed::{HASH, MESSAGE, ROW, STOP, STOP_TIME};
use carom_report::ReportError;
use carom_scene::expression::nearest;
use parquet::column::reader::ColumnReader;
use parquet::file::reader::{FileReader, SerializedFileReader};
use std::fs::File;
use std::path::{Path, PathBuf};

/// The values of a column in one part.
#[derive(Debug, Clone, PartialEq)]
pub enum Column {
    /// Numbers, NaN where there is none.
    Numbers(Vec<f64>),
    /// Texts, none where there is none.
    Texts(Vec<Option<String>>),
}

impl Column {
    /// Numbers; of texts NaN.
    pub fn numbers(self) -> Vec<f64> {
        match self {
            Self::Numbers(all) => all,
            Self::Texts(all) => vec![f64::NAN; all.len()],
        }
    }

    /// Texts; of numbers what they are written as.
    pub fn texts(self) -> Vec<Option<String>> {
        match self {
            Self::Numbers(all) => {
                let text = |x: f64| (!x.is_nan()).then(|| format!("{x}"));
                all.into_iter().map(text).collect()
            }
            Self::Texts(all) => all,
        }
    }
}

/// A dataset on disk.
#[derive(Debug)]
pub struct Reader {
    /// What was asked for.
    pub manifest: Manifest,
    /// Names of all columns.
    pub names: Vec<String>,
    parts: Vec<PathBuf>,
}

impl Reader {
    /// Opens the folder of a study, finished or not: rows that are in parts are read.
    pub fn open(dir: &Path) -> Result<Self, StudyError> {
        let missing = || StudyError::NotAStudy { dir: dir.into() };
        let manifest = Manifest::load(dir)?.ok_or_else(missing)?;
        let parts = parts(dir)?;
        let names = match parts.first() {
            Some(path) => names(&open(path)?),
            None => Vec::new(),
        };
        Ok(Self { manifest, names, parts })
    }

    /// The files of all parts, in order.
    pub fn parts(&self) -> &[PathBuf] {
        &self.parts
    }

    /// Rows in all parts.
    pub fn rows(&self) -> Result<u64, StudyError> {
        self.parts.iter().map(|path| super::part::count(path)).sum()
    }

    /// The place of a column.
    pub fn place(&self, name: &str) -> Result<usize, StudyError> {
        self.names.iter().position(|n| n == name).ok_or_else(|| {
            let suggestion = nearest(name, self.names.iter().map(String::as_str));
            StudyError::NoColumn { name: name.into(), suggestion }
        })
    }

    /// Columns of one part, by their places.
    pub fn read(&self, part: usize, places: &[usize]) -> Result<Vec<Column>, StudyError> {
        let reader = open(&self.parts[part])?;
        places.iter().map(|place| column(&reader, *place, &self.parts[part])).collect()
    }
}

fn names(reader: &SerializedFileReader<File>) -> Vec<String> {
    let schema = reader.metadata().file_metadata().schema_descr();
    schema.columns().iter().map(|c| c.name().to_string()).collect()
}

/// The files of parts in a folder, in order.
pub fn parts(dir: &Path) -> Result<Vec<PathBuf>, StudyError> {
    let folder = dir.join(PARTS);
    let entries = match std::fs::read_dir(&folder) {
        Ok(entries) => entries,
        Err(e) if e.kind() == std::io::ErrorKind::NotFound => return Ok(Vec::new()),
        Err(e) => return Err(ReportError::io("read", &folder)(e).into()),
    };
    let mut all = Vec::new();
    for entry in entries {
        let entry = entry.map_err(ReportError::io("read", &folder))?;
        let first = entry.file_name().to_str().and_then(first_of);
        all.extend(first.map(|first| (first, entry.path())));
    }
    all.sort();
    Ok(all.into_iter().map(|(_, path)| path).collect())
}

fn column(
    reader: &SerializedFileReader<File>,
    place: usize,
    path: &Path,
) -> Result<Column, StudyError> {
    let wrap = |source| ReportError::Parquet { path: path.into(), source };
    let mut whole: Option<Column> = None;
    for group in 0..reader.num_row_groups() {
        let group = reader.get_row_group(group).map_err(wrap)?;
        let rows = usize::try_from(group.metadata().num_rows()).unwrap_or(0);
        let part = match group.get_column_reader(place).map_err(wrap)? {
            ColumnReader::DoubleColumnReader(mut r) => {
                let (mut levels, mut values) = (Vec::new(), Vec::new());
                r.read_records(rows, Some(&mut levels), None, &mut values).map_err(wrap)?;
                Column::Numbers(spread(&levels, values.into_iter(), f64::NAN))
            }
            ColumnReader::Int64ColumnReader(mut r) => {
                let mut values = Vec::new();
                r.read_records(rows, None, None, &mut values).map_err(wrap)?;
                Column::Numbers(values.iter().map(|x| *x as f64).collect())
            }
            ColumnReader::ByteArrayColumnReader(mut r) => {
                let (mut levels, mut values) = (Vec::new(), Vec::new());
                r.read_records(rows, Some(&mut levels), None, &mut values).map_err(wrap)?;
                let text = |t: &parquet::data_type::ByteArray| {
                    Some(String::from_utf8_lossy(t.data()).into_owned())
                };
                Column::Texts(spread(&levels, values.iter().map(text), None))
            }
            _ => {
                let problem = "it has a column that carom does not write";
                return Err(StudyError::Damaged { path: path.into(), problem });
            }
        };
        match (&mut whole, part) {
            (Some(Column::Numbers(all)), Column::Numbers(part)) => all.extend(part),
            (Some(Column::Texts(all)), Column::Texts(part)) => all.extend(part),
            (_, part) => whole = Some(part),
        }
    }
    Ok(whole.unwrap_or(Column::Numbers(Vec::new())))
}

/// Values where levels say that there are any.
fn spread<T: Clone>(levels: &[i16], mut values: impl Iterator<Item = T>, none: T) -> Vec<T> {
    let one = |level: &i16| match level {
        0 => none.clone(),
        _ => values.next().unwrap_or(none.clone()),
    };
    levels.iter().map(one).collect()
}

/// The rows of a part that is not whole, to go on with it.
pub fn rows_of(path: &Path, results: &[String]) -> Result<Vec<Row>, StudyError> {
    let reader = open(path)?;
    let names = names(&reader);
    let damaged = |problem| StudyError::Damaged { path: path.into(), problem };
    let get = |name: &str| {
        let place = names.iter().position(|n| n == name);
        let place = place.ok_or_else(|| damaged("a column is missing"))?;
        column(&reader, place, path)
    };
    let (stop, message, hash) = (get(STOP)?.texts(), get(MESSAGE)?.texts(), get(HASH)?.texts());
    let (number, stop_time) = (get(ROW)?.numbers(), get(STOP_TIME)?.numbers());
    let results: Vec<Vec<f64>> =
        results.iter().map(|name| get(name).map(Column::numbers)).collect::<Result<_, _>>()?;
    let hash = |k: usize| u64::from_str_radix(hash[k].as_deref()?, 16).ok();
    let row = |k: usize| {
        Some(Row {
            number: number[k] as u64,
            results: results.iter().map(|column| column[k]).collect(),
            stop: stop[k].clone()?,
            stop_time: stop_time[k],
            message: message[k].clone(),
            hash: hash(k)?,
        })
    };
    let rows = (0..stop.len()).map(row).collect::<Option<Vec<_>>>();
    rows.ok_or_else(|| damaged("a row has no ending"))
}
