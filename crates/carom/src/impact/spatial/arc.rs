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
//! `eq1_to_eq5_against_closed_form` below (T = 0 has a solution by hyperbolic functions), `tests/impact_spatial`.

use super::path::{Goal, Hit, Path};
use super::principal::Principal;

/// Degree of the series; 16 to 26 cost about the same.
pub const ORDER: usize = 24;

/// Omitted terms, relative to the slip speed at the start of a piece: some eight pieces leave 1e-13.
pub const TRUNCATION: f64 = crate::numeric::thresholds::hodograph::TRUNCATION;

/// A goal of work below this fraction of the work done before is left to a new series, which resolves it better.
const SMALL_WORK: f64 = 1e-3;

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

/// Four series side by side, so that one pass serves all of them.
type Lanes = [[f64; 4]; ORDER + 1];

/// Series in σ = ωs, velocities over the slip speed at the start.
#[derive(Clone, Debug)]
pub(crate) struct Arc {
    /// w₁, w₂, r, uₙ
    a: Lanes,
    /// w₁, w₂, r, r: right factors of the products w₁w₁, w₂w₂, r r, uₙ r.
    right: Lanes,
    /// r², uₙ r
    b: [[f64; 2]; ORDER + 1],
    /// Slip speed at the start.
    speed: f64,
    omega: f64,
    mu: f64,
    /// State at σ = 0.
    pub start: Path,
    /// σ up to which the series is accurate.
    pub span: f64,
}

impl Arc {
    /// No series yet.
    pub fn empty() -> Self {
        Self {
            a: [[0.0; 4]; ORDER + 1],
            right: [[0.0; 4]; ORDER + 1],
            b: [[0.0; 2]; ORDER + 1],
            speed: 0.0,
            omega: 0.0,
            mu: 0.0,
            start: Path::default(),
            span: 0.0,
        }
    }

    /// The series from a state that slips.
    #[cfg(test)]
    pub fn new(c: &Rates, path: &Path) -> Self {
        let mut arc = Self::empty();
        arc.restart(c, path);
        arc
    }

    /// Replaces the series by that from another state.
    pub fn restart(&mut self, c: &Rates, path: &Path) {
        let speed = path.speed();
        (self.speed, self.omega, self.mu, self.start) = (speed, c.omega, c.mu, *path);
        self.expand(c, [path.w[0] / speed, path.w[1] / speed, 1.0, path.u_n / speed]);
        self.span = self.reach(c.k_nn);
    }

    /// All coefficients from the first.
    ///
    /// The newest coefficient enters the sums last, so that the processor can work on the others before it is known.
    fn expand(&mut self, c: &Rates, start: [f64; 4]) {
        let ([k0, k1], [d0, d1], [x, y, _, u0]) = (c.k, c.d, start);
        let normal = [-c.mu * k0, -c.mu * k1, c.k_nn];
        let along = [-d0 * x, -d1 * y, k0 * x + k1 * y];
        self.a[0] = start;
        self.b[0] = [1.0, u0];
        for m in 1..=ORDER {
            let n = m - 1;
            let (a, b) = (&self.a, &self.right);
            let mut inner = if n > 2 { convolve(&a[2..n], &b[2..n]) } else { [0.0; 4] };
            for i in 0..4 {
                inner[i] += match n {
                    0 => 0.0,
                    1 => a[1][i] * b[1][i],
                    _ => a[1][i] * b[n][i] + a[n][i] * b[1][i],
                };
            }
            let ([w0, w1, r, _], inv) = (a[n], INVERSE[m]);
            // û₀·w of the new coefficient, straight from the old ones.
            let dot = (along[0] * w0 + along[1] * w1 + along[2] * r) * inv;
            let u = (normal[0] * w0 + normal[1] * w1 + normal[2] * r) * inv;
            let q = inner[0] + inner[1];
            let new = dot + 0.5 * (q - inner[2]);
            let (w0, w1) = ((k0 * r - d0 * w0) * inv, (k1 * r - d1 * w1) * inv);
            self.a[m] = [w0, w1, new, u];
            self.right[m] = [w0, w1, new, new];
            self.b[m] = [q + 2.0 * dot, inner[3] + u0 * new + u];
        }
    }

