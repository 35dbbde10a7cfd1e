//! Parts to a model: names, parents, order, pairs.

use crate::error::Flaw;
use crate::fault::Fault;
use crate::parts::{BodyPart, PairOrigin, PairPart, Parts, PlacePart, Reference};
use crate::source::Spot;
use crate::suggest::nearest;
use crate::warning::{Caution, Cautions};
use carom::model::{
    Anchor, BodyId, BodyPoint, Coupling, Feature, FeatureId, Joint, Load, Loop, ModelBuilder,
    ModelError, PointSpring, Shape,
};
use std::collections::HashMap;

/// A builder with all bodies and features in it, and their ids by number of the part.
pub(crate) struct Assembly {
    pub builder: ModelBuilder,
    pub bodies: Vec<BodyId>,
    pub features: Vec<FeatureId>,
}

/// Put bodies, features and couplings together.
pub(crate) fn assemble(parts: &Parts, mut builder: ModelBuilder) -> Result<Assembly, Flaw> {
    let numbers = numbers_by_name(parts)?;
    let parents = parents(parts, &numbers)?;
    let order = order(parts, &parents)?;
    let mut ids: Vec<Option<BodyId>> = vec![None; parts.bodies.len()];
    // First degree of freedom of each part, in the order of the model.
    let mut first = vec![0; parts.bodies.len()];
    let mut nv = 0;
    for &i in &order {
        let part = &parts.bodies[i];
        let parent = parents[i].and_then(|p| ids[p]);
        let added = match part.doubt {
            Some(_) => {
                builder.add_body_as_written(&part.name, parent, joint_of(part), part.inertia)
            }
            None => builder.add_body(&part.name, parent, joint_of(part), part.inertia),
        };
        let id = added.map_err(|source| body_flaw(part, source))?;
        ids[i] = Some(id);
        first[i] = nv;
        nv += part.joint.kind.nv();
    }
    add_couplings(parts, &first, &mut builder)?;
    add_elements(parts, &Placed { numbers: &numbers, ids: &ids, first: &first }, &mut builder)?;
    let features = add_features(parts, &ids, &mut builder)?;
    let bodies = ids.into_iter().flatten().collect();
    Ok(Assembly { builder, bodies, features })
}

fn joint_of(part: &BodyPart) -> Joint {
    let mut joint = Joint::new(&part.joint.name, part.joint.kind, part.joint.placement);
    let own = part.joint.coordinate;
    if part.joint.is_single() {
        joint.coordinates[0] = own;
    } else {
        // What turns of quaternions may have as well.
        for c in &mut joint.coordinates {
            c.damping = own.damping;
            c.friction = own.friction;
            c.rotor_inertia = own.rotor_inertia;
        }
    }
    joint
}

/// Bodies by name; two of one name are a fault, of joints and features likewise.
fn numbers_by_name(parts: &Parts) -> Result<HashMap<&str, usize>, Flaw> {
    let mut bodies: HashMap<&str, usize> = HashMap::new();
    let mut joints: HashMap<&str, Spot> = HashMap::new();
    for (i, part) in parts.bodies.iter().enumerate() {
        for (what, name, spot) in
            [("body", &part.name, part.spot), ("joint", &part.joint.name, part.joint.spot)]
        {
            if name.trim().is_empty() {
                return Err(Flaw::at(spot, Fault::EmptyName { what }));
            }
        }
        if let Some(&first) = bodies.get(part.name.as_str()) {
            return Err(duplicate("body", &part.name, part.spot, parts.bodies[first].spot));
        }
        bodies.insert(&part.name, i);
        let joint = &part.joint;
        if let Some(first) = joints.insert(&joint.name, joint.spot) {
            return Err(duplicate("joint", &joint.name, joint.spot, first));
        }
    }
    let mut features: HashMap<&str, Spot> = HashMap::new();
    for part in &parts.features {
        if let Some(first) = features.insert(&part.name, part.spot) {
            return Err(duplicate("feature", &part.name, part.spot, first));
        }
    }
    Ok(bodies)
}

/// Two parts of one name.
pub(crate) fn duplicate(what: &'static str, name: &str, spot: Spot, first: Spot) -> Flaw {
    Flaw::at(spot, Fault::Duplicate { what, name: name.into() }).also(first)
}

