//! One tag: its children and attributes, checked against what URDF knows.

use crate::error::Flaw;
use crate::fault::Fault;
use crate::source::{Spot, shorten};
use crate::suggest::nearest;
use crate::warning::{Caution, Cautions};
use carom::spatial::{Pose, rotation};
use nalgebra::Vector3;
use roxmltree::Node;

/// What a tag may hold.
pub(crate) struct Grammar {
    /// Children that are read.
    pub tags: &'static [&'static str],
    /// Children that are known, but cannot be honoured, and why.
    pub left_out: &'static [(&'static str, &'static str)],
    /// Children that are no mechanics.
    pub silent: &'static [&'static str],
    /// Attributes.
    pub attributes: &'static [&'static str],
    /// Attributes of other programs.
    pub foreign: &'static [&'static str],
}

/// The name of a tag as it is written, with the prefix of its namespace.
fn written_tag<'a>(node: Node<'a, '_>) -> &'a str {
    let text = &node.document().input_text()[node.range()];
    let name = text.trim_start_matches('<');
    let end = name.find(|c: char| c.is_whitespace() || c == '/' || c == '>');
    &name[..end.unwrap_or(name.len())]
}

/// A tag of the file.
#[derive(Clone)]
pub(crate) struct Element<'a, 'input> {
    pub node: Node<'a, 'input>,
    pub source: usize,
    /// How it is called in messages.
    pub owner: String,
}

impl<'a, 'input> Element<'a, 'input> {
    /// Where the tag starts: its name and attributes.
    pub fn spot(&self) -> Spot {
        let range = self.node.range();
        Spot { source: self.source, start: range.start, end: range.start }
    }

    /// All children against the grammar.
    pub fn check(&self, grammar: &Grammar, cautions: &mut Cautions) -> Result<(), Flaw> {
        for attribute in self.node.attributes() {
            let name = attribute.name();
            if attribute.namespace().is_none() && grammar.attributes.contains(&name) {
                continue;
            }
            let range = attribute.range_qname();
            let spot = Spot { source: self.source, start: range.start, end: range.end };
            if attribute.namespace().is_none() && grammar.foreign.contains(&name) {
                let owner = self.owner.clone();
                cautions.push((Caution::Attribute { name: name.into(), owner }, spot));
                continue;
            }
            return Err(self.unknown("attribute", name, grammar.attributes, spot));
        }
        for child in self.node.children() {
            self.check_child(child, grammar, cautions)?;
        }
        Ok(())
    }

    fn check_child(
        &self,
        child: Node<'a, 'input>,
        grammar: &Grammar,
        cautions: &mut Cautions,
    ) -> Result<(), Flaw> {
        let start = child.range().start;
        if child.is_text() && child.text().is_some_and(|t| !t.trim().is_empty()) {
            let spot = Spot { source: self.source, start, end: child.range().end };
            let message = format!("a text stands between the tags of {}", self.owner);
            return Err(Flaw::word(spot, Fault::Syntax { format: "URDF", message }));
        }
        if !child.is_element() {
            return Ok(());
        }
        let tag = child.tag_name().name();
        let plain = child.tag_name().namespace().is_none();
        if plain && (grammar.tags.contains(&tag) || grammar.silent.contains(&tag)) {
            return Ok(());
        }
        let written = written_tag(child);
        let spot = Spot { source: self.source, start: start + 1, end: start + 1 + written.len() };
        match grammar.left_out.iter().find(|(known, _)| plain && *known == tag) {
            Some((_, why)) => {
                let owner = self.owner.clone();
                cautions.push((Caution::LeftOut { tag: tag.into(), owner, why }, spot));
                Ok(())
            }
            None => Err(self.unknown("tag", written, grammar.tags, spot)),
        }
    }

    fn unknown(&self, what: &'static str, name: &str, known: &[&str], spot: Spot) -> Flaw {
        let fault = Fault::UnknownKey {
            owner: self.owner.clone(),
            what,
            name: shorten(name),
            suggestion: nearest(name, known.iter().copied()),
            known: known.iter().map(|k| (*k).to_string()).collect(),
        };
        Flaw::word(spot, fault)
    }

    /// All children of a tag.
    pub fn all(
        &self,
        tag: &'static str,
    ) -> impl Iterator<Item = Element<'a, 'input>> + use<'a, 'input> {
        let (source, owner) = (self.source, self.owner.clone());
        self.node
            .children()
            .filter(move |n| n.is_element() && n.tag_name().name() == tag)
            .map(move |node| Element { node, source, owner: format!("<{tag}> of {owner}") })
    }

    /// The one child of a tag.
    pub fn one(&self, tag: &'static str) -> Result<Option<Element<'a, 'input>>, Flaw> {
        let mut all = self.all(tag);
        let first = all.next();
        if let (Some(second), Some(first)) = (all.next(), &first) {
            let fault = Fault::Conflict {
                owner: self.owner.clone(),
                first: format!("<{tag}>"),
                second: format!("<{tag}>"),
                reason: "only one is allowed",
            };
            return Err(Flaw::at(second.spot(), fault).also(first.spot()));
        }
        Ok(first)
    }

