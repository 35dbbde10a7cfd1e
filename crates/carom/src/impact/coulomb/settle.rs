//! From a guess of the impulses to the best answer near it.
//!
//! A guess is polished by Newton's method; then the linear system of the modes that fit best is
//! solved, which removes the last round-off and, where contacts are redundant, replaces the impulses
//! by those of minimum norm, so that the distribution among redundant contacts does not depend on
//! the guess.

use nalgebra::DVector;

use super::data::{mobility, norm};
use super::newton_step::NewtonStep;
use super::{ContactMode, CoulombData, ModeSystem, Tangent};
use crate::impact::contact_space::ContactSpace;

/// Residual that needs no polish.
pub(super) const GOOD: f64 = 1e-13;

/// Buffers and the best residual so far.
#[derive(Debug, Clone, Default)]
pub(crate) struct Settle {
    pub newton: NewtonStep,
    modes: ModeSystem,
    pub mode_list: Vec<ContactMode>,
    xi: DVector<f64>,
    pub best: f64,
}

impl Settle {
    /// Improves `trial`; p and `best` change if something better was found.
    pub fn settle(
        &mut self,
        space: &ContactSpace,
        data: &CoulombData,
        trial: &mut DVector<f64>,
        p: &mut DVector<f64>,
    ) {
        self.keep(space, data, trial, p);
        if self.best > GOOD {
            self.newton.polish(space, data, &data.stick_friction, trial);
            self.keep(space, data, trial, p);
        }
        trial.copy_from(p);
        self.read_modes(space, data, trial);
        for _ in 0..=data.active.len() {
            self.modes.solve(space, data, &self.mode_list, trial);
            if !self.modes.deficient() {
                // also where it is no better: contacts that are open get exactly nothing
                self.prefer(space, data, trial, p);
                return;
            }
            if self.share(space, data, trial, p) || !self.release_pulling(space, data, trial) {
                return;
            }
        }
    }

    /// Whether the modes last tried fit to round-off and have no other answer.
    pub fn settled(&self) -> bool {
        self.best <= GOOD && !self.modes.deficient()
    }

    /// The modes of `mode_list` as they are; p and `best` change if they fit.
    pub fn try_modes(
        &mut self,
        space: &ContactSpace,
        data: &CoulombData,
        trial: &mut DVector<f64>,
        p: &mut DVector<f64>,
    ) {
        self.modes.solve(space, data, &self.mode_list, trial);
        self.keep(space, data, trial, p);
    }

    /// Minimum norm, preferred even over an equally good vertex of the solution set. With two
    /// tangents the directions of slip change with the impulses, so that Newton has to follow.
    fn share(
        &mut self,
        space: &ContactSpace,
        data: &CoulombData,
        trial: &mut DVector<f64>,
        p: &mut DVector<f64>,
    ) -> bool {
        if self.prefer(space, data, trial, p) {
            return true;
        }
        self.newton.minimise(space, data, &data.stick_friction, trial);
        self.prefer(space, data, trial, p)
    }

    /// Takes `trial` if it is as good as the best to round-off.
    fn prefer(
        &mut self,
        space: &ContactSpace,
        data: &CoulombData,
        trial: &DVector<f64>,
        p: &mut DVector<f64>,
    ) -> bool {
        let residual = self.residual(space, data, trial);
        let good = residual <= GOOD.max(self.best);
        if good {
            self.best = residual;
            p.copy_from(trial);
        }
        good
    }

    /// Residual of impulses p; leaves ξ behind.
    pub fn residual(&mut self, space: &ContactSpace, data: &CoulombData, p: &DVector<f64>) -> f64 {
        data.velocity(space, p, &mut self.xi);
        data.residual(space, p, &self.xi)
    }

    fn keep(
        &mut self,
        space: &ContactSpace,
        data: &CoulombData,
        trial: &DVector<f64>,
        p: &mut DVector<f64>,
    ) {
        let residual = self.residual(space, data, trial);
        if residual < self.best {
            self.best = residual;
            p.copy_from(trial);
        }
    }

    /// Modes that fit impulses p best.
    fn read_modes(&mut self, space: &ContactSpace, data: &CoulombData, p: &DVector<f64>) {
        data.velocity(space, p, &mut self.xi);
        let velocity = data.velocity_scale(space, p);
        self.mode_list.clear();
        self.mode_list.resize(space.contacts.len(), ContactMode::OPEN);
        for &k in &data.active {
            let contact = &space.contacts[k];
            let impulse = velocity / mobility(space, k);
            let (p_n, xi_n) = (p[contact.normal()], self.xi[contact.normal()]);
            // closed without impulse counts as held: a redundant contact may get its share yet
            let held = (p_n - data.preload[k]) / impulse >= xi_n / velocity - GOOD;
            let margin = data.stick_friction[k] * p_n - norm(p, contact.tangent_rows());
            let sticks = norm(&self.xi, contact.tangent_rows()) / velocity <= margin / impulse;
            let tangent = match (held || data.preload[k] > 0.0) && data.rough(k) {
                false => Tangent::Smooth,
                true if sticks => Tangent::Stick,
                true => along(&self.xi, contact.tangent_rows()),
            };
            self.mode_list[k] = ContactMode { held, tangent };
        }
    }

    /// Releases contacts that minimum norm makes pull; false if there are none.
    fn release_pulling(
        &mut self,
        space: &ContactSpace,
        data: &CoulombData,
        p: &DVector<f64>,
    ) -> bool {
        let mut released = false;
        for &k in &data.active {
            let mode = &mut self.mode_list[k];
            if mode.held && p[space.contacts[k].normal()] < data.preload[k] {
                mode.held = false;
                if data.preload[k] == 0.0 {
                    mode.tangent = Tangent::Smooth;
                }
                released = true;
            }
        }
        released
    }
}

/// Slip along some rows of a velocity, stick if they vanish.
pub(super) fn along(velocity: &DVector<f64>, rows: std::ops::Range<usize>) -> Tangent {
    let slip = norm(velocity, rows.clone());
    if slip == 0.0 {
        return Tangent::Stick;
    }
    let mut unit = [0.0; 2];
    for (u, i) in unit.iter_mut().zip(rows) {
        *u = velocity[i] / slip;
    }
    Tangent::Slip(unit)
}
