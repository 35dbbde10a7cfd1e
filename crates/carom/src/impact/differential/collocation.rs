//! One step of a stage in which slip turns: collocation with the directions of slip as unknowns.
//!
//! # Law
//! In a set of modes rates depend on the directions of slip alone, d = (cos z, sin z), z an angle per contact:
//! ```text
//! u̇ = u̇(z),  ṗ = ṗ(z),   0 = c = d⊥(z)·w,   w the slip in u,  d⊥ = (−sin z, cos z)           (1)
//! uᵢ = u₀ + h Σⱼ aᵢⱼ u̇(zⱼ),   0 = c(uᵢ, zᵢ)    at the nodes of Radau IIA                     (2)
//! ```
//! Followed as z = z(w) a direction would change at a rate like μ ṗₙ g/‖w‖, g the size of G: fast where slip is slow,
//! which bounds explicit steps by the slowest slip of the stage however slowly that changes. As an unknown of the step it
//! costs nothing. With B = ∂ẇ/∂z, Newton's step of (2) solves
//! ```text
//! Σⱼ (h aᵢⱼ d⊥ᵢ·Bⱼ − δᵢⱼ dᵢ·wᵢ) Δzⱼ = −cᵢ                                                   (3)
//! ```
//! which is regular whatever w, w = 0 included, if d⊥·B is: a slip that starts from rest needs no rule of its own. A
//! direction that turns by δz adds the force −μ ṗₙ d⊥ δz to its contact, and the modes answer to it by what they hold:
//! ```text
//! B = G f,   f = −μ ṗₙ d⊥ + S y,   Sᵣ G f = 0                                               (4)
//! ```
//! (the matrices S of [`linear`](crate::coulomb)). B and the factors of (3) are renewed only while changes δ fall slowly, by more than
//! θ = 1/20 a round; where the next one would be below the resolution,
//! ```text
//! θ δ < 1e-13 rad,   θ = δ/δ of the round before                                            (5)
//! ```
//! rates are evaluated once more and no further round is made. Works are
//! quadratures of ṗ·u at the nodes. A slip that has passed through zero, d·w < 0, is beyond what (1) describes: the
//! step is cut short at that event.
//!
//! # Error
//! The difference of two quadratures, (3) of [`nodes`](super::nodes), in units of the weights given. It is of order h^(s+1) and what a step
//! ends with of order h^2s, so that with e the one, relative, the other is about
//! ```text
//! e^(2s/(s+1)) = e^1.8                                                                      (6)
//! ```
//!
//! # Tests
//! `tests/impact_spatial`: `eq6_to_eq8_implicit_marching` (another method); in its `stiff.rs`:
//! `eq2_directions_of_slow_slip`, `eq3_slip_from_rest`, `eq5_rounds_are_few`, `eq6_steps_are_as_good_as_they_should_be`.
#![allow(non_snake_case)]

use super::flow::direction;
use super::nodes::{METHOD, NODES};
use super::rates::{Instant, Rates};
use crate::complementarity::Regular;
use crate::coulomb::Tangent;
use crate::impact::contact_space::{ContactSpace, reshape_vector};
use nalgebra::DVector;

/// Rounds of (3).
const ROUNDS: usize = 25;
/// Change of an angle, rad, below which (3) has converged.
const STANDS: f64 = crate::numeric::thresholds::POLISHED;
/// Change of an angle, rad, that round-off may leave where slip is slow.
const COARSE: f64 = crate::numeric::thresholds::SAME_MOTION;
/// Angle by which a direction may turn in a step, rad: opposite directions satisfy (1) too.
const FARTHEST: f64 = 1.5;
/// Ratio of two changes above which B is renewed.
const SLOW: f64 = 0.05;
/// Length of a step, over the one before, up to which directions are guessed by continuing the polynomial of that: its error grows
/// like the ninth power of a multiple of the length.
const CONTINUED: f64 = 2.0;

/// Unknowns of a step and what follows from them; lists are by node, then by contact or row.
#[derive(Clone, Debug, Default)]
pub(super) struct Collocation {
    /// Contacts whose slip turns.
    pub turn: Vec<usize>,
    /// z at the start and at the nodes.
    start: Vec<f64>,
    z: Vec<f64>,
    /// Rates at the start, then at the nodes.
    p_rate: Vec<f64>,
    u_rate: Vec<f64>,
    /// u at the nodes.
    u: Vec<f64>,
    /// Columns of B.
    B: Vec<[f64; 2]>,
    newton: Regular,
    /// −c by node and contact.
    misses: Vec<f64>,
    force: DVector<f64>,
    response: DVector<f64>,
    /// z of a step that others are guessed from, its length, zero if there is none, and whether it is the one before.
    long: Vec<f64>,
    known: f64,
    past: bool,
    /// Rounds of (3) since the path began.
    pub rounds: usize,
}

