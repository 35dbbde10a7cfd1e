//! Friction that is a little viscous, and normals that are a little soft, taken back.
//!
//! # Law
//! With a velocity σ > 0, ρ = 1/Gᵢᵢ of a row, z = xₙ − a and y = z − ρ wₙ:
//! ```text
//! ½ (z + ρ wₙ − √(y² + 4 ρ² σ²)) = 0            that is z wₙ = ρ σ², z > 0, wₙ > 0         (1)
//! xₜ + μ xₙ wₜ/√(‖wₜ‖² + σ²) = 0                                                          (2)
//! sliding:  xₜ + μ xₙ û = 0;   driven:  z = 0;   bilateral:  ρ w = 0                      (3)
//! ```
//! All of it is smooth, and in (2) friction is a continuous function of the slip, so that there is nothing to choose.
//! σ falls from the scale of the problem, each answer being the guess of the next (Newton's method, steps halved where
//! ‖F‖ does not fall); where a step of σ is too long for that it is shortened. As σ → 0 an answer that stays bounded tends to one of
//! the Coulomb problem. Contacts that are nearly redundant and slip so slowly that G hardly sees it are told from those that
//! stick only when σ is below their slip. A contact whose slip is below ten σ is then said to stick:
//! ```text
//! sticks:  wₜ = 0;    slips:  (2) with σ = 0;    held where z > ρ wₙ:  wₙ = 0,  else  z = 0         (4)
//! ```
//! (4) is smooth as well, so that Newton's method on it ends at round-off, if these modes are right.
//!
//! Slips of 1e-7 of the accelerations that they are differences of have nine digits, and F would be known no better than that
//! if w were computed anew at every point. It is carried along:
//! ```text
//! w ← w + G δx                                                                             (5)
//! ```
//! whose round-off falls with δx. What has gathered is a few units of that of b, as if b had been another one.
//!
//! # Checked
//! Roots of (1) by hand; (2) against its limits wₜ ≪ σ (viscous, xₜ = −μ xₙ wₜ/σ) and wₜ ≫ σ (Coulomb).
//!
//! # Limits
//! Where the Coulomb problem has no solution (Painlevé) the path ends in a fold or forces grow without bound.
//!
//! # Tests
//! `tests/coulomb.rs`: `eq1_to_eq5_slips_that_g_hardly_sees`.

use super::certificate::{scale, velocity};
use super::problem::{Contact, Duty, Problem};
use crate::complementarity::{MinNorm, Regular};
use crate::numeric::reshape_vector;
use crate::numeric::thresholds::viscous::{EXACT, LEAST, ROUGH, STAGE};
use nalgebra::DVector;

/// Shortest and longest step of σ, as the fraction that is left of it, and the first one.
const FRACTION: [f64; 2] = [0.97, 0.03];
const FIRST: f64 = 0.3;
/// Steps of Newton's method on (1) to (3) for one σ, on (4), and how many say that σ may fall faster.
const STEPS: usize = 25;
const EXACT_STEPS: usize = 12;
const FEW: usize = 6;
/// Shortest part of a step; it must reduce ‖F‖ by this part of its length.
const SHORTEST: f64 = 1e-3;
const ARMIJO: f64 = 0.1;
/// Slips below this many σ are none.
const SLOW: f64 = 10.0;
/// Rows up to which a singular system of (4) is solved by least norm.
const LEAST_NORM: usize = 150;

/// How one contact is asked: by (1) and (2) with its σ, or by (4).
#[derive(Debug, Clone, Copy, PartialEq)]
enum Piece {
    Smooth(f64),
    Exact { held: bool, sticks: bool },
}

/// What [`Viscous::advance`] came to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Stage {
    /// σ has fallen so far that modes may be told from it.
    Speaks,
    /// σ has fallen, or the step of σ was too long.
    Goes,
    /// There is no further stage.
    Over,
}

