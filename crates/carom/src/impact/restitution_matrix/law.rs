//! The law: no-slip trial, stick test, slip.

use crate::numeric::thresholds::matrix::ROUND_OFF;
use nalgebra::DVector;

use super::answer::{MatrixAnswer, coefficients};
use super::independent::IndependentRows;
use super::rotation::{Rotation, Turning};
use super::slip::WithRotations;
use crate::impact::algebraic::{begin, end, record, together};
use crate::impact::contact_space::{ContactSpace, Phase, reshape_vector};
use crate::impact::error::{ImpactError, Reason};
use crate::impact::law::{ImpactLaw, Promises};
use crate::impact::newton::{accept, add_restitution};
use crate::impact::problem::ImpactProblem;
use crate::impact::reduction::Reduction;
use crate::impact::solution::ImpactSolution;
use crate::impact::trace::StageEvent;
use crate::impact::workspace::ImpactWorkspace;

/// The restitution-matrix law, see the [module](super).
#[derive(Debug, Clone, Default, PartialEq)]
pub struct RestitutionMatrix {
    /// e_t of the tangents of each contact.
    pub tangential: Vec<[f64; 2]>,
    /// e_t of the tangents of contacts beyond the end of that list. Where the tangents are not the
    /// user's own, as in a simulation, both numbers must be the same to mean anything.
    pub elsewhere: [f64; 2],
    /// Rotational rows, only for [`RestitutionMatrix::resolve_rows`].
    pub rotations: Vec<Rotation>,
    /// Coefficient and arm of all rotations of the contacts of a simulation, which makes the rows itself.
    pub turning: Option<Turning>,
}

/// Buffers of the trial.
#[derive(Debug, Default)]
pub(crate) struct MatrixScratch {
    rows: IndependentRows,
    order: Vec<usize>,
    change: DVector<f64>,
}

impl ImpactLaw for RestitutionMatrix {
    fn name(&self) -> &'static str {
        "matrix"
    }

    fn rotational(&self) -> Option<&RestitutionMatrix> {
        self.turning.is_some().then_some(self)
    }

    fn promises(&self) -> Promises {
        // Rotational rows carry impulses that the contacts do not know of.
        let mut promises = Promises::default();
        if !self.rotations.is_empty() {
            promises.audit.0.momentum = f64::INFINITY;
            promises.audit.0.balance = f64::INFINITY;
        }
        promises
    }

    fn resolve(
        &self,
        space: &ContactSpace,
        work: &mut ImpactWorkspace,
        out: &mut ImpactSolution,
    ) -> Result<(), ImpactError> {
        begin(space, out)?;
        if !self.rotations.is_empty() || self.turning.is_some() {
            let reason = Reason::NeedsMassMatrix;
            return Err(ImpactError::NotApplicable { law: self.name(), reason });
        }
        self.impulses(space, work, &mut out.impulses)?;
        end(space, out);
        Ok(())
    }

    fn resolve_problem(
        &self,
        problem: &ImpactProblem,
        work: &mut ImpactWorkspace,
        out: &mut crate::impact::ImpactAnswer,
    ) -> Result<(), ImpactError> {
        let mut answer = MatrixAnswer { answer: std::mem::take(out), ..MatrixAnswer::default() };
        let result = self.resolve_rows(problem, work, &mut answer);
        *out = answer.answer;
        result
    }
}

impl RestitutionMatrix {
    /// The law with rotational rows, coefficients after the fact and moments.
    pub fn resolve_rows(
        &self,
        problem: &ImpactProblem,
        work: &mut ImpactWorkspace,
        out: &mut MatrixAnswer,
    ) -> Result<(), ImpactError> {
        self.rotations.iter().try_for_each(|r| r.validate(problem))?;
        let mut all = problem.clone();
        all.contacts.extend(self.rotations.iter().map(Rotation::as_contact));
        let mut reduction = Reduction::default();
        reduction.reduce(&all)?;
        let count = self.rotations.len();
        let mut own = Reduction::default();
        own.reduce(problem)?;
        if own.space.colliding().next().is_none() {
            return Err(own.space.no_approach());
        }
        let space = &mut reduction.space;
        let m = space.rows() - count;
        // rotations neither scale nor classify contacts
        space.u_pre.rows_mut(0, m).copy_from(&own.space.u_pre);
        space.contacts.truncate(problem.contacts.len());
        space.contacts.copy_from_slice(&own.space.contacts);
        for i in m..m + count {
            space.contacts.push(crate::impact::ContactRow {
                first: i,
                tangents: 0,
                friction: 0.0,
                static_friction: 0.0,
                restitution: 0.0,
                phase: Phase::Apart,
            });
        }
        let mut p = DVector::zeros(m + count);
        out.answer.solution.reset(&own.space);
        record(StageEvent::Start, &own.space, &mut out.answer.solution);
        out.stuck = self.impulses(space, work, &mut p)?;
        self.fill(problem, (&own.space, &reduction), &p, out);
        record(StageEvent::End, &own.space, &mut out.answer.solution);
        Ok(())
    }

