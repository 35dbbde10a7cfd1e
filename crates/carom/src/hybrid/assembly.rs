//! Assembly of the start: coordinates and velocities that close all loops.
//!
//! # Method
//! Newton's method on all bilateral equations, each step the least change that solves their linear form,
//! ```text
//! q ← q ⊕ (−α J⁺ φ(q)),   α ∈ {1, ½, ¼, …} so that |φ| falls                        (1)
//! v ← v − J⁺ (J v − φ̇_target)                                                       (2)
//! ```
//! with the columns of J of the coordinates that may move. First only those that the user left open, in (1) from the
//! guess and, if that is a posture from which no step leads on, from a few others near it; then, if these do not close
//! the loops, all that are not prescribed. Who asks is told which given coordinates had to move.
//!
//! # Limits
//! A loop that closes in several postures is closed in the one that Newton's method finds from the guess.
//!
//! # Tests
//! `tests/loops/assembly.rs`.

use super::bilateral::{Bilateral, Form, bilaterals};
use crate::control::Prescribed;
use crate::dynamics::jacobian::{VelocityProducts, velocity_products};
use crate::dynamics::loops::LoopRows;
use crate::dynamics::{Kinematics, integrate, kinematics};
use crate::model::Model;
use crate::numeric::svd;
use crate::numeric::thresholds::{LOOP_CLOSED, LOOP_OPEN, NO_SLIP};
use crate::state::State;
use nalgebra::{DMatrix, DVector};
use thiserror::Error;

/// Newton steps from one guess.
const STEPS: usize = 60;
/// Halvings of one step.
const HALVINGS: usize = 12;
/// Largest change of a coordinate in one step, rad or m.
const STRIDE: f64 = 0.5;
/// How far other guesses are from the first, rad or m.
const ASIDE: [f64; 6] = [0.1, -0.1, 0.3, -0.3, 0.8, -0.8];

/// A loop that is not closed.
#[derive(Debug, Clone, PartialEq, Error)]
#[error("loop `{name}` is open by {residual:.3e} {unit}")]
pub struct OpenLoop {
    /// The loop.
    pub name: String,
    /// Its largest residual: of a length, m, or of the cosine of an angle that must be right, 1.
    pub residual: f64,
    /// The unit of the residual.
    pub unit: &'static str,
    /// Whether the axes that should coincide point against each other.
    pub reversed: bool,
}

/// Which degrees of freedom had to leave what was given.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Moved {
    /// Places in v whose coordinates changed although they were given.
    pub coordinates: Vec<usize>,
    /// Places in v whose velocities changed although they were given.
    pub velocities: Vec<usize>,
}

/// What was given of a start, one entry per degree of freedom.
#[derive(Debug, Clone, Copy)]
pub struct Fixed<'a> {
    /// Coordinates.
    pub coordinates: &'a [bool],
    /// Velocities.
    pub velocities: &'a [bool],
}

/// Change `state` so that all loops, couplings and prescribed motions hold, keeping what is `given` where that is
/// possible.
pub fn assemble(
    model: &Model,
    prescribed: &[Prescribed],
    given: Fixed<'_>,
    state: &mut State,
) -> Result<Moved, OpenLoop> {
    let mut moved = Moved::default();
    if model.loops().is_empty() {
        return Ok(moved);
    }
    let driven = |j: usize| prescribed.iter().any(|p| p.dof == j);
    let open: Vec<bool> = given.coordinates.iter().map(|given| !given).collect();
    let all: Vec<bool> = (0..model.nv()).map(|j| !driven(j)).collect();
    let work = Work::new(model, prescribed);
    if !work.close(state, &open) {
        let before = state.q.clone();
        if !work.close(state, &all) {
            return Err(work.worst(state));
        }
        let mut by = vec![0.0; model.nv()];
        integrate::difference(model, state.q.as_slice(), before.as_slice(), &mut by);
        moved.coordinates = (0..model.nv()).filter(|&j| !open[j] && by[j] != 0.0).collect();
    }
    check(model, state)?;
    let free: Vec<bool> = (0..model.nv()).map(|j| !given.velocities[j] && all[j]).collect();
    if !work.follow(state, &free) {
        let before = state.v.clone();
        work.follow(state, &all);
        moved.velocities =
            (0..model.nv()).filter(|&j| !free[j] && state.v[j] != before[j]).collect();
    }
    Ok(moved)
}

/// Whether all loops of a state are closed but for what a few digits leave.
pub fn check(model: &Model, state: &State) -> Result<(), OpenLoop> {
    let work = Work::new(model, &[]);
    let (kin, products) = work.place(state);
    for one in model.loops() {
        let equations = LoopRows::new(model, (&kin, &products), one);
        let mut worst: Option<OpenLoop> = None;
        let reversed = equations.reversed();
        equations.visit(false, |row| {
            let residual = row.value.abs();
            let open = residual > LOOP_OPEN * row.size || residual.is_nan();
            if (open || reversed) && worst.as_ref().is_none_or(|w| residual > w.residual) {
                let unit = if matches!(row.measure, crate::dynamics::loops::Measure::Turn { .. }) {
                    "(cosine of a right angle)"
                } else {
                    "m"
                };
                worst = Some(OpenLoop { name: one.name.clone(), residual, unit, reversed });
            }
        });
        worst.map_or(Ok(()), Err)?;
    }
    Ok(())
}

/// The equations and their solution.
struct Work<'a> {
    model: &'a Model,
    prescribed: &'a [Prescribed],
}

impl<'a> Work<'a> {
    fn new(model: &'a Model, prescribed: &'a [Prescribed]) -> Self {
        Self { model, prescribed }
    }

