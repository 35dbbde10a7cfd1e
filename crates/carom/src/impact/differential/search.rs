//! The search for the modes of a stage: all combinations if they are few, pivoting if they are many, and a softened G
//! where contacts are redundant.
//!
//! # Redundant contacts
//! Where G is rank-deficient on the contacts that press, ṗ is not unique, and with friction u̇ may not be either (a
//! block wedged between floor and wall). Then the modes are those of G + ε g I, g the largest diagonal entry: every
//! contact a little soft, which has the least-norm solution as its limit for ε → 0 (Tikhonov). With these modes the
//! equations of G itself are solved, by least norm, and certified.

use nalgebra::DMatrix;

use super::modes::{Duty, ENUMERATED, Paradox, Rates, TOLERANCE, Tangent};
use super::pivoting::Pivoting;
use super::trial::Trial;
use crate::impact::contact_space::reshape;

/// Softness ε of redundant contacts. Useful range 1e-11 (below it round-off decides) to 1e-7 (above it modes whose
/// margin is smaller change; the certificate then refuses them).
pub const SOFTNESS: f64 = 1e-9;

/// Scratch of the search.
#[derive(Clone, Debug, Default)]
pub(crate) struct Search {
    trial: Trial,
    choice: Vec<usize>,
    soft: DMatrix<f64>,
    pivoting: Pivoting,
}

impl Search {
    pub fn reserve(&mut self, rows: usize, contacts: usize, best: &mut Rates) {
        self.trial.reserve(rows, contacts);
        best.reserve(rows, contacts);
        self.choice.clear();
        self.choice.resize(contacts, 0);
    }

    /// Finds the rates of a stage.
    pub fn solve(
        &mut self,
        G: &DMatrix<f64>,
        duties: &[Duty],
        best: &mut Rates,
    ) -> Result<(), Paradox> {
        let combinations = duties.iter().try_fold(1_usize, |n, d| n.checked_mul(d.count()));
        let few = combinations.is_some_and(|n| n <= ENUMERATED);
        let mut result = Err(Paradox::None { residual: f64::INFINITY });
        if few {
            self.trial.deficient = false;
            result = self.enumerate(G, duties, best);
            if !self.trial.deficient {
                return result;
            }
        }
        let mut soft = std::mem::take(&mut self.soft);
        soften(G, &mut soft);
        let softened =
            if few { self.enumerate(&soft, duties, best) } else { self.pivot(&soft, duties, best) };
        self.soft = soft;
        let softened = softened.and_then(|()| self.harden(G, duties, best));
        match (softened, few) {
            (Ok(()), _) => Ok(()),
            // Not soft after all: what the hard problem says.
            (Err(_), true) if result.is_ok() => self.enumerate(G, duties, best),
            (Err(paradox), true) => Err(paradox),
            (Err(_), false) => self.pivot(G, duties, best),
        }
    }

    /// Solves the equations of G with the modes in `best`.
    fn harden(
        &mut self,
        G: &DMatrix<f64>,
        duties: &[Duty],
        best: &mut Rates,
    ) -> Result<(), Paradox> {
        self.trial.rates.modes.copy_from_slice(&best.modes);
        let residual = self.trial.evaluate(G, duties, true);
        if residual > TOLERANCE {
            return Err(Paradox::None { residual });
        }
        best.copy_from(&self.trial.rates);
        Ok(())
    }

    /// Tries every combination of modes.
    fn enumerate(
        &mut self,
        G: &DMatrix<f64>,
        duties: &[Duty],
        best: &mut Rates,
    ) -> Result<(), Paradox> {
        self.choice.fill(0);
        let mut found = 0;
        let mut least = f64::INFINITY;
        loop {
            for (k, d) in duties.iter().enumerate() {
                self.trial.rates.modes[k] = d.mode(self.choice[k]);
            }
            let violation = self.trial.evaluate(G, duties, false);
            least = least.min(violation);
            if violation <= TOLERANCE {
                found += self.keep(duties, best, found);
            }
            if !self.next_choice(duties) {
                break;
            }
        }
        match found {
            0 => Err(Paradox::None { residual: least }),
            1 => Ok(()),
            count => Err(Paradox::Several { count }),
        }
    }

    fn next_choice(&mut self, duties: &[Duty]) -> bool {
        for (k, d) in duties.iter().enumerate() {
            self.choice[k] += 1;
            if self.choice[k] < d.count() {
                return true;
            }
            self.choice[k] = 0;
        }
        false
    }

    /// Compares a consistent trial with the best so far; returns 1 if it is another motion.
    fn keep(&mut self, duties: &[Duty], best: &mut Rates, found: usize) -> usize {
        if found == 0 {
            best.copy_from(&self.trial.rates);
            return 1;
        }
        let trial = &self.trial.rates;
        if trial.same_motion(best) {
            if trial.norm() < best.norm() * (1.0 - 1e-9) {
                best.copy_from(trial);
            }
            return 0;
        }
        match stick_wins(duties, trial, best) {
            Some(true) => best.copy_from(trial),
            Some(false) => {}
            None => return 1,
        }
        0
    }

    /// One solution by pivoting, repaired where static friction exceeds dynamic friction.
    fn pivot(
        &mut self,
        G: &DMatrix<f64>,
        duties: &[Duty],
        best: &mut Rates,
    ) -> Result<(), Paradox> {
        if !self.pivoting.modes(G, duties, &mut self.trial.rates.modes) {
            for (mode, d) in self.trial.rates.modes.iter_mut().zip(duties) {
                *mode = d.press();
            }
        }
        let mut residual = f64::INFINITY;
        for _ in 0..50 + 20 * duties.len() {
            let violation = self.trial.evaluate(G, duties, true);
            if violation <= TOLERANCE {
                best.copy_from(&self.trial.rates);
                return Ok(());
            }
            residual = residual.min(violation);
            if !self.trial.repair(duties) {
                break;
            }
        }
        Err(Paradox::None { residual })
    }
}

/// G + ε g I.
fn soften(G: &DMatrix<f64>, soft: &mut DMatrix<f64>) {
    reshape(soft, G.nrows(), G.ncols());
    soft.copy_from(G);
    let g = (0..G.nrows()).fold(0.0_f64, |s, i| s.max(G[(i, i)]));
    for i in 0..G.nrows() {
        soft[(i, i)] += SOFTNESS * g;
    }
}

/// Whether only μs > μd makes the two differ, and then whether `a` is the one that sticks.
fn stick_wins(duties: &[Duty], a: &Rates, b: &Rates) -> Option<bool> {
    let mut winner = None;
    for (k, d) in duties.iter().enumerate() {
        let a_sticks = match (a.modes[k].tangent, b.modes[k].tangent) {
            (Tangent::Stick, Tangent::Slip(_)) => true,
            (Tangent::Slip(_), Tangent::Stick) => false,
            _ => continue,
        };
        if d.static_friction > d.friction {
            if winner == Some(!a_sticks) {
                return None;
            }
            winner = Some(a_sticks);
        }
    }
    winner
}
