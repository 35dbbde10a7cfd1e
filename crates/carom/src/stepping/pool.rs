//! Sites of a run: those of pairs, limits and small groups, which are there from the start and are recorded one by one, and
//! those of large groups, which are made when two features come near each other for the first time.
//!
//! Sites of two polytopes stand for the features that are near at the middle of the step at hand. A site keeps its features
//! as long as they are among those of the pair, so that the first guess of its force stays with its corner.

use super::grid::{Ball, Grid};
use crate::contact::site::{push_moments, push_sites};
use crate::contact::site_state::body_twist;
use crate::contact::{NEAR, PolytopePair, Site, SiteGeometry, polytope_pairs, sites};
use crate::dynamics::Kinematics;
use crate::model::{ContactGroup, FeatureId, Model, Shape, moves_in_plane};
use std::collections::HashMap;

/// All sites known so far; a site keeps its place.
pub(crate) struct Pool {
    pub sites: Vec<Site>,
    /// How many of them are recorded one by one.
    pub declared: usize,
    /// Sites that may touch in the step at hand, ascending: all declared ones, and near ones of groups.
    pub candidates: Vec<usize>,
    tangents: usize,
    /// The sites of a pair of features of a group; looked up, never gone through.
    known: HashMap<(usize, usize, usize), Known>,
    grid: Grid,
    balls: Vec<Ball>,
    near: Vec<(usize, usize)>,
    /// Pairs whose sites stand for the features that are near at the step at hand, declared ones first.
    polytopes: Vec<PolytopePair>,
    declared_polytopes: usize,
}

/// Where the sites of two features are.
struct Known {
    first: usize,
    count: usize,
    /// Place of the pair, if they are polytopes.
    polytopes: Option<usize>,
}

impl Pool {
    pub fn new(model: &Model) -> Self {
        let sites = sites(model);
        let polytopes = polytope_pairs(model, &sites);
        Self {
            declared: sites.len(),
            declared_polytopes: polytopes.len(),
            polytopes,
            sites,
            candidates: Vec::new(),
            tangents: if moves_in_plane(model) { 1 } else { 2 },
            known: HashMap::new(),
            grid: Grid::default(),
            balls: Vec::new(),
            near: Vec::new(),
        }
    }

    /// Find the candidates: everything whose bounds are at most `margin` apart at these poses.
    pub fn find(&mut self, model: &Model, kin: &Kinematics, margin: f64) {
        self.candidates.clear();
        self.candidates.extend(0..self.declared);
        for pair in 0..self.declared_polytopes {
            self.assign(model, kin, pair);
        }
        let groups = model.groups().iter().enumerate();
        for (index, group) in groups.filter(|(_, group)| !group.is_written_out()) {
            self.bound(model, kin, group);
            let mut near = std::mem::take(&mut self.near);
            self.grid.pairs(&self.balls, margin, &mut near);
            for &(a, b) in &near {
                let features = (group.features[a], group.features[b]);
                if let Some(pair) = self.note(model, (index, group), features) {
                    self.assign(model, kin, pair);
                }
            }
            self.near = near;
        }
        let (sites, declared) = (&self.sites, self.declared);
        let idle = |site: usize| matches!(sites[site].geometry, SiteGeometry::Idle { .. });
        self.candidates.retain(|&site| site < declared || !idle(site));
        self.candidates[self.declared..].sort_unstable();
    }

    /// The features that the sites of a pair of polytopes stand for at these poses.
    fn assign(&mut self, model: &Model, kin: &Kinematics, pair: usize) {
        let pair = &mut self.polytopes[pair];
        let [a, b] = pair.bodies.map(|body| body_twist(model, kin, body));
        let sites = &mut self.sites;
        if pair.apart(&a, &b) > NEAR * pair.size {
            if pair.features.iter().any(Option::is_some) {
                pair.features.fill(None);
                let idle = pair.geometry(None);
                pair.sites().for_each(|site| sites[site].geometry = idle);
            }
            return;
        }
        let nothing_stays = (|_: usize| false, true);
        pair.assign((&a, &b), nothing_stays, |site, geometry| sites[site].geometry = geometry);
    }

    /// Balls about the features of a group; a half-space is not bounded.
    fn bound(&mut self, model: &Model, kin: &Kinematics, group: &ContactGroup) {
        self.balls.clear();
        for &id in &group.features {
            let feature = model.feature(id);
            let place = match feature.body {
                Some(body) => kin.pose(model, body).then(&feature.placement),
                None => feature.placement,
            };
            self.balls.push(match &feature.shape {
                Shape::HalfSpace { normal } => {
                    Ball::Plane { point: place.r, normal: place.R * normal.into_inner() }
                }
                shape => Ball::Round { center: place.r, radius: shape.reach() },
            });
        }
    }

    /// Two features are near: their sites are candidates, and are made if they are new. Which polytopes they are, if any.
    fn note(
        &mut self,
        model: &Model,
        (index, group): (usize, &ContactGroup),
        (a, b): (FeatureId, FeatureId),
    ) -> Option<usize> {
        let key = (index, a.index(), b.index());
        if let Some(known) = self.known.get(&key) {
            self.candidates.extend(known.first..known.first + known.count);
            return known.polytopes;
        }
        let (a, b) = group.pair(model, a, b)?;
        let first = self.sites.len();
        let features = (model.feature(a), model.feature(b));
        push_sites("", features, group.surface, self.tangents, &mut self.sites);
        let count = self.sites.len() - first;
        let faceted = matches!(self.sites[first].geometry, SiteGeometry::Idle { .. });
        let of = || PolytopePair::of(features, self.tangents == 1, first, count);
        let polytopes = faceted.then(of).flatten().map(|pair| {
            self.polytopes.push(pair);
            self.polytopes.len() - 1
        });
        let mut moments = Vec::new();
        for of in first..first + count {
            push_moments((of, &self.sites[of]), group.resistance, self.tangents, &mut moments);
        }
        let count = count + moments.len();
        self.sites.append(&mut moments);
        self.known.insert(key, Known { first, count, polytopes });
        self.candidates.extend(first..first + count);
        polytopes
    }
}