    fn place(&self, state: &State) -> (Kinematics, VelocityProducts) {
        let mut kin = Kinematics::new(self.model);
        let mut products = VelocityProducts::new(self.model);
        kinematics(self.model, state.q.as_slice(), state.v.as_slice(), &mut kin);
        velocity_products(self.model, &kin, &mut products);
        (kin, products)
    }

    /// All equations at a state, and J.
    fn equations(&self, state: &State) -> (Vec<Bilateral>, DMatrix<f64>) {
        let (kin, products) = self.place(state);
        let mut rows = Vec::new();
        let at = (state.t, state.q.as_slice());
        bilaterals((self.model, self.prescribed), (&kin, &products), at, &mut rows);
        let mut J = DMatrix::zeros(self.model.nv(), rows.len());
        for (i, row) in rows.iter().enumerate() {
            let mut column = J.column_mut(i);
            let Some(out) = column.as_mut_slice().get_mut(..) else { continue };
            match &row.form {
                Form::Joints { terms, count } => {
                    terms[..*count].iter().for_each(|&(dof, c)| out[dof] += c);
                }
                Form::Loop(_, equation) => equation.add_to(self.model, &kin, out),
            }
        }
        (rows, J.transpose())
    }

    /// Residuals of positions, each over the size of its numbers.
    fn residual(rows: &[Bilateral]) -> f64 {
        rows.iter().fold(0.0_f64, |worst, row| {
            let r = (row.value - row.target[0]).abs();
            worst.max(if r == 0.0 { 0.0 } else { r / row.size.max(f64::MIN_POSITIVE) })
        })
    }

    /// Equation (1) from the guess, then from others; whether it closed. The state is changed only then.
    fn close(&self, state: &mut State, may_move: &[bool]) -> bool {
        let mut trial = state.clone();
        if self.newton(&mut trial, may_move) {
            *state = trial;
            return true;
        }
        for aside in ASIDE {
            trial.clone_from(state);
            let push: Vec<f64> = may_move
                .iter()
                .enumerate()
                .map(|(j, moves)| if *moves { aside * (1.0 + 0.1 * j as f64) } else { 0.0 })
                .collect();
            integrate::step(self.model, state.q.as_slice(), &push, trial.q.as_mut_slice());
            if self.newton(&mut trial, may_move) {
                *state = trial;
                return true;
            }
        }
        false
    }

    /// Equation (1) from one guess; whether it converged.
    fn newton(&self, state: &mut State, may_move: &[bool]) -> bool {
        let mut trial = state.clone();
        let (mut rows, mut J) = self.equations(state);
        let mut value = norm(&rows);
        for _ in 0..STEPS {
            if Self::residual(&rows) <= LOOP_CLOSED {
                return true;
            }
            let r = DVector::from_iterator(rows.len(), rows.iter().map(|b| b.value - b.target[0]));
            let step = least_change(&J, &r, may_move);
            let long = step.amax();
            let mut length = if long > STRIDE { STRIDE / long } else { 1.0 };
            let mut fell = false;
            for _ in 0..HALVINGS {
                let w = &step * length;
                integrate::step(
                    self.model,
                    state.q.as_slice(),
                    w.as_slice(),
                    trial.q.as_mut_slice(),
                );
                (rows, J) = self.equations(&trial);
                let now = norm(&rows);
                if now < value {
                    (value, fell) = (now, true);
                    state.q.copy_from(&trial.q);
                    break;
                }
                length *= 0.5;
            }
            if !fell {
                (rows, _) = self.equations(state);
                // Round-off of a sum of several links may stay a little above that of one number.
                return Self::residual(&rows) <= 10.0 * LOOP_CLOSED;
            }
        }
        Self::residual(&rows) <= LOOP_CLOSED
    }

    /// Equation (2); whether all rates agree. The state is changed in any case.
    fn follow(&self, state: &mut State, may_move: &[bool]) -> bool {
        let (rows, J) = self.equations(state);
        let target = DVector::from_iterator(rows.len(), rows.iter().map(|row| row.target[1]));
        let r = &J * &state.v - &target;
        let mut v = &state.v + least_change(&J, &r, may_move);
        let again = &J * &v - &target;
        v += least_change(&J, &again, may_move);
        let left = (&J * &v - &target).amax();
        let size = (J.abs() * v.abs()).amax().max(target.amax());
        let agrees = left <= NO_SLIP * size;
        if agrees || may_move.iter().all(|m| *m) {
            state.v = v;
        }
        agrees
    }

    /// The loop that is open most.
    fn worst(&self, state: &State) -> OpenLoop {
        check(self.model, state).err().unwrap_or_else(|| OpenLoop {
            name: self.model.loops()[0].name.clone(),
            residual: 0.0,
            unit: "m",
            reversed: false,
        })
    }
}

fn norm(rows: &[Bilateral]) -> f64 {
    rows.iter().map(|row| (row.value - row.target[0]).powi(2)).sum::<f64>().sqrt()
}

/// −J⁺ r over the columns that may move, zero elsewhere.
fn least_change(J: &DMatrix<f64>, r: &DVector<f64>, may_move: &[bool]) -> DVector<f64> {
    let mut restricted = J.clone();
    for (j, _) in may_move.iter().enumerate().filter(|(_, moves)| !**moves) {
        restricted.column_mut(j).fill(0.0);
    }
    let solved =
        svd(restricted).and_then(|svd| svd.solve(r, NO_SLIP * svd.singular_values.max()).ok());
    let mut x = solved.map_or_else(|| DVector::zeros(J.ncols()), |x| -x);
    x.iter_mut().zip(may_move).filter(|(_, moves)| !**moves).for_each(|(x, _)| *x = 0.0);
    x
}
