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
//! halved while ‖F‖ does not fall; rank-deficient steps are taken with minimum norm, those of many soft contacts by the
//! rank of G ([`rank`](super::rank)).
//!
//! # Source
//! The functions are those of Alart & Curnier's augmented Lagrangian; derivative derived here.
//!
//! # Tests
//! `tests/coulomb.rs`: `spatial_cones_are_circular`, `nearly_redundant_feet_let_go`.

use super::certificate::velocity;
use super::mode::norm;
use super::problem::{Contact, Duty, Problem};
use super::rank::Rank;
use crate::complementarity::{MinNorm, Regular};
use crate::numeric::reshape_vector;
use nalgebra::DVector;

/// Rows up to which a singular step is taken by least norm; above, the step is left out.
const LEAST_NORM: usize = 150;
/// How many times more rows than motions make it worth while to use the rank of G: below, elimination is as fast.
const CROWDED: usize = 3;

/// Buffers of the iteration.
#[derive(Debug, Clone, Default)]
pub(super) struct Newton {
    regular: Regular,
    system: MinNorm,
    rank: Rank,
    /// Whether the rank of G serves.
    crowded: bool,
    pieces: Vec<Piece>,
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

    /// The problems that follow have this G, softened or not.
    pub fn begin(&mut self, problem: &Problem) {
        let m = problem.rows();
        self.crowded = m > LEAST_NORM && self.rank.find(&problem.G, m / CROWDED);
    }

    /// Improves x with one friction `mu` per contact until F vanishes to round-off or stops falling. `softness` is what
    /// G has been given on its diagonal since [`Newton::begin`].
    pub fn polish(&mut self, problem: &Problem, softness: f64, mu: &[f64], x: &mut DVector<f64>) {
        let mut value = self.evaluate(problem, mu, x);
        for _ in 0..Self::ITERATIONS {
            let size = x.amax().max(f64::MIN_POSITIVE);
            if value <= f64::EPSILON * 0.5 * size || !value.is_finite() {
                return;
            }
            if !self.direct(problem, softness, mu, x) {
                return;
            }
            let better = self.search(problem, mu, x, value, 1);
            let better = better.or_else(|| self.leap(problem, (softness, mu), x, value));
            let Some(better) = better else { return };
            value = better;
        }
    }

