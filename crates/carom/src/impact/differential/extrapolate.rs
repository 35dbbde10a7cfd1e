//! One step of an ordinary differential equation by extrapolation (Gragg, Bulirsch & Stoer).
//!
//! # Law
//! The modified midpoint rule with n = 2, 4, 6, … substeps has an error in even powers of h/n; Aitken–Neville
//! extrapolation removes them one by one:
//! ```text
//! T(k, j) = T(k, j−1) + (T(k, j−1) − T(k−1, j−1)) / ((n_k/n_{k−j})² − 1)         (1)
//! ```
//! The difference of the last two entries of a row estimates the error.
//!
//! # Source
//! Bulirsch & Stoer's method with the sequence of even numbers; derived here from the even error expansion.
//!
//! # Tests
//! `eq1_order` below.

/// Rows of the table; the last has 16 substeps and order 16.
pub(crate) const ROWS: usize = 8;

/// Buffers for a system of some size.
#[derive(Clone, Debug, Default)]
pub(crate) struct Extrapolation {
    /// Row of the table, one vector per column.
    table: Vec<f64>,
    x: Vec<f64>,
    y: Vec<f64>,
    rate: Vec<f64>,
    first: Vec<f64>,
}

impl Extrapolation {
    /// Makes room for `n` equations.
    pub fn reserve(&mut self, n: usize) {
        for (v, size) in [
            (&mut self.table, n * ROWS),
            (&mut self.x, n),
            (&mut self.y, n),
            (&mut self.rate, n),
            (&mut self.first, n),
        ] {
            v.clear();
            v.resize(size, 0.0);
        }
    }

    /// Steps from `start` by `h`, up to all rows or until the estimated error, in units of `weights`, is below 1;
    /// returns that error, infinite if the rate fails.
    pub fn step(
        &mut self,
        mut rate: impl FnMut(&[f64], &mut [f64]) -> bool,
        start: &[f64],
        h: f64,
        weights: &[f64],
        out: &mut [f64],
    ) -> f64 {
        let n = start.len();
        if !rate(start, &mut self.first) {
            return f64::INFINITY;
        }
        let mut error = f64::INFINITY;
        for k in 0..ROWS {
            if !self.midpoint(&mut rate, start, h, 2 * (k + 1)) {
                return f64::INFINITY;
            }
            error = self.neville(k, n, weights);
            if k >= 3 && error <= 1.0 {
                out.copy_from_slice(&self.table[k * n..(k + 1) * n]);
                return error;
            }
        }
        out.copy_from_slice(&self.table[(ROWS - 1) * n..]);
        error
    }

    /// Leaves the result of `count` substeps in `y`.
    fn midpoint(
        &mut self,
        rate: &mut impl FnMut(&[f64], &mut [f64]) -> bool,
        start: &[f64],
        h: f64,
        count: usize,
    ) -> bool {
        let dt = h / count as f64;
        self.x.copy_from_slice(start);
        for i in 0..start.len() {
            self.y[i] = start[i] + dt * self.first[i];
        }
        for _ in 1..count {
            if !rate(&self.y, &mut self.rate) {
                return false;
            }
            for i in 0..start.len() {
                self.x[i] += 2.0 * dt * self.rate[i];
            }
            std::mem::swap(&mut self.x, &mut self.y);
        }
        true
    }

    /// Extends the table by the row in `y`, in place: column j of the row before is overwritten by that of this row.
    fn neville(&mut self, k: usize, n: usize, weights: &[f64]) -> f64 {
        let mut error = 0.0_f64;
        for i in 0..n {
            let mut new = self.y[i];
            for j in 0..k {
                let old = self.table[j * n + i];
                self.table[j * n + i] = new;
                let ratio = (k + 1) as f64 / (k - j) as f64;
                let correction = (new - old) / (ratio * ratio - 1.0);
                new += correction;
                if j + 1 == k {
                    error = error.max((correction * weights[i]).abs());
                }
            }
            self.table[k * n + i] = new;
        }
        if k == 0 || error.is_nan() { f64::INFINITY } else { error }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Rotation and decay: exact by exponentials; the error of a full table falls with high order.
    #[test]
    fn eq1_order() {
        let mut e = Extrapolation::default();
        e.reserve(3);
        let rate = |x: &[f64], r: &mut [f64]| {
            (r[0], r[1], r[2]) = (-x[1], x[0], -0.5 * x[2]);
            true
        };
        let error = |e: &mut Extrapolation, h: f64| {
            let mut y = [0.0; 3];
            e.step(rate, &[1.0, 0.0, 1.0], h, &[1e20; 3], &mut y);
            (y[0] - h.cos()).abs().max((y[1] - h.sin()).abs()).max((y[2] - (-0.5 * h).exp()).abs())
        };
        let (coarse, fine) = (error(&mut e, 6.0), error(&mut e, 3.0));
        assert!(coarse > 1e-9 && fine < coarse / 2.0_f64.powi(12), "{coarse:e} {fine:e}");
        assert!(error(&mut e, 1.0) < 1e-14);
    }
}
