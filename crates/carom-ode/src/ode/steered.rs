//! Flows whose directions their own velocity decides, where that is stiff: implicit collocation.
//!
//! # Law
//! ```text
//! ẏ = f(t, y, z),   0 = cₖ = d⊥(zₖ)·wₖ(y),   d = (cos z, sin z),  d⊥ = (−sin z, cos z)       (1)
//! yᵢ = y₀ + h Σⱼ aᵢⱼ f(tⱼ, yⱼ, zⱼ),   0 = c(yᵢ, zᵢ)    at the nodes of Radau IIA             (2)
//! ```
//! zₖ is the angle of the velocity wₖ. Followed as z = z(y) it would change at a rate like 1/‖w‖. As an
//! unknown of the step it costs nothing: with B = ∂ẇ/∂z at constant y, Newton's step of (2) solves
//! ```text
//! Σⱼ (h aᵢⱼ d⊥ᵢ·B(zⱼ) − δᵢⱼ (dᵢ·wᵢ + ε h ‖B‖)) Δzⱼ = −cᵢ,   B(z) = cos z B − sin z D            (3)
//! ```
//! which is regular whatever w if d⊥·B is: then ε = 0 would do. Velocities of one rigid body, of which more than three
//! are followed, make it singular where all of them end together; ε, which changes rounds and not their limit, leaves
//! what cannot be known as it is. B and D, what unit vectors across d and along it add to ẇ, are taken at the start of the
//! step, by differences unless the flow knows them ([`Rate::turning`]). For given z, f is not stiff, so that yᵢ follows by
//! substitution; rounds agree where y does, whatever angles without influence on it do. A step that is repeated shorter
//! begins where the longer one, of length H, was at that time:
//! ```text
//! zᵢ = z(cᵢ h/H),   yᵢ = y₀ + h Σⱼ aᵢⱼ ẏ(cⱼ h/H),   z and ẏ the polynomials through the nodes of the longer one     (4)
//! ```
//! otherwise rounds begin with z and ẏ of the start; so does a step after one whose rounds did not agree, because a longer one
//! may have found directions that no short one has (a velocity that has turned around). A velocity that has passed through zero,
//! d·w < 0, is beyond what (1) describes: its step is to be cut short at an event.
//!
//! # Error
//! The quadrature of (2) is exact to degree 8; with those through all nodes but the last, exact to degree 3, and through the
//! second and fourth, exact to degree 1, the estimate is
//! ```text
//! e₅²/√(e₅² + (e₃/10)²),   e₅ and e₃ their differences from (2), of order h⁵ and h³               (5)
//! ```
//! of order h⁷ (as that of DOP853, Hairer, Nørsett & Wanner 1993, II.10). The rate of the start takes no part: its direction is
//! that of a velocity with errors of its own, which (2) forgets within ‖w‖/‖B‖. Rounds are given up where (5) is beyond the
//! tolerance whatever further ones change.
//!
//! # Interpolant
//! The polynomial of degree 7 that meets y₀, ẏ₀, the nodes and ẏ₁ ([`dense`](super::dense)). The direction of a slip that starts is
//! not known at its start, nor is ẏ₀ then. Where it is beyond the tolerance from the polynomial p through the rates of the nodes, that is
//! taken,
//! ```text
//! h ‖ẏ₀ − p(0)‖ > 1   ẏ₀ ← p(0)                                                              (6)
//! ```
//!
//! # Tests
//! `tests/flow_steered.rs`: `eq2_order`, `eq3_directions_from_rest`, `eq5_forgets_the_direction_of_the_start`; (6): `crates/carom/tests/hybrid_wild.rs`, several 236 of seed 2002; ε of (3) and (4):
//! `corners_of_a_face_end_together` and `eq3_turns_cost_no_evaluation` of carom-scene.
#![allow(non_snake_case)]

