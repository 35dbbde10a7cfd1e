//! Alternating directions: what couples contacts, and what each of them obeys, in turn.
//!
//! # Law
//! Coulomb's law with the velocity of de Saxcé, ŵ = w + (Σ μᵢ ‖wᵢ‖) n over the friction of a contact, is a cone and its dual,
//! ```text
//! K ∋ x ⟂ ŵ ∈ K*,   K = {‖xᵢ‖ ≤ μᵢ xₙ}                                                   (1)
//! ```
//! With forces x that obey w = G x + b, forces z in K, and a velocity y that their difference drives,
//! ```text
//! (G + R) x = R z − y − b − d,   z ← P(x + y/R),   y ← y + R (x − z),   d = Σ μᵢ ‖yᵢ‖ n   (2)
//! ```
//! P is the projection onto K, R = σ g of every contact with g its largest Gᵢᵢ. Where nothing changes any more x = z and y = −ŵ.
//! By G = Z Zᵀ the first of (2) is one system in the degrees of freedom, factorised once for all rounds,
//! ```text
//! (I + Σ Zᵀ R⁻¹ Z) s = Zᵀ R⁻¹ r,   x = R⁻¹ (r − Z s)                                     (3)
//! ```
//! so that a force passes through the whole pile in every round, where a sweep carries it from contact to contact. x is taken
//! beyond z by a factor of [`BEYOND`]. σ follows what is left: changes of both kinds shall be alike,
//! ```text
//! σ ← σ √(Σ R (x − z)² / Σ R (Δz)²)    where the root is more than [`UNLIKE`] or less than its inverse  (4)
//! ```
//! z and y follow from ζ = x + y/R alone, z = P(ζ) and y = R (ζ − z), so that (2) is a map of ζ, which
//! [`accelerate`](super::accelerate) learns from the rounds before; that takes a third of them.
//!
//! # Limits
//! (1) holds for contacts of Coulomb's law and for bilateral ones, K = ℝ. d depends on the answer, so that (2) need not
//! converge; it is a way to better forces, which are certified as all are. Of the steps in which 1 000 balls fall into a bin 84 to
//! 90 in a hundred were solved to 1e-6 by it in experiments, in 50 to 300 rounds.
//!
//! # Source
//! The cone of de Saxcé and alternating directions are known in the field; (2) to (4) were derived here, no text was followed.
//!
//! # Tests
//! `tests/coulomb_sparse.rs`: `eq2_alternating_directions_solve_what_sweeps_do_not`; `tests/stepping.rs`:
//! `a_pile_settles_with_certified_forces`; beside the code: `eq1_nearest_point_of_the_cone`.

use super::accelerate::Anderson;
use super::factor::Factor;
use super::problem::{ROWS, SparseProblem};
use crate::coulomb::mode::norm;
use crate::coulomb::problem::Duty;

/// By how much x is taken beyond z.
const BEYOND: f64 = 1.6;
/// σ of the first problem.
const FIRST: f64 = 0.1;
/// Bounds of σ.
const BOUNDS: [f64; 2] = [1e-4, 1e2];
/// Ratio of the two residuals of (4) from which σ is changed.
const UNLIKE: f64 = 2.0;
/// Rounds that are accelerated: where these do not end they go round in a circle, which plain ones may leave.
const ACCELERATED: usize = 300;
/// Rounds after which σ is looked at.
const LOOK: usize = 10;

/// State and buffers; σ is kept from problem to problem, which are alike.
#[derive(Debug, Clone)]
pub(super) struct Alternate {
    /// Forces that obey the cones.
    pub z: Vec<f64>,
    y: Vec<f64>,
    zeta: Vec<f64>,
    before: Vec<f64>,
    weights: Vec<f64>,
    learned: Anderson,
    r: Vec<f64>,
    s: Vec<f64>,
    sigma: f64,
    rounds: usize,
    /// Squares of ‖R^½ (x − z)‖ and ‖R^½ Δz‖ of the last round.
    primal: f64,
    dual: f64,
    pub factors: u64,
}

impl Default for Alternate {
    fn default() -> Self {
        let (z, y, r, s, zeta, before, weights, learned) = Default::default();
        let (primal, dual) = (0.0, 0.0);
        Self {
            z,
            y,
            zeta,
            before,
            weights,
            learned,
            r,
            s,
            sigma: FIRST,
            rounds: 0,
            primal,
            dual,
            factors: 0,
        }
    }
}

impl Alternate {
    /// Whether (1) says what the contacts of a problem obey.
    pub fn knows(problem: &SparseProblem) -> bool {
        let known = |duty: &Duty| matches!(duty, Duty::Coulomb | Duty::Held | Duty::Apart);
        problem.contacts.iter().all(|c| known(&c.duty) && !c.driven && c.preload == 0.0)
    }

