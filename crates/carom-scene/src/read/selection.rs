//! Sides of contacts and members of piles: names, groups and patterns to features.
//!
//! # Rules
//! - A name is that of a feature, of features that were written as one, or of a body: all its features.
//! - A pattern has one or more `*`, each for any characters; it means all features whose name, or whose
//!   body's name, it fits.
//! - A group of the scene means all that its entries mean.
//! - Features of one rigid part never touch. Under `self`, neither do those of two parts between which only
//!   joints and bodies without features lie, nor those that `except` or an SRDF file names.
//!
//! Each side is a list of features; pairs are made from two lists, or one.
//!
//! # Tests
//! `tests/pairs.rs`.

use crate::assemble::ordered;
use crate::error::Flaw;
use crate::fault::Fault;
use crate::parts::{PairOrigin, Parts};
use crate::read::view::View;
use crate::source::{Spot, shorten};
use crate::suggest::nearest;
use crate::value::Node;
use carom::model::JointKind;
use std::collections::{BTreeSet, HashMap, HashSet};

/// What sides may be made of.
pub(crate) struct Selection<'a> {
    parts: &'a Parts,
    /// Features by the names that stand for them.
    features: HashMap<&'a str, Vec<usize>>,
    bodies: HashMap<&'a str, usize>,
    groups: HashMap<String, Vec<usize>>,
    rigid: Rigid,
}

/// Bodies that fixed joints hold together.
struct Rigid {
    /// The rigid part of each body: its first body.
    part: Vec<usize>,
    /// Whether the part of each body is fixed to the world.
    is_static: Vec<bool>,
    /// The part with features that carries the part of each body, if one does.
    carrier: Vec<Option<usize>>,
}

/// Features of a side, and whether it was named outright.
struct Side {
    features: Vec<usize>,
    is_named: bool,
}

impl<'a> Selection<'a> {
    /// The names of a scene, its groups resolved.
    pub fn new(scene: &View<'_>, parts: &'a Parts) -> Result<Self, Flaw> {
        let mut features: HashMap<&str, Vec<usize>> = HashMap::new();
        let mut of_body: HashMap<&str, Vec<usize>> = HashMap::new();
        for (i, f) in parts.features.iter().enumerate() {
            features.entry(&f.name).or_default().push(i);
            if f.group != f.name {
                features.entry(&f.group).or_default().push(i);
            }
            of_body.entry(&parts.bodies[f.body].name).or_default().push(i);
        }
        // The name of a body means all its features.
        features.extend(of_body);
        let bodies = parts.bodies.iter().enumerate().map(|(i, b)| (b.name.as_str(), i)).collect();
        let rigid = rigid_parts(parts)?;
        let mut own = Self { parts, features, bodies, groups: HashMap::new(), rigid };
        own.read_groups(scene)?;
        Ok(own)
    }

    fn read_groups(&mut self, scene: &View<'_>) -> Result<(), Flaw> {
        let Some(table) = scene.node("group").and_then(|n| n.table()) else { return Ok(()) };
        for entry in table.entries() {
            let name = entry.key.as_str();
            if self.features.contains_key(name) || self.bodies.contains_key(name) {
                let (what, name) = ("body or group", name.to_string());
                return Err(Flaw::word(entry.key_spot, Fault::Duplicate { what, name }));
            }
            let mut all = BTreeSet::new();
            for node in entry.node.list().unwrap_or_default() {
                let owner = format!("group `{}`", shorten(name));
                all.extend(self.side(&owner, node)?.features);
            }
            self.groups.insert(name.into(), all.into_iter().collect());
        }
        Ok(())
    }

    /// The features that a name, a group or a pattern means.
    pub fn features(&self, owner: &str, node: &Node) -> Result<Vec<usize>, Flaw> {
        self.side(owner, node).map(|side| side.features)
    }

