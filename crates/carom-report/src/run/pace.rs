//! When the next checkpoint is due.

use std::time::{Duration, Instant};

/// Time between checkpoints, if nothing else is asked for.
const INTERVAL: Duration = Duration::from_secs(1);
/// Checkpoints take at most about one part in so many of the time of a run,
const SHARE: u32 = 20;
/// unless they would then be further apart than this.
const LONGEST: Duration = Duration::from_secs(60);

/// A clock for checkpoints. On a slow disk they become rarer, so that the run does not wait for it.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Pace {
    start: Instant,
    interval: Duration,
    due: Instant,
    began: Instant,
}

impl Default for Pace {
    fn default() -> Self {
        Self::new(INTERVAL)
    }
}

impl Pace {
    /// A clock that starts now.
    pub fn new(interval: Duration) -> Self {
        let start = Instant::now();
        Self { start, interval, due: start + interval, began: start }
    }

    /// Another interval from now on.
    pub fn set(&mut self, interval: Duration) {
        self.interval = interval;
        self.due = Instant::now() + interval;
    }

    /// Whether it is time; the checkpoint then begins.
    pub fn is_due(&mut self) -> bool {
        self.began = Instant::now();
        self.began >= self.due
    }

    /// The checkpoint is done.
    pub fn done(&mut self) {
        let now = Instant::now();
        self.due = now + self.interval.max(((now - self.began) * SHARE).min(LONGEST));
        if self.interval.is_zero() {
            self.due = now;
        }
    }

    /// Time since the run began.
    pub fn since_start(&self) -> Duration {
        self.start.elapsed()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn it_waits_for_the_interval() {
        let mut never = Pace::new(Duration::from_secs(3600));
        assert!(!never.is_due());
        let mut always = Pace::new(Duration::ZERO);
        for _ in 0..3 {
            assert!(always.is_due());
            always.done();
        }
        let mut pace = Pace::new(Duration::from_millis(20));
        std::thread::sleep(Duration::from_millis(30));
        assert!(pace.is_due());
        pace.done();
        assert!(!pace.is_due());
    }
}
