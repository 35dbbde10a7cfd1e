//! The trait of all impact laws.

use super::audit::Tolerances;
use super::contact_space::ContactSpace;
use super::error::ImpactError;
use super::problem::ImpactProblem;
use super::restitution_matrix::RestitutionMatrix;
use super::solution::{ImpactAnswer, ImpactSolution};
use super::workspace::ImpactWorkspace;
use crate::numeric::thresholds::impact::KEPT;

/// What the answers of a law promise.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Promises {
    /// Largest figure of each check of the audit; infinite where the law promises nothing.
    pub audit: Tolerances,
    /// Whether friction never works for the motion: laws that follow a path.
    pub friction_dissipates: bool,
}

impl Default for Promises {
    /// All checks but the gain of energy, which several laws have by their definition.
    fn default() -> Self {
        let mut audit = Tolerances::uniform(KEPT);
        audit.0.gain = f64::INFINITY;
        Self { audit, friction_dissipates: false }
    }
}

impl Promises {
    /// The same, and no gain of energy if `never`.
    pub fn gains_never(mut self, never: bool) -> Self {
        self.audit.0.gain = if never { KEPT } else { f64::INFINITY };
        self
    }

    /// The promises of a law that follows friction along a path.
    pub fn of_a_path(gains_never: bool) -> Self {
        Self { friction_dissipates: true, ..Self::default() }.gains_never(gains_never)
    }
}

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

    /// The restitution matrix inside, if it has rotational coefficients for contacts of a simulation, whose rows contact
    /// space does not have.
    fn rotational(&self) -> Option<&RestitutionMatrix> {
        None
    }

    /// What its answers promise, for the audit of every answer; see [`net`](super::net).
    fn promises(&self) -> Promises {
        Promises::default()
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

    fn rotational(&self) -> Option<&RestitutionMatrix> {
        self.as_ref().rotational()
    }

    fn promises(&self) -> Promises {
        self.as_ref().promises()
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
