//! Return to active constraints: closed gaps, sticking contacts and bilateral rows.
//!
//! ```text
//! q ← q ⊕ (−M⁻¹Jₙᵀ (Jₙ M⁻¹ Jₙᵀ)⁺ g),   v ← v − M⁻¹Jᵀ (J M⁻¹ Jᵀ)⁺ (J v − target)        (1)
//! ```
//! the smallest change in the metric of M; redundant rows by least norm. Positions take normals only:
//! rolling is a constraint on velocities.

use super::motion::Motion;
use crate::contact::{Instant, Mode, Press, solve_modes};
use crate::dynamics::{SingularInertia, integrate};
use carom_ode::Projection;

/// Newton steps of one return.
const MOST_CORRECTIONS: usize = 4;

impl Motion<'_> {
    /// Bring (q, v) back to the closed gaps, sticking contacts and bilateral rows.
    pub fn project_state(&mut self, t: f64, y: &mut [f64]) -> Result<Projection, SingularInertia> {
        let (nq, nv) = (self.model.nq(), self.model.nv());
        let mut moved = integrate::normalize(self.model, &mut y[..nq]) > 0.0;
        let bilateral = !self.prescribed.is_empty() || !self.model.couplings().is_empty();
        if self.active.is_empty() && !bilateral {
            return Ok(if moved { Projection::Moved } else { Projection::Unchanged });
        }
        moved |= self.close_gaps(t, y)?;
        if self.velocity_residuals(&y[nq..nq + nv]) {
            self.solve_for_residuals();
            y[nq..nq + nv].iter_mut().zip(&self.dv).for_each(|(v, d)| *v += d);
            moved = true;
        }
        Ok(if moved { Projection::Moved } else { Projection::Unchanged })
    }

    /// Bring q back to zero gaps of the active sites and to the bilateral rows; whether it moved.
    /// The rows are left assembled.
    pub fn close_gaps(&mut self, t: f64, y: &mut [f64]) -> Result<bool, SingularInertia> {
        let (nq, nv) = (self.model.nq(), self.model.nv());
        let mut moved = false;
        for corrections in 0.. {
            let (q, v) = (&y[..nq], &y[nq..nq + nv]);
            self.place(q, v);
            self.articulate()?;
            self.assemble(t, q, v);
            if corrections == MOST_CORRECTIONS || !self.position_residuals(q) {
                break;
            }
            self.solve_for_residuals();
            integrate::step(self.model, &y[..nq], &self.dv, &mut self.q_scratch);
            y[..nq].copy_from_slice(&self.q_scratch);
            moved = true;
        }
        Ok(moved)
    }

    /// Take the normal velocity away from open sites that touch and approach by round-off only. The
    /// closed sites keep theirs.
    pub fn still_normals(&mut self, t: f64, y: &mut [f64], touching: &[usize]) {
        let (nq, nv) = (self.model.nq(), self.model.nv());
        let (q, v) = y[..nq + nv].split_at_mut(nq);
        self.place(q, v);
        let closed = self.active.len();
        for &site in touching {
            if !self.modes[site].is_closed() && self.states[site].u[2] < 0.0 {
                self.active.push(site);
            }
        }
        self.assemble(t, q, v);
        self.velocity_residuals(v);
        self.solve_for_residuals();
        v.iter_mut().zip(&self.dv).for_each(|(v, d)| *v += d);
        self.active.truncate(closed);
        self.assemble(t, q, v);
    }

    /// Put position residuals into `system.b`; whether they are worth a correction.
    fn position_residuals(&mut self, q: &[f64]) -> bool {
        let small = 8.0 * f64::EPSILON * self.scales.length;
        let mut worth = false;
        self.press.clear();
        let places = self.model.q_of_v();
        for (i, row) in self.bilaterals.iter().enumerate() {
            let value: f64 =
                row.terms.iter().map(|&(dof, c)| places[dof].map_or(0.0, |at| c * q[at])).sum();
            self.system.b[i] = value - row.target[0];
            worth |= self.system.b[i].abs() > small;
            self.press.push(Press::Stick);
        }
        for (k, &site) in self.active.iter().enumerate() {
            let c = self.system.contacts[self.bilaterals.len() + k];
            self.system.b[c.normal()] = self.states[site].gap;
            worth |= self.states[site].gap.abs() > self.states[site].noise;
            // Only the normal row is held: no friction follows it.
            self.press.push(Press::Slip([0.0; 2]));
        }
        worth
    }

    /// Put velocity residuals into `system.b`; whether they are worth a correction.
    fn velocity_residuals(&mut self, v: &[f64]) -> bool {
        let small = 1e-15 * self.scales.velocity;
        let mut worth = false;
        self.press.clear();
        for (i, row) in self.bilaterals.iter().enumerate() {
            self.system.b[i] = self.block.times(i, v) - row.target[1];
            worth |= self.system.b[i].abs() > small;
            self.press.push(Press::Stick);
        }
        for (k, &site) in self.active.iter().enumerate() {
            let c = self.system.contacts[self.bilaterals.len() + k];
            let sticks = self.modes[site] == Mode::Stick;
            for i in c.first..=c.normal() {
                self.system.b[i] = self.block.times(i, v);
                worth |= (sticks || i == c.normal()) && self.system.b[i].abs() > small;
            }
            self.press.push(if sticks { Press::Stick } else { Press::Slip([0.0; 2]) });
        }
        worth
    }

    /// dv = −M⁻¹Jᵀ(J M⁻¹ Jᵀ)⁺ b for the residuals in `system.b`.
    fn solve_for_residuals(&mut self) {
        solve_modes(&self.system, &self.press, &mut self.solver, &mut self.contact);
        let at = Instant { model: self.model, kin: &self.kin, art: &self.art };
        self.block.response(&at, &self.contact.lambda, &mut self.response, &mut self.dv);
    }
}
