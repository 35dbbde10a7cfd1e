//! Slip near the invariant direction it tends to, solved for good.
//!
//! # Law
//! Slip turns towards a direction û* that is invariant (turning rate h = 0) and stable (h' < 0), with growth g*. With
//! w = w₁(û* + y û*⊥), R = √(1 + y²) and D = μT in the axes (û*, û*⊥),
//! ```text
//! a(y) = k₁R − D₁₁ − D₁₂y         dw₁/ds = a w₁,  a(0) = g*                     (1)
//! b(y) = k₂(R−1) − D₂₂y − y a     dy/ds = b,      b(0) = 0, b'(0) = h'(θ*)      (2)
//! w₁ ∝ |y|^(g*/b'(0)) exp A(y)    A' = a/b − g*/(b'(0) y)                       (3)
//! d a F + b F' = −f               ∫ w₁ᵈ f(y) ds = −[w₁ᵈ F(y)]                   (4)
//! ```
//! A and F are analytic at y = 0, so a few coefficients replace the rest of the path, even the infinitely long s in
//! which slip stops (g* < 0); the algebraic end behaviour sits in (3) alone. f = R, 1, y give pₙ and pₜ; f = R Fₙ,
//! where Fₙ belongs to uₙ, the normal work; f = R² the friction work. The place on the path is z = (y/y₀)^(g*/b'(0)),
//! in which pₙ is almost linear: from 1 down to 0 if slip stops, from 1 upwards if it grows.
//!
//! # Limits
//! Coefficient n of (4) has the factor d g* + n b'(0), and b'(0) = −g* − D₂₂. It never vanishes if g* < 0. If g* > 0
//! it may for d = 2, n = 1. The series converges up to the nearest other invariant direction or |y| = 1. Where a
//! factor is below [`RESONANCE`] or the terms do not fall to round-off, no tail is made and the caller goes on with
//! ordinary pieces. So they do where h'(θ*) is small, because two or three invariant directions almost coincide.
//!
//! # Tests
//! `eq1_to_eq4_tail_equals_arcs` below, for slip that stops and slip that grows; `tests/impact_spatial` against
//! brute-force integration.

use super::arc::{Rates, root};
use super::path::{Goal, Path};
use crate::numeric::thresholds::hodograph;
use crate::numeric::thresholds::hodograph::CONVERGED;

/// Degree of the series.
const ORDER: usize = 22;

/// Largest |y| times the estimated inverse radius of convergence that is tried.
const REACH: f64 = 0.2;

/// Smallest factor of the leading coefficients, in units of ω; digits lost are its inverse.
const RESONANCE: f64 = 0.05;

type Series = [f64; ORDER + 1];

/// Coefficients of √(1 + y²).
const R: Series = {
    let mut c = [0.0; ORDER + 1];
    c[0] = 1.0;
    let mut j = 1;
    while 2 * j <= ORDER {
        c[2 * j] = c[2 * j - 2] * (1.5 - j as f64) / j as f64;
        j += 1;
    }
    c
};

const ONE: Series = monomials([1.0, 0.0, 0.0]);
const Y: Series = monomials([0.0, 1.0, 0.0]);
const R_SQUARED: Series = monomials([1.0, 0.0, 1.0]);

const fn monomials(c: [f64; 3]) -> Series {
    let mut a = [0.0; ORDER + 1];
    (a[0], a[1], a[2]) = (c[0], c[1], c[2]);
    a
}

/// The invariant direction that slip tends to, with the contact in its axes.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Invariant {
    /// Unit vector û*.
    pub direction: [f64; 2],
    k: [f64; 2],
    /// D₁₁, D₁₂, D₂₂.
    d: [f64; 3],
}

