//! All mode sets of an algebraic problem, and the one to take.
//!
//! # Law
//! The cases of each contact that takes part (Hurmuzlu & Marghitu 1994, section 3.2.3, step 1):
//! ```text
//! a   leaves without interaction    p = 0             admissible if uₙ⁺ ≥ 0           (1)
//! b   stays, does not slip          uₙ⁺ = uₜ⁺ = 0     pₙ ≥ 0, |pₜ| ≤ μs pₙ            (2)
//! c,d stays, slips along ±t         pₜ = ∓μd pₙ       pₙ ≥ 0, slip against pₜ         (3)
//! ```
//! A colliding contact has no case a, and uₙ⁺ = −e uₙ⁻ in place of uₙ⁺ = 0. That makes
//! 3·4^(k+1) sets for one colliding and k + 1 touching contacts.
//!
//! # Which admissible set
//! Sets that share a boundary give the same impulses there. Where sets with different impulses are
//! admissible, the one with most contacts at rest on their surface wins (so that stick wins over
//! slip where μs > μd allows both), then the one with the least energy after, then the first in
//! the order a, b, c, d of the last contact. The rule depends on the order of contacts only in a tie of energies.

use nalgebra::DVector;

use super::contact_space::{ContactSpace, Phase, reshape_vector};
use super::error::{ImpactError, Reason};
use crate::coulomb::{Mode, ModeSystem, Problem, Tangent, residual, scale, velocity};
use crate::numeric::thresholds::STILL;

/// Largest residual of an admissible set; see [`TOLERANCE`](super::newton::TOLERANCE).
pub(crate) const ADMISSIBLE: f64 = crate::numeric::thresholds::impact::ADMISSIBLE;
/// Contacts that can be searched: 4⁸ sets take about a tenth of a second.
pub(crate) const LARGEST: usize = 8;

/// Scratch of the search.
#[derive(Debug, Default)]
pub(crate) struct ModeSearch {
    pub problem: Problem,
    pub system: ModeSystem,
    pub modes: Vec<Mode>,
    pub best_modes: Vec<Mode>,
    pub trial: DVector<f64>,
    pub w: DVector<f64>,
}

/// How a candidate ranks; larger is better.
#[derive(Debug, Clone, Copy, PartialEq)]
struct Rank {
    resting: usize,
    energy: f64,
}

impl Rank {
    /// Whether this candidate replaces `other`; energies closer than `small` are a tie.
    fn beats(&self, other: &Self, small: f64) -> bool {
        if self.resting != other.resting {
            return self.resting > other.resting;
        }
        self.energy < other.energy - small
    }
}

impl ModeSearch {
    /// Refuses what the search is not made for.
    pub fn check(law: &'static str, space: &ContactSpace) -> Result<(), ImpactError> {
        let closed = || space.contacts.iter().enumerate().filter(|(_, c)| c.phase != Phase::Apart);
        if let Some((contact, c)) = closed().find(|(_, c)| c.tangents > 1) {
            let reason = Reason::Tangents { contact, found: c.tangents, largest: 1 };
            return Err(ImpactError::NotApplicable { law, reason });
        }
        let count = closed().count();
        if count > LARGEST {
            let reason = Reason::TooManyContacts { count, largest: LARGEST };
            return Err(ImpactError::NotApplicable { law, reason });
        }
        Ok(())
    }

    /// Tries every mode set of `self.problem`; the best admissible one into `best_modes` and p.
    pub fn search(
        &mut self,
        law: &'static str,
        space: &ContactSpace,
        p: &mut DVector<f64>,
    ) -> Result<(), ImpactError> {
        let total = self.count(space);
        let mut best: Option<Rank> = None;
        let mut least = f64::INFINITY;
        self.modes.clear();
        self.modes.resize(space.contacts.len(), Mode::OPEN);
        let mut trial = std::mem::take(&mut self.trial);
        for code in 0..total {
            self.decode(space, code);
            self.system.solve(&self.problem, &self.modes, &mut trial);
            velocity(&self.problem, &trial, &mut self.w);
            let miss = residual(&self.problem, &trial, &self.w);
            least = least.min(miss);
            if miss > ADMISSIBLE {
                continue;
            }
            let (rank, small) = self.rank(space, &trial);
            if best.is_none_or(|known| rank.beats(&known, small)) {
                best = Some(rank);
                self.best_modes.clone_from(&self.modes);
                reshape_vector(p, space.rows());
                p.copy_from(&trial);
            }
        }
        self.trial = trial;
        best.map(|_| ()).ok_or(ImpactError::NoConsistentMode { law, stage: 0, residual: least })
    }

    /// Number of mode sets of `self.problem`.
    pub fn count(&self, space: &ContactSpace) -> usize {
        self.problem.active().map(|k| self.cases(space, k)).product()
    }

    fn cases(&self, space: &ContactSpace, k: usize) -> usize {
        let held = if self.problem.contacts[k].rough() { 3 } else { 1 };
        if space.contacts[k].phase == Phase::Colliding { held } else { held + 1 }
    }

    /// Mode set number `code` into `modes`.
    pub fn decode(&mut self, space: &ContactSpace, code: usize) {
        let mut rest = code;
        for k in self.problem.active() {
            let cases = self.cases(space, k);
            let case = rest % cases + usize::from(space.contacts[k].phase == Phase::Colliding);
            self.modes[k] = case_mode(case, self.problem.contacts[k].rough());
            rest /= cases;
        }
    }

    fn rank(&self, space: &ContactSpace, p: &DVector<f64>) -> (Rank, f64) {
        let velocity = scale(&self.problem, p);
        let slip =
            |k: usize| space.contacts[k].tangent_rows().fold(0.0_f64, |s, i| s.hypot(self.w[i]));
        let rests = |k: &usize| self.modes[*k].held && slip(*k) <= STILL * velocity;
        let resting = self.problem.active().filter(rests).count();
        let energy = energy_change(space, p);
        (Rank { resting, energy }, STILL * velocity * p.lp_norm(1))
    }
}

/// Case 0 is a, 1 is b, 2 and 3 are slip along +t and −t.
fn case_mode(case: usize, rough: bool) -> Mode {
    let tangent = match (rough, case) {
        (_, 0) => return Mode::OPEN,
        (false, _) => Tangent::Smooth,
        (true, 1) => Tangent::Stick,
        (true, 2) => Tangent::Slip([1.0, 0.0]),
        (true, _) => Tangent::Slip([-1.0, 0.0]),
    };
    Mode::held(tangent)
}

/// Energy after minus energy before, p·u⁻ + ½ pᵀGp.
pub(crate) fn energy_change(space: &ContactSpace, p: &DVector<f64>) -> f64 {
    let quadratic: f64 = (0..p.len()).map(|j| p[j] * space.G.column(j).dot(p)).sum();
    p.dot(&space.u_pre) + 0.5 * quadratic
}
