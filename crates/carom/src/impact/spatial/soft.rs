//! Redundant contacts: the path with every contact a little soft.
//!
//! # Law
//! Where G is singular (two contacts of one rigid bar cannot slip along it independently) the modes of a stage are not
//! unique, and round-off may send the path in circles. A path that fails is followed again with
//! ```text
//! G' = G + ε g I,  g the largest diagonal entry of G                       (1)
//! ```
//! every contact a little soft, which has the least-norm impulses as its limit for ε → 0. The answer is that of G:
//! ```text
//! u⁺ = u⁻ + G p,   Wᵢ = W'ᵢ − ½ ε g pᵢ²  for each row i                     (2)
//! ```
//! since the work of a path is p·(u⁻ + ½ G p). So the works are never larger than those of the soft path, and where the
//! soft path gains no energy the answer gains none.
//!
//! # Limits
//! u⁺ satisfies the contact laws, and rows that are held at zero satisfy (2), to ε g |p| only. The softness is tried from the least to the largest of [`SOFTNESS`].
//!
//! # Tests
//! `tests/impact_spatial/degenerate.rs`: `redundant_contacts_of_a_bar`.

use super::law::{NAME, resolve_hard};
use super::scratch::SpatialScratch;
use crate::impact::contact_space::ContactSpace;
use crate::impact::error::ImpactError;
use crate::impact::restitution::Restitution;
use crate::impact::solution::ImpactSolution;

/// ε of equation (1).
pub const SOFTNESS: [f64; 3] = [1e-10, 1e-9, 1e-8];

/// Whether another path may succeed where this error was met.
fn may_be_redundant(e: &ImpactError) -> bool {
    matches!(
        e,
        ImpactError::TooManyStages { .. }
            | ImpactError::NoConsistentMode { .. }
            | ImpactError::AmbiguousModes { .. }
            | ImpactError::Unsolved { .. }
    )
}

/// Velocity, in units of the velocity scale, by which soft contacts may give way.
const YIELDS: f64 = 1e-6;

/// Works that no path can have, relative to the sum of all.
const GAIN: f64 = 1e-9;

/// Whether friction has nowhere done positive work and, with energetic restitution, the normal impulses have not
/// released more than they stored: a path that has lost its way shows it here.
fn sound(definition: Restitution, out: &ImpactSolution) -> bool {
    let works = || out.normal_works.iter().chain(&out.friction_works);
    let most = GAIN * works().map(|w| w.abs()).sum::<f64>();
    let gains = definition == Restitution::Energetic && out.normal_work + out.friction_work > most;
    works().all(|w| w.is_finite()) && !gains && out.friction_works.iter().all(|w| *w <= most)
}

/// The error that says so.
fn unsound(out: &ImpactSolution) -> ImpactError {
    let residual = out.normal_work + out.friction_work;
    ImpactError::Unsolved { law: NAME, residual, tolerance: GAIN }
}

/// The path of G or, where that fails, of (1), with the answer (2).
pub(super) fn resolve_or_soften(
    definition: Restitution,
    space: &ContactSpace,
    scratch: &mut SpatialScratch,
    out: &mut ImpactSolution,
) -> Result<(), ImpactError> {
    let failed = match resolve_hard(definition, space, scratch, out) {
        Ok(()) if sound(definition, out) => return Ok(()),
        Ok(()) => unsound(out),
        Err(e) if may_be_redundant(&e) => e,
        Err(e) => return Err(e),
    };
    let g = (0..space.rows()).fold(0.0_f64, |g, i| g.max(space.G[(i, i)]));
    let mut soft = std::mem::take(&mut scratch.soft);
    let mut result = Err(failed);
    for epsilon in SOFTNESS {
        soft.clone_from(space);
        for i in 0..space.rows() {
            soft.G[(i, i)] += epsilon * g;
        }
        let solved = resolve_hard(definition, &soft, scratch, out).is_ok();
        // Impulses that only the softness bounds are no answer.
        let yields = epsilon * g * out.impulses.amax() <= YIELDS * space.velocity_scale;
        if solved && yields && sound(definition, out) {
            harden(space, epsilon * g, out);
            out.solved.softness = epsilon;
            result = Ok(());
            break;
        }
    }
    scratch.soft = soft;
    result
}

/// Equation (2).
fn harden(space: &ContactSpace, softness: f64, out: &mut ImpactSolution) {
    for i in 0..space.rows() {
        // What the path holds at zero is zero.
        if out.u_post[i] != 0.0 {
            out.u_post[i] -= softness * out.impulses[i];
        }
    }
    for (k, c) in space.contacts.iter().enumerate() {
        let square = |i: usize| out.impulses[i] * out.impulses[i];
        out.normal_works[k] -= 0.5 * softness * square(c.normal());
        out.friction_works[k] -= 0.5 * softness * c.tangent_rows().map(square).sum::<f64>();
    }
    out.sum_works();
}