use super::flow_error::FlowError;
use super::integrator::Integrator;
use super::radau::Tableau;
use super::rate::Rate;
use super::stages::Stages;
use crate::thresholds::steered::{DIFFERENCE, STANDS};
use std::f64::consts::PI;

/// Nodes.
pub(super) const NODES: usize = 5;
/// Power of h with which the estimate of the error falls.
const ORDER: f64 = 7.0;
/// Rounds of (3) and substitution.
const ROUNDS: usize = 20;
/// Rounds whose turn is not below [`IDLE`] times the one before, after which they do not agree: those that
/// do fall by ten each.
const PATIENCE: usize = 3;
/// See there.
const IDLE: f64 = 0.7;
/// What further rounds would change of y, in units of the tolerance, at which they agree.
const AGREED: f64 = 1e-3;
/// Error of a step, in units of what further rounds would change and of the tolerance, beyond which they are not taken.
const HOPELESS: f64 = 4.0;
/// Change of an angle, rad, that may stay because of round-off, and because it is without influence on y. Forces that are
/// watched may depend on it all the same.
const COARSE: f64 = 1e-4;

/// Unknowns of the step and its linear system.
#[derive(Debug, Clone, Default)]
pub(super) struct Steering {
    tableau: Option<Box<Tableau>>,
    /// Weights of the lower quadratures of (5).
    lower: [[f64; NODES]; 2],
    /// z by node.
    z: Vec<f64>,
    turned: Vec<(f64, f64)>,
    /// w and ẇ by node, and ẇ of the round before.
    w: Vec<[f64; 2]>,
    wdot: Vec<[f64; 2]>,
    last: Vec<[f64; 2]>,
    /// ẇ at the start, and D and B, column by column.
    base: Vec<[f64; 2]>,
    D: Vec<[f64; 2]>,
    B: Vec<[f64; 2]>,
    matrix: Vec<f64>,
    rhs: Vec<f64>,
    /// y by node.
    y: Vec<f64>,
    /// From what the nodes add to the cubic interpolant to rows F₃ to F₆.
    raise: [[f64; NODES - 1]; NODES - 1],
    /// Weights of p(0) in (6).
    start: [f64; NODES],
    /// Whether the last step was steered.
    pub active: bool,
    /// Whether `base` and B belong to the start of the step.
    differentiated: bool,
    /// Length, and by node z, ẇ and rates of an attempt from the same start whose rounds agreed, for (4); zero if there
    /// is none.
    long: f64,
    long_z: Vec<f64>,
    long_wdot: Vec<[f64; 2]>,
    long_f: Vec<f64>,
}

impl Steering {
    /// A step begins: nothing is known of it.
    pub(super) fn forget(&mut self) {
        (self.differentiated, self.long) = (false, 0.0);
    }

    fn reserve(&mut self, unknowns: usize, n: usize) {
        if self.tableau.is_none() {
            let fine = Tableau::fine();
            self.lower = [quadrature(&fine.c, [0, 1, 2, 3]), quadrature(&fine.c, [1, 3])];
            self.raise = raise(&fine.c);
            self.start = std::array::from_fn(|j| {
                fine.inside_coefficient(&|i: usize| if i == j { 1.0 } else { 0.0 }, 0)
            });
            self.tableau = Some(Box::new(fine));
        }
        let all = NODES * unknowns;
        for (x, size) in [
            (&mut self.z, all),
            (&mut self.matrix, all * all),
            (&mut self.rhs, all),
            (&mut self.y, NODES * n),
        ] {
            x.clear();
            x.resize(size, 0.0);
        }
        for (x, size) in [(&mut self.w, all), (&mut self.wdot, all), (&mut self.last, all)] {
            x.clear();
            x.resize(size, [0.0; 2]);
        }
        self.base.resize(unknowns, [0.0; 2]);
        self.D.resize(unknowns * unknowns, [0.0; 2]);
        self.B.resize(unknowns * unknowns, [0.0; 2]);
    }

