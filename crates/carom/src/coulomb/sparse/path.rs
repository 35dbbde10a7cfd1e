//! The path of contacts that keep a little distance and of friction that is a little viscous, both taken back.
//!
//! # Law
//! With y for the normal velocity, a the given least force (mostly none), τ > 0 a pure number, U the scale of velocities that the problem brings and P = U/g that of the
//! impulses of a contact of mobility g, the path is
//! ```text
//! s = Zᵀx,   y = wₙ,   (xₙ − a) y = τ U P,   xₙ > a,  y > 0                             (1)
//! L xₜ + μ xₙ wₜ = 0,   L = √(‖wₜ‖² + (τ U)²)                                           (2)
//! ```
//! which for τ → 0 is Coulomb's law. Newton's step on (1) and (2) in s, x and y together is, contact by contact,
//! ```text
//! δy  = δwₙ − (y − wₙ)
//! δxₙ = (τ U P − (xₙ − a)(y + δy))/y                                                    (3)
//! δxₜ = −(L xₜ + μ xₙ wₜ + μ wₜ δxₙ + (μ xₙ I + sym(xₜ wₜᵀ)/L) δwₜ)/L                   (4)
//! ```
//! so that δx = f − C δw, and (3) of the parent with this C gives δs. The matrix in (4) is the symmetric part of the derivative;
//! on the path xₜ and wₜ are parallel and both are the same, and inside the cone ‖xₜ‖ ≤ μ xₙ it has no negative eigenvalue, so
//! that a step is defined wherever the path may lead. Forces and velocities are unknowns together: as a function of velocities
//! alone, friction of slips far below τ U would be a step that Newton's method overshoots; here its equation (2) is bilinear.
//!
//! # Rules
//! - A step goes at most [`TO_BOUND`] of the way to where an xₙ or y vanishes. Where that cuts it short it is done again with
//!   δxₙ δy of the first try added to (1), from the same factor, and the longer one is taken.
//! - Friction that has left its cone is put back on it; s keeps its value, and the next step makes up for it.
//! - τ falls by what the last step length allows, and only where (2) holds within [`NEAR`] of the limit of friction.
//! - A bilateral row asks for w = 0 and yields by ε = [`SOFT`] about its force at every step; given forces are given.
//!
//! # Why
//! Newton's method on the law itself jumps between its pieces: in a pile of 200 spheres that falls, 420 contacts of which half
//! slip slowly, it ends at no softness below 1e-3, and proximal steps, alternating directions and accelerated sweeps stay at
//! residuals of 1e-3 to 1e-2 after hundreds of rounds. The path ends below 1e-6 after 10 to 40 factors for towers, walls and
//! lattices of discs, and for about half of the steps of that pile.
//!
//! # Limits
//! With friction the path may have a fold, beyond which there is none for smaller τ; then τ stays, and the caller is told.
//!
//! # Source
//! Paths xy = τ are those of interior-point methods, and friction with its force as an own unknown is known from the
//! minimisation of sums of norms; (1) to (4) were derived here and no text was followed.
//!
//! # Tests
//! `tests/coulomb_sparse.rs`: `eq2_the_path_ends_at_coulombs_law`; beside the code: `eq3_eq4_are_newtons_step`.

use super::factor::Factor;
use super::local::Small;
use super::problem::{ROWS, SparseProblem};
use crate::coulomb::mode::norm;
use crate::coulomb::problem::{Contact, Duty};
use crate::numeric::thresholds::SOFT;
use crate::numeric::thresholds::sparse::LEAST;

/// Part of the way to a bound that a step may go.
const TO_BOUND: f64 = 0.99;
/// Miss of (2), a fraction of the limit of friction, at which τ may fall.
const NEAR: f64 = 0.3;
/// By what τ falls after a step of at least such a length.
const FALLS: [(f64, f64); 3] = [(0.9, 0.1), (0.5, 0.3), (0.2, 0.7)];
/// Largest τ: contacts that hardly know whether they touch.
const WIDEST: f64 = 0.1;
/// Steps with one τ after which the path leads nowhere: it has a fold, or the start was too far from it.
const STAY: u32 = 30;
/// Length of a step below which it is done again with the term of second order.
const SHORT: f64 = 0.9;

