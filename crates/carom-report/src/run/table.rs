//! The columns of a run in memory.

use super::care::Care;
use super::columns::Columns;
use super::trajectory::{TrajectoryReader, Values, whole_column};
use crate::error::ReportError;
use std::path::Path;

/// What the columns of modes are called before the name of their site.
const MODE: &str = "mode.";

/// A column of numbers.
#[derive(Debug, Clone, PartialEq)]
pub struct NumberColumn {
    /// Name, such as `q.ball.z`.
    pub name: String,
    /// Unit; empty for a pure number.
    pub unit: String,
    /// One number per sample.
    pub values: Vec<f64>,
}

/// All columns of a run, `t` first.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Table {
    /// Columns of numbers.
    pub numbers: Vec<NumberColumn>,
    /// Modes by site, as codes.
    pub modes: Vec<(String, Vec<u8>)>,
}

impl Table {
    /// No rows yet.
    pub(super) fn empty(columns: &Columns) -> Self {
        let number = |c: &super::columns::Column| NumberColumn {
            name: c.name.clone(),
            unit: c.unit.into(),
            values: Vec::new(),
        };
        let site = |name: &String| name.strip_prefix(MODE).unwrap_or(name).to_string();
        Self {
            numbers: columns.numbers.iter().map(number).collect(),
            modes: columns.modes.iter().map(|name| (site(name), Vec::new())).collect(),
        }
    }

    /// Adds a row.
    pub(super) fn push(&mut self, row: &[f64], modes: &[u8]) {
        for (column, x) in self.numbers.iter_mut().zip(row) {
            column.values.push(*x);
        }
        for ((_, codes), code) in self.modes.iter_mut().zip(modes) {
            codes.push(*code);
        }
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
                    table.numbers.push(NumberColumn { name: name.clone(), unit, values });
                }
                Values::Modes(codes) => {
                    let site = name.strip_prefix(MODE).unwrap_or(name);
                    table.modes.push((site.into(), codes));
                }
            }
        }
        Ok(table)
    }

    /// Keeps the first rows.
    pub(super) fn truncate(&mut self, rows: usize) {
        self.numbers.iter_mut().for_each(|c| c.values.truncate(rows));
        self.modes.iter_mut().for_each(|(_, codes)| codes.truncate(rows));
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
        self.place(name).map(|k| self.numbers[k].values.as_slice())
    }

    /// Codes of the modes of a site.
    pub fn codes(&self, site: &str) -> Option<&[u8]> {
        self.modes.iter().find(|(name, _)| name == site).map(|(_, codes)| codes.as_slice())
    }
}