/// What rates are computed with.
pub(super) struct Right<'a> {
    pub space: &'a ContactSpace,
    pub instant: &'a mut Instant,
    pub rates: &'a mut Rates,
}

impl Collocation {
    /// A stage begins at a state: directions are those of slip, or of the modes where slip has yet to start.
    pub fn begin(&mut self, right: &mut Right<'_>, u: &[f64], zero: f64) -> bool {
        let (m, k) = (right.space.rows(), self.turn.len());
        for (x, size) in [
            (&mut self.start, k),
            (&mut self.z, NODES * k),
            (&mut self.p_rate, (NODES + 1) * m),
            (&mut self.u_rate, (NODES + 1) * m),
            (&mut self.u, NODES * m),
        ] {
            x.clear();
            x.resize(size, 0.0);
        }
        self.B.clear();
        self.B.resize(NODES * k * k, [0.0; 2]);
        (self.known, self.past) = (0.0, false);
        for (z, &k) in self.start.iter_mut().zip(&self.turn) {
            let c = &right.space.contacts[k];
            let d = match (direction(&u[c.tangent_rows()], zero), right.rates.modes[k].tangent) {
                (Some(d), _) | (None, Tangent::Slip(d)) => d,
                _ => return false,
            };
            *z = d[1].atan2(d[0]);
        }
        let start = std::mem::take(&mut self.start);
        let good = self.evaluate(right, &start, 0);
        self.start = start;
        good
    }

    /// The step taken, by `h`, becomes the past.
    pub fn accept(&mut self, h: f64) {
        let (m, k) = (self.u.len() / NODES, self.turn.len());
        self.start.copy_from_slice(&self.z[(NODES - 1) * k..]);
        self.p_rate.copy_within(NODES * m.., 0);
        self.u_rate.copy_within(NODES * m.., 0);
        self.long.clone_from(&self.z);
        (self.known, self.past) = (h, true);
    }

    /// Rates of velocity at the start.
    pub fn start_rates(&self) -> &[f64] {
        &self.u_rate[..self.u.len() / NODES]
    }

    /// Node i of the last step, a fraction of it.
    pub fn place(&self, i: usize) -> f64 {
        METHOD.c[i]
    }

    /// Rates and modes at the start (0) or at a node of the last step (1 to [`NODES`]).
    pub fn rates_at(&self, at: usize, rates: &mut Rates) {
        let (m, k) = (self.u.len() / NODES, self.turn.len());
        rates.p.as_mut_slice().copy_from_slice(&self.p_rate[at * m..(at + 1) * m]);
        rates.u.as_mut_slice().copy_from_slice(&self.u_rate[at * m..(at + 1) * m]);
        let z = if at == 0 { &self.start } else { &self.z[(at - 1) * k..at * k] };
        for (z, &k) in z.iter().zip(&self.turn) {
            rates.modes[k].tangent = Tangent::Slip([z.cos(), z.sin()]);
        }
    }

    /// Solves a step by `h` from a state (u, p, normal works, friction works, clock); the error at its end in units of
    /// the weights, infinite if there is no answer.
    pub fn step(&mut self, right: &mut Right<'_>, y: &[f64], h: f64, weights: &[f64]) -> f64 {
        let mut alike = !self.guess_directions(h);
        // A first change is compared with a radian.
        let mut last = 1.0;
        let mut renew = true;
        for _ in 0..ROUNDS {
            if !self.evaluate_nodes(right, if alike { 1 } else { NODES }, renew) {
                return f64::INFINITY;
            }
            alike = false;
            self.rounds += 1;
            self.velocities(y, h);
            let Some(change) = self.newton(right.space, h, renew) else { return f64::INFINITY };
            let theta = change / last;
            let stands = change <= STANDS || (theta >= 0.5 && change <= COARSE);
            let would = theta <= SLOW && theta * change <= STANDS;
            if stands || would {
                if self.turns_beyond(FARTHEST) {
                    return f64::INFINITY;
                }
                if !stands {
                    if !self.evaluate_nodes(right, NODES, false) {
                        return f64::INFINITY;
                    }
                    self.velocities(y, h);
                }
                if self.past || self.known < h {
                    (self.known, self.past) = (h, false);
                    self.long.clone_from(&self.z);
                }
                return self.error(h, weights);
            }
            if self.turns_beyond(2.0 * FARTHEST) {
                return f64::INFINITY;
            }
            renew = theta > SLOW;
            last = change;
        }
        f64::INFINITY
    }

