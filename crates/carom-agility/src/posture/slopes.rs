//! First derivatives of acceleration and forces with respect to posture and torques, equation (2).

use crate::capability::evaluator::{Evaluator, Rule};
use crate::capability::largest::Capability;
use crate::capability::problem::CapabilityProblem;
use crate::capability::reduce::Reduced;
use crate::error::AgilityError;
use nalgebra::{DMatrix, DVector};

/// How a, λ and what is held change with the posture at fixed torques.
#[derive(Debug, Clone)]
pub struct Slopes {
    /// ∂a/∂q.
    pub acceleration: DVector<f64>,
    /// ∂λ/∂q.
    pub force: DMatrix<f64>,
    /// ∂(H v̇ + γ_H)/∂q.
    pub held: DMatrix<f64>,
    /// The maps from torques to forces and accelerations in this posture.
    pub reduced: Reduced,
}

/// Equation (2) at rest in the posture `q`, where `problem` was assembled and `at` found.
pub fn slopes(
    evaluator: &mut Evaluator<'_, '_>,
    q: &[f64],
    problem: &CapabilityProblem,
    at: &Capability,
) -> Result<Slopes, AgilityError> {
    let (n, nr, nh) = (problem.nv(), problem.contact_rows.nrows(), problem.held.len());
    let reduced = Reduced::new(problem)?;
    let rest = vec![0.0; n];
    let R = evaluator.residual_slopes(0.0, (q, &rest), at, Rule::FourPoints);
    let (R_m, R_c) = (R.rows(0, n), R.rows(n, nr));
    let (R_h, R_x) = (R.rows(n + nr, nh), R.row(n + nr + nh));
    // M dv̇ − Jᵀ dλ = −R_m and J dv̇ = −R_c
    let force = &reduced.pseudo_inverse * (reduced.response.tr_mul(&R_m) - R_c);
    let vdot = &reduced.response * &force - reduced.solve_columns(&R_m.into_owned());
    let acceleration = R_x.transpose() + vdot.tr_mul(&problem.task_row);
    let held = R_h + &problem.held.matrix * &vdot;
    Ok(Slopes { acceleration, force, held, reduced })
}
