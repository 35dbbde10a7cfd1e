//! Contacts that do not feel each other are problems of their own.
//!
//! Two contacts are of one block if G couples them, directly or through others:
//! ```text
//! |Gᵢⱼ| > ε √(Gᵢᵢ Gⱼⱼ) for some rows i, j of the two                          (1)
//! ```
//! with ε the round-off of the entries; weaker coupling is none. Contacts whose forces are known are of none.
//!
//! # Tests
//! `tests/coulomb.rs`: `eq1_blocks_are_solved_apart`.

use super::problem::Problem;
use crate::numeric::thresholds::COUPLING;

/// Blocks of a problem, as lists of contacts in order.
#[derive(Debug, Clone, Default)]
pub struct Blocks {
    label: Vec<usize>,
    /// Contacts, block after block.
    members: Vec<usize>,
    /// Where each block ends in `members`.
    ends: Vec<usize>,
}

impl Blocks {
    /// Find the blocks of a problem; contacts that take no part are in none.
    pub fn find(&mut self, problem: &Problem) {
        let n = problem.contacts.len();
        self.label.clear();
        self.label.extend(0..n);
        let open = |k: &usize| problem.known(*k).is_none();
        for a in problem.active().filter(open) {
            for b in problem.active().take_while(|&b| b < a).filter(open) {
                if self.root(a) != self.root(b) && coupled(problem, a, b) {
                    let (ra, rb) = (self.root(a), self.root(b));
                    self.label[ra.max(rb)] = ra.min(rb);
                }
            }
        }
        self.members.clear();
        self.ends.clear();
        for first in 0..n {
            let takes_part = |k: usize| problem.contacts[k].active() && problem.known(k).is_none();
            if self.root(first) != first || !takes_part(first) {
                continue;
            }
            for k in first..n {
                if takes_part(k) && self.root(k) == first {
                    self.members.push(k);
                }
            }
            self.ends.push(self.members.len());
        }
    }

    /// Number of blocks.
    pub fn len(&self) -> usize {
        self.ends.len()
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.ends.is_empty()
    }

    /// Contacts of block i.
    pub fn block(&self, i: usize) -> &[usize] {
        let start = if i == 0 { 0 } else { self.ends[i - 1] };
        &self.members[start..self.ends[i]]
    }

    fn root(&self, mut k: usize) -> usize {
        while self.label[k] != k {
            k = self.label[k];
        }
        k
    }
}

/// Equation (1).
fn coupled(problem: &Problem, a: usize, b: usize) -> bool {
    let G = &problem.G;
    if problem.contacts[a].leader.is_some_and(|(leader, _)| leader == b) {
        return true;
    }
    problem.contacts[a].rows().any(|i| {
        problem.contacts[b]
            .rows()
            .any(|j| G[(i, j)].powi(2) > COUPLING * COUPLING * G[(i, i)] * G[(j, j)])
    })
}
