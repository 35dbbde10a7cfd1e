//! The net under every law.
use super::contact_space::ContactSpace;
use super::error::ImpactError;
use super::law::ImpactLaw;
use super::solution::ImpactSolution;
use super::workspace::ImpactWorkspace;

/// Why the net decided.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Rescue {
    /// The law refused.
    Refused,
}

/// Ask a law.
pub fn resolve_or_comply(
    law: &dyn ImpactLaw,
    space: &ContactSpace,
    work: &mut ImpactWorkspace,
    out: &mut ImpactSolution,
) -> Result<(), ImpactError> {
    law.resolve(space, work, out)
}
