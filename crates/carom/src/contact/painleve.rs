//! No solution, or several: Painlevé's paradoxes detected and named.
//!
//! With A = Gₙₙ − μd Gₙₜ û of one slipping contact and b its free acceleration:
//! ```text
//! A > 0            one solution                                (1)
//! A ≤ 0, b > 0     two: it lifts off, or it presses            (2)
//! A ≤ 0, b < 0     none: the contact jams                      (3)
//! ```
//! For several contacts every combination of modes is tried and each that satisfies all
//! conditions is counted once.
//!
//! # Tests
//! `tests/contact_modes.rs`: `painleve_eq1_regular`, `painleve_eq2_two`, `painleve_eq3_none`.

use super::search::{RESIDUAL, SearchScratch, Violation, tangential, worst_violation};
use super::{ContactForces, ContactSystem, Freedom, Press, solve_modes};
use thiserror::Error;

/// Largest number of combinations tried.
const MOST: usize = 20_000;
/// Solutions whose accelerations differ by less than this fraction of the acceleration scale are one.
const SAME: f64 = 1e-7;
/// Rounds of refining the direction of a starting slip.
const TURNS: usize = 200;

/// Why contact forces could not be found.
#[derive(Debug, Clone, Copy, PartialEq, Error)]
pub enum ContactFailure {
    /// No combination of modes satisfies the contact laws.
    #[error("no combination of {contacts} contact modes satisfies the contact laws")]
    NoSolution {
        /// How many contacts took part.
        contacts: usize,
    },
    /// Several combinations do.
    #[error("{count} combinations of {contacts} contact modes satisfy the contact laws")]
    Ambiguous {
        /// How many solutions were found.
        count: usize,
        /// How many contacts took part.
        contacts: usize,
    },
    /// Too many combinations to try.
    #[error(
        "the modes of {contacts} contacts could not be found by pivoting, and there are too many to try"
    )]
    TooMany {
        /// How many contacts took part.
        contacts: usize,
    },
}

impl ContactFailure {
    /// What the user may do about it.
    pub fn hint(&self) -> &'static str {
        match self {
            Self::NoSolution { .. } => {
                "a Painlevé paradox: less friction, or an impact law that can resolve a jam"
            }
            Self::Ambiguous { .. } => {
                "a Painlevé paradox: rigid bodies with Coulomb friction do not decide here"
            }
            Self::TooMany { .. } => {
                "fewer redundant contacts: rest a box on its corners, not on more"
            }
        }
    }
}

/// Whether some slipping contact could be paradoxical by itself.
pub(super) fn suspicious(system: &ContactSystem, freedoms: &[Freedom]) -> bool {
    system.contacts.iter().zip(freedoms).any(|(c, freedom)| match freedom {
        Freedom::Sliding(d) => {
            let n = c.normal();
            let t = |k: usize| if k < c.tangents { system.G[(n, c.first + k)] * d[k] } else { 0.0 };
            system.G[(n, n)] - c.friction * (t(0) + t(1)) <= 1e-12 * system.G[(n, n)]
        }
        _ => false,
    })
}

/// Try every combination; exactly one solution is an answer.
pub(super) fn enumerate(
    system: &ContactSystem,
    freedoms: &[Freedom],
    scratch: &mut SearchScratch,
    press: &mut Vec<Press>,
    out: &mut ContactForces,
) -> Result<(), ContactFailure> {
    let contacts = freedoms.len();
    let mut combinations = 1_usize;
    for (c, freedom) in system.contacts.iter().zip(freedoms) {
        combinations = combinations.saturating_mul(choices(c.tangents, freedom));
    }
    if combinations > MOST {
        return Err(ContactFailure::TooMany { contacts });
    }
    let mut count = 0;
    for index in 0..combinations {
        assign(system, freedoms, index, &mut scratch.press);
        if !satisfied(system, freedoms, scratch) {
            continue;
        }
        if count > 0 && same(system, out, &scratch.trial) {
            continue;
        }
        count += 1;
        if count == 1 {
            press.clone_from(&scratch.press);
            out.clone_from(&scratch.trial);
        }
    }
    match count {
        0 => Err(ContactFailure::NoSolution { contacts }),
        1 => Ok(()),
        _ => Err(ContactFailure::Ambiguous { count, contacts }),
    }
}

/// Number of modes of one contact. A starting slip in space has one mode: its direction is found.
fn choices(tangents: usize, freedom: &Freedom) -> usize {
    match (freedom, tangents) {
        (Freedom::Held, _) => 1,
        (Freedom::Sliding(_), _) | (Freedom::Still, 0) => 2,
        (Freedom::Still, 1) => 4,
        (Freedom::Still, _) => 3,
    }
}

/// The combination number `index`; pressing and sticking modes come first.
fn assign(system: &ContactSystem, freedoms: &[Freedom], mut index: usize, press: &mut Vec<Press>) {
    press.clear();
    for (c, freedom) in system.contacts.iter().zip(freedoms) {
        let n = choices(c.tangents, freedom);
        let choice = index % n;
        index /= n;
        press.push(match (freedom, choice) {
            (Freedom::Held, _) => Press::Stick,
            (_, last) if last == n - 1 => Press::Open,
            (Freedom::Sliding(d), _) => Press::Slip(*d),
            (Freedom::Still, 0) => Press::Stick,
            (Freedom::Still, 1) => Press::Slip([1.0, 0.0]),
            (Freedom::Still, _) => Press::Slip([-1.0, 0.0]),
        });
    }
}

/// Solve for the trial modes, refining directions of starting slips; whether all laws hold.
fn satisfied(system: &ContactSystem, freedoms: &[Freedom], scratch: &mut SearchScratch) -> bool {
    for round in 0..TURNS {
        solve_modes(system, &scratch.press, &mut scratch.solver, &mut scratch.trial);
        if scratch.trial.residual.is_nan() || scratch.trial.residual > RESIDUAL {
            return false;
        }
        match worst_violation(system, freedoms, &scratch.press, &scratch.trial) {
            None => return true,
            Some((i, Violation::Turns(d))) => scratch.press[i] = Press::Slip(d),
            Some((i, Violation::SlipsBack(_)))
                if round == 0 && system.contacts[i].tangents == 2 =>
            {
                // The first guess of the direction was arbitrary: follow the acceleration.
                let c = &system.contacts[i];
                let w = tangential(&scratch.trial.w, c.first, c.tangents);
                let size = w[0].hypot(w[1]);
                scratch.press[i] = Press::Slip([w[0] / size, w[1] / size]);
            }
            Some(_) => return false,
        }
    }
    false
}

/// Whether two solutions are one motion: equal accelerations of all rows mean equal accelerations of the mechanism,
/// since G Δλ = 0 makes JᵀΔλ = 0. Their forces may differ where contacts are redundant.
fn same(system: &ContactSystem, a: &ContactForces, b: &ContactForces) -> bool {
    let least = SAME * system.acceleration_scale();
    a.w.iter().zip(&b.w).all(|(a, b)| (a - b).abs() <= least)
}
