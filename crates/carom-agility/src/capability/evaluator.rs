//! The matrices of a stance in a posture, and how they change with it.
//!
//! # Law
//! With v̇, τ and λ fixed, the residual of the motion is a function of the posture alone,
//! ```text
//! R(q) = ( M v̇ + h − B τ − Jᵀλ ;  J v̇ + γ ;  H v̇ + γ_H ;  j v̇ + γₓ )                (1)
//! ```
//! so that the derivatives of M, h, J, H and j in one direction are one difference of inverse dynamics,
//! O(n), instead of a difference of matrices. It is taken with the four-point rule
//! ```text
//! f′ = (8 (f(ε) − f(−ε)) − (f(2ε) − f(−2ε)))/(12 ε) + O(ε⁴),   ε = 1e-3              (2)
//! ```
//! whose truncation and round-off both stay near 1e-12 of the values. Steps are exponential on
//! quaternions; ε is that of the joint's angle behind a transmission.
//!
//! # Tests
//! `tests/capability.rs`: `eq1_residual_vanishes`, `eq3_gradient_from_differences`.

use super::largest::Capability;
use super::problem::CapabilityProblem;
use super::stance::Stance;
use super::task::Hold;
use crate::program::{Cone, LinearRows};
use crate::thresholds::evaluator::TWO_POINTS;
use carom::contact::{Site, SiteGeometry, SiteState, site_state};
use carom::dynamics::elements::{add_loads, add_spring_forces};
use carom::dynamics::forces::add_joint_forces;
use carom::dynamics::jacobian::add_turn_row;
use carom::dynamics::jacobian::{VelocityProducts, add_point_row, velocity_products};
use carom::dynamics::loops::LoopRows;
use carom::dynamics::{
    CompositeScratch, Kinematics, RecursionScratch, bias, integrate, inverse_dynamics, kinematics,
    mass_matrix,
};
use carom::geometry::tangents;
use carom::model::Model;
use nalgebra::{DMatrix, DVector, Vector3};

/// How slopes are taken.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Rule {
    /// Equation (2), to about 1e-12.
    FourPoints,
    /// Central differences, to about 1e-9: enough for second derivatives.
    TwoPoints,
}

impl Rule {
    /// ε, rad or m of the joint.
    fn step(self) -> f64 {
        match self {
            Self::FourPoints => 1e-3,
            Self::TwoPoints => TWO_POINTS,
        }
    }

    /// Places in steps, and weights in twelfths.
    fn weights(self) -> &'static [(f64, f64)] {
        match self {
            Self::FourPoints => &[(1.0, 8.0), (-1.0, -8.0), (2.0, -1.0), (-2.0, 1.0)],
            Self::TwoPoints => &[(1.0, 6.0), (-1.0, -6.0)],
        }
    }
}

/// Kinematics and scratch for one stance.
#[derive(Debug, Clone)]
pub struct Evaluator<'s, 'm> {
    stance: &'s Stance<'m>,
    kin: Kinematics,
    products: VelocityProducts,
    composite: CompositeScratch,
    recursion: RecursionScratch,
    rows: Rows,
    q: Vec<f64>,
    w: Vec<f64>,
}

/// J, H and j as rows over v, and their biases: contacts and ties, held, task.
#[derive(Debug, Clone)]
struct Rows {
    matrix: DMatrix<f64>,
    bias: DVector<f64>,
}

impl<'s, 'm> Evaluator<'s, 'm> {
    /// Room for a stance.
    pub fn new(stance: &'s Stance<'m>) -> Self {
        let model = stance.model();
        let count = stance.row_count() + stance.held_count() + 1;
        Self {
            stance,
            kin: Kinematics::new(model),
            products: VelocityProducts::new(model),
            composite: CompositeScratch::new(model),
            recursion: RecursionScratch::new(model),
            // One column per row, so that a row is contiguous.
            rows: Rows { matrix: DMatrix::zeros(model.nv(), count), bias: DVector::zeros(count) },
            q: vec![0.0; model.nq()],
            w: vec![0.0; model.nv()],
        }
    }

    /// The stance.
    pub fn stance(&self) -> &'s Stance<'m> {
        self.stance
    }

    /// Kinematics of the last posture.
    pub fn kinematics(&self) -> &Kinematics {
        &self.kin
    }

    /// The velocity products of the state where it was placed.
    pub(crate) fn products(&self) -> &VelocityProducts {
        &self.products
    }

    /// The state of a site in the last posture, at the velocities given there.
    pub fn site_state(&self, site: &Site, q: &[f64], v: &[f64]) -> SiteState {
        site_state(self.stance.model(), site, (&self.kin, &self.products), (q, v))
    }

