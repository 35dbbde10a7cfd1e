//! Solves the contact problem with friction and hands back its certificate.
//!
//! # The order of attempts
//! 1. The linear problem, exact in the plane; in space its polygon starts opposite to b.
//! 2. Nonsmooth Newton on the circular cone, then the linear system of the modes found, which
//!    removes the last round-off and picks the minimum norm where contacts are redundant.
//! 3. If the residual is not yet small: the polygons turned to the slip just found, again 1 and 2.
//! 4. Newton from the frictionless answer and from projected Gauss–Seidel sweeps.
//! 5. With one tangent per contact and few contacts: all modes.
//!
//! The best residual of all attempts is returned; the law refuses it if it is too large.
//!
//! # Static and dynamic friction
//! The problem is solved with μs everywhere; contacts that slip in the answer get μd and the
//! problem is solved again, until every contact that still has μs sticks. A contact changes once
//! at most, so the loop ends, and where stick and slip are both possible, stick wins.

use nalgebra::DVector;

use super::data::{mobility, norm};
use super::newton_step::NewtonStep;
use super::polyhedral::Polyhedral;
use super::{ContactMode, CoulombData, ModeSystem, Tangent};
use crate::impact::contact_space::{ContactSpace, reshape_vector};

/// Residual at which no further attempt is made.
const GOOD: f64 = 1e-13;
/// Slip below this fraction of the velocity scale counts as stick when μs is replaced by μd.
const SLIP: f64 = 1e-10;

/// Workspace of the whole procedure.
#[derive(Debug, Clone, Default)]
pub(crate) struct CoulombSolver {
    polyhedral: Polyhedral,
    newton: NewtonStep,
    modes: ModeSystem,
    /// the data with one coefficient per contact
    fixed: CoulombData,
    mode_list: Vec<ContactMode>,
    xi: DVector<f64>,
    trial: DVector<f64>,
    best: f64,
}

