//! The spatial differential law behind the trait of all laws.

use nalgebra::{Matrix3, Vector3};

use super::flow::Flow;
use super::scratch::SpatialScratch;
use super::single::{self, Coefficients, SpatialImpact, Unfinished};
use super::soft::resolve_or_soften;
use super::staged;
use crate::impact::contact_space::{ContactRow, ContactSpace, Phase};
use crate::impact::error::ImpactError;
use crate::impact::law::{ImpactLaw, Promises};
use crate::impact::restitution::Restitution;
use crate::impact::solution::{ImpactSolution, Rule, Solved};
use crate::impact::workspace::ImpactWorkspace;

/// Name in errors and lists.
pub(crate) const NAME: &str = "spatial differential";

/// Coulomb friction along the path in impulse space, contacts with up to two tangents.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SpatialDifferential {
    /// What the coefficient of restitution means.
    pub restitution: Restitution,
}

impl SpatialDifferential {
    /// The law with one of the three definitions.
    pub fn new(restitution: Restitution) -> Self {
        Self { restitution }
    }
}

impl ImpactLaw for SpatialDifferential {
    fn name(&self) -> &'static str {
        NAME
    }

    fn promises(&self) -> Promises {
        Promises::of_a_path(self.restitution == Restitution::Energetic)
    }

    fn resolve(
        &self,
        space: &ContactSpace,
        work: &mut ImpactWorkspace,
        out: &mut ImpactSolution,
    ) -> Result<(), ImpactError> {
        let colliding = space.single_colliding()?;
        let closed = space.contacts.iter().filter(|c| c.phase != Phase::Apart).count();
        if let (Some(contact), 1) = (colliding, closed) {
            out.reset(space);
            return one(space, contact, self.restitution, out);
        }
        resolve_or_soften(self.restitution, space, &mut work.spatial, out)
    }
}

/// The law of several contacts, whatever their number.
///
/// With one contact it gives the same as the closed solution, to the tolerance of the integration; the law itself uses
/// it only if several contacts take part.
pub fn resolve_staged(
    definition: Restitution,
    space: &ContactSpace,
    scratch: &mut SpatialScratch,
    out: &mut ImpactSolution,
) -> Result<(), ImpactError> {
    resolve_or_soften(definition, space, scratch, out)
}

/// The path of G itself.
pub(super) fn resolve_hard(
    definition: Restitution,
    space: &ContactSpace,
    scratch: &mut SpatialScratch,
    out: &mut ImpactSolution,
) -> Result<(), ImpactError> {
    space.single_colliding()?;
    let mut flow = Flow::start(space, scratch, out);
    flow.out.solved = Solved::by("path");
    if flow.scratch.contacts.len() > 1 {
        flow.out.rule = Rule::Together;
    }
    match flow.scratch.colliding[..] {
        [i] => staged::one(&mut flow, i, definition),
        _ => staged::together(&mut flow, definition),
    }
}

/// One contact takes part.
fn one(
    space: &ContactSpace,
    contact: usize,
    definition: Restitution,
    out: &mut ImpactSolution,
) -> Result<(), ImpactError> {
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
