//! A value of a parameter.

use std::fmt;

/// A number, or a text.
#[derive(Debug, Clone, PartialEq)]
pub enum Value {
    /// A number.
    Number(f64),
    /// A text, as it stands behind `--set PATH=`.
    Text(String),
}

impl Value {
    /// A number if the text is one.
    pub fn read(text: &str) -> Self {
        let text = text.trim();
        match text.parse() {
            Ok(x) => Self::Number(x),
            Err(_) => Self::Text(text.into()),
        }
    }

    /// The number, NaN for a text.
    pub fn number(&self) -> f64 {
        match self {
            Self::Number(x) => *x,
            Self::Text(_) => f64::NAN,
        }
    }
}

/// As TOML writes it and reads it back to the same bits. Whole numbers have no point, so that they can be counts.
impl fmt::Display for Value {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Number(x) if x.fract() == 0.0 && x.abs() < 1e15 => write!(f, "{x:.0}"),
            Self::Number(x) => write!(f, "{x:?}"),
            Self::Text(text) => f.write_str(text),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_read_back() {
        for x in [0.1, 1.0, -3.0, 1e300, 5e-324, 1.0 / 3.0, 1e15, 123_456_789.5] {
            let text = Value::Number(x).to_string();
            assert_eq!(Value::read(&text), Value::Number(x), "{text}");
        }
        assert_eq!(Value::Number(3.0).to_string(), "3");
        assert_eq!(Value::read(" newton "), Value::Text("newton".into()));
    }
}