    /// J̇v of the task's body at the world point `x` in the last posture.
    pub(crate) fn point_bias(&self, x: &Vector3<f64>) -> Vector3<f64> {
        let task = self.stance.task();
        self.products.at(self.stance.model(), &self.kin, task.body, x).v
    }

    /// Move to a posture.
    pub fn place(&mut self, t: f64, q: &[f64], v: &[f64]) {
        let model = self.stance.model();
        kinematics(model, q, v, &mut self.kin);
        velocity_products(model, &self.kin, &mut self.products);
        self.fill_rows(t, q, v);
    }

    /// The question in matrices, at time t.
    pub fn problem(&mut self, t: f64, q: &[f64], v: &[f64]) -> CapabilityProblem {
        self.place(t, q, v);
        let stance = self.stance;
        let (model, n) = (stance.model(), stance.model().nv());
        let mut M = DMatrix::zeros(n, n);
        mass_matrix(model, &self.kin, &mut self.composite, &mut M);
        let mut h = DVector::zeros(n);
        bias(model, &self.kin, &mut self.recursion, h.as_mut_slice());
        let mut passive = DVector::zeros(n);
        add_joint_forces(model, q, v, passive.as_mut_slice());
        add_spring_forces(model, &self.kin, passive.as_mut_slice());
        add_loads(model, &self.kin, passive.as_mut_slice());
        let motors = stance.actuators();
        let mut B = DMatrix::zeros(n, motors.len());
        for (k, motor) in motors.iter().enumerate() {
            B[(motor.dof, k)] = 1.0;
        }
        let (nr, nh) = (stance.row_count(), stance.held_count());
        let rows = |first: usize, count: usize| self.rows.matrix.columns(first, count).transpose();
        CapabilityProblem {
            mass_matrix: M,
            bias: h - passive,
            actuation: B,
            torque_lower: DVector::from_iterator(motors.len(), motors.iter().map(|a| a.lower)),
            torque_upper: DVector::from_iterator(motors.len(), motors.iter().map(|a| a.upper)),
            contact_rows: rows(0, nr),
            contact_bias: self.rows.bias.rows(0, nr).into_owned(),
            cones: cones(stance.contacts()),
            task_row: self.rows.matrix.column(nr + nh).into_owned(),
            task_bias: self.rows.bias[nr + nh],
            held: LinearRows {
                matrix: rows(nr, nh),
                bound: -self.rows.bias.rows(nr, nh).into_owned(),
            },
            names: stance.names().clone(),
        }
    }

    /// Length of the residual (1).
    pub fn residual_len(&self) -> usize {
        self.stance.model().nv() + self.rows.bias.len()
    }

    /// R of equation (1) at time t.
    pub fn residual(
        &mut self,
        t: f64,
        (q, v): (&[f64], &[f64]),
        at: &Capability,
        out: &mut DVector<f64>,
    ) {
        self.place(t, q, v);
        let model = self.stance.model();
        let n = model.nv();
        let motion = &mut out.as_mut_slice()[..n];
        inverse_dynamics(model, &self.kin, at.vdot.as_slice(), &mut self.recursion, motion);
        self.w.fill(0.0);
        add_joint_forces(model, q, v, &mut self.w);
        add_spring_forces(model, &self.kin, &mut self.w);
        add_loads(model, &self.kin, &mut self.w);
        for (motor, torque) in self.stance.actuators().iter().zip(&at.torque) {
            self.w[motor.dof] += torque;
        }
        motion.iter_mut().zip(&self.w).for_each(|(r, w)| *r -= w);
        for (r, lambda) in at.force.iter().enumerate() {
            let row = self.rows.matrix.column(r);
            motion.iter_mut().zip(row.iter()).for_each(|(m, j)| *m -= lambda * j);
        }
        for (r, bias) in self.rows.bias.iter().enumerate() {
            out[n + r] = self.rows.matrix.column(r).dot(&at.vdot) + bias;
        }
    }

    /// ∂R/∂q, one column per degree of freedom, equation (2).
    pub fn residual_slopes(
        &mut self,
        t: f64,
        (q, v): (&[f64], &[f64]),
        at: &Capability,
        rule: Rule,
    ) -> DMatrix<f64> {
        let model = self.stance.model();
        let (n, len) = (model.nv(), self.residual_len());
        let mut slopes = DMatrix::zeros(len, n);
        let mut value = DVector::zeros(len);
        let mut turn = vec![0.0; n];
        let mut moved = std::mem::take(&mut self.q);
        for k in 0..n {
            let h = rule.step() / model.coordinates()[k].ratio.abs().max(1.0);
            for &(times, weight) in rule.weights() {
                turn[k] = times * h;
                integrate::step(model, q, &turn, &mut moved);
                self.residual(t, (&moved, v), at, &mut value);
                slopes.column_mut(k).axpy(weight / (12.0 * h), &value, 1.0);
            }
            turn[k] = 0.0;
        }
        self.q = moved;
        slopes
    }

