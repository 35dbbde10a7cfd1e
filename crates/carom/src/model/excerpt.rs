//! Some bodies of a model as a model of their own.
//!
//! What is fixed to the world is no body of an excerpt: its features become the world's, and what it carries
//! hangs on the world. Only features that a pair of the excerpt names are there, and only ties between joints
//! whose both ends are. It has no groups: what may touch is told pair by pair.
//!
//! # Tests
//! `crates/carom/tests/excerpts.rs`.

use super::builder::compile;
use super::tree::WORLD;
use super::{Body, BodyId, ContactPair, Coupling, Feature, FeatureId, Model};

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
        let tree = compile(&own_bodies);
        let model =
            Self::assemble(self.gravity(), own_bodies, features, own_pairs, couplings, tree);
        Excerpt { model, bodies: bodies.to_vec(), q, v }
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