    /// Begin with forces x and their velocities w; false if the system cannot be factorised.
    pub fn begin(
        &mut self,
        problem: &SparseProblem,
        mu: &[f64],
        (x, w): (&[f64], &[f64]),
        factor: &mut Factor,
    ) -> bool {
        self.z.clear();
        self.z.extend_from_slice(x);
        self.y.clear();
        self.y.extend(w.iter().map(|w| -w));
        for (k, c) in problem.contacts.iter().enumerate().filter(|(_, c)| c.duty == Duty::Coulomb) {
            self.y[c.normal()] -= slack(problem, k, mu[k], w);
        }
        self.rounds = 0;
        self.factorise(problem, factor)
    }

    fn factorise(&mut self, problem: &SparseProblem, factor: &mut Factor) -> bool {
        self.factors += 1;
        factor.clear();
        self.learned.clear();
        self.weights.clear();
        self.weights.resize(problem.rows(), 0.0);
        self.zeta.clear();
        self.zeta.resize(problem.rows(), 0.0);
        for k in 0..problem.contacts.len() {
            let R = self.weight(problem, k);
            for i in problem.rows_of(k) {
                self.weights[i] = R;
                self.zeta[i] = self.z[i] + self.y[i] / R;
            }
        }
        for (k, c) in problem.contacts.iter().enumerate() {
            let mut C = [[0.0; ROWS]; ROWS];
            if c.duty != Duty::Apart {
                let inverse = 1.0 / self.weight(problem, k);
                (0..ROWS).for_each(|i| C[i][i] = inverse);
            }
            factor.add(problem, k, &C);
        }
        factor.factorise()
    }

    /// R of a contact.
    fn weight(&self, problem: &SparseProblem, k: usize) -> f64 {
        let g = problem.rows_of(k).map(|i| problem.diagonal(i)).fold(f64::MIN_POSITIVE, f64::max);
        self.sigma * g
    }

    /// One round of (2), taken further by (5); false if it led nowhere.
    pub fn round(&mut self, problem: &SparseProblem, mu: &[f64], factor: &mut Factor) -> bool {
        self.press(problem, mu);
        factor.solve(&mut self.s);
        self.before.clone_from(&self.zeta);
        (self.primal, self.dual) = (0.0, 0.0);
        for (k, c) in problem.contacts.iter().enumerate().filter(|(_, c)| c.duty != Duty::Apart) {
            let R = self.weight(problem, k);
            let (own, moved) = (problem.rows_of(k), problem.times(k, &self.s));
            let mut next = [0.0; ROWS];
            for (place, i) in own.clone().enumerate() {
                let off = (self.r[i] - moved[place]) / R - self.z[i];
                self.zeta[i] += BEYOND * off;
                next[place] = self.zeta[i];
                self.primal += R * off * off;
            }
            if c.duty == Duty::Coulomb {
                nearest(problem, k, mu[k], &mut next);
            }
            self.dual +=
                own.enumerate().map(|(p, i)| R * (next[p] - self.z[i]).powi(2)).sum::<f64>();
        }
        self.rounds += 1;
        if self.rounds.is_multiple_of(LOOK) && self.is_unlike() {
            self.project(problem, mu);
            return self.weigh(problem, factor);
        }
        let Self { learned, before, zeta, weights, .. } = self;
        if self.rounds <= ACCELERATED {
            learned.mix(before, zeta, |row| weights[row]);
        }
        self.project(problem, mu);
        true
    }

    /// z and y of ζ.
    fn project(&mut self, problem: &SparseProblem, mu: &[f64]) {
        for (k, c) in problem.contacts.iter().enumerate().filter(|(_, c)| c.duty != Duty::Apart) {
            let (R, own, mut next) = (self.weight(problem, k), problem.rows_of(k), [0.0; ROWS]);
            next[..own.len()].copy_from_slice(&self.zeta[own.clone()]);
            if c.duty == Duty::Coulomb {
                nearest(problem, k, mu[k], &mut next);
            }
            for (place, i) in own.enumerate() {
                self.z[i] = next[place];
                self.y[i] = R * (self.zeta[i] - next[place]);
            }
        }
    }

    /// r, and Zᵀ R⁻¹ r.
    fn press(&mut self, problem: &SparseProblem, mu: &[f64]) {
        self.r.clear();
        self.r.resize(problem.rows(), 0.0);
        self.s.clear();
        self.s.resize(problem.freedom(), 0.0);
        for (k, c) in problem.contacts.iter().enumerate().filter(|(_, c)| c.duty != Duty::Apart) {
            let R = self.weight(problem, k);
            let (own, mut pressed) = (problem.rows_of(k), [0.0; ROWS]);
            let d = if c.duty == Duty::Coulomb { slack(problem, k, mu[k], &self.y) } else { 0.0 };
            for (place, i) in own.clone().enumerate() {
                let lifted = if i == c.normal() { d } else { 0.0 };
                self.r[i] = R * self.z[i] - self.y[i] - problem.b[i] - lifted;
                pressed[place] = self.r[i] / R;
            }
            problem.add(k, &pressed[..own.len()], &mut self.s);
        }
    }