impl Invariant {
    /// The stable invariant direction next to û, if Newton's iteration finds one near.
    pub fn near(c: &Rates, u: [f64; 2]) -> Option<Self> {
        let mut v = u;
        for _ in 0..8 {
            let (g, h) = c.growth_and_turn(v);
            let slope = -g - (c.d[0] * v[1] * v[1] + c.d[1] * v[0] * v[0]);
            if slope >= 0.0 || h.abs() > 0.3 * slope.abs() {
                return None;
            }
            let turn = -h / slope;
            let (sin, cos) = turn.sin_cos();
            v = [cos * v[0] - sin * v[1], cos * v[1] + sin * v[0]];
            if turn.abs() < hodograph::LAST_TURN {
                // The next correction is below round-off.
                return Some(Self::at(c, v));
            }
        }
        None
    }

    fn at(c: &Rates, v: [f64; 2]) -> Self {
        let norm = v[0].hypot(v[1]);
        let [x, y] = v.map(|v| v / norm);
        let d = [
            c.d[0] * x * x + c.d[1] * y * y,
            (c.d[1] - c.d[0]) * x * y,
            c.d[0] * y * y + c.d[1] * x * x,
        ];
        let k = [c.k[0] * x + c.k[1] * y, c.k[1] * x - c.k[0] * y];
        Self { direction: [x, y], k, d }
    }

    /// Series of a and b.
    fn coefficients(&self) -> (Series, Series) {
        let ([k1, k2], [d11, d12, d22]) = (self.k, self.d);
        let mut a: Series = std::array::from_fn(|n| k1 * R[n]);
        a[0] -= d11;
        a[1] -= d12;
        let mut b: Series =
            std::array::from_fn(|n| if n == 0 { 0.0 } else { k2 * R[n] - a[n - 1] });
        b[1] -= d22;
        (a, b)
    }
}

// Lanes of the table.
const P: usize = 0;
const P1: usize = 1;
const P2: usize = 2;
const WORK: usize = 3;
const LOSS: usize = 4;
const LN_W1: usize = 5;
const BETA: usize = 6;
/// One lane is empty, which makes the rows a whole number of vector registers.
const LANES: usize = 8;

type Table = [[f64; LANES]; ORDER + 1];

/// The solution from a state on.
#[derive(Clone, Debug)]
pub(crate) struct Tail {
    c: Rates,
    axes: Invariant,
    /// Coefficients of the F of (4), of A and of b/y.
    table: Table,
    /// Their sums at y₀.
    first: [f64; LANES],
    y: f64,
    w1: f64,
    /// 1/g* and b'(0)/g*.
    exponent: [f64; 2],
    b1: f64,
    /// uₙ when w₁ vanishes.
    u_end: f64,
    /// State at z = 1.
    pub start: Path,
    /// Whether slip stops.
    pub stops: bool,
}

impl Tail {
    /// The tail from a state near the direction; none if the series do not serve there.
    pub fn new(c: &Rates, axes: Invariant, start: &Path) -> Option<Self> {
        let [x, z] = axes.direction;
        let w1 = start.w[0] * x + start.w[1] * z;
        let y = (start.w[1] * x - start.w[0] * z) / w1;
        let (a, b) = axes.coefficients();
        let (g, b1) = (a[0], b[1]);
        let regular = g.abs().min(b1.abs()) >= RESONANCE
            && (g + b1).abs().min((2.0 * g + b1).abs()) >= RESONANCE;
        if !(regular && w1 > 0.0 && y.abs() * (b[2] / b1).abs().max(1.0) <= REACH) {
            return None;
        }
        let table = table(c, &axes, &a, &b);
        let first = converged(&table, y)?;
        let mut tail = Self {
            c: *c,
            axes,
            table,
            first,
            y,
            w1,
            exponent: [1.0 / g, b1 / g],
            b1,
            u_end: 0.0,
            start: *start,
            stops: g < 0.0,
        };
        tail.u_end = start.u_n + w1 * tail.normal(&first);
        Some(tail)
    }

    /// Fₙ of the normal velocity from those of the impulses.
    fn normal(&self, f: &[f64; LANES]) -> f64 {
        normal(&self.c, &self.axes, [f[P], f[P1], f[P2]])
    }

