//! A step with curvature on the constraints that the linear step found active.
//!
//! # Law
//! With y = (q, x), the active rows A dy = −c and the Lagrangian's Hessian W,
//! ```text
//! dy = −A⁺ c + Z u,   u = V |Λ|⁻¹ Vᵀ Zᵀ (g − W A⁺ c),   Zᵀ W Z = V Λ Vᵀ,   A Z = 0           (5)
//! ```
//! g is the slope of a(q, x). Taking |Λ| makes the step go uphill wherever W is indefinite; flat
//! directions (turns and shifts that change nothing) get no step. W comes from differences of the
//! Lagrangian's gradient, whose multipliers are those of (3): a is affine in x at fixed q, so W has
//! no block of x alone but that of the cones,
//! ```text
//! W = ∂/∂q (gradient) − Σ σ (∂λ)ᵀ ∇²φ ∂λ,   φ = ‖λₜ‖ − μ λₙ                                  (6)
//! ```
//!
//! Tests: `tests/agility_posture.rs`: `eq5_converges_fast`.

use super::climb::Foothold;
use super::constraints::{Constraints, Local};
use super::slopes::Slopes;
use crate::agility::error::AgilityError;
use crate::agility::evaluator::{Evaluator, Rule, weights};
use crate::agility::program::{ConicProgram, ConicSolution};
use crate::agility::reduce::Reduced;
use crate::dynamics::integrate;
use nalgebra::{DMatrix, DVector};

/// Step of the differences of gradients, rad or m.
const STEP: f64 = 1e-4;
/// Multipliers below this fraction of the largest belong to constraints that are not active.
const IDLE: f64 = 1e-9;
/// Curvatures below this fraction of the largest are flat.
const FLAT: f64 = 1e-9;

/// The local program, its solution, and which bounds are those of the box.
pub(super) struct LinearStep<'a> {
    pub(super) program: &'a ConicProgram,
    pub(super) solution: &'a ConicSolution,
    pub(super) radius: f64,
}

/// A step of (q, x) and the gain that the quadratic model predicts.
pub(super) struct NewtonStep {
    pub(super) dq: DVector<f64>,
    pub(super) gain: f64,
}

/// Equation (5).
pub(super) fn newton_step(
    here: &Foothold,
    evaluator: &mut Evaluator<'_, '_>,
    constraints: &Constraints,
    (slopes, local): (&Slopes, &Local),
    linear: &LinearStep<'_>,
) -> Result<Option<NewtonStep>, AgilityError> {
    let n = here.problem.nv();
    let scale = scales(linear.program, n);
    let (A, c) = active_rows(here, (slopes, local), linear, &scale, constraints);
    let W = curvature(here, evaluator, constraints, slopes, linear, &scale)?;
    let g = linear.program.objective.component_mul(&scale);
    let Some((pseudo, Z)) = split(&A) else { return Ok(None) };
    let across = -(pseudo * &c);
    let pull = Z.tr_mul(&(&g + &W * &across));
    let eigen = (Z.tr_mul(&(&W * &Z))).symmetric_eigen();
    let steepest = eigen.eigenvalues.amax();
    let mut u = eigen.eigenvectors.tr_mul(&pull);
    let mut gain = g.dot(&across) + 0.5 * across.dot(&(&W * &across));
    for (u, curve) in u.iter_mut().zip(&eigen.eigenvalues) {
        let curve = curve.abs();
        if curve <= FLAT * steepest {
            *u = 0.0;
        } else {
            gain += 0.5 * *u * *u / curve;
            *u /= curve;
        }
    }
    let dy = across + Z * (eigen.eigenvectors * u);
    Ok(Some(NewtonStep { dq: dy.rows(0, n).into_owned(), gain }))
}

/// dq as it is, x in half ranges.
fn scales(program: &ConicProgram, n: usize) -> DVector<f64> {
    DVector::from_fn(program.variables(), |i, _| {
        let half = 0.5 * (program.upper[i] - program.lower[i]);
        if i < n || half <= 0.0 { 1.0 } else { half }
    })
}

