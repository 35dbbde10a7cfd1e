//! Regular square systems by elimination.
//!
//! Rows are scaled to unit maximum, so that pivots compare; a pivot below [`Regular::PIVOT`] says that
//! the system is singular, and somebody else ([`MinNorm`](super::MinNorm)) must say what is meant.
//!
//! The factors are kept, so that further right-hand sides cost a square of the size only.
//!
//! # Tests
//! Beside the code: `regular_system`, `singular_system_is_told`, `factors_serve_again`.

/// Buffers of one system, row-major; sized by the largest system seen.
#[derive(Clone, Debug, Default)]
pub struct Regular {
    size: usize,
    a: Vec<f64>,
    x: Vec<f64>,
    pivot: f64,
    /// What each row was multiplied by, and the row that each column was eliminated with.
    units: Vec<f64>,
    chosen: Vec<usize>,
}

impl Regular {
    /// A pivot below this fraction of its row is zero, unless told otherwise.
    pub const PIVOT: f64 = crate::numeric::thresholds::complementarity::PIVOT;

    /// The smallest pivot of the last system, a fraction of its row.
    pub fn smallest_pivot(&self) -> f64 {
        self.pivot
    }

    /// Starts a system of this size with A = 0 and b = 0.
    pub fn reset(&mut self, size: usize) {
        self.size = size;
        self.a.clear();
        self.a.resize(size * size, 0.0);
        self.x.clear();
        self.x.resize(size, 0.0);
        self.units.clear();
        self.chosen.clear();
    }

    /// Sets A\[i, j\].
    pub fn set(&mut self, i: usize, j: usize, value: f64) {
        self.a[i * self.size + j] = value;
    }

    /// Row i of A.
    pub fn row_mut(&mut self, i: usize) -> &mut [f64] {
        &mut self.a[i * self.size..(i + 1) * self.size]
    }

    /// Sets b\[i\].
    pub fn set_rhs(&mut self, i: usize, value: f64) {
        self.x[i] = value;
    }

    /// x, overwriting A by its factors and b; none if A is singular.
    pub fn solve(&mut self) -> Option<&[f64]> {
        self.solve_above(Self::PIVOT)
    }

    /// The same where a pivot below `least` of its row is zero.
    pub fn solve_above(&mut self, least: f64) -> Option<&[f64]> {
        let k = self.size;
        for (row, b) in self.a.chunks_exact_mut(k.max(1)).zip(&mut self.x) {
            let size = row.iter().fold(0.0_f64, |s, e| s.max(e.abs()));
            if size.is_nan() || size < f64::MIN_POSITIVE {
                return None;
            }
            let unit = 1.0 / size;
            row.iter_mut().for_each(|e| *e *= unit);
            *b *= unit;
            self.units.push(unit);
        }
        self.pivot = 1.0;
        for j in 0..k {
            self.eliminate_column(j, least)?;
        }
        self.substitute();
        Some(&self.x)
    }

    /// x for another right-hand side of the system that was solved last.
    pub fn solve_again(&mut self, rhs: impl Iterator<Item = f64>) -> &[f64] {
        let k = self.size;
        self.x.clear();
        self.x.extend(rhs.zip(&self.units).map(|(b, unit)| b * unit));
        for j in 0..k {
            self.x.swap(self.chosen[j], j);
            let b = self.x[j];
            if b != 0.0 {
                (j + 1..k).for_each(|i| self.x[i] -= self.a[i * k + j] * b);
            }
        }
        self.substitute();
        &self.x
    }

    fn substitute(&mut self) {
        let k = self.size;
        for i in (0..k).rev() {
            let row = &self.a[i * k..(i + 1) * k];
            let known: f64 = row[i + 1..].iter().zip(&self.x[i + 1..]).map(|(a, x)| a * x).sum();
            self.x[i] = (self.x[i] - known) / row[i];
        }
    }

    fn eliminate_column(&mut self, j: usize, least: f64) -> Option<()> {
        let k = self.size;
        let mut best = j;
        for i in j + 1..k {
            if self.a[i * k + j].abs() > self.a[best * k + j].abs() {
                best = i;
            }
        }
        self.pivot = self.pivot.min(self.a[best * k + j].abs());
        if self.pivot <= least {
            return None;
        }
        self.chosen.push(best);
        if best != j {
            for c in j..k {
                self.a.swap(best * k + c, j * k + c);
            }
            self.x.swap(best, j);
        }
        let (upper, lower) = self.a.split_at_mut((j + 1) * k);
        let pivot = &upper[j * k..];
        let (b, unit) = (self.x[j], 1.0 / pivot[j]);
        for (row, x) in lower.chunks_exact_mut(k).zip(&mut self.x[j + 1..]) {
            let f = row[j] * unit;
            row[j] = f;
            if f != 0.0 {
                row[j + 1..].iter_mut().zip(&pivot[j + 1..]).for_each(|(r, p)| *r -= f * p);
                *x -= f * b;
            }
        }
        Some(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn system(a: &[f64], b: &[f64]) -> Regular {
        let mut s = Regular::default();
        s.reset(b.len());
        s.a.copy_from_slice(a);
        s.x.copy_from_slice(b);
        s
    }

    #[test]
    fn regular_system() {
        let mut s = system(&[0.0, 2.0, 3.0, 1.0], &[4.0, 5.0]);
        let x = s.solve().unwrap();
        assert!((x[0] - 1.0).abs() < 1e-15 && (x[1] - 2.0).abs() < 1e-15);
    }

    #[test]
    fn factors_serve_again() {
        let a = [0.0, 2.0, 1.0, 3.0, 1.0, -4.0, 30.0, 7.0, 2.0];
        let mut s = system(&a, &[1.0, 0.0, 0.0]);
        s.solve().unwrap();
        for b in [[0.0, 1.0, 0.0], [2.0, -3.0, 5.0]] {
            let x = s.solve_again(b.into_iter()).to_vec();
            for (row, b) in a.chunks(3).zip(b) {
                let ax: f64 = row.iter().zip(&x).map(|(a, x)| a * x).sum();
                assert!((ax - b).abs() < 1e-14);
            }
        }
    }

    #[test]
    fn singular_system_is_told() {
        assert_eq!(system(&[1.0, 1.0, 2.0, 2.0], &[1.0, 2.0]).solve(), None);
        assert_eq!(system(&[2.0, 0.0, 0.0, 0.0], &[4.0, 0.0]).solve(), None);
    }
}
