//! What is wrong with an expression.

use thiserror::Error;

/// An expression that cannot be read.
#[derive(Debug, Clone, PartialEq, Error)]
pub enum ExpressionError {
    /// A character that begins nothing.
    #[error("`{text}`: `{character}` at place {place} is not part of an expression")]
    Character {
        /// The expression.
        text: String,
        /// The character.
        character: char,
        /// Where, from 1.
        place: usize,
    },
    /// Something else is expected.
    #[error("`{text}`: {expected} is expected at place {place}, not {found}")]
    Expected {
        /// The expression.
        text: String,
        /// What.
        expected: &'static str,
        /// What is there.
        found: String,
        /// Where, from 1.
        place: usize,
    },
    /// Too many parts inside each other.
    #[error("`{text}` is nested deeper than {limit}")]
    TooDeep {
        /// The expression, shortened.
        text: String,
        /// The bound.
        limit: usize,
    },
    /// A name that nothing has.
    #[error("`{name}` is not known{}", suggestion.as_ref().map_or(String::new(), |s| format!("; did you mean `{s}`?")))]
    UnknownName {
        /// The name.
        name: String,
        /// A name like it.
        suggestion: Option<String>,
    },
    /// A function that does not exist.
    #[error("there is no function `{name}`{}", suggestion.as_ref().map_or(String::new(), |s| format!("; did you mean `{s}`?")))]
    UnknownFunction {
        /// Its name.
        name: String,
        /// A name like it.
        suggestion: Option<String>,
    },
    /// A function with the wrong number of arguments.
    #[error("`{name}` takes {expected}, not {found}")]
    Arguments {
        /// Its name.
        name: String,
        /// How many, in words.
        expected: &'static str,
        /// How many there are.
        found: usize,
    },
    /// An argument that cannot stand there.
    #[error("`{name}`: {argument} must be {expected}")]
    Argument {
        /// Name of the function.
        name: String,
        /// Which argument.
        argument: &'static str,
        /// What it must be.
        expected: String,
    },
}

/// The known name most like one that is not known.
pub fn nearest<'a>(name: &str, known: impl IntoIterator<Item = &'a str>) -> Option<String> {
    let scored = known.into_iter().map(|k| (strsim::jaro_winkler(name, k), k));
    let best = scored.filter(|(score, _)| *score > 0.8).max_by(|a, b| a.0.total_cmp(&b.0))?;
    Some(best.1.to_string())
}
