//! Contact pairs: which features, which restitution and friction, by which rule.

use crate::error::Flaw;
use crate::fault::Fault;
use crate::options::{CombineRule, PairInfo, ValueOrigin};
use crate::parts::{FeaturePart, Material, PairOrigin, PairPart, Parts};
use crate::read::selection::{Selection, too_many};
use crate::read::settings::law;
use crate::read::shape::check_order;
use crate::read::view::View;
use crate::spec::run::{COMBINE, CONTACT};
use carom::model::{Resistance, Surface};
use std::collections::HashSet;

/// Most pairs of one scene; every pair costs at every step.
const MOST_PAIRS: usize = 100_000;

/// All pairs of a scene. Pairs whose sides are both named hold over those of patterns, these over
/// those of robot files, and of two patterns the first.
pub(crate) fn contacts(scene: &View<'_>, parts: &Parts) -> Result<Vec<PairPart>, Flaw> {
    let selection = Selection::new(scene, parts)?;
    let mut implied: Vec<Vec<PairPart>> = Vec::new();
    let mut pairs = Vec::new();
    for (number, contact) in scene.list("contact", &CONTACT).into_iter().enumerate() {
        let (found, origin) = selection.pairs(&contact, MOST_PAIRS)?;
        let several = found.len() > 1 || origin != PairOrigin::Stated;
        let mut made = Vec::with_capacity(found.len());
        for (a, b) in found {
            let mut one = pair(scene, &contact, parts, (a, b), (several, origin))?;
            one.contact = Some(number);
            made.push(one);
        }
        match origin {
            PairOrigin::Stated => pairs.append(&mut made),
            _ => implied.push(made),
        }
    }
    implied.push(parts.pairs.clone());
    let key = |p: &PairPart| (p.a.min(p.b), p.a.max(p.b));
    let mut taken: HashSet<(usize, usize)> = pairs.iter().map(key).collect();
    pairs.extend(implied.into_iter().flatten().filter(|p| taken.insert(key(p))));
    if pairs.len() > MOST_PAIRS {
        return Err(Flaw::at(scene.spot, too_many(pairs.len(), MOST_PAIRS)));
    }
    Ok(pairs)
}

fn pair(
    scene: &View<'_>,
    contact: &View<'_>,
    parts: &Parts,
    (a, b): (usize, usize),
    (several, origin): (bool, PairOrigin),
) -> Result<PairPart, Flaw> {
    let (fa, fb) = (&parts.features[a], &parts.features[b]);
    let joined = format!("{}-{}", fa.name, fb.name);
    let name = match (contact.text("name"), several) {
        (Some(name), false) => name.to_string(),
        (Some(name), true) => format!("{name}.{joined}"),
        (None, _) => joined,
    };
    let side = Sides { scene, contact, a: fa, b: fb };
    let stated = Material {
        restitution: contact.number("restitution"),
        friction: contact.number("friction"),
        static_friction: contact.number("static_friction"),
    };
    check_order(contact, &stated)?;
    let (restitution, from) = side.restitution(&stated)?;
    let ((static_friction, friction), friction_from) = side.friction(&stated)?;
    let surface = Surface { restitution, static_friction, friction };
    let info = PairInfo { restitution: from, friction: friction_from, law: law(contact)? };
    let bound = contact.has("while") || contact.has("touch");
    let stated = contact.table.entry("between").or(contact.table.entry("self"));
    let spot = stated.map_or(contact.spot, |e| e.node.spot);
    let resistance = resistance(contact)?;
    Ok(PairPart { name, spot, a, b, surface, resistance, info, origin, contact: None, bound })
}

/// Rolling and spinning friction of a contact or a pile.
pub(crate) fn resistance(contact: &View<'_>) -> Result<Resistance, Flaw> {
    if contact.planar && contact.has("spinning_friction") {
        return Err(contact.not_here(
            "spinning_friction",
            "in the plane nothing turns about the normal",
            "leave it out, or write space = \"spatial\"",
        ));
    }
    Ok(Resistance {
        rolling: contact.number_or("rolling_friction", 0.0),
        spinning: contact.number_or("spinning_friction", 0.0),
    })
}

/// The two sides of a pair, for values that the contact itself does not state.
struct Sides<'a> {
    scene: &'a View<'a>,
    contact: &'a View<'a>,
    a: &'a FeaturePart,
    b: &'a FeaturePart,
}

impl Sides<'_> {
    fn restitution(&self, stated: &Material) -> Result<(f64, ValueOrigin), Flaw> {
        if let Some(e) = stated.restitution {
            return Ok((e, ValueOrigin::Pair));
        }
        match (self.a.material.restitution, self.b.material.restitution) {
            (Some(a), Some(b)) => {
                let rule = self.rule("restitution", a, b)?;
                Ok((rule.apply(a, b), ValueOrigin::Combined { rule, a, b }))
            }
            (Some(e), None) => Ok((e, self.of(self.a))),
            (None, Some(e)) => Ok((e, self.of(self.b))),
            (None, None) => Err(self.contact.missing("restitution", "a number in [0, 1]")),
        }
    }

    fn friction(&self, stated: &Material) -> Result<((f64, f64), ValueOrigin), Flaw> {
        if let Some(both) = stated.frictions() {
            return Ok((both, ValueOrigin::Pair));
        }
        match (self.a.material.frictions(), self.b.material.frictions()) {
            (Some(a), Some(b)) => {
                let rule = self.rule("friction", a.1, b.1)?;
                let both = (rule.apply(a.0, b.0), rule.apply(a.1, b.1));
                Ok((both, ValueOrigin::Combined { rule, a: a.1, b: b.1 }))
            }
            (Some(both), None) => Ok((both, self.of(self.a))),
            (None, Some(both)) => Ok((both, self.of(self.b))),
            (None, None) => Err(self.contact.missing("friction", "a number ≥ 0")),
        }
    }

    fn of(&self, feature: &FeaturePart) -> ValueOrigin {
        ValueOrigin::Side { feature: feature.name.clone() }
    }

    fn rule(&self, key: &'static str, first: f64, second: f64) -> Result<CombineRule, Flaw> {
        let rule = |view: &View<'_>| {
            let word = view.sub("combine", &COMBINE)?.text(key)?;
            CombineRule::from_word(word)
        };
        rule(self.contact).or_else(|| rule(self.scene)).ok_or_else(|| {
            let owner = format!("contact between `{}` and `{}`", self.a.name, self.b.name);
            Flaw::at(self.contact.spot, Fault::NoRule { owner, key, first, second })
        })
    }
}
