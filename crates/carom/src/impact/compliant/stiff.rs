//! Slip that turns fast: implicit collocation (Radau IIA).
//!
//! Where slip is slow its direction θ follows the forces at the rate μFG/r, r the slip speed, which is infinite when
//! slip leaves rest. Explicit steps would crawl. Here θ is an unknown at the nodes of a step, beside the compressions:
//! ```text
//! δᵢ = δ₀ − χ h Σⱼ a_ij uₙⱼ                     (1)
//! d⊥(θᵢ)·wᵢ = 0,   wᵢ = w₀ + h Σⱼ a_ij ẇⱼ       (2)
//! ```
//! (2) says that slip has the direction θ; its derivative by θ is −(r + h a μF d⊥ᵀG d⊥) < 0, so that it can be solved
//! whatever r, r = 0 included. The flow of slip is contracting, and so is the method (it is B-stable). The error of a
//! step is the difference to the method with one node less.

use super::hold::Hold;
use super::lu::{factor, substitute};
use super::series::frequency;
use super::system::{Normal, State, System, Tangent, fixed_friction};
use crate::numeric::thresholds::compliant::{CONVERGED, ROUND_OFF};
use carom_ode::radau::Tableau;

/// Newton steps per solve.
const ITERATIONS: usize = 25;

/// Times a Newton step may be halved.
const HALVINGS: usize = 12;

/// A step taken: values at the nodes.
#[derive(Clone, Debug, Default)]
pub(super) struct Nodes {
    /// Unknowns by node: compressions of the sites that carry, angles of those that turn.
    pub x: Vec<f64>,
    /// Contact velocities by node.
    pub u: Vec<f64>,
    /// Rates of impulse by node.
    pub rate: Vec<f64>,
}

/// The reduced equations of one set of modes.
#[derive(Clone, Debug, Default)]
pub(super) struct Stiff {
    /// Sites that carry a force.
    pub carry: Vec<usize>,
    /// Those of them that turn, as places in `carry`.
    pub turn: Vec<usize>,
    /// Velocity rates per driver: normal forces first, then friction components of the turning contacts.
    pub(super) response: Vec<f64>,
    /// Impulse rates per driver.
    pub(super) impulses: Vec<f64>,
    pub(super) jacobian: Vec<f64>,
    pub(super) pivots: Vec<usize>,
    pub(super) residual: Vec<f64>,
    pub(super) step: Vec<f64>,
    pub(super) start: Vec<f64>,
    /// Velocity rates by node.
    pub(super) v: Vec<f64>,
    pub(super) column: Vec<f64>,
    /// Cubes of the sizes of the systems that this path has solved.
    pub work: f64,
}

impl Stiff {
    /// Number of unknowns per node.
    pub fn width(&self) -> usize {
        self.carry.len() + self.turn.len()
    }

    /// Collects drivers and responses of the present modes.
    pub fn load(&mut self, system: &System, state: &State, hold: &mut Hold) {
        let m = system.rows();
        self.carry.clear();
        self.turn.clear();
        for i in 0..system.sites.len() {
            if state.normal[i] != Normal::Open {
                if state.tangent[i] == Tangent::Turn {
                    self.turn.push(self.carry.len());
                }
                self.carry.push(i);
            }
        }
        let drivers = self.carry.len() + 2 * self.turn.len();
        for x in [&mut self.response, &mut self.impulses] {
            x.clear();
            x.resize(drivers * m, 0.0);
        }
        self.column.clear();
        self.column.resize(m, 0.0);
        for driver in 0..drivers {
            let impulses = &mut self.impulses[driver * m..(driver + 1) * m];
            if driver < self.carry.len() {
                let i = self.carry[driver];
                let site = &system.sites[i];
                impulses[site.normal()] = 1.0;
                let f = fixed_friction(site, state.tangent[i]).unwrap_or([0.0; 2]);
                for (x, r) in site.tangent_rows().enumerate() {
                    impulses[r] = f[x];
                }
            } else {
                let k = driver - self.carry.len();
                let site = &system.sites[self.carry[self.turn[k / 2]]];
                impulses[site.first + k % 2] = 1.0;
            }
            if driver < self.carry.len() {
                for s in hold.shared.iter().filter(|s| s.site == self.carry[driver]) {
                    for (x, r) in system.sites[s.site].tangent_rows().enumerate() {
                        impulses[r] += s.ratio * s.v[x];
                    }
                }
            }
            system.multiply(impulses, &mut self.column);
            hold.solve(system, &self.column, impulses);
            let response = &mut self.response[driver * m..(driver + 1) * m];
            system.multiply(impulses, response);
            for &row in &hold.rows {
                response[row] = 0.0;
            }
        }
    }

    /// A first guess for all nodes: free flight of the compressions, directions as they are.
    pub fn guess(&self, system: &System, state: &State, t: &Tableau, h: f64, x: &mut Vec<f64>) {
        x.clear();
        for node in 0..t.s {
            for &i in &self.carry {
                let site = &system.sites[i];
                let give = state.give(site, i);
                let delta = state.delta[i] - give * h * t.c[node] * state.u[site.normal()];
                x.push(delta.max(0.0));
            }
            for &k in &self.turn {
                let d = state.heading[self.carry[k]];
                x.push(d[1].atan2(d[0]));
            }
        }
    }

