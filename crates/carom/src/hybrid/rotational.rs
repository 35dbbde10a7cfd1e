//! Impacts of a cluster with rotational restitution: contacts over small areas, which take moments too.
//!
//! # Law
//! Beside its velocities u, each site that touches has the relative angular velocity ω of its bodies, in space along its
//! tangents (rolling) and its normal (spinning), in the plane about the normal of the plane. The restitution matrix with
//! its rows e_r, see [`restitution_matrix`](crate::impact::restitution_matrix), decides them together:
//! ```text
//! ω⁺ = e_r ω⁻  while  |m| ≤ μs a pₙ,   else held or |m| = μd a pₙ               (1)
//! M (v⁺ − v⁻) = Jᵀp + J_ωᵀm                                                     (2)
//! ```
//! The work of the moments is part of the friction work of their contact. A contact without friction takes no moment.
//!
//! # Limits
//! Between impacts contacts are points and take no moment. The work (3) of prescribed motions in [`super::jump`] is what
//! contacts do not explain of the change of energy.
//!
//! # Tests
//! `crates/carom-scene/tests/rotational.rs`: `eq1_a_disk_keeps_a_share_of_its_spin`, `eq1_a_spinning_ball_saturates`,
//! `eq2_the_ledger_closes`,
//! `what_takes_no_part_in_impacts_is_left_out`.

use super::event::Transition;
use super::flow::Flow;
use super::impact_problem::{angular_rows, contact, mass};
use crate::contact::{Site, SiteState};
use crate::impact::restitution_matrix::{MatrixAnswer, RestitutionMatrix, Rotation};
use crate::impact::{ImpactError, ImpactProblem, ImpactWorkspace};
use nalgebra::{DMatrix, DVector, Vector3};

impl Transition {
    /// Impulses of the law with its rotational rows, and v⁺ in place of v. The rows of the cluster must be assembled.
    pub(super) fn resolve_rotational(
        &mut self,
        flow: &Flow<'_>,
        law: &RestitutionMatrix,
        v: &mut [f64],
    ) -> Result<(), ImpactError> {
        let Some(turning) = law.turning else { return Ok(()) };
        let (model, kin) = (flow.model, &flow.posture.kin);
        let rows = &self.projector.rows;
        let (nv, nb) = (model.nv(), rows.nb());
        let mut problem = ImpactProblem {
            mass_matrix: mass(model, kin),
            velocity: DVector::from_column_slice(v),
            contacts: Vec::with_capacity(rows.hitting().len()),
            bilateral: DMatrix::from_fn(nb, nv, |i, j| rows.block.row(i)[j]),
        };
        let mut full = RestitutionMatrix { turning: None, ..law.clone() };
        for (k, &site) in rows.hitting().iter().enumerate() {
            let (site, state) = (&flow.sites[site], &flow.contacts.states[site]);
            let mut touching = contact(model, kin, site, state);
            touching.restitution = self.jump.space.contacts[k].restitution;
            problem.contacts.push(touching);
            let along = axes(site, state);
            let found = angular_rows(model, kin, (site, state), &along);
            full.rotations.extend(found.into_iter().map(|row| Rotation {
                contact: k,
                row,
                coefficient: turning.coefficient,
                arm: turning.arm,
            }));
        }
        let mut answer = MatrixAnswer::default();
        full.resolve_rows(&problem, &mut ImpactWorkspace::new(), &mut answer)?;
        let answer = answer.answer;
        v.copy_from_slice(answer.velocity.as_slice());
        let works = answer.solution.normal_work + answer.solution.friction_work;
        self.jump.jolt = match nb {
            0 => 0.0,
            _ => answer.energy_after - answer.energy_before - works,
        };
        self.jump.solution = answer.solution;
        Ok(())
    }
}

/// The axes about which a contact takes moments; none without friction.
fn axes(site: &Site, state: &SiteState) -> Vec<Vector3<f64>> {
    match site.tangents {
        0 => Vec::new(),
        1 => vec![state.axes[2].cross(&state.axes[0])],
        _ => state.axes.to_vec(),
    }
}
