//! Many starts, all distinct optima.

use super::climb::{ClimbOptions, Climbed, climb};
use super::constraints::Constraints;
use super::distinct::{same, shape};
use super::sample::{Stream, sample};
use super::settle::settle;
use crate::agility::capability::Capability;
use crate::agility::error::AgilityError;
use crate::agility::evaluator::Evaluator;
use crate::agility::stance::Stance;
use crate::dynamics::Kinematics;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

/// Draws for one start before it is given up.
const DRAWS: usize = 30;

/// How to search.
#[derive(Debug, Clone, PartialEq)]
pub struct SearchOptions {
    /// Starts; the first is the posture given.
    pub starts: usize,
    /// Seed of the others.
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
        Self { starts: 40, seed: 1, threads, fixed: Vec::new(), climb: ClimbOptions::default() }
    }
}

/// How far a search is.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct SearchProgress {
    /// Starts done.
    pub done: usize,
    /// Starts in all.
    pub starts: usize,
    /// Best capability so far, m/s².
    pub best: Option<f64>,
}

/// A local optimum.
#[derive(Debug, Clone)]
pub struct Optimum {
    /// The posture.
    pub q: Vec<f64>,
    /// Its capability.
    pub capability: Capability,
    /// Worst miss of the constraints, m or rad.
    pub miss: f64,
    /// How many starts ended here.
    pub hits: usize,
    /// The first of them; 0 is the posture given.
    pub start: usize,
    /// Whether the climb reached its end.
    pub converged: bool,
}

/// What a search found.
#[derive(Debug, Clone)]
pub struct SearchResult {
    /// Distinct optima, best first; never empty.
    pub optima: Vec<Optimum>,
    /// Capability of the posture given, once on the ground, m/s²; `None` if it has none.
    pub start: Option<f64>,
    /// Starts for which no posture was found from which to climb.
    pub failed: usize,
    /// Steps of all climbs.
    pub steps: usize,
}

/// Search from `q` and from random postures.
pub fn search(
    stance: &Stance<'_>,
    q: &[f64],
    options: &SearchOptions,
    progress: &(dyn Fn(SearchProgress) + Sync),
) -> Result<SearchResult, AgilityError> {
    let constraints =
        Constraints::new(stance, &options.fixed)?.within_half_a_turn(stance.model(), q);
    let starts = options.starts.max(1);
    let next = AtomicUsize::new(0);
    let done: Mutex<Vec<Option<Result<Climbed, AgilityError>>>> = Mutex::new(vec![None; starts]);
    let work = || {
        let mut evaluator = Evaluator::new(stance);
        loop {
            let i = next.fetch_add(1, Ordering::Relaxed);
            if i >= starts {
                return;
            }
            let result = one(&mut evaluator, &constraints, q, i, options);
            // A thread that panicked leaves the list as it was, which is still good.
            let mut list = done.lock().unwrap_or_else(|poisoned| poisoned.into_inner());
            list[i] = Some(result);
            progress(state(&list));
        }
    };
    std::thread::scope(|scope| {
        for _ in 1..options.threads.clamp(1, starts) {
            scope.spawn(work);
        }
        work();
    });
    let list = done.into_inner().unwrap_or_else(|poisoned| poisoned.into_inner());
    gather(stance, &constraints, list.into_iter().flatten().collect())
}

fn state(list: &[Option<Result<Climbed, AgilityError>>]) -> SearchProgress {
    let ends = list.iter().flatten().flatten().map(|c| c.capability.acceleration);
    SearchProgress {
        done: list.iter().flatten().count(),
        starts: list.len(),
        best: ends.max_by(f64::total_cmp),
    }
}

/// The climb of one start.
fn one(
    evaluator: &mut Evaluator<'_, '_>,
    constraints: &Constraints,
    q: &[f64],
    number: usize,
    options: &SearchOptions,
) -> Result<Climbed, AgilityError> {
    if number == 0 {
        let start = settle(evaluator, constraints, q)?;
        return climb(evaluator, constraints, &start, &options.climb);
    }
    let model = evaluator.stance().model();
    let mut stream = Stream::new(options.seed, number as u64);
    let mut result = Err(AgilityError::NoMotors);
    for _ in 0..DRAWS {
        let drawn = sample(&mut stream, model, constraints, q);
        result = settle(evaluator, constraints, &drawn)
            .and_then(|start| climb(evaluator, constraints, &start, &options.climb));
        if result.is_ok() {
            break;
        }
    }
    result
}

/// Optima that differ, best first.
fn gather(
    stance: &Stance<'_>,
    constraints: &Constraints,
    list: Vec<Result<Climbed, AgilityError>>,
) -> Result<SearchResult, AgilityError> {
    let mut kin = Kinematics::new(stance.model());
    let mut evaluator = Evaluator::new(stance);
    let start = list.first().and_then(|r| r.as_ref().ok()).map(|c| c.start);
    let tried = list.len();
    let mut fault = None;
    let mut ends: Vec<(usize, Climbed)> = Vec::new();
    let mut steps = 0;
    for (i, result) in list.into_iter().enumerate() {
        match result {
            Ok(climbed) => {
                steps += climbed.steps;
                ends.push((i, climbed));
            }
            // The fault of the posture given says most.
            Err(error) => fault = fault.or(Some(error)),
        }
    }
    let failed = tried - ends.len();
    let value = |c: &Climbed| c.capability.acceleration;
    ends.sort_by(|a, b| value(&b.1).total_cmp(&value(&a.1)).then(a.0.cmp(&b.0)));
    let mut optima: Vec<(Vec<f64>, Optimum)> = Vec::new();
    for (i, end) in ends {
        let form = shape(stance, &end.q, &mut kin);
        if let Some((_, known)) = optima.iter_mut().find(|(other, _)| same(other, &form)) {
            known.hits += 1;
            known.start = known.start.min(i);
            continue;
        }
        let miss = constraints.miss(&mut evaluator, &end.q);
        let Climbed { q, capability, converged, .. } = end;
        optima.push((form, Optimum { q, capability, miss, hits: 1, start: i, converged }));
    }
    if optima.is_empty() {
        return Err(match fault {
            Some(error @ AgilityError::Powerless { .. }) => {
                AgilityError::NoPosture { tried, reason: Box::new(error) }
            }
            Some(error) => error,
            None => AgilityError::NoMotors,
        });
    }
    let optima = optima.into_iter().map(|o| o.1).collect();
    Ok(SearchResult { optima, start, failed, steps })
}
