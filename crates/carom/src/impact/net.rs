//! Any law, with the compliant path as the net under it: there is always an answer, and it is always audited.
//!
//! # Rule
//! ```text
//! law answers, and its answer passes the audit of what the law promises    → that answer       (1)
//! law refuses, or its answer fails, and no contact has restitution         → plastic impact    (2)
//! otherwise, or if (2) fails too                                           → compliant         (3)
//! ```
//! (2) is what all laws mean by e = 0: all contacts together by complementarity, Coulomb on u⁺, as in
//! [`newton`](super::newton). In (2) and (3) the solution says so: [`Solved::by`](super::Solved::by) names the method,
//! and [`ImpactSolution::rescue`] holds the reason. Errors that are the user's (bad data, nothing approaches, a law that is
//! made for other problems) remain errors.
//!
//! # Audit
//! The checks of [`audit`](super::audit()) within [`Promises::audit`](super::Promises), and
//! ```text
//! friction work ≤ 0 at every contact, for laws that follow a path                              (4)
//! gain ≤ |p·u⁻|, for laws that may gain by their definition                                    (5)
//! ```
//! (5): the energy change is p·u⁻ + ½ pᵀGp, and an elastic impact has ½ pᵀGp = |p·u⁻|. Beyond twice that a "gain" is no
//! restitution but a path that lost its way.
//!
//! # Tests
//! `tests/impact_net.rs`: `eq1_good_answers_stay`, `eq2_plastic`, `eq3_refusals_are_answered`,
//! `eq4_friction_that_drives`, `eq5_absurd_gains`.

use super::audit::audit;
use super::compliant::Compliant;
use super::contact_space::{ContactSpace, Phase};
use super::energy_control::EnergyControl;
use super::error::{ImpactError, Reason};
use super::law::{ImpactLaw, Promises};
use super::newton::Newton;
use super::problem::ImpactProblem;
use super::solution::{ImpactAnswer, ImpactSolution, Rescue};
use super::workspace::ImpactWorkspace;
use crate::numeric::thresholds::impact::DRIVES;

/// Resolves by the law or, where that has no sound answer, by the compliant path; see the [module](self).
pub fn resolve_or_comply<L: ImpactLaw + ?Sized>(
    law: &L,
    space: &ContactSpace,
    work: &mut ImpactWorkspace,
    out: &mut ImpactSolution,
) -> Result<(), ImpactError> {
    let rescue = match law.resolve(space, work, out) {
        Ok(()) => fault(&law.promises(), space, out),
        Err(error) => Some(reason(&error).ok_or(error)?),
    };
    let Some(rescue) = rescue else {
        return Ok(());
    };
    Net.resolve(space, work, out)?;
    out.rescue = Some(rescue);
    Ok(())
}

/// Whether nobody that could take part has restitution.
fn plastic(space: &ContactSpace) -> bool {
    space.contacts.iter().all(|c| c.restitution == 0.0 || c.phase == Phase::Apart)
}

/// The law of the net: (2), else (3).
struct Net;

impl ImpactLaw for Net {
    fn name(&self) -> &'static str {
        "net"
    }

    fn resolve(
        &self,
        space: &ContactSpace,
        work: &mut ImpactWorkspace,
        out: &mut ImpactSolution,
    ) -> Result<(), ImpactError> {
        let promises = Promises::default().gains_never(true);
        if plastic(space)
            && Newton.resolve(space, work, out).is_ok()
            && fault(&promises, space, out).is_none()
        {
            return Ok(());
        }
        Compliant::default().resolve(space, work, out)
    }
}

/// The same in generalised coordinates. `problem` must be valid.
///
/// A law that scales velocities afterwards does so with the compliant answer too; its own answer is audited for finite
/// numbers only, because its velocities are not those of its impulses.
pub fn resolve_problem_or_comply<L: ImpactLaw + ?Sized>(
    law: &L,
    problem: &ImpactProblem,
    work: &mut ImpactWorkspace,
    out: &mut ImpactAnswer,
) -> Result<(), ImpactError> {
    let attenuation = law.attenuated().map(|(_, limit)| limit);
    let rescue = match law.resolve_problem(problem, work, out) {
        Ok(()) if attenuation.is_some() => None,
        Ok(()) => problem_fault(&law.promises(), problem, work, out),
        Err(error) => Some(reason(&error).ok_or(error)?),
    };
    let Some(rescue) = rescue else {
        return Ok(());
    };
    match attenuation {
        None => Net.resolve_problem(problem, work, out)?,
        Some(limit) => {
            EnergyControl::new(Net, limit)?.resolve_problem(problem, work, out)?;
        }
    }
    out.solution.rescue = Some(rescue);
    Ok(())
}

/// The fault of an answer to a problem, if its contact space exists; a singular M has none.
fn problem_fault(
    promises: &Promises,
    problem: &ImpactProblem,
    work: &mut ImpactWorkspace,
    out: &ImpactAnswer,
) -> Option<Rescue> {
    work.reduction.reduce(problem).ok()?;
    fault(promises, &work.reduction.space, &out.solution)
}

/// What an answer breaks of its law's promises.
pub fn fault(promises: &Promises, space: &ContactSpace, out: &ImpactSolution) -> Option<Rescue> {
    let a = audit(space, out);
    if let Some(v) = a.violations(&promises.audit).next() {
        return Some(Rescue::Audit { check: v.check, value: v.value });
    }
    let u = out.u_post.amax().max(space.velocity_scale);
    let energy = out.impulses.lp_norm(1) * u;
    let drives = out.friction_works.iter().fold(0.0_f64, |s, w| s.max(*w));
    if promises.friction_dissipates && drives > DRIVES * energy {
        return Some(Rescue::Audit { check: "friction work", value: drives / energy });
    }
    let elastic = out.impulses.dot(&space.u_pre).abs();
    let gain = out.normal_work + out.friction_work;
    let absurd = gain > elastic + DRIVES * energy && promises.audit.0.gain == f64::INFINITY;
    absurd.then(|| Rescue::Audit { check: "gain", value: gain / energy })
}

/// The reason for a rescue, or none if the error is the user's.
fn reason(error: &ImpactError) -> Option<Rescue> {
    match error {
        ImpactError::NoConsistentMode { .. } => Some(Rescue::NoMode),
        ImpactError::AmbiguousModes { .. } => Some(Rescue::Ambiguous),
        ImpactError::Jammed { .. } => Some(Rescue::Jammed),
        ImpactError::Unsolved { .. } => Some(Rescue::Unsolved),
        ImpactError::EnergyLimit { .. } => Some(Rescue::EnergyLimit),
        ImpactError::TooManyStages { .. } => Some(Rescue::TooLong),
        ImpactError::NotApplicable { reason: Reason::TooManyContacts { .. }, .. } => {
            Some(Rescue::TooMany)
        }
        _ => None,
    }
}
