//! The impact problem as the contacts see it: u⁺ = u⁻ + G p.
//!
//! Rows are ordered contact by contact, tangents first, then the normal. Bilateral rows are already eliminated, so
//! laws never see them.
//!
//! # Who takes part
//! A contact velocity below [`ZERO_VELOCITY`] times the largest one counts as zero and is stored as exactly zero.
//! The phase follows from what is left of uₙ. *Colliding* and *touching* contacts take part in every law.
//! *Separating* contacts (closed gap, uₙ⁻ > 0) carry no impulse unless the law follows a path and finds that they
//! are pressed together again; laws without a path leave them out. Contacts that are *apart* never carry an impulse;
//! they are rows only so that their velocity after the impact is known.

use nalgebra::{DMatrix, DVector};

use super::error::ImpactError;
use crate::coulomb::{Duty, Problem};
pub use crate::numeric::{reshape, reshape_vector};

pub use crate::numeric::thresholds::ZERO_VELOCITY;

/// What a contact does just before the impact.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Phase {
    /// Closed and approaching, uₙ⁻ < 0.
    Colliding,
    /// Closed and neither approaching nor leaving, uₙ⁻ = 0.
    Touching,
    /// Closed and leaving, uₙ⁻ > 0.
    Separating,
    /// Open: takes no part.
    Apart,
}

/// One contact: where its rows are, and its coefficients.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ContactRow {
    /// Index of its first row in G and u.
    pub first: usize,
    /// Number of tangents, 0, 1 or 2.
    pub tangents: usize,
    /// Dynamic friction μd.
    pub friction: f64,
    /// Static friction μs.
    pub static_friction: f64,
    /// Restitution e.
    pub restitution: f64,
    /// What it does before the impact.
    pub phase: Phase,
}

impl ContactRow {
    /// Row of the normal.
    pub fn normal(&self) -> usize {
        self.first + self.tangents
    }

    /// Rows of the tangents.
    pub fn tangent_rows(&self) -> std::ops::Range<usize> {
        self.first..self.normal()
    }

    /// All its rows.
    pub fn rows(&self) -> std::ops::Range<usize> {
        self.first..self.normal() + 1
    }

    /// Whether it is colliding or touching.
    pub fn takes_part(&self) -> bool {
        matches!(self.phase, Phase::Colliding | Phase::Touching)
    }
}

/// G, u⁻ and the contacts.
///
/// Fill it with [`Reduction`](super::Reduction), or in place: [`resize`](Self::resize), write `G`, `u_pre` and
/// `contacts`, then [`classify`](Self::classify). Nothing is allocated once it has been as large before.
#[derive(Clone, Debug)]
pub struct ContactSpace {
    /// Delassus matrix G = J N Jᵀ, m × m, symmetric, positive semi-definite.
    pub G: DMatrix<f64>,
    /// Contact velocities before, u⁻ = J v⁻.
    pub u_pre: DVector<f64>,
    /// Contacts in row order.
    pub contacts: Vec<ContactRow>,
    /// Largest contact velocity before, of contacts that are not apart; set by [`classify`](Self::classify).
    pub velocity_scale: f64,
    /// Kinetic energy before; only traces and audits read it. Zero if unknown.
    pub kinetic_energy: f64,
}

impl Default for ContactSpace {
    fn default() -> Self {
        Self {
            G: DMatrix::zeros(0, 0),
            u_pre: DVector::zeros(0),
            contacts: Vec::new(),
            velocity_scale: 0.0,
            kinetic_energy: 0.0,
        }
    }
}

impl ContactSpace {
    /// Number of rows m.
    pub fn rows(&self) -> usize {
        self.u_pre.len()
    }

    /// Makes room for `rows` rows, all entries zero, and clears the contacts; keeps capacity.
    pub fn resize(&mut self, rows: usize) {
        reshape(&mut self.G, rows, rows);
        reshape_vector(&mut self.u_pre, rows);
        self.contacts.clear();
        self.velocity_scale = 0.0;
        self.kinetic_energy = 0.0;
    }

    /// Appends a contact after the last one. Its phase is `Apart` if `touching` is false, else set by `classify`.
    pub fn push_contact(
        &mut self,
        tangents: usize,
        friction: [f64; 2],
        restitution: f64,
        touching: bool,
    ) {
        let first = self.contacts.last().map_or(0, |c| c.normal() + 1);
        let phase = if touching { Phase::Touching } else { Phase::Apart };
        let [friction, static_friction] = friction;
        self.contacts.push(ContactRow {
            first,
            tangents,
            friction,
            static_friction,
            restitution,
            phase,
        });
    }

    /// Sets the scale, rounds small velocities to zero and gives each contact that is not apart its phase.
    pub fn classify(&mut self) {
        let mut scale = 0.0_f64;
        for c in self.contacts.iter().filter(|c| c.phase != Phase::Apart) {
            scale = c.rows().fold(scale, |s, i| s.max(self.u_pre[i].abs()));
        }
        self.velocity_scale = scale;
        for c in self.contacts.iter_mut().filter(|c| c.phase != Phase::Apart) {
            for i in c.rows() {
                if self.u_pre[i].abs() < ZERO_VELOCITY * scale {
                    self.u_pre[i] = 0.0;
                }
            }
            c.phase = match self.u_pre[c.normal()] {
                u if u < 0.0 => Phase::Colliding,
                u if u > 0.0 => Phase::Separating,
                _ => Phase::Touching,
            };
        }
    }

    /// Indices of the colliding contacts.
    pub fn colliding(&self) -> impl Iterator<Item = usize> + '_ {
        self.contacts
            .iter()
            .enumerate()
            .filter(|(_, c)| c.phase == Phase::Colliding)
            .map(|(i, _)| i)
    }

    /// The colliding contact if there is exactly one, the error `NoApproach` if there is none.
    pub fn single_colliding(&self) -> Result<Option<usize>, ImpactError> {
        let mut all = self.colliding();
        match (all.next(), all.next()) {
            (Some(c), None) => Ok(Some(c)),
            (Some(_), Some(_)) => Ok(None),
            (None, _) => Err(self.no_approach()),
        }
    }

    /// The error that says that nothing approaches.
    pub fn no_approach(&self) -> ImpactError {
        let closed = self.contacts.iter().filter(|c| c.phase != Phase::Apart);
        let slowest = closed.map(|c| self.u_pre[c.normal()]).fold(f64::INFINITY, f64::min);
        ImpactError::NoApproach { slowest }
    }

    /// The Coulomb problem of the impulses with b = u⁻; every contact that is not apart takes part.
    pub fn coulomb(&self, problem: &mut Problem) {
        problem.resize(self.rows());
        problem.G.copy_from(&self.G);
        problem.b.copy_from(&self.u_pre);
        for c in &self.contacts {
            let duty = if c.phase == Phase::Apart { Duty::Apart } else { Duty::Coulomb };
            let rough = if c.tangents > 0 { 1.0 } else { 0.0 };
            problem.push(c.tangents, [rough * c.friction, rough * c.static_friction], duty);
        }
    }

    /// Largest diagonal entry of G over the rows of a contact; tiny if the contact cannot move.
    pub fn mobility(&self, k: usize) -> f64 {
        let diagonal = self.contacts[k].rows().map(|i| self.G[(i, i)]);
        diagonal.fold(f64::MIN_POSITIVE, f64::max)
    }

    /// u = u⁻ + G p.
    pub fn velocity_after(&self, p: &DVector<f64>, u: &mut DVector<f64>) {
        u.copy_from(&self.u_pre);
        u.gemv(1.0, &self.G, p, 1.0);
    }
}
