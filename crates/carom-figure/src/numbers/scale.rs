//! From numbers to pixels along one axis.
//!
//! ```text
//! linear:       s = (x − x₀)/(x₁ − x₀)                (1)
//! logarithmic:  s = ln(x/x₀)/ln(x₁/x₀)                (2)
//! pixel:        p = p₀ + s (p₁ − p₀)                  (3)
//! ```
//!
//! # Tests
//! `eq1_eq3_linear`, `eq2_logarithmic`.

/// An axis with its range of numbers and pixels.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Scale {
    pub range: [f64; 2],
    pub pixels: [f64; 2],
    pub log: bool,
}

impl Scale {
    /// The pixel of a number; not finite where there is none.
    pub fn at(&self, x: f64) -> f64 {
        let [a, b] = self.range;
        let s = if self.log { (x / a).ln() / (b / a).ln() } else { (x - a) / (b - a) };
        self.pixels[0] + s * (self.pixels[1] - self.pixels[0])
    }

    /// Whether a number is within the range, with a little room for round-off.
    pub fn shows(&self, x: f64) -> bool {
        let p = self.at(x);
        let (low, high) = (self.pixels[0].min(self.pixels[1]), self.pixels[0].max(self.pixels[1]));
        p >= low - 0.01 && p <= high + 0.01
    }

    /// Length, px.
    pub fn length(&self) -> f64 {
        (self.pixels[1] - self.pixels[0]).abs()
    }
}

/// Smallest and largest of some numbers, finite ones only.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Extent {
    pub low: f64,
    pub high: f64,
}

impl Extent {
    /// Of nothing.
    pub const EMPTY: Self = Self { low: f64::INFINITY, high: f64::NEG_INFINITY };

    /// With one number more; `log` passes over numbers that have no logarithm.
    pub fn add(&mut self, x: f64, log: bool) {
        if x.is_finite() && (!log || x > 0.0) {
            self.low = self.low.min(x);
            self.high = self.high.max(x);
        }
    }

    /// With many numbers more.
    pub fn add_all<'a>(&mut self, xs: impl IntoIterator<Item = &'a f64>, log: bool) {
        for x in xs {
            self.add(*x, log);
        }
    }

    /// Whether no number was seen.
    pub fn is_empty(&self) -> bool {
        self.low > self.high
    }

    /// The range of an axis: the extent with `margin` parts of it added on both sides. Where the numbers are equal to
    /// round-off, a range around them that shows them as equal.
    pub fn range(&self, margin: f64, log: bool) -> [f64; 2] {
        if self.is_empty() {
            return if log { [1.0, 10.0] } else { [0.0, 1.0] };
        }
        if log {
            let part = (self.high / self.low).ln().max(1.0) * margin;
            return [self.low * (-part).exp(), self.high * part.exp()];
        }
        let size = self.low.abs().max(self.high.abs());
        let span = self.high - self.low;
        if span <= 1e-9 * size || span < 1e-250 {
            let half = if size > 0.0 { 0.1 * size } else { 1.0 };
            return [self.low - half, self.high + half];
        }
        [self.low - margin * span, self.high + margin * span]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn eq1_eq3_linear() {
        let scale = Scale { range: [-1.0, 3.0], pixels: [100.0, 20.0], log: false };
        assert_eq!(scale.at(-1.0), 100.0);
        assert_eq!(scale.at(3.0), 20.0);
        assert_eq!(scale.at(1.0), 60.0);
        assert!(scale.shows(3.0) && !scale.shows(3.1));
    }

    #[test]
    fn eq2_logarithmic() {
        let scale = Scale { range: [1e-2, 1e2], pixels: [0.0, 400.0], log: true };
        for (x, p) in [(1e-2, 0.0), (1e-1, 100.0), (1.0, 200.0), (1e2, 400.0)] {
            assert!((scale.at(x) - p).abs() < 1e-9);
        }
        assert!(!scale.shows(-1.0));
    }

    #[test]
    fn equal_numbers_have_a_range_that_does_not_magnify_round_off() {
        let mut extent = Extent::EMPTY;
        extent.add_all(&[2.0, 2.0 + 1e-14, f64::NAN], false);
        let [low, high] = extent.range(0.0, false);
        assert!((low - 1.8).abs() < 1e-12 && (high - 2.2).abs() < 1e-12);
        assert_eq!(Extent::EMPTY.range(0.1, false), [0.0, 1.0]);
    }
}
