//! The trait of all impact laws.

use super::contact_space::ContactSpace;
use super::error::ImpactError;
use super::problem::ImpactProblem;
use super::solution::{ImpactAnswer, ImpactSolution};
use super::workspace::ImpactWorkspace;

/// An impact law: given the contacts just before, the impulses and the velocities just after.
pub trait ImpactLaw: Send + Sync {
    /// Short name, as in errors and in `carom laws`.
    fn name(&self) -> &'static str;

    /// Resolves the impact in contact space.
    ///
    /// Calls [`ImpactSolution::reset`] first, so `out` may hold an older solution. Allocates nothing once `work` and
    /// `out` have seen a problem of the same size, unless `out.trace` records.
    fn resolve(
        &self,
        space: &ContactSpace,
        work: &mut ImpactWorkspace,
        out: &mut ImpactSolution,
    ) -> Result<(), ImpactError>;

    /// The law inside and e*, if this law scales all velocities of the mechanism afterwards, which
    /// contact space knows nothing of; see [`EnergyControl`](super::EnergyControl).
    fn attenuated(&self) -> Option<(&dyn ImpactLaw, f64)> {
        None
    }

    /// Resolves the impact in generalised coordinates.
    ///
    /// The default reduces to contact space, resolves and lifts back, v⁺ = v⁻ + N Jᵀ p. Laws that need M itself
    /// (singular M, attenuation) provide their own. `problem` must be valid, see [`ImpactProblem::validate`].
    fn resolve_problem(
        &self,
        problem: &ImpactProblem,
        work: &mut ImpactWorkspace,
        out: &mut ImpactAnswer,
    ) -> Result<(), ImpactError> {
        in_contact_space(self, problem, work, out)
    }
}

/// Reduces to contact space, resolves and lifts back.
pub(crate) fn in_contact_space<L: ImpactLaw + ?Sized>(
    law: &L,
    problem: &ImpactProblem,
    work: &mut ImpactWorkspace,
    out: &mut ImpactAnswer,
) -> Result<(), ImpactError> {
    let mut reduction = std::mem::take(&mut work.reduction);
    let result = reduction.reduce(problem).and_then(|()| {
        law.resolve(&reduction.space, work, &mut out.solution)?;
        reduction.lift(problem, out);
        Ok(())
    });
    work.reduction = reduction;
    result
}

/// A boxed law is a law, so that wrappers take laws chosen at run time.
impl ImpactLaw for Box<dyn ImpactLaw> {
    fn name(&self) -> &'static str {
        self.as_ref().name()
    }

    fn attenuated(&self) -> Option<(&dyn ImpactLaw, f64)> {
        self.as_ref().attenuated()
    }

    fn resolve(
        &self,
        space: &ContactSpace,
        work: &mut ImpactWorkspace,
        out: &mut ImpactSolution,
    ) -> Result<(), ImpactError> {
        self.as_ref().resolve(space, work, out)
    }

    fn resolve_problem(
        &self,
        problem: &ImpactProblem,
        work: &mut ImpactWorkspace,
        out: &mut ImpactAnswer,
    ) -> Result<(), ImpactError> {
        self.as_ref().resolve_problem(problem, work, out)
    }
}
