//! The search through all combinations of modes.
//!
//! A combination whose conditions hold is a solution. Solutions with the same velocities are one, of
//! which the least impulses are kept; solutions that differ only because μs > μd lets a contact stick or
//! slip are one, in which it sticks; all others are solutions of their own.

use nalgebra::DMatrix;

use super::mode::{Duty, Grip};
use super::rates::Rates;
use crate::impact::error::ImpactError;

/// Relative violation of a condition that is round-off: of the largest rate for impulses, of Σ|G ṗ| for velocities.
pub(crate) const TOLERANCE: f64 = 1e-10;

/// A combination under trial.
pub(crate) trait Trial {
    /// What its contacts may do.
    type Duty: Duty;

    /// Whether a solution that presses fewer contacts than one of least norm is only a part of it. A law that
    /// treats redundant contacts otherwise says no.
    const WHOLE_SETS: bool;

    /// Its modes, and the rates that follow.
    fn rates(&self) -> &Rates<<Self::Duty as Duty>::Tangent>;

    /// The same, to choose the modes.
    fn rates_mut(&mut self) -> &mut Rates<<Self::Duty as Duty>::Tangent>;

    /// Solves for the rates; the largest relative violation of the conditions.
    fn violation(&mut self, G: &DMatrix<f64>, duties: &[Self::Duty]) -> f64;
}

/// Why no rates were found.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Paradox {
    /// No combination holds; the least violation.
    None { residual: f64 },
    /// Several motions are possible.
    Several { count: usize },
}

impl Paradox {
    /// The same as the error of a law in one of its stages.
    pub fn error(self, law: &'static str, stage: usize) -> ImpactError {
        match self {
            Self::None { residual } => ImpactError::NoConsistentMode { law, stage, residual },
            Self::Several { count } => ImpactError::AmbiguousModes { law, stage, count },
        }
    }
}

/// The present combination: the number of each contact's mode.
#[derive(Clone, Debug, Default)]
pub(crate) struct Combinations {
    choice: Vec<usize>,
}

impl Combinations {
    /// Makes room for so many contacts.
    pub fn reserve(&mut self, contacts: usize) {
        self.choice.clear();
        self.choice.resize(contacts, 0);
    }

    /// How many there are, unless that is too large a number.
    pub fn number<D: Duty>(duties: &[D]) -> Option<usize> {
        duties.iter().try_fold(1_usize, |n, d| n.checked_mul(d.count()))
    }

    /// Tries all; the one motion that is possible.
    pub fn search<T: Trial>(
        &mut self,
        trial: &mut T,
        G: &DMatrix<f64>,
        duties: &[T::Duty],
        best: &mut Rates<<T::Duty as Duty>::Tangent>,
    ) -> Result<(), Paradox> {
        self.choice.fill(0);
        let (mut found, mut least) = (0, f64::INFINITY);
        loop {
            for (k, d) in duties.iter().enumerate() {
                trial.rates_mut().modes[k] = d.mode(self.choice[k]);
            }
            let violation = trial.violation(G, duties);
            least = least.min(violation);
            if violation <= TOLERANCE {
                if found == 0 {
                    best.copy_from(trial.rates());
                    found = 1;
                } else if is_another::<T>(duties, trial.rates(), best) {
                    found += 1;
                }
            }
            if !self.advance(duties) {
                break;
            }
        }
        match found {
            0 => Err(Paradox::None { residual: least }),
            1 => Ok(()),
            count => Err(Paradox::Several { count }),
        }
    }

    fn advance<D: Duty>(&mut self, duties: &[D]) -> bool {
        for (choice, d) in self.choice.iter_mut().zip(duties) {
            *choice += 1;
            if *choice < d.count() {
                return true;
            }
            *choice = 0;
        }
        false
    }
}

/// Whether a solution is another motion than the best so far, which it may replace if it is not.
fn is_another<T: Trial>(
    duties: &[T::Duty],
    trial: &Rates<<T::Duty as Duty>::Tangent>,
    best: &mut Rates<<T::Duty as Duty>::Tangent>,
) -> bool {
    if trial.same_motion(best) {
        if trial.norm() < best.norm() * (1.0 - 1e-9) {
            best.copy_from(trial);
        }
        return false;
    }
    if T::WHOLE_SETS && best.least_norm && best.covers(trial) {
        return false;
    }
    if T::WHOLE_SETS && trial.least_norm && trial.covers(best) {
        best.copy_from(trial);
        return false;
    }
    match stick_wins(duties, trial, best) {
        Some(true) => best.copy_from(trial),
        Some(false) => {}
        None => return true,
    }
    false
}

/// Whether only μs > μd makes the two differ, and then whether `a` is the one that sticks.
fn stick_wins<D: Duty>(duties: &[D], a: &Rates<D::Tangent>, b: &Rates<D::Tangent>) -> Option<bool> {
    let mut winner = None;
    for (k, d) in duties.iter().enumerate() {
        let a_sticks = match (d.grip(&a.modes[k].tangent), d.grip(&b.modes[k].tangent)) {
            (Grip::Stick, Grip::Start) => true,
            (Grip::Start, Grip::Stick) => false,
            _ => continue,
        };
        let [dynamic, at_rest] = d.frictions();
        if at_rest > dynamic {
            if winner == Some(!a_sticks) {
                return None;
            }
            winner = Some(a_sticks);
        }
    }
    winner
}