/// δx = f − C δw of one contact.
#[derive(Debug, Clone, Copy, Default)]
struct Linear {
    f: [f64; ROWS],
    C: Small,
}

impl Linear {
    /// `count` rows from `at` on change with the force of row n.
    fn pull(&mut self, (at, count): (usize, usize), n: usize, along: [f64; 2]) {
        for (t, along) in along.iter().enumerate().take(count) {
            self.f[at + t] -= along * self.f[n];
            self.C[at + t][n] = -along * self.C[n][n];
        }
    }
}

/// A point of the way and its buffers.
#[derive(Debug, Clone, Default)]
pub(super) struct Path {
    /// Forces.
    pub x: Vec<f64>,
    s: Vec<f64>,
    w: Vec<f64>,
    /// Normal velocities, one per contact.
    y: Vec<f64>,
    tau: f64,
    /// U.
    speed: f64,
    /// Length of the last step.
    length: f64,
    /// Steps with this τ.
    stayed: u32,
    linear: Vec<Linear>,
    ds: Vec<f64>,
    dx: Vec<f64>,
    dy: Vec<f64>,
    first: (Vec<f64>, Vec<f64>, Vec<f64>),
    /// Steps taken so far.
    pub steps: u64,
}

impl Path {
    /// Begin at the forces x with this τ.
    pub fn begin(&mut self, problem: &SparseProblem, tau: f64, x: &[f64]) {
        self.x.clear();
        self.x.extend_from_slice(x);
        self.tau = tau.clamp(LEAST, WIDEST);
        (self.length, self.stayed) = (0.0, 0);
        problem.gather(x, &mut self.s);
        problem.velocity(&self.s, &mut self.w);
        self.speed = given(problem);
        self.y.clear();
        for (k, c) in problem.contacts.iter().enumerate() {
            let (n, g) = (c.normal(), mobility(problem, k));
            if !is_free(problem, k) {
                self.y.push(0.0);
                continue;
            }
            // Both well inside their bounds, or first steps would be short.
            let (push, gap) = ((self.x[n] - c.preload) * g / self.speed, self.w[n] / self.speed);
            let (push, gap) = (push.max(self.tau.sqrt()), gap.max(self.tau.sqrt()));
            self.x[n] = c.preload + push * self.speed / g;
            self.y.push(gap * self.speed);
        }
        problem.gather(&self.x, &mut self.s);
        problem.velocity(&self.s, &mut self.w);
    }

    /// One step, each contact with its friction; false where there is none.
    pub fn step(&mut self, problem: &SparseProblem, mu: &[f64], factor: &mut Factor) -> bool {
        self.steps += 1;
        self.lower(problem, mu);
        factor.clear();
        self.linear.clear();
        for k in 0..problem.contacts.len() {
            let linear = self.linearise(problem, k, mu[k], 0.0);
            factor.add(problem, k, &linear.C);
            self.linear.push(linear);
        }
        if !factor.factorise() {
            return false;
        }
        self.direct(problem, factor);
        let mut length = self.reach(problem);
        if length < SHORT {
            (self.first.0, self.first.1, self.first.2) =
                (self.ds.clone(), self.dx.clone(), self.dy.clone());
            for (k, c) in problem.contacts.iter().enumerate() {
                let second = self.dx[c.normal()] * self.dy[k];
                self.linear[k] = self.linearise(problem, k, mu[k], second);
            }
            self.direct(problem, factor);
            let again = self.reach(problem);
            if again > length {
                length = again;
            } else {
                std::mem::swap(&mut self.ds, &mut self.first.0);
                std::mem::swap(&mut self.dx, &mut self.first.1);
                std::mem::swap(&mut self.dy, &mut self.first.2);
            }
        }
        self.length = length;
        go(&mut self.s, &self.ds, length);
        go(&mut self.x, &self.dx, length);
        go(&mut self.y, &self.dy, length);
        self.put_back(problem, mu);
        problem.velocity(&self.s, &mut self.w);
        length > 0.0 && self.s.iter().chain(&self.x).all(|x| x.is_finite())
    }

