//! Stages of laws that know only a few instants of an impact.

use super::contact_space::ContactSpace;
use super::solution::ImpactSolution;
use super::trace::{Stage, StageEvent};

/// Records the state before the impact, if a trace is wanted.
pub(crate) fn record_start(space: &ContactSpace, out: &mut ImpactSolution) {
    record(StageEvent::Start, space, out);
}

/// Records the impulses, velocities and works that `out` holds now.
pub(crate) fn record(event: StageEvent, space: &ContactSpace, out: &mut ImpactSolution) {
    if !out.trace.enabled {
        return;
    }
    let contact = space.colliding().next().unwrap_or(0);
    let normal_impulse = space.colliding().map(|k| out.impulses[space.contacts[k].normal()]).sum();
    out.trace.stages.push(Stage {
        event,
        contact,
        normal_impulse,
        velocity: out.u_post.as_slice().to_vec(),
        impulses: out.impulses.as_slice().to_vec(),
        energy: space.kinetic_energy + out.normal_work + out.friction_work,
        normal_work: out.normal_work,
        friction_work: out.friction_work,
    });
}
