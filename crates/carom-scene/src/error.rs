//! A fault with its place, as the user sees it.

use crate::fault::Fault;
use crate::plain::plain;
use crate::source::{Place, Sources, Spot};
use std::fmt;

/// How the offending text is shown before the detail of a fault.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Evidence {
    /// Nothing.
    None,
    /// The text at the spot as it is.
    Word,
    /// The text at the spot as the value of a key, with its unit.
    Value { key: String, unit: &'static str },
}

/// A fault at a spot, inside the readers.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Flaw {
    pub fault: Box<Fault>,
    pub spot: Option<Spot>,
    pub evidence: Evidence,
    /// Another place that matters, such as the first of two equal names.
    pub also: Option<Spot>,
}

impl Flaw {
    /// A fault that has a place but shows no text.
    pub fn at(spot: Spot, fault: Fault) -> Self {
        Self { fault: Box::new(fault), spot: Some(spot), evidence: Evidence::None, also: None }
    }

    /// A fault of the word at a spot.
    pub fn word(spot: Spot, fault: Fault) -> Self {
        Self { evidence: Evidence::Word, ..Self::at(spot, fault) }
    }

    /// A fault of a value.
    pub fn value(spot: Spot, key: &str, unit: &'static str, fault: Fault) -> Self {
        Self { evidence: Evidence::Value { key: key.into(), unit }, ..Self::at(spot, fault) }
    }

    /// The same with a second place.
    pub fn also(mut self, spot: Spot) -> Self {
        self.also = Some(spot);
        self
    }

    /// With line and column, for the user.
    pub fn resolve(self, sources: &Sources) -> SceneError {
        let shown = match (&self.evidence, self.spot) {
            (Evidence::Word, Some(spot)) => Some(sources.excerpt(spot)),
            (Evidence::Value { key, unit }, Some(spot)) => {
                let blank = if unit.is_empty() { "" } else { " " };
                Some(format!("{key} = {}{blank}{unit}", sources.excerpt(spot)))
            }
            _ => None,
        };
        SceneError {
            fault: self.fault,
            place: self.spot.map(|s| sources.place(s)),
            shown,
            also: self.also.map(|s| sources.place(s)),
        }
    }
}

/// Why a scene cannot be read: what is wrong, where, which value, and what to do.
///
/// `Display` is the headline alone; [`report`](SceneError::report) is the whole message.
#[derive(Debug, Clone, PartialEq)]
pub struct SceneError {
    fault: Box<Fault>,
    place: Option<Place>,
    shown: Option<String>,
    also: Option<Place>,
}

impl SceneError {
    pub(crate) fn whole_file(file: &str, fault: Fault) -> Self {
        Self {
            fault: Box::new(fault),
            place: Some(Place::Whole { file: file.into() }),
            shown: None,
            also: None,
        }
    }

    /// What is wrong.
    pub fn fault(&self) -> &Fault {
        &self.fault
    }

    /// Where it was written.
    pub fn place(&self) -> Option<&Place> {
        self.place.as_ref()
    }

    /// What the user may do about it.
    pub fn hint(&self) -> String {
        self.fault.hint()
    }

    /// The whole message: headline, place, value with its allowed range, hint.
    pub fn report(&self) -> String {
        let mut text = format!("error: {}\n", self.fault);
        if let Some(place) = &self.place {
            text.push_str(&format!("  --> {place}\n"));
        }
        let line = match (&self.shown, self.fault.detail()) {
            (Some(shown), Some(detail)) => Some(format!("{shown}: {detail}")),
            (Some(one), None) => Some(one.clone()),
            (None, detail) => detail,
        };
        if let Some(line) = line {
            text.push_str(&format!("   {line}\n"));
        }
        if let Some(place) = &self.also {
            text.push_str(&format!("   first at {place}\n"));
        }
        text.push_str(&format!("\nhint: {}\n", self.hint()));
        plain(&text).into_owned()
    }
}

impl fmt::Display for SceneError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.place {
            Some(place) => write!(f, "{place}: {}", self.fault),
            None => write!(f, "{}", self.fault),
        }
    }
}

impl std::error::Error for SceneError {}