/// Forces and the velocities that they make.
#[derive(Debug, Clone, Default)]
struct Point {
    x: DVector<f64>,
    w: DVector<f64>,
}

impl Point {
    fn copy_from(&mut self, other: &Self) {
        self.x.clone_from(&other.x);
        self.w.clone_from(&other.w);
    }

    /// A part of a step further than another point, (5).
    fn step_from(&mut self, other: &Self, length: f64, (dx, dw): (&DVector<f64>, &DVector<f64>)) {
        self.copy_from(other);
        self.x.axpy(length, dx, 1.0);
        self.w.axpy(length, dw, 1.0);
    }
}

/// Buffers of the path.
#[derive(Debug, Clone, Default)]
pub(super) struct Viscous {
    regular: Regular,
    system: MinNorm,
    at: Point,
    next: Point,
    trial: Point,
    f: DVector<f64>,
    row: DVector<f64>,
    dx: DVector<f64>,
    dw: DVector<f64>,
    pieces: Vec<Piece>,
    /// U of the problem without forces, σ, and how fast it falls.
    size: f64,
    sigma: f64,
    fraction: f64,
}

impl Viscous {
    /// The first answer, at σ = U.
    pub fn begin(&mut self, problem: &Problem, mu: &[f64]) {
        let x = &mut self.next.x;
        reshape_vector(x, problem.rows());
        for c in problem.contacts.iter().filter(|c| c.leader.is_none()) {
            x[c.normal()] = c.preload;
        }
        self.size = scale(problem, x);
        let many = problem.contacts.len() as f64;
        for c in problem.contacts.iter().filter(|c| c.active() && !c.driven && c.leader.is_none()) {
            x[c.normal()] += self.size / (many * mobility(problem, c.normal()));
        }
        velocity(problem, &self.next.x, &mut self.next.w);
        (self.sigma, self.fraction) = (self.size, FIRST);
        self.correct(problem, mu, self.sigma);
        self.at.copy_from(&self.next);
    }

    /// One fall of σ.
    pub fn advance(&mut self, problem: &Problem, mu: &[f64]) -> Stage {
        if self.sigma <= LEAST * self.size || self.fraction > FRACTION[0] {
            return Stage::Over;
        }
        let sigma = self.fraction * self.sigma;
        self.next.copy_from(&self.at);
        let Some(steps) = self.correct(problem, mu, sigma) else {
            self.fraction = self.fraction.sqrt();
            return Stage::Goes;
        };
        self.at.copy_from(&self.next);
        self.sigma = sigma;
        if steps < FEW {
            self.fraction = self.fraction.powi(2).max(FRACTION[1]);
        }
        if sigma > EXACT * self.size { Stage::Goes } else { Stage::Speaks }
    }

    /// The answer of (4) for the modes that the path speaks of now.
    pub fn exact(&mut self, problem: &Problem, mu: &[f64], x: &mut DVector<f64>) {
        self.pieces.clear();
        for c in &problem.contacts {
            let (n, Point { x, w }) = (c.normal(), &self.at);
            let held = x[n] - c.preload > w[n] / mobility(problem, n);
            let slip = c.tangent_rows().fold(0.0_f64, |s, i| s.hypot(w[i]));
            self.pieces.push(Piece::Exact { held, sticks: slip <= SLOW * self.sigma });
        }
        x.copy_from(&self.at.x);
        self.next.copy_from(&self.at);
        let mut best = f64::INFINITY;
        for _ in 0..EXACT_STEPS {
            let value = self.evaluate(problem, mu, Which::Next);
            if value < best {
                best = value;
                x.copy_from(&self.next.x);
            }
            let done = value <= f64::EPSILON * self.next.x.norm();
            if done || !value.is_finite() || !self.direct(problem, mu) {
                return;
            }
            self.next.x += &self.dx;
            self.next.w += &self.dw;
        }
    }