    /// Whether the path leads no further: τ has fallen as far as it can, or does not fall.
    pub fn ended(&self) -> bool {
        self.tau <= LEAST && self.length >= 1.0 || self.stayed > STAY
    }

    /// τ for the next step.
    fn lower(&mut self, problem: &SparseProblem, mu: &[f64]) {
        self.stayed += 1;
        let Some((_, fall)) = FALLS.iter().find(|(length, _)| self.length > *length) else {
            return;
        };
        if (0..problem.contacts.len()).all(|k| self.is_near(problem, k, mu[k])) {
            self.tau = (fall * self.tau).max(LEAST);
            self.stayed = 0;
        }
    }

    /// Whether (2) holds nearly.
    fn is_near(&self, problem: &SparseProblem, k: usize, mu: f64) -> bool {
        let c = &problem.contacts[k];
        if !problem.moments(k).all(|m| self.obeys((problem, k), &m.law, m.law.friction)) {
            return false;
        }
        c.duty != Duty::Coulomb || c.tangents == 0 || self.obeys((problem, k), c, mu)
    }

    /// Whether (2) holds nearly for the tangents of one law of contact k.
    fn obeys(&self, (problem, k): (&SparseProblem, usize), c: &Contact, mu: f64) -> bool {
        let (x, w) = (&self.x[c.tangent_rows()], &self.w[c.tangent_rows()]);
        let (L, limit) = (self.viscous(w), mu * self.x[c.normal()]);
        let miss: f64 = x.iter().zip(w).map(|(x, w)| (x + limit * w / L).powi(2)).sum();
        // A contact that carries next to nothing does not hold up the others.
        let least = 1e-3 * self.speed / mobility(problem, k);
        miss.sqrt() < NEAR * limit.max(least)
    }

    /// L.
    fn viscous(&self, w_t: &[f64]) -> f64 {
        norm(w_t).hypot(self.tau * self.speed)
    }

    /// (3) and (4) of contact k; `second` is added to xₙ y.
    fn linearise(&self, problem: &SparseProblem, k: usize, mu: f64, second: f64) -> Linear {
        let c = &problem.contacts[k];
        let rows = problem.rows_of(k);
        let (n, x, w) = (c.tangents, &self.x[rows.clone()], &self.w[rows]);
        let mut out = Linear::default();
        match c.duty {
            Duty::Apart => {
                (0..x.len()).for_each(|i| out.f[i] = -x[i]);
                return out;
            }
            Duty::Held => {
                let yields = SOFT * mobility(problem, k);
                for i in 0..=n {
                    out.f[i] = -w[i] / yields;
                    out.C[i][i] = 1.0 / yields;
                }
                return out;
            }
            _ => {}
        }
        if c.driven {
            out.f[n] = c.preload - x[n];
        } else {
            let (y, push) = (self.y[k], x[n] - c.preload);
            let P = self.speed / mobility(problem, k);
            out.f[n] = (self.tau * self.speed * P - push * y - second + push * (y - w[n])) / y;
            out.C[n][n] = push / y;
        }
        if let Duty::Sliding(d) = c.duty {
            (0..n).for_each(|t| out.f[t] = -(x[t] + mu * x[n] * d[t]));
            out.pull((0, n), n, d.map(|d| mu * d));
        } else {
            self.rub((0, n), n, mu, (x, w), &mut out);
        }
        for moment in problem.moments(k) {
            let rows = (moment.law.first - c.first, moment.law.tangents);
            self.rub(rows, n, moment.law.friction, (x, w), &mut out);
        }
        out
    }

