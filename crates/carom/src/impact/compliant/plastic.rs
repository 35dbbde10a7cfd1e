//! The last resort: one impact without restitution and without friction.
//!
//! ```text
//! min ½ pᵀG p + pᵀu over p ≥ 0,  normals only:   0 ≤ p ⟂ uₙ⁺ ≥ 0                         (1)
//! ```
//! Convex, so it always has a solution, and its work is −½ pᵀG p ≤ 0.
//!
//! # Solution
//! Lawson & Hanson's active-set method: the most approaching contact enters, and the impulses of those that are in are
//! solved for; whoever would pull leaves. The objective falls with every contact that enters, so no set comes twice.

use super::hold::{lower, upper};
use super::limit_set::cholesky;
use super::system::{State, System};
use crate::numeric::thresholds::compliant::LEFT;

/// Softness of redundant contacts, relative to the diagonal.
const SOFT: f64 = crate::numeric::thresholds::compliant::PLASTIC_SOFT;

/// Scratch of the method.
#[derive(Clone, Debug, Default)]
pub(super) struct Plastic {
    p: Vec<f64>,
    trial: Vec<f64>,
    inside: Vec<usize>,
    factor: Vec<f64>,
    velocity: Vec<f64>,
    impulses: Vec<f64>,
}

impl Plastic {
    /// Applies the impulses of (1) to the state.
    pub fn close(&mut self, system: &System, state: &mut State) {
        let n = system.sites.len();
        self.p.clear();
        self.p.resize(n, 0.0);
        self.inside.clear();
        for _ in 0..4 * n + 4 {
            let Some(enters) = self.most_approaching(system, state) else {
                break;
            };
            self.inside.push(enters);
            self.balance(system, state);
        }
        self.apply(system, state);
    }

    /// The contact outside the set that approaches fastest.
    fn most_approaching(&mut self, system: &System, state: &State) -> Option<usize> {
        let mut best = None;
        let mut fastest = -LEFT;
        for (i, site) in system.sites.iter().enumerate() {
            let row = site.normal();
            let push: f64 = (0..self.p.len())
                .map(|j| system.G[(row, system.sites[j].normal())] * self.p[j])
                .sum();
            let u = state.u[row] + push;
            if u < fastest && system.G[(row, row)] > 0.0 && !self.inside.contains(&i) {
                (best, fastest) = (Some(i), u);
            }
        }
        best
    }

    /// Impulses with which the contacts inside stop; those that would pull leave on the way.
    fn balance(&mut self, system: &System, state: &State) {
        while !self.inside.is_empty() && self.stop(system, state) {
            let (mut step, mut leaves) = (1.0, None);
            for (a, &i) in self.inside.iter().enumerate() {
                if self.trial[a] <= 0.0 {
                    let way = self.p[i] / (self.p[i] - self.trial[a]);
                    if leaves.is_none() || way < step {
                        (step, leaves) = (way, Some(a));
                    }
                }
            }
            for (a, &i) in self.inside.iter().enumerate() {
                self.p[i] += step * (self.trial[a] - self.p[i]);
            }
            let Some(a) = leaves else {
                return;
            };
            self.p[self.inside[a]] = 0.0;
            self.inside.swap_remove(a);
        }
    }

    /// Solves for zero velocity of the contacts inside.
    fn stop(&mut self, system: &System, state: &State) -> bool {
        let q = self.inside.len();
        self.factor.clear();
        self.trial.clear();
        for (a, &i) in self.inside.iter().enumerate() {
            let row = system.sites[i].normal();
            self.trial.push(-state.u[row]);
            for (b, &j) in self.inside.iter().enumerate() {
                let soft = if a == b { 1.0 + SOFT } else { 1.0 };
                self.factor.push(soft * system.G[(row, system.sites[j].normal())]);
            }
        }
        if !cholesky(&mut self.factor, q) {
            return false;
        }
        lower(&self.factor, q, q, &mut self.trial);
        upper(&self.factor, q, q, &mut self.trial);
        true
    }

    fn apply(&mut self, system: &System, state: &mut State) {
        let m = system.rows();
        for x in [&mut self.velocity, &mut self.impulses] {
            x.clear();
            x.resize(m, 0.0);
        }
        for (i, site) in system.sites.iter().enumerate() {
            self.impulses[site.normal()] = self.p[i];
        }
        system.multiply(&self.impulses, &mut self.velocity);
        for (i, site) in system.sites.iter().enumerate() {
            let row = site.normal();
            state.normal_work[i] += self.p[i] * (state.u[row] + 0.5 * self.velocity[row]);
        }
        for row in 0..m {
            state.u[row] += self.velocity[row];
            state.p[row] += self.impulses[row];
        }
    }
}
