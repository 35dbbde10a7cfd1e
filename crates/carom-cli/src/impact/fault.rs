//! What can be wrong with the text of a problem, and where.

use std::fmt;

use carom::impact::ImpactError;

/// A problem that could not be read or resolved.
#[derive(Debug)]
pub struct Fault {
    /// Field, as `contacts[0].normal[2]`; empty for the whole problem.
    path: String,
    kind: Kind,
}

#[derive(Debug)]
enum Kind {
    Syntax { expected: &'static str, found: String, column: usize },
    Missing { field: &'static str },
    Length { expected: usize, found: usize },
    Unknown { meant: &'static str },
    Value { found: String, allowed: &'static str },
    NotUtf8 { column: usize },
    NotFinite,
    Impact { error: ImpactError, strict: bool },
}

impl Fault {
    fn new(kind: Kind) -> Self {
        Self { path: String::new(), kind }
    }

    /// Something else than expected at a byte of a text.
    pub fn syntax(text: &str, at: usize, expected: &'static str) -> Self {
        let rest = text.get(at..).unwrap_or("");
        let ends = |c: char| c.is_whitespace() || matches!(c, ',' | ']' | '}' | ':');
        let first = rest.chars().next().map_or(0, char::len_utf8);
        let end = rest.find(ends).unwrap_or(rest.len()).max(first);
        let mut found: String = rest[..end].chars().take(24).collect();
        if found.len() < end {
            found.push('…');
        }
        let column = text.get(..at).unwrap_or(text).chars().count() + 1;
        Self::new(Kind::Syntax { expected, found, column })
    }

    /// A field that must be given.
    pub fn missing(field: &'static str) -> Self {
        Self::new(Kind::Missing { field })
    }

    /// A list of the wrong length.
    pub fn length(expected: usize, found: usize) -> Self {
        Self::new(Kind::Length { expected, found })
    }

    /// A field that looks like a misspelt one.
    pub fn unknown(meant: &'static str) -> Self {
        Self::new(Kind::Unknown { meant })
    }

    /// A word that is not one of those allowed.
    pub fn value(found: &str, allowed: &'static str) -> Self {
        Self::new(Kind::Value { found: found.to_owned(), allowed })
    }

    /// Bytes that are no text.
    pub fn not_utf8(at: usize) -> Self {
        Self::new(Kind::NotUtf8 { column: at + 1 })
    }

    /// An answer with NaN or infinite numbers.
    pub fn not_finite() -> Self {
        Self::new(Kind::NotFinite)
    }

    /// The law has no answer, and nothing was allowed to stand in for it.
    pub fn strict(error: ImpactError) -> Self {
        Self::new(Kind::Impact { error, strict: true })
    }

    /// The same fault, seen from the object that has it in field `name`.
    pub fn within(mut self, name: &str) -> Self {
        let dot = if self.path.is_empty() || self.path.starts_with('[') { "" } else { "." };
        self.path = format!("{name}{dot}{}", self.path);
        self
    }

    /// The same fault, seen from the array that has it at `index`.
    pub fn at_index(mut self, index: usize) -> Self {
        let dot = if self.path.is_empty() || self.path.starts_with('[') { "" } else { "." };
        self.path = format!("[{index}]{dot}{}", self.path);
        self
    }

    /// What the user can do about it.
    pub fn hint(&self) -> &'static str {
        match &self.kind {
            Kind::Syntax { .. } => {
                "a problem is one JSON object; JSON has no NaN, infinity, comments or trailing commas"
            }
            Kind::Missing { .. } => {
                "a problem needs mass_matrix, velocity and contacts; a contact needs normal and restitution, and friction if it has tangents"
            }
            Kind::Length { .. } => {
                "all rows of a matrix have the same length, one entry per velocity"
            }
            Kind::Unknown { .. } => {
                "correct the name; fields that resemble no known one are ignored"
            }
            Kind::Value { .. } => "`carom laws` lists the laws and their options",
            Kind::NotUtf8 { .. } => "save the file as UTF-8",
            Kind::NotFinite => "the problem is badly scaled: check units and masses",
            Kind::Impact { error, strict } => law_hint(error, *strict),
        }
    }
}

/// What to do about a law that has no answer: another one may refuse as well, but without `strict` something stands in.
pub fn law_hint(error: &ImpactError, strict: bool) -> &'static str {
    match error {
        ImpactError::NoConsistentMode { .. }
        | ImpactError::AmbiguousModes { .. }
        | ImpactError::Jammed { .. }
        | ImpactError::Unsolved { .. }
            if strict =>
        {
            "leave out strict, so that a compliant law stands in where this one has no answer"
        }
        ImpactError::NoConsistentMode { .. } | ImpactError::AmbiguousModes { .. } => {
            "neither this law nor a compliant one has an answer: reduce the friction"
        }
        other => other.hint(),
    }
}

impl From<ImpactError> for Fault {
    fn from(error: ImpactError) -> Self {
        Self::new(Kind::Impact { error, strict: false })
    }
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if !self.path.is_empty() {
            write!(f, "{}: ", self.path)?;
        }
        match &self.kind {
            Kind::Syntax { expected, found, column } if found.is_empty() => {
                write!(f, "expected {expected}, found the end at column {column}")
            }
            Kind::Syntax { expected, found, column } => {
                write!(f, "expected {expected}, found `{found}` at column {column}")
            }
            Kind::Missing { field } => write!(f, "{field} is missing"),
            Kind::Length { expected, found } => {
                write!(f, "has {found} entries, expected {expected}")
            }
            Kind::Unknown { meant } => write!(f, "unknown field, did you mean `{meant}`?"),
            Kind::Value { found, allowed } => write!(f, "is `{found}`, expected {allowed}"),
            Kind::NotUtf8 { column } => write!(f, "not UTF-8 text at byte {column}"),
            Kind::NotFinite => f.write_str("the answer is not finite"),
            Kind::Impact { error, .. } => error.fmt(f),
        }
    }
}
