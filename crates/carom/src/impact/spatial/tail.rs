//! The last piece of a slip that stops, summed exactly.
//!
//! # Law
//! Slip that stops does so along an invariant direction û* (turning rate h = 0) with growth g* < 0, and needs
//! infinitely long in s. With w = w₁(û* + y û*⊥), R = √(1 + y²) and D = μT in the axes (û*, û*⊥),
//! ```text
//! a(y) = k₁R − D₁₁ − D₁₂y         dw₁/ds = a w₁                            (1)
//! b(y) = k₂(R−1) − D₂₂y − y a     dy/ds = b,   b(0) = 0, b'(0) = h'(θ*)    (2)
//! ```
//! Every quantity of degree d in w that is still to come, ∫ w₁ᵈ f(y) ds, is w₁ᵈF(y) with
//! ```text
//! d a F + b F' = −f                                                        (3)
//! ```
//! F is analytic at y = 0: coefficient n of (3) has the factor d g* + n b'(0), a sum of negative numbers, so it never
//! vanishes. f = R, 1, y give pₙ and pₜ; f = R Fₙ the normal work; f = R² the friction work.
//! The algebraic end behaviour y ~ w₁^(b'(0)/g*) thus never has to be resolved.
//!
//! # Limits
//! The series converges up to the nearest other invariant direction or |y| = 1. Where it does not converge to
//! round-off (two invariant directions almost coincide) the caller goes on with ordinary pieces.
//!
//! # Tests
//! `eq3_tail_equals_arcs` below; `tests/impact_spatial.rs` against brute-force integration.

use super::arc::Rates;
use super::path::Path;

/// Degree of the series.
const ORDER: usize = 24;

/// Largest |y| times the estimated inverse radius of convergence that is tried.
const REACH: f64 = 0.25;

/// Largest last terms, relative to the sum.
const CONVERGED: f64 = 4e-16;

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

/// The invariant direction a slip ends in, and the local axes.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Ending {
    /// Unit vector û*.
    pub direction: [f64; 2],
    k: [f64; 2],
    /// D₁₁, D₁₂, D₂₂.
    d: [f64; 3],
}

impl Ending {
    /// The stable invariant direction with g* < 0 next to û, if Newton's iteration finds one near.
    pub fn near(c: &Rates, u: [f64; 2]) -> Option<Self> {
        let mut v = u;
        for _ in 0..8 {
            let (g, h) = c.growth_and_turn(v);
            let across = c.d[0] * v[1] * v[1] + c.d[1] * v[0] * v[0];
            let slope = -g - across;
            if g >= 0.0 || slope >= 0.0 || h.abs() > 0.3 * slope.abs() {
                return None;
            }
            let turn = -h / slope;
            let (sin, cos) = turn.sin_cos();
            v = [cos * v[0] - sin * v[1], cos * v[1] + sin * v[0]];
            if turn.abs() < 1e-9 {
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
        Self {
            direction: [x, y],
            k,
            d,
        }
    }

    /// The state when slip has stopped; none if the series does not converge from here.
    pub fn stop(&self, c: &Rates, path: &Path) -> Option<Path> {
        let [x, z] = self.direction;
        let w1 = path.w[0] * x + path.w[1] * z;
        let y = (path.w[1] * x - path.w[0] * z) / w1;
        let (a, b) = self.coefficients();
        if !(w1 > 0.0 && y.abs() * (b[2] / b[1]).abs().max(1.0) <= REACH) {
            return None;
        }
        let unit: Series = std::array::from_fn(|n| if n == 0 { 1.0 } else { 0.0 });
        let shift: Series = std::array::from_fn(|n| if n == 1 { 1.0 } else { 0.0 });
        let square: Series = std::array::from_fn(|n| if n == 0 || n == 2 { 1.0 } else { 0.0 });
        let solve = |d: f64, f: &Series| to_come(d, &a, &b, f);
        let (F, F1, F2) = (solve(1.0, &R), solve(1.0, &unit), solve(1.0, &shift));
        let F_n: Series = std::array::from_fn(|n| {
            c.k_nn * F[n] - c.mu * (self.k[0] * F1[n] + self.k[1] * F2[n])
        });
        let F_W = solve(2.0, &product(&R, &F_n));
        let F_f = solve(2.0, &square);
        let [F, F1, F2, F_n, F_W, F_f] =
            [sum(&F, y)?, sum(&F1, y)?, sum(&F2, y)?, sum(&F_n, y)?, sum(&F_W, y)?, sum(&F_f, y)?];
        let p = w1 * F / c.omega;
        let u_n = path.u_n + w1 * F_n;
        let t = -c.mu * w1 / c.omega;
        Some(Path {
            w: [0.0; 2],
            u_n,
            p_t: [path.p_t[0] + t * (F1 * x - F2 * z), path.p_t[1] + t * (F1 * z + F2 * x)],
            p_n: path.p_n + p,
            work_n: path.work_n + u_n * p - w1 * w1 * F_W / c.omega,
            work_f: path.work_f - c.mu * w1 * w1 * F_f / c.omega,
        })
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

/// Solves (3) for F.
fn to_come(d: f64, a: &Series, b: &Series, f: &Series) -> Series {
    let mut F = [0.0; ORDER + 1];
    for n in 0..=ORDER {
        let mut s = -f[n];
        for j in 1..=n {
            let i = n - j;
            let slope = if i > 0 { i as f64 * b[j + 1] } else { 0.0 };
            s -= (d * a[j] + slope) * F[i];
        }
        F[n] = s / (d * a[0] + n as f64 * b[1]);
    }
    F
}

/// Value of a series, if its last terms are negligible.
fn sum(a: &Series, y: f64) -> Option<f64> {
    let mut power = 1.0;
    let (mut value, mut size, mut last) = (0.0, 0.0, [0.0; 2]);
    for a in a {
        let term = a * power;
        value += term;
        size += term.abs();
        last = [last[1], term.abs()];
        power *= y;
    }
    (last[0] + last[1] <= CONVERGED * size).then_some(value)
}

fn product(a: &Series, b: &Series) -> Series {
    let mut c = [0.0; ORDER + 1];
    for (i, x) in a.iter().enumerate() {
        for (c, y) in c[i..].iter_mut().zip(b) {
            *c += x * y;
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

    #[test]
    fn eq3_tail_equals_arcs() {
        let K = Matrix3::new(1.0, 0.2, 0.1, 0.2, 0.6, -0.15, 0.1, -0.15, 2.0);
        let c = Rates::new(&Principal::new(&K, [0.5, 0.5])).unwrap();
        let mut path = Path {
            w: [0.1, 1.0],
            u_n: -3.0,
            ..Path::default()
        };
        let mut stops = Vec::new();
        while path.speed() > 1e-17 {
            let speed = path.speed();
            let u = path.w.map(|w| w / speed);
            stops.extend(Ending::near(&c, u).and_then(|e| e.stop(&c, &path)));
            let arc = Arc::new(&c, &path);
            arc.advance(arc.span, &mut path);
        }
        assert!(stops.len() > 10);
        for s in stops {
            assert!((s.p_n - path.p_n).abs() < 4e-15 * path.p_n);
            assert!((s.u_n - path.u_n).abs() < 4e-15 * 3.0);
            assert!((s.work_n - path.work_n).abs() < 4e-15 * path.work_n.abs());
            assert!((s.work_f - path.work_f).abs() < 4e-15 * path.work_f.abs());
            assert!((s.p_t[0] - path.p_t[0]).abs() < 4e-15);
            assert!((s.p_t[1] - path.p_t[1]).abs() < 4e-15);
        }
    }
}