/// Rows of the constraints that hold with equality after the step, and their present values.
fn active_rows(
    here: &Foothold,
    (slopes, local): (&Slopes, &Local),
    linear: &LinearStep<'_>,
    scale: &DVector<f64>,
    constraints: &Constraints,
) -> (DMatrix<f64>, DVector<f64>) {
    let (program, solution) = (linear.program, linear.solution);
    let n = here.problem.nv();
    let x_now = x_of(here, slopes);
    let mut rows: Vec<(DVector<f64>, f64)> = Vec::new();
    let m = &solution.multipliers;
    let largest = m.bounds.component_mul(scale).amax().max(f64::MIN_POSITIVE);
    for i in 0..program.variables() {
        let pressed = (m.bounds[i] * scale[i]).abs() > IDLE * largest;
        let by_box = i < n && (solution.x[i].abs() >= linear.radius * (1.0 - 1e-9));
        let frozen = i < n && !constraints.varied(i);
        if frozen || (pressed && !by_box) {
            let end = if m.bounds[i] > 0.0 { program.upper[i] } else { program.lower[i] };
            let now = if i < n { 0.0 } else { x_now[i - n] };
            let mut row = DVector::zeros(program.variables());
            row[i] = scale[i];
            rows.push((row, if frozen { 0.0 } else { now - end }));
        }
    }
    let y_now = stacked(&DVector::zeros(n), &x_now);
    for i in 0..program.equalities.len() {
        let row = program.equalities.matrix.row(i).transpose();
        let value = row.dot(&y_now) - program.equalities.bound[i];
        rows.push((row.component_mul(scale), value));
    }
    for i in 0..local.clear.len() {
        if m.inequalities[i] > IDLE * largest {
            let row = program.inequalities.matrix.row(i).transpose().component_mul(scale);
            rows.push((row, -local.clear[i]));
        }
    }
    let lambda = &here.at.force;
    for cone in &program.cones {
        let s = m.forces.rows(cone.first, cone.tangents + 1).norm();
        let size = program.force_matrix.rows(cone.first, cone.tangents + 1).norm();
        if s * size <= IDLE * largest {
            continue;
        }
        let apex = lambda[cone.normal()] <= 1e-6 * lambda.amax();
        if apex || cone.tangents == 0 || cone.friction == 0.0 {
            for r in cone.first..=cone.normal() {
                let row = program.force_matrix.row(r).transpose().component_mul(scale);
                rows.push((row, lambda[r]));
            }
            continue;
        }
        let norm = cone.tangential(lambda).max(f64::MIN_POSITIVE);
        let mut row = program.force_matrix.row(cone.normal()).transpose() * -cone.friction;
        for r in cone.first..cone.normal() {
            row += program.force_matrix.row(r).transpose() * (lambda[r] / norm);
        }
        rows.push((row.component_mul(scale), cone.excess(lambda)));
    }
    let c = DVector::from_iterator(rows.len(), rows.iter().map(|r| r.1));
    let mut A = DMatrix::zeros(rows.len(), program.variables());
    for (i, (row, _)) in rows.iter().enumerate() {
        A.row_mut(i).copy_from(&row.transpose());
    }
    (A, c)
}

/// x = (τ, z) of the present optimum; z from the forces that torques do not explain.
fn x_of(here: &Foothold, slopes: &Slopes) -> DVector<f64> {
    let m = here.problem.motors();
    let k = slopes.reduced.force_matrix.ncols() - m;
    let mut x = DVector::zeros(m + k);
    x.rows_mut(0, m).copy_from(&here.at.torque);
    if k > 0 {
        let rest = &here.at.force
            - slopes.reduced.force_matrix.columns(0, m) * &here.at.torque
            - &slopes.reduced.force_offset;
        let N = slopes.reduced.force_matrix.columns(m, k).into_owned();
        if let Ok(z) = N.svd(true, true).solve(&rest, 1e-12) {
            x.rows_mut(m, k).copy_from(&z);
        }
    }
    x
}

fn stacked(top: &DVector<f64>, bottom: &DVector<f64>) -> DVector<f64> {
    DVector::from_iterator(top.len() + bottom.len(), top.iter().chain(bottom.iter()).copied())
}

