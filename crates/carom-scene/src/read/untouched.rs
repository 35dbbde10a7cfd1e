//! Bodies that could meet others, but for which no contact is stated: they pass through everything.
//!
//! A shape may be there for its inertia or its looks only, so this is a caution and no fault, and it
//! is given only where nothing of the mechanism of a body with a shape takes part in a contact, while
//! a shape that it could meet belongs to a body which no joint ties to it. Free mechanisms of which neither may touch the other, nor
//! any that touches it, are told as well: two things on one floor that go through each other. A row in which only neighbours
//! may touch is none of these.
//!
//! # Tests
//! `tests/reading.rs`: `shapes_that_no_contact_names_are_told`, `free_bodies_that_pass_through_each_other_are_told`.

use crate::parts::{PairPart, Parts};
use crate::read::pile::PilePart;
use crate::warning::{Caution, Cautions};
use carom::model::tree::WORLD;
use carom::model::{BodyId, JointKind, Model, Shape};

/// Features of one sort that are tried before a body counts as alone.
const TRIED: usize = 8;

/// Tells of such bodies.
pub(crate) fn untouched(
    parts: &Parts,
    (ids, model): (&[BodyId], &Model),
    (pairs, piles): (&[PairPart], &[PilePart]),
    cautions: &mut Cautions,
) {
    // By mechanisms: an arm that is to pass through the ground is no slip if its hand does not.
    let whole = mechanisms(model);
    let mut named = vec![false; parts.bodies.len()];
    let piled = piles.iter().flat_map(|pile| pile.features.iter().copied());
    for side in pairs.iter().flat_map(|p| [p.a, p.b]).chain(piled) {
        named[whole[ids[parts.features[side].body].index()]] = true;
    }
    let link = |body: usize| model.tree().seats[ids[body].index()].link;
    let is_tied = |a: usize, b: usize| {
        let of = |body: usize| model.body(ids[body]).parent;
        link(a) == link(b) || of(a) == Some(ids[b]) || of(b) == Some(ids[a])
    };
    let flat = |s: &Shape| matches!(s, Shape::HalfSpace { .. } | Shape::Terrain { .. });
    let round = |s: &Shape| matches!(s, Shape::Sphere { .. });
    let of_sort = |sort: &dyn Fn(&Shape) -> bool| -> Vec<usize> {
        let all = parts.features.iter().enumerate().filter(|(_, f)| sort(&f.shape));
        all.map(|(i, _)| i).take(TRIED).collect()
    };
    let (planes, spheres) = (of_sort(&flat), of_sort(&round));
    let mut told = vec![false; parts.bodies.len()];
    for feature in &parts.features {
        let body = feature.body;
        if named[whole[ids[body].index()]]
            || told[body]
            || link(body) == WORLD
            || flat(&feature.shape)
        {
            continue;
        }
        let others = planes.iter().chain(spheres.iter().filter(|_| round(&feature.shape)));
        let met = others.map(|&i| &parts.features[i]).find(|other| !is_tied(body, other.body));
        if let Some(other) = met {
            told[body] = true;
            let part = &parts.bodies[body];
            let (body, other) = (part.name.clone(), other.name.clone());
            cautions.push((Caution::NoContact { body, other }, part.spot));
        }
    }
    // Told mechanisms go through everything.
    let left = |of: usize| !(0..told.len()).any(|b| told[b] && whole[ids[b].index()] == of);
    apart(parts, (ids, model, &whole), (pairs, piles), left, cautions);
}

/// Tells of free mechanisms that no contact joins, not even by way of others.
fn apart(
    parts: &Parts,
    (ids, model, whole): (&[BodyId], &Model, &[usize]),
    (pairs, piles): (&[PairPart], &[PilePart]),
    is_left: impl Fn(usize) -> bool,
    cautions: &mut Cautions,
) {
    let mut group: Vec<usize> = (0..whole.len()).collect();
    let of_body = |body: usize| whole[ids[body].index()];
    let of = |feature: usize| of_body(parts.features[feature].body);
    let kind = |of: usize| &model.bodies()[of].joint.kind;
    let moves = |of: usize| matches!(kind(of), JointKind::Free | JointKind::Planar);
    let piled = piles.iter().flat_map(|pile| pile.features.windows(2).map(|two| (two[0], two[1])));
    let touching = pairs.iter().map(|pair| (pair.a, pair.b)).chain(piled);
    let touching = touching.map(|(a, b)| (of(a), of(b)));
    let tied = model.loops().iter().filter_map(|tie| match tie.bodies() {
        [Some(a), Some(b)] => Some((whole[a.index()], whole[b.index()])),
        _ => None,
    });
    for (a, b) in touching.chain(tied).filter(|&(a, b)| moves(a) && moves(b)) {
        let (a, b) = (find(&group, a), find(&group, b));
        group[a.max(b)] = a.min(b);
    }
    let mut first: Option<(usize, usize)> = None;
    for feature in parts.features.iter().filter(|f| has_room(&f.shape, kind(of_body(f.body)))) {
        let root = of_body(feature.body);
        if !moves(root) || !is_left(root) {
            continue;
        }
        let own = find(&group, root);
        match first {
            None => first = Some((own, feature.body)),
            Some((other, _)) if other == own => {}
            Some((other, body)) => {
                let name = |body: usize| parts.bodies[body].name.clone();
                let caution = Caution::Apart { a: name(body), b: name(feature.body) };
                cautions.push((caution, parts.bodies[feature.body].spot));
                // Each of the others is told once.
                group[own] = other;
            }
        }
    }
}

fn find(group: &[usize], mut of: usize) -> usize {
    while group[of] != of {
        of = group[of];
    }
    of
}

/// Whether a shape of a free mechanism has a gap function with others of its sort.
fn has_room(shape: &Shape, kind: &JointKind) -> bool {
    match shape {
        Shape::Point | Shape::HalfSpace { .. } | Shape::Terrain { .. } => false,
        Shape::Disk { .. } | Shape::Ellipse { .. } => matches!(kind, JointKind::Planar),
        Shape::Cylinder { .. } => matches!(kind, JointKind::Free),
        Shape::Box { half_extents } => half_extents.iter().filter(|h| **h > 0.0).count() > 1,
        _ => true,
    }
}

/// The mechanism of each body: the first body of those that joints tie together.
fn mechanisms(model: &Model) -> Vec<usize> {
    let mut whole: Vec<usize> = (0..model.bodies().len()).collect();
    // Parents come before children.
    for id in model.body_ids() {
        if let Some(parent) = model.body(id).parent
            && model.tree().seats[parent.index()].link != WORLD
        {
            whole[id.index()] = whole[parent.index()];
        }
    }
    whole
}
