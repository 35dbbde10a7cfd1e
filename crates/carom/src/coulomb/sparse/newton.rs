//! Newton's method on contacts that yield, equations (2) and (3) of the parent.
//!
//! Steps are halved while ‖F‖ does not fall; before that a few full steps in a row are tried, because the way to
//! the right piece of F can lead over large values.

use super::factor::Factor;
use super::local::{self, Small};
use super::problem::{ROWS, SparseProblem};
use super::sweep::Softness;

/// Buffers of the iteration.
#[derive(Debug, Clone, Default)]
pub(super) struct Newton {
    pub factor: Factor,
    s: Vec<f64>,
    w: Vec<f64>,
    trial: Vec<f64>,
    far: Vec<f64>,
    first: Vec<f64>,
    direction: Vec<f64>,
    right: Vec<f64>,
    eliminated: Vec<([f64; ROWS], Small)>,
    /// Steps taken so far.
    pub steps: u64,
}

impl Newton {
    const ITERATIONS: usize = 40;
    const HALVINGS: usize = 12;
    const LEAPS: usize = 8;

    /// Improves x, one friction per contact, until F vanishes to round-off or stops falling; returns what is left of
    /// it, a fraction of x. The factor must be analysed.
    pub fn polish(
        &mut self,
        problem: &SparseProblem,
        mu: &[f64],
        soft: &Softness<'_>,
        x: &mut [f64],
    ) -> f64 {
        let mut value = self.evaluate(problem, mu, soft, x);
        let mut size = f64::MIN_POSITIVE;
        for _ in 0..Self::ITERATIONS {
            size = x.iter().fold(f64::MIN_POSITIVE, |m, x| m.max(x.abs()));
            if value <= f64::EPSILON * 0.5 * size || !value.is_finite() {
                break;
            }
            if !self.direct(problem, mu, soft, x) {
                break;
            }
            let better = self.search(problem, mu, soft, x, (value, 1));
            let better = better.or_else(|| self.leap(problem, mu, soft, x, value));
            let Some(better) = better else { break };
            value = better;
        }
        value / size
    }

    /// w at x, and ‖F‖.
    fn evaluate(
        &mut self,
        problem: &SparseProblem,
        mu: &[f64],
        soft: &Softness<'_>,
        x: &[f64],
    ) -> f64 {
        problem.gather(x, &mut self.s);
        problem.velocity(&self.s, &mut self.w);
        let mut sum = 0.0;
        for k in 0..problem.contacts.len() {
            let rows = problem.rows_of(k);
            for i in rows.clone() {
                self.w[i] += soft.yields(i, x[i]);
            }
            let f = local::value(problem, k, mu[k], &x[rows.clone()], &self.w[rows]);
            sum += f.iter().map(|f| f * f).sum::<f64>();
        }
        sum.sqrt()
    }

    /// Equations (2) and (3) into `direction`; false if that is not possible.
    fn direct(
        &mut self,
        problem: &SparseProblem,
        mu: &[f64],
        soft: &Softness<'_>,
        x: &[f64],
    ) -> bool {
        self.steps += 1;
        self.factor.clear();
        self.eliminated.clear();
        self.right.clear();
        self.right.resize(problem.freedom(), 0.0);
        for k in 0..problem.contacts.len() {
            let rows = problem.rows_of(k);
            let n = rows.len();
            let at = local::derivative(problem, k, mu[k], &x[rows.clone()], &self.w[rows]);
            let Some((f, C)) = at.eliminate(n, soft.by) else { return false };
            self.factor.add(problem, k, &C);
            let minus = f.map(|f| -f);
            problem.add(k, &minus[..n], &mut self.right);
            self.eliminated.push((f, C));
        }
        if !self.factor.factorise() {
            return false;
        }
        self.factor.solve(&mut self.right);
        self.direction.clear();
        for (k, (f, C)) in self.eliminated.iter().enumerate() {
            let z = problem.times(k, &self.right);
            let n = problem.rows_of(k).len();
            let step = |i: usize| -f[i] - (0..n).map(|j| C[i][j] * z[j]).sum::<f64>();
            self.direction.extend((0..n).map(step));
        }
        true
    }

    /// Halves the step until ‖F‖ falls; leaves w at the new point.
    fn search(
        &mut self,
        problem: &SparseProblem,
        mu: &[f64],
        soft: &Softness<'_>,
        x: &mut [f64],
        (value, halvings): (f64, usize),
    ) -> Option<f64> {
        let mut trial = std::mem::take(&mut self.trial);
        let mut length = 1.0;
        let mut found = None;
        for _ in 0..halvings {
            trial.clear();
            trial.extend(x.iter().zip(&self.direction).map(|(x, d)| x + length * d));
            let better = self.evaluate(problem, mu, soft, &trial);
            if better < value {
                x.copy_from_slice(&trial);
                found = Some(better);
                break;
            }
            length *= 0.5;
        }
        self.trial = trial;
        found
    }

    /// A few full steps in a row; if they lead nowhere the first is halved.
    fn leap(
        &mut self,
        problem: &SparseProblem,
        mu: &[f64],
        soft: &Softness<'_>,
        x: &mut [f64],
        value: f64,
    ) -> Option<f64> {
        let mut far = std::mem::take(&mut self.far);
        let mut first = std::mem::take(&mut self.first);
        first.clone_from(&self.direction);
        far.clear();
        far.extend_from_slice(x);
        let mut found = None;
        for _ in 0..Self::LEAPS {
            far.iter_mut().zip(&self.direction).for_each(|(x, d)| *x += d);
            let now = self.evaluate(problem, mu, soft, &far);
            if now < value {
                x.copy_from_slice(&far);
                found = Some(now);
                break;
            }
            if !now.is_finite() || !self.direct(problem, mu, soft, &far) {
                break;
            }
        }
        if found.is_none() {
            self.direction.clone_from(&first);
            found = self.search(problem, mu, soft, x, (value, Self::HALVINGS));
        }
        (self.far, self.first) = (far, first);
        found
    }
}