    /// Where the rounds of a step by h begin, (4); the longer attempt must be there.
    fn recall(&mut self, (h, y0): (f64, &[f64]), tableau: &Tableau, stages: &mut Stages) {
        let (n, k) = (y0.len(), self.base.len());
        for i in 0..NODES {
            let tau = tableau.c[i] * h / self.long;
            for a in 0..k {
                let at = |j: usize| self.long_z[j * k + a];
                self.z[i * k + a] = tableau.inside(at, tau);
                self.last[i * k + a] =
                    [0, 1].map(|c| tableau.inside(|j| self.long_wdot[j * k + a][c], tau));
            }
            for (c, f) in stages.k_mut(i + 1).iter_mut().enumerate() {
                *f = tableau.inside(|j| self.long_f[j * n + c], tau);
            }
        }
        for i in 0..NODES {
            for c in 0..n {
                let sum: f64 = (0..NODES).map(|j| tableau.a[i][j] * stages.k(j + 1)[c]).sum();
                self.y[i * n + c] = y0[c] + h * sum;
            }
        }
    }

    /// Keep an attempt by h whose rounds agreed.
    fn remember(&mut self, h: f64, n: usize, stages: &Stages) {
        self.long = h;
        self.long_z.clone_from(&self.z);
        self.long_wdot.clone_from(&self.wdot);
        self.long_f.clear();
        (1..=NODES).for_each(|i| self.long_f.extend_from_slice(&stages.k(i)[..n]));
    }
}

impl Integrator {
    /// A trial step (2); the result is in `stages.y`, the rates of the nodes in stages 1 to 5. Returns the
    /// error norm, NaN if the rounds do not agree.
    pub(super) fn attempt_steered<R: Rate>(
        &mut self,
        rate: &mut R,
        h: f64,
    ) -> Result<f64, FlowError<R::Error>> {
        let mut s = std::mem::take(&mut self.steering);
        s.reserve(rate.unknowns(), self.y0.len());
        let error = self.solve_nodes(rate, h, &mut s);
        let error = error.map(|error| self.control.of_order(error, ORDER));
        let found = error.as_ref().is_ok_and(|e| e.is_finite());
        if found && h > s.long {
            s.remember(h, self.y0.len(), &self.stages);
        } else if !found {
            s.long = 0.0;
        }
        let k = rate.unknowns();
        if found {
            self.stages.y.copy_from_slice(&s.y[(NODES - 1) * self.y0.len()..]);
            rate.steered(self.t0, h, &s.z[..NODES * k]);
        }
        s.active = true;
        self.steering = s;
        error
    }

    fn solve_nodes<R: Rate>(
        &mut self,
        rate: &mut R,
        h: f64,
        s: &mut Steering,
    ) -> Result<f64, FlowError<R::Error>> {
        let (n, k) = (self.y0.len(), rate.unknowns());
        if !s.differentiated {
            self.differentiate(rate, s)?;
            s.differentiated = true;
        }
        let tableau = s.tableau.take().unwrap_or_else(|| Box::new(Tableau::fine()));
        let known = h <= s.long;
        if known {
            s.recall((h, &self.y0), &tableau, &mut self.stages);
        }
        for i in (0..NODES).filter(|_| !known) {
            for (y, (y0, f)) in
                s.y[i * n..(i + 1) * n].iter_mut().zip(self.y0.iter().zip(self.stages.k(0)))
            {
                *y = y0 + h * tableau.c[i] * f;
            }
            s.last[i * k..(i + 1) * k].copy_from_slice(&s.base);
        }
        let (mut agreed, mut moved, mut before) = (false, f64::INFINITY, f64::INFINITY);
        let mut idle = 0;
        let mut left = f64::INFINITY;
        for round in 0..ROUNDS {
            self.evaluate_nodes(rate, h, &tableau, s)?;
            let last = std::mem::replace(&mut moved, self.substitute(h, &tableau, s));
            // Changes fall by θ a round, so that all further ones together are θ/(1 − θ) of this one.
            let theta = moved / last;
            left = if theta < 1.0 { moved * theta / (1.0 - theta) } else { moved };
            let turned = turn(h, &tableau, s, k);
            if !(moved.is_finite() && turned.is_finite()) {
                break;
            }
            // Round-off may leave more of an angle than of the motion, and what turns may be without influence on it.
            let idles = turned > 0.5 * before || moved.max(last) <= AGREED;
            let stands = turned <= STANDS || (turned <= COARSE && idles);
            if round > 0 && left <= AGREED && stands {
                agreed = true;
                break;
            }
            idle += usize::from(turned > IDLE * before && moved > IDLE * last);
            if idle > PATIENCE {
                break;
            }
            before = turned;
            // Too long a step, whatever further rounds change.
            let error = self.steered_error(h, s);
            if round > 0 && error > HOPELESS * left.max(1.0) {
                s.tableau = Some(tableau);
                return Ok(error);
            }
        }
        if !agreed && left <= AGREED {
            // A step too short to turn anything: directions are those of its start.
            s.z.fill(0.0);
            self.evaluate_nodes(rate, h, &tableau, s)?;
            agreed = self.substitute(h, &tableau, s) <= AGREED;
        }
        s.tableau = Some(tableau);
        Ok(if agreed { self.steered_error(h, s) } else { f64::NAN })
    }

