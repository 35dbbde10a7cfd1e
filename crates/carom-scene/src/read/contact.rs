//! Contact pairs: which features, which restitution and friction, by which rule.

use crate::error::Flaw;
use crate::fault::Fault;
use crate::options::{CombineRule, PairInfo, ValueOrigin};
use crate::parts::{FeaturePart, Material, PairPart, Parts};
use crate::read::settings::law;
use crate::read::shape::check_order;
use crate::read::view::View;
use crate::source::Spot;
use crate::spec::run::{COMBINE, CONTACT};
use crate::suggest::nearest;
use carom::model::{Resistance, Surface};
use std::collections::HashMap;

/// Most pairs of one scene; every pair costs at every step.
const MOST_PAIRS: usize = 100_000;

/// Names that a contact may use, and the features behind them.
struct Names<'a> {
    features: HashMap<&'a str, Vec<usize>>,
    bodies: HashMap<&'a str, usize>,
}

impl<'a> Names<'a> {
    fn new(parts: &'a Parts) -> Self {
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
        Self { features, bodies }
    }

    fn side(&self, contact: &View<'_>, name: &str, spot: Spot) -> Result<&[usize], Flaw> {
        if let Some(list) = self.features.get(name) {
            return Ok(list);
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
        let known = self.features.keys().chain(self.bodies.keys()).copied();
        let mut known: Vec<&str> = known.collect();
        known.sort_unstable();
        let fault = Fault::UnknownName {
            owner: contact.owner.clone(),
            what: "body or feature",
            name: crate::source::shorten(name),
            suggestion: nearest(name, known),
        };
        Err(Flaw::word(spot, fault))
    }
}

/// All pairs of a scene.
pub(crate) fn contacts(scene: &View<'_>, parts: &Parts) -> Result<Vec<PairPart>, Flaw> {
    let names = Names::new(parts);
    let mut pairs = Vec::new();
    for contact in scene.list("contact", &CONTACT) {
        let sides = contact.node("between").and_then(|n| n.list()).unwrap_or_default();
        let [first, second] = sides else {
            return Err(contact.missing("between", "two names of bodies or features"));
        };
        let of_first = names.side(&contact, first.text().unwrap_or(""), first.spot)?;
        let of_second = names.side(&contact, second.text().unwrap_or(""), second.spot)?;
        let several = of_first.len() * of_second.len();
        if pairs.len() + several > MOST_PAIRS {
            let fault = Fault::Length {
                owner: "the scene".into(),
                key: "contact".into(),
                expected: format!("at most {MOST_PAIRS} pairs"),
                found: pairs.len() + several,
            };
            return Err(Flaw::at(contact.spot, fault));
        }
        for &a in of_first {
            for &b in of_second {
                pairs.push(pair(scene, &contact, parts, (a, b), several > 1)?);
            }
        }
    }
    Ok(pairs)
}

fn pair(
    scene: &View<'_>,
    contact: &View<'_>,
    parts: &Parts,
    (a, b): (usize, usize),
    several: bool,
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
    let spot = contact.table.entry("between").map_or(contact.spot, |e| e.node.spot);
    if contact.planar && contact.has("spinning_friction") {
        return Err(contact.not_here(
            "spinning_friction",
            "in the plane nothing turns about the normal",
            "leave it out, or write space = \"spatial\"",
        ));
    }
    let resistance = Resistance {
        rolling: contact.number_or("rolling_friction", 0.0),
        spinning: contact.number_or("spinning_friction", 0.0),
    };
    Ok(PairPart { name, spot, a, b, surface, resistance, info })
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
