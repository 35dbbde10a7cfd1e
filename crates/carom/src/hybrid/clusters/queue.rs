//! What is due, in the order of time; of what is due together, in the order of the assemblies.
//!
//! A heap of all that is due is read all over at each event, and most of what is due never happens, because something else
//! happens before. Only what is due soon is therefore put in order, and the rest in buckets of time,
//! ```text
//! bucket = floor((t − t₀) rate),   rate = buckets per second so that each has about BUCKET entries       (1)
//! ```
//! (1) never falls with t, so that all of a later bucket is due later: the order does not depend on t₀ and the rate. What has
//! become void by the time its bucket comes is dropped.

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

/// Entries of a bucket when they are spread.
const BUCKET: usize = 16;
/// So many are in order without buckets.
const FEW: usize = 256;

/// All that is due.
#[derive(Debug)]
pub(crate) struct Queue {
    /// What is in the buckets before `next`.
    soon: BinaryHeap<Reverse<Entry>>,
    buckets: Vec<Vec<Entry>>,
    next: usize,
    /// What is due after the last bucket.
    later: Vec<Entry>,
    /// t₀, s, and rate, 1/s, of (1).
    origin: f64,
    rate: f64,
    /// So many in order are too many.
    most: usize,
}

impl Default for Queue {
    fn default() -> Self {
        let (soon, buckets, later) = Default::default();
        Self { soon, buckets, next: 1, later, origin: 0.0, rate: 0.0, most: 2 * FEW }
    }
}

impl Queue {
    pub fn push(&mut self, entry: Entry) {
        let bucket = self.bucket(entry.t);
        if bucket >= self.next {
            self.buckets.get_mut(bucket).unwrap_or(&mut self.later).push(entry);
            return;
        }
        self.soon.push(Reverse(entry));
        if self.soon.len() > self.most {
            self.spread();
        }
    }

    /// What comes first; most of what is void is dropped, but not all.
    pub fn pop(&mut self, valid: impl Fn(&Entry) -> bool) -> Option<Entry> {
        loop {
            if let Some(Reverse(entry)) = self.soon.pop() {
                return Some(entry);
            }
            if let Some(bucket) = self.buckets.get_mut(self.next) {
                self.next += 1;
                self.soon.extend(bucket.drain(..).filter(&valid).map(Reverse));
                continue;
            }
            self.later.retain(&valid);
            if self.later.is_empty() {
                return None;
            }
            self.spread();
        }
    }

    /// (1); a rate of zero makes one bucket of all.
    fn bucket(&self, t: f64) -> usize {
        ((t - self.origin) * self.rate) as usize
    }

    /// Put all that is due into buckets anew.
    fn spread(&mut self) {
        self.later.extend(self.soon.drain().map(|Reverse(entry)| entry));
        for bucket in &mut self.buckets {
            self.later.append(bucket);
        }
        let count = self.later.len();
        self.most = 2 * count.max(FEW);
        (self.next, self.rate) = (1, 0.0);
        if count > FEW {
            let time = |entry: &Entry| entry.t;
            self.origin = self.later.iter().map(time).fold(f64::INFINITY, f64::min);
            let by_time = |a: &Entry, b: &Entry| a.t.total_cmp(&b.t);
            let (_, half, _) = self.later.select_nth_unstable_by(count / 2, by_time);
            let rate = (count / (2 * BUCKET)) as f64 / (half.t - self.origin);
            if rate.is_finite() {
                (self.next, self.rate) = (0, rate);
                self.buckets.resize_with(count / BUCKET, Vec::new);
            }
        }
        for entry in std::mem::take(&mut self.later) {
            match self.bucket(entry.t) {
                bucket if bucket < self.next => self.soon.push(Reverse(entry)),
                bucket => self.buckets.get_mut(bucket).unwrap_or(&mut self.later).push(entry),
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use carom_testing::splitmix64;

    fn entry(t: f64, assembly: usize) -> Entry {
        let tag = Tag::new(assembly, 0);
        Entry { t, due: Due::Leg, a: tag, b: tag, site: 0 }
    }

    /// Entries that come and go are told in the order of (t, assembly), also where times are equal, far apart, or before all
    /// others; what is void may be left out.
    #[test]
    fn eq1_buckets_keep_the_order() {
        let mut seed = 3;
        for scale in [0.0, 1.0, 30.0] {
            let (mut queue, mut plain) = (Queue::default(), Vec::new());
            let mut now = 0.0;
            for assembly in 0..4_000 {
                let random = (splitmix64(&mut seed) >> 11) as f64 / (1_u64 << 53) as f64;
                let t = now + (scale * random).exp().floor();
                queue.push(entry(t, assembly));
                plain.push((t, assembly));
                if assembly % 5 == 4 {
                    let next = plain.iter().copied().reduce(|a, b| if b < a { b } else { a });
                    plain.retain(|other| Some(*other) != next);
                    let told = queue.pop(|_| true).map(|e| (e.t, e.a.assembly()));
                    assert_eq!(told, next);
                    now = next.map_or(now, |(t, _)| t);
                }
                if plain.len() > 1_000 {
                    let kept: Vec<_> = plain.drain(..).filter(|(_, a)| a % 3 == 0).collect();
                    let mut again = Queue::default();
                    while let Some(e) = queue.pop(|e| e.a.assembly() % 3 == 0) {
                        if e.a.assembly() % 3 == 0 {
                            again.push(e);
                        }
                    }
                    (queue, plain) = (again, kept);
                }
            }
        }
    }
}