    /// (4) of `count` rows from `at` on, pressed by row n.
    fn rub(
        &self,
        (at, count): (usize, usize),
        n: usize,
        mu: f64,
        (x, w): (&[f64], &[f64]),
        out: &mut Linear,
    ) {
        let L = self.viscous(&w[at..at + count]);
        let mut along = [0.0; 2];
        for t in 0..count {
            let (xt, wt) = (x[at + t], w[at + t]);
            along[t] = mu * wt / L;
            out.f[at + t] = -(xt + along[t] * x[n]);
            for r in 0..count {
                let turned = 0.5 * (xt * w[at + r] + wt * x[at + r]) / L;
                out.C[at + t][at + r] = (mu * x[n] * f64::from(t == r) + turned) / L;
            }
        }
        out.pull((at, count), n, along);
    }

    /// Newton's step from the contacts made linear.
    fn direct(&mut self, problem: &SparseProblem, factor: &Factor) {
        self.dx.clear();
        for (k, linear) in self.linear.iter().enumerate() {
            self.dx
                .extend(problem.rows_of(k).enumerate().map(|(i, row)| self.x[row] + linear.f[i]));
        }
        problem.gather(&self.dx, &mut self.ds);
        self.ds.iter_mut().zip(&self.s).for_each(|(d, s)| *d -= s);
        factor.solve(&mut self.ds);
        self.dx.clear();
        self.dy.clear();
        for (k, (c, linear)) in problem.contacts.iter().zip(&self.linear).enumerate() {
            let (dw, n) = (problem.times(k, &self.ds), problem.rows_of(k).len());
            let step = |i: usize| linear.f[i] - (0..n).map(|j| linear.C[i][j] * dw[j]).sum::<f64>();
            self.dx.extend((0..n).map(step));
            self.dy.push(if is_free(problem, k) {
                dw[c.tangents] + self.w[c.normal()] - self.y[k]
            } else {
                0.0
            });
        }
    }

    /// How much of the step keeps all forces and velocities of (1) positive.
    fn reach(&self, problem: &SparseProblem) -> f64 {
        let mut length: f64 = 1.0;
        for (k, c) in problem.contacts.iter().enumerate().filter(|(k, _)| is_free(problem, *k)) {
            let n = c.normal();
            for (value, step) in [(self.x[n] - c.preload, self.dx[n]), (self.y[k], self.dy[k])] {
                if step < 0.0 {
                    length = length.min(TO_BOUND * value / -step);
                }
            }
        }
        length
    }

    /// Friction back on its cone.
    fn put_back(&mut self, problem: &SparseProblem, mu: &[f64]) {
        let own = problem.contacts.iter().zip(mu.iter().copied());
        let moments = (0..problem.contacts.len()).flat_map(|k| problem.moments(k));
        let all = own.chain(moments.map(|m| (&m.law, m.law.friction)));
        for (c, mu) in all.filter(|(c, _)| c.duty == Duty::Coulomb) {
            let limit = mu * self.x[c.normal()];
            let size = norm(&self.x[c.tangent_rows()]);
            if size > limit {
                self.x[c.tangent_rows()].iter_mut().for_each(|x| *x *= limit / size);
            }
        }
    }
}

/// Whether (1) is asked of the contact.
fn is_free(problem: &SparseProblem, k: usize) -> bool {
    let c = &problem.contacts[k];
    c.active() && c.duty != Duty::Held && !c.driven
}

/// U: the largest velocity that the problem brings.
fn given(problem: &SparseProblem) -> f64 {
    let mut largest = f64::MIN_POSITIVE;
    for (k, c) in problem.contacts.iter().enumerate().filter(|(_, c)| c.active()) {
        let of_row = |i: usize| problem.b[i].abs() + problem.diagonal(i) * c.preload;
        largest = problem.rows_of(k).map(of_row).fold(largest, f64::max);
    }
    largest
}

