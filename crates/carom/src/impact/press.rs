//! Impact without collision: a contact that presses itself into its surface.
//!
//! # Law
//! All contacts are closed with uₙ⁻ = 0. If contact c slips and its friction is strong, more force may
//! make it approach: pressed alone by ṗₙ = 1, while every other contact answers by the laws of
//! [`differential`](super::differential) (or [`spatial`](super::spatial)) with d = r = 0,
//! ```text
//! ṗₙ,c = 1,  u̇ = G ṗ,   A_c = u̇ₙ,c                                                 (1)
//! ```
//! with A_c < 0 it approaches. No finite force then holds the contact, forces grow without bound in no
//! time, and impulses act although nothing collided. Finite forces do no work meanwhile, so the path in
//! impulse space is that of a differential impact of c, begun at uₙ = 0:
//! ```text
//! compression:  uₙ,c falls while it slips, until slip stops or turns; then it rises to 0   (2)
//! restitution:  W_r = −e² W_c                                                              (3)
//! ```
//! It is the limit of impacts of c with uₙ⁻ = −δ, δ → 0; the same limit for A_c > 0 is no impulse at all.
//!
//! *Several contacts that move as one* (the lower edge of a plate, two corners): each presses itself only
//! with the others. With equal slip and equal coefficients they are pressed as one contact of the mean
//! rows, sharing the impulse equally,
//! ```text
//! J̄ = Σ J_i/k,   p_i = p̄/k                                                        (4)
//! ```
//! which is the law of each of them if they still move as one afterwards. Otherwise rigid bodies do not
//! say how they share it, and there is no answer.
//!
//! # Why (2) ends
//! For one contact in the plane slip stops after pₙ = |uₜ|/|Gₜₙ − μ σ Gₜₜ|, because A_c < 0 needs
//! μ σ Gₜₙ > Gₙₙ and Gₜₜ Gₙₙ ≥ Gₜₙ²; then stick has u̇ₙ = Gₙₙ − Gₜₙ²/Gₜₜ > 0, and so has slip the other
//! way. In space see "Why the path is well behaved" of [`spatial`](super::spatial).
//!
//! # Assumptions
//! Energetic restitution, whatever the law of the scene: uₙ⁻ = 0, so the kinematic definition gives no
//! rebound whatever e, and of the others only this one never gains energy. The other contacts have no
//! restitution of their own.
//!
//! # Limits
//! The modes of the others may be paradoxical themselves
//! ([`ImpactError::NoConsistentMode`], [`ImpactError::AmbiguousModes`]): there is then no continuation.
//! With spatial contacts the path begins at uₙ = −1e-12 of the slip speed, and is exact to that fraction.
//!
//! # Source
//! Génot & Brogliato 1999 for one planar contact; ours for the others, by the differential law.
//!
//! # Tests
//! `tests/press.rs`: `eq1_…` to `eq4_…`.

use super::contact_space::{ContactRow, ContactSpace, Phase};
use super::differential::Differential;
use super::error::ImpactError;
use super::law::ImpactLaw;
use super::restitution::Restitution;
use super::solution::ImpactSolution;
use super::workspace::ImpactWorkspace;
use crate::numeric::thresholds::impact::{APPROACH, AS_ONE, NONE};
use nalgebra::{DMatrix, DVector};

/// Presses one contact of the space; all that are not apart count as touching, uₙ⁻ = 0. Whether it
/// takes an impulse: if not, it does not press itself and nothing happens.
pub fn press(
    space: &mut ContactSpace,
    contact: usize,
    work: &mut ImpactWorkspace,
    out: &mut ImpactSolution,
) -> Result<bool, ImpactError> {
    let before = space.u_pre.clone();
    let mut curved = false;
    for c in space.contacts.iter_mut().filter(|c| c.phase != Phase::Apart) {
        c.phase = Phase::Touching;
        space.u_pre[c.first + c.tangents] = 0.0;
        curved |= c.tangents > 1;
    }
    let n = space.contacts[contact].normal();
    let slip = space.contacts[contact].tangent_rows();
    let slip = slip.fold(0.0_f64, |r, i| r.hypot(space.u_pre[i]));
    if slip == 0.0 {
        space.u_pre = before;
        return Ok(false);
    }
    space.contacts[contact].phase = Phase::Colliding;
    space.u_pre[n] = if curved { -APPROACH * slip } else { 0.0 };
    let result = Differential { restitution: Restitution::Energetic }.resolve(space, work, out);
    // Whoever asks next must not lose what was taken for zero here.
    space.u_pre = before;
    result?;
    Ok(out.impulses[n] * space.G[(n, n)] > NONE * slip)
}

