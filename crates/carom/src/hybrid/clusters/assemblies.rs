//! Assemblies: parts that are joined for good, and the pairs within and between them.
//!
//! Ties between joints join parts for good. A cluster is a set of assemblies that closed contacts join for a while.

use super::Parts;
use crate::contact::Site;
use crate::model::{BodyId, FeatureId, Model, PairId};
use std::collections::HashMap;

/// The assemblies of a mechanism.
pub(crate) struct Assemblies {
    /// Bodies of each, ascending.
    pub bodies: Vec<Vec<BodyId>>,
    /// Pairs of each with the world or with itself, ascending.
    pub own: Vec<Vec<PairId>>,
    /// Features of each that may meet other assemblies, ascending.
    pub exposed: Vec<Vec<FeatureId>>,
    /// The assembly of each body; none for what is fixed.
    pub of_body: Vec<Option<usize>>,
    /// Pairs between two assemblies, the lesser first; never iterated.
    between: HashMap<(usize, usize), Vec<PairId>>,
}

impl Assemblies {
    pub fn new(model: &Model, sites: &[Site]) -> Self {
        let parts = Parts::new(model, sites);
        let label = join(model, &parts);
        let links = &model.tree().seats;
        let mut place = vec![usize::MAX; parts.count];
        let mut bodies: Vec<Vec<BodyId>> = Vec::new();
        let mut of_body = Vec::with_capacity(links.len());
        for body in model.body_ids() {
            let part = parts.of_body(model, body).map(|part| label[part]);
            of_body.push(part.map(|part| {
                if place[part] == usize::MAX {
                    place[part] = bodies.len();
                    bodies.push(Vec::new());
                }
                bodies[place[part]].push(body);
                place[part]
            }));
        }
        let count = bodies.len();
        let mut all = Self {
            bodies,
            own: vec![Vec::new(); count],
            exposed: vec![Vec::new(); count],
            of_body,
            between: HashMap::new(),
        };
        all.sort_pairs(model);
        all
    }

    /// How many there are.
    pub fn len(&self) -> usize {
        self.bodies.len()
    }

    /// The pairs between two assemblies.
    pub fn between(&self, a: usize, b: usize) -> &[PairId] {
        self.between.get(&(a.min(b), a.max(b))).map_or(&[], Vec::as_slice)
    }

    /// The assembly of a feature; none for one of the world.
    fn of_feature(&self, model: &Model, feature: FeatureId) -> Option<usize> {
        model.feature(feature).body.and_then(|body| self.of_body[body.index()])
    }

    fn sort_pairs(&mut self, model: &Model) {
        for (index, pair) in model.pairs().iter().enumerate() {
            let id = model.pair_id(index);
            match [pair.a, pair.b].map(|f| self.of_feature(model, f)) {
                [Some(a), Some(b)] if a != b => {
                    self.between.entry((a.min(b), a.max(b))).or_default().push(id);
                    self.exposed[a].push(pair.a);
                    self.exposed[b].push(pair.b);
                }
                [Some(a), _] | [_, Some(a)] => self.own[a].push(id),
                [None, None] => {}
            }
        }
        for exposed in &mut self.exposed {
            exposed.sort_unstable();
            exposed.dedup();
        }
    }
}

/// The least part that each part is joined with for good.
fn join(model: &Model, parts: &Parts) -> Vec<usize> {
    let mut label: Vec<usize> = (0..parts.count).collect();
    let root = |label: &[usize], mut part: usize| {
        while label[part] != part {
            part = label[part];
        }
        part
    };
    for tie in model.couplings() {
        let a = root(&label, parts.of_dof[tie.follower]);
        let b = root(&label, parts.of_dof[tie.leader]);
        label[a.max(b)] = a.min(b);
    }
    for part in 0..parts.count {
        label[part] = root(&label, part);
    }
    label
}
