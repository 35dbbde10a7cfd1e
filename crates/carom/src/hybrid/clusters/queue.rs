//! What is due, in the order of time; of what is due together, in the order of the assemblies.

use std::cmp::{Ordering, Reverse};
use std::collections::BinaryHeap;

/// What is due.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Due {
    /// The leg of a clock ends.
    Leg,
    /// Two assemblies meet.
    Meeting,
    /// The window of an assembly ends.
    Window,
}

/// A meeting at whichever site is nearest.
pub(crate) const ANY: usize = usize::MAX;

/// One thing that is due.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Entry {
    pub t: f64,
    pub due: Due,
    /// The assembly, or the lesser of the two that meet, and how often it had been set when this was.
    pub a: (usize, u64),
    /// The other one.
    pub b: (usize, u64),
    /// The site at which they meet, or [`ANY`].
    pub site: usize,
}

impl Entry {
    fn key(&self) -> (usize, u8, usize, u64) {
        let rank = match self.due {
            Due::Leg => 0,
            Due::Meeting => 1,
            Due::Window => 2,
        };
        (self.a.0, rank, self.b.0, self.a.1)
    }
}

impl Eq for Entry {}

impl PartialOrd for Entry {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Entry {
    fn cmp(&self, other: &Self) -> Ordering {
        self.t.total_cmp(&other.t).then_with(|| self.key().cmp(&other.key()))
    }
}

/// All that is due.
#[derive(Debug, Default)]
pub(crate) struct Queue(BinaryHeap<Reverse<Entry>>);

impl Queue {
    pub fn push(&mut self, entry: Entry) {
        self.0.push(Reverse(entry));
    }

    /// What comes first.
    pub fn pop(&mut self) -> Option<Entry> {
        self.0.pop().map(|Reverse(entry)| entry)
    }
}