    /// Whether a direction leaves its start by more than an angle.
    fn turns_beyond(&self, angle: f64) -> bool {
        let nodes = self.z.chunks_exact(self.turn.len());
        nodes
            .into_iter()
            .any(|z| z.iter().zip(&self.start).any(|(z, start)| (z - start).abs() > angle))
    }

    /// Directions to start from: those of a longer step if one is known, else of the step before, continued, else that of
    /// the start at all nodes.
    fn guess_directions(&mut self, h: f64) -> bool {
        let k = self.turn.len();
        let (first, farthest) = if self.past { (1.0, CONTINUED) } else { (0.0, 1.0) };
        let scale = h / self.known;
        if scale <= farthest {
            for i in 0..NODES {
                let basis = METHOD.at(first + METHOD.c[i] * scale);
                for l in 0..k {
                    self.z[i * k + l] = (0..NODES).map(|j| basis[j] * self.long[j * k + l]).sum();
                }
            }
            if !self.turns_beyond(FARTHEST) {
                return true;
            }
        }
        self.z.chunks_exact_mut(k).for_each(|z| z.copy_from_slice(&self.start));
        false
    }

    /// Rates, and B if it is to be renewed, at the first `count` nodes; the others have those of the first.
    fn evaluate_nodes(&mut self, right: &mut Right<'_>, count: usize, renew: bool) -> bool {
        let (m, k) = (right.space.rows(), self.turn.len());
        let z = std::mem::take(&mut self.z);
        let good = (0..count).all(|i| {
            let node = &z[i * k..(i + 1) * k];
            let good = self.evaluate(right, node, i + 1);
            if renew {
                self.derivative(right, node, i);
            }
            good
        });
        self.z = z;
        for i in count..NODES {
            self.p_rate.copy_within(m..2 * m, (i + 1) * m);
            self.u_rate.copy_within(m..2 * m, (i + 1) * m);
            self.B.copy_within(..k * k, i * k * k);
        }
        good
    }

    /// Rates at directions z into slot `at`.
    fn evaluate(&mut self, right: &mut Right<'_>, z: &[f64], at: usize) -> bool {
        let m = right.space.rows();
        for (z, &k) in z.iter().zip(&self.turn) {
            right.rates.modes[k].tangent = Tangent::Slip([z.cos(), z.sin()]);
        }
        let good = right.instant.follow(right.rates);
        self.p_rate[at * m..(at + 1) * m].copy_from_slice(right.rates.p.as_slice());
        self.u_rate[at * m..(at + 1) * m].copy_from_slice(right.rates.u.as_slice());
        good
    }

    /// B of the rates just evaluated, (4).
    fn derivative(&mut self, right: &mut Right<'_>, z: &[f64], node: usize) {
        let count = self.turn.len();
        for (l, (&k, z)) in self.turn.iter().zip(z).enumerate() {
            let c = &right.instant.problem.contacts[k];
            let limit = c.friction * right.rates.p[c.normal()];
            let first = c.first;
            reshape_vector(&mut self.force, right.space.rows());
            (self.force[first], self.force[first + 1]) = (limit * z.sin(), -limit * z.cos());
            right.instant.answer(&mut self.force, &mut self.response);
            for (i, &other) in self.turn.iter().enumerate() {
                let first = right.space.contacts[other].first;
                self.B[(node * count + i) * count + l] =
                    [self.response[first], self.response[first + 1]];
            }
        }
    }

    /// u at the nodes, (2).
    fn velocities(&mut self, y: &[f64], h: f64) {
        let m = self.u.len() / NODES;
        for (u, a) in self.u.chunks_exact_mut(m).zip(&METHOD.a) {
            u.copy_from_slice(&y[..m]);
            for (a, rate) in a.iter().zip(self.u_rate[m..].chunks_exact(m)) {
                u.iter_mut().zip(rate).for_each(|(u, rate)| *u += h * a * rate);
            }
        }
    }

    /// One round of (3), with new factors or those of the round before; the largest change.
    fn newton(&mut self, space: &ContactSpace, h: f64, fresh: bool) -> Option<f64> {
        self.miss(space);
        let changes = if fresh {
            self.assemble(space, h);
            self.newton.solve_above(0.0)?
        } else {
            self.newton.solve_again(self.misses.iter().copied())
        };
        let mut largest = 0.0_f64;
        for (z, change) in self.z.iter_mut().zip(changes) {
            *z += change;
            largest = if change.is_nan() { f64::NAN } else { largest.max(change.abs()) };
        }
        largest.is_finite().then_some(largest)
    }

