//! A piece of curved slip as a power series.
//!
//! # Law
//! With the variable s, dpₙ = r ds, r = ‖w‖, the slip equations
//! ```text
//! dw/ds = r k − μTw                        (1)
//! r² = w·w                                 (2)
//! duₙ/ds = K_nn r − μ k·w                  (3)
//! dpₙ/ds = r,  dpₜ/ds = −μw                (4)
//! dWₙ/ds = uₙ r,  dW_f/ds = −μr²           (5)
//! ```
//! are homogeneous and analytic wherever the contact slips. (1) gives coefficient n + 1 of w from coefficient n; (2)
//! gives that of r by the recurrence of the square root; (3)–(5) are then quadratures of known series. No angle, no
//! root of the turning rate and no case distinction enters.
//!
//! # Accuracy
//! The length of a piece follows from the decay of the last two coefficients so that the first omitted term is
//! below [`TRUNCATION`] of the slip speed at the start.
//!
//! # Tests
//! `eq1_to_eq5_against_closed_form` below (T = 0 has a solution by hyperbolic functions), `tests/impact_spatial.rs`.

use super::path::{Goal, Hit, Path};
use super::principal::Principal;

/// Degree of the series; 16 to 26 cost about the same.
pub const ORDER: usize = 20;

/// Omitted terms, relative to the slip speed at the start of a piece.
pub const TRUNCATION: f64 = 1e-16;

type Series = [f64; ORDER + 1];

/// The contact in units in which rates of slip are of order one.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Rates {
    /// ω = |k| + μ max t
    pub omega: f64,
    /// k/ω
    pub k: [f64; 2],
    /// μt/ω
    pub d: [f64; 2],
    /// K_nn/ω
    pub k_nn: f64,
    /// μ
    pub mu: f64,
}

impl Rates {
    /// None if slip never changes (k = 0 and μT = 0).
    pub fn new(c: &Principal) -> Option<Self> {
        let omega = c.k[0].hypot(c.k[1]) + c.mu * c.t[0].max(c.t[1]);
        (omega > 0.0).then(|| Self {
            omega,
            k: c.k.map(|k| k / omega),
            d: c.t.map(|t| c.mu * t / omega),
            k_nn: c.k_nn / omega,
            mu: c.mu,
        })
    }

    /// Growth rate g and turning rate h of slip along û, per unit of ωpₙ/r.
    pub fn growth_and_turn(&self, u: [f64; 2]) -> (f64, f64) {
        let a = [self.k[0] - self.d[0] * u[0], self.k[1] - self.d[1] * u[1]];
        (u[0] * a[0] + u[1] * a[1], u[0] * a[1] - u[1] * a[0])
    }

    /// duₙ/dpₙ along û, over ω.
    pub fn normal(&self, u: [f64; 2]) -> f64 {
        self.k_nn - self.mu * (self.k[0] * u[0] + self.k[1] * u[1])
    }
}

/// Series in σ = ωs, velocities over the slip speed at the start.
#[derive(Clone, Debug)]
pub(crate) struct Arc {
    w: [Series; 2],
    r: Series,
    /// r²
    q: Series,
    u: Series,
    /// uₙ r
    ur: Series,
    /// Slip speed at the start.
    speed: f64,
    omega: f64,
    mu: f64,
    /// σ up to which the series is accurate.
    pub span: f64,
}

impl Arc {
    /// The series from a state that slips.
    pub fn new(c: &Rates, path: &Path) -> Self {
        let speed = path.speed();
        let mut a = Self {
            w: [[0.0; ORDER + 1]; 2],
            r: [0.0; ORDER + 1],
            q: [0.0; ORDER + 1],
            u: [0.0; ORDER + 1],
            ur: [0.0; ORDER + 1],
            speed,
            omega: c.omega,
            mu: c.mu,
            span: 0.0,
        };
        a.w[0][0] = path.w[0] / speed;
        a.w[1][0] = path.w[1] / speed;
        (a.r[0], a.q[0]) = (1.0, 1.0);
        a.u[0] = path.u_n / speed;
        for n in 0..ORDER {
            a.extend(c, n);
        }
        a.ur = product(&a.u, &a.r);
        a.span = a.span(c.k_nn);
        a
    }