/// The part that carries each body.
fn parents(parts: &Parts, numbers: &HashMap<&str, usize>) -> Result<Vec<Option<usize>>, Flaw> {
    let find = |part: &BodyPart| {
        let Some(parent) = &part.joint.parent else { return Ok(None) };
        match numbers.get(parent.name.as_str()) {
            Some(&i) => Ok(Some(i)),
            None => {
                let mut known: Vec<&str> = numbers.keys().copied().collect();
                known.sort_unstable();
                let fault = Fault::UnknownName {
                    owner: format!("joint `{}`", part.joint.name),
                    what: "body",
                    name: crate::source::shorten(&parent.name),
                    suggestion: nearest(&parent.name, known),
                };
                Err(Flaw::word(parent.spot, fault))
            }
        }
    };
    parts.bodies.iter().map(find).collect()
}

/// Parents before children, otherwise in the order of the file; a ring is a fault.
fn order(parts: &Parts, parents: &[Option<usize>]) -> Result<Vec<usize>, Flaw> {
    const NEW: u8 = 0;
    const OPEN: u8 = 1;
    const DONE: u8 = 2;
    let mut marks = vec![NEW; parents.len()];
    let mut order = Vec::with_capacity(parents.len());
    for start in 0..parents.len() {
        // Up to the first ancestor that is placed, then down again.
        let mut way = Vec::new();
        let mut at = Some(start);
        while let Some(i) = at {
            match marks[i] {
                DONE => break,
                OPEN => return Err(ring(parts, &way, i)),
                _ => {}
            }
            marks[i] = OPEN;
            way.push(i);
            at = parents[i];
        }
        for &i in way.iter().rev() {
            marks[i] = DONE;
            order.push(i);
        }
    }
    Ok(order)
}

/// The bodies with parents before children, each with its parent; a ring is a fault.
pub(crate) fn ordered(parts: &Parts) -> Result<Vec<(usize, Option<usize>)>, Flaw> {
    let numbers = numbers_by_name(parts)?;
    let parents = parents(parts, &numbers)?;
    Ok(order(parts, &parents)?.into_iter().map(|i| (i, parents[i])).collect())
}

fn ring(parts: &Parts, way: &[usize], back_at: usize) -> Flaw {
    const SHOWN: usize = 12;
    let start = way.iter().position(|&i| i == back_at).unwrap_or(0);
    let name = |i: &usize| crate::source::shorten(&parts.bodies[*i].name);
    // `way` goes from carried to carrier; the ring is shown from carrier to carried.
    let mut bodies: Vec<String> = way[start..].iter().rev().take(SHOWN).map(name).collect();
    if way.len() - start > SHOWN {
        bodies.push("…".into());
    }
    if let Some(first) = bodies.first().cloned() {
        bodies.push(first);
    }
    let part = &parts.bodies[back_at];
    let spot = part.joint.parent.as_ref().map_or(part.spot, |p| p.spot);
    Flaw::at(spot, Fault::Cycle { bodies })
}

fn body_flaw(part: &BodyPart, source: ModelError) -> Flaw {
    match source {
        ModelError::Inertia { body, source } => {
            Flaw::value(part.inertia_spot, "inertia", "kg·m²", Fault::Inertia { body, source })
        }
        source => Flaw::at(part.joint.spot, Fault::Model { source }),
    }
}

