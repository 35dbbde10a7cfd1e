//! Solves the contact problem with friction and hands back its certificate.
//!
//! # The order of attempts
//! Every attempt is a guess of the impulses, improved by [`Settle`]. They are made until the residual
//! is at round-off:
//! 1. All contacts stick; all contacts slip on along b.
//! 2. The linear problem, exact in the plane; in space its polygon starts opposite to b, and is
//!    turned and refined towards the slip just found, up to twelve times.
//! 3. Friction raised from zero in steps, each answer being the guess of the next.
//! 4. Projected Gauss–Seidel sweeps.
//! 5. With one tangent per contact and few contacts: all modes.
//!
//! The best of all attempts is returned; the law refuses it if its residual is too large.
//!
//! # Static and dynamic friction
//! The problem is solved with μs everywhere; contacts that slip in the answer get μd and the
//! problem is solved again, until every contact that still has μs sticks. A contact changes once
//! at most, so the loop ends, and where stick and slip are both possible, stick wins.

use nalgebra::DVector;

use super::data::norm;
use super::polyhedral::Polyhedral;
use super::settle::{Settle, along};
use super::{ContactMode, CoulombData, Tangent};
use crate::impact::contact_space::{ContactSpace, reshape_vector};

/// Residual at which no further attempt is made: round-off of badly conditioned problems.
const ENOUGH: f64 = 1e-11;
/// Slip below this fraction of the velocity scale counts as stick when μs is replaced by μd.
const SLIP: f64 = 1e-10;

/// Workspace of the whole procedure.
#[derive(Debug, Clone, Default)]
pub(crate) struct CoulombSolver {
    polyhedral: Polyhedral,
    settle: Settle,
    /// the data with one coefficient per contact
    fixed: CoulombData,
    /// coefficients of a step on the way to those of `fixed`
    mu: Vec<f64>,
    xi: DVector<f64>,
    trial: DVector<f64>,
    /// last answer of the polygon
    seed: DVector<f64>,
}

impl CoulombSolver {
    /// Impulses into p; returns the certificate of `data` itself.
    pub fn solve(&mut self, space: &ContactSpace, data: &CoulombData, p: &mut DVector<f64>) -> f64 {
        self.fixed.copy(data);
        self.fixed.slip_friction.copy_from_slice(&data.stick_friction);
        loop {
            let mut trial = std::mem::take(&mut self.trial);
            self.solve_fixed(space, &mut trial, p);
            self.trial = trial;
            data.velocity(space, p, &mut self.xi);
            let small = SLIP * data.velocity_scale(space, p);
            let mut changed = false;
            for &k in &data.active {
                // without an answer for μs there may still be one for μd
                let slips = self.settle.best > ENOUGH
                    || norm(&self.xi, space.contacts[k].tangent_rows()) > small;
                if slips && self.fixed.stick_friction[k] > data.slip_friction[k] {
                    self.fixed.stick_friction[k] = data.slip_friction[k];
                    self.fixed.slip_friction[k] = data.slip_friction[k];
                    changed = true;
                }
            }
            if !changed {
                return data.residual(space, p, &self.xi);
            }
        }
    }

    /// One coefficient per contact: attempts in order until one is good.
    fn solve_fixed(
        &mut self,
        space: &ContactSpace,
        trial: &mut DVector<f64>,
        p: &mut DVector<f64>,
    ) {
        self.settle.best = f64::INFINITY;
        reshape_vector(p, space.rows());
        reshape_vector(&mut self.seed, space.rows());
        let attempts = [
            Self::guess_modes,
            Self::try_polygons,
            Self::raise_friction,
            Self::try_sweeps,
            Self::try_all_modes,
        ];
        for attempt in attempts {
            attempt(self, space, trial, p);
            if self.settle.best <= ENOUGH {
                return;
            }
        }
    }

    /// All stick, or all slip on.
    fn guess_modes(
        &mut self,
        space: &ContactSpace,
        trial: &mut DVector<f64>,
        p: &mut DVector<f64>,
    ) {
        for slip in [false, true] {
            self.settle.mode_list.clear();
            self.settle.mode_list.resize(space.contacts.len(), ContactMode::OPEN);
            for &k in &self.fixed.active {
                let tangent = match (self.fixed.rough(k), slip) {
                    (false, _) => Tangent::Smooth,
                    (true, false) => Tangent::Stick,
                    (true, true) => along(&self.fixed.b, space.contacts[k].tangent_rows()),
                };
                self.settle.mode_list[k] = ContactMode { held: true, tangent };
            }
            self.settle.try_modes(space, &self.fixed, trial, p);
            if self.settle.settled() {
                return;
            }
            if self.settle.best <= ENOUGH {
                trial.copy_from(p);
                self.settle.settle(space, &self.fixed, trial, p);
                return;
            }
        }
    }