    /// The features of one side.
    fn side(&self, owner: &str, node: &Node) -> Result<Side, Flaw> {
        let (name, spot) = (node.text().unwrap_or(""), node.spot);
        if let Some(list) = self.features.get(name) {
            return Ok(Side { features: list.clone(), is_named: true });
        }
        if let Some(list) = self.groups.get(name) {
            return Ok(Side { features: list.clone(), is_named: false });
        }
        if name.contains('*') {
            let features = self.fitting(name);
            return match features.is_empty() {
                true => Err(self.unknown(owner, "body or feature that fits", (name, spot))),
                false => Ok(Side { features, is_named: false }),
            };
        }
        if self.bodies.contains_key(name) {
            let fault = Fault::Missing {
                owner: format!("body `{name}`"),
                what: "key",
                name: "shape",
                expected: "a shape or a feature, so that the body can touch",
            };
            return Err(Flaw::word(spot, fault));
        }
        Err(self.unknown(owner, "body or feature", (name, spot)))
    }

    /// Features whose name or body a pattern fits.
    fn fitting(&self, pattern: &str) -> Vec<usize> {
        let of_body: Vec<bool> = self.parts.bodies.iter().map(|b| fits(pattern, &b.name)).collect();
        let features = self.parts.features.iter().enumerate();
        features
            .filter(|(_, f)| of_body[f.body] || fits(pattern, &f.name) || fits(pattern, &f.group))
            .map(|(i, _)| i)
            .collect()
    }

    fn unknown(&self, owner: &str, what: &'static str, (name, spot): (&str, Spot)) -> Flaw {
        let known = self.features.keys().chain(self.bodies.keys()).copied();
        let known = known.chain(self.groups.keys().map(String::as_str));
        let mut known: Vec<&str> = known.collect();
        known.sort_unstable();
        let suggestion = nearest(name, known);
        let (owner, name) = (owner.to_string(), shorten(name));
        Flaw::word(spot, Fault::UnknownName { owner, what, name, suggestion })
    }

    /// The pairs of features of a contact, and where they come from.
    pub fn pairs(
        &self,
        contact: &View<'_>,
        most: usize,
    ) -> Result<(Vec<(usize, usize)>, PairOrigin), Flaw> {
        let sides = contact.node("between").and_then(|n| n.list()).unwrap_or_default();
        let (first, second, origin) = match (sides, contact.node("self")) {
            ([_, _], Some(_)) => {
                let reason = "pairs are between two sides or among one";
                return Err(contact.conflict("between", "self", reason));
            }
            ([a, b], None) => {
                let (a, b) = (self.side(&contact.owner, a)?, self.side(&contact.owner, b)?);
                let origin = match a.is_named && b.is_named {
                    true => PairOrigin::Stated,
                    false => PairOrigin::Pattern,
                };
                (a.features, b.features, origin)
            }
            (_, Some(node)) => {
                let all = self.side(&contact.owner, node)?.features;
                (all.clone(), all, PairOrigin::Among)
            }
            _ => return Err(contact.missing("between", "two names of bodies or features")),
        };
        if origin == PairOrigin::Stated {
            if first.len() * second.len() > most {
                let found = first.len() * second.len();
                return Err(Flaw::at(contact.spot, too_many(found, most)));
            }
            let all = first.iter().flat_map(|&a| second.iter().map(move |&b| (a, b)));
            return Ok((all.collect(), origin));
        }
        let except = self.except(contact)?;
        self.implied((&first, &second), origin, (&except, most))
            .map(|pairs| (pairs, origin))
            .ok_or_else(|| {
                let found = first.len().saturating_mul(second.len());
                Flaw::at(contact.spot, too_many(found, most))
            })
    }

    /// Pairs of two lists, each once, without those that cannot meet; none if they are too many.
    fn implied(
        &self,
        (first, second): (&[usize], &[usize]),
        origin: PairOrigin,
        (except, most): (&HashSet<(usize, usize)>, usize),
    ) -> Option<Vec<(usize, usize)>> {
        let body = |feature: usize| self.parts.features[feature].body;
        let both: HashSet<usize> = first.iter().copied().collect();
        let second_set: HashSet<usize> = second.iter().copied().collect();
        let mut pairs = Vec::new();
        for &a in first {
            for &b in second {
                // Where a pair stands in both orders it is taken once.
                let twice = both.contains(&b) && second_set.contains(&a) && a >= b;
                let (i, j) = (body(a), body(b));
                let among = origin == PairOrigin::Among;
                let tied = self.rigid.is_one(i, j) || (among && self.rigid.are_neighbours(i, j));
                if !twice && !tied && !except.contains(&ordered_pair(a, b)) {
                    pairs.push((a, b));
                }
            }
            if pairs.len() > most {
                return None;
            }
        }
        Some(pairs)
    }