    /// Rates, velocities and their rates at the nodes.
    fn evaluate_nodes<R: Rate>(
        &mut self,
        rate: &mut R,
        h: f64,
        tableau: &Tableau,
        s: &mut Steering,
    ) -> Result<(), FlowError<R::Error>> {
        let (n, k) = (self.y0.len(), rate.unknowns());
        for i in 0..NODES {
            let own = i * k..(i + 1) * k;
            rate.steer(&s.z[own.clone()]);
            let t = self.t0 + h * tableau.c[i];
            self.stages.evaluate_at(rate, t, &s.y[i * n..(i + 1) * n], i + 1)?;
            rate.velocities(&mut s.w[own.clone()], &mut s.wdot[own]);
        }
        Ok(())
    }

    /// B and the ẇ that it is a difference from.
    fn differentiate<R: Rate>(
        &mut self,
        rate: &mut R,
        s: &mut Steering,
    ) -> Result<(), FlowError<R::Error>> {
        let k = rate.unknowns();
        rate.steer(&s.z[..k]);
        self.stages.evaluations += 1;
        let known = rate.turning(self.t0, &self.y0, &mut s.D, &mut s.B);
        if known.map_err(|source| FlowError::Rate { t: self.t0, source })? {
            rate.velocities(&mut s.w[..k], &mut s.base);
            return Ok(());
        }
        self.stages.evaluations -= 1;
        let mut at = |rate: &mut R, stages: &mut Stages, z: &[f64], wdot: &mut [[f64; 2]]| {
            rate.steer(z);
            // Stage 1 is not in use yet.
            stages.evaluate_at(rate, self.t0, &self.y0, 1)?;
            rate.velocities(&mut s.w[..k], wdot);
            Ok::<(), FlowError<R::Error>>(())
        };
        at(rate, &mut self.stages, &s.z[..k], &mut s.base)?;
        for j in 0..k {
            let own = j * k..(j + 1) * k;
            s.z[j] = DIFFERENCE;
            at(rate, &mut self.stages, &s.z[..k], &mut s.B[own.clone()])?;
            s.z[j] = PI;
            at(rate, &mut self.stages, &s.z[..k], &mut s.D[own.clone()])?;
            s.z[j] = 0.0;
            for ((d, b), base) in s.D[own.clone()].iter_mut().zip(&mut s.B[own]).zip(&s.base) {
                *b = [0, 1].map(|c| (b[c] - base[c]) / DIFFERENCE);
                *d = [0, 1].map(|c| 0.5 * (base[c] - d[c]));
            }
        }
        Ok(())
    }

