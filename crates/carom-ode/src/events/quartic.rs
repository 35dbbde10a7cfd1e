//! A guard on an interval: the quartic through five samples, with a bound on what it leaves out.
//!
//! # Law
//! The samples f₀…f₄ lie at the Chebyshev–Lobatto points x = (1 − cos kπ/4)/2 of [0, 1]. Their
//! quartic p has Bernstein coefficients b = B f and Chebyshev coefficients c₃, c₄. A function with
//! Chebyshev series Σ cₖTₖ differs from p by aliasing, to leading order
//! ```text
//! |f − p| = 2|c₅| |sin ϑ sin 4ϑ|,  x = (1 + cos ϑ)/2                          (1)
//! |sin ϑ sin 4ϑ| ≤ 4(B₁⁴(x) + B₃⁴(x))                                         (2)
//! |c₅| ≤ max(|c₄|, |c₃|/4)                                                    (3)
//! ```
//! (1) and (2) are exact, (3) is the assumption: coefficients do not grow. So f lies between the
//! polynomials with coefficients b ± m, m = (0, 4E, 0, 4E, 0), E = 2 max(|c₄|, |c₃|/4), and the
//! signs of these coefficients decide: all of one sign, no zero; one change of sign, one zero
//! (Descartes). The derivative of (1) by x is 16 × 2|c₅| at both ends and 8 × 2|c₅| at the inner
//! samples; so, if the guard supplies its derivative,
//! ```text
//! E ≥ |p′ − ḟ|/16 at the ends,  E ≥ |p′ − ḟ|/8 at the inner samples           (4)
//! ```
//! which catches a guard that turns over many times between samples.
//!
//! # Limits
//! Guaranteed for guards that obey (3) on the interval at hand: an oscillation exactly in step
//! with the five samples whose derivative is not supplied remains unseen.
//!
//! # Tests
//! `bernstein_reproduces_the_samples`, `eq1_aliasing`, `eq2_majorant`, `eq4_slopes_of_the_alias`, `roots`.

use std::f64::consts::{FRAC_1_SQRT_2, SQRT_2};

/// Inner sample points on [0, 1], with their number; 0 and 4 are the ends.
pub(super) const INNER: [(usize, f64); 3] =
    [(1, 0.5 - 0.5 * FRAC_1_SQRT_2), (2, 0.5), (3, 0.5 + 0.5 * FRAC_1_SQRT_2)];

/// Quartic in Bernstein form with its margin.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Quartic {
    /// Bernstein coefficients.
    pub(super) b: [f64; 5],
    /// 4E, the margin of coefficients 1 and 3.
    pub(super) margin: f64,
}

impl Quartic {
    /// From five samples and the derivatives by x there, NaN where unknown.
    pub(super) fn new(f: [f64; 5], slopes: [f64; 5]) -> Self {
        let (p, q) = (2.0 + SQRT_2, 2.0 - SQRT_2);
        let b1 = -1.75 * f[0] + p * f[1] - f[2] + q * f[3] - 0.25 * f[4];
        let b2 = (7.0 * (f[0] + f[4]) - 16.0 * (f[1] + f[3])) / 6.0 + 4.0 * f[2];
        let b3 = -0.25 * f[0] + q * f[1] - f[2] + p * f[3] - 1.75 * f[4];
        let c3 = 0.25 * (f[4] - f[0]) + 0.5 * FRAC_1_SQRT_2 * (f[1] - f[3]);
        let c4 = 0.25 * (0.5 * (f[0] + f[4]) - f[1] + f[2] - f[3]);
        let mut e = 2.0 * c4.abs().max(0.25 * c3.abs());
        // `max` drops the NaN of a derivative that is not supplied.
        e = e.max((slopes[0] - 4.0 * (b1 - f[0])).abs() / 16.0);
        e = e.max((slopes[4] - 4.0 * (f[4] - b3)).abs() / 16.0);
        let mut portrait = Self { b: [f[0], b1, b2, b3, f[4]], margin: 0.0 };
        for (k, x) in INNER {
            if !slopes[k].is_nan() {
                e = e.max((slopes[k] - portrait.slope(x)).abs() / 8.0);
            }
        }
        portrait.margin = 4.0 * e;
        portrait
    }

    /// Margin of coefficient `k`.
    pub(super) fn margin_of(&self, k: usize) -> f64 {
        if k % 2 == 1 { self.margin } else { 0.0 }
    }

    /// p(x).
    pub(super) fn value(&self, x: f64) -> f64 {
        let mut b = self.b;
        for level in (1..5).rev() {
            for k in 0..level {
                b[k] += x * (b[k + 1] - b[k]);
            }
        }
        b[0]
    }

    /// p′(x).
    pub(super) fn slope(&self, x: f64) -> f64 {
        let mut d: [f64; 4] = std::array::from_fn(|k| 4.0 * (self.b[k + 1] - self.b[k]));
        for level in (1..4).rev() {
            for k in 0..level {
                d[k] += x * (d[k + 1] - d[k]);
            }
        }
        d[0]
    }

    /// The zero of p in (0, 1] for p(0) > 0 ≥ p(1) with one change of sign, to about 1e-12.
    pub(super) fn root(&self) -> f64 {
        bracketed(self.b[0], self.b[4], |x| (self.value(x), self.slope(x)))
    }