    /// Where the first omitted terms of the velocities, and of the works, reach the truncation error.
    fn reach(&self, k_nn: f64) -> f64 {
        let normal = 1.0 / self.a[0][3].abs().max(k_nn).max(1.0);
        let size = |n: usize| {
            let ([w0, w1, r, _], [q, ur]) = (self.a[n], self.b[n]);
            let slip = w0.abs().max(w1.abs()).max(r.abs());
            slip.max(q.abs().max(ur.abs() * normal) * INVERSE[n + 1])
        };
        let radius = |n: usize| (TRUNCATION / size(n)).ln() / n as f64;
        // Coefficients may vanish (slow rates): no series is used beyond 64, where r could leave the range of f64.
        radius(ORDER).min(radius(ORDER - 1)).exp().min(64.0)
    }

    /// The state at σ.
    pub fn at(&self, x: f64) -> Path {
        let start = &self.start;
        let mut value = [0.0; 4];
        let mut inner = [0.0; 4];
        let mut works = [0.0; 2];
        for n in (0..=ORDER).rev() {
            let inv = INVERSE[n + 1];
            for i in 0..4 {
                value[i] = value[i] * x + self.a[n][i];
                inner[i] = inner[i] * x + self.a[n][i] * inv;
            }
            for i in 0..2 {
                works[i] = works[i] * x + self.b[n][i] * inv;
            }
        }
        let (v, p) = (self.speed, x * self.speed / self.omega);
        Path {
            w: [v * value[0], v * value[1]],
            u_n: v * value[3],
            p_t: [start.p_t[0] - self.mu * p * inner[0], start.p_t[1] - self.mu * p * inner[1]],
            p_n: start.p_n + p * inner[2],
            work_n: start.work_n + v * p * works[1],
            work_f: start.work_f - self.mu * v * p * works[0],
        }
    }

    /// The first hit between σ = `from` and the end of the span, with its σ.
    pub fn hit(&self, from: f64, goal: Goal, restoring: bool) -> Option<(f64, Hit)> {
        let reached = match goal {
            Goal::Velocity(u) => self.rise(from, u / self.speed),
            Goal::Impulse(p) => {
                let level = (p - self.start.p_n) * self.omega / self.speed;
                let f = |x: f64| (integral(&self.a, 2, x) - level, horner(&self.a, 2, x).0);
                (f(self.span).0 >= 0.0).then(|| root(f, from, self.span, level))
            }
            Goal::Work(work) => {
                let unit = self.speed * self.speed / self.omega;
                self.work_done(from, (work - self.start.work_n) / unit)
            }
        };
        let down = if restoring { self.fall(from) } else { None };
        match (reached, down) {
            (Some(a), Some(b)) if b < a => Some((b, Hit::Recompression)),
            (Some(a), _) => Some((a, Hit::Goal)),
            (None, b) => b.map(|b| (b, Hit::Recompression)),
        }
    }

    /// Whether a goal of work still to be done is large enough to be told from the work done before `from`.
    pub fn resolves(&self, goal: Goal, path: &Path) -> bool {
        match goal {
            Goal::Work(work) => {
                let before = (path.work_n - self.start.work_n).abs();
                work - path.work_n >= SMALL_WORK * before
            }
            _ => true,
        }
    }

    /// uₙ and its slope.
    fn normal(&self, x: f64) -> (f64, f64) {
        horner(&self.a, 3, x)
    }

