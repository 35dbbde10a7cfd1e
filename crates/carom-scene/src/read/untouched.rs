//! Bodies that could meet others, but for which no contact is stated: they pass through everything.
//!
//! A shape may be there for its inertia or its looks only, so this is a caution and no fault, and it
//! is given only where nothing of the mechanism of a body with a shape takes part in a contact, while
//! a shape that it could meet belongs to a body which no joint ties to it.
//!
//! # Tests
//! `tests/reading.rs`: `shapes_that_no_contact_names_are_told`.

use crate::parts::{PairPart, Parts};
use crate::warning::{Caution, Cautions};
use carom::model::tree::WORLD;
use carom::model::{BodyId, Model, Shape};

/// Features of one sort that are tried before a body counts as alone.
const TRIED: usize = 8;

/// Tells of such bodies.
pub(crate) fn untouched(
    parts: &Parts,
    (ids, model): (&[BodyId], &Model),
    (pairs, grouped): (&[PairPart], impl Iterator<Item = usize>),
    cautions: &mut Cautions,
) {
    // By mechanisms: an arm that is to pass through the ground is no slip if its hand does not.
    let whole = mechanisms(model);
    let mut named = vec![false; parts.bodies.len()];
    for side in pairs.iter().flat_map(|p| [p.a, p.b]).chain(grouped) {
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
