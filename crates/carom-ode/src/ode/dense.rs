//! The solution within one step as a polynomial of θ = (t − t₀)/h.
//!
//! # Law
//! ```text
//! u(θ) = y₀ + θ(F₀ + (1−θ)(F₁ + θ(F₂ + (1−θ)(F₃ + θ(F₄ + (1−θ)(F₅ + θ F₆))))))   (1)
//! F₀ = y₁ − y₀,  F₁ = h f₀ − F₀,  F₂ = 2F₀ − h(f₀ + f₁)                           (2)
//! ```
//! Three rows are the cubic Hermite interpolant (local error O(h⁴)); a method adds rows of its
//! own to raise the order. Whatever the rows, (1) meets y₀, y₁, f₀ and f₁ at the ends, so the
//! solution is continuously differentiable across steps, after a projection too.
//!
//! An event may cut the step short: t₁ and y₁ are then the event's, while h stays the length of the
//! step that (1) was built on.
//!
//! # Limits
//! At t₀ and t₁ the states are returned bit by bit, not by (1), so that a guard sees the same
//! value at the end of one step and at the start of the next. Outside [t₀, t₁] (1) extrapolates.
//!
//! # Tests
//! `eq1_reproduces_polynomials`, `eq1_rate_is_the_derivative`, `ends_are_exact`;
//! `tests/flow_orders.rs` for the order of each method's interpolant.

/// Rows of the largest interpolant.
pub(super) const MAX_ROWS: usize = 7;

/// A motion that is known over a span of time.
pub trait Trajectory {
    /// Start, s.
    fn t0(&self) -> f64;

    /// End, s.
    fn t1(&self) -> f64;

    /// The state at `t`.
    fn state(&self, t: f64, y: &mut [f64]);
}

/// The solution within the last step.
#[derive(Debug, Clone, Copy)]
pub struct Dense<'a> {
    pub(super) t0: f64,
    pub(super) t1: f64,
    /// Length of the step that the rows belong to, s.
    pub(super) h: f64,
    pub(super) y0: &'a [f64],
    pub(super) y1: &'a [f64],
    pub(super) rows: usize,
    pub(super) coefficients: &'a [f64],
}

impl Dense<'_> {
    /// Start of the step, s.
    #[inline]
    pub fn t0(&self) -> f64 {
        self.t0
    }

    /// End of the step, s.
    #[inline]
    pub fn t1(&self) -> f64 {
        self.t1
    }

    /// Number of state components.
    #[inline]
    pub fn len(&self) -> usize {
        self.y0.len()
    }

    /// Whether the state has no components.
    #[inline]
    pub fn is_empty(&self) -> bool {
        self.y0.is_empty()
    }

    /// State at `t`, equation (1).
    #[inline]
    pub fn state(&self, t: f64, y: &mut [f64]) {
        if t == self.t1 {
            y.copy_from_slice(self.y1);
            return;
        }
        if t == self.t0 {
            y.copy_from_slice(self.y0);
            return;
        }
        self.interpolate(t, y);
    }

    /// State at `t` by equation (1) alone, at the ends too.
    #[inline]
    pub(super) fn interpolate(&self, t: f64, y: &mut [f64]) {
        let x = (t - self.t0) / self.h;
        match self.rows {
            3 => self.horner::<3>(x, y),
            4 => self.horner::<4>(x, y),
            5 => self.horner::<5>(x, y),
            _ => self.horner::<MAX_ROWS>(x, y),
        }
    }

    /// Rate u̇ at `t`, the derivative of equation (1).
    pub fn rate(&self, t: f64, dydt: &mut [f64]) {
        let h = self.h;
        let x = (t - self.t0) / h;
        let n = self.y0.len();
        for (i, out) in dydt.iter_mut().enumerate().take(n) {
            let mut p = self.coefficients[(self.rows - 1) * n + i];
            let mut dp = 0.0;
            for r in (0..self.rows - 1).rev() {
                let (w, dw) = if r % 2 == 0 { (1.0 - x, -1.0) } else { (x, 1.0) };
                dp = dp * w + p * dw;
                p = p * w + self.coefficients[r * n + i];
            }
            *out = (p + x * dp) / h;
        }
    }

    #[inline]
    fn horner<const ROWS: usize>(&self, x: f64, y: &mut [f64]) {
        let n = self.y0.len();
        let z = 1.0 - x;
        let f: [&[f64]; ROWS] = std::array::from_fn(|r| &self.coefficients[r * n..(r + 1) * n]);
        let (y, y0) = (&mut y[..n], &self.y0[..n]);
        for i in 0..n {
            let mut p = f[ROWS - 1][i];
            for r in (0..ROWS - 1).rev() {
                p = p * (if r % 2 == 0 { z } else { x }) + f[r][i];
            }
            y[i] = y0[i] + x * p;
        }
    }
}