/// Joints that mimic others, and gears.
fn add_couplings(parts: &Parts, first: &[usize], builder: &mut ModelBuilder) -> Result<(), Flaw> {
    let by_joint: HashMap<&str, usize> =
        parts.bodies.iter().enumerate().map(|(i, b)| (b.joint.name.as_str(), i)).collect();
    let find = |owner: String, joint: &Reference| {
        by_joint.get(joint.name.as_str()).copied().ok_or_else(|| {
            let mut known: Vec<&str> = by_joint.keys().copied().collect();
            known.sort_unstable();
            let fault = Fault::UnknownName {
                owner,
                what: "joint",
                name: crate::source::shorten(&joint.name),
                suggestion: nearest(&joint.name, known),
            };
            Flaw::word(joint.spot, fault)
        })
    };
    let mut tie = |i: usize, leader: &Reference, at: usize, [ratio, offset]: [f64; 2]| {
        if at == i || !parts.bodies[at].joint.is_single() || !parts.bodies[i].joint.is_single() {
            let (joint, name) = (parts.bodies[i].joint.name.clone(), leader.name.clone());
            return Err(Flaw::word(leader.spot, Fault::NoLeader { joint, leader: name }));
        }
        let tie = Coupling { follower: first[i], leader: first[at], ratio, offset };
        let added = builder.add_coupling(tie);
        added.map_err(|source| Flaw::at(leader.spot, Fault::Model { source }))
    };
    for (i, part) in parts.bodies.iter().enumerate() {
        let Some(mimic) = &part.joint.mimic else { continue };
        let leader = find(format!("joint `{}`", part.joint.name), &mimic.leader)?;
        tie(i, &mimic.leader, leader, [mimic.ratio, mimic.offset])?;
    }
    let mut names: HashMap<&str, Spot> = HashMap::new();
    for gear in &parts.gears {
        if let Some(before) = names.insert(&gear.name, gear.spot) {
            return Err(duplicate("loop", &gear.name, gear.spot, before));
        }
        let owner = || format!("loop `{}`", gear.name);
        let (i, leader) = (find(owner(), &gear.follower)?, find(owner(), &gear.leader)?);
        tie(i, &gear.leader, leader, [gear.ratio, gear.offset])?;
    }
    Ok(())
}

/// Where bodies ended up.
struct Placed<'a> {
    numbers: &'a HashMap<&'a str, usize>,
    ids: &'a [Option<BodyId>],
    first: &'a [usize],
}

impl Placed<'_> {
    /// The body of a name.
    fn body(&self, owner: &str, body: &Reference) -> Result<Option<BodyId>, Flaw> {
        match self.numbers.get(body.name.as_str()) {
            Some(&i) => Ok(self.ids[i]),
            None => {
                let mut known: Vec<&str> = self.numbers.keys().copied().collect();
                known.sort_unstable();
                let fault = Fault::UnknownName {
                    owner: owner.into(),
                    what: "body",
                    name: crate::source::shorten(&body.name),
                    suggestion: nearest(&body.name, known),
                };
                Err(Flaw::word(body.spot, fault))
            }
        }
    }

    fn anchor(&self, owner: &str, place: &PlacePart) -> Result<Anchor, Flaw> {
        let body = place.body.as_ref().map_or(Ok(None), |body| self.body(owner, body))?;
        Ok(Anchor { body, placement: place.placement })
    }
}

/// Loops, springs and constant forces.
fn add_elements(
    parts: &Parts,
    placed: &Placed<'_>,
    builder: &mut ModelBuilder,
) -> Result<(), Flaw> {
    let model = |spot: Spot| move |source| Flaw::at(spot, Fault::Model { source });
    for part in &parts.loops {
        let owner = format!("loop `{}`", part.name);
        let [a, b] = &part.sides;
        let (a, b) = (placed.anchor(&owner, a)?, placed.anchor(&owner, b)?);
        let one = Loop { name: part.name.clone(), kind: part.kind, a, b };
        builder.add_loop(one).map_err(model(part.spot))?;
    }
    for part in &parts.springs {
        let owner = format!("spring `{}`", part.name);
        let end = |side: &PlacePart| -> Result<BodyPoint, Flaw> {
            let anchor = placed.anchor(&owner, side)?;
            Ok(BodyPoint { body: anchor.body, point: anchor.placement.r })
        };
        let spring = PointSpring {
            name: part.name.clone(),
            a: end(&part.sides[0])?,
            b: end(&part.sides[1])?,
            stiffness: part.stiffness,
            rest: part.rest,
            damping: part.damping,
        };
        builder.add_spring(spring).map_err(model(part.spot))?;
    }
    for part in &parts.loads {
        let Some(body) = placed.body("a [[load]]", &part.body)? else { continue };
        let (point, force, moment, axes) = (part.point, part.force, part.moment, part.axes);
        let load = Load::Body { body, point, force, moment, axes };
        builder.add_load(load).map_err(model(part.body.spot))?;
    }
    for (part, &dof) in parts.bodies.iter().zip(placed.first) {
        if part.joint.torque != 0.0 {
            let load = Load::Joint { dof, torque: part.joint.torque };
            builder.add_load(load).map_err(model(part.joint.spot))?;
        }
    }
    Ok(())
}

