//! Some bodies of a model as a model of their own.
//!
//! What is fixed to the world is no body of an excerpt: its features become the world's, and what it carries
//! hangs on the world. Only features that a pair of the excerpt names are there, and only ties, loops, springs and
//! loads whose ends all are. Planar is what the whole is. It has no groups: what may touch is told pair by pair.
//!
//! # Tests
//! `crates/carom/tests/excerpts.rs`.

use super::builder::compile;
use super::mechanism::Elements;
use super::tree::WORLD;
use super::{
    Anchor, Body, BodyId, BodyPoint, ContactPair, Coupling, Feature, FeatureId, Load, Loop, Model,
    PointSpring,
};
use crate::spatial::Pose;

/// A part of a model, and where its numbers stand in the whole.
#[derive(Debug, Clone, PartialEq)]
pub struct Excerpt {
    /// The part.
    pub model: Model,
    /// The body of the whole that each body is, ascending.
    pub bodies: Vec<BodyId>,
    /// The place in q of the whole of each coordinate.
    pub q: Vec<usize>,
    /// The place in v of the whole of each velocity.
    pub v: Vec<usize>,
    /// The loop of the whole that each loop is, ascending.
    pub loops: Vec<usize>,
}

impl Model {
    /// The bodies `bodies` (ascending, whole trees that move) with these pairs of features between them and the world.
    pub fn excerpt(&self, bodies: &[BodyId], pairs: &[&ContactPair]) -> Excerpt {
        let own = |body: BodyId| bodies.binary_search(&body).ok().map(BodyId);
        let mut kept: Vec<FeatureId> = Vec::with_capacity(2 * pairs.len());
        kept.extend(pairs.iter().flat_map(|pair| [pair.a, pair.b]));
        kept.sort_unstable();
        kept.dedup();
        let q = bodies.iter().flat_map(|&b| self.q_range(b)).collect();
        let v: Vec<usize> = bodies.iter().flat_map(|&b| self.v_range(b)).collect();
        let place = |dof: usize| v.binary_search(&dof).ok();
        let couplings = self.couplings().iter().filter_map(|c| {
            let (follower, leader) = (place(c.follower)?, place(c.leader)?);
            Some(Coupling { follower, leader, ..*c })
        });
        let couplings = couplings.collect();
        let own_bodies: Vec<Body> = bodies.iter().map(|&b| self.body_in(b, own)).collect();
        let features = kept.iter().map(|&f| self.feature_in(f, own)).collect();
        let feature = |id: FeatureId| FeatureId(kept.partition_point(|&k| k < id));
        let own_pairs = pairs.iter().map(|&pair| ContactPair {
            a: feature(pair.a),
            b: feature(pair.b),
            ..pair.clone()
        });
        let own_pairs = (own_pairs.collect(), Vec::new());
        let mut tree = compile(&own_bodies);
        for (node, &j) in tree.nodes.iter_mut().zip(&v) {
            (node.rotor, node.ghost) = (self.tree().nodes[j].rotor, self.tree().nodes[j].ghost);
        }
        let elements = self.elements_in(own, place);
        let loops = elements.loops.iter();
        let loops = loops.filter_map(|l| self.loops().iter().position(|w| w.name == l.name));
        let loops = loops.collect();
        let ties = (couplings, elements);
        let mut model = Self::assemble(self.gravity(), own_bodies, features, own_pairs, ties, tree);
        (model.planar, model.flat) = (self.planar, self.flat);
        Excerpt { model, bodies: bodies.to_vec(), q, v, loops }
    }

    /// Loops, springs and loads as the excerpt has them.
    fn elements_in(
        &self,
        own: impl Fn(BodyId) -> Option<BodyId>,
        dof: impl Fn(usize) -> Option<usize>,
    ) -> Elements {
        let anchor = |on: &Anchor| {
            let (body, X) = self.carrier_in(on.body, &own)?;
            Some(Anchor { body, placement: X.then(&on.placement) })
        };
        let loops = self.loops().iter().filter_map(|one| {
            let (a, b) = (anchor(&one.a)?, anchor(&one.b)?);
            Some(Loop { a, b, ..one.clone() }).filter(|one| one.bodies() != [None; 2])
        });
        let end = |on: &BodyPoint| {
            let (body, X) = self.carrier_in(on.body, &own)?;
            Some(BodyPoint { body, point: X.point(&on.point) })
        };
        let springs = self.springs().iter().filter_map(|spring| {
            let (a, b) = (end(&spring.a)?, end(&spring.b)?);
            Some(PointSpring { a, b, ..spring.clone() }).filter(|s| s.bodies() != [None; 2])
        });
        let loads = self.loads().iter().filter_map(|load| match *load {
            Load::Joint { dof: j, torque } => Some(Load::Joint { dof: dof(j)?, torque }),
            Load::Body { body, point, force, moment, axes } => {
                Some(Load::Body { body: own(body)?, point, force, moment, axes })
            }
        });
        Elements { loops: loops.collect(), springs: springs.collect(), loads: loads.collect() }
    }

    /// The body of the excerpt that stands for a body, and the frame of that body in its frame; the world for what is
    /// fixed, none for what is left out.
    fn carrier_in(
        &self,
        body: Option<BodyId>,
        own: impl Fn(BodyId) -> Option<BodyId>,
    ) -> Option<(Option<BodyId>, Pose)> {
        let Some(id) = body else { return Some((None, Pose::identity())) };
        let seat = self.tree().seats[id.index()];
        match own(id) {
            Some(id) => Some((Some(id), Pose::identity())),
            None if seat.link == WORLD => Some((None, seat.pose)),
            None => None,
        }
    }

    /// A body as the excerpt has it.
    fn body_in(&self, body: BodyId, own: impl Fn(BodyId) -> Option<BodyId>) -> Body {
        let mut body = self.body(body).clone();
        if let Some(parent) = body.parent {
            body.parent = own(parent);
            if body.parent.is_none() {
                let carrier = self.tree().seats[parent.index()].pose;
                body.joint.placement = carrier.then(&body.joint.placement);
            }
        }
        body
    }

    /// A feature as the excerpt has it.
    fn feature_in(&self, feature: FeatureId, own: impl Fn(BodyId) -> Option<BodyId>) -> Feature {
        let mut feature = self.feature(feature).clone();
        let Some(body) = feature.body else { return feature };
        let seat = self.tree().seats[body.index()];
        if seat.link == WORLD {
            feature.placement = seat.pose.then(&feature.placement);
            feature.body = None;
        } else {
            feature.body = own(body);
        }
        feature
    }
}
