//! Torque tables in CSV files: a first line with `t` and names of actuators, then numbers.
//!
//! Blank lines and lines that start with `#` are passed over. Faults name line and column of the file.

use crate::error::Flaw;
use crate::fault::Fault;
use crate::files::Files;
use crate::read::controller::Plant;
use crate::read::view::View;
use crate::source::{Sources, Spot};
use crate::suggest::nearest;
use carom::control::{ControlError, Interpolation, TorqueTable};

/// A cell of the file.
struct Cell<'a> {
    text: &'a str,
    spot: Spot,
}

/// The table of the file that a controller names, for its `own` actuators.
pub(crate) fn torque_table(
    view: &View<'_>,
    (plant, own): (&Plant<'_>, &[usize]),
    interpolation: Interpolation,
    (sources, files): (&mut Sources, &mut Files),
) -> Result<TorqueTable, Flaw> {
    let file = view.text("file").ok_or_else(|| view.missing("file", "a path"))?;
    let source = files.source(file, sources).map_err(|fault| view.flaw("file", fault))?;
    let owner = format!("torque table `{}`", crate::source::shorten(file));
    let rows = rows(sources.text(source), source);
    let Some((header, numbers)) = rows.split_first() else {
        return Err(Flaw::at(Spot { source, start: 0, end: 0 }, Fault::EmptyTable { owner }));
    };
    let names: Vec<&str> = own.iter().map(|&i| plant.actuators[i].name.as_str()).collect();
    let columns = columns(header, &names, &owner)?;
    let Some(first) = numbers.first() else {
        return Err(Flaw::at(header[0].spot, Fault::EmptyTable { owner }));
    };
    let mut table = Vec::with_capacity(numbers.len());
    for row in numbers {
        table.push(read_row(row, header.len(), &columns, &owner)?);
    }
    TorqueTable::new(own.to_vec(), &table, interpolation).map_err(|source| {
        let row = match source {
            ControlError::Order { row, .. } | ControlError::Row { row, .. } => &numbers[row],
            _ => first,
        };
        Flaw::word(row[columns[0]].spot, Fault::Control { source })
    })
}

/// Lines as cells.
fn rows(text: &str, source: usize) -> Vec<Vec<Cell<'_>>> {
    let mut rows = Vec::new();
    let mut start = 0;
    for line in text.split_inclusive('\n') {
        let content = line.trim_end_matches(['\n', '\r']);
        if !content.trim().is_empty() && !content.trim_start().starts_with('#') {
            let mut at = start;
            let mut cells = Vec::new();
            for cell in content.split(',') {
                let lead = cell.len() - cell.trim_start().len();
                let text = cell.trim();
                let begin = at + lead;
                let spot = Spot { source, start: begin, end: begin + text.len() };
                cells.push(Cell { text, spot });
                at += cell.len() + 1;
            }
            rows.push(cells);
        }
        start += line.len();
    }
    rows
}

/// Places of `t` and of each actuator; every column must be one of them.
fn columns(header: &[Cell<'_>], names: &[&str], owner: &str) -> Result<Vec<usize>, Flaw> {
    let known = || std::iter::once("t").chain(names.iter().copied());
    for (i, cell) in header.iter().enumerate() {
        if !known().any(|n| n == cell.text) {
            let fault = Fault::UnknownKey {
                owner: owner.into(),
                what: "column",
                name: crate::source::shorten(cell.text),
                suggestion: nearest(cell.text, known()),
                known: known().map(str::to_string).collect(),
            };
            return Err(Flaw::word(cell.spot, fault));
        }
        if header[..i].iter().any(|c| c.text == cell.text) {
            let name = cell.text.to_string();
            return Err(Flaw::word(cell.spot, Fault::Duplicate { what: "column", name }));
        }
    }
    let place = |name: &str| {
        header.iter().position(|c| c.text == name).ok_or_else(|| {
            let fault = Fault::MissingColumn { owner: owner.into(), column: name.into() };
            Flaw::at(header[0].spot, fault)
        })
    };
    known().map(place).collect()
}

fn read_row(
    row: &[Cell<'_>],
    width: usize,
    columns: &[usize],
    owner: &str,
) -> Result<Vec<f64>, Flaw> {
    if row.len() != width {
        let fault = Fault::Length {
            owner: owner.into(),
            key: "row".into(),
            expected: format!("{width} numbers, as the first line has names"),
            found: row.len(),
        };
        return Err(Flaw::at(row[0].spot, fault));
    }
    let number = |&column: &usize| {
        let cell = &row[column];
        let fault = || Fault::Unreadably {
            owner: owner.into(),
            key: crate::source::shorten(cell.text),
            expected: "a finite number",
        };
        let value: Option<f64> = cell.text.parse().ok();
        value.filter(|x| x.is_finite()).ok_or_else(|| Flaw::word(cell.spot, fault()))
    };
    columns.iter().map(number).collect()
}