    /// Coefficient n + 1 from those up to n.
    fn extend(&mut self, c: &Rates, n: usize) {
        let inv = INVERSE[n + 1];
        let ([w0, w1], r, m) = (&mut self.w, &mut self.r, n + 1);
        w0[m] = (c.k[0] * r[n] - c.d[0] * w0[n]) * inv;
        w1[m] = (c.k[1] * r[n] - c.d[1] * w1[n]) * inv;
        self.u[m] = (c.k_nn * r[n] - c.mu * (c.k[0] * w0[n] + c.k[1] * w1[n])) * inv;
        let (mut q, mut rr) = (w0[0] * w0[m] + w1[0] * w1[m], 0.0);
        for j in 1..m.div_ceil(2) {
            q += w0[j] * w0[m - j] + w1[j] * w1[m - j];
            rr += r[j] * r[m - j];
        }
        (q, rr) = (2.0 * q, 2.0 * rr);
        if m % 2 == 0 {
            let h = m / 2;
            q += w0[h] * w0[h] + w1[h] * w1[h];
            rr += r[h] * r[h];
        }
        self.q[m] = q;
        r[m] = 0.5 * (q - rr);
    }

    /// Where the first omitted terms of the velocities, and of the works, reach the truncation error.
    fn span(&self, k_nn: f64) -> f64 {
        let normal = 1.0 / self.u[0].abs().max(k_nn).max(1.0);
        let size = |n: usize| {
            let [w0, w1] = &self.w;
            let slip = w0[n].abs().max(w1[n].abs()).max(self.r[n].abs());
            let work = self.q[n].abs().max(self.ur[n].abs() * normal);
            slip.max(work * INVERSE[n + 1])
        };
        let radius = |n: usize| (TRUNCATION / size(n)).ln() / n as f64;
        // Coefficients may vanish (slow rates): no series is used beyond 64, where r could leave the range of f64.
        radius(ORDER).min(radius(ORDER - 1)).exp().min(64.0)
    }

    /// Moves the state to σ.
    pub fn advance(&self, x: f64, path: &mut Path) {
        let (v, p) = (self.speed, self.speed / self.omega);
        path.w = [v * horner(&self.w[0], x), v * horner(&self.w[1], x)];
        path.u_n = v * horner(&self.u, x);
        path.p_n += p * integral(&self.r, x);
        path.p_t[0] -= self.mu * p * integral(&self.w[0], x);
        path.p_t[1] -= self.mu * p * integral(&self.w[1], x);
        path.work_n += v * p * integral(&self.ur, x);
        path.work_f -= self.mu * v * p * integral(&self.q, x);
    }

    /// The first hit within the span, with its σ.
    pub fn hit(&self, path: &Path, goal: Goal, restoring: bool) -> Option<(f64, Hit)> {
        let reached = match goal {
            Goal::Velocity(u) => self.rise(u / self.speed),
            Goal::Impulse(p) => self.collect(&self.r, (p - path.p_n) * self.omega / self.speed),
            Goal::Work(work) => {
                let unit = self.speed * self.speed / self.omega;
                self.collect(&self.ur, (work - path.work_n) / unit)
            }
        };
        let down = if restoring { self.fall() } else { None };
        match (reached, down) {
            (Some(a), Some(b)) if b < a => Some((b, Hit::Recompression)),
            (Some(a), _) => Some((a, Hit::Goal)),
            (None, b) => b.map(|b| (b, Hit::Recompression)),
        }
    }

