//! Nonsmooth Newton iteration on the circular friction cone.
//!
//! # Law
//! With ρₙ = 1/Gₙₙ, ρₜ = 1/max Gₜₜ, yₙ = pₙ − a − ρₙ ξₙ, yₜ = pₜ − ρₜ ξₜ and κ = μ max(pₙ, 0):
//! ```text
//! Fₙ = ρₙ ξₙ if yₙ > 0, else pₙ − a                                      (1)
//! Fₜ = ρₜ ξₜ if ‖yₜ‖ ≤ κ, else pₜ − κ yₜ/‖yₜ‖                            (2)
//! ```
//! F = 0 is equivalent to the contact law. F is piecewise smooth; Newton's step with the derivative
//! of the active piece converges quadratically near a solution that is not degenerate. Steps are
//! halved while ‖F‖ does not fall; rank-deficient steps are taken with minimum norm.
//!
//! # Source
//! The functions are those of Alart & Curnier's augmented Lagrangian; derivative derived here.

use nalgebra::DVector;

use super::CoulombData;
use crate::complementarity::MinNorm;
use crate::impact::contact_space::{ContactRow, ContactSpace, reshape_vector};

/// Buffers of the iteration.
#[derive(Debug, Clone, Default)]
pub(crate) struct NewtonStep {
    system: MinNorm,
    f: DVector<f64>,
    xi: DVector<f64>,
    trial: DVector<f64>,
    direction: DVector<f64>,
}

impl NewtonStep {
    const ITERATIONS: usize = 40;
    const HALVINGS: usize = 12;

    /// Improves p with friction `mu` per contact until F vanishes to round-off or stops falling.
    pub fn polish(
        &mut self,
        space: &ContactSpace,
        data: &CoulombData,
        mu: &[f64],
        p: &mut DVector<f64>,
    ) {
        let mut value = self.evaluate(space, data, mu, p);
        let size = p.amax().max(f64::MIN_POSITIVE);
        for _ in 0..Self::ITERATIONS {
            if value <= 1e-16 * size || !value.is_finite() {
                return;
            }
            self.linearise(space, data, mu, (p, None));
            let Some(better) = self.search(space, data, mu, p, value) else {
                return;
            };
            value = better;
        }
    }

    /// Fills f and ξ at p; returns ‖F‖.
    fn evaluate(
        &mut self,
        space: &ContactSpace,
        data: &CoulombData,
        mu: &[f64],
        p: &DVector<f64>,
    ) -> f64 {
        data.velocity(space, p, &mut self.xi);
        reshape_vector(&mut self.f, space.rows());
        for &k in &data.active {
            let contact = &space.contacts[k];
            let n = contact.normal();
            let local = Local::new(space, data, k, mu[k], (p, &self.xi));
            self.f[n] =
                if local.pressed { local.rho_n * self.xi[n] } else { p[n] - data.preload[k] };
            for (s, i) in contact.tangent_rows().enumerate() {
                self.f[i] = match local.slide {
                    None => local.rho_t * self.xi[i],
                    Some(_) => p[i] - local.bound * local.unit[s],
                };
            }
        }
        self.f.norm()
    }

    /// Solves F′ x = F′ origin − F by minimum norm into `direction`: with origin 0 the step δ of
    /// smallest norm, with origin p the point p + δ of smallest norm.
    fn linearise(
        &mut self,
        space: &ContactSpace,
        data: &CoulombData,
        mu: &[f64],
        (p, origin): (&DVector<f64>, Option<&DVector<f64>>),
    ) {
        let m = space.rows();
        self.system.reset(m, m);
        for (k, contact) in space.contacts.iter().enumerate() {
            let active = data.active.contains(&k);
            let local = Local::new(space, data, k, mu[k], (p, &self.xi));
            for i in contact.rows() {
                let mut rhs = if active { -self.f[i] } else { 0.0 };
                for j in 0..m {
                    let entry = match active {
                        true => local.derivative(space, contact, (i, j)),
                        false => f64::from(i == j),
                    };
                    self.system.set(i, j, entry);
                    rhs += origin.map_or(0.0, |origin| entry * origin[j]);
                }
                self.system.set_rhs(i, rhs);
            }
        }
        let x = self.system.solve(MinNorm::RANK_TOLERANCE);
        reshape_vector(&mut self.direction, m);
        self.direction.copy_from_slice(x);
    }

