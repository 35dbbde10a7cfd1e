//! Accelerations and contact forces as affine functions of the torques.
//!
//! ```text
//! G = J M⁻¹ Jᵀ,   λ = −G⁺ (J M⁻¹ (B τ − h) + γ) + N z                    (1)
//! v̇ = M⁻¹ (B τ − h + Jᵀ λ)                                               (2)
//! ```
//! x = (τ, z). The columns of N span the forces that the contacts can exchange without moving
//! anything (Jᵀ N = 0); where contacts are not redundant there is no z. The rank of G is decided
//! after scaling its diagonal to one.
//!
//! Tests: `tests/capability.rs`: `eq1_eq2_reduced_dynamics`.

use super::largest::Capability;
use super::problem::CapabilityProblem;
use crate::error::AgilityError;
use crate::program::{ConicProgram, LinearRows};
use crate::thresholds::reduce::{CONTRADICTION, RANK};
use nalgebra::{Cholesky, DMatrix, DVector, Dyn};

/// Largest force along N in multiples of the forces that the torques can cause.
pub(crate) const SQUEEZE: f64 = 1e3;

/// The affine maps (1) and (2).
#[derive(Debug, Clone)]
pub struct Reduced {
    /// λ = force_matrix x + force_offset.
    pub force_matrix: DMatrix<f64>,
    /// λ at x = 0.
    pub force_offset: DVector<f64>,
    /// v̇ = acceleration_matrix x + acceleration_offset.
    pub acceleration_matrix: DMatrix<f64>,
    /// v̇ at x = 0.
    pub acceleration_offset: DVector<f64>,
    /// G⁺.
    pub(crate) pseudo_inverse: DMatrix<f64>,
    /// M⁻¹ Jᵀ.
    pub(crate) response: DMatrix<f64>,
    factor: Cholesky<f64, Dyn>,
}

impl Reduced {
    /// Eliminate v̇ and λ.
    pub fn new(problem: &CapabilityProblem) -> Result<Self, AgilityError> {
        let (M, J, B) = (&problem.mass_matrix, &problem.contact_rows, &problem.actuation);
        let factor = Cholesky::new(M.clone()).ok_or(AgilityError::MassMatrix)?;
        let response = factor.solve(&J.transpose());
        let (pseudo_inverse, N) = pseudo_inverse(&(J * &response));
        let free = factor.solve(B);
        let fall = -factor.solve(&problem.bias);
        let push = &pseudo_inverse * (J * &free);
        let offset = J * &fall + &problem.contact_bias;
        let residual = if N.ncols() > 0 { N.tr_mul(&offset).amax() } else { 0.0 };
        if residual > CONTRADICTION * (1.0 + offset.amax()) {
            return Err(AgilityError::Contradiction { residual });
        }
        let (m, k) = (problem.motors(), N.ncols());
        let mut force_matrix = DMatrix::zeros(J.nrows(), m + k);
        force_matrix.columns_mut(0, m).copy_from(&-push);
        force_matrix.columns_mut(m, k).copy_from(&N);
        let force_offset = -(&pseudo_inverse * offset);
        let mut acceleration_matrix = &response * &force_matrix;
        let mut torques = acceleration_matrix.columns_mut(0, m);
        torques += free;
        // What the contacts only exchange among themselves moves nothing, not even by round-off.
        acceleration_matrix.columns_mut(m, k).fill(0.0);
        let acceleration_offset = fall + &response * &force_offset;
        Ok(Self {
            force_matrix,
            force_offset,
            acceleration_matrix,
            acceleration_offset,
            pseudo_inverse,
            response,
            factor,
        })
    }

