//! The tree of a TOML file, with the place of everything in it.

use crate::source::Spot;
use std::collections::HashMap;

/// A value and where it is written.
#[derive(Debug, Clone)]
pub(crate) struct Node {
    pub value: Value,
    pub spot: Spot,
}

/// What a value may be.
#[derive(Debug, Clone)]
pub(crate) enum Value {
    Text(String),
    Integer(i64),
    Float(f64),
    Flag(bool),
    Date,
    List(Vec<Node>),
    Table(Table),
}

impl Node {
    /// The type in words, for messages.
    pub fn found(&self) -> &'static str {
        match &self.value {
            Value::Text(_) => "a text",
            Value::Integer(_) | Value::Float(_) => "a number",
            Value::Flag(_) => "true or false",
            Value::Date => "a date",
            Value::List(_) => "a list",
            Value::Table(_) => "a table",
        }
    }

    /// As a number; integers count.
    pub fn number(&self) -> Option<f64> {
        match self.value {
            Value::Integer(i) => Some(i as f64),
            Value::Float(x) => Some(x),
            _ => None,
        }
    }

    /// As a text.
    pub fn text(&self) -> Option<&str> {
        match &self.value {
            Value::Text(text) => Some(text),
            _ => None,
        }
    }

    /// As a list.
    pub fn list(&self) -> Option<&[Node]> {
        match &self.value {
            Value::List(list) => Some(list),
            _ => None,
        }
    }

    /// As a table.
    pub fn table(&self) -> Option<&Table> {
        match &self.value {
            Value::Table(table) => Some(table),
            _ => None,
        }
    }
}

/// A key of a table with its value.
#[derive(Debug, Clone)]
pub(crate) struct Entry {
    pub key: String,
    pub key_spot: Spot,
    pub node: Node,
}

/// A table in the order of its file.
#[derive(Debug, Clone, Default)]
pub(crate) struct Table {
    entries: Vec<Entry>,
    places: HashMap<String, usize>,
}

impl Table {
    /// All entries in the order of the file.
    pub fn entries(&self) -> &[Entry] {
        &self.entries
    }

    /// The entry of a key.
    pub fn entry(&self, key: &str) -> Option<&Entry> {
        self.places.get(key).map(|&i| &self.entries[i])
    }

    /// The value of a key.
    pub fn get(&self, key: &str) -> Option<&Node> {
        self.entry(key).map(|e| &e.node)
    }

    /// The value of a key, to be changed.
    pub fn get_mut(&mut self, key: &str) -> Option<&mut Node> {
        self.places.get(key).map(|&i| &mut self.entries[i].node)
    }

    /// Set a key; a new one goes to the end.
    pub fn insert(&mut self, key: &str, key_spot: Spot, node: Node) {
        match self.places.get(key) {
            Some(&i) => self.entries[i].node = node,
            None => {
                self.places.insert(key.into(), self.entries.len());
                self.entries.push(Entry { key: key.into(), key_spot, node });
            }
        }
    }
}
