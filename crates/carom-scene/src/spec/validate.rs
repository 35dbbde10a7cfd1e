//! A file against the description of the format: unknown keys, types, lengths, ranges.

use super::kind::{Field, Kind, Range, TableSpec};
use crate::angle;
use crate::error::Flaw;
use crate::fault::Fault;
use crate::source::shorten;
use crate::suggest::nearest;
use crate::value::{Node, Table, Value};

/// Check a table and everything in it.
pub(crate) fn validate(
    table: &Table,
    spec: &'static TableSpec,
    owner: &str,
    planar: bool,
) -> Result<(), Flaw> {
    for entry in table.entries() {
        let Some(field) = spec.field(&entry.key) else {
            let fault = Fault::UnknownKey {
                owner: owner.into(),
                what: "key",
                name: shorten(&entry.key),
                suggestion: nearest(&entry.key, spec.fields().map(|f| f.key)),
                known: spec.fields().map(|f| f.key.to_string()).collect(),
            };
            return Err(Flaw::word(entry.key_spot, fault));
        };
        Check { field, owner, planar }.node(&entry.node, &field.kind)?;
    }
    Ok(())
}

/// The value of one key.
struct Check<'a> {
    field: &'static Field,
    owner: &'a str,
    planar: bool,
}

impl Check<'_> {
    fn node(&self, node: &Node, kind: &Kind) -> Result<(), Flaw> {
        let coordinates = if self.planar { 2 } else { 3 };
        match kind {
            Kind::Text if node.text().is_some() => Ok(()),
            Kind::Flag if matches!(node.value, Value::Flag(_)) => Ok(()),
            Kind::Count => match node.value {
                Value::Integer(n) if n > 0 => Ok(()),
                _ => Err(self.wrong_type(node, kind)),
            },
            Kind::Number(range) => self.number(node, *range, kind),
            Kind::Angle(range) => self.angle(node, *range, kind),
            Kind::Vector => self.list(node, coordinates, &Kind::Number(Range::Finite), kind),
            Kind::Sizes => self.list(node, coordinates, &Kind::Number(Range::Positive), kind),
            Kind::Numbers(n, range) => self.list(node, *n, &Kind::Number(*range), kind),
            Kind::Angles(n) => self.list(node, *n, &Kind::Angle(Range::Finite), kind),
            Kind::Matrix => self.list(node, 3, &Kind::Numbers(3, Range::Finite), kind),
            Kind::Corners(n) => match node.list() {
                Some(corners) if corners.len() >= *n => {
                    corners.iter().try_for_each(|corner| self.node(corner, &Kind::Vector))
                }
                _ => Err(self.wrong_type(node, kind)),
            },
            Kind::Rows if self.planar => match node.list() {
                Some(row) if row.len() >= 2 => {
                    row.iter().try_for_each(|node| self.node(node, &Kind::Number(Range::Finite)))
                }
                _ => Err(self.wrong_type(node, kind)),
            },
            Kind::Rows => {
                let rows = node.list().unwrap_or_default();
                let long = rows.first().and_then(|row| row.list()).map_or(0, <[Node]>::len);
                if rows.len() < 2 || long < 2 {
                    return Err(self.wrong_type(node, kind));
                }
                let row = Kind::Number(Range::Finite);
                rows.iter().try_for_each(|node| self.list(node, long, &row, kind))
            }
            Kind::Texts(n) => self.list(node, *n, &Kind::Text, kind),
            Kind::Names => match node.list() {
                Some([]) | None => Err(self.wrong_type(node, kind)),
                Some(names) => names.iter().try_for_each(|name| self.node(name, &Kind::Text)),
            },
            Kind::Word(words) => self.word(node, words, kind),
            Kind::Table(spec) => match node.table() {
                Some(table) => validate(table, spec, &self.inner(spec, None), self.planar),
                None => Err(self.wrong_type(node, kind)),
            },
            Kind::Named(spec) => self.named(node, spec, kind),
            Kind::NamedAngles => self.named_each(node, &Kind::Angle(Range::Finite), kind),
            Kind::NamedTexts => self.named_each(node, &Kind::Text, kind),
            Kind::NamedLists => self.named_each(node, &Kind::Names, kind),
            Kind::TextPairs => match node.list() {
                Some(list) => list.iter().try_for_each(|pair| self.node(pair, &Kind::Texts(2))),
                None => Err(self.wrong_type(node, kind)),
            },
            Kind::NamedOrTexts(spec) => self.named_or_texts(node, spec, kind),
            Kind::List(spec) => self.tables(node, spec, kind),
            Kind::Any(kinds) => match kinds.iter().find(|k| fits(node, k)) {
                Some(kind) => self.node(node, kind),
                None => Err(self.wrong_type(node, kind)),
            },
            _ => Err(self.wrong_type(node, kind)),
        }
    }

    fn number(&self, node: &Node, range: Range, kind: &Kind) -> Result<(), Flaw> {
        let value = node.number().ok_or_else(|| self.wrong_type(node, kind))?;
        if range.holds(value) {
            return Ok(());
        }
        Err(self.flaw(
            node,
            Fault::Range {
                owner: self.owner.into(),
                key: self.field.key.into(),
                value,
                allowed: range.words().into(),
            },
        ))
    }

    fn angle(&self, node: &Node, range: Range, kind: &Kind) -> Result<(), Flaw> {
        let Some(text) = node.text() else { return self.number(node, range, kind) };
        match angle::parse(text) {
            Some(value) if value.is_finite() => Ok(()),
            _ => Err(self.flaw(
                node,
                Fault::Unreadably {
                    owner: self.owner.into(),
                    key: self.field.key.into(),
                    expected: match angle::lacks_unit(text) {
                        true => "an angle with a unit",
                        false => "an angle",
                    },
                },
            )),
        }
    }

    fn list(&self, node: &Node, length: usize, each: &Kind, kind: &Kind) -> Result<(), Flaw> {
        let list = node.list().ok_or_else(|| self.wrong_type(node, kind))?;
        if list.len() != length {
            return Err(self.flaw(
                node,
                Fault::Length {
                    owner: self.owner.into(),
                    key: self.field.key.into(),
                    expected: kind.words(Some(self.planar)),
                    found: list.len(),
                },
            ));
        }
        list.iter().try_for_each(|entry| self.node(entry, each))
    }

    fn word(&self, node: &Node, words: &[&'static str], kind: &Kind) -> Result<(), Flaw> {
        let text = node.text().ok_or_else(|| self.wrong_type(node, kind))?;
        if words.contains(&text) {
            return Ok(());
        }
        Err(self.flaw(
            node,
            Fault::Word {
                owner: self.owner.into(),
                key: self.field.key.into(),
                word: shorten(text),
                allowed: words.iter().map(|w| format!("\"{w}\"")).collect(),
                suggestion: nearest(text, words.iter().copied()),
            },
        ))
    }

    fn named(&self, node: &Node, spec: &'static TableSpec, kind: &Kind) -> Result<(), Flaw> {
        let table = node.table().ok_or_else(|| self.wrong_type(node, kind))?;
        for entry in table.entries() {
            let owner = self.inner(spec, Some(&entry.key));
            let Some(inner) = entry.node.table() else {
                let fault = Fault::WrongType {
                    owner: self.owner.into(),
                    key: format!("{}.{}", self.field.key, shorten(&entry.key)),
                    expected: format!("a table that describes a {}", spec.noun),
                    found: entry.node.found(),
                };
                return Err(Flaw::value(entry.node.spot, &entry.key, "", fault));
            };
            validate(inner, spec, &owner, self.planar)?;
        }
        Ok(())
    }

    fn named_each(&self, node: &Node, each: &Kind, kind: &Kind) -> Result<(), Flaw> {
        let table = node.table().ok_or_else(|| self.wrong_type(node, kind))?;
        table.entries().iter().try_for_each(|entry| self.node(&entry.node, each))
    }

    fn named_or_texts(
        &self,
        node: &Node,
        spec: &'static TableSpec,
        kind: &Kind,
    ) -> Result<(), Flaw> {
        let table = node.table().ok_or_else(|| self.wrong_type(node, kind))?;
        for entry in table.entries() {
            match (entry.node.table(), entry.node.text()) {
                (Some(inner), _) => {
                    validate(inner, spec, &self.inner(spec, Some(&entry.key)), self.planar)?;
                }
                (None, Some(_)) => {}
                (None, None) => {
                    let fault = Fault::WrongType {
                        owner: self.owner.into(),
                        key: format!("{}.{}", self.field.key, shorten(&entry.key)),
                        expected: format!("a text, or a table that describes a {}", spec.noun),
                        found: entry.node.found(),
                    };
                    return Err(Flaw::value(entry.node.spot, &entry.key, "", fault));
                }
            }
        }
        Ok(())
    }

    fn tables(&self, node: &Node, spec: &'static TableSpec, kind: &Kind) -> Result<(), Flaw> {
        let list = node.list().ok_or_else(|| self.wrong_type(node, kind))?;
        for (i, entry) in list.iter().enumerate() {
            let table = entry.table().ok_or_else(|| self.wrong_type(entry, kind))?;
            validate(table, spec, &format!("{} {}", spec.noun, i + 1), self.planar)?;
        }
        Ok(())
    }

    /// How a table inside this one is called in messages.
    fn inner(&self, spec: &TableSpec, name: Option<&str>) -> String {
        let noun = match name {
            Some(name) => format!("{} `{}`", spec.noun, shorten(name)),
            None => format!("`{}`", self.field.key),
        };
        if self.owner == "the scene" { noun } else { format!("{noun} of {}", self.owner) }
    }

    fn wrong_type(&self, node: &Node, kind: &Kind) -> Flaw {
        let fault = Fault::WrongType {
            owner: self.owner.into(),
            key: self.field.key.into(),
            expected: kind.words(Some(self.planar)),
            found: node.found(),
        };
        self.flaw(node, fault)
    }

    fn flaw(&self, node: &Node, fault: Fault) -> Flaw {
        Flaw::value(node.spot, self.field.key, self.field.unit, fault)
    }
}

