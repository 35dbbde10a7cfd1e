//! Semismooth Newton iteration on the circular friction cone.
//!
//! # Law
//! With ρₙ = 1/Gₙₙ, ρₜ = 1/max Gₜₜ, yₙ = xₙ − a − ρₙ wₙ, yₜ = xₜ − ρₜ wₜ and κ = μ max(xₙ, 0):
//! ```text
//! Fₙ = ρₙ wₙ if yₙ > 0 and not driven, else xₙ − a                       (1)
//! Fₜ = ρₜ wₜ if ‖yₜ‖ ≤ κ, else xₜ − κ yₜ/‖yₜ‖                            (2)
//! sliding:    Fₜ = xₜ + μd xₙ û;    bilateral:  F = ρ w                  (3)
//! ```
//! F = 0 is equivalent to the contact law. F is piecewise smooth; Newton's step with the derivative
//! of the active piece converges quadratically near a solution that is not degenerate. Steps are
//! halved while ‖F‖ does not fall; rank-deficient steps are taken with minimum norm.
//!
//! # Source
//! The functions are those of Alart & Curnier's augmented Lagrangian; derivative derived here.
//!
//! # Tests
//! `tests/coulomb.rs`: `spatial_cones_are_circular`, `nearly_redundant_feet_let_go`.

use super::certificate::velocity;
use super::mode::norm;
use super::problem::{Contact, Duty, Problem};
use crate::complementarity::{MinNorm, Regular};
use crate::numeric::reshape_vector;
use nalgebra::DVector;

/// Rows up to which a singular step is taken by least norm; above, the step is left out.
const LEAST_NORM: usize = 150;

/// Buffers of the iteration.
#[derive(Debug, Clone, Default)]
pub(super) struct Newton {
    regular: Regular,
    system: MinNorm,
    f: DVector<f64>,
    w: DVector<f64>,
    trial: DVector<f64>,
    direction: DVector<f64>,
    /// First of several full steps, and where they lead.
    first: DVector<f64>,
    far: DVector<f64>,
    row: DVector<f64>,
}

impl Newton {
    const ITERATIONS: usize = 40;
    const HALVINGS: usize = 12;
    const LEAPS: usize = 8;

    /// Improves x with one friction `mu` per contact until F vanishes to round-off or stops falling.
    pub fn polish(&mut self, problem: &Problem, mu: &[f64], x: &mut DVector<f64>) {
        let mut value = self.evaluate(problem, mu, x);
        for _ in 0..Self::ITERATIONS {
            let size = x.amax().max(f64::MIN_POSITIVE);
            if value <= f64::EPSILON * 0.5 * size || !value.is_finite() {
                return;
            }
            if !self.direct(problem, mu, x) {
                return;
            }
            let better = self.search(problem, mu, x, value, 1);
            let Some(better) = better.or_else(|| self.leap(problem, mu, x, value)) else { return };
            value = better;
        }
    }

    /// Where a full step does not reduce ‖F‖, a few in a row may: the pieces of F differ in scale, so that the way to
    /// the right piece can lead over large values. If not, the first is halved.
    fn leap(
        &mut self,
        problem: &Problem,
        mu: &[f64],
        x: &mut DVector<f64>,
        value: f64,
    ) -> Option<f64> {
        let mut far = std::mem::take(&mut self.far);
        let mut first = std::mem::take(&mut self.first);
        reshape_vector(&mut far, x.len());
        reshape_vector(&mut first, x.len());
        first.copy_from(&self.direction);
        far.copy_from(x);
        let mut found = None;
        for _ in 0..Self::LEAPS {
            far.axpy(1.0, &self.direction, 1.0);
            let now = self.evaluate(problem, mu, &far);
            if now < value {
                x.copy_from(&far);
                found = Some(now);
                break;
            }
            if !now.is_finite() || !self.direct(problem, mu, &far) {
                break;
            }
        }
        if found.is_none() {
            self.direction.copy_from(&first);
            found = self.search(problem, mu, x, value, Self::HALVINGS);
        }
        (self.far, self.first) = (far, first);
        found
    }

