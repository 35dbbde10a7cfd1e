//! Progress of parallel work on a terminal; nothing in a pipe.

use crate::progress;
use std::io::{IsTerminal, Write};
use std::sync::Mutex;
use std::time::{Duration, Instant};

/// Time between two updates.
const PAUSE: Duration = Duration::from_millis(100);

/// A line that is redrawn in place by any thread.
pub struct Counter {
    shown: bool,
    next: Mutex<Instant>,
}

impl Counter {
    /// Shown if `wanted` and stderr is a terminal.
    pub fn new(wanted: bool) -> Self {
        let shown = wanted && std::io::stderr().is_terminal();
        Self { shown, next: Mutex::new(Instant::now()) }
    }

    /// `done` of `total`, and a remark.
    pub fn update(&self, done: usize, total: usize, remark: &str) {
        let Ok(mut next) = self.next.lock() else { return };
        if !self.shown || (Instant::now() < *next && done < total) {
            return;
        }
        *next = Instant::now() + PAUSE;
        let text = format!("{done} of {total}{remark}");
        let line = progress::row(done as f64 / total as f64, &text, progress::columns());
        let _ = write!(std::io::stderr(), "\r\x1b[2K{line}");
    }

    /// Removes the line.
    pub fn clear(&self) {
        if self.shown {
            let _ = write!(std::io::stderr(), "\r\x1b[2K");
        }
    }
}
