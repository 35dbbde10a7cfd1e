//! Poses, twists, velocity products and articulated inertias, each computed once for a state.
//!
//! # Tests
//! `tests/exact_motions.rs`.

use super::motion::Motion;
use crate::contact::site_state::site_state;
use crate::dynamics::jacobian::velocity_products;
use crate::dynamics::kinematics::{inertias, sight};
use crate::dynamics::{SingularInertia, articulate};

impl Motion<'_> {
    /// Poses, twists and velocity products.
    pub fn place(&mut self, q: &[f64], v: &[f64]) {
        self.pose(q, v);
        if !self.products_fresh {
            velocity_products(self.model, &self.kin, &mut self.products);
            self.products_fresh = true;
        }
    }

    /// Poses, twists and inertias.
    pub(super) fn pose(&mut self, q: &[f64], v: &[f64]) {
        self.sight(q, v);
        if !self.inertias_fresh {
            inertias(self.model, &mut self.kin);
            self.inertias_fresh = true;
        }
    }

    /// Poses and twists; those of the same q and v are there already.
    pub(super) fn sight(&mut self, q: &[f64], v: &[f64]) {
        let (old_q, old_v) = self.placed.split_at_mut(q.len());
        let same_q = old_q == q;
        if same_q && old_v == v {
            return;
        }
        sight(self.model, q, v, &mut self.kin);
        old_q.copy_from_slice(q);
        old_v.copy_from_slice(v);
        self.products_fresh = false;
        self.inertias_fresh &= same_q;
        self.art_fresh &= same_q;
    }

    /// Articulated inertias of the posture last placed.
    pub fn articulate(&mut self) -> Result<(), SingularInertia> {
        if !self.art_fresh {
            articulate(self.model, &self.kin, &mut self.art)?;
            self.art_fresh = true;
        }
        Ok(())
    }

    /// The state of one site in the posture last placed.
    pub fn observe(&mut self, site: usize, q: &[f64], v: &[f64]) {
        self.states[site] =
            site_state(self.model, &self.sites[site], (&self.kin, &self.products), (q, v));
    }
}
