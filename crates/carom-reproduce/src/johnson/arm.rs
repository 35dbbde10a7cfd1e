//! Practice problem 1: a two-link arm whose tip hits the ground.
//!
//! Angles q₁ from the ground and q₂ relative, links l_i with centres at l_i/2, masses m_i, inertias I_i about the centres:
//! ```text
//! M₁₁ = I₁ + I₂ + m₁l₁²/4 + m₂(l₁² + l₂²/4 + l₁l₂ cos q₂)
//! M₁₂ = I₂ + m₂(l₂²/4 + ½ l₁l₂ cos q₂),  M₂₂ = I₂ + m₂l₂²/4          (1)
//! A = (l₁ cos q₁ + l₂ cos(q₁+q₂), l₂ cos(q₁+q₂))                     (2)
//! p = −(A M⁻¹Aᵀ)⁻¹ A q̇⁻,  q̇⁺ = q̇⁻ + M⁻¹Aᵀp                           (3)
//! ```
//! Checked against the simulated arm, whose M and A come from the recursion over its bodies. Tests: `tests/johnson.rs`:
//! `problems`.

use carom::record::{Event, EventKind};
use nalgebra::{Matrix2, RowVector2, Vector2};

use super::problems::PROBLEMS;
use crate::claim::Claim;
use crate::error::Trouble;
use crate::outcome::Outcome;
use crate::show::{fixed, power};
use crate::trial::Trial;

const SCENE: &str = include_str!("../../../../experiments/johnson_arm.toml");
/// Lengths, masses and inertias of the scene.
const L: [f64; 2] = [1.0, 0.8];
const MASSES: [f64; 2] = [1.0, 0.5];
const INERTIAS: [f64; 2] = [0.1, 0.03];

/// Adds the claim.
pub fn arm(outcome: &mut Outcome) -> Result<(), Trouble> {
    let trial = Trial::run::<&str>(SCENE, "johnson_arm.toml", &[])?;
    let jump = trial.run.events().iter().find(|e| e.kind == EventKind::Impact);
    let jump = jump.ok_or_else(|| Trouble::Absent {
        experiment: PROBLEMS.name,
        what: "the impact of the arm".into(),
    })?;
    let (v_post, p) = closed_form(jump)?;
    let miss = (v_post - Vector2::from_row_slice(&jump.v_post)).amax();
    let miss = miss.max((p - jump.contacts[0].impulse[2]).abs());
    outcome.claim(Claim::test(
        "problem 1",
        "Impulse and velocity of a two-link arm after a plastic impact on the ground (left to the reader): (23) and (24) \
         with A = (l₁c₁ + l₂c₁₂, l₂c₁₂).",
        miss < 1e-12,
        format!(
            "simulated fall, impact at {} s with q = ({}, {}) rad, q̇⁻ = ({}, {}) rad/s: q̇⁺ = ({}, {}) rad/s, \
             p = {} N·s; {} from the formulas",
            fixed(jump.t, 6),
            fixed(jump.q[0], 6),
            fixed(jump.q[1], 6),
            fixed(jump.v_pre[0], 6),
            fixed(jump.v_pre[1], 6),
            fixed(jump.v_post[0], 6),
            fixed(jump.v_post[1], 6),
            fixed(jump.contacts[0].impulse[2], 6),
            power(miss)
        ),
    ));
    Ok(())
}

/// q̇⁺ and p by (1) to (3).
fn closed_form(jump: &Event) -> Result<(Vector2<f64>, f64), Trouble> {
    let (q, v) = (&jump.q, Vector2::from_row_slice(&jump.v_pre));
    let ([l1, l2], [m1, m2], [i1, i2]) = (L, MASSES, INERTIAS);
    let coupling = l1 * l2 * q[1].cos();
    let m11 = i1 + i2 + m1 * l1 * l1 / 4.0 + m2 * (l1 * l1 + l2 * l2 / 4.0 + coupling);
    let m12 = i2 + m2 * (l2 * l2 / 4.0 + coupling / 2.0);
    let M = Matrix2::new(m11, m12, m12, i2 + m2 * l2 * l2 / 4.0);
    let c12 = (q[0] + q[1]).cos();
    let A = RowVector2::new(l1 * q[0].cos() + l2 * c12, l2 * c12);
    let inverse = M.try_inverse().ok_or_else(|| Trouble::Absent {
        experiment: PROBLEMS.name,
        what: "a regular mass matrix of the arm".into(),
    })?;
    let p = -(A * v)[0] / (A * inverse * A.transpose())[0];
    Ok((v + inverse * A.transpose() * p, p))
}