    /// The linear problem; in space again with better polygons.
    fn try_polygons(
        &mut self,
        space: &ContactSpace,
        trial: &mut DVector<f64>,
        p: &mut DVector<f64>,
    ) {
        let spatial = self.fixed.active.iter().any(|&k| space.contacts[k].tangents == 2);
        self.polyhedral.aim_at_start(space, &self.fixed);
        for _ in 0..if spatial { 13 } else { 1 } {
            let mu = &self.fixed.stick_friction;
            if self.polyhedral.solve(space, &self.fixed, mu, trial).is_ok() {
                self.seed.copy_from(trial);
                self.settle.settle(space, &self.fixed, trial, p);
            }
            if self.settle.best <= ENOUGH {
                return;
            }
            // aim by the answer of the polygon, not by the best so far: the polygons converge
            self.fixed.velocity(space, &self.seed, &mut self.xi);
            let small = SLIP * self.fixed.velocity_scale(space, &self.seed);
            self.polyhedral.aim(space, &self.seed, &self.xi, small);
        }
    }

    /// From the frictionless answer to the full coefficients.
    fn raise_friction(
        &mut self,
        space: &ContactSpace,
        trial: &mut DVector<f64>,
        p: &mut DVector<f64>,
    ) {
        const STEPS: usize = 32;
        self.mu.clear();
        self.mu.resize(space.contacts.len(), 0.0);
        if self.polyhedral.solve(space, &self.fixed, &self.mu, trial).is_err() {
            reshape_vector(trial, space.rows());
        }
        for step in 1..=STEPS {
            let part = step as f64 / STEPS as f64;
            for (mu, full) in self.mu.iter_mut().zip(&self.fixed.stick_friction) {
                *mu = part * full;
            }
            self.settle.newton.polish(space, &self.fixed, &self.mu, trial);
        }
        self.settle.settle(space, &self.fixed, trial, p);
    }

    /// Gauss–Seidel from the best so far.
    fn try_sweeps(&mut self, space: &ContactSpace, trial: &mut DVector<f64>, p: &mut DVector<f64>) {
        for sweeps in [20, 200, 1000] {
            trial.copy_from(p);
            self.sweep(space, sweeps, trial);
            self.settle.settle(space, &self.fixed, trial, p);
            if self.settle.best <= ENOUGH {
                return;
            }
        }
    }

    /// Projected Gauss–Seidel on normals and tangents.
    fn sweep(&self, space: &ContactSpace, sweeps: usize, p: &mut DVector<f64>) {
        for _ in 0..sweeps {
            for &k in &self.fixed.active {
                self.relax(space, k, p);
            }
        }
    }

    /// One contact of a sweep.
    fn relax(&self, space: &ContactSpace, k: usize, p: &mut DVector<f64>) {
        let contact = &space.contacts[k];
        let velocity = |i: usize, p: &DVector<f64>| self.fixed.b[i] + space.G.row(i).tr_dot(p);
        let n = contact.normal();
        if space.G[(n, n)] > 0.0 {
            p[n] = (p[n] - velocity(n, p) / space.G[(n, n)]).max(self.fixed.preload[k]);
        }
        let trace: f64 = contact.tangent_rows().map(|i| space.G[(i, i)]).sum();
        if trace <= 0.0 {
            return;
        }
        let mut y = [0.0; 2];
        for (y, i) in y.iter_mut().zip(contact.tangent_rows()) {
            *y = p[i] - velocity(i, p) / trace;
        }
        let (length, bound) = (y[0].hypot(y[1]), self.fixed.stick_friction[k] * p[n]);
        let factor = if length > bound { bound / length } else { 1.0 };
        for (y, i) in y.into_iter().zip(contact.tangent_rows()) {
            p[i] = factor * y;
        }
    }

    /// Every mode set of a planar problem with at most six contacts.
    fn try_all_modes(
        &mut self,
        space: &ContactSpace,
        trial: &mut DVector<f64>,
        p: &mut DVector<f64>,
    ) {
        const LARGEST: usize = 6;
        let planar = self.fixed.active.iter().all(|&k| space.contacts[k].tangents < 2);
        if !planar || self.fixed.active.len() > LARGEST {
            return;
        }
        let choices = |k: usize, fixed: &CoulombData| if fixed.rough(k) { 6 } else { 2 };
        let total: usize = self.fixed.active.iter().map(|&k| choices(k, &self.fixed)).product();
        self.settle.mode_list.clear();
        self.settle.mode_list.resize(space.contacts.len(), ContactMode::OPEN);
        for code in 0..total {
            let mut rest = code;
            for &k in &self.fixed.active {
                let base = choices(k, &self.fixed);
                self.settle.mode_list[k] = planar_mode(rest % base, self.fixed.rough(k));
                rest /= base;
            }
            self.settle.try_modes(space, &self.fixed, trial, p);
        }
    }
}

/// Mode number `code` of a contact with at most one tangent.
fn planar_mode(code: usize, rough: bool) -> ContactMode {
    let held = code % 2 == 1;
    let tangent = match (rough, code / 2) {
        (false, _) => Tangent::Smooth,
        (true, 0) => Tangent::Stick,
        (true, 1) => Tangent::Slip([1.0, 0.0]),
        (true, _) => Tangent::Slip([-1.0, 0.0]),
    };
    ContactMode { held, tangent }
}
