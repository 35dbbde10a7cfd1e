//! An element with its defaults: values of its attributes.

use super::tag::{Attribute, Tag};
use crate::error::Flaw;
use crate::fault::Fault;
use crate::source::{Spot, shorten};
use crate::suggest::nearest;
use nalgebra::Vector3;
use std::ops::RangeInclusive;

/// An element, and the elements that hold where it states nothing, nearest first.
#[derive(Clone)]
pub(crate) struct Item<'a> {
    pub tag: &'a Tag,
    pub defaults: Vec<&'a Tag>,
}

impl<'a> Item<'a> {
    /// An element without defaults.
    pub fn plain(tag: &'a Tag) -> Self {
        Self { tag, defaults: Vec::new() }
    }

    /// The element and its defaults, nearest first.
    pub fn layers(&self) -> impl Iterator<Item = &'a Tag> + '_ {
        std::iter::once(self.tag).chain(self.defaults.iter().copied())
    }

    /// An attribute.
    pub fn attribute(&self, name: &str) -> Option<&'a Attribute> {
        self.layers().find_map(|tag| tag.attribute(name))
    }

    /// Whether an attribute is stated.
    pub fn has(&self, name: &str) -> bool {
        self.attribute(name).is_some()
    }

    /// Where an attribute is written, or the element.
    pub fn spot_of(&self, name: &str) -> Spot {
        self.attribute(name).map_or(self.tag.spot, |a| a.spot)
    }

    /// A text.
    pub fn text(&self, name: &str) -> Option<&'a str> {
        self.attribute(name).map(|a| a.value.as_str())
    }

    /// A text that must be there.
    pub fn needed(
        &self,
        name: &'static str,
        expected: &'static str,
    ) -> Result<&'a Attribute, Flaw> {
        self.attribute(name).ok_or_else(|| self.missing(name, expected))
    }

    /// A missing attribute.
    pub fn missing(&self, name: &'static str, expected: &'static str) -> Flaw {
        let (owner, what) = (self.tag.called(), "attribute");
        Flaw::word(self.tag.spot, Fault::Missing { owner, what, name, expected })
    }

    /// One of the words that an attribute knows.
    pub fn word(
        &self,
        name: &'static str,
        known: &[&'static str],
    ) -> Result<Option<&'static str>, Flaw> {
        let Some(attribute) = self.attribute(name) else { return Ok(None) };
        if let Some(word) = known.iter().find(|word| **word == attribute.value.trim()) {
            return Ok(Some(word));
        }
        let fault = Fault::Word {
            owner: self.tag.called(),
            key: name.into(),
            word: shorten(&attribute.value),
            allowed: known.iter().map(|w| (*w).to_string()).collect(),
            suggestion: nearest(&attribute.value, known.iter().copied()),
        };
        Err(Flaw::value(attribute.spot, name, "", fault))
    }

    /// true or false.
    pub fn flag(&self, name: &'static str, default: bool) -> Result<bool, Flaw> {
        Ok(self.word(name, &["true", "false"])?.map_or(default, |word| word == "true"))
    }

    /// true, false, or neither ("auto").
    pub fn maybe(&self, name: &'static str) -> Result<Option<bool>, Flaw> {
        Ok(match self.word(name, &["true", "false", "auto"])? {
            Some("true") => Some(true),
            Some("false") => Some(false),
            _ => None,
        })
    }

    /// Finite numbers, as many as allowed.
    pub fn numbers(
        &self,
        name: &'static str,
        count: RangeInclusive<usize>,
    ) -> Result<Option<Vec<f64>>, Flaw> {
        self.list(name, count, ("finite numbers", |x| x.is_finite()))
    }

    /// The two ends of a range, which may be infinite.
    pub fn ends(&self, name: &'static str) -> Result<Option<Vec<f64>>, Flaw> {
        self.list(name, 2..=2, ("numbers", |x| !x.is_nan()))
    }

    fn list(
        &self,
        name: &'static str,
        count: RangeInclusive<usize>,
        (expected, allowed): (&'static str, fn(f64) -> bool),
    ) -> Result<Option<Vec<f64>>, Flaw> {
        let Some(attribute) = self.attribute(name) else { return Ok(None) };
        let parsed: Option<Vec<f64>> =
            attribute.value.split_whitespace().map(|t| t.parse().ok()).collect();
        let (owner, key) = (self.tag.called(), name.to_string());
        let Some(list) = parsed.filter(|list| list.iter().all(|x| allowed(*x))) else {
            let fault = Fault::Unreadably { owner, key, expected };
            return Err(Flaw::value(attribute.spot, name, "", fault));
        };
        if count.contains(&list.len()) {
            return Ok(Some(list));
        }
        let (least, most) = (count.start(), count.end());
        let expected = match least == most {
            true => format!("{least} numbers"),
            false => format!("{least} to {most} numbers"),
        };
        let fault = Fault::Length { owner, key, expected, found: list.len() };
        Err(Flaw::value(attribute.spot, name, "", fault))
    }

    /// One number, or a default.
    pub fn number(&self, name: &'static str, default: f64) -> Result<f64, Flaw> {
        Ok(self.numbers(name, 1..=1)?.map_or(default, |list| list[0]))
    }

    /// One number ≥ 0, or a default.
    pub fn not_negative(&self, name: &'static str, default: f64) -> Result<f64, Flaw> {
        let x = self.number(name, default)?;
        if x >= 0.0 { Ok(x) } else { Err(self.range(name, x, "a number ≥ 0")) }
    }

    /// Three numbers.
    pub fn vector(&self, name: &'static str) -> Result<Option<Vector3<f64>>, Flaw> {
        Ok(self.numbers(name, 3..=3)?.map(|list| Vector3::new(list[0], list[1], list[2])))
    }

    /// A whole number.
    pub fn whole(&self, name: &'static str, default: i64) -> Result<i64, Flaw> {
        let Some(attribute) = self.attribute(name) else { return Ok(default) };
        attribute.value.trim().parse().map_err(|_| {
            let (owner, key) = (self.tag.called(), name.to_string());
            let fault = Fault::Unreadably { owner, key, expected: "a whole number" };
            Flaw::value(attribute.spot, name, "", fault)
        })
    }

    /// A number outside its range.
    pub fn range(&self, name: &str, value: f64, allowed: &str) -> Flaw {
        let (owner, key) = (self.tag.called(), name.to_string());
        let fault = Fault::Range { owner, key, value, allowed: allowed.into() };
        Flaw::value(self.spot_of(name), name, "", fault)
    }

    /// Two statements that exclude each other.
    pub fn conflict(&self, first: &str, second: &str, reason: &'static str) -> Flaw {
        let (owner, first, second) = (self.tag.called(), first.into(), second.into());
        Flaw::word(self.tag.spot, Fault::Conflict { owner, first, second, reason })
    }
}
