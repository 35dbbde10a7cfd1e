//! Stages of laws that know only a few instants of an impact.

use super::contact_space::ContactSpace;
use super::solution::ImpactSolution;
use super::trace::StageEvent;

/// Records the state before the impact, if a trace is wanted.
pub(crate) fn record_start(space: &ContactSpace, out: &mut ImpactSolution) {
    record(StageEvent::Start, space, out);
}

/// Records the impulses, velocities and works that `out` holds now.
pub(crate) fn record(event: StageEvent, space: &ContactSpace, out: &mut ImpactSolution) {
    let contact = space.colliding().next().unwrap_or(0);
    out.record(event, contact, space);
}
