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
pub(crate) const ANY: u32 = u32::MAX;

/// An assembly, and how often what is due of it had been set when it was.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Tag {
    assembly: u32,
    stamp: u32,
}

impl Tag {
    pub fn new(assembly: usize, stamp: u32) -> Self {
        Self { assembly: assembly as u32, stamp }
    }

    pub fn assembly(&self) -> usize {
        self.assembly as usize
    }

    pub fn stamp(&self) -> u32 {
        self.stamp
    }
}

/// One thing that is due. There are many of them: their size is the cost of a queue that does not fit the cache.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Entry {
    pub t: f64,
    pub due: Due,
    /// The assembly, or the lesser of the two that meet.
    pub a: Tag,
    /// The other one.
    pub b: Tag,
    /// The site at which they meet, or [`ANY`].
    pub site: u32,
}

impl Entry {
    fn key(&self) -> (u32, u8, u32, u32) {
        let rank = match self.due {
            Due::Leg => 0,
            Due::Meeting => 1,
            Due::Window => 2,
        };
        (self.a.assembly, rank, self.b.assembly, self.a.stamp)
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