    /// First σ after `from` at which uₙ rises through `level` (over the initial speed).
    fn rise(&self, from: f64, level: f64) -> Option<f64> {
        let f = |x: f64| {
            let (u, du) = self.normal(x);
            (u - level, du)
        };
        let (start, end) = (f(from), f(self.span));
        let mut lo = from;
        if start.0 >= 0.0 {
            if start.1 >= 0.0 {
                return Some(from);
            }
            // It starts on the level and dips: look for the return.
            lo = self.extremum(from, [start.1, end.1])?;
            if f(lo).0 >= 0.0 {
                return Some(from);
            }
        }
        let hi = if end.0 >= 0.0 {
            self.span
        } else {
            let top = (start.1 > 0.0).then(|| self.extremum(from, [start.1, end.1]))??;
            (f(top).0 >= 0.0).then_some(top)?
        };
        Some(root(f, lo, hi, lo - start.0 / start.1))
    }

    /// First σ after `from` at which uₙ falls through zero.
    fn fall(&self, from: f64) -> Option<f64> {
        let (start, end) = (self.normal(from).1, self.normal(self.span));
        if start >= 0.0 && end.0 >= 0.0 {
            return None;
        }
        let turn = self.extremum(from, [start, end.1]).unwrap_or(self.span);
        let hi =
            if end.0 < 0.0 { self.span } else { (self.normal(turn).0 < 0.0).then_some(turn)? };
        let lo = if start > 0.0 { turn } else { from };
        let f = |x: f64| {
            let (u, du) = self.normal(x);
            (-u, -du)
        };
        Some(root(f, lo, hi, 0.5 * (lo + hi)))
    }

    /// Where duₙ/dσ changes sign after `from`, if it has different signs there and at the end.
    fn extremum(&self, from: f64, [start, end]: [f64; 2]) -> Option<f64> {
        if start * end >= 0.0 {
            return None;
        }
        let sign = end.signum();
        let f = |x: f64| {
            let (du, ddu) = slopes(&self.a, 3, x);
            (sign * du, sign * ddu)
        };
        Some(root(f, from, self.span, 0.5 * (from + self.span)))
    }

    /// First σ after `from` at which the normal work reaches `level` (over speed²/ω).
    fn work_done(&self, from: f64, level: f64) -> Option<f64> {
        let f = |x: f64| (integral(&self.b, 1, x) - level, horner(&self.b, 1, x).0);
        let (end, slope) = f(self.span);
        if end >= 0.0 {
            return Some(root(f, from, self.span, self.work_guess(from, f(from))));
        }
        if slope >= 0.0 {
            return None;
        }
        // The work passed its maximum inside the span, where uₙ changed sign.
        let rate = |x: f64| {
            let (y, dy) = horner(&self.b, 1, x);
            (-y, -dy)
        };
        let top = root(rate, from, self.span, 0.5 * (from + self.span));
        (f(top).0 >= 0.0).then(|| root(f, from, top, 0.5 * (from + top)))
    }

