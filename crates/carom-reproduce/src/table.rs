//! A table for readers.

use serde::{Deserialize, Serialize};

/// Words and numbers as they are shown.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
pub struct Table {
    /// What it shows.
    pub title: String,
    /// Heads of the columns, with units.
    pub header: Vec<String>,
    /// Rows as long as the header.
    pub rows: Vec<Vec<String>>,
}

impl Table {
    /// A table without rows.
    pub fn new(title: impl Into<String>, header: &[&str]) -> Self {
        let header = header.iter().map(|h| h.to_string()).collect();
        Self { title: title.into(), header, rows: Vec::new() }
    }

    /// Adds a row; it is cut or filled to the length of the header.
    pub fn row<S: Into<String>>(&mut self, cells: impl IntoIterator<Item = S>) {
        let mut row: Vec<String> = cells.into_iter().map(Into::into).collect();
        row.resize(self.header.len(), String::new());
        self.rows.push(row);
    }
}