    /// Newton's method on (1) to (3) from `next`, which it leaves at the answer; its steps, if there is one.
    fn correct(&mut self, problem: &Problem, mu: &[f64], sigma: f64) -> Option<usize> {
        self.pieces.clear();
        self.pieces.resize(problem.contacts.len(), Piece::Smooth(sigma));
        let mut value = self.evaluate(problem, mu, Which::Next);
        for steps in 0..STEPS {
            if value <= STAGE * self.next.x.norm() {
                return Some(steps);
            }
            if !value.is_finite() || !self.direct(problem, mu) {
                return None;
            }
            let (mut length, before) = (1.0, value);
            value = loop {
                self.trial.step_from(&self.next, length, (&self.dx, &self.dw));
                let now = self.evaluate(problem, mu, Which::Trial);
                if now < (1.0 - ARMIJO * length) * before {
                    break now;
                }
                length *= 0.5;
                if length < SHORTEST {
                    return (before <= ROUGH * self.next.x.norm()).then_some(steps);
                }
            };
            std::mem::swap(&mut self.next, &mut self.trial);
        }
        None
    }

    /// Fills F at a point; ‖F‖.
    fn evaluate(&mut self, problem: &Problem, mu: &[f64], which: Which) -> f64 {
        let at = if which == Which::Next { &self.next } else { &self.trial };
        reshape_vector(&mut self.f, problem.rows());
        for (k, c) in problem.contacts.iter().enumerate() {
            for i in c.rows() {
                self.f[i] = value(problem, c, (i, mu[k], self.pieces[k]), at);
            }
        }
        self.f.norm()
    }

    /// Newton's step −F′⁻¹F at `next`, and what it does to w; whether there is one. Redundant contacts that stick make (4)
    /// singular: least norm then.
    fn direct(&mut self, problem: &Problem, mu: &[f64]) -> bool {
        let m = problem.rows();
        self.regular.reset(m);
        for (k, c) in problem.contacts.iter().enumerate() {
            for i in c.rows() {
                self.regular.set_rhs(i, -self.f[i]);
                let asked = (i, mu[k], self.pieces[k]);
                derivative(problem, c, asked, &self.next, self.regular.row_mut(i));
            }
        }
        reshape_vector(&mut self.dx, m);
        let smooth = matches!(self.pieces.first(), Some(Piece::Smooth(_)));
        let least = if smooth { 0.0 } else { Regular::PIVOT };
        match self.regular.solve_above(least) {
            Some(step) => self.dx.copy_from_slice(step),
            None if smooth || m > LEAST_NORM => return false,
            None => self.least_norm(problem, mu),
        }
        velocity(problem, &self.dx, &mut self.dw);
        self.dw -= &problem.b;
        true
    }

    fn least_norm(&mut self, problem: &Problem, mu: &[f64]) {
        let m = problem.rows();
        self.system.reset(m, m);
        reshape_vector(&mut self.row, m);
        for (k, c) in problem.contacts.iter().enumerate() {
            for i in c.rows() {
                let asked = (i, mu[k], self.pieces[k]);
                derivative(problem, c, asked, &self.next, self.row.as_mut_slice());
                // Rows of unit size, so that the rank is that of directions.
                let unit = 1.0 / self.row.amax().max(f64::MIN_POSITIVE);
                self.system.set_rhs(i, -unit * self.f[i]);
                self.row.iter().enumerate().for_each(|(j, a)| self.system.set(i, j, unit * a));
            }
        }
        self.dx.copy_from_slice(self.system.solve(MinNorm::RANK_TOLERANCE));
    }
}

/// The point that is asked about.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Which {
    Next,
    Trial,
}

/// Gᵢᵢ, or one where the row cannot move.
fn mobility(problem: &Problem, i: usize) -> f64 {
    let g = problem.G[(i, i)];
    if g > 0.0 { g } else { 1.0 }
}

/// What is asked of one row.
type Asked = (usize, f64, Piece);

