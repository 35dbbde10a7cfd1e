//! Curves through samples that are far apart.
//!
//! A run may keep every step of its integrator only, and in smooth motion a step is long: forces, losses and total
//! energy joined by straight lines would show kinks that are not there. Within a smooth stretch they are monotone cubics
//! (Fritsch and Butland): with steps h and slopes δ of the chords,
//! ```text
//! d_k = 0 if δ_{k−1} δ_k ≤ 0, else 3(h_{k−1} + h_k)/((2h_k + h_{k−1})/δ_{k−1} + (h_k + 2h_{k−1})/δ_k)     (1)
//! y = h₀₀ y_k + h₁₀ h d_k + h₀₁ y_{k+1} + h₁₁ h d_{k+1}                                                   (2)
//! ```
//! with Hermite's cubics h. Samples stay where they are and no extreme is added. At the ends d is the slope of the
//! parabola through three samples, limited so that the curve stays monotone.
//!
//! # Tests
//! `eq1_no_new_extremes`, `eq2_parabolas_are_met`.

/// A curve through the samples of one smooth stretch.
#[derive(Debug, Clone)]
pub(super) struct Smooth<'a> {
    t: &'a [f64],
    y: &'a [f64],
    d: Vec<f64>,
}

impl<'a> Smooth<'a> {
    /// The curve through samples at times that grow.
    pub fn new(t: &'a [f64], y: &'a [f64]) -> Self {
        Self { t, y, d: slopes(t, y) }
    }

    /// Its value at a time (2).
    pub fn at(&self, t: f64) -> f64 {
        value(self.t, self.y, &self.d, t)
    }
}

/// Slopes at the samples (1).
fn slopes(t: &[f64], y: &[f64]) -> Vec<f64> {
    let n = t.len();
    if n < 3 {
        let d = if n == 2 { (y[1] - y[0]) / (t[1] - t[0]) } else { 0.0 };
        return vec![d; n];
    }
    let h: Vec<f64> = t.windows(2).map(|t| t[1] - t[0]).collect();
    let c: Vec<f64> = (0..n - 1).map(|k| (y[k + 1] - y[k]) / h[k]).collect();
    let mut d = vec![end(h[0], h[1], c[0], c[1])];
    for k in 1..n - 1 {
        let (a, b) = (2.0 * h[k] + h[k - 1], h[k] + 2.0 * h[k - 1]);
        let flat = c[k - 1] * c[k] <= 0.0;
        d.push(if flat { 0.0 } else { (a + b) / (a / c[k - 1] + b / c[k]) });
    }
    d.push(end(h[n - 2], h[n - 3], c[n - 2], c[n - 3]));
    d
}

/// Slope at an end with steps and chords from there inwards.
fn end(h0: f64, h1: f64, c0: f64, c1: f64) -> f64 {
    let d = ((2.0 * h0 + h1) * c0 - h0 * c1) / (h0 + h1);
    if d * c0 <= 0.0 {
        0.0
    } else if d.abs() > 3.0 * c0.abs() {
        3.0 * c0
    } else {
        d
    }
}

/// The curve at a time (2).
fn value(t: &[f64], y: &[f64], d: &[f64], x: f64) -> f64 {
    let k = t.partition_point(|t| *t <= x).clamp(1, t.len().max(2) - 1) - 1;
    if t.len() < 2 {
        return y.first().copied().unwrap_or(f64::NAN);
    }
    let h = t[k + 1] - t[k];
    let s = ((x - t[k]) / h).clamp(0.0, 1.0);
    let (a, b) = (1.0 - s, s);
    y[k] * a * a * (1.0 + 2.0 * b) + h * d[k] * b * a * a + y[k + 1] * b * b * (1.0 + 2.0 * a)
        - h * d[k + 1] * a * b * b
}

#[cfg(test)]
mod tests {
    use super::*;

    fn fill(t: &[f64], y: &[f64], frames: &[f64]) -> Vec<f64> {
        let curve = Smooth::new(t, y);
        frames.iter().map(|t| curve.at(*t)).collect()
    }

    #[test]
    fn eq1_no_new_extremes() {
        let (t, y) = ([0.0, 1.0, 1.5, 3.0, 4.0], [0.0, 0.0, 2.0, 2.1, 2.1]);
        let frames: Vec<f64> = (0..=400).map(|k| f64::from(k) * 0.01).collect();
        let curve = fill(&t, &y, &frames);
        assert!(curve.windows(2).all(|y| y[1] >= y[0] - 1e-12));
        for (t, y) in t.iter().zip(y) {
            assert!((curve[(t * 100.0) as usize] - y).abs() < 1e-12);
        }
    }

    #[test]
    fn eq2_parabolas_are_met() {
        let t: Vec<f64> = (0..9).map(|k| 1.0 + 0.25 * f64::from(k)).collect();
        let y: Vec<f64> = t.iter().map(|t| t * t).collect();
        let frames: Vec<f64> = (0..=200).map(|k| 1.0 + 0.01 * f64::from(k)).collect();
        let curve = fill(&t, &y, &frames);
        let worst = frames.iter().zip(&curve).map(|(t, y)| (y - t * t).abs()).fold(0.0, f64::max);
        // Chords err by h²/4 = 1.6e-2. The harmonic mean of (1) errs in slope by h²/(2t), the curve by h³/(8t).
        assert!(worst < 0.25f64.powi(3) / 8.0, "{worst}");
    }
}