    /// da*/dq along the directions of v, equation (3) of [`mod@super::largest`].
    pub fn gradient(&mut self, t: f64, state: (&[f64], &[f64]), at: &Capability) -> DVector<f64> {
        let slopes = self.residual_slopes(t, state, at, Rule::FourPoints);
        slopes.tr_mul(&weights(at))
    }

    fn fill_rows(&mut self, t: f64, q: &[f64], v: &[f64]) {
        let stance = self.stance;
        let model = stance.model();
        self.rows.matrix.fill(0.0);
        self.rows.bias.fill(0.0);
        let mut at = 0;
        for site in stance.contacts() {
            let state = self.site_state(site, q, v);
            for k in (0..site.tangents).chain([2]) {
                let row = self.rows.row_mut(at);
                add_site_row(model, &self.kin, site, &state, k, row);
                self.rows.bias[at] = state.gamma[k];
                at += 1;
            }
        }
        for tie in model.couplings() {
            let ratio = |dof: usize| model.coordinates()[dof].ratio;
            let row = self.rows.row_mut(at);
            row[tie.follower] += ratio(tie.follower);
            row[tie.leader] -= tie.ratio * ratio(tie.leader);
            at += 1;
        }
        for motion in stance.motions() {
            self.rows.row_mut(at)[motion.dof] = model.coordinates()[motion.dof].ratio;
            self.rows.bias[at] = -motion.at(t)[2];
            at += 1;
        }
        for one in model.loops() {
            LoopRows::new(model, (&self.kin, &self.products), one).visit(
                model.moves_in_plane(),
                |equation| {
                    let n = self.rows.matrix.nrows();
                    let row = &mut self.rows.matrix.as_mut_slice()[at * n..(at + 1) * n];
                    equation.add_to(model, &self.kin, row);
                    self.rows.bias[at] = equation.gamma;
                    at += 1;
                },
            );
        }
        self.fill_task(at);
    }

    /// The held rows and the task's.
    fn fill_task(&mut self, mut at: usize) {
        let task = self.stance.task();
        let model = self.stance.model();
        let x = self.kin.pose(model, task.body).point(&task.point);
        let bias = self.products.at(model, &self.kin, task.body, &x);
        let d = task.direction.into_inner();
        let axes = match task.hold {
            Hold::Nothing => Vec::new(),
            Hold::Line | Hold::Body => tangents(&d, false).to_vec(),
        };
        for axis in axes {
            add_point_row(model, &self.kin, (task.body, &x), &axis, 1.0, self.rows.row_mut(at));
            self.rows.bias[at] = axis.dot(&bias.v);
            at += 1;
        }
        if task.hold == Hold::Body {
            for axis in [Vector3::x(), Vector3::y(), Vector3::z()] {
                add_turn_row(model, &self.kin, task.body, &axis, self.rows.row_mut(at));
                self.rows.bias[at] = axis.dot(&bias.w);
                at += 1;
            }
        }
        add_point_row(model, &self.kin, (task.body, &x), &d, 1.0, self.rows.row_mut(at));
        self.rows.bias[at] = d.dot(&bias.v);
    }
}

impl Rows {
    fn row_mut(&mut self, i: usize) -> &mut [f64] {
        let n = self.matrix.nrows();
        &mut self.matrix.as_mut_slice()[i * n..(i + 1) * n]
    }
}

/// The multipliers of R in da*/dq: −p, ρ, −ν, 1.
pub(crate) fn weights(at: &Capability) -> DVector<f64> {
    let parts = (at.adjoint.iter().map(|p| -p))
        .chain(at.contact_multipliers.iter().copied())
        .chain(at.held_multipliers.iter().map(|nu| -nu))
        .chain([1.0]);
    DVector::from_vec(parts.collect())
}

/// The row of the velocity of a site along its axis `k`.
pub(crate) fn add_site_row(
    model: &Model,
    kin: &Kinematics,
    site: &Site,
    state: &SiteState,
    k: usize,
    row: &mut [f64],
) {
    if let SiteGeometry::Limit { dof, side, .. } = site.geometry {
        row[dof] += side * model.coordinates()[dof].ratio;
        return;
    }
    let (a, b) = site.bodies();
    for (body, sign) in [(a, -1.0), (b, 1.0)] {
        if let Some(body) = body {
            add_point_row(model, kin, (body, &state.x), &state.axes[k], sign, row);
        }
    }
}

/// Friction cones of sticking contacts.
fn cones(contacts: &[Site]) -> Vec<Cone> {
    let mut first = 0;
    let mut all = Vec::with_capacity(contacts.len());
    for site in contacts {
        let (tangents, friction) = (site.tangents, site.surface.static_friction);
        all.push(Cone { first, tangents, friction });
        first += tangents + 1;
    }
    all
}
