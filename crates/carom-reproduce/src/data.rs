//! Numbers for files: named columns, written as CSV.

use std::fmt::Write;

/// Columns of numbers, and of words where a number would not do.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Data {
    /// Name of the file without its ending.
    pub name: String,
    /// Names of the columns, with the unit after a dot: `phi.deg`, `energy.J`.
    pub columns: Vec<String>,
    rows: Vec<Vec<String>>,
}

impl Data {
    /// Data without rows.
    pub fn new(name: impl Into<String>, columns: &[&str]) -> Self {
        let columns = columns.iter().map(|c| c.to_string()).collect();
        Self { name: name.into(), columns, rows: Vec::new() }
    }

    /// Adds a row of numbers; missing ones at the end stay empty, surplus ones are left out.
    pub fn row(&mut self, numbers: &[f64]) {
        self.words(numbers.iter().map(|x| number(*x)).collect());
    }

    /// Adds a row whose first entries are words.
    pub fn labelled(&mut self, labels: &[&str], numbers: &[f64]) {
        let labels = labels.iter().map(|l| quoted(l));
        self.words(labels.chain(numbers.iter().map(|x| number(*x))).collect());
    }

    fn words(&mut self, mut row: Vec<String>) {
        row.resize(self.columns.len(), String::new());
        self.rows.push(row);
    }

    /// Number of rows.
    pub fn len(&self) -> usize {
        self.rows.len()
    }

    /// Whether there is no row.
    pub fn is_empty(&self) -> bool {
        self.rows.is_empty()
    }

    /// The file: a line of names, then one line per row, numbers to the last bit.
    pub fn csv(&self) -> String {
        let mut text = String::new();
        let header: Vec<_> = self.columns.iter().map(|c| quoted(c)).collect();
        let _ = writeln!(text, "{}", header.join(","));
        for row in &self.rows {
            let _ = writeln!(text, "{}", row.join(","));
        }
        text
    }
}

fn number(x: f64) -> String {
    if x.is_finite() { format!("{x}") } else { String::new() }
}

fn quoted(text: &str) -> String {
    let plain = !text.contains([',', '"', '\n', '\r']);
    if plain { text.into() } else { format!("\"{}\"", text.replace('"', "\"\"")) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn csv_keeps_every_bit_and_quotes_words() {
        let mut data = Data::new("x", &["law", "a.m", "b"]);
        data.labelled(&["differential, energetic"], &[0.1 + 0.2, f64::NAN]);
        data.labelled(&["newton"], &[1.0]);
        assert_eq!(
            data.csv(),
            "law,a.m,b\n\"differential, energetic\",0.30000000000000004,\nnewton,1,\n"
        );
        assert_eq!(data.len(), 2);
    }
}
