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

use crate::document::{Pieces, RunDocument, Spot};
use carom_figure::Axis;

/// Points of a curve over the whole window at least.
const POINTS: f64 = 1000.0;

/// Times that are plotted. Polynomials are drawn by as many points as their share of the window asks for, and by a few
/// at least; jumps have two.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Window {
    /// Times of the points, s.
    pub t: Vec<f64>,
    /// Time from which nothing moves, if the window is cut there.
    pub rest: Option<f64>,
    /// Where the points fall.
    pub spots: Vec<Spot>,
    /// The last point at or before each frame of the document.
    points: Vec<usize>,
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
        let at = |v: &[f64], k: usize| if v.len() == 1 { v[0] } else { v[k] };
        let moves = |k: usize| speeds.iter().any(|v| at(v, k) != 0.0);
        let rest = (0..t.len()).rev().find(|k| moves(*k)).map_or(0, |k| k + 1);
        Self::cut(&t, &document.pieces(), t.get(rest).copied(), (from, until))
    }

    fn cut(
        t: &[f64],
        pieces: &Pieces,
        rest: Option<f64>,
        (from, until): (Option<f64>, Option<f64>),
    ) -> Self {
        let (start, end) = (t.first().copied().unwrap_or(0.0), t.last().copied().unwrap_or(0.0));
        let rest =
            rest.filter(|r| *r > start && r - start < 0.7 * (end - start) && until.is_none());
        let mut until = until.or(rest.map(|r| r + 0.12 * (r - start))).unwrap_or(end).min(end);
        let mut from = from.unwrap_or(start).max(start);
        // A window that holds nothing is the whole run.
        let rest = rest.filter(|_| from < until);
        if from >= until {
            (from, until) = (start, end);
        }
        let mut window = Self { t: Vec::new(), rest, spots: Vec::new(), points: Vec::new() };
        window.points = vec![0; t.len()];
        window.fill(t, pieces, (from, until));
        window
    }

    fn fill(&mut self, t: &[f64], pieces: &Pieces, (from, until): (f64, f64)) {
        let spans: Vec<(usize, usize)> =
            pieces.spans().filter(|(a, b)| t[*b] >= from && t[*a] <= until).collect();
        // Where there are few pieces each is a smooth curve by itself, however short it is.
        let least = (2500 / spans.len().max(1)).clamp(2, 24);
        let mut last = None;
        for (first, end) in spans {
            let (a, b) = (t[first].max(from), t[end].min(until));
            if last != Some(first) {
                self.add(
                    a,
                    if a > t[first] { pieces.spot((first, end), a) } else { Spot::frame(first) },
                );
            }
            self.points[first] = self.t.len() - 1;
            let degree = end - first;
            let share = (POINTS * (b - a) / (until - from)).ceil() as usize;
            let count = if degree == 1 { 1 } else { share.clamp(least, POINTS as usize) };
            for k in 1..count {
                let time = a + (b - a) * k as f64 / count as f64;
                self.add(time, pieces.spot((first, end), time));
            }
            let whole = b >= t[end];
            self.add(b, if whole { Spot::frame(end) } else { pieces.spot((first, end), b) });
            for frame in first + 1..=end {
                self.points[frame] = self.t.len() - 1;
            }
            last = whole.then_some(end);
        }
        // A run of one sample, or of jumps only.
        if self.t.is_empty() {
            for k in 0..t.len() {
                self.points[k] = k;
                self.add(t[k], Spot::frame(k));
            }
        }
    }

    fn add(&mut self, t: f64, spot: Spot) {
        self.t.push(t);
        self.spots.push(spot);
    }

    /// The points of the window.
    pub fn frames(&self) -> std::ops::Range<usize> {
        0..self.t.len()
    }

    /// The point of a frame of the document, such as that of an event.
    pub fn point(&self, frame: usize) -> usize {
        self.points.get(frame).copied().unwrap_or(0)
    }

    /// A series of the document at the points of the window.
    pub fn of(&self, values: Vec<f64>) -> Vec<f64> {
        match values[..] {
            [same] => vec![same; self.t.len()],
            _ => self.spots.iter().map(|spot| spot.number(&values, 1, 0)).collect(),
        }
    }

    /// Codes of the document at the points of the window, which do not change within a polynomial.
    pub fn codes(&self, codes: &[f64]) -> Vec<f64> {
        match codes[..] {
            [same] => vec![same; self.t.len()],
            _ => self.spots.iter().map(|spot| codes[spot.first]).collect(),
        }
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
        let pieces = Pieces::new(t.clone(), &[1; 100]);
        let cut = |rest, from, until| Window::cut(&t, &pieces, rest, (from, until));
        let window = cut(Some(2.0), None, None);
        assert_eq!(window.rest, Some(2.0));
        assert!((window.t.last().unwrap() - 2.24).abs() < 1e-12);
        let late = cut(Some(8.0), None, None);
        assert_eq!((late.rest, late.t.len()), (None, 101));
        let asked = cut(Some(2.0), Some(1.0), Some(5.0));
        assert_eq!((asked.t[0], asked.rest), (1.0, None));
        assert!((asked.t.last().unwrap() - 5.0).abs() < 1e-12);
        let shown = asked.of(t.clone());
        assert!(shown.iter().zip(&asked.t).all(|(a, b)| (a - b).abs() < 1e-12));
        assert_eq!(cut(None, Some(50.0), Some(20.0)).t.len(), 101);
    }

    /// A parabola is a curve in a window that is much shorter than the run.
    #[test]
    fn short_windows_have_points() {
        let t = [0.0, 0.5, 1.0, 1.0, 1.5, 2.0];
        let pieces = Pieces::new(t.to_vec(), &[2, 0, 2]);
        let window = Window::cut(&t, &pieces, None, (Some(0.9), Some(1.1)));
        assert!(window.t.len() > 900, "{}", window.t.len());
        assert_eq!(window.t.windows(2).filter(|w| w[0] == w[1]).count(), 1);
        let parabola: Vec<f64> = t.iter().map(|t| t * t).collect();
        let shown = window.of(parabola);
        assert!(shown.iter().zip(&window.t).all(|(y, t)| (y - t * t).abs() < 1e-12));
        let after = window.point(3);
        assert_eq!((window.t[after], window.t[after - 1]), (1.0, 1.0));
    }

    #[test]
    fn short_numbers() {
        assert_eq!(short(0.45152), "0.4515");
        assert_eq!(short(-12.0), "−12");
        assert_eq!(short(0.0), "0");
        assert_eq!(short(123456.0), "123456");
    }
}