fn add_features(
    parts: &Parts,
    ids: &[Option<BodyId>],
    builder: &mut ModelBuilder,
) -> Result<Vec<FeatureId>, Flaw> {
    let mut features = Vec::with_capacity(parts.features.len());
    for part in &parts.features {
        let feature = Feature {
            name: part.name.clone(),
            body: ids[part.body],
            placement: part.placement,
            shape: part.shape.clone(),
        };
        let id = builder
            .add_feature(feature)
            .map_err(|source| Flaw::at(part.spot, Fault::Model { source }))?;
        features.push(id);
    }
    Ok(features)
}

/// Add the pairs. Implied pairs whose shapes have no gap function are taken from the list and told; those of robot files whose
/// shapes have no rolling and spinning friction go without it, which is told too.
pub(crate) fn add_pairs(
    assembly: &mut Assembly,
    parts: &Parts,
    pairs: &mut Vec<PairPart>,
    planar: bool,
    cautions: &mut Cautions,
) -> Result<(), Flaw> {
    let mut names: HashMap<String, Spot> = HashMap::new();
    let mut kept = Vec::with_capacity(pairs.len());
    for pair in pairs.drain(..) {
        match add_pair(assembly, parts, &pair, planar, &mut names) {
            Ok(()) => kept.push(pair),
            Err(flaw) => match *flaw.fault {
                Fault::Model {
                    source:
                        ModelError::Unsupported { pair: name, a, b }
                        | ModelError::Thin { pair: name, a, b },
                } if pair.origin != PairOrigin::Stated => {
                    names.remove(&name);
                    cautions.push((Caution::NoGap { pair: name, a, b }, pair.spot));
                }
                _ => return Err(flaw),
            },
        }
    }
    *pairs = kept;
    Ok(())
}

fn add_pair(
    assembly: &mut Assembly,
    parts: &Parts,
    pair: &PairPart,
    planar: bool,
    names: &mut HashMap<String, Spot>,
) -> Result<(), Flaw> {
    if let Some(first) = names.insert(pair.name.clone(), pair.spot) {
        return Err(duplicate("contact", &pair.name, pair.spot, first));
    }
    let (a, b) = (&parts.features[pair.a].shape, &parts.features[pair.b].shape);
    if planar && is_solid_in_plane(a, b) {
        let source = ModelError::Unsupported { pair: pair.name.clone(), a: a.word(), b: b.word() };
        return Err(Flaw::at(pair.spot, Fault::Model { source }));
    }
    if is_thin(a, b, planar) {
        let source = ModelError::Thin { pair: pair.name.clone(), a: a.word(), b: b.word() };
        return Err(Flaw::at(pair.spot, Fault::Model { source }));
    }
    let (a, b) = (assembly.features[pair.a], assembly.features[pair.b]);
    let added = assembly.builder.add_pair(&pair.name, a, b, pair.surface);
    let added = added.and_then(|id| assembly.builder.set_resistance(id, pair.resistance));
    added.map_err(|source| Flaw::at(pair.spot, Fault::Model { source }))
}

/// Disks and ellipses of space meet only what is thick.
fn is_thin(a: &Shape, b: &Shape, planar: bool) -> bool {
    let flat = |s: &Shape| s.is_flat_in(planar);
    let thin = |s: &Shape| match s {
        Shape::Point => true,
        Shape::Box { half_extents } => half_extents.contains(&0.0),
        _ => flat(s),
    };
    flat(a) && thin(b) || flat(b) && thin(a)
}

/// A shape of space meets planes in the plane, too; its section there is not looked at.
fn is_solid_in_plane(a: &Shape, b: &Shape) -> bool {
    let solid = |s: &Shape| {
        matches!(s, Shape::Cylinder { .. } | Shape::Ellipsoid { .. } | Shape::Convex { .. })
    };
    let flat = |s: &Shape| matches!(s, Shape::HalfSpace { .. });
    (solid(a) && !flat(b)) || (solid(b) && !flat(a))
}
