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

/// Ask a law; where it has no answer the compliant path decides.
pub fn resolve_or_comply(
    law: &dyn ImpactLaw,
    space: &ContactSpace,
    work: &mut ImpactWorkspace,
    out: &mut ImpactSolution,
) -> Result<(), ImpactError> {
    out.rescue = None;
    match law.resolve(space, work, out) {
        Ok(()) => Ok(()),
        Err(e @ ImpactError::NoApproach { .. }) => Err(e),
        Err(_) => {
            super::Compliant::default().resolve(space, work, out)?;
            out.rescue = Some(Rescue::Refused);
            Ok(())
        }
    }
}
