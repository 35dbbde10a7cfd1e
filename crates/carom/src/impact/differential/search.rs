//! The search for the modes of a stage: all combinations if they are few, pivoting if they are many, and a softened G
//! where contacts are redundant.
//!
//! # Redundant contacts
//! Where G is rank-deficient on the contacts that press, ṗ is not unique, and with friction u̇ may not be either (a
//! block wedged between floor and wall). Then the modes are those of G + ε g I, g the largest diagonal entry: every
//! contact a little soft, which has the least-norm solution as its limit for ε → 0 (Tikhonov). With these modes the
//! equations of G itself are solved, by least norm, and certified.

use nalgebra::DMatrix;

use super::modes::{Duty, ENUMERATED, Rates};
use super::pivoting::Pivoting;
use super::trial::Trial;
use crate::impact::contact_space::reshape;
use crate::impact::instant::{Combinations, Paradox, TOLERANCE};

/// Softness ε of redundant contacts. Useful range 1e-11 (below it round-off decides) to 1e-7 (above it modes whose
/// margin is smaller change; the certificate then refuses them).
pub const SOFTNESS: f64 = 1e-9;

/// Scratch of the search.
#[derive(Clone, Debug, Default)]
pub(crate) struct Search {
    trial: Trial,
    combinations: Combinations,
    soft: DMatrix<f64>,
    pivoting: Pivoting,
}

impl Search {
    pub fn reserve(&mut self, rows: usize, contacts: usize, best: &mut Rates) {
        self.trial.reserve(rows, contacts);
        best.reserve(rows, contacts);
        self.combinations.reserve(contacts);
    }

    /// Finds the rates of a stage.
    pub fn solve(
        &mut self,
        G: &DMatrix<f64>,
        duties: &[Duty],
        best: &mut Rates,
    ) -> Result<(), Paradox> {
        let few = Combinations::number(duties).is_some_and(|n| n <= ENUMERATED);
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
        self.combinations.search(&mut self.trial, G, duties, best)
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