    fn is_unlike(&self) -> bool {
        let ratio = (self.primal / self.dual).sqrt();
        !(1.0 / UNLIKE..UNLIKE).contains(&ratio)
    }

    /// (4).
    fn weigh(&mut self, problem: &SparseProblem, factor: &mut Factor) -> bool {
        let ratio = (self.primal / self.dual).sqrt();
        if !ratio.is_finite() {
            return self.primal == 0.0;
        }
        self.sigma = (self.sigma * ratio).clamp(BOUNDS[0], BOUNDS[1]);
        self.factorise(problem, factor)
    }
}

/// d of a contact, from velocities or what stands for them.
fn slack(problem: &SparseProblem, k: usize, mu: f64, w: &[f64]) -> f64 {
    let c = &problem.contacts[k];
    let turns = problem.moments(k).map(|m| m.law.friction * norm(&w[m.law.tangent_rows()]));
    mu * norm(&w[c.tangent_rows()]) + turns.sum::<f64>()
}

/// P: the nearest point of the cone of a contact. With tᵢ the sizes of its frictions, xₙ is the zero of the rising function
/// xₙ − aₙ − Σ μᵢ (tᵢ − μᵢ xₙ)₊, or zero.
fn nearest(problem: &SparseProblem, k: usize, mu: f64, x: &mut [f64; ROWS]) {
    let c = &problem.contacts[k];
    let mut parts: [(std::ops::Range<usize>, f64, f64); 3] = Default::default();
    let first = |rows: std::ops::Range<usize>| rows.start - c.first..rows.end - c.first;
    parts[0] = (first(c.tangent_rows()), mu, 0.0);
    for (part, moment) in parts[1..].iter_mut().zip(problem.moments(k)) {
        *part = (first(moment.law.tangent_rows()), moment.law.friction, 0.0);
    }
    for (rows, _, size) in &mut parts {
        *size = norm(&x[rows.clone()]);
    }
    let a = x[c.tangents];
    // Frictions drop out as xₙ grows: from all of them down.
    let mut normal = a;
    for _ in 0..=parts.len() {
        let (mut sum, mut weight) = (a, 1.0);
        for (_, mu, size) in parts.iter().filter(|(_, mu, size)| *size > mu * normal) {
            sum += mu * size;
            weight += mu * mu;
        }
        let next = sum / weight;
        if next == normal {
            break;
        }
        normal = next;
    }
    x[c.tangents] = normal.max(0.0);
    for (rows, mu, size) in parts {
        let limit = mu * x[c.tangents];
        if size > limit {
            rows.for_each(|i| x[i] *= limit / size);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// One contact with rolling and spinning friction on one body: no point of the cone is nearer.
    #[test]
    fn eq1_nearest_point_of_the_cone() {
        let mut problem = SparseProblem::default();
        problem.reset([6].into_iter());
        let law = ([0.5; 2], Duty::Coulomb, &[(2, 0.3), (1, 0.2)][..]);
        problem.push_with(&[0.0; 6], law, [Some(0), None], |_, out| {
            (0..6).for_each(|i| out[7 * i] = 1.0);
        });
        let mut seed = 1_u64;
        let mut random = || {
            seed = seed
                .wrapping_mul(6_364_136_223_846_793_005)
                .wrapping_add(1_442_695_040_888_963_407);
            (seed >> 11) as f64 / (1_u64 << 52) as f64 - 1.0
        };
        let inside = |x: &[f64; ROWS]| {
            let (mu, turns) = ([0.5, 0.3, 0.2], [norm(&x[..2]), norm(&x[3..5]), x[5].abs()]);
            x[2] >= 0.0 && (0..3).all(|i| turns[i] <= mu[i] * x[2] * (1.0 + 1e-12) + 1e-15)
        };
        for _ in 0..200 {
            let from: [f64; ROWS] = std::array::from_fn(|_| random());
            let mut found = from;
            nearest(&problem, 0, 0.5, &mut found);
            assert!(inside(&found), "{from:?} {found:?}");
            let far = |x: &[f64; ROWS]| (0..ROWS).map(|i| (x[i] - from[i]).powi(2)).sum::<f64>();
            for _ in 0..50 {
                let mut other: [f64; ROWS] = std::array::from_fn(|i| found[i] + 0.1 * random());
                // Into the cone by more normal force.
                let need = (norm(&other[..2]) / 0.5)
                    .max(norm(&other[3..5]) / 0.3)
                    .max(other[5].abs() / 0.2);
                other[2] = other[2].max(need);
                assert!(far(&other) >= far(&found) - 1e-12, "{from:?} {found:?} {other:?}");
            }
        }
    }
}