/// Whether a value has the type of a kind, as far as needed to tell the kinds of `Any` apart.
fn fits(node: &Node, kind: &Kind) -> bool {
    let nested = |list: &[Node]| list.first().is_some_and(|n| n.list().is_some());
    match kind {
        Kind::Text | Kind::Word(_) => node.text().is_some(),
        Kind::Flag => matches!(node.value, Value::Flag(_)),
        Kind::Number(_) | Kind::Count => node.number().is_some(),
        Kind::Angle(_) => node.number().is_some() || node.text().is_some(),
        Kind::Matrix | Kind::Corners(_) | Kind::Rows => node.list().is_some_and(nested),
        Kind::Vector | Kind::Sizes | Kind::Numbers(..) | Kind::Angles(_) => {
            node.list().is_some_and(|list| !nested(list))
        }
        Kind::Texts(_) | Kind::Names => {
            let texts = |list: &[Node]| list.first().is_none_or(|n| n.text().is_some());
            node.list().is_some_and(texts)
        }
        Kind::Table(_)
        | Kind::Named(_)
        | Kind::NamedAngles
        | Kind::NamedTexts
        | Kind::NamedLists
        | Kind::NamedOrTexts(_) => node.table().is_some(),
        Kind::List(_) | Kind::TextPairs => node.list().is_some(),
        Kind::Any(kinds) => kinds.iter().any(|k| fits(node, k)),
    }
}
