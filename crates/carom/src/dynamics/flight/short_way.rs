//! v̇ of a mechanism on which nothing but gravity and joint forces acts, the short way.
//!
//! Branches (links on the world with all they carry) do not feel each other through M: each is a
//! planar tree or a lone free body, or the mechanism has no short way and [`super::super::forward`]
//! serves all of it.
//!
//! # Tests
//! `tests/flight.rs`.

use super::lone::LoneBody;
use super::planar::PlanarTrees;
use super::plane::{Plane, unmoved};
use crate::model::Model;
use crate::model::tree::{LinkMotion, WORLD};

/// The short way of a mechanism.
#[derive(Debug, Clone)]
pub struct Flight {
    planar: PlanarTrees,
    lone: Vec<LoneBody>,
}

impl Flight {
    /// The short way, if every branch has one.
    pub fn of(model: &Model) -> Option<Self> {
        let (links, nodes) = (&model.tree().links, &model.tree().nodes);
        let (frames, arms) = unmoved(links);
        let gravity = model.gravity();
        let mut flight = Self { planar: PlanarTrees::default(), lone: Vec::new() };
        for branch in branches(links.iter().map(|l| l.parent)) {
            let root = &links[branch[0]];
            if root.motion == LinkMotion::Free && branch.len() == 1 {
                flight.lone.push(LoneBody::of(root, nodes, &gravity)?);
            } else {
                let plane = Plane::of(links, &frames, &branch)?;
                let place = (branch.as_slice(), arms.as_slice());
                flight.planar.add((links, nodes), place, (&plane, &frames), &gravity);
            }
        }
        Some(flight)
    }

    /// v̇ = M⁻¹(τ − h) from coordinates and velocities; false, and v̇ without meaning, where M is
    /// singular: the general way names the place.
    pub fn forward(&mut self, q: &[f64], v: &[f64], tau: &[f64], vdot: &mut [f64]) -> bool {
        for body in &self.lone {
            body.forward(q, v, tau, vdot);
        }
        self.planar.forward(q, v, tau, vdot)
    }
}

/// The links of each branch, parents first.
fn branches(parents: impl Iterator<Item = usize>) -> Vec<Vec<usize>> {
    let mut branches: Vec<Vec<usize>> = Vec::new();
    let mut branch_of: Vec<usize> = Vec::new();
    for (i, parent) in parents.enumerate() {
        if parent == WORLD {
            branch_of.push(branches.len());
            branches.push(vec![i]);
        } else {
            branch_of.push(branch_of[parent]);
            branches[branch_of[parent]].push(i);
        }
    }
    branches
}
