//! Computed torque of a task point, through the dynamics of a mechanism that stands on its feet.
//!
//! # Law
//! A point x of a body is to have the acceleration
//! ```text
//! a = k (goal − x) − d ẋ                                                (1)
//! ```
//! Feet that stand are taken as held: J v̇ + γ = 0 with γ = J̇v, forces λ of any sign and direction.
//! With the motors' columns Sᵀ (unit vectors) and v̇₀ = M⁻¹(τ − h) under everything else,
//! ```text
//! v̇ = v̇₀ + M⁻¹(Sᵀu + Jᵀλ)
//! 0 = (J v̇₀ + γ)   + G_ca u + G_cc λ       feet                          (2)
//! ẍ = (J_x v̇₀ + γ_x) + G_xa u + G_xc λ      task point                    (3)
//! ```
//! where G are the blocks of [J; J_x; S] M⁻¹ [J; J_x; S]ᵀ. Eliminating λ from (3) by (2),
//! ```text
//! ẍ = b + B u,   B = G_xa − G_xc G_cc⁻¹ G_ca,   b = b_x − G_xc G_cc⁻¹ b_c   (4)
//! ```
//! which is block elimination on the symmetric matrix G with pivots in the rows of the feet; rows
//! that depend on others (redundant feet) have a vanishing pivot and are skipped. Then u makes ẍ = a:
//! ```text
//! u = D (BD)ᵀ [(BD)(BD)ᵀ + ρ²]⁻¹ (a − b),   D = diag(range of each motor)    (5)
//! ρ² = ρ₀² tr (1 − w/w₀)² for w < w₀, else 0;   w = det^½ / (tr/k)^(k/2)      (6)
//! ```
//! the least u in units of the motors' ranges where there are more motors than task axes; where there
//! are fewer, u = D [(BD)ᵀ(BD) + ρ²]⁻¹ (BD)ᵀ (a − b), the smallest error. det, tr and k are those of the
//! matrix that is inverted. Without ρ, u would have a pole where the mechanism passes a singular posture
//! and jump from one limit to the other in no time; with it, u passes steeply but smoothly. Away from
//! singular postures (w ≥ w₀, condition numbers up to some hundreds) ẍ = a exactly.
//!
//! So u depends on the state and on which feet stand, never on the contact forces themselves: the
//! simulator solves contact forces for the motors' actual forces, and where these are not saturated and
//! the feet do stick with λₙ ≥ 0, it finds the λ of (2) and the foot stays and ẍ = a.
//!
//! # Assumptions
//! - A foot that slips is still taken as held: the controller does not know of the slip.
//! - Without any foot standing the motors are passive, u = 0; a controller that names no feet at all
//!   is always active (an arm on a fixed base).
//!
//! # Limits
//! Only the task point is controlled. What is left free (the turns of the body of a one-legged
//! mechanism: six degrees of freedom less three task axes) moves as it will.
//! Ties between joints and prescribed motions are not known to the controller.
//!
//! # Source
//! Flickinger 2011, section 6.2 (computed torque of the body's centre while in contact, saturated
//! outputs); (6.1) there has E ϑ̇ + μ + g = Υ with the inverse of a square Jacobian, which is (4)
//! solved for u where B is square. (2)–(5) derived here.
//!
//! # Tests
//! `tests/control_task.rs`: `eq1_eq5_arm_follows`, `eq2_eq4_foot_stays_and_task_follows`,
//! `eq5_least_effort`, `eq6_singular_postures_are_passed`, `redundant_feet`.

use super::controller::{Controller, Situation, check_gain, check_indices};
use super::{Actuator, ControlError};
use crate::contact::Site;
use crate::contact::delassus::{Instant, RowBlock};
use crate::contact::site_state::site_state;
use crate::model::moves_in_plane;
use crate::model::{BodyId, Model};
use crate::numeric::thresholds::control::REDUNDANT;
use nalgebra::{DMatrix, Matrix3, Vector3};

