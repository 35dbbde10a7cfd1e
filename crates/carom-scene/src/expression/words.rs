//! A text as numbers, names and signs.

use super::error::ExpressionError;

/// A part of an expression.
#[derive(Debug, Clone, PartialEq)]
pub enum Word {
    /// A number.
    Number(f64),
    /// A name.
    Name(String),
    /// A sign or a word such as `and`.
    Sign(&'static str),
}

const SIGNS: [&str; 17] =
    ["==", "!=", "<=", ">=", "<", ">", "+", "-", "*", "/", "%", "^", "(", ")", ",", "[", "]"];

/// Words of a text with their places, counted in characters from 1. Known names are taken whole.
pub fn words(text: &str, known: &[String]) -> Result<Vec<(Word, usize)>, ExpressionError> {
    let mut all = Vec::new();
    let mut at = 0;
    while let Some(c) = text[at..].chars().next() {
        let place = text[..at].chars().count() + 1;
        if c.is_whitespace() {
            at += c.len_utf8();
            continue;
        }
        let (word, length) = next(&text[at..], known)
            .ok_or_else(|| ExpressionError::Character { text: text.into(), character: c, place })?;
        all.push((word, place));
        at += length;
    }
    Ok(all)
}

fn next(rest: &str, known: &[String]) -> Option<(Word, usize)> {
    let starts = |c: char| c.is_alphabetic() || c == '_' || c == '$';
    let first = rest.chars().next()?;
    if first.is_ascii_digit() || first == '.' {
        return number(rest);
    }
    if starts(first) {
        return Some(name(rest, known));
    }
    if let Some(inner) = rest.strip_prefix('`') {
        let end = inner.find('`')?;
        return Some((Word::Name(inner[..end].into()), end + 2));
    }
    SIGNS.iter().find(|s| rest.starts_with(**s)).map(|s| (Word::Sign(s), s.len()))
}

/// A name: the longest known one, or letters, digits, dots.
fn name(rest: &str, known: &[String]) -> (Word, usize) {
    let inside = |c: char| c.is_alphanumeric() || "_.$".contains(c);
    let plain = rest.find(|c: char| !inside(c)).unwrap_or(rest.len());
    let ends = |length: usize| !rest[length..].chars().next().is_some_and(inside);
    let whole = known.iter().filter(|k| rest.starts_with(k.as_str()) && ends(k.len()));
    let length = whole.map(String::len).max().unwrap_or(0).max(plain);
    let word = match &rest[..length] {
        "and" => Word::Sign("and"),
        "or" => Word::Sign("or"),
        "not" => Word::Sign("not"),
        name => Word::Name(name.into()),
    };
    (word, length)
}

fn number(rest: &str) -> Option<(Word, usize)> {
    let digits = |text: &str| text.find(|c: char| !c.is_ascii_digit()).unwrap_or(text.len());
    let mut length = digits(rest);
    if rest[length..].starts_with('.') {
        length += 1 + digits(&rest[length + 1..]);
    }
    if rest[length..].starts_with(['e', 'E']) {
        let sign = usize::from(rest[length + 1..].starts_with(['+', '-']));
        let power = digits(&rest[length + 1 + sign..]);
        if power > 0 {
            length += 1 + sign + power;
        }
    }
    Some((Word::Number(rest[..length].parse().ok()?), length))
}
