//! TOML text to a tree of values with places.
//!
//! The parser is the `toml` crate: it gives the span of every key and value, bounds the nesting at
//! 80, and needs linear time on every hostile text that was tried (10 MB of garbage, of open
//! brackets, of dotted keys, of equal tables: 0.1 to 2 s each).

use crate::error::Flaw;
use crate::fault::Fault;
use crate::source::{Sources, Spot, shorten};
use crate::value::{Node, Table, Value};
use toml::Spanned;
use toml::de::{DeInteger, DeTable, DeValue};

/// Read a whole file.
pub(crate) fn parse(sources: &Sources, source: usize) -> Result<Table, Flaw> {
    let text = sources.text(source);
    match DeTable::parse(text) {
        Ok(root) => table(root.get_ref(), source, 0),
        Err(fault) => {
            let range = fault.span().unwrap_or(0..0);
            let spot = Spot { source, start: range.start, end: range.end };
            let message = shorten(fault.message());
            Err(Flaw::at(spot, Fault::Syntax { format: "TOML", message }))
        }
    }
}

/// Read one value that starts at byte `offset` of the source; the message of the parser if it is
/// none.
pub(crate) fn parse_value(text: &str, source: usize, offset: usize) -> Result<Node, String> {
    let parsed = DeValue::parse(text).map_err(|e| shorten(e.message()))?;
    node(&parsed, source, offset).map_err(|flaw| flaw.fault.to_string())
}

fn table(from: &DeTable<'_>, source: usize, offset: usize) -> Result<Table, Flaw> {
    let mut entries: Vec<_> = from.iter().collect();
    // The parser sorts by name; the order of the file decides the order of bodies.
    entries.sort_by_key(|(key, _)| key.span().start);
    let mut out = Table::default();
    for (key, value) in entries {
        let range = key.span();
        let spot = Spot { source, start: offset + range.start, end: offset + range.end };
        out.insert(key.get_ref(), spot, node(value, source, offset)?);
    }
    Ok(out)
}

fn node(from: &Spanned<DeValue<'_>>, source: usize, offset: usize) -> Result<Node, Flaw> {
    let range = from.span();
    let spot = Spot { source, start: offset + range.start, end: offset + range.end };
    let value = match from.get_ref() {
        DeValue::String(text) => Value::Text(text.to_string()),
        DeValue::Integer(i) => integer(i).ok_or_else(|| too_large(spot))?,
        DeValue::Float(x) => match x.as_str().parse::<f64>() {
            // Decimal numbers beyond the range of f64 parse as infinite.
            Ok(v) if v.is_infinite() && !x.as_str().contains("inf") => return Err(too_large(spot)),
            Ok(v) => Value::Float(v),
            Err(_) => return Err(too_large(spot)),
        },
        DeValue::Boolean(b) => Value::Flag(*b),
        DeValue::Datetime(_) => Value::Date,
        DeValue::Array(list) => {
            Value::List(list.iter().map(|v| node(v, source, offset)).collect::<Result<_, _>>()?)
        }
        DeValue::Table(t) => Value::Table(table(t, source, offset)?),
    };
    Ok(Node { value, spot })
}

fn integer(i: &DeInteger<'_>) -> Option<Value> {
    if let Ok(v) = i64::from_str_radix(i.as_str(), i.radix()) {
        return Some(Value::Integer(v));
    }
    let decimal = i.radix() == 10;
    i.as_str().parse::<f64>().ok().filter(|v| decimal && v.is_finite()).map(Value::Float)
}

fn too_large(spot: Spot) -> Flaw {
    let message = "a number is too large".to_string();
    Flaw::word(spot, Fault::Syntax { format: "TOML", message })
}