impl Trajectory for Dense<'_> {
    #[inline]
    fn t0(&self) -> f64 {
        self.t0
    }

    #[inline]
    fn t1(&self) -> f64 {
        self.t1
    }

    #[inline]
    fn state(&self, t: f64, y: &mut [f64]) {
        Dense::state(self, t, y);
    }
}

/// Rows F₀, F₁, F₂ of equation (2) from both ends of a step.
pub(super) fn hermite_rows(h: f64, ends: [&[f64]; 2], rates: [&[f64]; 2], rows: &mut [f64]) {
    let n = ends[0].len();
    let [y0, y1] = ends;
    let [f0, f1] = rates;
    let (a, rest) = rows.split_at_mut(n);
    let (b, c) = rest.split_at_mut(n);
    for i in 0..n {
        let d = y1[i] - y0[i];
        a[i] = d;
        b[i] = h * f0[i] - d;
        c[i] = 2.0 * d - h * (f0[i] + f1[i]);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn dense<'a>(y0: &'a [f64], y1: &'a [f64], c: &'a [f64], rows: usize) -> Dense<'a> {
        Dense { t0: 2.0, t1: 4.0, h: 2.0, y0, y1, rows, coefficients: c }
    }

    #[test]
    fn eq1_reproduces_polynomials() {
        // y = t³ on (2, 4]: the cubic rows alone must be exact.
        let mut c = [0.0; 3];
        hermite_rows(2.0, [&[8.0], &[64.0]], [&[12.0], &[48.0]], &mut c);
        let (y0, y1) = ([8.0], [64.0]);
        let d = dense(&y0, &y1, &c, 3);
        let mut y = [0.0];
        for t in [2.3, 3.0, 3.9, 4.5] {
            d.state(t, &mut y);
            assert!((y[0] - t * t * t).abs() < 1e-12 * 64.0, "{t} {}", y[0]);
        }
    }

    #[test]
    fn eq1_rate_is_the_derivative() {
        let c = [1.0, -0.7, 0.3, 0.9, -0.4, 0.2, 0.6];
        let (y0, y1) = ([0.5], [1.5]);
        for rows in [3, 4, 5, 7] {
            let d = dense(&y0, &y1, &c[..rows], rows);
            let (mut a, mut b, mut f) = ([0.0], [0.0], [0.0]);
            for t in [2.2, 3.1, 3.7] {
                d.state(t + 1e-5, &mut a);
                d.state(t - 1e-5, &mut b);
                d.rate(t, &mut f);
                assert!((f[0] - (a[0] - b[0]) / 2e-5).abs() < 1e-9);
            }
        }
    }

    #[test]
    fn ends_are_exact() {
        let c = [0.1, 0.2, 0.3];
        let (y0, y1) = ([0.1], [0.1 + 0.2]);
        let d = dense(&y0, &y1, &c, 3);
        let mut y = [0.0];
        d.state(2.0, &mut y);
        assert_eq!(y, y0);
        d.state(4.0, &mut y);
        assert_eq!(y, y1);
    }
}
