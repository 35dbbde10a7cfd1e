//! The law through the block matrix, for a singular mass matrix.

use crate::numeric::thresholds::constraint;
use nalgebra::{DMatrix, DVector};

use super::Constraint;
use super::sets::{Best, check_count};
use crate::impact::algebraic::{begin, record, together};
use crate::impact::block_matrix::BlockMatrix;
use crate::impact::contact_space::{ContactSpace, Phase, reshape_vector};
use crate::impact::error::ImpactError;
use crate::impact::newton::accept;
use crate::impact::problem::ImpactProblem;
use crate::impact::solution::{ImpactAnswer, ImpactSolution};
use crate::impact::trace::StageEvent;

/// (1) to (3) through the block matrix, for singular M.
pub(super) fn resolve_singular(
    law: &Constraint,
    problem: &ImpactProblem,
    out: &mut ImpactAnswer,
) -> Result<(), ImpactError> {
    check_semidefinite(&problem.mass_matrix)?;
    let space = kinematic_space(problem);
    begin(&space, &mut out.solution)?;
    let singular = Singular { law, problem, space: &space };
    let (v_post, p) =
        if law.complementarity { singular.search()? } else { singular.as_written()? };
    singular.complete(&v_post, p, &mut out.solution);
    out.energy_before = space.kinetic_energy;
    out.energy_after = problem.kinetic_energy(&v_post);
    out.velocity = v_post;
    record(StageEvent::End, &space, &mut out.solution);
    Ok(())
}

/// Whether elimination on M with unit diagonal meets a pivot below 1e-10. Such a matrix may pass a
/// Cholesky factorisation by round-off alone, so the block matrix is used instead, which is as good
/// for a regular M; the bound decides only which way the same numbers are computed.
pub(super) fn nearly_singular(M: &DMatrix<f64>) -> bool {
    let n = M.nrows();
    let largest = M.diagonal().amax();
    let unit = |i: usize| {
        if M[(i, i)] > constraint::MASSLESS * largest { 1.0 / M[(i, i)].sqrt() } else { 0.0 }
    };
    let mut A = DMatrix::from_fn(n, n, |i, j| unit(i) * M[(i, j)] * unit(j));
    for k in 0..n {
        let pivot = (k..n).max_by(|&a, &b| A[(a, a)].total_cmp(&A[(b, b)])).unwrap_or(k);
        A.swap_rows(k, pivot);
        A.swap_columns(k, pivot);
        if A[(k, k)] < constraint::SINGULAR {
            return true;
        }
        for i in k + 1..n {
            let factor = A[(i, k)] / A[(k, k)];
            for j in k + 1..n {
                A[(i, j)] -= factor * A[(k, j)];
            }
        }
    }
    false
}

/// A negative eigenvalue beyond round-off is refused.
fn check_semidefinite(M: &DMatrix<f64>) -> Result<(), ImpactError> {
    let eigenvalues = M.clone().symmetric_eigenvalues();
    let (pivot, value) = eigenvalues.argmin();
    if value < -constraint::INDEFINITE * eigenvalues.amax() {
        return Err(ImpactError::MassMatrix { pivot, value });
    }
    Ok(())
}

/// Rows, phases and velocities of a problem; G stays zero because M has no inverse.
fn kinematic_space(problem: &ImpactProblem) -> ContactSpace {
    let mut space = ContactSpace::default();
    space.resize(problem.rows());
    let mut row = 0;
    for c in &problem.contacts {
        for t in c.tangents.row_iter() {
            space.u_pre[row] = t.transpose().dot(&problem.velocity);
            row += 1;
        }
        space.u_pre[row] = c.normal.dot(&problem.velocity);
        row += 1;
        space.push_contact(
            c.tangents.nrows(),
            [c.friction, c.static_friction],
            c.restitution,
            c.touching,
        );
    }
    space.kinetic_energy = problem.kinetic_energy(&problem.velocity);
    space.classify();
    space
}

/// A problem with singular M.
struct Singular<'a> {
    law: &'a Constraint,
    problem: &'a ImpactProblem,
    space: &'a ContactSpace,
}

