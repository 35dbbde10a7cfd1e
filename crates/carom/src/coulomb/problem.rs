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
    /// The place of the contact whose normal force bounds its friction, and the row of that, (6); none: its own.
    pub leader: Option<(usize, usize)>,
    /// What is asked of it.
    pub duty: Duty,
}

impl Contact {
    /// Row of the normal.
    pub fn normal(&self) -> usize {
        self.leader.map_or(self.first + self.tangents, |(_, row)| row)
    }

    /// Rows of the tangents.
    pub fn tangent_rows(&self) -> std::ops::Range<usize> {
        self.first..self.first + self.tangents
    }

    /// All its rows.
    pub fn rows(&self) -> std::ops::Range<usize> {
        self.first..self.first + self.tangents + usize::from(self.leader.is_none())
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

    /// Room for so many rows; no contacts, b is zero. G is to be filled.
    pub fn resize(&mut self, rows: usize) {
        if self.G.nrows() != rows {
            reshape(&mut self.G, rows, rows);
        }
        reshape_vector(&mut self.b, rows);
        self.contacts.clear();
    }

    /// Append a contact after the last one, without preload; friction is μd and μs.
    pub fn push(&mut self, tangents: usize, [friction, static_friction]: [f64; 2], duty: Duty) {
        let first = self.contacts.last().map_or(0, |c| c.rows().end);
        self.contacts.push(Contact {
            first,
            tangents,
            friction,
            static_friction,
            preload: 0.0,
            driven: false,
            leader: None,
            duty,
        });
    }

    /// Append friction that follows the normal force of an earlier contact, (6).
    pub fn push_follower(&mut self, leader: usize, tangents: usize, friction: [f64; 2]) {
        self.push(tangents, friction, Duty::Coulomb);
        let row = self.contacts[leader].normal();
        if let Some(c) = self.contacts.last_mut() {
            c.leader = Some((leader, row));
        }
    }

    /// The contacts that follow contact k.
    pub fn followers(&self, k: usize) -> impl Iterator<Item = usize> + Clone + '_ {
        let follows = move |c: &Contact| c.leader.is_some_and(|(leader, _)| leader == k);
        let first = if self.has_followers() { k + 1 } else { self.contacts.len() };
        let later = self.contacts.iter().enumerate().skip(first);
        later.filter(move |(_, c)| follows(c)).map(|(at, _)| at)
    }

    /// The direction in which contact k slides, if that and what presses it are given, so that its forces are known.
    pub fn known(&self, k: usize) -> Option<[f64; 2]> {
        let c = &self.contacts[k];
        let Duty::Sliding(d) = c.duty else { return None };
        (c.driven && c.leader.is_none() && self.followers(k).next().is_none()).then_some(d)
    }

    /// Whether there are followers at all; they come last.
    pub fn has_followers(&self) -> bool {
        self.contacts.last().is_some_and(|c| c.leader.is_some())
    }

    /// Whether nothing presses contact k in these modes: its own normal is released, or that of its leader.
    pub fn slack(&self, k: usize, modes: &[Mode]) -> bool {
        let at = self.contacts[k].leader.map_or(k, |(leader, _)| leader);
        let c = &self.contacts[at];
        c.duty != Duty::Held && !modes[at].held && c.preload == 0.0
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
            let c = &other.contacts[k];
            let leader = c.leader.and_then(|(leader, _)| {
                let at = which.iter().position(|&w| w == leader)?;
                Some((at, self.contacts[at].normal()))
            });
            self.contacts.push(Contact { first, leader, ..*c });
            first += c.rows().len();
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
        if c.leader.is_some() {
            return 1.0;
        }
        let along = |c: &Contact, d: [f64; 2]| -> f64 {
            c.tangent_rows().zip(d).map(|(t, d)| self.G[(n, t)] * d).sum()
        };
        let mut pull = c.friction * along(c, d);
        for f in self.followers(k).map(|f| &self.contacts[f]) {
            if let Duty::Sliding(d) = f.duty {
                pull += f.friction * along(f, d);
            }
        }
        1.0 - pull / self.G[(n, n)].max(f64::MIN_POSITIVE)
    }
}
