//! All rows, on all threads.

use crate::dataset::{Claim, Store};
use crate::error::StudyError;
use crate::study::Study;
use carom_report::ReportError;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Condvar, Mutex, PoisonError};
use std::time::{Duration, Instant};

/// Time between two reports of progress.
const PAUSE: Duration = Duration::from_millis(200);

/// Keeps the whole run of a row: its number, and all changes to the scene.
pub type Keep<'a> = &'a (dyn Fn(u64, &[String]) -> Result<(), ReportError> + Sync);

/// How far a study is.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Progress {
    /// Rows that are done.
    pub done: u64,
    /// All rows of this folder.
    pub total: u64,
    /// Rows done by this process.
    pub now: u64,
    /// Rows of those that failed.
    pub failed: u64,
    /// Time since this process began.
    pub time: Duration,
}

impl Progress {
    /// Rows per second of this process.
    pub fn rate(&self) -> f64 {
        self.now as f64 / self.time.as_secs_f64().max(1e-9)
    }

    /// Time that the rest will take at this rate, if it is known.
    pub fn remaining(&self) -> Option<Duration> {
        let left = (self.total - self.done) as f64 / self.rate();
        (self.now > 0 && left < 1e12).then(|| Duration::from_secs_f64(left))
    }
}

/// The work on a study.
pub struct Work<'a> {
    /// The study.
    pub study: &'a Study,
    /// How many threads.
    pub threads: usize,
    /// Ends the work; rows that are done are kept.
    pub stop: &'a AtomicBool,
    /// What keeps whole runs, if any are to be kept.
    pub keep: Option<Keep<'a>>,
}

/// What the threads share.
struct Shared {
    store: Store,
    now: u64,
    failed: u64,
    first_failure: Option<String>,
    error: Option<StudyError>,
    working: usize,
}

impl Work<'_> {
    /// Computes all rows that are missing, unless interrupted. Tells of progress now and then; the last word is how far it
    /// got, and what the first row that failed says.
    pub fn run(
        &self,
        store: Store,
        told: &mut dyn FnMut(&Progress),
    ) -> Result<(Progress, Option<String>, bool), StudyError> {
        let start = Instant::now();
        let shared = Mutex::new(Shared {
            store,
            now: 0,
            failed: 0,
            first_failure: None,
            error: None,
            working: self.threads.max(1),
        });
        let changed = Condvar::new();
        std::thread::scope(|scope| {
            for _ in 0..self.threads.max(1) {
                let worker = || self.worker(&shared, &changed);
                // As many threads as the system gives.
                let builder = std::thread::Builder::new().name("carom-study".into());
                if builder.spawn_scoped(scope, worker).is_err() {
                    lock(&shared).working -= 1;
                }
            }
            if lock(&shared).working == 0 {
                lock(&shared).working = 1;
                self.worker(&shared, &changed);
            }
            let mut guard = lock(&shared);
            while guard.working > 0 {
                let waited = changed.wait_timeout(guard, PAUSE);
                guard = waited.unwrap_or_else(PoisonError::into_inner).0;
                told(&progress(&guard, start));
            }
        });
        let shared = shared.into_inner().unwrap_or_else(PoisonError::into_inner);
        let last = progress(&shared, start);
        let whole = shared.store.finish(self.study.plan());
        match shared.error {
            Some(error) => Err(error),
            None => Ok((last, shared.first_failure, whole?)),
        }
    }

    fn worker(&self, shared: &Mutex<Shared>, changed: &Condvar) {
        loop {
            let mut guard = lock(shared);
            let row = loop {
                if self.stop.load(Ordering::Relaxed) || guard.error.is_some() {
                    break None;
                }
                match guard.store.claim() {
                    Claim::Row(row) => break Some(row),
                    Claim::Nothing => break None,
                    Claim::Later => {
                        let waited = changed.wait_timeout(guard, PAUSE);
                        guard = waited.unwrap_or_else(PoisonError::into_inner).0;
                    }
                }
            };
            let Some(number) = row else {
                guard.working -= 1;
                changed.notify_all();
                return;
            };
            drop(guard);
            let done = self.one(number);
            let mut guard = lock(shared);
            match done {
                Ok(Some(row)) => {
                    let message = row.message.clone();
                    match guard.store.push(row, self.study.plan()) {
                        Ok(()) => guard.now += 1,
                        Err(error) => _ = guard.error.get_or_insert(error),
                    }
                    if let Some(message) = message {
                        guard.failed += 1;
                        guard.first_failure.get_or_insert(format!("row {number}: {message}"));
                    }
                    if guard.store.ended_part() {
                        changed.notify_all();
                    }
                }
                Ok(None) => {}
                Err(error) => _ = guard.error.get_or_insert(error),
            }
        }
    }

    fn one(&self, number: u64) -> Result<Option<crate::dataset::Row>, StudyError> {
        let Some(row) = self.study.run(number, self.stop) else { return Ok(None) };
        if let Some(keep) = self.keep.filter(|_| self.study.keeps(&row)) {
            keep(number, &self.study.overrides(number))?;
        }
        Ok(Some(row))
    }
}

fn lock(shared: &Mutex<Shared>) -> std::sync::MutexGuard<'_, Shared> {
    shared.lock().unwrap_or_else(PoisonError::into_inner)
}

fn progress(shared: &Shared, start: Instant) -> Progress {
    let (done, total) = shared.store.progress();
    Progress { done, total, now: shared.now, failed: shared.failed, time: start.elapsed() }
}
