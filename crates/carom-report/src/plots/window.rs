//! The part of a run that is plotted.
//!
//! Unless an end is asked for, a run that comes to rest early is plotted a little beyond that: with t_r the time from
//! which all speeds are exactly zero and t₀ the start,
//! ```text
//! end = min(t_end, t_r + 0.12 (t_r − t₀)),   if t_r − t₀ < 0.7 (t_end − t₀)             (1)
//! ```
//!
//! # Tests
//! `eq1_rest_is_cut`.

use crate::document::RunDocument;
use carom_figure::Axis;

/// Frames that are plotted.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Window {
    /// Times of the frames, s.
    pub t: Vec<f64>,
    /// Time from which nothing moves, if the window is cut there.
    pub rest: Option<f64>,
    first: usize,
}

impl Window {
    /// The window of a run, from and until times that are asked for.
    pub fn new(document: &RunDocument, from: Option<f64>, until: Option<f64>) -> Self {
        let t = document.t.to_f64();
        let speeds: Vec<Vec<f64>> = document
            .series
            .iter()
            .filter(|s| s.group == "speeds")
            .map(|s| s.values.to_f64())
            .collect();
        let moves = |k: usize| speeds.iter().any(|v| v[k] != 0.0);
        let rest = (0..t.len()).rev().find(|k| moves(*k)).map_or(0, |k| k + 1);
        Self::cut(&t, t.get(rest).copied(), from, until)
    }

    fn cut(t: &[f64], rest: Option<f64>, from: Option<f64>, until: Option<f64>) -> Self {
        let (start, end) = (t.first().copied().unwrap_or(0.0), t.last().copied().unwrap_or(0.0));
        let rest =
            rest.filter(|r| *r > start && r - start < 0.7 * (end - start) && until.is_none());
        let until = until.or(rest.map(|r| r + 0.12 * (r - start))).unwrap_or(end);
        let first = t.iter().position(|t| from.is_none_or(|from| *t >= from)).unwrap_or(0);
        let shown: Vec<f64> = t[first..].iter().copied().take_while(|t| *t <= until).collect();
        // A window that holds nothing is the whole run.
        if shown.len() < 2 {
            return Self { t: t.to_vec(), rest: None, first: 0 };
        }
        Self { t: shown, rest, first }
    }

    /// The frames of the window.
    pub fn frames(&self) -> std::ops::Range<usize> {
        self.first..self.first + self.t.len()
    }

    /// Values of all frames cut to the window.
    pub fn of(&self, values: Vec<f64>) -> Vec<f64> {
        values[self.frames()].to_vec()
    }

    /// Whether a time is in the window.
    pub fn holds(&self, t: f64) -> bool {
        self.t.first().is_some_and(|a| t >= *a) && self.t.last().is_some_and(|b| t <= *b)
    }

    /// The axis of time over the whole window.
    pub fn axis(&self) -> Axis {
        let ends = [self.t.first(), self.t.last()].map(|t| t.copied().unwrap_or(0.0));
        Axis::new("t", "s").include(ends[0]).include(ends[1])
    }

    /// What a caption says of a window that is cut.
    pub fn caption(&self) -> Option<String> {
        self.rest.map(|t| format!("From t = {} s on nothing moves.", short(t)))
    }
}

/// A number with four significant digits, without trailing zeros, with a typographic minus.
pub(crate) fn short(x: f64) -> String {
    let digits = if x == 0.0 { 0 } else { (3 - x.abs().log10().floor() as i32).clamp(0, 9) };
    let text = format!("{x:.*}", digits as usize);
    let text =
        if text.contains('.') { text.trim_end_matches('0').trim_end_matches('.') } else { &text };
    text.replace('-', "−")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn eq1_rest_is_cut() {
        let t: Vec<f64> = (0..=100).map(|k| f64::from(k) * 0.1).collect();
        let window = Window::cut(&t, Some(2.0), None, None);
        assert_eq!(window.rest, Some(2.0));
        assert!((window.t.last().unwrap() - 2.2).abs() < 1e-12);
        let late = Window::cut(&t, Some(8.0), None, None);
        assert_eq!((late.rest, late.t.len()), (None, 101));
        let asked = Window::cut(&t, Some(2.0), Some(1.0), Some(5.0));
        assert_eq!((asked.t[0], asked.rest), (1.0, None));
        assert!((asked.t.last().unwrap() - 5.0).abs() < 1e-12);
        assert_eq!(asked.of(t.clone()), asked.t);
        assert_eq!(Window::cut(&t, None, Some(50.0), Some(20.0)).t.len(), 101);
    }

    #[test]
    fn short_numbers() {
        assert_eq!(short(0.45152), "0.4515");
        assert_eq!(short(-12.0), "−12");
        assert_eq!(short(0.0), "0");
        assert_eq!(short(123456.0), "123456");
    }
}
