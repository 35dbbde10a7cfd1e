//! The texts that a scene is read from, and places in them.

use std::cell::OnceCell;
use std::fmt;

/// A stretch of one of the texts, in bytes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Spot {
    /// Which text.
    pub source: usize,
    /// First byte.
    pub start: usize,
    /// One behind the last byte.
    pub end: usize,
}

/// Where a value was written.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Place {
    /// In a file.
    File {
        /// Name of the file as it was given.
        file: String,
        /// Line, from 1.
        line: usize,
        /// Column in characters, from 1.
        column: usize,
    },
    /// In an override of the command line.
    Override {
        /// The override as it was given, `path=value`.
        text: String,
    },
    /// A file as a whole.
    Whole {
        /// Name of the file as it was given.
        file: String,
    },
}

impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::File { file, line, column } => write!(f, "{file}:{line}:{column}"),
            Self::Override { text } => write!(f, "--set {text}"),
            Self::Whole { file } => write!(f, "{file}"),
        }
    }
}

/// One text with its name.
#[derive(Debug, Clone)]
struct Source {
    name: String,
    text: String,
    is_override: bool,
    /// Line and column at every so many bytes, once they are asked for.
    marks: OnceCell<Vec<Mark>>,
}

/// Line and column at a byte, both counted from 0.
#[derive(Debug, Clone, Copy)]
struct Mark {
    byte: usize,
    line: usize,
    column: usize,
}

impl Mark {
    /// The mark at a byte further on in the same text.
    fn on(mut self, text: &str, byte: usize) -> Self {
        for c in text[self.byte..byte].chars() {
            if c == '\n' {
                (self.line, self.column) = (self.line + 1, 0);
            } else {
                self.column += 1;
            }
        }
        Self { byte, ..self }
    }
}

/// Bytes between two marks: a scene with many warnings is not counted through for each of them.
const STRIDE: usize = 4096;

impl Source {
    fn new(name: &str, text: &str, is_override: bool) -> Self {
        Self { name: name.into(), text: text.into(), is_override, marks: OnceCell::new() }
    }

    /// Line and column at a byte.
    fn mark(&self, byte: usize) -> Mark {
        let marks = self.marks.get_or_init(|| {
            let mut marks = vec![Mark { byte: 0, line: 0, column: 0 }];
            for at in (STRIDE..self.text.len()).step_by(STRIDE) {
                let last = marks[marks.len() - 1];
                marks.push(last.on(&self.text, floor(&self.text, at)));
            }
            marks
        });
        let before = marks.partition_point(|mark| mark.byte <= byte).max(1) - 1;
        marks[before].on(&self.text, byte)
    }
}

/// All texts of a scene: the file itself, overrides, included files.
#[derive(Debug, Clone, Default)]
pub(crate) struct Sources {
    list: Vec<Source>,
}

/// Longest excerpt shown in a message, in characters.
const EXCERPT: usize = 60;

impl Sources {
    /// Add a file; its number is returned.
    pub fn add_file(&mut self, name: &str, text: &str) -> usize {
        self.list.push(Source::new(name, text, false));
        self.list.len() - 1
    }

    /// Add an override `path=value`.
    pub fn add_override(&mut self, text: &str) -> usize {
        self.list.push(Source::new("", text, true));
        self.list.len() - 1
    }

    /// Whether there is a file of this name.
    pub fn has(&self, name: &str) -> bool {
        self.list.iter().any(|s| !s.is_override && s.name == name)
    }

    /// The text of a source.
    pub fn text(&self, source: usize) -> &str {
        &self.list[source].text
    }

    /// The texts in the order in which they were added.
    pub fn texts(&self) -> impl Iterator<Item = &str> {
        self.list.iter().map(|s| s.text.as_str())
    }

    /// Names and texts of the files, without the overrides.
    pub fn files(&self) -> impl Iterator<Item = (&str, &str)> {
        let files = self.list.iter().filter(|s| !s.is_override);
        files.map(|s| (s.name.as_str(), s.text.as_str()))
    }

    /// Line and column of a spot.
    pub fn place(&self, spot: Spot) -> Place {
        let source = &self.list[spot.source];
        if source.is_override {
            return Place::Override { text: shorten(&source.text) };
        }
        let mark = source.mark(floor(&source.text, spot.start));
        Place::File { file: source.name.clone(), line: mark.line + 1, column: mark.column + 1 }
    }

    /// What is written at a spot, on one line and not too long.
    pub fn excerpt(&self, spot: Spot) -> String {
        let text = &self.list[spot.source].text;
        let start = floor(text, spot.start);
        let end = floor(text, spot.end).max(start);
        shorten(&text[start..end])
    }
}

/// The nearest character boundary at or below a byte.
fn floor(text: &str, at: usize) -> usize {
    let mut at = at.min(text.len());
    while !text.is_char_boundary(at) {
        at -= 1;
    }
    at
}

/// A text on one line without control characters and not too long for a message.
pub(crate) fn shorten(text: &str) -> String {
    let mut out = String::new();
    let mut gap = false;
    for (i, c) in text.trim().chars().enumerate() {
        if i >= EXCERPT {
            out.push('…');
            break;
        }
        let blank = c.is_whitespace() || c.is_control();
        if !blank {
            out.push(c);
        } else if !gap {
            out.push(' ');
        }
        gap = blank;
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn places_count_lines_and_characters() {
        let mut sources = Sources::default();
        let s = sources.add_file("a.toml", "x = 1\nµ = 2\n");
        let spot = |start, end| Spot { source: s, start, end };
        assert_eq!(sources.place(spot(0, 1)).to_string(), "a.toml:1:1");
        // µ takes two bytes and one column.
        assert_eq!(sources.place(spot(11, 12)).to_string(), "a.toml:2:5");
        assert_eq!(sources.excerpt(spot(11, 12)), "2");
        // Inside a character and beyond the end: no panic.
        assert_eq!(sources.place(spot(7, 99)).to_string(), "a.toml:2:1");
        assert_eq!(sources.excerpt(spot(50, 99)), "");
    }

    #[test]
    fn excerpts_are_short_and_on_one_line() {
        // Far into a text, in the middle of a line.
        let long = format!("{}\n{}ü", "x\n".repeat(5000), "ü".repeat(9000));
        let mut sources = Sources::default();
        let source = sources.add_file("long", &long);
        let start = long.len() - 2;
        let place = sources.place(Spot { source, start, end: long.len() });
        assert_eq!(place, Place::File { file: "long".into(), line: 5002, column: 9001 });
        assert_eq!(shorten("[1,\n   2]"), "[1, 2]");
        assert_eq!(shorten(&"x".repeat(1000)).chars().count(), EXCERPT + 1);
    }
}