    /// Newton's method for the point of smallest norm on the set of solutions near p: each iterate
    /// is the smallest that satisfies the linearised equations, so that in the end p is orthogonal
    /// to the directions in which the solution can be changed.
    pub fn minimise(
        &mut self,
        space: &ContactSpace,
        data: &CoulombData,
        mu: &[f64],
        p: &mut DVector<f64>,
    ) {
        for _ in 0..Self::ITERATIONS {
            self.evaluate(space, data, mu, p);
            self.linearise(space, data, mu, (p, Some(p)));
            let change =
                p.iter().zip(&self.direction).fold(0.0_f64, |c, (a, b)| c.max((a - b).abs()));
            p.copy_from(&self.direction);
            if change.is_nan() || change <= 1e-15 * p.amax() {
                return;
            }
        }
    }

    /// Halves the step until ‖F‖ falls; leaves f and ξ at the new point.
    fn search(
        &mut self,
        space: &ContactSpace,
        data: &CoulombData,
        mu: &[f64],
        p: &mut DVector<f64>,
        value: f64,
    ) -> Option<f64> {
        let mut trial = std::mem::take(&mut self.trial);
        reshape_vector(&mut trial, p.len());
        let mut length = 1.0;
        let mut found = None;
        for _ in 0..Self::HALVINGS {
            trial.copy_from(p);
            trial.axpy(length, &self.direction, 1.0);
            let better = self.evaluate(space, data, mu, &trial);
            if better < value {
                p.copy_from(&trial);
                found = Some(better);
                break;
            }
            length *= 0.5;
        }
        self.trial = trial;
        found
    }
}

/// The active piece of F at one contact.
struct Local {
    rho_n: f64,
    rho_t: f64,
    /// yₙ > 0
    pressed: bool,
    mu: f64,
    /// κ
    bound: f64,
    /// ‖yₜ‖ if it exceeds κ
    slide: Option<f64>,
    /// yₜ/‖yₜ‖
    unit: [f64; 2],
}

impl Local {
    fn new(
        space: &ContactSpace,
        data: &CoulombData,
        k: usize,
        mu: f64,
        (p, xi): (&DVector<f64>, &DVector<f64>),
    ) -> Self {
        let contact = &space.contacts[k];
        let n = contact.normal();
        let inverse = |g: f64| if g > 0.0 { 1.0 / g } else { 1.0 };
        let rho_n = inverse(space.G[(n, n)]);
        let rho_t = inverse(contact.tangent_rows().map(|i| space.G[(i, i)]).fold(0.0, f64::max));
        let mut y = [0.0; 2];
        for (s, i) in contact.tangent_rows().enumerate() {
            y[s] = p[i] - rho_t * xi[i];
        }
        let length = y[0].hypot(y[1]);
        let bound = mu * p[n].max(0.0);
        let unit = if length > 0.0 { [y[0] / length, y[1] / length] } else { [0.0; 2] };
        Self {
            rho_n,
            rho_t,
            pressed: p[n] - data.preload[k] - rho_n * xi[n] > 0.0,
            mu,
            bound,
            slide: (length > bound || bound == 0.0).then_some(length),
            unit,
        }
    }

    /// ∂Fᵢ/∂pⱼ of the active piece, i a row of the contact.
    fn derivative(
        &self,
        space: &ContactSpace,
        contact: &ContactRow,
        (i, j): (usize, usize),
    ) -> f64 {
        let n = contact.normal();
        if i == n {
            return if self.pressed { self.rho_n * space.G[(n, j)] } else { f64::from(j == n) };
        }
        let Some(length) = self.slide else { return self.rho_t * space.G[(i, j)] };
        let s = i - contact.first;
        let cone = if j == n && self.bound > 0.0 { self.mu * self.unit[s] } else { 0.0 };
        self.slide_derivative(space, contact, (s, j), length) - cone
    }

    /// δ − κ/‖y‖ (I − ŷŷᵀ)(δ − ρₜ G): the derivative while sliding without the part of κ.
    fn slide_derivative(
        &self,
        space: &ContactSpace,
        contact: &ContactRow,
        (s, j): (usize, usize),
        length: f64,
    ) -> f64 {
        let first = contact.first;
        let identity = f64::from(j == first + s);
        if self.bound == 0.0 || length == 0.0 {
            return identity;
        }
        let mut turned = 0.0;
        for r in 0..contact.tangents {
            let projector = f64::from(r == s) - self.unit[s] * self.unit[r];
            turned +=
                projector * (f64::from(j == first + r) - self.rho_t * space.G[(first + r, j)]);
        }
        identity - self.bound / length * turned
    }
}
