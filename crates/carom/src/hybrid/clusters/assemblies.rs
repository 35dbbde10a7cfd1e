//! Assemblies: parts that are joined for good.
//!
//! Ties between joints, loops, and springs between points join parts for good, and so do pairs of polytopes, whose sites
//! follow features that only one clock can tell. A cluster is a set of assemblies that closed contacts join for a while.

use super::Parts;
use crate::contact::{Site, SiteGeometry};
use crate::model::{BodyId, FeatureId, Model};

/// The assemblies of a mechanism.
pub(crate) struct Assemblies {
    /// Bodies of each, ascending.
    pub bodies: Vec<Vec<BodyId>>,
    /// The assembly of each body; none for what is fixed.
    pub of_body: Vec<Option<usize>>,
}

impl Assemblies {
    pub fn new(model: &Model, sites: &[Site]) -> Self {
        let parts = Parts::new(model, sites, &[]);
        let label = join(model, &parts, sites);
        let mut place = vec![usize::MAX; parts.count];
        let mut bodies: Vec<Vec<BodyId>> = Vec::new();
        let mut of_body = Vec::with_capacity(model.bodies().len());
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
        Self { bodies, of_body }
    }

    /// How many there are.
    pub fn len(&self) -> usize {
        self.bodies.len()
    }

    /// The assembly of a feature; none for one of the world.
    pub fn of_feature(&self, model: &Model, feature: FeatureId) -> Option<usize> {
        model.feature(feature).body.and_then(|body| self.of_body[body.index()])
    }
}

/// The least part that each part is joined with for good.
fn join(model: &Model, parts: &Parts, sites: &[Site]) -> Vec<usize> {
    let mut label: Vec<usize> = (0..parts.count).collect();
    let root = |label: &[usize], mut part: usize| {
        while label[part] != part {
            part = label[part];
        }
        part
    };
    let ties = parts.of_bilateral.iter().copied();
    let of_body = |body: Option<BodyId>| body.and_then(|body| parts.of_body(model, body));
    let springs = model.springs().iter().map(|spring| spring.bodies().map(of_body));
    for ends in ties.chain(springs) {
        if let [Some(a), Some(b)] = ends.map(|part| part.map(|part| root(&label, part))) {
            label[a.max(b)] = a.min(b);
        }
    }
    for (site, parts) in sites.iter().zip(&parts.of_site) {
        if let (SiteGeometry::Idle { .. }, [Some(a), Some(b)]) = (&site.geometry, parts) {
            let (a, b) = (root(&label, *a), root(&label, *b));
            label[a.max(b)] = a.min(b);
        }
    }
    for part in 0..parts.count {
        label[part] = root(&label, part);
    }
    label
}