    /// Solves (1) and (2) for a step h; `nodes.x` is the guess. False if Newton's method fails.
    pub fn solve(
        &mut self,
        system: &System,
        state: &State,
        t: &Tableau,
        h: f64,
        nodes: &mut Nodes,
    ) -> bool {
        let size = t.s * self.width();
        self.evaluate(system, state, t, h, nodes);
        let mut norm = self.residuals(system, state, t, h, nodes);
        for _ in 0..ITERATIONS {
            if norm <= CONVERGED {
                return true;
            }
            self.differentiate(system, state, t, h, nodes);
            self.work += (size as f64).powi(3);
            if !factor(&mut self.jacobian, size, &mut self.pivots) {
                return false;
            }
            substitute(&self.jacobian, size, &self.pivots, &mut self.residual);
            std::mem::swap(&mut self.step, &mut self.residual);
            let next = self.descend(system, state, (t, h), nodes, norm);
            if next.is_none_or(|next| next > 0.5 * norm && norm <= ROUND_OFF) {
                return next.is_some() || norm <= ROUND_OFF;
            }
            norm = next.unwrap_or(norm);
        }
        false
    }

    /// Goes along the Newton step, or a part of it, until the residual falls; its size then.
    fn descend(
        &mut self,
        system: &System,
        state: &State,
        (t, h): (&Tableau, f64),
        nodes: &mut Nodes,
        norm: f64,
    ) -> Option<f64> {
        let mut length = 1.0;
        self.start.clear();
        self.start.extend_from_slice(&nodes.x);
        for _ in 0..HALVINGS {
            for (x, (start, step)) in nodes.x.iter_mut().zip(self.start.iter().zip(&self.step)) {
                *x = start - length * step;
            }
            self.evaluate(system, state, t, h, nodes);
            let next = self.residuals(system, state, t, h, nodes);
            if next <= (1.0 - 0.1 * length) * norm || next <= CONVERGED {
                return Some(next);
            }
            length *= 0.5;
        }
        nodes.x.copy_from_slice(&self.start);
        self.evaluate(system, state, t, h, nodes);
        self.residuals(system, state, t, h, nodes);
        None
    }

    /// Rates and velocities at the nodes.
    fn evaluate(&mut self, system: &System, state: &State, t: &Tableau, h: f64, nodes: &mut Nodes) {
        let m = system.rows();
        for x in [&mut self.v, &mut nodes.u, &mut nodes.rate] {
            x.clear();
            x.resize(t.s * m, 0.0);
        }
        for node in 0..t.s {
            for driver in 0..self.carry.len() + 2 * self.turn.len() {
                let z = self.driver(system, &nodes.x, node, driver);
                let at = node * m..(node + 1) * m;
                let from = driver * m..(driver + 1) * m;
                add(z, &self.response[from.clone()], &mut self.v[at.clone()]);
                add(z, &self.impulses[from], &mut nodes.rate[at]);
            }
        }
        for node in 0..t.s {
            let u = &mut nodes.u[node * m..(node + 1) * m];
            u.copy_from_slice(&state.u);
            for j in 0..t.s {
                add(h * t.a[node][j], &self.v[j * m..(j + 1) * m], u);
            }
        }
    }

    /// Value of a driver at a node.
    fn driver(&self, system: &System, x: &[f64], node: usize, driver: usize) -> f64 {
        let (w, n) = (self.width(), self.carry.len());
        let force = |k: usize| system.force(self.carry[k], x[node * w + k]);
        if driver < n {
            return force(driver);
        }
        let (k, component) = ((driver - n) / 2, (driver - n) % 2);
        let (s, c) = x[node * w + n + k].sin_cos();
        let site = &system.sites[self.carry[self.turn[k]]];
        -site.mu_d * force(self.turn[k]) * if component == 0 { c } else { s }
    }

    /// Residuals of (1) and (2); the root of their sum of squares.
    fn residuals(
        &mut self,
        system: &System,
        state: &State,
        t: &Tableau,
        h: f64,
        nodes: &Nodes,
    ) -> f64 {
        let (m, w, n) = (system.rows(), self.width(), self.carry.len());
        self.residual.clear();
        let mut sum_of_squares = 0.0;
        for node in 0..t.s {
            for (k, &i) in self.carry.iter().enumerate() {
                let site = &system.sites[i];
                let sum: f64 =
                    (0..t.s).map(|j| t.a[node][j] * nodes.u[j * m + site.normal()]).sum();
                let r = nodes.x[node * w + k] - state.delta[i] + state.give(site, i) * h * sum;
                self.residual.push(r);
                let weight = frequency(system, state, i, 1.0);
                sum_of_squares += r * r * weight * weight;
            }
            for (k, &place) in self.turn.iter().enumerate() {
                let first = node * m + system.sites[self.carry[place]].first;
                let (s, c) = nodes.x[node * w + n + k].sin_cos();
                let r = c * nodes.u[first + 1] - s * nodes.u[first];
                self.residual.push(r);
                sum_of_squares += r * r;
            }
        }
        sum_of_squares.sqrt()
    }
}

pub(super) fn add(factor: f64, from: &[f64], to: &mut [f64]) {
    if factor != 0.0 {
        for (y, x) in to.iter_mut().zip(from) {
            *y += factor * x;
        }
    }
}

/// max(a, b), but NaN wins.
pub(super) fn worst(a: f64, b: f64) -> f64 {
    if b > a || b.is_nan() { b } else { a }
}
