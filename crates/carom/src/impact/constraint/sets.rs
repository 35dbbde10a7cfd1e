//! Which set of held contacts to take.

use nalgebra::DVector;

use crate::coulomb::{Problem, scale};
use crate::impact::error::{ImpactError, Reason};
use crate::impact::newton::TOLERANCE;

/// Contacts whose sets can be searched when tangents are held or M is singular.
const LARGEST: usize = 12;

/// The best admissible set so far: most contacts held, then least energy.
#[derive(Debug, Default)]
pub(super) struct Best {
    rank: Option<(u32, f64)>,
    pub residual: Option<f64>,
}

impl Best {
    /// Takes note of a candidate; whether it is the best admissible one so far.
    pub fn offer(&mut self, residual: f64, held: u32, energy: f64) -> bool {
        self.residual = Some(self.residual.map_or(residual, |r| r.min(residual)));
        let admissible = residual <= TOLERANCE;
        let better = self.rank.is_none_or(|(h, e)| held > h || (held == h && energy < e));
        if admissible && better {
            self.rank = Some((held, energy));
        }
        admissible && better
    }

    /// An error if no candidate was admissible.
    pub fn accept(&self, law: &'static str) -> Result<(), ImpactError> {
        let residual = self.residual.unwrap_or(f64::INFINITY);
        self.rank.map(|_| ()).ok_or(ImpactError::NoConsistentMode { law, stage: 0, residual })
    }
}

/// Refuses more contacts than can be searched.
pub(super) fn check_count(count: usize) -> Result<(), ImpactError> {
    if count <= LARGEST {
        return Ok(());
    }
    let reason = Reason::TooManyContacts { count, largest: LARGEST };
    Err(ImpactError::NotApplicable { law: "constraint", reason })
}

/// Largest pull or penetration of (3).
pub(super) fn sign_residual(problem: &Problem, p: &DVector<f64>, xi: &DVector<f64>) -> f64 {
    let velocity = scale(problem, p);
    let mut worst = 0.0_f64;
    for k in problem.active() {
        let n = problem.contacts[k].normal();
        let impulse = velocity / problem.mobility(k);
        worst = worst.max(-p[n] / impulse).max(-xi[n] / velocity);
    }
    worst
}