    /// The same for p(0) = 0, which is divided out: p = x ψ, and ψ has the Bernstein coefficients
    /// 4bₖ₊₁/(k + 1). `slope` is p′(0) = ψ(0) if it is known better than by the samples.
    pub(super) fn deflated_root(&self, slope: f64) -> f64 {
        let c: [f64; 4] = std::array::from_fn(|k| 4.0 * self.b[k + 1] / (k + 1) as f64);
        let start = if slope.is_nan() { c[0] } else { slope };
        bracketed(start, c[3], |x| {
            let z = 1.0 - x;
            let value = z * z * (z * start + 3.0 * x * c[1]) + x * x * (3.0 * z * c[2] + x * c[3]);
            let slope =
                z * z * (c[1] - start) + 2.0 * x * z * (c[2] - c[1]) + x * x * (c[3] - c[2]);
            (value, 3.0 * slope)
        })
    }

    /// Where p has a minimum strictly inside, if its slope turns from falling to rising.
    pub(super) fn minimum(&self) -> Option<f64> {
        let (mut lo, mut hi) = (0.0, 1.0);
        if !(self.slope(lo) < 0.0 && self.slope(hi) > 0.0) {
            return None;
        }
        for _ in 0..20 {
            let x = 0.5 * (lo + hi);
            if self.slope(x) < 0.0 {
                lo = x;
            } else {
                hi = x;
            }
        }
        Some(0.5 * (lo + hi))
    }
}

/// Newton's method within a bracket [0, 1] for a function that falls from `start` to `end`.
fn bracketed(start: f64, end: f64, f: impl Fn(f64) -> (f64, f64)) -> f64 {
    let (mut lo, mut hi) = (0.0, 1.0);
    let mut x = start / (start - end);
    if !(x > lo && x < hi) {
        x = 0.5;
    }
    for _ in 0..50 {
        let (value, slope) = f(x);
        if value > 0.0 {
            lo = x;
        } else {
            hi = x;
        }
        let newton = x - value / slope;
        let next = if newton > lo && newton < hi { newton } else { 0.5 * (lo + hi) };
        if (next - x).abs() < crate::thresholds::FOUND * x {
            return next;
        }
        x = next;
    }
    x
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;

    pub(crate) const POINTS: [f64; 5] = [0.0, INNER[0].1, INNER[1].1, INNER[2].1, 1.0];

    fn sample(f: impl Fn(f64) -> f64) -> [f64; 5] {
        POINTS.map(f)
    }

    #[test]
    fn bernstein_reproduces_the_samples() {
        let f = |x: f64| 0.3 - 2.0 * x + 5.0 * x.powi(2) - 4.0 * x.powi(3) + 1.5 * x.powi(4);
        let q = Quartic::new(sample(f), [f64::NAN; 5]);
        for i in 0..=20 {
            let x = f64::from(i) / 20.0;
            assert!((q.value(x) - f(x)).abs() < 1e-14);
            let d = -2.0 + 10.0 * x - 12.0 * x * x + 6.0 * x.powi(3);
            assert!((q.slope(x) - d).abs() < 1e-13);
        }
    }

    #[test]
    fn eq1_aliasing() {
        // f = T₅: the error of the quartic is 2 sin ϑ sin 4ϑ.
        let t5 = |x: f64| (5.0 * (2.0 * x - 1.0).acos()).cos();
        let q = Quartic::new(sample(t5), [f64::NAN; 5]);
        for i in 1..50 {
            let x = f64::from(i) / 50.0;
            let angle = (2.0 * x - 1.0).acos();
            let expected = 2.0 * (angle.sin() * (4.0 * angle).sin()).abs();
            assert!(((t5(x) - q.value(x)).abs() - expected).abs() < 1e-13, "{x}");
        }
    }

    #[test]
    fn eq2_majorant() {
        for i in 0..=1000 {
            let x = f64::from(i) / 1000.0;
            let angle = (2.0 * x - 1.0).acos();
            let bound = 4.0 * (4.0 * x * (1.0 - x).powi(3) + 4.0 * x.powi(3) * (1.0 - x));
            assert!((angle.sin() * (4.0 * angle).sin()).abs() <= bound + 1e-14);
        }
    }

    #[test]
    fn roots() {
        let f = |x: f64| (0.3 - x) * (1.0 + x + x * x);
        let q = Quartic::new(sample(f), [f64::NAN; 5]);
        assert!((q.root() - 0.3).abs() < 1e-12);
        for place in [0.3, 1e-3, 1e-7] {
            let f = |x: f64| x * (place - x) * (1.0 + x);
            let q = Quartic::new(sample(f), [f64::NAN; 5]);
            // The samples know p′(0) = place to round-off only.
            assert!((q.deflated_root(f64::NAN) - place).abs() < 1e-14, "{place}");
            assert!((q.deflated_root(place) / place - 1.0).abs() < 1e-7, "{place}");
        }
    }

    #[test]
    fn eq4_slopes_of_the_alias() {
        let t5 = |x: f64| (5.0 * (2.0 * x - 1.0).acos()).cos();
        let slope = |x: f64| {
            let s = 2.0 * x - 1.0;
            2.0 * (80.0 * s.powi(4) - 60.0 * s * s + 5.0)
        };
        // From the values alone T₅ looks like T₃, with E = ½; the true E is 2.
        let f = sample(t5);
        assert!((Quartic::new(f, [f64::NAN; 5]).margin - 2.0).abs() < 1e-13);
        for k in 0..5 {
            let mut slopes = [f64::NAN; 5];
            slopes[k] = slope(POINTS[k]);
            assert!((Quartic::new(f, slopes).margin - 8.0).abs() < 1e-12, "{k}");
        }
    }
}