    /// First σ in the span at which uₙ rises through `level` (over the initial speed).
    fn rise(&self, level: f64) -> Option<f64> {
        let f = |x: f64| {
            let (u, du) = horner2(&self.u, x);
            (u - level, du)
        };
        let (start, end) = (f(0.0), f(self.span));
        let mut lo = 0.0;
        if start.0 >= 0.0 {
            if start.1 >= 0.0 {
                return Some(0.0);
            }
            // It starts on the level and dips: look for the return.
            lo = self.extremum(start.1, end.1)?;
            if f(lo).0 >= 0.0 {
                return Some(0.0);
            }
        }
        let hi = if end.0 >= 0.0 {
            self.span
        } else {
            let top = (start.1 > 0.0).then(|| self.extremum(start.1, end.1))??;
            (f(top).0 >= 0.0).then_some(top)?
        };
        let guess = lo - f(lo).0 / f(lo).1;
        Some(root(f, lo, hi, guess))
    }

    /// First σ in the span at which uₙ falls through zero.
    fn fall(&self) -> Option<f64> {
        let (start, end) = (horner2(&self.u, 0.0), horner2(&self.u, self.span));
        let bottom = self.extremum(start.1, end.1).unwrap_or(self.span);
        let hi = if end.0 < 0.0 {
            self.span
        } else {
            (start.1 < 0.0 && horner(&self.u, bottom) < 0.0).then_some(bottom)?
        };
        let lo = if start.1 > 0.0 { bottom } else { 0.0 };
        let f = |x: f64| {
            let (u, du) = horner2(&self.u, x);
            (-u, -du)
        };
        Some(root(f, lo, hi, 0.5 * (lo + hi)))
    }

    /// Where duₙ/dσ changes sign, if it has different signs at the ends.
    fn extremum(&self, start: f64, end: f64) -> Option<f64> {
        if start * end >= 0.0 {
            return None;
        }
        let sign = end.signum();
        let f = |x: f64| {
            let (_, du, ddu) = horner3(&self.u, x);
            (sign * du, sign * ddu)
        };
        Some(root(f, 0.0, self.span, 0.5 * self.span))
    }

    /// First σ at which the integral of a series reaches `level`.
    fn collect(&self, rate: &Series, level: f64) -> Option<f64> {
        if level <= 0.0 {
            return Some(0.0);
        }
        let f = |x: f64| (integral(rate, x) - level, horner(rate, x));
        let (end, slope) = f(self.span);
        if end < 0.0 {
            // A work that passed its maximum inside the span has uₙ < 0 at the end.
            let top = (slope < 0.0).then(|| self.top(rate))?;
            return (f(top).0 >= 0.0).then(|| root(f, 0.0, top, top));
        }
        // Two leading terms, because the work of restitution starts with a double zero.
        let (a, b) = (rate[0], rate[1]);
        let guess = 2.0 * level / (a + (a * a + 2.0 * b * level).max(0.0).sqrt());
        Some(root(f, 0.0, self.span, guess))
    }

    /// Where a rate that is negative at the end of the span changes sign.
    fn top(&self, rate: &Series) -> f64 {
        let f = |x: f64| {
            let (y, dy) = horner2(rate, x);
            (-y, -dy)
        };
        root(f, 0.0, self.span, 0.5 * self.span)
    }
}

/// 1/n.
const INVERSE: [f64; ORDER + 2] = {
    let mut a = [0.0; ORDER + 2];
    let mut n = 1;
    while n < ORDER + 2 {
        a[n] = 1.0 / n as f64;
        n += 1;
    }
    a
};

fn product(a: &Series, b: &Series) -> Series {
    let mut c = [0.0; ORDER + 1];
    for (i, x) in a.iter().enumerate() {
        for (c, y) in c[i..].iter_mut().zip(b) {
            *c += x * y;
        }
    }
    c
}

fn horner(a: &Series, x: f64) -> f64 {
    a.iter().rev().fold(0.0, |s, a| s * x + a)
}

fn horner2(a: &Series, x: f64) -> (f64, f64) {
    a.iter()
        .rev()
        .fold((0.0, 0.0), |(s, d), a| (s * x + a, d * x + s))
}