    /// yᵢ from the rates of the nodes; the largest change in units of the tolerance.
    fn substitute(&mut self, h: f64, tableau: &Tableau, s: &mut Steering) -> f64 {
        let n = self.y0.len();
        let mut largest = 0.0_f64;
        self.tolerance.scale(&self.y0, &s.y[(NODES - 1) * n..], &mut self.scale);
        for i in 0..NODES {
            for c in 0..n {
                let sum: f64 = (0..NODES).map(|j| tableau.a[i][j] * self.stages.k(j + 1)[c]).sum();
                let new = self.y0[c] + h * sum;
                let change = ((new - s.y[i * n + c]) / self.scale[c]).abs();
                largest = if change.is_nan() { f64::NAN } else { largest.max(change) };
                s.y[i * n + c] = new;
            }
        }
        largest
    }

    /// Rows F₃ to F₆ of the interpolant, whose first three are in place.
    pub(super) fn steered_rows(&mut self) {
        let n = self.y0.len();
        let s = &self.steering;
        let Some(tableau) = &s.tableau else { return };
        // (6): F₁ has h ẏ₀ and F₂ the same with the other sign.
        self.tolerance.scale(&self.y0, &self.y1, &mut self.scale);
        let off = |c: usize| -> f64 {
            let p: f64 = (0..NODES).map(|j| s.start[j] * self.stages.k(j + 1)[c]).sum();
            self.h * (p - self.stages.k(0)[c])
        };
        let mut measure = self.tolerance.measure();
        (0..n).for_each(|c| measure.add(off(c), self.scale[c]));
        let unknown = measure.value() > 1.0;
        for c in (0..n).filter(|_| unknown) {
            let off = off(c);
            self.dense[n + c] += off;
            self.dense[2 * n + c] -= off;
        }
        for c in 0..n {
            let f: [f64; 3] = std::array::from_fn(|r| self.dense[r * n + c]);
            let left: [f64; NODES - 1] = std::array::from_fn(|i| {
                let x = tableau.c[i];
                s.y[i * n + c] - self.y0[c] - x * (f[0] + (1.0 - x) * (f[1] + x * f[2]))
            });
            for (r, row) in s.raise.iter().enumerate() {
                self.dense[(3 + r) * n + c] = row.iter().zip(left).map(|(w, y)| w * y).sum();
            }
        }
    }

    /// (5).
    fn steered_error(&mut self, h: f64, s: &Steering) -> f64 {
        let n = self.y0.len();
        let end = &s.y[(NODES - 1) * n..];
        self.tolerance.scale(&self.y0, end, &mut self.scale);
        let distance = |weights: &[f64; NODES]| {
            let mut m = self.tolerance.measure();
            for c in 0..n {
                let sum: f64 = (0..NODES).map(|j| weights[j] * self.stages.k(j + 1)[c]).sum();
                m.add(end[c] - self.y0[c] - h * sum, self.scale[c]);
            }
            m.value()
        };
        let [e5, e3] = [distance(&s.lower[0]), distance(&s.lower[1])];
        if e5 == 0.0 && e3.is_finite() {
            return 0.0;
        }
        e5 * (e5 / e5.hypot(0.1 * e3))
    }
}

/// Weights of ∫₀¹ of the polynomial through some of the nodes.
fn quadrature<const N: usize>(nodes: &[f64], some: [usize; N]) -> [f64; NODES] {
    let through = Tableau::new(&some.map(|node| nodes[node]));
    let mut weights = [0.0; NODES];
    for (j, &node) in some.iter().enumerate() {
        let at = |i: usize| if i == j { 1.0 } else { 0.0 };
        let term = |n: usize| through.inside_coefficient(&at, n) / (n + 1) as f64;
        weights[node] = (0..N).map(term).sum();
    }
    weights
}