    /// Motion, forces and adjoint for given x, s and ν, which need not be optimal: equation (2) of
    /// [`mod@super::largest`].
    pub(crate) fn frozen(
        &self,
        problem: &CapabilityProblem,
        x: &DVector<f64>,
        s: &DVector<f64>,
        nu: &DVector<f64>,
    ) -> Capability {
        let vdot = &self.acceleration_matrix * x + &self.acceleration_offset;
        // ρ = −G⁺ (J M⁻¹ (j − Hᵀν) + s)
        let pull = &problem.task_row - problem.held.matrix.tr_mul(nu);
        let rho = -(&self.pseudo_inverse * (self.response.tr_mul(&pull) + s));
        Capability {
            acceleration: problem.task_row.dot(&vdot) + problem.task_bias,
            torque: x.rows(0, problem.motors()).into_owned(),
            force: &self.force_matrix * x + &self.force_offset,
            vdot,
            gap: f64::NAN,
            violation: f64::NAN,
            active: Vec::new(),
            adjoint: self.solve(&(pull + problem.contact_rows.tr_mul(&rho))),
            contact_multipliers: rho,
            held_multipliers: nu.clone(),
        }
    }

    /// M⁻¹ b.
    pub(crate) fn solve(&self, b: &DVector<f64>) -> DVector<f64> {
        self.factor.solve(b)
    }

    /// M⁻¹ B.
    pub(crate) fn solve_columns(&self, b: &DMatrix<f64>) -> DMatrix<f64> {
        self.factor.solve(b)
    }

    /// The program over x = (τ, z), and the part of the acceleration that x does not change.
    pub fn program(&self, problem: &CapabilityProblem) -> (ConicProgram, f64) {
        let (m, all) = (problem.motors(), self.force_matrix.ncols());
        let largest = self.largest_forces(problem);
        let bound = |limits: &DVector<f64>, squeeze: f64| {
            DVector::from_fn(all, |i, _| if i < m { limits[i] } else { squeeze })
        };
        let held = &problem.held.matrix * &self.acceleration_matrix;
        let program = ConicProgram {
            objective: self.acceleration_matrix.tr_mul(&problem.task_row),
            lower: bound(&problem.torque_lower, -SQUEEZE * largest),
            upper: bound(&problem.torque_upper, SQUEEZE * largest),
            equalities: LinearRows {
                bound: &problem.held.bound - &problem.held.matrix * &self.acceleration_offset,
                matrix: held,
            },
            inequalities: LinearRows::none(all),
            force_matrix: self.force_matrix.clone(),
            force_offset: self.force_offset.clone(),
            cones: problem.cones.clone(),
        };
        (program, problem.task_row.dot(&self.acceleration_offset) + problem.task_bias)
    }

    /// A bound on the contact forces that torques within the limits cause.
    fn largest_forces(&self, problem: &CapabilityProblem) -> f64 {
        let limit = |j: usize| problem.torque_lower[j].abs().max(problem.torque_upper[j].abs());
        let of = |i: usize| {
            let row = (0..problem.motors()).map(|j| self.force_matrix[(i, j)].abs() * limit(j));
            self.force_offset[i].abs() + row.sum::<f64>()
        };
        (0..self.force_offset.len()).map(of).fold(f64::MIN_POSITIVE, f64::max)
    }
}

/// G⁺ in the metric of its scaled diagonal, and its null space.
fn pseudo_inverse(G: &DMatrix<f64>) -> (DMatrix<f64>, DMatrix<f64>) {
    let n = G.nrows();
    let inverse_size = |g: f64| if g > 0.0 { 1.0 / g.sqrt() } else { 1.0 };
    let S = DMatrix::from_diagonal(&G.diagonal().map(inverse_size));
    let scaled = &S * G * &S;
    if let Some(factor) = Cholesky::new(scaled.clone())
        && factor.l_dirty().diagonal().iter().all(|d| *d > 1e-4)
    {
        // No pivot of the scaled matrix is small: no contact is redundant.
        return (&S * factor.inverse() * &S, DMatrix::zeros(n, 0));
    }
    let eigen = scaled.symmetric_eigen();
    let largest = eigen.eigenvalues.amax();
    let live = |i: usize| eigen.eigenvalues[i] > RANK * largest;
    let invert = |i: usize| if live(i) { 1.0 / eigen.eigenvalues[i] } else { 0.0 };
    let D = DMatrix::from_diagonal(&DVector::from_fn(n, |i, _| invert(i)));
    let V = &eigen.eigenvectors;
    let dead: Vec<usize> = (0..n).filter(|&i| !live(i)).collect();
    (&S * V * D * V.transpose() * &S, &S * V.select_columns(&dead))
}
