//! The question of capability in matrices.

use super::names::Names;
use crate::error::AgilityError;
use crate::program::{Cone, LinearRows};
use crate::thresholds::problem::RANK;
use nalgebra::{DMatrix, DVector};
use std::sync::Arc;

/// How fast can a combination of accelerations grow?
///
/// ```text
/// maximise a = j·v̇ + γₓ   subject to   M v̇ + h = B τ + Jᵀλ,   J v̇ + γ = 0,   H v̇ = r,
///                                     τ_lower ≤ τ ≤ τ_upper,   λ in its friction cones
/// ```
#[derive(Debug, Clone, PartialEq)]
pub struct CapabilityProblem {
    /// M, n × n, positive definite.
    pub mass_matrix: DMatrix<f64>,
    /// h: gravity, velocity products, minus springs and dampers.
    pub bias: DVector<f64>,
    /// B, n × motors.
    pub actuation: DMatrix<f64>,
    /// τ_lower.
    pub torque_lower: DVector<f64>,
    /// τ_upper.
    pub torque_upper: DVector<f64>,
    /// J: rows of the contacts that are kept (tangents, then the normal) and of bilateral ties.
    pub contact_rows: DMatrix<f64>,
    /// γ = J̇ v.
    pub contact_bias: DVector<f64>,
    /// Friction cones over the rows of J; a row outside of all cones is bilateral.
    pub cones: Vec<Cone>,
    /// j.
    pub task_row: DVector<f64>,
    /// γₓ = j̇ v.
    pub task_bias: f64,
    /// H, r: accelerations that are held.
    pub held: LinearRows,
    /// What motors, contacts and held accelerations are called.
    pub names: Arc<Names>,
}

/// Rank of rows, each of its own size: singular values below 1e-9 of the largest are zero.
fn rank(rows: &DMatrix<f64>) -> usize {
    if rows.nrows() == 0 {
        return 0;
    }
    let mut unit = rows.clone();
    for mut row in unit.row_iter_mut() {
        let norm = row.norm();
        if norm > 0.0 {
            row /= norm;
        }
    }
    let values = unit.singular_values();
    let most = values.max();
    values.iter().filter(|v| **v > RANK * most).count()
}

impl CapabilityProblem {
    /// Degrees of freedom.
    pub fn nv(&self) -> usize {
        self.bias.len()
    }

    /// How many freedoms contacts and ties keep, and how many they and the held accelerations keep together: ranks, not
    /// rows, so that redundant ones do not count twice.
    pub fn kept_freedoms(&self) -> (usize, usize) {
        let n = self.nv();
        let (kept, held) = (self.contact_rows.nrows(), self.held.matrix.nrows());
        let mut both = DMatrix::zeros(kept + held, n);
        both.rows_mut(0, kept).copy_from(&self.contact_rows);
        both.rows_mut(kept, held).copy_from(&self.held.matrix);
        (rank(&self.contact_rows), rank(&both))
    }

    /// Motors.
    pub fn motors(&self) -> usize {
        self.torque_lower.len()
    }

    /// Refuse what has no finite answer.
    pub(super) fn check(&self) -> Result<(), AgilityError> {
        if self.motors() == 0 {
            return Err(AgilityError::NoMotors);
        }
        if self.task_row.amax() == 0.0 {
            return Err(AgilityError::Immovable);
        }
        for (motor, (&lower, &upper)) in
            self.torque_lower.iter().zip(&self.torque_upper).enumerate()
        {
            if !(lower.is_finite() && upper.is_finite() && lower <= upper) {
                let motor = self.names.motor(motor);
                return Err(AgilityError::TorqueLimits { motor, lower, upper });
            }
        }
        if self.torque_lower == self.torque_upper {
            let motor = self.names.motor(0);
            return Err(AgilityError::NoTorque { motor, torque: self.torque_upper[0] });
        }
        Ok(())
    }
}
