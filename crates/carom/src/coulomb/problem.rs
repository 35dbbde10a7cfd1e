//! G, b and the contacts that (1)–(5) of the parent speak of.

use super::mode::{Mode, Tangent};
use crate::numeric::{reshape, reshape_vector};
use nalgebra::{DMatrix, DVector};

/// What is asked of a contact.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Duty {
    /// Takes no part: x = 0.
    Apart,
    /// Bilateral, (5).
    Held,
    /// (2) and (3).
    Coulomb,
    /// (2) and (4), along this unit direction.
    Sliding([f64; 2]),
}

/// One contact: where its rows are, and its coefficients.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Contact {
    /// First row; tangents come before the normal.
    pub first: usize,
    /// Number of tangents, 0 to 2.
    pub tangents: usize,
    /// μd.
    pub friction: f64,
    /// μs.
    pub static_friction: f64,
    /// a.
    pub preload: f64,
    /// Whether xₙ = a whatever wₙ is, in place of (2).
    pub driven: bool,
    /// What is asked of it.
    pub duty: Duty,
}

impl Contact {
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

    /// Whether it takes part.
    pub fn active(&self) -> bool {
        self.duty != Duty::Apart
    }

    /// The mode of a closed contact with these tangents; the normal of a driven one is given.
    pub fn closed(&self, tangent: Tangent) -> Mode {
        Mode { held: !self.driven, tangent }
    }

    /// Whether friction acts at it.
    pub fn rough(&self) -> bool {
        self.tangents > 0 && self.static_friction > 0.0
    }
}

/// The problem; sized once, reused.
#[derive(Debug, Clone)]
pub struct Problem {
    /// G, symmetric, positive semidefinite.
    pub G: DMatrix<f64>,
    /// b.
    pub b: DVector<f64>,
    /// Contacts in row order.
    pub contacts: Vec<Contact>,
}

impl Default for Problem {
    fn default() -> Self {
        Self { G: DMatrix::zeros(0, 0), b: DVector::zeros(0), contacts: Vec::new() }
    }
}

impl Problem {
    /// Number of rows.
    pub fn rows(&self) -> usize {
        self.b.len()
    }

    /// Room for so many rows, all zero; no contacts.
    pub fn resize(&mut self, rows: usize) {
        reshape(&mut self.G, rows, rows);
        reshape_vector(&mut self.b, rows);
        self.contacts.clear();
    }

    /// Append a contact after the last one, without preload; friction is μd and μs.
    pub fn push(&mut self, tangents: usize, [friction, static_friction]: [f64; 2], duty: Duty) {
        let first = self.contacts.last().map_or(0, |c| c.normal() + 1);
        self.contacts.push(Contact {
            first,
            tangents,
            friction,
            static_friction,
            preload: 0.0,
            driven: false,
            duty,
        });
    }

    /// Take over another problem without giving back memory.
    pub fn copy_from(&mut self, other: &Self) {
        self.resize(other.rows());
        self.G.copy_from(&other.G);
        self.b.copy_from(&other.b);
        self.contacts.extend_from_slice(&other.contacts);
    }

    /// The part of another problem that some of its contacts make; `which` are their places.
    pub fn restrict(&mut self, other: &Self, which: &[usize]) {
        self.resize(which.iter().map(|&k| other.contacts[k].rows().len()).sum());
        let mut first = 0;
        for &k in which {
            self.contacts.push(Contact { first, ..other.contacts[k] });
            first += other.contacts[k].rows().len();
        }
        for (a, &ka) in self.contacts.iter().zip(which) {
            let from = other.contacts[ka].rows();
            for (i, row) in a.rows().zip(from) {
                self.b[i] = other.b[row];
                for (b, &kb) in self.contacts.iter().zip(which) {
                    for (j, column) in b.rows().zip(other.contacts[kb].rows()) {
                        self.G[(i, j)] = other.G[(row, column)];
                    }
                }
            }
        }
    }

    /// Places of the contacts that take part.
    pub fn active(&self) -> impl Iterator<Item = usize> + '_ {
        self.contacts.iter().enumerate().filter(|(_, c)| c.active()).map(|(k, _)| k)
    }

    /// Largest diagonal entry of G over the rows of a contact; tiny if it cannot move.
    pub fn mobility(&self, k: usize) -> f64 {
        self.contacts[k].rows().map(|i| self.G[(i, i)]).fold(f64::MIN_POSITIVE, f64::max)
    }

    /// A = Gₙₙ − μd Gₙₜ û of a sliding contact relative to Gₙₙ; one for all others and for driven ones.
    pub fn stability(&self, k: usize) -> f64 {
        let c = &self.contacts[k];
        let (Duty::Sliding(d), n, false) = (c.duty, c.normal(), c.driven) else { return 1.0 };
        let pull: f64 = c.tangent_rows().zip(d).map(|(t, d)| self.G[(n, t)] * d).sum();
        1.0 - c.friction * pull / self.G[(n, n)].max(f64::MIN_POSITIVE)
    }
}
