//! What drives the path: one colliding contact, equations (5) to (7) of the parent, or several, (8) to (11).

use super::flow::Flow;
use super::scratch::Target;
use crate::impact::error::ImpactError;
use crate::impact::restitution::Restitution;
use crate::impact::trace::StageEvent;

/// Normal velocity, in units of that before, that rounding the others to zero may leave of none.
const STANDS: f64 = crate::numeric::thresholds::SLIP_ENDED;

/// One colliding contact: its normal impulse is the clock.
pub(crate) fn one(
    flow: &mut Flow<'_>,
    i: usize,
    definition: Restitution,
) -> Result<(), ImpactError> {
    let (e, u_pre) = given(flow, i);
    flow.scratch.drive[i] = 1.0;
    flow.scratch.floors[i] = f64::NEG_INFINITY;
    // Impulse and work of all intervals of compression, then of all intervals of restitution.
    let mut sums = [[0.0; 2]; 2];
    let mut compressing = true;
    loop {
        let start = flow.normal(i);
        let [[p_c, w_c], [p_r, w_r]] = sums;
        let goal = match definition {
            _ if compressing => Target::Rise(i, 0.0),
            Restitution::Kinematic => Target::Rise(i, -e * u_pre),
            Restitution::Kinetic => Target::Impulse(i, start[0] + e * p_c - p_r),
            Restitution::Energetic => Target::Work(i, start[1] - e * e * w_c - w_r),
        };
        flow.scratch.targets.clear();
        flow.scratch.targets.push(goal);
        if !compressing {
            flow.scratch.targets.push(Target::Fall(i));
        }
        let reached = match flow.run() {
            // Friction holds it however hard it is pressed: what was compressed stays so.
            Err(ImpactError::Jammed { .. }) if flow.u_n(i).abs() <= STANDS * u_pre.abs() => {
                flow.set_u_n(i, 0.0);
                break;
            }
            other => other? == 0,
        };
        let end = flow.normal(i);
        let sum = &mut sums[usize::from(!compressing)];
        (sum[0], sum[1]) = (sum[0] + end[0] - start[0], sum[1] + end[1] - start[1]);
        flow.scratch.compressed[i] = sums[0];
        if reached && !compressing {
            if definition == Restitution::Kinematic {
                flow.set_u_n(i, -e * u_pre);
            }
            break;
        }
        flow.set_u_n(i, 0.0);
        if compressing {
            flow.record(StageEvent::EndOfCompression, i);
        }
        compressing = !compressing;
        if !compressing && e == 0.0 {
            break;
        }
    }
    flow.finish(i);
    Ok(())
}

/// Several colliding contacts together.
pub(crate) fn together(flow: &mut Flow<'_>, definition: Restitution) -> Result<(), ImpactError> {
    let first = flow.space.colliding().next().unwrap_or(0);
    for place in 0..flow.scratch.colliding.len() {
        let i = flow.scratch.colliding[place];
        let u = flow.u_n(i);
        flow.scratch.floors[i] = u;
        flow.scratch.instant.set_floor_rate(i, -u);
    }
    clock(flow, 1.0)?;
    end_compression(flow);
    match definition {
        Restitution::Kinematic => kinematic(flow)?,
        Restitution::Kinetic => kinetic(flow)?,
        Restitution::Energetic => energetic(flow)?,
    }
    flow.finish(first);
    Ok(())
}

/// Goes on for `span` of the clock.
fn clock(flow: &mut Flow<'_>, span: f64) -> Result<(), ImpactError> {
    flow.scratch.targets.clear();
    flow.scratch.targets.push(Target::Clock(flow.clock + span));
    flow.run().map(|_| ())
}

fn end_compression(flow: &mut Flow<'_>) {
    for place in 0..flow.scratch.colliding.len() {
        let i = flow.scratch.colliding[place];
        // The floor has risen to zero.
        if flow.u_n(i) <= flow.scratch.floors[i] {
            flow.set_u_n(i, 0.0);
        }
        flow.scratch.floors[i] = 0.0;
        flow.scratch.instant.set_floor_rate(i, 0.0);
        flow.scratch.compressed[i] = flow.normal(i);
    }
    for place in 0..flow.scratch.colliding.len() {
        flow.record(StageEvent::EndOfCompression, flow.scratch.colliding[place]);
    }
}

/// Coefficient and normal velocity before.
fn given(flow: &Flow<'_>, i: usize) -> (f64, f64) {
    let c = &flow.space.contacts[i];
    (c.restitution, flow.space.u_pre[c.normal()])
}

fn kinematic(flow: &mut Flow<'_>) -> Result<(), ImpactError> {
    let mut any = false;
    for place in 0..flow.scratch.colliding.len() {
        let i = flow.scratch.colliding[place];
        let (e, u_pre) = given(flow, i);
        flow.scratch.instant.set_floor_rate(i, -e * u_pre);
        any |= e > 0.0;
    }
    if !any {
        return Ok(());
    }
    clock(flow, 1.0)?;
    for place in 0..flow.scratch.colliding.len() {
        let i = flow.scratch.colliding[place];
        if flow.u_n(i) <= flow.scratch.floors[i] {
            let (e, u_pre) = given(flow, i);
            flow.set_u_n(i, -e * u_pre);
        }
    }
    Ok(())
}

fn kinetic(flow: &mut Flow<'_>) -> Result<(), ImpactError> {
    let mut any = false;
    for place in 0..flow.scratch.colliding.len() {
        let i = flow.scratch.colliding[place];
        let drive = given(flow, i).0 * flow.scratch.compressed[i][0];
        flow.scratch.drive[i] = drive;
        any |= drive > 0.0;
    }
    if any { clock(flow, 1.0) } else { Ok(()) }
}

fn energetic(flow: &mut Flow<'_>) -> Result<(), ImpactError> {
    loop {
        flow.scratch.targets.clear();
        for place in 0..flow.scratch.colliding.len() {
            let i = flow.scratch.colliding[place];
            let ((e, u_pre), w_c) = (given(flow, i), flow.scratch.compressed[i][1]);
            let goal = (1.0 - e * e) * w_c;
            // Ties end together, so that a symmetric problem stays symmetric.
            let active = goal - flow.normal(i)[1] > TIE * w_c.abs();
            if active {
                flow.scratch.targets.push(Target::Work(i, goal));
            } else {
                flow.scratch.floors[i] = 0.0;
            }
            flow.scratch.instant.set_floor_rate(i, if active { -u_pre } else { 0.0 });
        }
        if flow.scratch.targets.is_empty() {
            return Ok(());
        }
        flow.run()?;
    }
}

/// Work, over that of compression, below which a contact has released its work: tolerance of event location.
const TIE: f64 = crate::numeric::thresholds::FORCE_NOISE;