    /// Where a full step does not reduce ‖F‖, a few in a row may: the pieces of F differ in scale, so that the way to
    /// the right piece can lead over large values. If not, the first is halved.
    fn leap(
        &mut self,
        problem: &Problem,
        (softness, mu): (f64, &[f64]),
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
            if !now.is_finite() || !self.direct(problem, softness, mu, &far) {
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
            self.differentiate(problem, mu, x);
            self.least_norm(problem, x, true);
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
    fn direct(&mut self, problem: &Problem, softness: f64, mu: &[f64], x: &DVector<f64>) -> bool {
        let m = problem.rows();
        self.differentiate(problem, mu, x);
        if self.crowded && softness > 0.0 {
            reshape_vector(&mut self.direction, m);
            let at = (&self.f, softness);
            return self.rank.direct(problem, &self.pieces, at, &mut self.direction);
        }
        self.regular.reset(m);
        for (c, piece) in problem.contacts.iter().zip(&self.pieces) {
            for i in c.rows() {
                self.regular.set_rhs(i, -self.f[i]);
                piece.row(problem, c, i, self.regular.row_mut(i));
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
        self.least_norm(problem, x, false);
        true
    }

    /// The pieces of F′ at x, whose w is at hand.
    fn differentiate(&mut self, problem: &Problem, mu: &[f64], x: &DVector<f64>) {
        self.pieces.clear();
        for (k, c) in problem.contacts.iter().enumerate() {
            self.pieces.push(Local::new(problem, k, mu[k], (x, &self.w)).piece(c));
        }
    }

    /// Solves F′ z = F′ o − F by minimum norm: with o = 0 the smallest step, with o = x the smallest
    /// point.
    fn least_norm(&mut self, problem: &Problem, x: &DVector<f64>, point: bool) {
        let m = problem.rows();
        self.system.reset(m, m);
        reshape_vector(&mut self.row, m);
        for (c, piece) in problem.contacts.iter().zip(&self.pieces) {
            for i in c.rows() {
                piece.row(problem, c, i, self.row.as_mut_slice());
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

    /// F′, of the active piece.
    fn piece(&self, c: &Contact) -> Piece {
        let mut piece = Piece::default();
        let pressed = |rho: f64| [0.0, rho];
        let open = [1.0, 0.0];
        piece.normal =
            if self.pressed && self.duty != Duty::Apart { pressed(self.rho_n) } else { open };
        for s in 0..c.tangents {
            match (self.duty, self.slide) {
                (Duty::Held, _) | (Duty::Coulomb, None) => piece.through[s][s] = self.rho_t,
                (Duty::Apart, _) => piece.own[s][s] = 1.0,
                (Duty::Sliding(d), _) => {
                    piece.own[s][s] = 1.0;
                    piece.by_normal[s] = self.mu * d[s];
                }
                (Duty::Coulomb, Some(length)) => self.slides(c, (s, length), &mut piece),
            }
        }
        piece
    }

    /// δ − κ/‖y‖ (I − ŷŷᵀ)(δ − ρₜ G), and the part of κ: row s while sliding.
    fn slides(&self, c: &Contact, (s, length): (usize, f64), piece: &mut Piece) {
        piece.own[s][s] = 1.0;
        if self.bound == 0.0 {
            return;
        }
        piece.by_normal[s] = -self.mu * self.unit[s];
        if length == 0.0 || c.tangents == 1 {
            return;
        }
        for r in 0..c.tangents {
            let projector = f64::from(r == s) - self.unit[s] * self.unit[r];
            let turned = self.bound / length * projector;
            piece.own[s][r] -= turned;
            piece.through[s][r] = turned * self.rho_t;
        }
    }
}

/// F′ = A + B G at one contact.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Piece {
    /// A and B of the normal row, if it has one.
    normal: [f64; 2],
    /// A of the rows of tangents, by tangents and by the normal.
    own: [[f64; 2]; 2],
    by_normal: [f64; 2],
    /// B of the rows of tangents.
    through: [[f64; 2]; 2],
}

impl Piece {
    /// Row i of B: columns with their entries.
    pub fn through(&self, c: &Contact, i: usize) -> impl Iterator<Item = (usize, f64)> {
        let (s, count) = (i - c.first, if i == c.normal() { 1 } else { c.tangents });
        let entries = if i == c.normal() { [self.normal[1], 0.0] } else { self.through[s] };
        let first = if i == c.normal() { i } else { c.first };
        (first..).zip(entries).take(count).filter(|(_, b)| *b != 0.0)
    }

    /// Row i of A + B G.
    fn row(&self, problem: &Problem, c: &Contact, i: usize, row: &mut [f64]) {
        row.fill(0.0);
        for (j, b) in self.through(c, i) {
            // G is symmetric.
            row.iter_mut().zip(&problem.G.column(j)).for_each(|(x, g)| *x += b * g);
        }
        if i == c.normal() {
            row[i] += self.normal[0];
            return;
        }
        let s = i - c.first;
        c.tangent_rows().zip(self.own[s]).for_each(|(j, a)| row[j] += a);
        row[c.normal()] += self.by_normal[s];
    }

    /// (A + σ B) z = b for the rows of the contact, tangents first; `known` are those of contacts before.
    pub fn solve(
        &self,
        c: &Contact,
        softness: f64,
        b: impl Fn(usize) -> f64,
        known: impl Fn(usize) -> f64,
    ) -> [f64; 3] {
        let n = c.normal();
        let z_n = match c.leader {
            Some(_) => known(n),
            None => b(n) / (self.normal[0] + softness * self.normal[1]),
        };
        let K = |s: usize, r: usize| self.own[s][r] + softness * self.through[s][r];
        let right = |s: usize| b(c.first + s) - self.by_normal[s] * z_n;
        match c.tangents {
            0 => [z_n, 0.0, 0.0],
            1 => [right(0) / K(0, 0), z_n, 0.0],
            _ => {
                let (a, b) = (right(0), right(1));
                let det = K(0, 0) * K(1, 1) - K(0, 1) * K(1, 0);
                [(a * K(1, 1) - b * K(0, 1)) / det, (b * K(0, 0) - a * K(1, 0)) / det, z_n]
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use nalgebra::DMatrix;

    /// 80 contacts of one body, some of which follow others: rows of six motions.
    fn crowd() -> Problem {
        let mut seed = 1_u64;
        let mut random = || {
            seed = seed.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
            (seed >> 11) as f64 / (1_u64 << 52) as f64 - 1.0
        };
        let mut problem = Problem::default();
        problem.resize(3 * 70 + 2 * 10);
        for k in 0..70 {
            let duty = match k % 7 {
                0 => Duty::Apart,
                1 => Duty::Sliding([0.6, -0.8]),
                2 => Duty::Held,
                _ => Duty::Coulomb,
            };
            let mu = if k % 7 < 5 { 0.5 } else { 50.0 };
            problem.push(2, [mu, mu], duty);
        }
        (0..10).for_each(|k| problem.push_follower(7 * k + 3, 2, [0.1, 0.1]));
        let Z = DMatrix::from_fn(problem.rows(), 6, |_, _| random());
        problem.G = &Z * Z.transpose();
        problem.b = DVector::from_fn(problem.rows(), |_, _| random());
        problem
    }

    #[test]
    fn eq2_of_rank_is_the_step_of_the_whole_system() {
        let mut problem = crowd();
        let mu: Vec<f64> = problem.contacts.iter().map(|c| c.friction).collect();
        let x = DVector::from_fn(problem.rows(), |i, _| ((7 * i) % 11) as f64 - 4.0);
        let mut newton = Newton::default();
        newton.begin(&problem);
        assert!(newton.crowded);
        let softness = 1e-2;
        (0..problem.rows()).for_each(|i| problem.G[(i, i)] += softness);
        newton.evaluate(&problem, &mu, &x);
        let pieces = |piece: fn(&Local) -> bool| {
            let local = |k| Local::new(&problem, k, mu[k], (&x, &newton.w));
            (0..80).filter(|&k| piece(&local(k))).count()
        };
        // All pieces of F are there.
        assert!(pieces(|l| l.pressed) > 10 && pieces(|l| !l.pressed) > 10);
        assert!(
            pieces(|l| l.slide.is_none()) > 3
                && pieces(|l| l.bound > 0.0 && l.slide.is_some()) > 10
        );
        assert!(newton.direct(&problem, softness, &mu, &x));
        let by_rank = newton.direction.clone();
        newton.crowded = false;
        assert!(newton.direct(&problem, softness, &mu, &x));
        // Both lose at most ε/(ρσ), some 1e-11 here.
        let miss = (&by_rank - &newton.direction).amax() / newton.direction.amax();
        assert!(miss < 1e-10, "{miss:e}");
    }
}