    /// The state at t = |z − 1|, and dσ/dt.
    pub fn at(&self, t: f64) -> (Path, f64) {
        let z = if self.stops { 1.0 - t } else { 1.0 + t };
        let y = self.y * z.powf(self.exponent[1]);
        let f = evaluate(&self.table, y);
        let w1 = self.w1 * z * (f[LN_W1] - self.first[LN_W1]).exp();
        let ([d1, d2], s) = (self.axes.direction, &self.start);
        let change = |lane: usize| (self.w1 * self.first[lane] - w1 * f[lane]) / self.c.omega;
        let square =
            |lane: usize| (self.w1 * self.w1 * self.first[lane] - w1 * w1 * f[lane]) / self.c.omega;
        let (p, p1, p2) = (change(P), change(P1), change(P2));
        let mu = self.c.mu;
        let path = Path {
            w: [w1 * (d1 - y * d2), w1 * (d2 + y * d1)],
            u_n: self.u_end - w1 * self.normal(&f),
            p_t: [s.p_t[0] - mu * (p1 * d1 - p2 * d2), s.p_t[1] - mu * (p1 * d2 + p2 * d1)],
            p_n: s.p_n + p,
            work_n: s.work_n + self.u_end * p - square(WORK),
            work_f: s.work_f - mu * square(LOSS),
        };
        let speed = self.b1 * self.exponent[0] / (f[BETA] * z);
        (path, if self.stops { -speed } else { speed })
    }

    /// The state when slip has stopped.
    pub fn stop(&self) -> Path {
        Path { w: [0.0; 2], ..self.at(1.0).0 }
    }

    /// Where the goal is reached after `from`, given that it is (slip that grows) or that `end` lies beyond it.
    pub fn reach(&self, goal: Goal, from: f64) -> f64 {
        let f = |t: f64| {
            let (path, stretch) = self.at(t);
            let r = path.speed();
            let rate = match goal {
                Goal::Velocity(_) => {
                    let (k, mu) = (self.c.k, self.c.mu);
                    self.c.k_nn * r - mu * (k[0] * path.w[0] + k[1] * path.w[1])
                }
                Goal::Impulse(_) => r / self.c.omega,
                Goal::Work(_) => r * path.u_n / self.c.omega,
            };
            (goal.miss(&path), rate * stretch)
        };
        let mut hi = if self.stops { 1.0 } else { 1.0 + from };
        while !self.stops && f(hi).0 < 0.0 && hi < 1e300 {
            hi *= 4.0;
        }
        let (y, dy) = f(from);
        // Work starts with a double zero, where Newton's step is infinite: bisection takes over.
        root(f, from, hi, from - y / dy)
    }
}

fn normal(c: &Rates, axes: &Invariant, [p, p1, p2]: [f64; 3]) -> f64 {
    c.k_nn * p - c.mu * (axes.k[0] * p1 + axes.k[1] * p2)
}

fn table(c: &Rates, axes: &Invariant, a: &Series, b: &Series) -> Table {
    let F = solve(1.0, a, b, std::array::from_fn(|n| [R[n], ONE[n], Y[n], 0.0]));
    let F_n: Series = std::array::from_fn(|n| normal(c, axes, [F[n][0], F[n][1], F[n][2]]));
    let RF_n = product(&R, &F_n);
    let W = solve(2.0, a, b, std::array::from_fn(|n| [RF_n[n], R_SQUARED[n]]));
    let beta: Series = std::array::from_fn(|n| if n < ORDER { b[n + 1] } else { 0.0 });
    let slope = quotient(a, &beta);
    std::array::from_fn(|n| {
        let ln = if n == 0 { 0.0 } else { slope[n] / n as f64 };
        [F[n][0], F[n][1], F[n][2], W[n][0], W[n][1], ln, beta[n], 0.0]
    })
}

/// Solves (4) for several f side by side.
fn solve<const N: usize>(
    d: f64,
    a: &Series,
    b: &Series,
    f: [[f64; N]; ORDER + 1],
) -> [[f64; N]; ORDER + 1] {
    let mut F = f;
    for n in 0..=ORDER {
        // i b[j + 1] and d a[j] with i + j = n; b[n + 1] has the factor zero.
        let mut s = f[n];
        for i in 0..n {
            let j = n - i;
            let next = b[(j + 1).min(ORDER)];
            let factor = d * a[j] + i as f64 * next;
            for l in 0..N {
                s[l] += factor * F[i][l];
            }
        }
        let pivot = -1.0 / (d * a[0] + n as f64 * b[1]);
        F[n] = s.map(|s| s * pivot);
    }
    F
}

