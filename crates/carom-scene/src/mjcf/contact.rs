//! Which geoms may touch, and their friction.
//!
//! # Law
//! Two geoms of bodies that move against each other may touch if
//! ```text
//! (contype₁ & conaffinity₂) | (contype₂ & conaffinity₁) ≠ 0                           (1)
//! ```
//! and neither carries the other directly (the world does not count as a carrier, and welded bodies are
//! one), nor does an `<exclude>` name their bodies. A `<pair>` touches in any case. With a friction of
//! each geom
//! ```text
//! μ = that of the higher priority, else the larger;  0 for condim 1                    (2)
//! ```
//! for sliding, and in the same way for spinning from condim 4 on and for rolling with condim 6: their moments are at most
//! μ λₙ, each for itself, where MuJoCo has one cone for all of them.
//! Restitution is that of the scene's `[[mjcf]]`: MJCF has none.
//!
//! # Tests
//! `tests/mjcf.rs`: `eq1_pairs_and_excludes`, `eq2_friction_of_pairs`.

use super::body::Tree;
use super::defaults::Defaults;
use super::geom::{Geom, GeomSurface};
use super::item::Item;
use super::left_out::LeftOut;
use super::settings::{Settings, prefixed};
use super::tag::{Attribute, Tag};
use crate::error::Flaw;
use crate::fault::Fault;
use crate::options::{PairInfo, ValueOrigin};
use crate::parts::{FeaturePart, Material, PairOrigin, PairPart};
use crate::source::{Spot, shorten};
use crate::suggest::nearest;
use carom::model::{Resistance, Surface};
use std::collections::{HashMap, HashSet};

/// The features of geoms, and for each geom the numbers of its own.
pub(crate) fn features(tree: &Tree<'_>) -> (Vec<FeaturePart>, Vec<Vec<usize>>) {
    let mut features: Vec<FeaturePart> = Vec::new();
    let mut of_geom = Vec::new();
    let mut count: HashMap<usize, usize> = HashMap::new();
    for geom in tree.geoms.iter().filter(|g| g.solid.is_some()) {
        *count.entry(geom.body).or_default() += 1;
    }
    let mut number: HashMap<usize, usize> = HashMap::new();
    let mut taken: HashSet<String> = HashSet::new();
    for geom in &tree.geoms {
        let mut own = Vec::new();
        if let Some(solid) = &geom.solid {
            let k = number.entry(geom.body).or_default();
            *k += 1;
            let body = &tree.parts[geom.body].name;
            let several = count.get(&geom.body).is_some_and(|n| *n > 1);
            let mut group = match &geom.name {
                Some(name) if prefixed(tree.prefix, name) != *body => format!("{body}.{name}"),
                _ if several => format!("{body}.{k}"),
                _ => body.clone(),
            };
            while !taken.insert(group.clone()) {
                group.push_str(".geom");
            }
            for (suffix, shape) in solid.features() {
                own.push(features.len());
                features.push(FeaturePart {
                    name: format!("{group}{suffix}"),
                    group: group.clone(),
                    spot: geom.spot,
                    body: geom.body,
                    placement: geom.pose,
                    shape,
                    approximates: solid.approximation(),
                    material: Material::default(),
                });
            }
        }
        of_geom.push(own);
    }
    (features, of_geom)
}

/// What pairs are made of.
pub(crate) struct Touching<'a, 't> {
    pub model: &'a Tag,
    pub tree: &'a Tree<'t>,
    pub features: &'a [FeaturePart],
    pub of_geom: &'a [Vec<usize>],
    pub restitution: f64,
}

impl Touching<'_, '_> {
    /// All pairs of features that may touch.
    pub fn pairs(
        &self,
        defaults: &Defaults<'_>,
        settings: &Settings,
        left_out: &mut LeftOut,
    ) -> Result<Vec<PairPart>, Flaw> {
        let mut pairs = Vec::new();
        if !settings.contact {
            return Ok(pairs);
        }
        let mut stated = HashSet::new();
        let [by_name, by_bits] = settings.collision;
        let pairs_of = |section: &'_ &Tag| by_name && section.name == "contact";
        for tag in self.model.children.iter().filter(pairs_of).flat_map(|s| s.all("pair")) {
            let item = defaults.item(tag, 0)?;
            left_out.soft(&item);
            let (a, b) = (self.geom(&item, "geom1")?, self.geom(&item, "geom2")?);
            stated.insert((a.min(b), a.max(b)));
            let both = merged(&self.tree.geoms[a].surface, &self.tree.geoms[b].surface);
            let mut friction = both.0;
            // A pair states both directions of sliding, spinning, both directions of rolling.
            let stated = item.numbers("friction", 1..=5)?.unwrap_or_default();
            for (own, place) in friction.iter_mut().zip([0, 2, 3]) {
                *own = stated.get(place).copied().unwrap_or(*own);
            }
            let condim = item.whole("condim", both.1)?;
            self.push((a, b), in_force(friction, condim), tag.spot, &mut pairs);
        }
        let excluded = self.excluded()?;
        let geoms = &self.tree.geoms;
        for a in 0..if by_bits { geoms.len() } else { 0 } {
            for b in a + 1..geoms.len() {
                let by_bits = meets(&geoms[a].surface, &geoms[b].surface);
                if !by_bits || stated.contains(&(a, b)) || !self.moves(a, b, settings) {
                    continue;
                }
                let (i, j) = (geoms[a].body, geoms[b].body);
                if excluded.contains(&(i.min(j), i.max(j))) {
                    continue;
                }
                let (friction, condim) = merged(&geoms[a].surface, &geoms[b].surface);
                self.push((a, b), in_force(friction, condim), geoms[b].spot, &mut pairs);
            }
        }
        Ok(pairs)
    }

