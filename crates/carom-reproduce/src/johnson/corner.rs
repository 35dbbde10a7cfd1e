//! Practice problem 2: a point mass on one constraint that hits another.
//!
//! a₁ = y, a₂ = 3 − x − y, so A = (0, 1; −1, −1) is square and regular: v⁺ = 0, and m v⁻ = −Aᵀp gives
//! ```text
//! p₁ = p₂ = m ẋ⁻                                            (1)
//! ```
//! Tests: `tests/johnson.rs`: `problems`.

use carom::impact::{Constraint, ImpactContact, ImpactProblem};
use nalgebra::{DMatrix, DVector};

use crate::claim::Claim;
use crate::collision::resolve;
use crate::error::Trouble;
use crate::outcome::Outcome;
use crate::show::power;

const MASS: f64 = 2.4;
const SPEED: f64 = 1.3;

/// Adds the claim.
pub fn corner(outcome: &mut Outcome) -> Result<(), Trouble> {
    let row = |name: &str, normal: DVector<f64>| ImpactContact {
        name: name.into(),
        tangents: DMatrix::zeros(0, 2),
        normal,
        friction: 0.0,
        static_friction: 0.0,
        restitution: 0.0,
        touching: true,
    };
    let contacts = vec![
        row("a1", DVector::from_row_slice(&[0.0, 1.0])),
        row("a2", DVector::from_row_slice(&[-1.0, -1.0])),
    ];
    let M = DMatrix::from_diagonal_element(2, 2, MASS);
    let problem = ImpactProblem::new(M, DVector::from_row_slice(&[SPEED, 0.0]), contacts)?;
    let answer = resolve(&Constraint::default(), &problem)?;
    let p = &answer.solution.impulses;
    let miss =
        answer.velocity.amax().max((p[0] - MASS * SPEED).abs()).max((p[1] - MASS * SPEED).abs());
    outcome.claim(Claim::test(
        "problem 2",
        "Velocity and impulses of a point mass that slides into a corner (left to the reader): q̇⁺ = 0, and both \
         constraints give m ẋ⁻, so P̂ = −(m ẋ⁻, m ẋ⁻) in the source's sign.",
        miss < 1e-14,
        format!(
            "for m = {MASS} kg, ẋ⁻ = {SPEED} m/s: q̇⁺ = 0, p = ({:.3}, {:.3}) N·s, difference {}",
            p[0],
            p[1],
            power(miss)
        ),
    ));
    Ok(())
}