/// Inverse of the values of the last four terms of the interpolant at the inner nodes.
fn raise(c: &[f64]) -> [[f64; NODES - 1]; NODES - 1] {
    const M: usize = NODES - 1;
    let mut inverse = [[0.0; M]; M];
    for column in 0..M {
        let mut matrix = [0.0; M * M];
        for i in 0..M {
            let (x, z) = (c[i], 1.0 - c[i]);
            let first = x * x * z * z;
            let terms = [first, first * x, first * x * z, first * x * x * z];
            matrix[i * M..(i + 1) * M].copy_from_slice(&terms);
        }
        let mut unit = [0.0; M];
        unit[column] = 1.0;
        eliminate(&mut matrix, &mut unit, M);
        (0..M).for_each(|r| inverse[r][column] = unit[r]);
    }
    inverse
}

/// Newton's step (3) of all angles; the largest turn, rad.
fn turn(h: f64, tableau: &Tableau, s: &mut Steering, k: usize) -> f64 {
    let all = NODES * k;
    s.turned.clear();
    s.turned.extend(s.z.iter().map(|z| z.sin_cos()));
    for i in 0..NODES {
        for a in 0..k {
            let row = i * k + a;
            let (sin, cos) = s.turned[row];
            // w at the yᵢ that follow from the rates just found.
            let w = [0, 1].map(|c| {
                let change = |j: usize| s.wdot[j * k + a][c] - s.last[j * k + a][c];
                let change: f64 = (0..NODES).map(|j| tableau.a[i][j] * change(j)).sum();
                s.w[row][c] + h * change
            });
            s.rhs[row] = sin * w[0] - cos * w[1];
            for j in 0..NODES {
                for b in 0..k {
                    let (sin_b, cos_b) = s.turned[j * k + b];
                    let (D, B) = (s.D[b * k + a], s.B[b * k + a]);
                    let B = [0, 1].map(|c| cos_b * B[c] - sin_b * D[c]);
                    s.matrix[row * all + j * k + b] =
                        h * tableau.a[i][j] * (cos * B[1] - sin * B[0]);
                }
            }
            let own = s.B[a * k + a];
            let ease = EASE * h * own[0].hypot(own[1]);
            s.matrix[row * all + row] -= (cos * w[0] + sin * w[1]).max(0.0) + ease;
        }
    }
    s.last.copy_from_slice(&s.wdot);
    if !eliminate(&mut s.matrix, &mut s.rhs, all) {
        return f64::NAN;
    }
    let mut largest = 0.0_f64;
    for (z, step) in s.z.iter_mut().zip(&s.rhs) {
        let step = step.clamp(-MOST_TURN, MOST_TURN);
        *z += step;
        largest = largest.max(step.abs());
    }
    largest
}

/// ε of (3).
const EASE: f64 = 1e-3;

/// Largest turn of one round, rad: a longer one says nothing about where to go.
const MOST_TURN: f64 = 0.5;

/// Gaussian elimination with row pivoting; false if a pivot vanishes.
fn eliminate(a: &mut [f64], b: &mut [f64], n: usize) -> bool {
    for k in 0..n {
        let pivot = (k..n).max_by(|&i, &j| a[i * n + k].abs().total_cmp(&a[j * n + k].abs()));
        let Some(p) = pivot.filter(|&p| a[p * n + k] != 0.0 && a[p * n + k].is_finite()) else {
            return false;
        };
        if p != k {
            (0..n).for_each(|j| a.swap(k * n + j, p * n + j));
            b.swap(k, p);
        }
        for i in k + 1..n {
            let factor = a[i * n + k] / a[k * n + k];
            if factor != 0.0 {
                (k..n).for_each(|j| a[i * n + j] -= factor * a[k * n + j]);
                b[i] -= factor * b[k];
            }
        }
    }
    for k in (0..n).rev() {
        let sum: f64 = (k + 1..n).map(|j| a[k * n + j] * b[j]).sum();
        b[k] = (b[k] - sum) / a[k * n + k];
    }
    true
}
