//! One contact: the whole problem on one curve, solved with certainty.
//!
//! # Law
//! Eliminating the normal impulse from u⁺ = u⁻ + G p with uₙ⁺ = −e uₙ⁻ and Δ = −(1 + e) uₙ⁻ leaves
//! ```text
//! pₙ = (Δ − k·pₜ)/g,     x = x* + S pₜ                                        (1)
//! S = T − k kᵀ/g,        x* = uₜ⁻ + k Δ/g                                     (2)
//! ```
//! with T = G_tt, k = G_tn, g = G_nn and x = uₜ⁺; x* is the slip after a frictionless impact, S is positive
//! semi-definite. Friction opposes the slip, pₜ = −β x with β ≥ 0, so in the eigenbasis of S
//! ```text
//! xⱼ = x*ⱼ/(1 + β σⱼ),   pⱼ = −β x*ⱼ/(1 + β σⱼ)                               (3)
//! ```
//! The curve runs from frictionless slip (β = 0) to stick (β = ∞); on it ‖x‖ falls and ‖pₜ‖ grows. The distance (4.5)
//! grows with ‖x‖ alone, so its global minimum is the feasible point with the largest β. Every function on the curve
//! is made of monotone pieces, which gives sure bounds on intervals: intervals without a feasible point are discarded,
//! nearest to stick first, until the first feasible point is enclosed between neighbouring numbers.
//! No inverse of G is needed, so a contact whose slip is tied to its normal velocity (σⱼ = 0) is no special case.
//!
//! # Tests
//! `tests/dissipation/`: `single_eq1_eq2_reduction`, `single_eq3_curve`, `one_contact_agrees_with_a_scan`.

use crate::numeric::thresholds::dissipation::{STUCK_TAU, TIED, TIED_TAU};
use nalgebra::{Matrix2, SymmetricEigen, Vector2};

use super::karnopp::Karnopp;
use crate::impact::contact_space::{ContactRow, ContactSpace};

/// Relative slack granted to the friction bound, for round-off.
const SLACK: f64 = crate::numeric::thresholds::dissipation::SINGLE_SLACK;

/// The curve (3) of one contact.
#[derive(Clone, Copy, Debug)]
pub(super) struct Curve {
    basis: Matrix2<f64>,
    /// σⱼ, x*ⱼ and kⱼ in the eigenbasis; unused entries are zero.
    sigma: [f64; 2],
    free: [f64; 2],
    k: [f64; 2],
    /// uₜ⁻ in the eigenbasis, and ½(uₙ⁻ + uₙ⁺).
    slip_pre: [f64; 2],
    mean_normal: f64,
    g: f64,
    delta: f64,
    sigma_scale: f64,
}

/// A point of the curve, in the eigenbasis.
#[derive(Clone, Copy, Debug)]
struct Point {
    x: [f64; 2],
    p: [f64; 2],
}

/// Friction and energy conditions along the curve.
#[derive(Clone, Copy, Debug)]
pub(super) struct Conditions {
    pub friction: Karnopp,
    /// Largest change of energy, if limited.
    pub energy: Option<f64>,
}

impl Curve {
    /// Reduces one contact, (1) and (2).
    pub fn new(space: &ContactSpace, c: &ContactRow) -> Self {
        let (G, u, n) = (&space.G, &space.u_pre, c.normal());
        let g = G[(n, n)];
        let delta = -(1.0 + c.restitution) * u[n];
        let mut S = Matrix2::zeros();
        let (mut k, mut slip) = (Vector2::zeros(), Vector2::zeros());
        let mut largest = 0.0_f64;
        for (a, i) in c.tangent_rows().enumerate() {
            k[a] = G[(i, n)];
            slip[a] = u[i];
            for (b, j) in c.tangent_rows().enumerate() {
                S[(a, b)] = G[(i, j)] - G[(i, n)] * G[(j, n)] / g;
                largest = largest.max(G[(i, j)].abs());
            }
        }
        let free = slip + k * (delta / g);
        // One tangent needs no basis; leaving it alone keeps planar results free of rotations.
        let (basis, sigma) = if c.tangents == 2 {
            let eigen = SymmetricEigen::new(S);
            (eigen.eigenvectors, eigen.eigenvalues)
        } else {
            (Matrix2::identity(), Vector2::new(S[(0, 0)], 0.0))
        };
        let zero = free.norm() * TIED;
        let rotate = |v: Vector2<f64>| -> [f64; 2] { (basis.transpose() * v).into() };
        let tied = |s: f64| if s > TIED * largest { s } else { 0.0 };
        let sigma = [tied(sigma[0]), tied(sigma[1])];
        let sigma_scale = if sigma[0].max(sigma[1]) > 0.0 { sigma[0].max(sigma[1]) } else { g };
        Self {
            basis,
            sigma,
            free: rotate(free).map(|x| if x.abs() > zero { x } else { 0.0 }),
            k: rotate(k),
            slip_pre: rotate(slip),
            mean_normal: 0.5 * (1.0 - c.restitution) * u[n],
            g,
            delta,
            sigma_scale,
        }
    }

