//! The Hessian of the Lagrangian, equation (6).
//!
//! # Law
//! a is affine in x at fixed q, so W has no block of x alone but that of the cones,
//! ```text
//! W = ∂/∂q (gradient) − Σ σ (∂λ)ᵀ ∇²φ ∂λ,   φ = ‖λₜ‖ − μ λₙ                                  (6)
//! ```
//! The first part comes from differences of the Lagrangian's gradient, with fixed multipliers.
//!
//! Tests: `tests/posture.rs`: `eq5_converges_fast`.

use super::constraints::Constraints;
use super::foothold::{Foothold, Ground};
use crate::capability::evaluator::{Evaluator, Rule, weights};
use crate::capability::reduce::Reduced;
use crate::error::AgilityError;
use crate::program::{ConicProgram, Multipliers};
use crate::thresholds::curvature::NO_FRICTION;
use carom::dynamics::integrate;
use nalgebra::{DMatrix, DVector};

/// Step of the differences of gradients, rad or m.
const STEP: f64 = 1e-4;

/// W in units of `ground.scale`.
pub(super) fn curvature(
    here: &Foothold,
    evaluator: &mut Evaluator<'_, '_>,
    constraints: &Constraints,
    ground: &Ground,
    (program, multipliers): (&ConicProgram, &Multipliers),
) -> Result<DMatrix<f64>, AgilityError> {
    let (n, all) = (here.problem.nv(), program.variables());
    let model = evaluator.stance().model();
    let scale = &ground.scale;
    let mut W = DMatrix::zeros(all, all);
    let mut turn = vec![0.0; n];
    let mut moved = here.q.clone();
    let base = gradient(evaluator, constraints, &here.q, &ground.x, multipliers)?;
    for k in (0..n).filter(|&k| program.upper[k] > program.lower[k]) {
        // One-sided differences: W enters the step only, so that its error of order ε slows Newton's
        // convergence to a factor of ε per step, and no further.
        turn[k] = STEP / model.coordinates()[k].ratio.abs().max(1.0);
        integrate::step(model, &here.q, &turn, &mut moved);
        let there = gradient(evaluator, constraints, &moved, &ground.x, multipliers)?;
        let column = (there - &base) / turn[k];
        turn[k] = 0.0;
        for i in 0..all {
            // Rows of q are seen from both sides; the average is the symmetric part.
            let share = if i < n { 0.5 } else { 1.0 };
            W[(i, k)] += share * column[i] * scale[i];
            W[(k, i)] += share * column[i] * scale[i];
        }
    }
    add_cones(here, (program, multipliers), scale, &mut W);
    Ok(W)
}

/// The part of the cones.
fn add_cones(
    here: &Foothold,
    (program, multipliers): (&ConicProgram, &Multipliers),
    scale: &DVector<f64>,
    W: &mut DMatrix<f64>,
) {
    let lambda = &here.at.force;
    for cone in program.cones.iter().filter(|c| c.tangents == 2 && c.friction > 0.0) {
        let sigma = multipliers.forces[cone.normal()] / cone.friction;
        let norm = cone.tangential(lambda);
        if sigma <= 0.0 || norm <= NO_FRICTION * lambda.amax() {
            continue;
        }
        let F = program.force_matrix.rows(cone.first, 2) * DMatrix::from_diagonal(scale);
        let (t1, t2) = (lambda[cone.first] / norm, lambda[cone.first + 1] / norm);
        let across = F.row(1) * t1 - F.row(0) * t2;
        *W -= across.tr_mul(&across) * (sigma / norm);
    }
}

/// The gradient of the Lagrangian in (q, x) with given multipliers.
fn gradient(
    evaluator: &mut Evaluator<'_, '_>,
    constraints: &Constraints,
    q: &[f64],
    x: &DVector<f64>,
    m: &Multipliers,
) -> Result<DVector<f64>, AgilityError> {
    let rest = vec![0.0; evaluator.stance().model().nv()];
    let problem = evaluator.problem(0.0, q, &rest);
    let local = constraints.local(evaluator, q);
    let reduced = Reduced::new(&problem)?;
    let nu = m.equalities.rows(local.equal.len(), problem.held.len()).into_owned();
    let eta = m.equalities.rows(0, local.equal.len());
    let kept = x.len().min(reduced.force_matrix.ncols());
    let mut same = DVector::zeros(reduced.force_matrix.ncols());
    same.rows_mut(0, kept).copy_from(&x.rows(0, kept));
    let at = reduced.frozen(&problem, &same, &m.forces, &nu);
    let slopes = evaluator.residual_slopes(0.0, (q, &rest), &at, Rule::TwoPoints);
    let along_q = slopes.tr_mul(&weights(&at))
        - local.equal_rows.tr_mul(&eta)
        - local.clear_rows.tr_mul(&(-&m.inequalities));
    let torques = problem.actuation.tr_mul(&at.adjoint);
    let count = along_q.len() + x.len();
    let rest = std::iter::repeat_n(0.0, x.len() - torques.len());
    Ok(DVector::from_iterator(count, along_q.iter().chain(torques.iter()).copied().chain(rest)))
}