/// ρ₀ of equation (6). Useful 1e-3 to 0.1: below, torques near singular postures change too fast to
/// locate their events; above, the task is given up early.
pub const DAMPING: f64 = 1e-2;
/// w₀ of equation (6). Useful 1e-4 to 0.1: how near to singular the task is no longer followed exactly.
pub const SINGULAR: f64 = 1e-2;

/// A task point and where it should go.
#[derive(Debug, Clone, PartialEq)]
pub struct ComputedTorque {
    /// The actuators that it commands.
    pub actuators: Vec<usize>,
    /// The body that carries the point.
    pub body: BodyId,
    /// The point in the frame of the body, m.
    pub point: Vector3<f64>,
    /// Where the point should go, in the world, m.
    pub goal: Vector3<f64>,
    /// k, 1/s².
    pub stiffness: f64,
    /// d, 1/s.
    pub damping: f64,
    /// Sites on which the mechanism may stand.
    pub feet: Vec<usize>,
}

impl ComputedTorque {
    /// The controller, with room for a model.
    pub fn controller(&self, model: &Model, actuators: &[Actuator]) -> TaskController {
        let rows = 3 * self.feet.len() + 3 + self.actuators.len();
        let own = |&i: &usize| actuators.get(i).map_or((0, 1.0), |a| (a.dof, a.scale()));
        TaskController {
            law: self.clone(),
            motors: self.actuators.iter().map(own).collect(),
            axes: if moves_in_plane(model) { 2 } else { 3 },
            block: RowBlock::with_capacity(model, rows),
            G: DMatrix::zeros(rows, rows),
            b: Vec::with_capacity(rows),
        }
    }
}

/// [`ComputedTorque`] at work.
#[derive(Debug, Clone)]
pub struct TaskController {
    law: ComputedTorque,
    /// Degree of freedom and range of each own actuator.
    motors: Vec<(usize, f64)>,
    /// Task axes: 2 in the plane.
    axes: usize,
    block: RowBlock,
    G: DMatrix<f64>,
    b: Vec<f64>,
}

impl TaskController {
    /// The acceleration that the task point is to have, equation (1), m/s².
    pub fn wanted(&self, at: &Situation<'_>) -> Vector3<f64> {
        let x = at.kin.pose(at.model, self.law.body).point(&self.law.point);
        let rate = at.kin.twist_at(at.model, self.law.body, &x).v;
        (self.law.goal - x) * self.law.stiffness - rate * self.law.damping
    }

    /// Rows of feet, task and motors, with G and b; returns the number of rows of the feet.
    fn assemble(&mut self, at: &Situation<'_>) -> usize {
        self.block.clear();
        self.b.clear();
        let instant = Instant { model: at.model, kin: at.kin, art: at.art };
        for &foot in self.law.feet.iter().filter(|&&foot| at.stance[foot]) {
            let site = &at.sites[foot];
            let state = site_state(at.model, site, (at.kin, at.products), (at.q, at.v));
            state.push_rows(site, &instant, &mut self.block);
            self.b.extend((0..site.tangents).chain([2]).map(|k| state.gamma[k]));
        }
        let feet = self.b.len();
        let x = at.kin.pose(at.model, self.law.body).point(&self.law.point);
        let own = at.products.at(at.model, at.kin, self.law.body, &x).v;
        for axis in 0..self.axes {
            let mut d = Vector3::zeros();
            d[axis] = 1.0;
            self.block.push_direction(&instant, (None, Some(self.law.body)), &x, &d);
            self.b.push(own[axis]);
        }
        for i in 0..self.b.len() {
            self.b[i] += self.block.times(i, at.vdot);
        }
        for &(dof, _) in &self.motors {
            self.block.push_combination(&instant, &[(dof, 1.0)]);
        }
        self.block.gram(at.art, &mut self.G);
        feet
    }

