//! Which contacts press, stick and slip: equations (6) to (8) of the parent, several contacts.
//!
//! The same search as that of planar contacts, with slip along any direction.

use nalgebra::DMatrix;

use super::duty::{Duty, Mode, Rates};
use super::trial::Trial;
use crate::impact::instant::{Combinations, Paradox};

/// Largest number of combinations that is tried.
pub(crate) const ENUMERATED: usize = 20_000;

/// Scratch of the search.
#[derive(Clone, Debug, Default)]
pub(crate) struct Search {
    trial: Trial,
    combinations: Combinations,
}

impl Search {
    pub fn reserve(&mut self, rows: usize, contacts: usize, best: &mut Rates) {
        self.trial.reserve(rows, contacts);
        best.reserve(rows, contacts);
        self.combinations.reserve(contacts);
    }

    /// Whether there are more combinations than are tried.
    pub fn too_many(duties: &[Duty]) -> bool {
        Combinations::number(duties).is_none_or(|n| n > ENUMERATED)
    }

    /// Finds the modes and rates of an instant by trying every combination.
    pub fn solve(
        &mut self,
        G: &DMatrix<f64>,
        duties: &[Duty],
        best: &mut Rates,
    ) -> Result<(), Paradox> {
        self.combinations.search(&mut self.trial, G, duties, best)
    }

    /// Rates for modes that are known; false if they have none.
    pub fn rates(
        &mut self,
        G: &DMatrix<f64>,
        duties: &[Duty],
        modes: &[Mode],
        out: &mut Rates,
    ) -> bool {
        self.trial.rates.modes.copy_from_slice(modes);
        let solved = self.trial.settle(G, duties);
        if solved {
            out.copy_from(&self.trial.rates);
        }
        solved
    }
}