/// All lanes at y.
fn evaluate(table: &Table, y: f64) -> [f64; LANES] {
    table.iter().rev().fold([0.0; LANES], |s, row| std::array::from_fn(|l| s[l] * y + row[l]))
}

/// All lanes at y, if the last terms of each are negligible.
fn converged(table: &Table, y: f64) -> Option<[f64; LANES]> {
    let size = table
        .iter()
        .rev()
        .fold([0.0; LANES], |s, row| std::array::from_fn(|l| s[l] * y.abs() + f64::abs(row[l])));
    // The degree before the last, because b/y ends there.
    let power = y.abs().powi(ORDER as i32 - 1);
    let [.., before, last] = table;
    let small = |l: usize| {
        // A is an exponent: its error counts as it is.
        let size = if l == LN_W1 { 1.0 } else { size[l] };
        (before[l].abs() + last[l].abs()) * power <= CONVERGED * size
    };
    (0..LANES).all(small).then(|| evaluate(table, y))
}

/// The product with R, which is even.
fn product(even: &Series, b: &Series) -> Series {
    let mut c = [0.0; ORDER + 1];
    for i in (0..=ORDER).step_by(2) {
        for (c, y) in c[i..].iter_mut().zip(b) {
            *c += even[i] * y;
        }
    }
    c
}

fn quotient(a: &Series, b: &Series) -> Series {
    let mut c = *a;
    let inverse = 1.0 / b[0];
    for n in 0..=ORDER {
        c[n] *= inverse;
        let x = c[n];
        for (c, b) in c[n + 1..].iter_mut().zip(&b[1..]) {
            *c -= x * b;
        }
    }
    c
}

#[cfg(test)]
mod tests {
    use super::super::arc::Arc;
    use super::super::principal::Principal;
    use super::*;
    use nalgebra::Matrix3;

    fn close(a: &Path, b: &Path, tolerance: f64) {
        let flat =
            |p: &Path| [p.w[0], p.w[1], p.u_n, p.p_t[0], p.p_t[1], p.p_n, p.work_n, p.work_f];
        for (x, y) in flat(a).into_iter().zip(flat(b)) {
            assert!((x - y).abs() < tolerance, "{a:?}\n{b:?}");
        }
    }

    /// Follows a slip by arcs; from each of its states the tail must give all later ones.
    fn compare(mu: f64) -> usize {
        let K = Matrix3::new(1.0, 0.2, 0.4, 0.2, 0.6, -0.35, 0.4, -0.35, 2.0);
        let c = Rates::new(&Principal::new(&K, [mu, mu])).unwrap();
        let mut path = Path { w: [0.1, 1.0], u_n: -3.0, ..Path::default() };
        let mut tails = Vec::new();
        while path.speed() > 1e-17 && path.p_n < 20.0 {
            let speed = path.speed();
            let u = path.w.map(|w| w / speed);
            tails.extend(Invariant::near(&c, u).and_then(|i| Tail::new(&c, i, &path)));
            for tail in &tails {
                let t = tail.reach(Goal::Impulse(path.p_n), 0.0);
                close(&tail.at(t).0, &path, 2e-14 * path.p_n.max(1.0).powi(2));
            }
            let arc = Arc::new(&c, &path);
            path = arc.at(arc.span);
        }
        for tail in tails.iter().filter(|t| t.stops) {
            close(&tail.stop(), &Path { w: [0.0; 2], ..path }, 2e-14);
        }
        tails.len()
    }

    #[test]
    fn eq1_to_eq4_tail_equals_arcs() {
        assert!(compare(1.5) > 10, "slip that stops");
        assert!(compare(0.2) > 1, "slip that grows");
    }
}