    /// Newton's method for the point of smallest norm on the set of solutions near x: each iterate
    /// is the smallest that satisfies the linearised equations, so that in the end x is orthogonal
    /// to the directions in which the solution can be changed.
    pub fn minimise(&mut self, problem: &Problem, mu: &[f64], x: &mut DVector<f64>) {
        if problem.rows() > LEAST_NORM {
            return;
        }
        for _ in 0..Self::ITERATIONS {
            self.evaluate(problem, mu, x);
            self.least_norm(problem, mu, x, true);
            let change =
                x.iter().zip(&self.direction).fold(0.0_f64, |c, (a, b)| c.max((a - b).abs()));
            x.copy_from(&self.direction);
            if change.is_nan() || change <= 4.0 * f64::EPSILON * x.amax() {
                return;
            }
        }
    }

    /// Fills f and w at x; returns ‖F‖.
    fn evaluate(&mut self, problem: &Problem, mu: &[f64], x: &DVector<f64>) -> f64 {
        velocity(problem, x, &mut self.w);
        reshape_vector(&mut self.f, problem.rows());
        for (k, c) in problem.contacts.iter().enumerate() {
            let local = Local::new(problem, k, mu[k], (x, &self.w));
            for i in c.rows() {
                self.f[i] = local.value(c, i, (x, &self.w));
            }
        }
        self.f.norm()
    }

    /// Solves F′ δ = −F into `direction`; false if that is not possible.
    fn direct(&mut self, problem: &Problem, mu: &[f64], x: &DVector<f64>) -> bool {
        let m = problem.rows();
        self.regular.reset(m);
        for (k, c) in problem.contacts.iter().enumerate() {
            let local = Local::new(problem, k, mu[k], (x, &self.w));
            for i in c.rows() {
                self.regular.set_rhs(i, -self.f[i]);
                local.derivative(problem, c, i, self.regular.row_mut(i));
            }
        }
        if let Some(step) = self.regular.solve() {
            reshape_vector(&mut self.direction, m);
            self.direction.copy_from_slice(step);
            return true;
        }
        if m > LEAST_NORM {
            return false;
        }
        self.least_norm(problem, mu, x, false);
        true
    }

    /// Solves F′ z = F′ o − F by minimum norm: with o = 0 the smallest step, with o = x the smallest
    /// point.
    fn least_norm(&mut self, problem: &Problem, mu: &[f64], x: &DVector<f64>, point: bool) {
        let m = problem.rows();
        self.system.reset(m, m);
        reshape_vector(&mut self.row, m);
        for (k, c) in problem.contacts.iter().enumerate() {
            let local = Local::new(problem, k, mu[k], (x, &self.w));
            for i in c.rows() {
                local.derivative(problem, c, i, self.row.as_mut_slice());
                self.row.iter().enumerate().for_each(|(j, a)| self.system.set(i, j, *a));
                let here = if point { self.row.dot(x) } else { 0.0 };
                self.system.set_rhs(i, here - self.f[i]);
            }
        }
        let step = self.system.solve(MinNorm::RANK_TOLERANCE);
        reshape_vector(&mut self.direction, m);
        self.direction.copy_from_slice(step);
    }

