//! Progress of a run on a terminal; nothing in a pipe.

use std::io::{IsTerminal, Write};
use std::time::{Duration, Instant};

/// Time between two updates: at most ten per second.
const PAUSE: Duration = Duration::from_millis(100);
/// Cells of the bar.
const CELLS: usize = 30;

/// A line that is redrawn in place.
pub struct Progress {
    shown: bool,
    drawn: bool,
    next: Instant,
    start: f64,
    end: f64,
}

impl Progress {
    /// Progress from `start` to `end`; shown if `wanted` and stderr is a terminal.
    pub fn new(start: f64, end: f64, wanted: bool) -> Self {
        let shown = wanted && std::io::stderr().is_terminal();
        Self { shown, drawn: false, next: Instant::now() + PAUSE, start, end }
    }

    /// The run has reached time `t`.
    pub fn update(&mut self, t: f64, events: u64) {
        if !self.shown || Instant::now() < self.next {
            return;
        }
        self.next = Instant::now() + PAUSE;
        self.drawn = true;
        let line = line((t - self.start) / (self.end - self.start), t, self.end, events);
        let _ = write!(std::io::stderr(), "\r\x1b[2K{line}");
    }

    /// Removes the line.
    pub fn clear(&mut self) {
        if self.drawn {
            let _ = write!(std::io::stderr(), "\r\x1b[2K");
            self.drawn = false;
        }
    }
}

fn line(fraction: f64, t: f64, end: f64, events: u64) -> String {
    let full = (fraction.clamp(0.0, 1.0) * CELLS as f64) as usize;
    let bar = "#".repeat(full) + &".".repeat(CELLS - full);
    format!("[{bar}] t = {t:.4} of {end} s, {events} events")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_bar_fills() {
        assert_eq!(
            line(0.0, 0.0, 2.0, 0),
            format!("[{}] t = 0.0000 of 2 s, 0 events", ".".repeat(30))
        );
        assert_eq!(
            line(1.0, 2.0, 2.0, 7),
            format!("[{}] t = 2.0000 of 2 s, 7 events", "#".repeat(30))
        );
        assert!(line(f64::NAN, 0.0, 0.0, 0).starts_with("[...."));
    }
}