    /// Eliminate the rows of the feet, equation (4): what is left of G and b is B and b.
    fn eliminate(&mut self, feet: usize) {
        let (rows, known) = (self.block.rows(), self.b.len());
        let largest = (0..feet).fold(0.0_f64, |s, i| s.max(self.G[(i, i)]));
        // A row that was used has a diagonal of zero afterwards, exactly.
        for _ in 0..feet {
            let mut p = 0;
            for i in 1..feet {
                if self.G[(i, i)] > self.G[(p, p)] {
                    p = i;
                }
            }
            let pivot = self.G[(p, p)];
            if pivot <= REDUNDANT * largest {
                break;
            }
            let b_p = self.b[p];
            for i in (0..rows).filter(|&i| i != p) {
                let factor = self.G[(i, p)] / pivot;
                if i < known {
                    self.b[i] -= factor * b_p;
                }
                for j in (0..rows).filter(|&j| j != p) {
                    self.G[(i, j)] -= factor * self.G[(p, j)];
                }
            }
            for i in 0..rows {
                self.G[(i, p)] = 0.0;
                self.G[(p, i)] = 0.0;
            }
        }
    }

    /// Equations (5) and (6), added to `u`.
    fn solve(&self, feet: usize, wanted: &Vector3<f64>, u: &mut [f64]) {
        let (axes, motors) = (self.axes, self.motors.len());
        let entry =
            |axis: usize, k: usize| self.G[(feet + axis, feet + axes + k)] * self.motors[k].1;
        let r = |i: usize| wanted[i] - self.b[feet + i];
        let wide = motors >= axes;
        let size = axes.min(motors);
        // The rows beyond `size` are those of the identity, solved for zero.
        let mut A = Matrix3::identity();
        let mut rhs = Vector3::zeros();
        for i in 0..size {
            rhs[i] = if wide { r(i) } else { (0..axes).map(|x| entry(x, i) * r(x)).sum() };
            for j in 0..size {
                A[(i, j)] = match wide {
                    true => (0..motors).map(|k| entry(i, k) * entry(j, k)).sum(),
                    false => (0..axes).map(|x| entry(x, i) * entry(x, j)).sum(),
                };
            }
        }
        damp(&mut A, size);
        let Some(z) = A.cholesky().map(|c| c.solve(&rhs)) else { return };
        for (k, &actuator) in self.law.actuators.iter().enumerate() {
            let pull = match wide {
                true => (0..axes).map(|i| entry(i, k) * z[i]).sum(),
                false => z[k],
            };
            u[actuator] += pull * self.motors[k].1;
        }
    }
}

/// Add ρ² of equation (6) to the leading diagonal.
fn damp(A: &mut Matrix3<f64>, size: usize) {
    let trace: f64 = (0..size).map(|i| A[(i, i)]).sum();
    let even = (trace / size as f64).powi(size as i32);
    // det of a matrix that is padded by the identity; round-off may make it negative.
    let w = (A.determinant().max(0.0) / even).sqrt();
    if w < SINGULAR {
        let rho = DAMPING * (1.0 - w / SINGULAR);
        for i in 0..size {
            A[(i, i)] += rho * rho * trace;
        }
    }
}

impl Controller for TaskController {
    fn command(&mut self, at: &Situation<'_>, u: &mut [f64]) {
        if self.is_passive(at.stance) {
            return;
        }
        let feet = self.assemble(at);
        self.eliminate(feet);
        let wanted = self.wanted(at);
        self.solve(feet, &wanted, u);
    }

    fn check(&self, model: &Model, sites: &[Site], actuators: usize) -> Result<(), ControlError> {
        let law = &self.law;
        check_indices((&law.actuators, actuators), (&law.feet, sites.len()))?;
        check_gain("stiffness", law.stiffness)?;
        check_gain("damping", law.damping)?;
        for value in law.goal.iter().chain(law.point.iter()).copied() {
            if !value.is_finite() {
                return Err(ControlError::Value { what: "goal or point", value });
            }
        }
        debug_assert!(law.body.index() < model.bodies().len());
        Ok(())
    }

    fn feet(&self) -> &[usize] {
        &self.law.feet
    }

    fn is_passive(&self, stance: &[bool]) -> bool {
        let feet = &self.law.feet;
        !feet.is_empty() && !feet.iter().any(|&foot| stance[foot])
    }
}
