//! From one posture uphill to a local optimum, equations (2)–(4).

use super::constraints::{Constraints, Local};
use super::newton::{LinearStep, NewtonStep, newton_step};
use super::settle::settle;
use super::slopes::{Slopes, slopes};
use crate::agility::capability::{Capability, capability};
use crate::agility::error::AgilityError;
use crate::agility::evaluator::Evaluator;
use crate::agility::problem::CapabilityProblem;
use crate::agility::program::{ConicProgram, ConicSolution, LinearRows, solve};
use crate::dynamics::integrate;
use crate::model::Model;
use nalgebra::{DMatrix, DVector};

/// Longest change of a coordinate in a step with curvature, rad or m.
const NEWTON_LONGEST: f64 = 0.3;

/// Gain of many steps, as a fraction of a*, that is not worth more of them.
const TIRED: f64 = 1e-6;

/// When to stop.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct ClimbOptions {
    /// ρ at the start, rad or m; useful 0.01 to 1.
    pub radius: f64,
    /// ρ at which the climb ends, rad or m. a* is found to about the square of it (times its
    /// curvature); below 1e-7 round-off decides whether a step is uphill.
    pub smallest_radius: f64,
    /// Gain predicted by (2), as a fraction of a*, below which the climb ends.
    pub gain: f64,
    /// Steps at most.
    pub steps: usize,
    /// Steps after which the climb ends if all of them together gained less than a millionth of a*.
    pub patience: usize,
}

impl Default for ClimbOptions {
    fn default() -> Self {
        Self { radius: 0.2, smallest_radius: 1e-6, gain: 1e-11, steps: 300, patience: 25 }
    }
}

/// Where a climb ended.
#[derive(Debug, Clone)]
pub struct Climbed {
    /// The posture.
    pub q: Vec<f64>,
    /// Its capability.
    pub capability: Capability,
    /// Capability of the start, m/s².
    pub start: f64,
    /// Steps tried.
    pub steps: usize,
    /// Whether the end was reached before the steps ran out.
    pub converged: bool,
}

/// A posture with everything that (3) needs.
pub(super) struct Foothold {
    pub(super) q: Vec<f64>,
    pub(super) problem: CapabilityProblem,
    pub(super) at: Capability,
}

/// Climb from `q`, which must meet the constraints.
pub fn climb(
    evaluator: &mut Evaluator<'_, '_>,
    constraints: &Constraints,
    q: &[f64],
    options: &ClimbOptions,
) -> Result<Climbed, AgilityError> {
    let mut here = Foothold::new(evaluator, q.to_vec())?;
    let start = here.at.acceleration;
    let mut radius = options.radius;
    let (mut steps, mut converged) = (0, false);
    let mut known: Option<(Slopes, Local)> = None;
    let mut before = start;
    while steps < options.steps && !converged {
        steps += 1;
        if steps % options.patience.max(1) == 0 {
            if here.at.acceleration - before < TIRED * (1.0 + before.abs()) {
                break;
            }
            before = here.at.acceleration;
        }
        let parts = match known.take() {
            Some(parts) => parts,
            None => here.parts(evaluator, constraints)?,
        };
        let a = here.at.acceleration;
        let small = options.gain * (1.0 + a.abs());
        let model = evaluator.stance().model();
        let program = here.local_program(constraints, model, (&parts.0, &parts.1), radius);
        let Some((step, gain, solution)) = here.step(&program, &parts.0) else { break };
        if gain <= small || radius < options.smallest_radius {
            converged = true;
            break;
        }
        let mut next = here.moved(evaluator, constraints, &step);
        let won = |next: &Option<Foothold>| {
            next.as_ref().map_or(f64::NEG_INFINITY, |n| n.at.acceleration - a)
        };
        let ratio = won(&next) / gain;
        if ratio < 0.75 {
            // Curvature matters: try the step that knows it.
            let linear = LinearStep { program: &program, solution: &solution, radius };
            let bent = newton_step(&here, evaluator, constraints, (&parts.0, &parts.1), &linear)?;
            if let Some(NewtonStep { dq, gain }) = bent {
                let longest = dq.amax();
                let fits = dq * (NEWTON_LONGEST / longest).min(1.0);
                let other = here.moved(evaluator, constraints, &fits);
                if won(&other) > won(&next) {
                    next = other;
                }
                converged = gain.abs() <= small && won(&next) <= small;
            }
        }
        radius = adapt(radius, ratio, step.amax() >= 0.99 * radius);
        if won(&next) > 0.0 {
            if let Some(next) = next {
                here = next;
            }
        } else {
            known = Some(parts);
        }
    }
    Ok(Climbed { q: here.q, capability: here.at, start, steps, converged })
}

/// Whether a coordinate, such as a shift along the ground, leaves everything as it is; then it stays.
fn changes_nothing(dof: usize, slopes: &Slopes, local: &Local) -> bool {
    let none = |value: f64, size: f64| value <= 1e-9 * size;
    let rows = [&slopes.force, &slopes.held, &local.equal_rows, &local.clear_rows];
    none(slopes.acceleration[dof].abs(), slopes.acceleration.amax())
        && rows.iter().all(|m| m.is_empty() || none(m.column(dof).amax(), m.amax()))
}

