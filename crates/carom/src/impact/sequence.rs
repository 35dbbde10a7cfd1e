//! One impact after another, around any law: the sequential rule for several contacts.
//!
//! # Law
//! ```text
//! while some uₙ < 0:  the contacts with the least uₙ collide, all others wait          (1)
//! after `limit` impacts:  all closed contacts take part together with e = 0           (2)
//! ```
//! Contacts whose uₙ is within [`TIE`] of the least one collide together, so a symmetric problem has a symmetric
//! answer. Touching contacts take part only when they are themselves approaching, which is how a struck Newton's
//! cradle passes the motion on to its last ball.
//!
//! # Assumptions
//! - Each impact of the sequence is over before the next begins; the order is by approach velocity.
//!
//! # Limits
//! With e < 1 a sequence can be infinite (a ball between two others); (2) ends it. The result says how many impacts
//! there were and whether (2) was needed: [`Rule::Sequential`]. The inner law must accept several colliding contacts
//! if ties occur or (2) is needed.
//!
//! # Source
//! The rule is ours; the question and the cradle are Hurmuzlu & Marghitu 1994 taken further.
//!
//! # Tests
//! `tests/sequence.rs`: `eq1_cradle`, `eq1_ties_go_together`, `eq2_plastic_close`.

use super::contact_space::{ContactSpace, Phase, ZERO_VELOCITY};
use super::error::ImpactError;
use super::law::{ImpactLaw, Promises};
use super::solution::{ImpactSolution, Rule};
use super::workspace::ImpactWorkspace;

/// Approach velocities within this fraction of the largest one are a tie.
pub const TIE: f64 = crate::numeric::thresholds::impact::TIE;

/// A law applied to one colliding contact at a time.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Sequence<L> {
    /// The law of each impact.
    pub law: L,
    /// Number of impacts after which the rest closes without restitution; useful range 10 to 100 000.
    pub limit: usize,
}

impl<L> Sequence<L> {
    /// The sequence with the default limit of 1000 impacts.
    pub fn new(law: L) -> Self {
        Self { law, limit: 1000 }
    }
}

/// Scratch of a sequence.
#[derive(Clone, Debug, Default)]
pub struct SequenceScratch {
    space: ContactSpace,
    part: ImpactSolution,
}

impl<L: ImpactLaw> ImpactLaw for Sequence<L> {
    fn name(&self) -> &'static str {
        self.law.name()
    }

    fn promises(&self) -> Promises {
        self.law.promises()
    }

    fn resolve(
        &self,
        space: &ContactSpace,
        work: &mut ImpactWorkspace,
        out: &mut ImpactSolution,
    ) -> Result<(), ImpactError> {
        if space.colliding().next().is_none() {
            return Err(space.no_approach());
        }
        // The inner law needs the workspace too, so the scratch is taken out meanwhile.
        let mut scratch = std::mem::take(&mut work.sequence);
        let result = self.run(space, &mut scratch, work, out);
        work.sequence = scratch;
        result
    }
}

impl<L: ImpactLaw> Sequence<L> {
    fn run(
        &self,
        space: &ContactSpace,
        scratch: &mut SequenceScratch,
        work: &mut ImpactWorkspace,
        out: &mut ImpactSolution,
    ) -> Result<(), ImpactError> {
        out.reset(space);
        copy_space(space, &mut scratch.space);
        scratch.part.trace.enabled = out.trace.enabled;
        let zero = ZERO_VELOCITY * space.velocity_scale;
        let mut impacts = 0;
        while let Some(fastest) = fastest_approach(space, out, zero) {
            if impacts == self.limit {
                return self.close(space, scratch, work, out, zero);
            }
            for (k, c) in space.contacts.iter().enumerate() {
                let collides =
                    c.phase != Phase::Apart && out.u_post[c.normal()] <= -fastest * (1.0 - TIE);
                scratch.space.contacts[k].phase =
                    if collides { Phase::Colliding } else { Phase::Apart };
            }
            self.one(scratch, work, out)?;
            impacts += 1;
        }
        finish(space, impacts, false, out);
        Ok(())
    }

