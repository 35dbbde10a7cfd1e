//! The compliant path behind the trait of all laws.

use super::events::What;
use super::path::Path;
use super::scratch::CompliantScratch;
use super::system::{Normal, State, System};
use crate::impact::algebraic::together;
use crate::impact::contact_space::{ContactSpace, Phase, ZERO_VELOCITY};
use crate::impact::error::{Field, ImpactError, Reason};
use crate::impact::law::{ImpactLaw, Promises};
use crate::impact::solution::{ImpactSolution, Solved};
use crate::impact::trace::StageEvent;
use crate::impact::workspace::ImpactWorkspace;
use crate::numeric::thresholds::compliant;
use crate::numeric::thresholds::compliant::TAIL;

/// Name in errors and lists.
const NAME: &str = "compliant";

/// The compliant path, see the [module](super).
#[derive(Clone, Debug, PartialEq)]
pub struct Compliant {
    /// Stiffness of each contact, > 0; only ratios matter. Contacts beyond the list have 1.
    pub stiffness: Vec<f64>,
    /// η of F = k δ^η: 1 linear, 1.5 Hertz; useful range 1 to 3.
    pub exponent: f64,
}

impl Default for Compliant {
    fn default() -> Self {
        Self { stiffness: Vec::new(), exponent: 1.0 }
    }
}

impl Compliant {
    /// Checks the options.
    pub fn validate(&self) -> Result<(), ImpactError> {
        let range = |name, value: f64, min: f64, max: f64| {
            if value >= min && value <= max {
                return Ok(());
            }
            Err(ImpactError::OutOfRange { field: Field::Law(name), value, min, max })
        };
        range("exponent", self.exponent, 1.0, 3.0)?;
        self.stiffness.iter().try_for_each(|k| {
            range("stiffness", *k, compliant::STIFFNESS, 1.0 / compliant::STIFFNESS)
        })
    }
}

impl ImpactLaw for Compliant {
    fn name(&self) -> &'static str {
        NAME
    }

    fn promises(&self) -> Promises {
        Promises::of_a_path(true)
    }

    fn resolve(
        &self,
        space: &ContactSpace,
        work: &mut ImpactWorkspace,
        out: &mut ImpactSolution,
    ) -> Result<(), ImpactError> {
        self.validate()?;
        out.reset(space);
        if space.colliding().next().is_none() {
            return Err(space.no_approach());
        }
        let scratch = &mut work.compliant;
        scratch.system.load(space, &self.stiffness, self.exponent);
        movable(space, &scratch.system)?;
        scratch.state.start(&scratch.system, space);
        if out.trace.enabled {
            write(space, &scratch.system, &scratch.state, out);
            let first = space.colliding().next().unwrap_or(0);
            out.record(StageEvent::Start, first, space);
            let mut observer = |what, site, system: &System, state: &State| {
                write(space, system, state, out);
                out.record(told(what, site, state), system.sites[site].contact, space);
            };
            Path::new(scratch, Some(&mut observer)).run();
        } else {
            Path::new(scratch, None).run();
        }
        finish(space, &work.compliant, out)
    }
}

/// Refuses a colliding contact that nothing can move.
fn movable(space: &ContactSpace, system: &System) -> Result<(), ImpactError> {
    let fixed = |i: &usize| {
        let n = space.contacts[*i].normal();
        space.G[(n, n)] <= compliant::IMMOVABLE * system.unit_g
    };
    match space.colliding().find(fixed) {
        None => Ok(()),
        Some(contact) => {
            let reason = Reason::Immovable { contact };
            Err(ImpactError::NotApplicable { law: NAME, reason })
        }
    }
}

/// Impulses, velocities and works of a state in the units of the problem.
fn write(space: &ContactSpace, system: &System, state: &State, out: &mut ImpactSolution) {
    let impulse = system.unit_u / system.unit_g;
    let work = impulse * system.unit_u;
    for (i, site) in system.sites.iter().enumerate() {
        let first = space.contacts[site.contact].first;
        for x in 0..=site.tangents {
            out.impulses[first + x] = state.p[site.first + x] * impulse;
        }
        out.normal_works[site.contact] = state.normal_work[i] * work;
        out.friction_works[site.contact] = state.friction_work[i] * work;
    }
    space.velocity_after(&out.impulses, &mut out.u_post);
    out.sum_works();
}

/// Last velocities, outcomes and rule.
fn finish(
    space: &ContactSpace,
    scratch: &CompliantScratch,
    out: &mut ImpactSolution,
) -> Result<(), ImpactError> {
    write(space, &scratch.system, &scratch.state, out);
    let zero = ZERO_VELOCITY * space.velocity_scale;
    for site in &scratch.system.sites {
        let c = &space.contacts[site.contact];
        for x in 0..=site.tangents {
            let u = &mut out.u_post[c.first + x];
            if u.abs() <= zero {
                *u = 0.0;
            }
        }
        let u_n = out.u_post[c.normal()];
        if u_n < -compliant::STILL_APPROACHES * space.velocity_scale {
            return Err(ImpactError::Jammed { law: NAME, contact: site.contact, rate: 0.0 });
        }
    }
    out.rule = together(space);
    let left = scratch.ended.left;
    out.solved = Solved::by(if left > TAIL { "plastic close" } else { NAME });
    out.solved.residual = approach_left(space, out).max(left);
    out.classify(space);
    let first = space.colliding().next().unwrap_or(0);
    out.record(StageEvent::End, first, space);
    Ok(())
}

/// Largest approach that is left, relative to the velocity scale.
fn approach_left(space: &ContactSpace, out: &ImpactSolution) -> f64 {
    let closed = space.contacts.iter().filter(|c| c.phase != Phase::Apart);
    closed.map(|c| -out.u_post[c.normal()]).fold(0.0, f64::max) / space.velocity_scale
}

/// The words of a trace for an event.
fn told(what: What, site: usize, state: &State) -> StageEvent {
    match (what, state.normal[site]) {
        (What::Turns, Normal::Unloading) => StageEvent::EndOfCompression,
        (What::Turns, Normal::Loading) => StageEvent::Attachment,
        (What::Turns, Normal::Open) => StageEvent::EndOfCompression,
        (What::Released, _) => StageEvent::Detachment,
        (What::Stops, _) => StageEvent::SlipStop,
        (What::Yields | What::Limit | What::Shares, _) => StageEvent::SlipStart,
    }
}