/// The next radius from the ratio of true to predicted gain.
fn adapt(radius: f64, ratio: f64, full: bool) -> f64 {
    if ratio > 0.75 && full {
        (2.0 * radius).min(1.0)
    } else if ratio > 0.25 {
        radius
    } else if ratio > 0.0 {
        0.5 * radius
    } else {
        0.25 * radius
    }
}

impl Foothold {
    fn new(evaluator: &mut Evaluator<'_, '_>, q: Vec<f64>) -> Result<Self, AgilityError> {
        let rest = vec![0.0; evaluator.stance().model().nv()];
        let problem = evaluator.problem(0.0, &q, &rest);
        let at = capability(&problem)?;
        Ok(Self { q, problem, at })
    }

    fn parts(
        &self,
        evaluator: &mut Evaluator<'_, '_>,
        constraints: &Constraints,
    ) -> Result<(Slopes, Local), AgilityError> {
        let slopes = slopes(evaluator, &self.q, &self.problem, &self.at)?;
        evaluator.place(0.0, &self.q, &vec![0.0; self.problem.nv()]);
        Ok((slopes, constraints.local(evaluator, &self.q)))
    }

    /// The best step within the box, the gain that it predicts, and the solution of (3).
    fn step(
        &self,
        program: &ConicProgram,
        slopes: &Slopes,
    ) -> Option<(DVector<f64>, f64, ConicSolution)> {
        let found = solve(program).ok()?;
        // At dq = 0 the best torques are those of a*, so the gain is over a* itself.
        let (_, free) = slopes.reduced.program(&self.problem);
        let gain = found.value + free - self.at.acceleration;
        Some((found.x.rows(0, self.problem.nv()).into_owned(), gain, found))
    }

    /// The program over (dq, τ, z).
    fn local_program(
        &self,
        constraints: &Constraints,
        model: &Model,
        (slopes, local): (&Slopes, &Local),
        radius: f64,
    ) -> ConicProgram {
        let n = self.problem.nv();
        let (inner, _) = slopes.reduced.program(&self.problem);
        let all = n + inner.variables();
        let beside = |left: &DMatrix<f64>, right: &DMatrix<f64>| {
            let mut both = DMatrix::zeros(left.nrows(), all);
            both.columns_mut(0, n).copy_from(left);
            both.columns_mut(n, all - n).copy_from(right);
            both
        };
        let below = |top: &DVector<f64>, bottom: &DVector<f64>| {
            DVector::from_iterator(
                top.len() + bottom.len(),
                top.iter().chain(bottom.iter()).copied(),
            )
        };
        let (mut lower, mut upper) = self.room(constraints, model, radius);
        for dof in (0..n).filter(|&dof| changes_nothing(dof, slopes, local)) {
            (lower[dof], upper[dof]) = (0.0, 0.0);
        }
        let none = |rows: usize| DMatrix::zeros(rows, inner.variables());
        let kept = beside(&local.equal_rows, &none(local.equal.len()));
        let held = beside(&slopes.held, &inner.equalities.matrix);
        let mut equalities = DMatrix::zeros(kept.nrows() + held.nrows(), all);
        equalities.rows_mut(0, kept.nrows()).copy_from(&kept);
        equalities.rows_mut(kept.nrows(), held.nrows()).copy_from(&held);
        ConicProgram {
            objective: below(&slopes.acceleration, &inner.objective),
            lower: below(&lower, &inner.lower),
            upper: below(&upper, &inner.upper),
            equalities: LinearRows {
                matrix: equalities,
                // The posture is settled: what is left of H is round-off, which a small box would
                // magnify into a contradiction.
                bound: below(&DVector::zeros(local.equal.len()), &inner.equalities.bound),
            },
            inequalities: LinearRows {
                matrix: beside(&-&local.clear_rows, &none(local.clear.len())),
                bound: local.clear.map(|k| k.max(0.0)),
            },
            force_matrix: beside(&slopes.force, &inner.force_matrix),
            force_offset: inner.force_offset,
            cones: inner.cones,
        }
    }

    /// The box of dq: the radius, cut by the limits.
    fn room(
        &self,
        constraints: &Constraints,
        model: &Model,
        radius: f64,
    ) -> (DVector<f64>, DVector<f64>) {
        let n = self.problem.nv();
        let (mut lower, mut upper) =
            (DVector::from_element(n, -radius), DVector::from_element(n, radius));
        for dof in 0..n {
            if !constraints.varied(dof) {
                (lower[dof], upper[dof]) = (0.0, 0.0);
            } else if let Some(at) = model.q_of_v()[dof] {
                let span = constraints.span(dof);
                lower[dof] = (span.lower - self.q[at]).max(-radius).min(0.0);
                upper[dof] = (span.upper - self.q[at]).min(radius).max(0.0);
            }
        }
        (lower, upper)
    }

    /// The posture after a step, back on the constraints; `None` if that fails.
    fn moved(
        &self,
        evaluator: &mut Evaluator<'_, '_>,
        constraints: &Constraints,
        step: &DVector<f64>,
    ) -> Option<Self> {
        let model = evaluator.stance().model();
        let mut q = self.q.clone();
        // Coordinates that are kept do not move, not even by round-off.
        let kept = |dof: usize| if constraints.varied(dof) { step[dof] } else { 0.0 };
        let step: Vec<f64> = (0..step.len()).map(kept).collect();
        integrate::step(model, &self.q, &step, &mut q);
        let q = settle(evaluator, constraints, &q).ok()?;
        Self::new(evaluator, q).ok()
    }
}