/// Value, first and second derivative.
fn horner3(a: &Series, x: f64) -> (f64, f64, f64) {
    let (s, d, h) = a.iter().rev().fold((0.0, 0.0, 0.0), |(s, d, h), a| {
        (s * x + a, d * x + s, h * x + d)
    });
    (s, d, 2.0 * h)
}

/// ∫₀ˣ of a series.
fn integral(a: &Series, x: f64) -> f64 {
    x * a
        .iter()
        .zip(&INVERSE[1..])
        .rev()
        .fold(0.0, |s, (a, inv)| s * x + a * inv)
}

/// Root of a function that is ≤ 0 at `lo` and ≥ 0 at `hi`: Newton, with bisection whenever Newton leaves the
/// bracket or does not halve it; to the last digit.
fn root(f: impl Fn(f64) -> (f64, f64), mut lo: f64, mut hi: f64, guess: f64) -> f64 {
    let inside = |x: f64, lo: f64, hi: f64| x > lo && x < hi;
    let mut x = if inside(guess, lo, hi) {
        guess
    } else {
        0.5 * (lo + hi)
    };
    let mut before = hi - lo;
    for _ in 0..100 {
        let (y, dy) = f(x);
        if y == 0.0 {
            return x;
        }
        if y < 0.0 { lo = x } else { hi = x }
        let step = -y / dy;
        let next = x + step;
        let newton = inside(next, lo, hi) && step.abs() <= 0.5 * before;
        if step.abs() <= 2.0 * f64::EPSILON * x.abs() || hi - lo <= f64::EPSILON * hi.abs() {
            return next.clamp(lo, hi);
        }
        let next = if newton { next } else { 0.5 * (lo + hi) };
        before = (next - x).abs();
        x = next;
    }
    x
}

#[cfg(test)]
mod tests {
    use super::*;
    use nalgebra::Matrix3;

    /// T = 0, μ = 0: w = w⁻ + k pₙ is a straight line passed at constant rate, r = ‖w‖, and all integrals are
    /// elementary in pₙ.
    #[test]
    fn eq1_to_eq5_against_closed_form() {
        let K = Matrix3::new(0.0, 0.0, 0.3, 0.0, 0.0, -0.4, 0.3, -0.4, 2.0);
        let c = Principal::new(&K, [0.0, 0.0]);
        let rates = Rates::new(&c).unwrap();
        let start = Path {
            w: [1.0, 0.5],
            u_n: -1.0,
            ..Path::default()
        };
        let mut path = start;
        let arc = Arc::new(&rates, &path);
        arc.advance(arc.span, &mut path);
        let p = path.p_n;
        assert!(p > 0.1);
        for i in 0..2 {
            assert!((path.w[i] - start.w[i] - c.k[i] * p).abs() < 2e-15);
        }
        assert!((path.u_n - start.u_n - 2.0 * p).abs() < 2e-15);
        assert!((path.work_n - (start.u_n * p + p * p)).abs() < 4e-15);
    }

    #[test]
    fn hits_are_roots() {
        let K = Matrix3::new(1.0, 0.2, 0.3, 0.2, 0.8, -0.4, 0.3, -0.4, 2.0);
        let c = Principal::new(&K, [0.4, 0.4]);
        let rates = Rates::new(&c).unwrap();
        let start = Path {
            w: [1.0, 0.5],
            u_n: -0.02,
            ..Path::default()
        };
        let arc = Arc::new(&rates, &start);
        let (x, hit) = arc.hit(&start, Goal::Velocity(0.0), false).unwrap();
        assert_eq!(hit, Hit::Goal);
        let mut path = start;
        arc.advance(x, &mut path);
        assert!(path.u_n.abs() < 1e-16);
        let arc = Arc::new(&rates, &Path { u_n: 0.0, ..path });
        let mut end = Path::default();
        let (x, _) = arc.hit(&end, Goal::Work(1e-20), true).unwrap();
        arc.advance(x, &mut end);
        assert!((end.work_n / 1e-20 - 1.0).abs() < 1e-14);
    }
}