    /// Velocities, works, outcomes and coefficients from the impulses of contacts and rotations.
    fn fill(
        &self,
        problem: &ImpactProblem,
        (own, reduction): (&ContactSpace, &Reduction),
        p: &DVector<f64>,
        out: &mut MatrixAnswer,
    ) {
        let (m, space) = (own.rows(), &reduction.space);
        let mut u_post = DVector::zeros(space.rows());
        space.velocity_after(p, &mut u_post);
        let solution = &mut out.answer.solution;
        solution.impulses.copy_from(&p.rows(0, m));
        solution.u_post.copy_from(&u_post.rows(0, m));
        let work = |i: usize| 0.5 * p[i] * (space.u_pre[i] + u_post[i]);
        for (k, contact) in own.contacts.iter().enumerate() {
            solution.normal_works[k] = work(contact.normal());
            solution.friction_works[k] = contact.tangent_rows().map(work).sum();
        }
        for (r, rotation) in self.rotations.iter().enumerate() {
            solution.friction_works[rotation.contact] += work(m + r);
        }
        solution.sum_works();
        solution.classify(own);
        solution.rule = together(own);
        coefficients(own, solution.u_post.as_slice(), &mut out.coefficients);
        out.moments = p.rows(m, self.rotations.len()).iter().copied().collect();
        out.rotations = u_post.rows(m, self.rotations.len()).iter().copied().collect();
        out.answer.velocity = problem.velocity.clone();
        reduction.velocity_after(&problem.velocity, p, &mut out.answer.velocity);
        out.answer.energy_before = problem.kinetic_energy(&problem.velocity);
        out.answer.energy_after = problem.kinetic_energy(&out.answer.velocity);
    }

    /// Impulses of all rows of a space whose last rows are the rotations; whether all stick.
    fn impulses(
        &self,
        space: &ContactSpace,
        work: &mut ImpactWorkspace,
        p: &mut DVector<f64>,
    ) -> Result<bool, ImpactError> {
        self.no_slip(space, &mut work.matrix, p);
        if self.sticks(space, p) {
            return Ok(true);
        }
        let friction = &mut work.friction;
        if self.rotations.is_empty() {
            space.coulomb(&mut friction.problem);
            add_restitution(space, &mut friction.problem);
            accept("matrix", friction.solve(p).residual)?;
        } else {
            WithRotations { space, rotations: &self.rotations }.solve(friction, p)?;
        }
        Ok(false)
    }

    fn contacts<'a>(&self, space: &'a ContactSpace) -> &'a [crate::impact::ContactRow] {
        &space.contacts[..space.contacts.len() - self.rotations.len()]
    }

    /// Equation (4): the rows in the order normals, tangents, rotations.
    fn no_slip(&self, space: &ContactSpace, scratch: &mut MatrixScratch, p: &mut DVector<f64>) {
        let MatrixScratch { rows, order, change } = scratch;
        reshape_vector(change, space.rows());
        order.clear();
        let part = || self.contacts(space).iter().enumerate().filter(|(_, c)| c.takes_part());
        for (_, contact) in part() {
            let n = contact.normal();
            order.push(n);
            change[n] = -(1.0 + contact.restitution) * space.u_pre[n];
        }
        for (k, contact) in part() {
            let e_t = self.tangential.get(k).copied().unwrap_or(self.elsewhere);
            for (i, e) in contact.tangent_rows().zip(e_t) {
                order.push(i);
                change[i] = (e - 1.0) * space.u_pre[i];
            }
        }
        let first = space.rows() - self.rotations.len();
        for (r, rotation) in self.rotations.iter().enumerate() {
            if self.contacts(space)[rotation.contact].takes_part() {
                order.push(first + r);
                change[first + r] = (rotation.coefficient - 1.0) * space.u_pre[first + r];
            }
        }
        rows.solve(&space.G, order, change, p);
    }

    /// Equation (6), and that no closed contact is penetrated.
    fn sticks(&self, space: &ContactSpace, p: &DVector<f64>) -> bool {
        let velocity = space.velocity_scale;
        let closed =
            self.contacts(space).iter().enumerate().filter(|(_, c)| c.phase != Phase::Apart);
        for (k, contact) in closed {
            let n = contact.normal();
            let impulse = ROUND_OFF * velocity / space.mobility(k);
            let after = space.u_pre[n] + space.G.row(n).tr_dot(p);
            let wanted = -contact.restitution * space.u_pre[n].min(0.0);
            let friction = contact.tangent_rows().fold(0.0_f64, |s, i| s.hypot(p[i]));
            if p[n] < -impulse
                || after < wanted - ROUND_OFF * velocity
                || friction > contact.static_friction * p[n].max(0.0) + impulse
            {
                return false;
            }
        }
        let first = space.rows() - self.rotations.len();
        self.rotations.iter().enumerate().all(|(r, rotation)| {
            let contact = &self.contacts(space)[rotation.contact];
            let bound = contact.static_friction * p[contact.normal()].max(0.0);
            let bound = if bound == 0.0 { 0.0 } else { bound * rotation.arm };
            p[first + r].abs() <= bound * (1.0 + ROUND_OFF)
        })
    }
}