    /// Halves the step until ‖F‖ falls; leaves f and w at the new point.
    fn search(
        &mut self,
        problem: &Problem,
        mu: &[f64],
        x: &mut DVector<f64>,
        value: f64,
        halvings: usize,
    ) -> Option<f64> {
        let mut trial = std::mem::take(&mut self.trial);
        reshape_vector(&mut trial, x.len());
        let mut length = 1.0;
        let mut found = None;
        for _ in 0..halvings {
            trial.copy_from(x);
            trial.axpy(length, &self.direction, 1.0);
            let better = self.evaluate(problem, mu, &trial);
            if better < value {
                x.copy_from(&trial);
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
    duty: Duty,
    rho_n: f64,
    rho_t: f64,
    /// yₙ > 0
    pressed: bool,
    preload: f64,
    mu: f64,
    /// κ
    bound: f64,
    /// ‖yₜ‖ if it exceeds κ
    slide: Option<f64>,
    /// yₜ/‖yₜ‖
    unit: [f64; 2],
}

impl Local {
    fn new(problem: &Problem, k: usize, mu: f64, (x, w): (&DVector<f64>, &DVector<f64>)) -> Self {
        let c = &problem.contacts[k];
        let n = c.normal();
        let inverse = |g: f64| if g > 0.0 { 1.0 / g } else { 1.0 };
        let rho_n = inverse(problem.G[(n, n)]);
        let rho_t = inverse(c.tangent_rows().map(|i| problem.G[(i, i)]).fold(0.0, f64::max));
        let mut y = [0.0; 2];
        for (s, i) in c.tangent_rows().enumerate() {
            y[s] = x[i] - rho_t * w[i];
        }
        let length = norm(&y);
        let bound = mu * x[n].max(0.0);
        let unit = if length > 0.0 { [y[0] / length, y[1] / length] } else { [0.0; 2] };
        Self {
            duty: c.duty,
            rho_n,
            rho_t,
            pressed: !c.driven && x[n] - c.preload - rho_n * w[n] > 0.0 || c.duty == Duty::Held,
            preload: c.preload,
            mu,
            bound,
            slide: (length > bound || bound == 0.0).then_some(length),
            unit,
        }
    }

    /// Fᵢ, i a row of the contact.
    fn value(&self, c: &Contact, i: usize, (x, w): (&DVector<f64>, &DVector<f64>)) -> f64 {
        let n = c.normal();
        let s = i - c.first;
        match self.duty {
            Duty::Apart => x[i],
            _ if i == n && self.pressed => self.rho_n * w[n],
            _ if i == n => x[n] - self.preload,
            Duty::Held => self.rho_t * w[i],
            Duty::Sliding(d) => x[i] + self.mu * x[n] * d[s],
            Duty::Coulomb => match self.slide {
                None => self.rho_t * w[i],
                Some(_) => x[i] - self.bound * self.unit[s],
            },
        }
    }

    /// Row i of F′, of the active piece; i is a row of the contact.
    fn derivative(&self, problem: &Problem, c: &Contact, i: usize, row: &mut [f64]) {
        let (n, s) = (c.normal(), i - c.first);
        // G is symmetric.
        let scaled = |rho: f64, row: &mut [f64]| {
            let column = problem.G.column(i);
            row.iter_mut().zip(&column).for_each(|(r, g)| *r = rho * g);
        };
        match (self.duty, self.slide) {
            (Duty::Apart, _) => unit(row, i),
            _ if i == n && self.pressed => scaled(self.rho_n, row),
            _ if i == n => unit(row, i),
            (Duty::Held, _) | (Duty::Coulomb, None) => scaled(self.rho_t, row),
            (Duty::Sliding(d), _) => {
                unit(row, i);
                row[n] += self.mu * d[s];
            }
            (Duty::Coulomb, Some(length)) => {
                self.slide_derivative(problem, c, (s, length), row);
                if self.bound > 0.0 {
                    row[n] -= self.mu * self.unit[s];
                }
            }
        }
    }

    /// δ − κ/‖y‖ (I − ŷŷᵀ)(δ − ρₜ G): the derivative while sliding without the part of κ.
    fn slide_derivative(
        &self,
        problem: &Problem,
        c: &Contact,
        (s, length): (usize, f64),
        row: &mut [f64],
    ) {
        unit(row, c.first + s);
        if self.bound == 0.0 || length == 0.0 || c.tangents == 1 {
            return;
        }
        for r in 0..c.tangents {
            let projector = f64::from(r == s) - self.unit[s] * self.unit[r];
            let turned = self.bound / length * projector;
            let column = problem.G.column(c.first + r);
            row.iter_mut().zip(&column).for_each(|(x, g)| *x += turned * self.rho_t * g);
            row[c.first + r] -= turned;
        }
    }
}

/// A row of the identity.
fn unit(row: &mut [f64], i: usize) {
    row.fill(0.0);
    row[i] = 1.0;
}
