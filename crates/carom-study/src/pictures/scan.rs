//! Rows one after the other, part by part.

use crate::dataset::{Column, Reader};
use crate::error::StudyError;
use carom_scene::expression::Formula;

/// Columns of a dataset, and which rows count.
pub struct Scan<'a> {
    reader: &'a Reader,
    condition: Option<Formula>,
}

impl<'a> Scan<'a> {
    /// All rows, or those for which a condition over columns holds.
    pub fn new(reader: &'a Reader, condition: Option<&str>) -> Result<Self, StudyError> {
        let read = |text: &str| {
            Formula::of_names(text, &reader.names).map_err(|source| StudyError::Expression {
                what: "condition",
                name: text.into(),
                source,
            })
        };
        Ok(Self { reader, condition: condition.map(read).transpose()? })
    }

    /// Tells the numbers of the columns at `places`, row by row.
    pub fn numbers(
        &self,
        places: &[usize],
        mut told: impl FnMut(&[f64]),
    ) -> Result<u64, StudyError> {
        let mut row = vec![f64::NAN; places.len()];
        let mut count = 0;
        for part in 0..self.reader.parts().len() {
            let columns = self.reader.read(part, places)?;
            let columns: Vec<Vec<f64>> = columns.into_iter().map(Column::numbers).collect();
            let chosen = self.chosen(part)?;
            for k in 0..columns.first().map_or(0, Vec::len) {
                if chosen.as_ref().is_none_or(|c| c[k]) {
                    row.iter_mut().zip(&columns).for_each(|(x, column)| *x = column[k]);
                    told(&row);
                    count += 1;
                }
            }
        }
        Ok(count)
    }

    /// Tells the numbers of the columns at `places` and the text of another, row by row.
    pub fn classes(
        &self,
        places: &[usize],
        class: usize,
        mut told: impl FnMut(&[f64], Option<&str>),
    ) -> Result<(), StudyError> {
        for part in 0..self.reader.parts().len() {
            let columns = self.reader.read(part, places)?;
            let columns: Vec<Vec<f64>> = columns.into_iter().map(Column::numbers).collect();
            let texts = self.reader.read(part, &[class])?.remove(0).texts();
            let chosen = self.chosen(part)?;
            for (k, text) in texts.iter().enumerate() {
                if chosen.as_ref().is_none_or(|c| c[k]) {
                    let row: Vec<f64> = columns.iter().map(|c| c[k]).collect();
                    told(&row, text.as_deref());
                }
            }
        }
        Ok(())
    }

    /// Least and largest number of each column.
    pub fn ranges(&self, places: &[usize]) -> Result<Vec<[f64; 2]>, StudyError> {
        let mut ranges = vec![[f64::INFINITY, f64::NEG_INFINITY]; places.len()];
        self.numbers(places, |row| {
            for (range, x) in ranges.iter_mut().zip(row).filter(|(_, x)| x.is_finite()) {
                *range = [range[0].min(*x), range[1].max(*x)];
            }
        })?;
        Ok(ranges)
    }

    fn chosen(&self, part: usize) -> Result<Option<Vec<bool>>, StudyError> {
        let Some(condition) = &self.condition else { return Ok(None) };
        let width = self.reader.names.len();
        let places: Vec<usize> =
            (0..width).filter(|place| condition.asks(&(*place..*place + 1))).collect();
        let columns = self.reader.read(part, &places)?;
        let columns: Vec<Vec<f64>> = columns.into_iter().map(Column::numbers).collect();
        let rows = columns.first().map_or(0, Vec::len);
        let mut values = vec![f64::NAN; width];
        let holds = |k: usize| {
            for (place, column) in places.iter().zip(&columns) {
                values[*place] = column[k];
            }
            let x = condition.value(&values);
            x != 0.0 && !x.is_nan()
        };
        Ok((!columns.is_empty()).then(|| (0..rows).map(holds).collect()))
    }
}
