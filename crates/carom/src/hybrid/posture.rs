//! Poses, twists, velocity products and articulated inertias, each computed once for a state.
//!
//! Everything here belongs to the (q, v) it was last asked for; asking again for the same costs nothing.
//!
//! # Tests
//! `tests/exact_motions.rs`.

use crate::contact::Instant;
use crate::dynamics::jacobian::{VelocityProducts, velocity_products};
use crate::dynamics::kinematics::{inertias, sight};
use crate::dynamics::{
    Articulated, ForwardScratch, Kinematics, SingularInertia, articulate, forward_dynamics,
};
use crate::model::Model;

/// What is known of one state of the mechanism.
pub(crate) struct Posture<'a> {
    model: &'a Model,
    pub kin: Kinematics,
    pub products: VelocityProducts,
    pub art: Articulated,
    forward: ForwardScratch,
    /// q and v that `kin` belongs to.
    key: Vec<f64>,
    /// Counts the states seen: what was computed at the same count belongs to the same state.
    pub count: u64,
    /// The inertias of `kin`, `products` and `art` belong to the key.
    inertias: bool,
    velocity: bool,
    articulated: bool,
}

impl<'a> Posture<'a> {
    pub fn new(model: &'a Model) -> Self {
        Self {
            model,
            kin: Kinematics::new(model),
            products: VelocityProducts::new(model),
            art: Articulated::new(model),
            forward: ForwardScratch::new(model),
            key: vec![f64::NAN; model.nq() + model.nv()],
            count: 0,
            inertias: false,
            velocity: false,
            articulated: false,
        }
    }

    /// Poses and twists.
    pub fn sight(&mut self, q: &[f64], v: &[f64]) {
        let (old_q, old_v) = self.key.split_at_mut(q.len());
        let same_q = old_q == q;
        if same_q && old_v == v {
            return;
        }
        sight(self.model, q, v, &mut self.kin);
        self.count += 1;
        old_q.copy_from_slice(q);
        old_v.copy_from_slice(v);
        self.velocity = false;
        self.inertias &= same_q;
        self.articulated &= same_q;
    }

    /// Poses, twists and inertias.
    pub fn pose(&mut self, q: &[f64], v: &[f64]) {
        self.sight(q, v);
        if !self.inertias {
            inertias(self.model, &mut self.kin);
            self.inertias = true;
        }
    }

    /// Poses, twists, inertias and velocity products.
    pub fn place(&mut self, q: &[f64], v: &[f64]) {
        self.pose(q, v);
        if !self.velocity {
            velocity_products(self.model, &self.kin, &mut self.products);
            self.velocity = true;
        }
    }

    /// All of it, with articulated inertias.
    pub fn articulate(&mut self, q: &[f64], v: &[f64]) -> Result<(), SingularInertia> {
        self.place(q, v);
        if !self.articulated {
            articulate(self.model, &self.kin, &mut self.art)?;
            self.articulated = true;
        }
        Ok(())
    }

    /// v̇ under τ; articulates on the way.
    pub fn forward(
        &mut self,
        q: &[f64],
        v: &[f64],
        tau: &[f64],
        vdot: &mut [f64],
    ) -> Result<(), SingularInertia> {
        self.pose(q, v);
        self.articulated = false;
        let parts = (&mut self.art, &mut self.forward);
        forward_dynamics(self.model, &self.kin, tau, parts, vdot)?;
        self.articulated = true;
        Ok(())
    }

    /// The instant as rows need it; articulated inertias must be there.
    pub fn instant(&self) -> Instant<'_> {
        debug_assert!(self.articulated);
        Instant { model: self.model, kin: &self.kin, art: &self.art }
    }
}
