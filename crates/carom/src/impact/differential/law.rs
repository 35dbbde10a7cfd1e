//! The law itself: closed form, exact path of one contact, or stages of several, whichever the problem needs.

use super::drive;
use super::flow::Flow;
use super::scratch::DifferentialScratch;
use crate::impact::contact_space::{ContactSpace, Phase};
use crate::impact::error::ImpactError;
use crate::impact::law::{ImpactLaw, Promises};
use crate::impact::planar::Planar;
use crate::impact::restitution::Restitution;
use crate::impact::solution::{ImpactSolution, Rule, Solved};
use crate::impact::spatial;
use crate::impact::workspace::ImpactWorkspace;

/// Name in errors and lists.
pub(crate) const NAME: &str = "differential";

/// The differential law; all contacts that touch take part, several colliding ones act together.
///
/// For the sequential rule put it into a [`Sequence`](crate::impact::Sequence).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Differential {
    /// Definition of the coefficient of restitution.
    pub restitution: Restitution,
}

impl ImpactLaw for Differential {
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
        let restitution = self.restitution;
        let colliding = space.single_colliding()?;
        let mut closed = space.contacts.iter().filter(|c| c.phase != Phase::Apart);
        match (colliding, closed.next(), closed.next()) {
            (Some(_), Some(c), None) if c.tangents < 2 => {
                Planar { restitution }.resolve(space, work, out)
            }
            (Some(contact), Some(_), None) => spatial::one(space, contact, restitution, out),
            _ => resolve_staged(restitution, space, &mut work.differential, out),
        }
    }
}

/// The law of several contacts, whatever their number.
///
/// With one contact it gives the same as the closed solution, to the tolerance of the integration; the law itself uses
/// it only if several contacts take part.
pub fn resolve_staged(
    definition: Restitution,
    space: &ContactSpace,
    scratch: &mut DifferentialScratch,
    out: &mut ImpactSolution,
) -> Result<(), ImpactError> {
    let colliding = space.single_colliding()?;
    let mut flow = Flow::start(space, scratch, out);
    flow.out.solved = Solved::by("path");
    if space.contacts.iter().filter(|c| c.phase != Phase::Apart).count() > 1 {
        flow.out.rule = Rule::Together;
    }
    match colliding {
        Some(contact) => drive::one(&mut flow, contact, definition),
        None => drive::together(&mut flow, definition),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use nalgebra::{DMatrix, DVector};

    fn space(tangents: usize) -> ContactSpace {
        let mut space = ContactSpace::default();
        space.resize(tangents + 1);
        let G = DMatrix::from_row_slice(3, 3, &[2.0, 0.0, 0.6, 0.0, 1.0, 0.0, 0.6, 0.0, 1.0]);
        let u = DVector::from_vec(vec![0.3, 0.0, -2.0]);
        let rows = if tangents == 1 { vec![0, 2] } else { vec![0, 1, 2] };
        space.G = DMatrix::from_fn(rows.len(), rows.len(), |i, j| G[(rows[i], rows[j])]);
        space.u_pre = DVector::from_fn(rows.len(), |i, _| u[rows[i]]);
        space.push_contact(tangents, [0.4, 0.5], 0.8, true);
        space.classify();
        space
    }

    #[test]
    fn choice_does_not_change_the_answer() {
        let mut work = ImpactWorkspace::new();
        for restitution in Restitution::ALL {
            let law = Differential { restitution };
            let mut resolve = |tangents| {
                let mut out = ImpactSolution::default();
                law.resolve(&space(tangents), &mut work, &mut out).unwrap();
                out
            };
            let (flat, deep) = (resolve(1), resolve(2));
            assert!((flat.impulses[0] - deep.impulses[0]).abs() < 1e-10);
            assert!((flat.impulses[1] - deep.impulses[2]).abs() < 1e-10);
        }
    }
}