/// W in scaled variables, equation (6).
fn curvature(
    here: &Foothold,
    evaluator: &mut Evaluator<'_, '_>,
    constraints: &Constraints,
    slopes: &Slopes,
    linear: &LinearStep<'_>,
    scale: &DVector<f64>,
) -> Result<DMatrix<f64>, AgilityError> {
    let (n, all) = (here.problem.nv(), linear.program.variables());
    let model = evaluator.stance().model();
    let x = x_of(here, slopes);
    let mut W = DMatrix::zeros(all, all);
    let mut turn = vec![0.0; n];
    let mut moved = here.q.clone();
    let base = gradient(evaluator, constraints, &here.q, &x, linear)?;
    for k in (0..n).filter(|&k| constraints.varied(k)) {
        // One-sided differences: W enters the step only, so that its error of order ε slows Newton's
        // convergence to a factor of ε per step, and no further.
        turn[k] = STEP / model.coordinates()[k].ratio.abs().max(1.0);
        integrate::step(model, &here.q, &turn, &mut moved);
        let column = (gradient(evaluator, constraints, &moved, &x, linear)? - &base) / turn[k];
        turn[k] = 0.0;
        for i in 0..all {
            // Rows of q are seen from both sides; the average is the symmetric part.
            let share = if i < n { 0.5 } else { 1.0 };
            W[(i, k)] += share * column[i] * scale[i];
            W[(k, i)] += share * column[i] * scale[i];
        }
    }
    let lambda = &here.at.force;
    for cone in linear.program.cones.iter().filter(|c| c.tangents == 2 && c.friction > 0.0) {
        let s = &linear.solution.multipliers.forces;
        let sigma = s[cone.normal()] / cone.friction;
        let norm = cone.tangential(lambda);
        if sigma <= 0.0 || norm <= 1e-9 * lambda.amax() {
            continue;
        }
        let F = linear.program.force_matrix.rows(cone.first, 2) * DMatrix::from_diagonal(scale);
        let (t1, t2) = (lambda[cone.first] / norm, lambda[cone.first + 1] / norm);
        let across = F.row(1) * t1 - F.row(0) * t2;
        W -= across.tr_mul(&across) * (sigma / norm);
    }
    Ok(W)
}

/// The gradient of the Lagrangian in (q, x) with the multipliers of the linear step.
fn gradient(
    evaluator: &mut Evaluator<'_, '_>,
    constraints: &Constraints,
    q: &[f64],
    x: &DVector<f64>,
    linear: &LinearStep<'_>,
) -> Result<DVector<f64>, AgilityError> {
    let rest = vec![0.0; evaluator.stance().model().nv()];
    let problem = evaluator.problem(0.0, q, &rest);
    let local = constraints.local(evaluator, q);
    let reduced = Reduced::new(&problem)?;
    let m = &linear.solution.multipliers;
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
    let mut along_x = DVector::zeros(x.len());
    let torques = problem.actuation.tr_mul(&at.adjoint);
    along_x.rows_mut(0, torques.len()).copy_from(&torques);
    Ok(stacked(&along_q, &along_x))
}

/// A⁺ and a basis of the null space of A.
fn split(A: &DMatrix<f64>) -> Option<(DMatrix<f64>, DMatrix<f64>)> {
    let n = A.ncols();
    // Rows of unit size, so that the rank does not depend on their units.
    let mut unit = DMatrix::zeros(n.max(A.nrows()), n);
    let mut sizes = DVector::from_element(A.nrows(), 0.0);
    for i in 0..A.nrows() {
        let norm = A.row(i).norm();
        if norm > 0.0 {
            sizes[i] = 1.0 / norm;
            unit.row_mut(i).copy_from(&(A.row(i) / norm));
        }
    }
    let svd = unit.svd(true, true);
    let (u, vt) = (svd.u?, svd.v_t?);
    let live: Vec<usize> = (0..n).filter(|&i| svd.singular_values[i] > 1e-9).collect();
    let dead: Vec<usize> = (0..n).filter(|&i| svd.singular_values[i] <= 1e-9).collect();
    let Z = vt.select_rows(&dead).transpose();
    let invert =
        DVector::from_iterator(live.len(), live.iter().map(|&i| 1.0 / svd.singular_values[i]));
    let V = vt.select_rows(&live).transpose();
    let U = u.select_columns(&live).rows(0, A.nrows()).into_owned();
    let pseudo =
        V * DMatrix::from_diagonal(&invert) * U.transpose() * DMatrix::from_diagonal(&sizes);
    Some((pseudo, Z))
}
