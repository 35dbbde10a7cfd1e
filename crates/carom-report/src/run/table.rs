//! The columns of a run in memory.

use super::care::Care;
use super::columns::Columns;
use super::trajectory::{TrajectoryReader, Values, whole_column};
use crate::error::ReportError;
use std::fmt;
use std::ops::Deref;
use std::path::Path;
use std::sync::Arc;

/// What the columns of modes are called before the name of their site.
const MODE: &str = "mode.";

/// The numbers of a column. All columns of a table lie one after the other in one buffer, so that
/// neighbours, such as all coordinates, are a matrix without a copy.
#[derive(Clone)]
pub struct Numbers {
    buffer: Arc<[f64]>,
    first: usize,
    count: usize,
}

impl Deref for Numbers {
    type Target = [f64];

    fn deref(&self) -> &[f64] {
        &self.buffer[self.first..self.first + self.count]
    }
}

impl From<Vec<f64>> for Numbers {
    fn from(numbers: Vec<f64>) -> Self {
        Self { first: 0, count: numbers.len(), buffer: numbers.into() }
    }
}

impl fmt::Debug for Numbers {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list().entries(self.iter()).finish()
    }
}

impl PartialEq for Numbers {
    fn eq(&self, other: &Self) -> bool {
        **self == **other
    }
}

/// A column of numbers.
#[derive(Debug, Clone, PartialEq)]
pub struct NumberColumn {
    /// Name, such as `q.ball.z`.
    pub name: String,
    /// Unit; empty for a pure number.
    pub unit: String,
    /// One number per sample.
    pub values: Numbers,
}

/// All columns of a run, `t` first.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Table {
    /// Columns of numbers.
    pub numbers: Vec<NumberColumn>,
    /// Modes by site, as codes.
    pub modes: Vec<(String, Vec<u8>)>,
}

/// Rows of a run under way, one after the other.
#[derive(Debug, Clone, Default)]
pub(super) struct Rows {
    numbers: Vec<f64>,
    modes: Vec<u8>,
    count: usize,
}

impl Rows {
    /// Adds a row.
    pub fn push(&mut self, row: &[f64], modes: &[u8]) {
        self.numbers.extend_from_slice(row);
        self.modes.extend_from_slice(modes);
        self.count += 1;
    }

    /// The columns that the rows make.
    pub fn table(&self, columns: &Columns) -> Table {
        let site = |name: &String| name.strip_prefix(MODE).unwrap_or(name).to_string();
        let codes = by_column(&self.modes, self.count, columns.modes.len());
        let of_site = |k: usize| codes[k * self.count..(k + 1) * self.count].to_vec();
        let buffer = by_column(&self.numbers, self.count, columns.numbers.len()).into();
        let number = |(k, c): (usize, &super::columns::Column)| NumberColumn {
            name: c.name.clone(),
            unit: c.unit.into(),
            values: Numbers {
                buffer: Arc::clone(&buffer),
                first: k * self.count,
                count: self.count,
            },
        };
        Table {
            numbers: columns.numbers.iter().enumerate().map(number).collect(),
            modes: columns.modes.iter().enumerate().map(|(k, m)| (site(m), of_site(k))).collect(),
        }
    }
}

/// Rows as columns, one after the other; a block of rows at a time stays in the cache.
fn by_column<T: Copy + Default>(rows: &[T], count: usize, width: usize) -> Vec<T> {
    const BLOCK: usize = 64;
    let mut columns = vec![T::default(); rows.len()];
    for start in (0..count).step_by(BLOCK) {
        for k in 0..width {
            for row in start..count.min(start + BLOCK) {
                columns[k * count + row] = rows[row * width + k];
            }
        }
    }
    columns
}

impl Table {
    /// Puts all columns into one buffer.
    fn pack(&mut self) {
        let mut buffer = Vec::with_capacity(self.numbers.iter().map(|c| c.values.len()).sum());
        self.numbers.iter().for_each(|c| buffer.extend_from_slice(&c.values));
        let buffer: Arc<[f64]> = buffer.into();
        let mut first = 0;
        for column in &mut self.numbers {
            let count = column.values.len();
            column.values = Numbers { buffer: Arc::clone(&buffer), first, count };
            first += count;
        }
    }

    /// So many columns from `first` on, one after the other in one piece of memory.
    pub fn block(&self, first: usize, count: usize) -> Option<&[f64]> {
        let columns = self.numbers.get(first..first + count)?;
        let start = columns.first()?.values.first;
        let follow = columns.iter().enumerate().all(|(k, c)| {
            Arc::ptr_eq(&c.values.buffer, &columns[0].values.buffer)
                && c.values.first == start + k * self.len()
                && c.values.count == self.len()
        });
        follow.then(|| &columns[0].values.buffer[start..start + count * self.len()])
    }

    /// Reads a trajectory from disk, so many row groups of it.
    pub(super) fn read(path: &Path, groups: usize, care: &mut Care) -> Result<Self, ReportError> {
        let reader = TrajectoryReader::open(path)?.first(groups);
        let units = reader.units();
        let mut table = Self::default();
        for (column, name) in reader.names.iter().enumerate() {
            match whole_column(&reader, column, care)? {
                Values::Numbers(values) => {
                    let unit = units.get(name).cloned().unwrap_or_default();
                    let values = values.into();
                    table.numbers.push(NumberColumn { name: name.clone(), unit, values });
                }
                Values::Modes(codes) => {
                    let site = name.strip_prefix(MODE).unwrap_or(name);
                    table.modes.push((site.into(), codes));
                }
            }
        }
        table.pack();
        Ok(table)
    }

    /// Keeps the first rows.
    pub(super) fn truncate(&mut self, rows: usize) {
        self.modes.iter_mut().for_each(|(_, codes)| codes.truncate(rows));
        if self.numbers.iter().any(|c| c.values.len() > rows) {
            self.numbers.iter_mut().for_each(|c| c.values.count = c.values.count.min(rows));
            self.pack();
        }
    }

    /// Times of the samples, s.
    pub fn t(&self) -> &[f64] {
        self.numbers.first().map_or(&[], |c| &c.values)
    }

    /// Number of samples.
    pub fn len(&self) -> usize {
        self.t().len()
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Place of a column by its name.
    pub fn place(&self, name: &str) -> Option<usize> {
        self.numbers.iter().position(|c| c.name == name)
    }

    /// A column by its name.
    pub fn column(&self, name: &str) -> Option<&[f64]> {
        self.place(name).map(|k| &*self.numbers[k].values)
    }

    /// Codes of the modes of a site.
    pub fn codes(&self, site: &str) -> Option<&[u8]> {
        self.modes.iter().find(|(name, _)| name == site).map(|(_, codes)| codes.as_slice())
    }
}