    /// The one child of a tag, which must be there.
    pub fn needed(
        &self,
        tag: &'static str,
        expected: &'static str,
    ) -> Result<Element<'a, 'input>, Flaw> {
        self.one(tag)?.ok_or_else(|| self.missing("tag", tag, expected))
    }

    /// A missing tag or attribute.
    pub fn missing(&self, what: &'static str, name: &'static str, expected: &'static str) -> Flaw {
        let owner = self.owner.clone();
        Flaw::at(self.spot(), Fault::Missing { owner, what, name, expected })
    }

    /// The value of an attribute.
    pub fn text(&self, name: &str) -> Option<&'a str> {
        self.node.attribute(name)
    }

    /// The value of an attribute that must be there and not empty.
    pub fn needed_text(&self, name: &'static str) -> Result<&'a str, Flaw> {
        self.text(name)
            .filter(|t| !t.trim().is_empty())
            .ok_or_else(|| self.missing("attribute", name, "a text that is not empty"))
    }

    /// Where the value of an attribute is written.
    pub fn spot_of(&self, name: &str) -> Spot {
        match self.node.attribute_node(name) {
            Some(attribute) => {
                let range = attribute.range_value();
                Spot { source: self.source, start: range.start, end: range.end }
            }
            None => self.spot(),
        }
    }

    /// A number that may be infinite but not NaN.
    pub fn number(&self, name: &'static str) -> Result<Option<f64>, Flaw> {
        let Some(text) = self.text(name) else { return Ok(None) };
        match text.trim().parse::<f64>() {
            Ok(x) if !x.is_nan() => Ok(Some(x)),
            _ => Err(self.unreadable(name, "a number")),
        }
    }

    /// A finite number.
    pub fn finite(&self, name: &'static str) -> Result<Option<f64>, Flaw> {
        match self.number(name)? {
            Some(x) if !x.is_finite() => Err(self.range(name, x, "a finite number")),
            other => Ok(other),
        }
    }

    /// A finite number that must be there.
    pub fn needed_number(&self, name: &'static str) -> Result<f64, Flaw> {
        self.finite(name)?.ok_or_else(|| self.missing("attribute", name, "a number"))
    }

    /// A finite number ≥ 0, or a default.
    pub fn not_negative(&self, name: &'static str, default: f64) -> Result<f64, Flaw> {
        match self.finite(name)? {
            Some(x) if x < 0.0 => Err(self.range(name, x, "a number ≥ 0")),
            other => Ok(other.unwrap_or(default)),
        }
    }

    /// A length > 0.
    pub fn length(&self, name: &'static str) -> Result<f64, Flaw> {
        let x = self.needed_number(name)?;
        if x > 0.0 { Ok(x) } else { Err(self.range(name, x, "a number > 0")) }
    }

    /// Three finite numbers.
    pub fn vector(&self, name: &'static str) -> Result<Option<Vector3<f64>>, Flaw> {
        let Some(text) = self.text(name) else { return Ok(None) };
        let numbers: Option<Vec<f64>> =
            text.split_whitespace().take(4).map(|t| t.parse().ok()).collect();
        match numbers.as_deref() {
            Some(&[x, y, z]) if [x, y, z].iter().all(|v| v.is_finite()) => {
                Ok(Some(Vector3::new(x, y, z)))
            }
            _ => Err(self.unreadable(name, "three finite numbers")),
        }
    }

    /// The pose of an `<origin>` child; the identity without one.
    pub fn origin(&self, cautions: &mut Cautions) -> Result<Pose, Flaw> {
        const ORIGIN: Grammar = Grammar {
            tags: &[],
            left_out: &[],
            silent: &[],
            attributes: &["xyz", "rpy"],
            foreign: &[],
        };
        let Some(origin) = self.one("origin")? else { return Ok(Pose::identity()) };
        origin.check(&ORIGIN, cautions)?;
        let r = origin.vector("xyz")?.unwrap_or_else(Vector3::zeros);
        let rpy = origin.vector("rpy")?.unwrap_or_else(Vector3::zeros);
        Ok(Pose::new(rotation::from_rpy(rpy.x, rpy.y, rpy.z), r))
    }

    /// A text that is not what it must be.
    pub fn unreadable(&self, name: &str, expected: &'static str) -> Flaw {
        let (owner, key) = (self.owner.clone(), name.to_string());
        let fault = Fault::Unreadably { owner, key, expected };
        Flaw::value(self.spot_of(name), name, "", fault)
    }

    /// A number outside its range.
    pub fn range(&self, name: &str, value: f64, allowed: &str) -> Flaw {
        let (owner, key) = (self.owner.clone(), name.to_string());
        let fault = Fault::Range { owner, key, value, allowed: allowed.into() };
        Flaw::value(self.spot_of(name), name, "", fault)
    }
}