    /// −c at all nodes.
    fn miss(&mut self, space: &ContactSpace) {
        let (m, count) = (space.rows(), self.turn.len());
        self.misses.clear();
        for (row, z) in self.z.iter().enumerate() {
            let first = row / count * m + space.contacts[self.turn[row % count]].first;
            let (s, c) = z.sin_cos();
            self.misses.push(s * self.u[first] - c * self.u[first + 1]);
        }
    }

    /// The matrix of (3).
    fn assemble(&mut self, space: &ContactSpace, h: f64) {
        let (m, count) = (space.rows(), self.turn.len());
        self.newton.reset(NODES * count);
        for i in 0..NODES {
            for (k, &contact) in self.turn.iter().enumerate() {
                let row = i * count + k;
                let first = i * m + space.contacts[contact].first;
                let (w, (s, c)) = ([self.u[first], self.u[first + 1]], self.z[row].sin_cos());
                self.newton.set_rhs(row, self.misses[row]);
                let entries = self.newton.row_mut(row);
                for j in 0..NODES {
                    let B = &self.B[(j * count + k) * count..(j * count + k + 1) * count];
                    let a = h * METHOD.a[i][j];
                    for (l, B) in B.iter().enumerate() {
                        entries[j * count + l] = a * (c * B[1] - s * B[0]);
                    }
                }
                entries[row] -= c * w[0] + s * w[1];
            }
        }
    }

    /// Error at the end of the step.
    fn error(&self, h: f64, weights: &[f64]) -> f64 {
        let m = self.u.len() / NODES;
        let mut error = 0.0_f64;
        for row in 0..m {
            let sum = |rate: &[f64]| -> f64 {
                METHOD.e.iter().enumerate().map(|(j, e)| e * rate[j * m + row]).sum()
            };
            error = error.max((h * weights[row] * sum(&self.u_rate)).abs());
            error = error.max((h * weights[m + row] * sum(&self.p_rate)).abs());
        }
        error
    }

    /// The state at a node of the last step by `h` from `y`.
    pub fn state(&self, space: &ContactSpace, y: &[f64], h: f64, node: usize, out: &mut [f64]) {
        self.sum(space, y, h, (&METHOD.a[node], METHOD.c[node]), out);
    }

    /// The state at a place τ of [0, 1] of the last step, on its polynomial: (1) of [`locate`](super::locate).
    pub fn state_at(&self, space: &ContactSpace, y: &[f64], h: f64, tau: f64, out: &mut [f64]) {
        self.sum(space, y, h, (&METHOD.until(tau), tau), out);
    }

    /// Rates and modes there.
    pub fn rates_between(&self, tau: f64, rates: &mut Rates) {
        let (m, count) = (self.u.len() / NODES, self.turn.len());
        let basis = METHOD.at(tau);
        rates.p.fill(0.0);
        rates.u.fill(0.0);
        for (j, l) in basis.iter().enumerate() {
            let node = (j + 1) * m..(j + 2) * m;
            let add = |sum: &mut [f64], x: &[f64]| {
                sum.iter_mut().zip(x).for_each(|(sum, x)| *sum += l * x);
            };
            add(rates.p.as_mut_slice(), &self.p_rate[node.clone()]);
            add(rates.u.as_mut_slice(), &self.u_rate[node]);
        }
        for (i, &k) in self.turn.iter().enumerate() {
            let z: f64 = basis.iter().enumerate().map(|(j, l)| l * self.z[j * count + i]).sum();
            rates.modes[k].tangent = Tangent::Slip([z.cos(), z.sin()]);
        }
    }

    /// The state after weights of the nodes and a part of the step.
    fn sum(
        &self,
        space: &ContactSpace,
        y: &[f64],
        h: f64,
        (a, part): (&[f64; NODES], f64),
        out: &mut [f64],
    ) {
        let (m, nc) = (space.rows(), space.contacts.len());
        out.copy_from_slice(y);
        for (j, a) in a.iter().enumerate() {
            let rates = (j + 1) * m..(j + 2) * m;
            let (du, p) = (&self.u_rate[rates.clone()], &self.p_rate[rates]);
            let u = &self.u[j * m..(j + 1) * m];
            for (out, du) in out[..m].iter_mut().zip(du) {
                *out += h * a * du;
            }
            for (out, p) in out[m..2 * m].iter_mut().zip(p) {
                *out += h * a * p;
            }
            for (k, c) in space.contacts.iter().enumerate() {
                out[2 * m + k] += h * a * p[c.normal()] * u[c.normal()];
                let power: f64 = c.tangent_rows().map(|i| p[i] * u[i]).sum();
                out[2 * m + nc + k] += h * a * power;
            }
        }
        out[2 * m + 2 * nc] += h * part;
    }
}
