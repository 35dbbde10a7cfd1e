//! Many starts, all distinct optima.

use super::climb::{ClimbOptions, Climbed, climb};
use super::constraints::Constraints;
use super::ends::{Ends, best_first, gather};
use super::hop::hop;
use super::mirror::mirror_images;
use super::sample::{Stream, sample};
use super::settle::settle;
use crate::capability::evaluator::Evaluator;
use crate::capability::stance::Stance;
use crate::error::AgilityError;
use crate::threads;
use rayon::prelude::*;
use std::ops::Range;
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, Ordering};

pub use super::ends::{Optimum, SearchResult};

/// Draws for one start before it is given up.
const DRAWS: usize = 30;
/// Hops between two looks at what is known; a fixed number, so that threads do not matter.
const ROUND: usize = 8;
/// How many of the best are looked at in the mirror.
const IMAGES: usize = 2;

/// How to search.
#[derive(Debug, Clone, PartialEq)]
pub struct SearchOptions {
    /// Starts; the first is the posture given.
    pub starts: usize,
    /// Further starts from postures made of limbs of the optima found so far; with any, the best are
    /// also looked at in the mirror.
    pub hops: usize,
    /// Seed of the random postures.
    pub seed: u64,
    /// Threads; the result does not depend on them.
    pub threads: usize,
    /// Degrees of freedom (places in v) that keep their values.
    pub fixed: Vec<usize>,
    /// Each climb.
    pub climb: ClimbOptions,
}

impl Default for SearchOptions {
    fn default() -> Self {
        let threads = std::thread::available_parallelism().map_or(1, usize::from);
        let climb = ClimbOptions::default();
        Self { starts: 24, hops: 136, seed: 1, threads, fixed: Vec::new(), climb }
    }
}

/// How far a search is.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct SearchProgress {
    /// Starts and hops done.
    pub done: usize,
    /// Starts and hops in all.
    pub starts: usize,
    /// Best capability so far, m/s².
    pub best: Option<f64>,
}

/// Search from `q`, from random postures, and from postures made of what they led to.
pub fn search(
    stance: &Stance<'_>,
    q: &[f64],
    options: &SearchOptions,
    progress: &(dyn Fn(SearchProgress) + Sync),
) -> Result<SearchResult, AgilityError> {
    search_until(stance, q, options, progress, &AtomicBool::new(false))
}

/// The same until `stop` is set; then what was found so far, at least the climb from `q`.
pub fn search_until(
    stance: &Stance<'_>,
    q: &[f64],
    options: &SearchOptions,
    progress: &(dyn Fn(SearchProgress) + Sync),
    stop: &AtomicBool,
) -> Result<SearchResult, AgilityError> {
    let constraints =
        Constraints::new(stance, &options.fixed)?.within_half_a_turn(stance.model(), q);
    let ends = Mutex::new(Ends::new());
    let search = Search { stance, constraints: &constraints, options, progress, stop, ends };
    threads::on(options.threads, || search.all(q))?;
    let list = search.ends.into_inner().unwrap_or_else(|poisoned| poisoned.into_inner());
    gather(stance, &constraints, list, q)
}

/// What starts are made of.
enum Source {
    /// This posture, then random ones.
    Anywhere(Vec<f64>),
    /// Limbs of these, best first.
    Known(Vec<Vec<f64>>),
    /// These themselves.
    Images(Vec<Vec<f64>>),
}

/// A search under way.
struct Search<'a, 'm> {
    stance: &'a Stance<'m>,
    constraints: &'a Constraints,
    options: &'a SearchOptions,
    progress: &'a (dyn Fn(SearchProgress) + Sync),
    stop: &'a AtomicBool,
    ends: Mutex<Ends>,
}

impl Search<'_, '_> {
    fn ends(&self) -> std::sync::MutexGuard<'_, Ends> {
        // A thread that panicked leaves the list as it was, which is still good.
        self.ends.lock().unwrap_or_else(|poisoned| poisoned.into_inner())
    }

    fn known(&self) -> Vec<Vec<f64>> {
        best_first(self.stance, &self.ends())
    }

    /// Starts, then hops in rounds, with a look in the mirror before each.
    fn all(&self, q: &[f64]) {
        let starts = self.options.starts.max(1);
        let all = starts + self.options.hops;
        self.run(0..starts, &Source::Anywhere(q.to_vec()));
        let mut mirrored: Vec<Vec<f64>> = Vec::new();
        let mut first = starts;
        while first < all && !self.known().is_empty() {
            self.look_in_the_mirror(&mut mirrored);
            let last = (first + ROUND).min(all);
            self.run(first..last, &Source::Known(self.known()));
            first = last;
        }
        if self.options.hops > 0 {
            self.look_in_the_mirror(&mut mirrored);
        }
    }

    /// Climb from the mirror images of the best, once for each.
    fn look_in_the_mirror(&self, mirrored: &mut Vec<Vec<f64>>) {
        for q in self.known().into_iter().take(IMAGES) {
            if self.stop.load(Ordering::Relaxed) || mirrored.contains(&q) {
                continue;
            }
            let images = mirror_images(self.stance, &q);
            mirrored.push(q);
            self.run(0..images.len(), &Source::Images(images));
        }
    }

    /// Climb from starts with the given numbers on all threads.
    fn run(&self, range: Range<usize>, source: &Source) {
        let before = self.ends().len();
        self.ends().resize_with(before + range.len(), || None);
        let planned = self.options.starts.max(1) + self.options.hops;
        let one = |evaluator: &mut Evaluator<'_, '_>, i: usize| {
            // The very first climb is made in any case.
            if before + i > 0 && self.stop.load(Ordering::Relaxed) {
                return;
            }
            let result = self.one(evaluator, source, (range.start + i, i));
            let mut list = self.ends();
            list[before + i] = Some(result);
            (self.progress)(state(&list, planned));
        };
        let starts = (0..range.len()).into_par_iter();
        starts.for_each_init(|| Evaluator::new(self.stance), one);
    }

    /// The climb of start `number`, at `place` in its range.
    fn one(
        &self,
        evaluator: &mut Evaluator<'_, '_>,
        source: &Source,
        (number, place): (usize, usize),
    ) -> Result<Climbed, AgilityError> {
        let up = |evaluator: &mut Evaluator<'_, '_>, q: &[f64]| {
            let start = settle(evaluator, self.constraints, q)?;
            climb(evaluator, self.constraints, &start, &self.options.climb)
        };
        match source {
            Source::Anywhere(q) if number == 0 => return up(evaluator, q),
            Source::Images(images) => return up(evaluator, &images[place]),
            Source::Anywhere(_) | Source::Known(_) => {}
        }
        let model = evaluator.stance().model();
        let mut stream = Stream::new(self.options.seed, number as u64);
        let mut result = Err(AgilityError::NoMotors);
        for _ in 0..DRAWS {
            let drawn = match source {
                Source::Anywhere(q) => sample(&mut stream, model, self.constraints, q),
                Source::Known(known) | Source::Images(known) => {
                    hop(&mut stream, model, self.constraints, known)
                }
            };
            result = up(evaluator, &drawn);
            if result.is_ok() {
                break;
            }
        }
        result
    }
}

fn state(list: &Ends, planned: usize) -> SearchProgress {
    let ends = list.iter().flatten().flatten().map(|c| c.capability.acceleration);
    let done = list.iter().flatten().count();
    SearchProgress {
        done,
        // Mirror images join as they are found.
        starts: planned.max(done),
        best: ends.max_by(f64::total_cmp),
    }
}
