//! What every algebraic law does before and after it finds its impulses.

use super::contact_space::{ContactSpace, Phase};
use super::error::ImpactError;
use super::solution::{ImpactSolution, Rule};
use super::trace::StageEvent;

/// An empty solution and its first stage; refuses a problem in which nothing approaches.
pub(crate) fn begin(space: &ContactSpace, out: &mut ImpactSolution) -> Result<(), ImpactError> {
    out.reset(space);
    if space.colliding().next().is_none() {
        return Err(space.no_approach());
    }
    record(StageEvent::Start, space, out);
    Ok(())
}

/// Velocities, works, outcomes, rule and last stage from the impulses.
pub(crate) fn end(space: &ContactSpace, out: &mut ImpactSolution) {
    out.complete(space);
    out.rule = together(space);
    record(StageEvent::End, space, out);
}

/// The rule by which several contacts were treated.
pub(crate) fn together(space: &ContactSpace) -> Rule {
    let closed = space.contacts.iter().filter(|c| c.phase != Phase::Apart).count();
    if closed > 1 { Rule::Together } else { Rule::Single }
}

/// Records the impulses, velocities and works that `out` holds now, if a trace is wanted.
pub(crate) fn record(event: StageEvent, space: &ContactSpace, out: &mut ImpactSolution) {
    let contact = space.colliding().next().unwrap_or(0);
    out.record(event, contact, space);
}
