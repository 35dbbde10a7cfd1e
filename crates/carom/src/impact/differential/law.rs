//! The law itself: chooses the path by the number of colliding contacts.

use super::path::{NAME, Path};
use super::{several, single};
use crate::impact::contact_space::ContactSpace;
use crate::impact::error::ImpactError;
use crate::impact::law::{ImpactLaw, Promises};
use crate::impact::restitution::Restitution;
use crate::impact::solution::{ImpactSolution, Rule, Solved};
use crate::impact::workspace::ImpactWorkspace;

/// The differential law of planar contacts; all that touch take part, several colliding ones act together.
///
/// [`AnyDifferential`](crate::impact::AnyDifferential) takes spatial contacts too.
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
        space.single_colliding()?;
        let mut path = Path::start(space, &mut work.differential, out)?;
        path.out.solved = Solved::by("path");
        if path.scratch.contacts.len() > 1 {
            path.out.rule = Rule::Together;
        }
        match path.scratch.colliding[..] {
            [i] => single::run(&mut path, i, self.restitution),
            _ => several::run(&mut path, self.restitution),
        }
    }
}
