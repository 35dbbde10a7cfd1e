//! Stage rates of a Runge–Kutta step and their linear combinations.

use super::flow_error::FlowError;
use super::rate::Rate;

/// One row of a Runge–Kutta table: stage index (from 0) and weight.
pub type Row<const S: usize> = [(usize, f64); S];

/// Storage of the stages of one step, sized once.
#[derive(Debug, Clone)]
pub(super) struct Stages {
    n: usize,
    /// Stage rates, one after the other.
    k: Vec<f64>,
    /// State of the stage at hand; after the last stage, the result of the step.
    pub(super) y: Vec<f64>,
    /// Rate evaluations so far.
    pub(super) evaluations: u64,
}

impl Stages {
    pub(super) fn new(n: usize, stages: usize) -> Self {
        Self { n, k: vec![0.0; n * stages], y: vec![0.0; n], evaluations: 0 }
    }

    /// Rate of stage `s`.
    #[inline]
    pub(super) fn k(&self, s: usize) -> &[f64] {
        &self.k[s * self.n..(s + 1) * self.n]
    }

    /// Place of the rate of stage `s`.
    pub(super) fn k_mut(&mut self, s: usize) -> &mut [f64] {
        &mut self.k[s * self.n..(s + 1) * self.n]
    }

    /// Copies the rate of stage `from` to stage `to`.
    pub(super) fn copy(&mut self, from: usize, to: usize) {
        self.k.copy_within(from * self.n..(from + 1) * self.n, to * self.n);
    }

    /// y ← y0 + h Σ w k.
    #[inline]
    pub(super) fn combine<const S: usize>(&mut self, h: f64, y0: &[f64], row: Row<S>) {
        let n = self.n;
        let k: [&[f64]; S] = row.map(|(s, _)| &self.k[s * n..(s + 1) * n]);
        let (y, y0) = (&mut self.y[..n], &y0[..n]);
        for i in 0..n {
            let mut sum = 0.0;
            for s in 0..S {
                sum += row[s].1 * k[s][i];
            }
            y[i] = y0[i] + h * sum;
        }
    }

    /// out ← h Σ w k.
    #[inline]
    pub(super) fn weigh<const S: usize>(&self, h: f64, row: Row<S>, out: &mut [f64]) {
        let n = self.n;
        let k: [&[f64]; S] = row.map(|(s, _)| &self.k[s * n..(s + 1) * n]);
        for (i, out) in out[..n].iter_mut().enumerate() {
            let mut sum = 0.0;
            for s in 0..S {
                sum += row[s].1 * k[s][i];
            }
            *out = h * sum;
        }
    }

    /// Σ w k for one component.
    #[inline]
    pub(super) fn weighted<const S: usize>(&self, row: &Row<S>, i: usize) -> f64 {
        let mut sum = 0.0;
        for &(s, w) in row {
            sum += w * self.k[s * self.n + i];
        }
        sum
    }

    /// Evaluates the rate at the stage state into stage `s`.
    #[inline]
    pub(super) fn evaluate<R: Rate>(
        &mut self,
        rate: &mut R,
        t: f64,
        s: usize,
    ) -> Result<(), FlowError<R::Error>> {
        self.evaluations += 1;
        let k = &mut self.k[s * self.n..(s + 1) * self.n];
        rate.rate(t, &self.y, k).map_err(|source| FlowError::Rate { t, source })
    }

    /// Evaluates the rate at `y` into stage `s`.
    #[inline]
    pub(super) fn evaluate_at<R: Rate>(
        &mut self,
        rate: &mut R,
        t: f64,
        y: &[f64],
        s: usize,
    ) -> Result<(), FlowError<R::Error>> {
        self.evaluations += 1;
        let k = &mut self.k[s * self.n..(s + 1) * self.n];
        rate.rate(t, y, k).map_err(|source| FlowError::Rate { t, source })
    }
}