/// Presses contacts that move as one, equation (4). Whether they take an impulse and still move as one.
pub fn press_together(
    space: &ContactSpace,
    set: &[usize],
    work: &mut ImpactWorkspace,
    out: &mut ImpactSolution,
) -> Result<bool, ImpactError> {
    let Some(first) = set.first().map(|k| space.contacts[*k]) else { return Ok(false) };
    let slip = first.tangent_rows().fold(0.0_f64, |r, i| r.hypot(space.u_pre[i]));
    if !set.iter().all(|k| alike(space, *k, &first)) || !as_one(&space.u_pre, space, set, slip) {
        return Ok(false);
    }
    let (mut joined, P) = join(space, set);
    let last = joined.contacts.len() - 1;
    let mut whole = ImpactSolution::default();
    if !press(&mut joined, last, work, &mut whole)? {
        return Ok(false);
    }
    out.reset(space);
    out.impulses.copy_from(&(P.transpose() * &whole.impulses));
    let mut u_post = DVector::zeros(space.rows());
    space.velocity_after(&out.impulses, &mut u_post);
    out.u_post.copy_from(&u_post);
    let others = (0..space.contacts.len()).filter(|k| !set.contains(k));
    for (place, k) in others.enumerate() {
        out.normal_works[k] = whole.normal_works[place];
        out.friction_works[k] = whole.friction_works[place];
    }
    for k in set {
        out.normal_works[*k] = whole.normal_works[last] / set.len() as f64;
        out.friction_works[*k] = whole.friction_works[last] / set.len() as f64;
    }
    out.sum_works();
    Ok(as_one(&out.u_post, space, set, slip))
}

/// Whether a contact has the tangents and coefficients of another.
fn alike(space: &ContactSpace, k: usize, other: &ContactRow) -> bool {
    let c = space.contacts[k];
    ContactRow { first: other.first, ..c } == *other
}

/// Whether contacts have the same velocity.
fn as_one(u: &DVector<f64>, space: &ContactSpace, set: &[usize], slip: f64) -> bool {
    let rows = |k: usize| space.contacts[k].rows();
    set.iter()
        .all(|k| rows(*k).zip(rows(set[0])).all(|(i, j)| (u[i] - u[j]).abs() <= AS_ONE * slip))
}

/// The space with a set of contacts joined into one, its last, and the matrix of its rows.
fn join(space: &ContactSpace, set: &[usize]) -> (ContactSpace, DMatrix<f64>) {
    let others: Vec<usize> = (0..space.contacts.len()).filter(|k| !set.contains(k)).collect();
    let one = space.contacts[set[0]];
    let rows = space.rows() - (set.len() - 1) * one.rows().len();
    let mut P = DMatrix::zeros(rows, space.rows());
    let mut joined = ContactSpace::default();
    joined.resize(rows);
    let mut row = 0;
    for k in others.iter().chain(&set[..1]) {
        let c = space.contacts[*k];
        joined.push_contact(
            c.tangents,
            [c.friction, c.static_friction],
            c.restitution,
            c.phase != Phase::Apart,
        );
        for place in 0..c.rows().len() {
            if set.contains(k) {
                let share = 1.0 / set.len() as f64;
                set.iter().for_each(|k| P[(row, space.contacts[*k].first + place)] = share);
            } else {
                P[(row, c.first + place)] = 1.0;
            }
            row += 1;
        }
    }
    joined.G = &P * &space.G * P.transpose();
    joined.u_pre = &P * &space.u_pre;
    joined.velocity_scale = space.velocity_scale;
    joined.kinetic_energy = space.kinetic_energy;
    (joined, P)
}
