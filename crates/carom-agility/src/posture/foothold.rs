//! A posture with everything that a step from it needs, and the program of the step, equation (3).

use super::constraints::{Constraints, Local};
use super::settle::settle;
use super::slopes::{Slopes, slopes};
use crate::capability::evaluator::Evaluator;
use crate::capability::largest::{Capability, capability};
use crate::capability::problem::CapabilityProblem;
use crate::capability::reduce::SQUEEZE;
use crate::error::AgilityError;
use crate::program::{ConicProgram, LinearRows};
use crate::thresholds::foothold::{NOTHING, RANK};
use carom::dynamics::integrate;
use carom::model::Model;
use nalgebra::{DMatrix, DVector};

/// Half ranges that torques may change by in a step of one radian.
const SWING: f64 = 5.0;

/// A posture and its capability.
pub(super) struct Foothold {
    pub(super) q: Vec<f64>,
    pub(super) problem: CapabilityProblem,
    pub(super) at: Capability,
}

/// First derivatives, constraints and x = (τ, z) there.
pub(super) struct Ground {
    pub(super) slopes: Slopes,
    pub(super) local: Local,
    pub(super) x: DVector<f64>,
    /// What a unit of each variable d = (dq, dx) is in steps: 1 rad or m, or a swing of a torque.
    pub(super) scale: DVector<f64>,
    lower: DVector<f64>,
    upper: DVector<f64>,
}

impl Foothold {
    pub(super) fn new(
        evaluator: &mut Evaluator<'_, '_>,
        q: Vec<f64>,
    ) -> Result<Self, AgilityError> {
        let rest = vec![0.0; evaluator.stance().model().nv()];
        let problem = evaluator.problem(0.0, &q, &rest);
        let at = capability(&problem)?;
        Ok(Self { q, problem, at })
    }

    /// What (3) is made of.
    pub(super) fn ground(
        &self,
        evaluator: &mut Evaluator<'_, '_>,
        constraints: &Constraints,
    ) -> Result<Ground, AgilityError> {
        let slopes = slopes(evaluator, &self.q, &self.problem, &self.at)?;
        evaluator.place(0.0, &self.q, &vec![0.0; self.problem.nv()]);
        let local = constraints.local(evaluator, &self.q);
        let (inner, _) = slopes.reduced.program(&self.problem);
        let (n, m) = (self.problem.nv(), self.problem.motors());
        let x = x_of(self, &slopes);
        let scale = DVector::from_fn(n + x.len(), |i, _| {
            if i < n {
                return 1.0;
            }
            let half = 0.5 * (inner.upper[i - n] - inner.lower[i - n]);
            // Forces that contacts only exchange have no limits but these wide ones.
            let half = if i < n + m { half } else { half / SQUEEZE };
            if half > 0.0 { SWING * half } else { 1.0 }
        });
        Ok(Ground { slopes, local, x, scale, lower: inner.lower, upper: inner.upper })
    }

    /// The program over d = (dq, dx) within a box; 0 is where we stand.
    pub(super) fn local_program(
        &self,
        constraints: &Constraints,
        model: &Model,
        ground: &Ground,
        radius: f64,
    ) -> ConicProgram {
        let (slopes, local) = (&ground.slopes, &ground.local);
        let (n, inner) = (self.problem.nv(), ground.x.len());
        let all = n + inner;
        let beside = |left: &DMatrix<f64>, right: &DMatrix<f64>| {
            let mut both = DMatrix::zeros(left.nrows(), all);
            both.columns_mut(0, n).copy_from(left);
            both.columns_mut(n, inner).copy_from(right);
            both
        };
        let none = |rows: usize| DMatrix::zeros(rows, inner);
        let (lower, upper) = self.room(constraints, model, ground, radius);
        let (kept, held) = (local.equal.len(), slopes.held.nrows());
        let turned = &self.problem.held.matrix * &slopes.reduced.acceleration_matrix;
        let mut equalities = DMatrix::zeros(kept + held, all);
        equalities.rows_mut(0, kept).copy_from(&beside(&local.equal_rows, &none(kept)));
        equalities.rows_mut(kept, held).copy_from(&beside(&slopes.held, &turned));
        let pull = slopes.reduced.acceleration_matrix.tr_mul(&self.problem.task_row);
        ConicProgram {
            objective: DVector::from_iterator(
                all,
                slopes.acceleration.iter().chain(pull.iter()).copied(),
            ),
            lower,
            upper,
            // The posture is settled: what is left of H is round-off, which a small box would magnify
            // into a contradiction.
            equalities: LinearRows { matrix: equalities, bound: DVector::zeros(kept + held) },
            inequalities: LinearRows {
                matrix: beside(&-&local.clear_rows, &none(local.clear.len())),
                bound: local.clear.map(|k| k.max(0.0)),
            },
            force_matrix: beside(&slopes.force, &slopes.reduced.force_matrix),
            force_offset: self.at.force.clone(),
            cones: self.problem.cones.clone(),
        }
    }

    /// The box of d: the radius, cut by the limits of joints and motors.
    fn room(
        &self,
        constraints: &Constraints,
        model: &Model,
        ground: &Ground,
        radius: f64,
    ) -> (DVector<f64>, DVector<f64>) {
        let n = self.problem.nv();
        let (mut lower, mut upper) = (&ground.scale * -radius, &ground.scale * radius);
        for dof in 0..n {
            if !constraints.varied(dof) || changes_nothing(dof, ground) {
                (lower[dof], upper[dof]) = (0.0, 0.0);
            } else if let Some(at) = model.q_of_v()[dof] {
                let span = constraints.span(dof);
                lower[dof] = (span.lower - self.q[at]).max(lower[dof]).min(0.0);
                upper[dof] = (span.upper - self.q[at]).min(upper[dof]).max(0.0);
            }
        }
        for k in 0..ground.x.len() {
            let (low, high) = (ground.lower[k] - ground.x[k], ground.upper[k] - ground.x[k]);
            lower[n + k] = low.max(lower[n + k]).min(0.0);
            upper[n + k] = high.min(upper[n + k]).max(0.0);
        }
        (lower, upper)
    }

    /// The posture after a step, back on the constraints; `None` if that fails.
    pub(super) fn moved(
        &self,
        evaluator: &mut Evaluator<'_, '_>,
        constraints: &Constraints,
        step: &DVector<f64>,
    ) -> Option<Self> {
        let model = evaluator.stance().model();
        let mut q = self.q.clone();
        // Coordinates that are kept do not move, not even by round-off.
        let kept = |dof: usize| if constraints.varied(dof) { step[dof] } else { 0.0 };
        let step: Vec<f64> = (0..model.nv()).map(kept).collect();
        integrate::step(model, &self.q, &step, &mut q);
        let q = settle(evaluator, constraints, &q).ok()?;
        Self::new(evaluator, q).ok()
    }
}

/// Whether a coordinate, such as a shift along the ground, leaves everything as it is; then it stays.
fn changes_nothing(dof: usize, ground: &Ground) -> bool {
    let (slopes, local) = (&ground.slopes, &ground.local);
    let none = |value: f64, size: f64| value <= NOTHING * size;
    let rows = [&slopes.force, &slopes.held, &local.equal_rows, &local.clear_rows];
    none(slopes.acceleration[dof].abs(), slopes.acceleration.amax())
        && rows.iter().all(|m| m.is_empty() || none(m.column(dof).amax(), m.amax()))
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
        if let Some(Ok(z)) = carom::numeric::svd(N).map(|svd| svd.solve(&rest, RANK)) {
            x.rows_mut(m, k).copy_from(&z);
        }
    }
    x
}