    /// Impulses (pₜ, pₙ) of the feasible point nearest to stick, `None` if the energy limit leaves none.
    pub fn nearest_to_stick(&self, conditions: &Conditions) -> Option<(Vector2<f64>, f64)> {
        if self.reaches_stick() && self.feasible(0.0, conditions) {
            return Some(self.impulses(0.0));
        }
        // Slip that friction cannot change at all: every β gives the same motion, none gives the least impulse.
        if (0..2).all(|j| self.sigma[j] == 0.0) {
            return self.feasible(1.0, conditions).then(|| self.impulses(1.0));
        }
        // Left-first search: the stack holds disjoint intervals, the leftmost on top.
        let mut stack = [[0.0; 2]; 200];
        let mut depth = 1;
        stack[0] = [if self.reaches_stick() { 0.0 } else { TIED_TAU }, 1.0];
        while depth > 0 {
            depth -= 1;
            let [a, b] = stack[depth];
            match self.judge(a, b, conditions) {
                Verdict::None => {}
                Verdict::All => return Some(self.impulses(a)),
                Verdict::Unknown => {
                    let middle = 0.5 * (a + b);
                    if middle <= a || middle >= b || b < STUCK_TAU {
                        if self.feasible(b, conditions) {
                            return Some(self.impulses(b));
                        }
                        continue;
                    }
                    stack[depth] = [middle, b];
                    stack[depth + 1] = [a, middle];
                    depth += 2;
                }
            }
        }
        // The frictionless end is feasible in exact arithmetic unless the energy limit forbids it.
        self.feasible(1.0, conditions).then(|| self.impulses(1.0))
    }

    /// μ_f, the friction coefficient that stick needs; infinite if no impulse makes the contact stick.
    pub fn needed_for_stick(&self) -> f64 {
        if !self.reaches_stick() {
            return f64::INFINITY;
        }
        let (p_t, p_n) = self.impulses(0.0);
        match (p_t.norm(), p_n > 0.0) {
            (t, true) => t / p_n,
            (0.0, false) if p_n == 0.0 => 0.0,
            _ => f64::INFINITY,
        }
    }

    /// Slip that no friction can change must be zero for the contact to stick.
    fn reaches_stick(&self) -> bool {
        (0..2).all(|j| self.sigma[j] > 0.0 || self.free[j] == 0.0)
    }

    /// The point with β = (1 − τ)/(τ σ̄), τ from 0 (stick) to 1 (frictionless); σ̄ is a scale of σ.
    fn point(&self, tau: f64) -> Point {
        let mut point = Point { x: [0.0; 2], p: [0.0; 2] };
        for j in 0..2 {
            if self.free[j] == 0.0 {
                continue;
            }
            let opposing = (1.0 - tau) / self.sigma_scale;
            if self.sigma[j] == 0.0 {
                point.x[j] = self.free[j];
                point.p[j] = -self.free[j] * (opposing / tau);
                continue;
            }
            let divisor = tau + opposing * self.sigma[j];
            point.x[j] = self.free[j] * (tau / divisor);
            point.p[j] = -self.free[j] * (opposing / divisor);
        }
        point
    }