    /// Whether the bodies of two geoms move against each other and neither carries the other.
    fn moves(&self, a: usize, b: usize, settings: &Settings) -> bool {
        let of = |geom: usize| {
            let part = self.tree.geoms[geom].body;
            self.tree.bodies.get(&self.tree.parts[part].name).map(|b| (b.weld, b.weld_parent))
        };
        let (Some((wa, pa)), Some((wb, pb))) = (of(a), of(b)) else { return false };
        if wa == wb {
            return false;
        }
        let both_move = wa.is_some() && wb.is_some();
        !(settings.filter_parent && both_move && (wa == pb || wb == pa))
    }

    fn push(
        &self,
        (a, b): (usize, usize),
        [friction, spinning, rolling]: [f64; 3],
        spot: Spot,
        pairs: &mut Vec<PairPart>,
    ) {
        let surface =
            Surface { restitution: self.restitution, static_friction: friction, friction };
        let origin = || ValueOrigin::Pair;
        for &i in &self.of_geom[a] {
            for &j in &self.of_geom[b] {
                pairs.push(PairPart {
                    name: format!("{}-{}", self.features[i].name, self.features[j].name),
                    spot,
                    a: i,
                    b: j,
                    surface,
                    resistance: Resistance { rolling, spinning },
                    info: PairInfo { restitution: origin(), friction: origin(), law: None },
                    origin: PairOrigin::Robot,
                    contact: None,
                    bound: false,
                });
            }
        }
    }

    fn geom(&self, item: &Item<'_>, key: &'static str) -> Result<usize, Flaw> {
        let wanted = item.needed(key, "the name of a geom")?;
        let named = |g: &Geom| g.name.as_deref() == Some(wanted.value.as_str());
        let known = || self.tree.geoms.iter().filter_map(|g| g.name.as_deref());
        let found = self.tree.geoms.iter().position(named);
        found.ok_or_else(|| unknown(item.tag, "geom", wanted, known()))
    }

    /// Pairs of bodies by their parts, smaller first.
    fn excluded(&self) -> Result<HashSet<(usize, usize)>, Flaw> {
        let mut all = HashSet::new();
        for tag in self.model.all("contact").flat_map(|section| section.all("exclude")) {
            let item = Item::plain(tag);
            let a = body_named(&item, "body1", self.tree)?;
            let b = body_named(&item, "body2", self.tree)?;
            all.insert((a.min(b), a.max(b)));
        }
        Ok(all)
    }
}

/// The part of a body by the name in an attribute.
pub(crate) fn body_named(
    item: &Item<'_>,
    key: &'static str,
    tree: &Tree<'_>,
) -> Result<usize, Flaw> {
    let wanted = item.needed(key, "the name of a body")?;
    let name = prefixed(tree.prefix, &wanted.value);
    tree.bodies.get(&name).map(|b| b.part).ok_or_else(|| {
        let mut known: Vec<&str> = tree.bodies.keys().map(String::as_str).collect();
        known.sort_unstable();
        unknown(item.tag, "body", wanted, known.into_iter())
    })
}

/// A name that nothing has.
pub(crate) fn unknown<'a>(
    tag: &Tag,
    what: &'static str,
    wanted: &Attribute,
    known: impl Iterator<Item = &'a str>,
) -> Flaw {
    let fault = Fault::UnknownName {
        owner: tag.called(),
        what,
        name: shorten(&wanted.value),
        suggestion: nearest(&wanted.value, known),
    };
    Flaw::word(wanted.spot, fault)
}

/// Equation (1).
fn meets(a: &GeomSurface, b: &GeomSurface) -> bool {
    (a.contype & b.conaffinity) | (b.contype & a.conaffinity) != 0
}

/// Friction and dimension of a pair, equation (2).
fn merged(a: &GeomSurface, b: &GeomSurface) -> ([f64; 3], i64) {
    match a.priority.cmp(&b.priority) {
        std::cmp::Ordering::Greater => (a.friction, a.condim),
        std::cmp::Ordering::Less => (b.friction, b.condim),
        std::cmp::Ordering::Equal => {
            let larger = [0, 1, 2].map(|k| a.friction[k].max(b.friction[k]));
            (larger, a.condim.max(b.condim))
        }
    }
}

/// Sliding, spinning and rolling friction of a pair of this dimension.
fn in_force([sliding, spinning, rolling]: [f64; 3], condim: i64) -> [f64; 3] {
    let from = |least: i64, mu: f64| if condim >= least { mu } else { 0.0 };
    [from(3, sliding), from(4, spinning), from(6, rolling)]
}
