//! Motion as polynomials: every quantity of a run by its values at a few times, to a stated error.
//!
//! # Rule
//! Between two times a and b every quantity is the polynomial of degree p through its values at
//! ```text
//! t_j = a + (b − a) x_j,   x_j = (1 − cos(jπ/p))/2,   j = 0 … p                         (1)
//! y(x) = Σ w_j y_j/(x − x_j) / Σ w_j/(x − x_j),   w_j = (−1)^j, half at both ends       (2)
//! ```
//! (2) is the barycentric formula at Chebyshev's points. The degree is the first of 1, 2, 4, 8 whose polynomial meets
//! the motion at the points of degree 2p, which lie between its own; where none does, the piece is halved.        (3)
//!
//! Pieces follow each other: the last value of one is the first of the next, but for jumps, which are pieces of degree 0
//! from one value to the next at the same time.
//!
//! # Tests
//! `eq1_eq2_polynomials_are_exact`, `eq2_spots_at_jumps`; (3) by `tests/motion.rs`.

use std::f64::consts::PI;

/// Degrees that are tried, in order.
pub(super) const DEGREES: [usize; 4] = [1, 2, 4, 8];

/// Points of degree `p` on [0, 1] (1).
pub(super) fn points(p: usize) -> Vec<f64> {
    (0..=p).map(|j| 0.5 * (1.0 - (PI * j as f64 / p.max(1) as f64).cos())).collect()
}

/// Weights of the values of a piece of degree `p` at `x` in [0, 1] (2).
pub(super) fn weights(p: usize, x: f64) -> Vec<f64> {
    let nodes = points(p);
    if let Some(at) = nodes.iter().position(|node| *node == x) {
        return (0..=p).map(|j| if j == at { 1.0 } else { 0.0 }).collect();
    }
    let mut all: Vec<f64> = nodes
        .iter()
        .enumerate()
        .map(|(j, node)| {
            let sign = if j % 2 == 0 { 1.0 } else { -1.0 };
            let half = if j == 0 || j == p { 0.5 } else { 1.0 };
            sign * half / (x - node)
        })
        .collect();
    let sum: f64 = all.iter().sum();
    all.iter_mut().for_each(|w| *w /= sum);
    all
}

/// Where a time falls: the values from `first` on, with their weights.
#[derive(Debug, Clone, PartialEq)]
pub struct Spot {
    /// The first frame.
    pub first: usize,
    /// Weights of the values from there on.
    pub weights: Vec<f64>,
}

impl Spot {
    /// Exactly at a frame.
    pub fn frame(first: usize) -> Self {
        Self { first, weights: vec![1.0] }
    }

    /// Number `k` of `width` numbers per frame.
    pub fn number(&self, values: &[f64], width: usize, k: usize) -> f64 {
        let of = |(j, w): (usize, &f64)| w * values[(self.first + j) * width + k];
        self.weights.iter().enumerate().map(of).sum()
    }
}

/// The pieces of a run.
#[derive(Debug, Clone, PartialEq)]
pub struct Pieces {
    t: Vec<f64>,
    /// First frame and degree of each piece.
    pieces: Vec<(usize, usize)>,
}

impl Pieces {
    /// Pieces from the times of frames and the degrees of the document.
    pub fn new(t: Vec<f64>, degrees: &[u8]) -> Self {
        let mut first = 0;
        let next = |degree: &u8| {
            let own = first;
            first += usize::from(*degree).max(1);
            (own, usize::from(*degree))
        };
        Self { pieces: degrees.iter().map(next).collect(), t }
    }

    /// First and last frame of each piece that takes time.
    pub fn spans(&self) -> impl Iterator<Item = (usize, usize)> {
        self.pieces.iter().filter(|(_, p)| *p > 0).map(|(first, p)| (*first, first + p))
    }

    /// The spot of a time in a piece from frame `first` to `last`.
    pub fn spot(&self, (first, last): (usize, usize), t: f64) -> Spot {
        let x = (t - self.t[first]) / (self.t[last] - self.t[first]);
        Spot { first, weights: weights(last - first, x.clamp(0.0, 1.0)) }
    }

    /// The spot of a time; at a jump, the state after it.
    pub fn at(&self, t: f64) -> Spot {
        let piece = self.pieces.partition_point(|(first, _)| self.t[*first] <= t).saturating_sub(1);
        match self.pieces.get(piece) {
            Some((first, p)) if *p > 0 && t > self.t[*first] => self.spot((*first, first + p), t),
            Some((first, 0)) if t >= self.t[*first] => Spot::frame(first + 1),
            Some((first, _)) => Spot::frame(*first),
            None => Spot::frame(0),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn eq1_eq2_polynomials_are_exact() {
        for p in DEGREES {
            let power = |x: f64| 1.0 + (1..=p).map(|k| x.powi(k as i32) / k as f64).sum::<f64>();
            let values: Vec<f64> = points(p).into_iter().map(power).collect();
            for k in 0..=40 {
                let x = f64::from(k) / 40.0;
                let y: f64 = weights(p, x).iter().zip(&values).map(|(w, y)| w * y).sum();
                assert!((y - power(x)).abs() < 1e-13, "{p} {x}");
            }
        }
    }

    #[test]
    fn eq2_spots_at_jumps() {
        // A parabola, a jump, a line.
        let pieces = Pieces::new(vec![0.0, 0.5, 1.0, 1.0, 3.0], &[2, 0, 1]);
        let y = [0.0, 1.0, 0.0, 5.0, 7.0];
        let value = |t: f64| pieces.at(t).number(&y, 1, 0);
        let wanted = [(0.0, 0.0), (0.25, 0.75), (0.5, 1.0), (1.0, 5.0), (2.0, 6.0), (3.0, 7.0)];
        assert!(wanted.iter().all(|(t, y)| (value(*t) - y).abs() < 1e-14));
        assert_eq!(pieces.spans().collect::<Vec<_>>(), [(0, 2), (3, 4)]);
    }
}