    /// One impact with the phases set in the scratch space, added to `out`.
    fn one(
        &self,
        scratch: &mut SequenceScratch,
        work: &mut ImpactWorkspace,
        out: &mut ImpactSolution,
    ) -> Result<(), ImpactError> {
        scratch.space.u_pre.copy_from(&out.u_post);
        self.law.resolve(&scratch.space, work, &mut scratch.part)?;
        add_stages(scratch, out);
        let part = &scratch.part;
        out.solved = part.solved;
        out.impulses += &part.impulses;
        out.u_post.copy_from(&part.u_post);
        for (sum, x) in out.normal_works.iter_mut().zip(&part.normal_works) {
            *sum += x;
        }
        for (sum, x) in out.friction_works.iter_mut().zip(&part.friction_works) {
            *sum += x;
        }
        scratch.space.kinetic_energy += part.normal_work + part.friction_work;
        Ok(())
    }

    /// Equation (2): all closed contacts together, without restitution.
    fn close(
        &self,
        space: &ContactSpace,
        scratch: &mut SequenceScratch,
        work: &mut ImpactWorkspace,
        out: &mut ImpactSolution,
        zero: f64,
    ) -> Result<(), ImpactError> {
        for (k, c) in space.contacts.iter().enumerate() {
            let u_n = &mut out.u_post[c.normal()];
            if u_n.abs() <= zero && c.phase != Phase::Apart {
                *u_n = 0.0;
            }
            let inner = &mut scratch.space.contacts[k];
            inner.restitution = 0.0;
            inner.phase = match *u_n {
                _ if c.phase == Phase::Apart => Phase::Apart,
                u if u < 0.0 => Phase::Colliding,
                u if u > 0.0 => Phase::Separating,
                _ => Phase::Touching,
            };
        }
        self.one(scratch, work, out)?;
        if let Some(residual) = fastest_approach(space, out, zero) {
            let residual = residual / space.velocity_scale;
            return Err(ImpactError::Unsolved {
                law: self.law.name(),
                residual,
                tolerance: ZERO_VELOCITY,
            });
        }
        finish(space, self.limit + 1, true, out);
        Ok(())
    }
}

/// Largest approach velocity, if one exceeds `zero`.
fn fastest_approach(space: &ContactSpace, out: &ImpactSolution, zero: f64) -> Option<f64> {
    let closed = space.contacts.iter().filter(|c| c.phase != Phase::Apart);
    let fastest = closed.map(|c| -out.u_post[c.normal()]).fold(0.0, f64::max);
    (fastest > zero).then_some(fastest)
}

fn copy_space(from: &ContactSpace, to: &mut ContactSpace) {
    to.resize(from.rows());
    to.G.copy_from(&from.G);
    to.contacts.extend_from_slice(&from.contacts);
    to.velocity_scale = from.velocity_scale;
    to.kinetic_energy = from.kinetic_energy;
}

/// Appends the stages of one impact; impulses and works continue those before.
fn add_stages(scratch: &mut SequenceScratch, out: &mut ImpactSolution) {
    let before: f64 = out.trace.stages.last().map_or(0.0, |s| s.normal_impulse);
    let (normal, friction): (f64, f64) =
        (out.normal_works.iter().sum(), out.friction_works.iter().sum());
    for mut stage in scratch.part.trace.stages.drain(..) {
        stage.normal_impulse += before;
        stage.normal_work += normal;
        stage.friction_work += friction;
        for (sum, p) in stage.impulses.iter_mut().zip(out.impulses.iter()) {
            *sum += p;
        }
        out.trace.stages.push(stage);
    }
}

fn finish(space: &ContactSpace, impacts: usize, plastic_close: bool, out: &mut ImpactSolution) {
    out.sum_works();
    out.classify(space);
    out.rule = Rule::Sequential { impacts, plastic_close };
}
