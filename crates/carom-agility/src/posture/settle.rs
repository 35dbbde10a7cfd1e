//! The nearest posture on the ground, equation (4).
//!
//! Each step is the least change that mends H and those K that are violated, to first order; a
//! coordinate that would leave its range stops at the end of it and the rest share the work.

use super::constraints::{Constraints, Local};
use crate::capability::evaluator::Evaluator;
use crate::error::AgilityError;
use crate::thresholds::settle::{LIFT, RANK, SETTLED, WITHIN};
use carom::complementarity::MinNorm;
use carom::dynamics::integrate;
use carom::model::Model;
use nalgebra::{DMatrix, DVector};

/// Steps at most.
const STEPS: usize = 60;
/// Longest change of a coordinate in one step, rad or m.
const LONGEST: f64 = 0.5;

/// Move `q` to the nearest posture that meets the constraints.
pub fn settle(
    evaluator: &mut Evaluator<'_, '_>,
    constraints: &Constraints,
    q: &[f64],
) -> Result<Vec<f64>, AgilityError> {
    let model = evaluator.stance().model();
    let rest = vec![0.0; model.nv()];
    let mut q = q.to_vec();
    clamp(model, constraints, &mut q);
    let mut moved = q.clone();
    let mut best = f64::INFINITY;
    for _ in 0..STEPS {
        evaluator.place(0.0, &q, &rest);
        let local = constraints.local(evaluator, &q);
        let miss = constraints.miss_of(&local, model, &q);
        best = best.min(miss);
        if miss <= SETTLED {
            return Ok(q);
        }
        let Some(step) = least_change(constraints, model, &local, &q) else { break };
        integrate::step(model, &q, step.as_slice(), &mut moved);
        clamp(model, constraints, &mut moved);
        std::mem::swap(&mut q, &mut moved);
    }
    let names: Vec<String> =
        evaluator.stance().contacts().iter().map(|s| format!("`{}`", s.name)).collect();
    Err(AgilityError::OutOfReach { feet: names.join(", "), miss: best })
}

/// Into the ranges, exactly.
fn clamp(model: &Model, constraints: &Constraints, q: &mut [f64]) {
    for (dof, at) in model.q_of_v().iter().enumerate() {
        if let Some(at) = at {
            let span = constraints.span(dof);
            q[*at] = q[*at].max(span.lower).min(span.upper);
        }
    }
}

/// The least step; coordinates at the end of their range drop out one round after another.
fn least_change(
    constraints: &Constraints,
    model: &Model,
    local: &Local,
    q: &[f64],
) -> Option<DVector<f64>> {
    let n = model.nv();
    let low: Vec<usize> = (0..local.clear.len()).filter(|&i| local.clear[i] < LIFT).collect();
    let rows = local.equal.len() + low.len();
    let mut A = DMatrix::zeros(rows, n);
    let mut b = DVector::zeros(rows);
    A.rows_mut(0, local.equal.len()).copy_from(&local.equal_rows);
    b.rows_mut(0, local.equal.len()).copy_from(&-&local.equal);
    for (k, &i) in low.iter().enumerate() {
        A.row_mut(local.equal.len() + k).copy_from(&local.clear_rows.row(i));
        b[local.equal.len() + k] = LIFT - local.clear[i];
    }
    let mut free: Vec<bool> = (0..n).map(|dof| constraints.varied(dof)).collect();
    let mut fixed = DVector::zeros(n);
    // Each round stops at least one coordinate; the last has none left to stop.
    for _ in 0..=n {
        let step = solve(&A, &b, &free, &fixed);
        let mut stopped = false;
        for dof in (0..n).filter(|&dof| free[dof]).collect::<Vec<_>>() {
            let Some(at) = model.q_of_v()[dof] else { continue };
            let span = constraints.span(dof);
            let wanted = q[at] + step[dof];
            let end = wanted.max(span.lower).min(span.upper);
            if (wanted - end).abs() > WITHIN {
                (free[dof], fixed[dof], stopped) = (false, end - q[at], true);
            }
        }
        if !stopped {
            let longest = step.amax();
            return longest.is_finite().then(|| step * (LONGEST / longest).min(1.0));
        }
    }
    None
}

/// Minimum-norm step over the free coordinates.
fn solve(A: &DMatrix<f64>, b: &DVector<f64>, free: &[bool], fixed: &DVector<f64>) -> DVector<f64> {
    let rest = b - A * fixed;
    let columns: Vec<usize> = (0..free.len()).filter(|&j| free[j]).collect();
    let mut step = fixed.clone();
    if columns.is_empty() || b.is_empty() {
        return step;
    }
    let mut least = MinNorm::with_capacity(b.len().max(columns.len()));
    least.reset(b.len(), columns.len());
    for i in 0..b.len() {
        least.set_rhs(i, rest[i]);
        for (k, &j) in columns.iter().enumerate() {
            least.set(i, k, A[(i, j)]);
        }
    }
    for (&j, x) in columns.iter().zip(least.solve(RANK)) {
        step[j] = *x;
    }
    step
}