impl Singular<'_> {
    fn as_written(&self) -> Result<(DVector<f64>, DVector<f64>), ImpactError> {
        let (v_post, p, miss) = self.solve(|k| self.space.contacts[k].takes_part())?;
        accept("constraint", miss)?;
        Ok((v_post, p))
    }

    fn search(&self) -> Result<(DVector<f64>, DVector<f64>), ImpactError> {
        let closed: Vec<usize> = (0..self.space.contacts.len())
            .filter(|&k| self.space.contacts[k].phase != Phase::Apart)
            .collect();
        check_count(closed.len())?;
        let (mut best, mut answer, mut refused) = (Best::default(), None, None);
        for code in (0..1usize << closed.len()).rev() {
            let held =
                |k: usize| closed.iter().position(|&c| c == k).is_some_and(|b| code >> b & 1 == 1);
            match self.solve(held) {
                Ok((v_post, p, miss)) => {
                    let residual = miss.max(self.sign_residual(&closed, &v_post, &p));
                    let energy = self.problem.kinetic_energy(&v_post);
                    if best.offer(residual, code.count_ones(), energy) {
                        answer = Some((v_post, p));
                    }
                }
                // sets that leave a massless motion free are no answer
                Err(error) => refused = Some(error),
            }
        }
        match (answer, refused, best.residual) {
            (Some(answer), _, _) => Ok(answer),
            (None, Some(error), None) => Err(error),
            _ => best.accept("constraint").and(Err(self.space.no_approach())),
        }
    }

    /// v⁺, impulses of all rows and the miss for one set of held contacts.
    fn solve(
        &self,
        held: impl Fn(usize) -> bool,
    ) -> Result<(DVector<f64>, DVector<f64>, f64), ImpactError> {
        let B = &self.problem.bilateral;
        let mut rows: Vec<DVector<f64>> = B.row_iter().map(|r| r.transpose()).collect();
        let mut target: Vec<f64> = rows.iter().map(|r| r.dot(&self.problem.velocity)).collect();
        let mut place = Vec::new();
        for (k, contact) in self.space.contacts.iter().enumerate().filter(|(k, _)| held(*k)) {
            let data = &self.problem.contacts[k];
            if self.law.constrain_tangents {
                for (t, i) in data.tangents.row_iter().zip(contact.tangent_rows()) {
                    rows.push(t.transpose());
                    target.push(0.0);
                    place.push(i);
                }
            }
            let n = contact.normal();
            rows.push(data.normal.clone());
            target.push(-contact.restitution * self.space.u_pre[n].min(0.0));
            place.push(n);
        }
        let A = DMatrix::from_fn(rows.len(), self.problem.nv(), |i, j| rows[i][j]);
        let block = BlockMatrix::new(&self.problem.mass_matrix, &A)?;
        let (v_post, p_rows, miss) =
            block.impact(&A, &self.problem.velocity, &DVector::from_vec(target));
        let mut p = DVector::zeros(self.space.rows());
        for (&i, &value) in place.iter().zip(p_rows.iter().skip(B.nrows())) {
            p[i] = value;
        }
        Ok((v_post, p, miss))
    }

    fn sign_residual(&self, closed: &[usize], v_post: &DVector<f64>, p: &DVector<f64>) -> f64 {
        let (velocity, impulse) = (self.space.velocity_scale, p.amax().max(f64::MIN_POSITIVE));
        let mut worst = 0.0_f64;
        for &k in closed {
            let contact = &self.space.contacts[k];
            let n = contact.normal();
            let xi = self.problem.contacts[k].normal.dot(v_post)
                + contact.restitution * self.space.u_pre[n].min(0.0);
            worst = worst.max(-p[n] / impulse).max(-xi / velocity);
        }
        worst
    }

    /// Velocities, works and outcomes without G.
    fn complete(&self, v_post: &DVector<f64>, p: DVector<f64>, out: &mut ImpactSolution) {
        reshape_vector(&mut out.u_post, self.space.rows());
        for (contact, data) in self.space.contacts.iter().zip(&self.problem.contacts) {
            for (t, i) in data.tangents.row_iter().zip(contact.tangent_rows()) {
                out.u_post[i] = t.transpose().dot(v_post);
            }
            out.u_post[contact.normal()] = data.normal.dot(v_post);
        }
        out.impulses = p;
        for (k, contact) in self.space.contacts.iter().enumerate() {
            let mean = |i: usize| 0.5 * (self.space.u_pre[i] + out.u_post[i]);
            let n = contact.normal();
            out.normal_works[k] = out.impulses[n] * mean(n);
            out.friction_works[k] = contact.tangent_rows().map(|i| out.impulses[i] * mean(i)).sum();
        }
        out.sum_works();
        out.classify(self.space);
        out.rule = together(self.space);
    }
}