    /// Pairs of features that are left out: by `except`, and by robot files.
    fn except(&self, contact: &View<'_>) -> Result<HashSet<(usize, usize)>, Flaw> {
        let mut all = HashSet::new();
        let mut add = |a: &[usize], b: &[usize]| {
            all.extend(a.iter().flat_map(|&a| b.iter().map(move |&b| ordered_pair(a, b))));
        };
        for node in contact.node("except").and_then(|n| n.list()).unwrap_or_default() {
            let [a, b] = node.list().unwrap_or_default() else { continue };
            let (a, b) = (self.side(&contact.owner, a)?, self.side(&contact.owner, b)?);
            add(&a.features, &b.features);
        }
        let of = |body: usize| self.features.get(self.parts.bodies[body].name.as_str());
        for &(a, b) in &self.parts.disabled {
            if let (Some(a), Some(b)) = (of(a), of(b)) {
                add(a, b);
            }
        }
        Ok(all)
    }
}

fn ordered_pair(a: usize, b: usize) -> (usize, usize) {
    (a.min(b), a.max(b))
}

/// More pairs than a scene may have.
pub(crate) fn too_many(found: usize, most: usize) -> Fault {
    let expected = format!("at most {most} pairs; name fewer bodies, or use `except`");
    Fault::Length { owner: "the scene".into(), key: "contact".into(), expected, found }
}

impl Rigid {
    /// Whether two bodies never move against each other.
    fn is_one(&self, i: usize, j: usize) -> bool {
        self.part[i] == self.part[j] || (self.is_static[i] && self.is_static[j])
    }

    /// Whether the part of one body carries that of the other, with no features in between.
    fn are_neighbours(&self, i: usize, j: usize) -> bool {
        self.carrier[j] == Some(self.part[i]) || self.carrier[i] == Some(self.part[j])
    }
}

fn rigid_parts(parts: &Parts) -> Result<Rigid, Flaw> {
    let n = parts.bodies.len();
    let (mut part, mut is_static, mut above) =
        ((0..n).collect::<Vec<_>>(), vec![false; n], vec![None; n]);
    for (i, parent) in ordered(parts)? {
        match (parts.bodies[i].joint.kind, parent) {
            (JointKind::Fixed, Some(p)) => {
                (part[i], is_static[i], above[i]) = (part[p], is_static[p], above[p]);
            }
            (JointKind::Fixed, None) => is_static[i] = true,
            (_, parent) => above[i] = parent.map(|p| part[p]),
        }
    }
    let mut shaped = vec![false; n];
    for feature in &parts.features {
        shaped[part[feature.body]] = true;
    }
    let climb = |i: usize| {
        let mut at: Option<usize> = above[i];
        while let Some(up) = at.filter(|up| !shaped[*up]) {
            at = above[up];
        }
        at
    };
    let carrier = (0..n).map(climb).collect();
    Ok(Rigid { part, is_static, carrier })
}

/// Whether a pattern with `*` fits a whole text.
fn fits(pattern: &str, text: &str) -> bool {
    let mut pieces = pattern.split('*');
    let Some(mut rest) = pieces.next().and_then(|head| text.strip_prefix(head)) else {
        return false;
    };
    let mut pieces: Vec<&str> = pieces.collect();
    let last = pieces.pop().unwrap_or("");
    for piece in pieces {
        match rest.find(piece) {
            Some(at) => rest = &rest[at + piece.len()..],
            None => return false,
        }
    }
    rest.len() >= last.len() && rest.ends_with(last)
}

#[cfg(test)]
mod tests {
    use super::fits;

    #[test]
    fn patterns() {
        for (pattern, text, holds) in [
            ("*", "", true),
            ("robot.*", "robot.arm", true),
            ("robot.*", "robotarm", false),
            ("*_foot", "FR_foot", true),
            ("*_foot", "FR_foot.1", false),
            ("F*_f*t", "FR_foot", true),
            ("ab*ba", "aba", false),
            ("a*a*a", "aaa", true),
            ("a*b*c", "acb", false),
            ("µ*", "µa", true),
            ("grain*", "grain", true),
            ("grain*", "a grain", false),
            ("floor", "floor", true),
        ] {
            assert_eq!(fits(pattern, text), holds, "{pattern} {text}");
        }
    }
}