impl CoulombSolver {
    /// Impulses into p; returns the certificate of `data` itself.
    pub fn solve(&mut self, space: &ContactSpace, data: &CoulombData, p: &mut DVector<f64>) -> f64 {
        self.fixed.copy(data);
        self.fixed.slip_friction.copy_from_slice(&data.stick_friction);
        loop {
            self.solve_fixed(space, p);
            data.velocity(space, p, &mut self.xi);
            let small = SLIP * data.velocity_scale(space, p);
            let mut changed = false;
            for &k in &data.active {
                let slips = norm(&self.xi, space.contacts[k].tangent_rows()) > small;
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
    fn solve_fixed(&mut self, space: &ContactSpace, p: &mut DVector<f64>) {
        self.best = f64::INFINITY;
        reshape_vector(p, space.rows());
        self.polyhedral.aim_at_start(space, &self.fixed);
        self.try_polyhedral(space, p);
        let spatial = self.fixed.active.iter().any(|&k| space.contacts[k].tangents == 2);
        if spatial {
            for _ in 0..6 {
                if self.best <= GOOD {
                    return;
                }
                self.fixed.velocity(space, p, &mut self.xi);
                let small = SLIP * self.fixed.velocity_scale(space, p);
                self.polyhedral.aim(space, &self.xi, small);
                self.try_polyhedral(space, p);
            }
        }
        if self.best > GOOD {
            self.try_newton_starts(space, p);
        }
        if self.best > 1e-10 && !spatial {
            self.try_all_modes(space, p);
        }
    }

    fn try_polyhedral(&mut self, space: &ContactSpace, p: &mut DVector<f64>) {
        let mut trial = std::mem::take(&mut self.trial);
        let mu = &self.fixed.stick_friction;
        if self.polyhedral.solve(space, &self.fixed, mu, &mut trial).is_ok() {
            self.settle(space, &mut trial, p);
        }
        self.trial = trial;
    }

    /// Frictionless answer, then sweeps.
    fn try_newton_starts(&mut self, space: &ContactSpace, p: &mut DVector<f64>) {
        let mut trial = std::mem::take(&mut self.trial);
        reshape_vector(&mut trial, space.rows());
        self.settle(space, &mut trial, p);
        for sweeps in [20, 200, 1000] {
            if self.best <= GOOD {
                break;
            }
            trial.copy_from(p);
            self.sweep(space, sweeps, &mut trial);
            self.settle(space, &mut trial, p);
        }
        self.trial = trial;
    }

    /// Newton, then the linear system of the modes; keeps what is better than the best so far.
    fn settle(&mut self, space: &ContactSpace, trial: &mut DVector<f64>, p: &mut DVector<f64>) {
        self.keep(space, trial, p);
        if self.best > GOOD {
            self.newton.polish(space, &self.fixed, &self.fixed.stick_friction, trial);
            self.keep(space, trial, p);
        }
        trial.copy_from(p);
        self.read_modes(space, trial);
        for _ in 0..=self.fixed.active.len() {
            self.modes.solve(space, &self.fixed, &self.mode_list, trial);
            // minimum norm is preferred even over an equally good vertex of the solution set
            if self.modes.deficient() && self.residual(space, trial) <= GOOD.max(self.best) {
                self.best = self.residual(space, trial);
                p.copy_from(trial);
                return;
            }
            self.keep(space, trial, p);
            if !self.modes.deficient() || !self.release_pulling(space, trial) {
                return;
            }
        }
    }

    fn residual(&mut self, space: &ContactSpace, p: &DVector<f64>) -> f64 {
        self.fixed.velocity(space, p, &mut self.xi);
        self.fixed.residual(space, p, &self.xi)
    }

    fn keep(&mut self, space: &ContactSpace, trial: &DVector<f64>, p: &mut DVector<f64>) {
        let residual = self.residual(space, trial);
        if residual < self.best {
            self.best = residual;
            p.copy_from(trial);
        }
    }

    /// Modes that fit impulses p best.
    fn read_modes(&mut self, space: &ContactSpace, p: &DVector<f64>) {
        self.fixed.velocity(space, p, &mut self.xi);
        let velocity = self.fixed.velocity_scale(space, p);
        self.mode_list.clear();
        self.mode_list.resize(space.contacts.len(), ContactMode::OPEN);
        for &k in &self.fixed.active {
            let contact = &space.contacts[k];
            let impulse = velocity / mobility(space, k);
            let (p_n, xi_n) = (p[contact.normal()], self.xi[contact.normal()]);
            let held = (p_n - self.fixed.preload[k]) / impulse > xi_n / velocity;
            let slip = norm(&self.xi, contact.tangent_rows());
            let friction = norm(p, contact.tangent_rows());
            let margin = self.fixed.stick_friction[k] * p_n - friction;
            let tangent = if !self.fixed.rough(k) {
                Tangent::Smooth
            } else if slip / velocity <= margin / impulse || slip == 0.0 {
                Tangent::Stick
            } else {
                let mut along = [0.0; 2];
                for (s, i) in contact.tangent_rows().enumerate() {
                    along[s] = self.xi[i] / slip;
                }
                Tangent::Slip(along)
            };
            let tangent =
                if held || self.fixed.preload[k] > 0.0 { tangent } else { Tangent::Smooth };
            self.mode_list[k] = ContactMode { held, tangent };
        }
    }

    /// Releases contacts that minimum norm makes pull; false if there are none.
    fn release_pulling(&mut self, space: &ContactSpace, p: &DVector<f64>) -> bool {
        let mut released = false;
        for &k in &self.fixed.active {
            let mode = &mut self.mode_list[k];
            if mode.held && p[space.contacts[k].normal()] < self.fixed.preload[k] {
                mode.held = false;
                if self.fixed.preload[k] == 0.0 {
                    mode.tangent = Tangent::Smooth;
                }
                released = true;
            }
        }
        released
    }

    /// Projected Gauss–Seidel on normals and tangents.
    fn sweep(&mut self, space: &ContactSpace, sweeps: usize, p: &mut DVector<f64>) {
        for _ in 0..sweeps {
            for index in 0..self.fixed.active.len() {
                let k = self.fixed.active[index];
                let contact = &space.contacts[k];
                let velocity =
                    |i: usize, p: &DVector<f64>| self.fixed.b[i] + space.G.row(i).tr_dot(p);
                let n = contact.normal();
                if space.G[(n, n)] > 0.0 {
                    p[n] = (p[n] - velocity(n, p) / space.G[(n, n)]).max(self.fixed.preload[k]);
                }
                let trace: f64 = contact.tangent_rows().map(|i| space.G[(i, i)]).sum();
                if trace <= 0.0 {
                    continue;
                }
                let mut y = [0.0; 2];
                for (s, i) in contact.tangent_rows().enumerate() {
                    y[s] = p[i] - velocity(i, p) / trace;
                }
                let length = y[0].hypot(y[1]);
                let bound = self.fixed.stick_friction[k] * p[n];
                let factor = if length > bound { bound / length } else { 1.0 };
                for (s, i) in contact.tangent_rows().enumerate() {
                    p[i] = factor * y[s];
                }
            }
        }
    }

    /// Every mode set of a planar problem with at most six contacts.
    fn try_all_modes(&mut self, space: &ContactSpace, p: &mut DVector<f64>) {
        const LARGEST: usize = 6;
        let count = self.fixed.active.len();
        if count > LARGEST {
            return;
        }
        let choices = |k: usize, fixed: &CoulombData| if fixed.rough(k) { 6 } else { 2 };
        let total: usize = self.fixed.active.iter().map(|&k| choices(k, &self.fixed)).product();
        let mut trial = std::mem::take(&mut self.trial);
        self.mode_list.clear();
        self.mode_list.resize(space.contacts.len(), ContactMode::OPEN);
        for code in 0..total {
            let mut rest = code;
            for &k in &self.fixed.active {
                let base = choices(k, &self.fixed);
                self.mode_list[k] = planar_mode(rest % base, self.fixed.rough(k));
                rest /= base;
            }
            self.modes.solve(space, &self.fixed, &self.mode_list, &mut trial);
            self.keep(space, &trial, p);
        }
        self.trial = trial;
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
