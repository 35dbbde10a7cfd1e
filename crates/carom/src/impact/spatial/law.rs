//! One contact of a contact space by the spatial solution.

use nalgebra::{Matrix3, Vector3};

use super::single::{self, Coefficients, SpatialImpact, Unfinished};
use crate::impact::contact_space::{ContactRow, ContactSpace};
use crate::impact::error::ImpactError;
use crate::impact::restitution::Restitution;
use crate::impact::solution::ImpactSolution;

/// Name in errors.
const NAME: &str = "differential";

/// The differential law where one contact takes part.
pub(crate) fn one(
    space: &ContactSpace,
    contact: usize,
    definition: Restitution,
    out: &mut ImpactSolution,
) -> Result<(), ImpactError> {
    out.reset(space);
    let row = &space.contacts[contact];
    let (K, u) = block(space, row);
    let c = Coefficients {
        friction: row.friction,
        static_friction: row.static_friction,
        restitution: row.restitution,
        definition,
    };
    let result = if out.trace.enabled {
        let mut record = |event, state: SpatialImpact| {
            write(space, contact, &state, out);
            out.record(event, contact, space);
        };
        single::resolve(&K, &u, &c, Some(&mut record))
    } else {
        single::resolve(&K, &u, &c, None)
    };
    write(space, contact, &result.map_err(|e| error(e, contact))?, out);
    out.classify(space);
    Ok(())
}

/// K and u⁻ of one contact; tangents that it does not have are zero rows.
fn block(space: &ContactSpace, c: &ContactRow) -> (Matrix3<f64>, Vector3<f64>) {
    let (mut K, mut u) = (Matrix3::zeros(), Vector3::zeros());
    let place = |i: usize| if i == c.normal() { 2 } else { i - c.first };
    for i in c.rows() {
        u[place(i)] = space.u_pre[i];
        for j in c.rows() {
            K[(place(i), place(j))] = space.G[(i, j)];
        }
    }
    (K, u)
}

fn write(space: &ContactSpace, contact: usize, s: &SpatialImpact, out: &mut ImpactSolution) {
    let c = &space.contacts[contact];
    for (k, i) in c.tangent_rows().enumerate() {
        out.impulses[i] = s.impulse[k];
    }
    out.impulses[c.normal()] = s.impulse[2];
    space.velocity_after(&out.impulses, &mut out.u_post);
    for (k, i) in c.tangent_rows().enumerate() {
        out.u_post[i] = s.velocity[k];
    }
    out.u_post[c.normal()] = s.velocity[2];
    out.normal_works[contact] = s.normal_work;
    out.friction_works[contact] = s.friction_work;
    out.sum_works();
}

fn error(e: Unfinished, contact: usize) -> ImpactError {
    match e {
        Unfinished::Jammed { rate } => ImpactError::Jammed { law: NAME, contact, rate },
        Unfinished::Pieces { limit } => ImpactError::TooManyStages { law: NAME, limit },
    }
}