    fn normal_impulse(&self, p: [f64; 2]) -> f64 {
        (self.delta - self.k[0] * p[0] - self.k[1] * p[1]) / self.g
    }

    fn impulses(&self, tau: f64) -> (Vector2<f64>, f64) {
        let p = self.point(tau).p;
        (self.basis * Vector2::from(p), self.normal_impulse(p))
    }

    /// Whether the conditions hold at one point.
    fn feasible(&self, tau: f64, conditions: &Conditions) -> bool {
        let Point { x, p } = self.point(tau);
        let (p_n, p_t) = (self.normal_impulse(p), p[0].hypot(p[1]));
        let mu = conditions.friction.coefficient(x[0].hypot(x[1]));
        let work = p_n * self.mean_normal
            + 0.5 * (0..2).map(|j| p[j] * (self.slip_pre[j] + x[j])).sum::<f64>();
        let work_scale = p_n.abs() * self.mean_normal.abs()
            + (0..2).map(|j| p[j].abs() * (self.slip_pre[j].abs() + x[j].abs())).sum::<f64>();
        p_n >= 0.0
            && p_t <= mu * p_n + SLACK * (p_t + mu * p_n)
            && conditions
                .energy
                .is_none_or(|limit| work <= limit + SLACK * (work_scale + limit.abs()))
    }

    /// What sure bounds say about an interval of τ.
    fn judge(&self, a: f64, b: f64, conditions: &Conditions) -> Verdict {
        let (left, right) = (self.point(a), self.point(b));
        let speed = [left.x[0].hypot(left.x[1]), right.x[0].hypot(right.x[1])];
        let p_t = [right.p[0].hypot(right.p[1]), left.p[0].hypot(left.p[1])];
        let mu = speed.map(|v| conditions.friction.coefficient(v));
        let pushed = (0..2).fold(Range::point(self.delta), |sum, j| {
            sum - Range::of(left.p[j], right.p[j]).times(Range::point(self.k[j]))
        });
        let p_n = Range { low: pushed.low / self.g, high: pushed.high / self.g };
        let cone = Range {
            low: mu[1] * p_n.low.max(0.0) - p_t[1],
            high: mu[0] * p_n.high.max(0.0) - p_t[0],
        };
        let mut work = p_n.times(Range::point(self.mean_normal));
        for j in 0..2 {
            let mean = Range::of(
                0.5 * (left.x[j] + self.slip_pre[j]),
                0.5 * (right.x[j] + self.slip_pre[j]),
            );
            work = work + Range::of(left.p[j], right.p[j]).times(mean);
        }
        let allowed = conditions.energy.unwrap_or(f64::INFINITY);
        if p_n.high < 0.0 || cone.high < 0.0 || work.low > allowed {
            Verdict::None
        } else if p_n.low >= 0.0 && cone.low >= 0.0 && work.high <= allowed {
            Verdict::All
        } else {
            Verdict::Unknown
        }
    }
}

/// What is known of an interval.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Verdict {
    None,
    All,
    Unknown,
}

/// An interval of numbers.
#[derive(Clone, Copy, Debug)]
struct Range {
    low: f64,
    high: f64,
}

impl Range {
    fn point(x: f64) -> Self {
        Self { low: x, high: x }
    }

    fn of(a: f64, b: f64) -> Self {
        Self { low: a.min(b), high: a.max(b) }
    }

    /// Product; 0 · ∞ counts as 0, because the infinite end is never reached.
    fn times(self, other: Self) -> Self {
        let mut range = Self { low: f64::INFINITY, high: f64::NEG_INFINITY };
        for a in [self.low, self.high] {
            for b in [other.low, other.high] {
                let product = if a == 0.0 || b == 0.0 { 0.0 } else { a * b };
                range.low = range.low.min(product);
                range.high = range.high.max(product);
            }
        }
        range
    }
}

impl std::ops::Add for Range {
    type Output = Self;
    fn add(self, other: Self) -> Self {
        Self { low: self.low + other.low, high: self.high + other.high }
    }
}

impl std::ops::Sub for Range {
    type Output = Self;
    fn sub(self, other: Self) -> Self {
        Self { low: self.low - other.high, high: self.high - other.low }
    }
}