/// wₜ, √(‖wₜ‖² + σ²).
fn slip(c: &Contact, w: &DVector<f64>, sigma: f64) -> ([f64; 2], f64) {
    let mut w_t = [0.0; 2];
    c.tangent_rows().zip(&mut w_t).for_each(|(i, t)| *t = w[i]);
    (w_t, w_t[0].hypot(w_t[1]).hypot(sigma).max(f64::MIN_POSITIVE))
}

/// Row i of F.
fn value(problem: &Problem, c: &Contact, (i, mu, piece): Asked, Point { x, w }: &Point) -> f64 {
    let n = c.normal();
    let rho = 1.0 / mobility(problem, i);
    match (c.duty, piece) {
        (Duty::Apart, _) => x[i],
        (Duty::Held, _) => rho * w[i],
        (_, Piece::Smooth(sigma)) if i == n && !c.driven => {
            let (z, w) = (x[n] - c.preload, rho * w[n]);
            let (sum, root) = (z + w, (z - w).hypot(2.0 * rho * sigma));
            // Without cancellation where both are positive.
            match sum > 0.0 {
                true => 2.0 * (z * w - (rho * sigma).powi(2)) / (sum + root),
                false => 0.5 * (sum - root),
            }
        }
        (_, Piece::Exact { held: true, .. }) if i == n && !c.driven => rho * w[n],
        _ if i == n => x[n] - c.preload,
        (Duty::Sliding(d), _) => x[i] + mu * x[n] * d[i - c.first],
        (_, Piece::Exact { sticks: true, .. }) if x[n] > 0.0 => rho * w[i],
        (_, piece) => {
            let sigma = if let Piece::Smooth(sigma) = piece { sigma } else { 0.0 };
            let (w_t, speed) = slip(c, w, sigma);
            x[i] + mu * x[n] * w_t[i - c.first] / speed
        }
    }
}

/// Row i of F′.
fn derivative(
    problem: &Problem,
    c: &Contact,
    (i, mu, piece): Asked,
    Point { x, w }: &Point,
    row: &mut [f64],
) {
    let (n, m) = (c.normal(), problem.rows());
    let rho = 1.0 / mobility(problem, i);
    row.fill(0.0);
    // G is symmetric: its columns are its rows.
    let add = |row: &mut [f64], i: usize, factor: f64| {
        let column = &problem.G.as_slice()[i * m..(i + 1) * m];
        row.iter_mut().zip(column).for_each(|(r, g)| *r += factor * g);
    };
    match (c.duty, piece) {
        (Duty::Apart, _) => row[i] = 1.0,
        (Duty::Held, _) => add(row, i, rho),
        (_, Piece::Smooth(sigma)) if i == n && !c.driven => {
            let y = x[n] - c.preload - rho * w[n];
            let side = y / y.hypot(2.0 * rho * sigma);
            add(row, n, 0.5 * rho * (1.0 + side));
            row[n] += 0.5 * (1.0 - side);
        }
        (_, Piece::Exact { held: true, .. }) if i == n && !c.driven => add(row, n, rho),
        _ if i == n => row[n] = 1.0,
        (Duty::Sliding(d), _) => {
            row[i] = 1.0;
            row[n] += mu * d[i - c.first];
        }
        (_, Piece::Exact { sticks: true, .. }) if x[n] > 0.0 => add(row, i, rho),
        (_, piece) => {
            let sigma = if let Piece::Smooth(sigma) = piece { sigma } else { 0.0 };
            let (w_t, speed) = slip(c, w, sigma);
            let s = i - c.first;
            for (r, j) in c.tangent_rows().enumerate() {
                let across = f64::from(r == s) - w_t[s] / speed * (w_t[r] / speed);
                add(row, j, mu * x[n] / speed * across);
            }
            row[i] += 1.0;
            row[n] += mu * w_t[s] / speed;
        }
    }
}
