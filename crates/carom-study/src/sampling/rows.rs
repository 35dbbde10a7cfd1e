//! A file with a row of values per line: CSV (RFC 4180) or Parquet.

use super::value::Value;
use crate::error::{StudyError, TableProblem};
use carom_report::ReportError;
use parquet::file::reader::{FileReader, SerializedFileReader};
use parquet::record::Field;
use std::fs::File;
use std::path::{Path, PathBuf};

/// Rows of values, kept in memory.
#[derive(Debug, Clone, PartialEq)]
pub struct RowTable {
    /// Names of the columns: parameters.
    pub names: Vec<String>,
    /// Values row by row.
    pub rows: Vec<Vec<Value>>,
}

impl RowTable {
    /// Reads a file by the end of its name.
    pub fn load(path: &Path) -> Result<Self, StudyError> {
        let read = Reading { path: path.into() };
        let table = match path.extension().and_then(|e| e.to_str()) {
            Some("csv") => read.csv(),
            Some("parquet") => read.parquet(),
            _ => Err(read.fault(0, TableProblem::Kind)),
        }?;
        match table.rows.is_empty() {
            true => Err(read.fault(1, TableProblem::Empty)),
            false => Ok(table),
        }
    }
}

struct Reading {
    path: PathBuf,
}

impl Reading {
    fn fault(&self, line: u64, problem: TableProblem) -> StudyError {
        StudyError::Table { path: self.path.clone(), line, problem }
    }

    fn csv(&self) -> Result<RowTable, StudyError> {
        let text =
            std::fs::read_to_string(&self.path).map_err(ReportError::io("read", &self.path))?;
        let mut table = RowTable { names: Vec::new(), rows: Vec::new() };
        let (mut rest, mut line) = (text.trim_start_matches('\u{feff}'), 0);
        while !rest.is_empty() {
            line += 1;
            let (cells, length) =
                record(rest).ok_or_else(|| self.fault(line, TableProblem::Quote))?;
            rest = &rest[length..];
            if table.names.is_empty() {
                table.names = cells.iter().map(|c| c.trim().to_string()).collect();
                continue;
            }
            if cells.len() == 1 && cells[0].trim().is_empty() {
                continue;
            }
            let (found, expected) = (cells.len(), table.names.len());
            if found != expected {
                return Err(self.fault(line, TableProblem::Width { found, expected }));
            }
            let values: Vec<Value> = cells.iter().map(|c| Value::read(c)).collect();
            self.check(&table.names, &values, line)?;
            table.rows.push(values);
        }
        Ok(table)
    }

    fn check(&self, names: &[String], values: &[Value], line: u64) -> Result<(), StudyError> {
        for (name, value) in names.iter().zip(values) {
            let told = match value {
                Value::Number(x) if x.is_nan() => "not a number",
                Value::Text(text) if text.is_empty() => "empty",
                _ => continue,
            };
            let problem = TableProblem::Value { column: name.clone(), value: told.into() };
            return Err(self.fault(line, problem));
        }
        Ok(())
    }

    fn parquet(&self) -> Result<RowTable, StudyError> {
        let wrap = |source| ReportError::Parquet { path: self.path.clone(), source };
        let file = File::open(&self.path).map_err(ReportError::io("read", &self.path))?;
        let reader = SerializedFileReader::new(file).map_err(wrap)?;
        let schema = reader.metadata().file_metadata().schema_descr();
        let names: Vec<String> =
            schema.columns().iter().map(|c| c.path().string().replace('"', "")).collect();
        let mut rows = Vec::new();
        for row in reader.get_row_iter(None).map_err(wrap)? {
            let row = row.map_err(wrap)?;
            let line = rows.len() as u64 + 1;
            let value = |(name, field): (&String, &Field)| {
                Ok(match field {
                    Field::Double(x) => Value::Number(*x),
                    Field::Float(x) => Value::Number(f64::from(*x)),
                    Field::Int(x) => Value::Number(f64::from(*x)),
                    Field::Long(x) => Value::Number(*x as f64),
                    Field::Bool(x) => Value::Text(x.to_string()),
                    Field::Str(x) => Value::read(x),
                    Field::Null => Value::Text(String::new()),
                    _ => {
                        let problem = TableProblem::Type { column: name.clone() };
                        return Err(self.fault(line, problem));
                    }
                })
            };
            let columns = row.get_column_iter().map(|(name, field)| value((name, field)));
            let values = columns.collect::<Result<Vec<_>, StudyError>>()?;
            self.check(&names, &values, line)?;
            rows.push(values);
        }
        Ok(RowTable { names, rows })
    }
}

/// The cells of the first record and its length; none if a quotation mark is open.
fn record(text: &str) -> Option<(Vec<String>, usize)> {
    let (mut cells, mut cell, mut quoted) = (Vec::new(), String::new(), false);
    let mut chars = text.char_indices().peekable();
    while let Some((at, c)) = chars.next() {
        match c {
            '"' if quoted && matches!(chars.peek(), Some((_, '"'))) => {
                chars.next();
                cell.push('"');
            }
            '"' if quoted || cell.trim().is_empty() => quoted = !quoted,
            ',' if !quoted => cells.push(std::mem::take(&mut cell)),
            '\n' if !quoted => {
                cells.push(cell.trim_end_matches('\r').to_string());
                return Some((cells, at + 1));
            }
            _ => cell.push(c),
        }
    }
    cells.push(cell);
    (!quoted).then_some((cells, text.len()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn records() {
        let text = "a,\"b,\"\"c\"\"\",3\r\nx\n";
        let (cells, length) = record(text).unwrap();
        assert_eq!(cells, ["a", "b,\"c\"", "3"]);
        assert_eq!(record(&text[length..]).unwrap(), (vec!["x".to_string()], 2));
        assert_eq!(record("\"open, 1\n2"), None);
    }
}
