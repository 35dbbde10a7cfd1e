//! Power series of the friction along redundant directions of contacts near their limit, equation (2) of `hold`.

use super::hold::{ALONG, Edge};
use super::series::{LONGEST, ORDER, Series};
use crate::numeric::thresholds::compliant::EDGE;

impl Series {
    /// Friction along the redundant direction of an edge, at one order: x² = (s μs F)² − y².
    pub(super) fn edge(&mut self, edge: &Edge, e: usize, across: f64, order: usize) -> f64 {
        let n = self.size.1;
        let place = |k: usize| 2 * (e * (ORDER + 1) + k);
        self.edges[place(order)] = across;
        let f = |k: usize| edge.limit * self.force[k * n + edge.site];
        let y = |k: usize| self.edges[place(k)];
        let x = |k: usize| self.edges[place(k) + 1];
        let square: f64 = (0..=order).map(|j| f(j) * f(order - j) - y(j) * y(order - j)).sum();
        let along = if order == 0 {
            edge.sign * square.max(f64::MIN_POSITIVE).sqrt()
        } else {
            let known: f64 = (1..order).map(|j| x(j) * x(order - j)).sum();
            (square - known) / (2.0 * x(0))
        };
        self.edges[place(order) + 1] = along;
        along
    }

    /// Coefficients of (s μs F)² − y² − (ALONG s μs F/2)², which an edge keeps positive.
    pub fn edge_room(&self, edge: &Edge, e: usize, out: &mut [f64]) {
        let n = self.size.1;
        let place = |k: usize| 2 * (e * (ORDER + 1) + k);
        let share = 1.0 - 0.25 * ALONG * ALONG;
        out.fill(0.0);
        for order in 0..self.order.min(out.len()) {
            out[order] = (0..=order)
                .map(|j| {
                    let k = order - j;
                    let f = edge.limit * edge.limit * share;
                    f * self.force[j * n + edge.site] * self.force[k * n + edge.site]
                        - self.edges[place(j)] * self.edges[place(k)]
                })
                .sum();
        }
    }
}

/// Longest τ at which the friction of an edge is a power series to its own remainder.
pub(super) fn edge_reach(edge: &[f64]) -> f64 {
    let along = |k: usize| edge[2 * k + 1].abs();
    let mut tau = LONGEST;
    for order in [ORDER - 2, ORDER - 1] {
        if along(order) > 0.0 {
            tau = tau.min((EDGE * along(0) / along(order)).powf(1.0 / order as f64));
        }
    }
    tau
}
