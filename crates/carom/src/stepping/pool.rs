//! Sites of a run: those of pairs, limits and small groups, which are there from the start and are recorded one by one, and
//! those of large groups, which are made when two features come near each other for the first time.

use super::grid::{Ball, Grid};
use crate::contact::site::{moves_in_plane, push_sites};
use crate::contact::{Site, sites};
use crate::dynamics::Kinematics;
use crate::model::{ContactGroup, FeatureId, Model, Shape};
use std::collections::HashMap;

/// All sites known so far; a site keeps its place.
pub(crate) struct Pool {
    pub sites: Vec<Site>,
    /// How many of them are recorded one by one.
    pub declared: usize,
    /// Sites that may touch in the step at hand, ascending: all declared ones, and near ones of groups.
    pub candidates: Vec<usize>,
    tangents: usize,
    /// First site and number of sites of a pair of features of a group; looked up, never gone through.
    known: HashMap<(usize, usize, usize), (usize, usize)>,
    grid: Grid,
    balls: Vec<Ball>,
    near: Vec<(usize, usize)>,
}

impl Pool {
    pub fn new(model: &Model) -> Self {
        let sites = sites(model);
        Self {
            declared: sites.len(),
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
        let groups = model.groups().iter().enumerate();
        for (index, group) in groups.filter(|(_, group)| !group.is_written_out()) {
            self.bound(model, kin, group);
            let mut near = std::mem::take(&mut self.near);
            self.grid.pairs(&self.balls, margin, &mut near);
            for &(a, b) in &near {
                self.note(model, (index, group), (group.features[a], group.features[b]));
            }
            self.near = near;
        }
        self.candidates[self.declared..].sort_unstable();
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
                shape => Ball::Round { center: place.r, radius: reach(shape) },
            });
        }
    }

    /// Two features are near: their sites are candidates, and are made if they are new.
    fn note(
        &mut self,
        model: &Model,
        (index, group): (usize, &ContactGroup),
        (a, b): (FeatureId, FeatureId),
    ) {
        let key = (index, a.index(), b.index());
        if let Some(&(first, count)) = self.known.get(&key) {
            self.candidates.extend(first..first + count);
            return;
        }
        let Some((a, b)) = group.pair(model, a, b) else { return };
        let first = self.sites.len();
        let features = (model.feature(a), model.feature(b));
        push_sites("", features, group.surface, self.tangents, &mut self.sites);
        self.known.insert(key, (first, self.sites.len() - first));
        self.candidates.extend(first..self.sites.len());
    }
}

/// Radius of a ball about the origin of a shape that holds it.
fn reach(shape: &Shape) -> f64 {
    let length = |x: &[f64]| x.iter().map(|x| x * x).sum::<f64>().sqrt();
    match shape {
        Shape::Point | Shape::HalfSpace { .. } => 0.0,
        Shape::Sphere { radius } | Shape::Disk { radius } => *radius,
        Shape::Ellipse { semi_axes } => semi_axes[0].max(semi_axes[1]),
        Shape::Ellipsoid { semi_axes } => semi_axes.iter().fold(0.0, |m, a| a.max(m)),
        Shape::Box { half_extents } => length(half_extents),
        Shape::Capsule { radius, half_length } => radius + half_length,
    }
}
