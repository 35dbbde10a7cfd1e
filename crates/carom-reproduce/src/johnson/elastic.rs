//! Practice problem 4: kinetic energy of elastic impacts.
//!
//! With one e for all rows, v⁺ = v⁻ − (1 + e) M⁻¹Aᵀ Λ A v⁻, Λ = (A M⁻¹Aᵀ)⁻¹, and
//! ```text
//! T⁺ − T⁻ = −½ (1 − e²) (A v⁻)ᵀ Λ (A v⁻)                               (1)
//! ```
//! which is zero for e = 1 and negative for e < 1 unless A v⁻ = 0. Checked on random mass matrices and constraints.
//! Tests: `tests/johnson.rs`: `problems`.

use carom::impact::{Constraint, ImpactContact, ImpactProblem};
use nalgebra::{DMatrix, DVector};

use crate::claim::Claim;
use crate::collision::resolve;
use crate::error::Trouble;
use crate::experiment::Context;
use crate::outcome::Outcome;
use crate::show::power;

/// Adds the claims.
pub fn elastic(context: &Context, outcome: &mut Outcome) -> Result<(), Trouble> {
    let count = context.pick(2000, 200);
    let mut dice = Dice(0x9e37_79b9_7f4a_7c15);
    let (mut drift, mut least, mut miss) = (0.0_f64, f64::INFINITY, 0.0_f64);
    for i in 0..count {
        let n = 2 + i % 5;
        let m = 1 + i % n;
        for e in [1.0, 0.95, 0.3, 0.0] {
            let problem = dice.problem(n, m, e)?;
            let answer = resolve(&Constraint::default(), &problem)?;
            let change = (answer.energy_after - answer.energy_before) / answer.energy_before;
            miss = miss.max((change - expected(&problem, e)).abs());
            match e == 1.0 {
                true => drift = drift.max(change.abs()),
                false => least = least.min(-change),
            }
        }
    }
    outcome.claim(Claim::test(
        "problem 4",
        "An elastic impact with e = 1 keeps the kinetic energy.",
        drift < 1e-10,
        format!(
            "{count} random mass matrices and constraints: change at most {} of it",
            power(drift)
        ),
    ));
    outcome.claim(Claim::test(
        "problem 4",
        "With e < 1 the kinetic energy is strictly reduced.",
        least > 0.0 && miss < 1e-10,
        format!(
            "smallest loss {} of it; all losses are ½(1 − e²)(A q̇⁻)ᵀΛ(A q̇⁻) within {}",
            power(least),
            power(miss)
        ),
    ));
    Ok(())
}

/// Change of energy over energy before, equation (1).
fn expected(problem: &ImpactProblem, e: f64) -> f64 {
    let rows: Vec<_> = problem.contacts.iter().map(|c| c.normal.transpose()).collect();
    let A = DMatrix::from_rows(&rows);
    let solved = problem.mass_matrix.clone().lu().solve(&A.transpose());
    let u = &A * &problem.velocity;
    let lambda_u = solved.and_then(|s| (&A * s).lu().solve(&u));
    lambda_u.map_or(f64::NAN, |x| {
        -0.5 * (1.0 - e * e) * u.dot(&x) / problem.kinetic_energy(&problem.velocity)
    })
}

/// A small generator, so that every run has the same problems (xorshift, Marsaglia 2003).
struct Dice(u64);

impl Dice {
    /// A number between −1 and 1.
    fn number(&mut self) -> f64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 >> 11) as f64 / (1u64 << 52) as f64 - 1.0
    }

    /// n velocities, m constraints of which all approach, M = B Bᵀ + 1/2.
    fn problem(&mut self, n: usize, m: usize, e: f64) -> Result<ImpactProblem, Trouble> {
        let B = DMatrix::from_fn(n, n, |_, _| self.number());
        let M = &B * B.transpose() + DMatrix::from_diagonal_element(n, n, 0.5);
        let velocity = DVector::from_fn(n, |_, _| self.number());
        let mut contacts = Vec::new();
        for i in 0..m {
            // Rows near the axes are independent.
            let mut normal =
                DVector::from_fn(n, |j, _| f64::from(i == j) + 0.3 * self.number() / n as f64);
            if normal.dot(&velocity) > 0.0 {
                normal = -normal;
            }
            contacts.push(ImpactContact {
                name: format!("a{i}"),
                tangents: DMatrix::zeros(0, n),
                normal,
                friction: 0.0,
                static_friction: 0.0,
                restitution: e,
                touching: true,
            });
        }
        Ok(ImpactProblem::new(M, velocity, contacts)?)
    }
}