    /// Two terms of the work make a good guess, because it may start with a double zero.
    fn work_guess(&self, from: f64, (miss, a): (f64, f64)) -> f64 {
        let b = horner(&self.b, 1, from).1;
        from - 2.0 * miss / (a + (a * a - 2.0 * b * miss).max(0.0).sqrt())
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

/// Σ a[j] b[n−1−j] in each lane; two sums hide the latency of the additions.
#[inline(always)]
fn convolve(a: &[[f64; 4]], b: &[[f64; 4]]) -> [f64; 4] {
    let (mut s, mut t) = ([0.0; 4], [0.0; 4]);
    let (left, right) = (a.chunks_exact(2), b.rchunks_exact(2));
    if let ([a], [b, ..]) = (left.remainder(), b) {
        for i in 0..4 {
            s[i] = a[i] * b[i];
        }
    }
    for (a, b) in left.zip(right) {
        for i in 0..4 {
            s[i] += a[0][i] * b[1][i];
            t[i] += a[1][i] * b[0][i];
        }
    }
    std::array::from_fn(|i| s[i] + t[i])
}

/// Value and slope of one lane.
fn horner<const L: usize>(a: &[[f64; L]; ORDER + 1], lane: usize, x: f64) -> (f64, f64) {
    a.iter().rev().fold((0.0, 0.0), |(s, d), a| (s * x + a[lane], d * x + s))
}

/// First and second derivative of one lane.
fn slopes<const L: usize>(a: &[[f64; L]; ORDER + 1], lane: usize, x: f64) -> (f64, f64) {
    let (_, d, h) = a
        .iter()
        .rev()
        .fold((0.0, 0.0, 0.0), |(s, d, h), a| (s * x + a[lane], d * x + s, h * x + d));
    (d, 2.0 * h)
}

/// ∫₀ˣ of one lane.
fn integral<const L: usize>(a: &[[f64; L]; ORDER + 1], lane: usize, x: f64) -> f64 {
    x * a.iter().zip(&INVERSE[1..]).rev().fold(0.0, |s, (a, inv)| s * x + a[lane] * inv)
}

/// Root of a function that is ≤ 0 at `lo` and ≥ 0 at `hi`: Newton, with bisection whenever Newton leaves the
/// bracket or does not halve it; to the last digit.
pub(crate) fn root(f: impl Fn(f64) -> (f64, f64), mut lo: f64, mut hi: f64, guess: f64) -> f64 {
    let inside = |x: f64, lo: f64, hi: f64| x > lo && x < hi;
    let mut x = if inside(guess, lo, hi) { guess } else { 0.5 * (lo + hi) };
    let mut before = hi - lo;
    for _ in 0..100 {
        let (y, dy) = f(x);
        if y == 0.0 {
            return x;
        }
        if y < 0.0 {
            lo = x
        } else {
            hi = x
        }
        let step = -y / dy;
        let next = x + step;
        let newton = inside(next, lo, hi) && step.abs() <= 0.5 * before;
        if step.abs() <= 2.0 * f64::EPSILON * x.abs() || hi - lo <= f64::EPSILON * hi.abs() {
            return next.max(lo).min(hi);
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
        let start = Path { w: [1.0, 0.5], u_n: -1.0, ..Path::default() };
        let arc = Arc::new(&rates, &start);
        let path = arc.at(arc.span);
        let p = path.p_n;
        assert!(p > 0.1);
        for i in 0..2 {
            assert!((path.w[i] - start.w[i] - c.k[i] * p).abs() < 2e-15);
        }
        assert!((path.u_n - start.u_n - 2.0 * p).abs() < 2e-15);
        // What the span allows to be omitted, in the units of a work.
        let unit = rates.k_nn * start.speed().powi(2) / rates.omega;
        assert!((path.work_n - (start.u_n * p + p * p)).abs() < 2.0 * TRUNCATION * unit);
    }

    #[test]
    fn hits_are_roots() {
        let K = Matrix3::new(1.0, 0.2, 0.3, 0.2, 0.8, -0.4, 0.3, -0.4, 2.0);
        let c = Principal::new(&K, [0.4, 0.4]);
        let rates = Rates::new(&c).unwrap();
        let start = Path { w: [1.0, 0.5], u_n: -0.02, ..Path::default() };
        let arc = Arc::new(&rates, &start);
        let (x, hit) = arc.hit(0.0, Goal::Velocity(0.0), false).unwrap();
        assert_eq!(hit, Hit::Goal);
        let path = arc.at(x);
        assert!(path.u_n.abs() < 1e-16);
        let start = Path { w: path.w, ..Path::default() };
        let arc = Arc::new(&rates, &start);
        let (x, _) = arc.hit(0.0, Goal::Work(1e-20), true).unwrap();
        let end = arc.at(x);
        assert!((end.work_n / 1e-20 - 1.0).abs() < 1e-14);
    }
}