/// Largest Gᵢᵢ of a contact.
fn mobility(problem: &SparseProblem, k: usize) -> f64 {
    problem.rows_of(k).map(|i| problem.diagonal(i)).fold(f64::MIN_POSITIVE, f64::max)
}

fn go(at: &mut [f64], by: &[f64], length: f64) {
    at.iter_mut().zip(by).for_each(|(at, by)| *at += length * by);
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Three contacts of two parts, friction along the slip so that both matrices of (4) are the same.
    fn way() -> (SparseProblem, Vec<f64>, Path) {
        let mut seed = 5_u64;
        let mut random = move || carom_testing::splitmix64(&mut seed) as f64 / 2f64.powi(64) - 0.5;
        let mut problem = SparseProblem::default();
        problem.reset([6, 6].into_iter());
        for parts in [[Some(0), None], [Some(0), Some(1)], [Some(1), None]] {
            let b = [random(), random(), random()];
            problem.push(&b, [0.5; 2], Duty::Coulomb, parts, |_, rows| {
                rows.iter_mut().for_each(|z| *z = random())
            });
        }
        let mut path = Path { tau: 0.05, speed: given(&problem), ..Path::default() };
        path.s.extend((0..12).map(|_| random()));
        problem.velocity(&path.s, &mut path.w);
        path.x.resize(9, 0.0);
        for (k, c) in problem.contacts.iter().enumerate() {
            path.y.push(0.3 + 0.1 * k as f64);
            let w = [path.w[c.first], path.w[c.first + 1]];
            path.x[c.first + 2] = 1.0;
            (0..2).for_each(|t| path.x[c.first + t] = -0.3 * w[t] / norm(&w));
        }
        (problem, vec![0.5; 3], path)
    }

    /// What is missing in (1) and (2).
    fn miss(problem: &SparseProblem, path: &Path) -> Vec<f64> {
        let (mut s, mut w) = (Vec::new(), Vec::new());
        problem.gather(&path.x, &mut s);
        problem.velocity(&path.s, &mut w);
        let mut out: Vec<f64> = path.s.iter().zip(&s).map(|(a, b)| a - b).collect();
        for (k, c) in problem.contacts.iter().enumerate() {
            let (n, U) = (c.normal(), path.speed);
            out.push(path.y[k] - w[n]);
            out.push(path.x[n] * path.y[k] - path.tau * U * U / mobility(problem, k));
            let L = path.viscous(&w[c.tangent_rows()]);
            out.extend(c.tangent_rows().map(|t| L * path.x[t] + 0.5 * path.x[n] * w[t]));
        }
        out
    }

    /// A part t of Newton's step leaves 1 − t of what is missing, but for t².
    #[test]
    fn eq3_eq4_are_newtons_step() {
        let (problem, mu, mut path) = way();
        let mut factor = Factor::default();
        assert!(factor.analyse(&problem, 1e9));
        factor.clear();
        for k in 0..3 {
            let linear = path.linearise(&problem, k, mu[k], 0.0);
            factor.add(&problem, k, &linear.C);
            path.linear.push(linear);
        }
        assert!(factor.factorise());
        path.direct(&problem, &factor);
        let before = miss(&problem, &path);
        let left = |t: f64| {
            let mut at = path.clone();
            go(&mut at.s, &path.ds, t);
            go(&mut at.x, &path.dx, t);
            go(&mut at.y, &path.dy, t);
            let after = miss(&problem, &at);
            before.iter().zip(&after).map(|(b, a)| (a - (1.0 - t) * b).abs()).fold(0.0, f64::max)
        };
        let (long, short) = (left(1e-2), left(1e-3));
        assert!(short < 0.02 * long && long < 1e-2, "{long:e} {short:e}");
    }
}
