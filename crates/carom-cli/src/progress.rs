//! Progress of a run on a terminal; nothing in a pipe.

use carom_report::significant;
use std::io::{IsTerminal, Write};
use std::sync::Mutex;
use std::time::{Duration, Instant};

/// Time between two updates: at most ten per second.
const PAUSE: Duration = Duration::from_millis(100);
/// Most cells of a bar.
const CELLS: usize = 30;
/// Columns of a terminal that does not tell.
const COLUMNS: usize = 80;

/// Columns of the terminal behind stderr.
pub fn columns() -> usize {
    terminal_size::terminal_size_of(std::io::stderr()).map_or(COLUMNS, |(w, _)| usize::from(w.0))
}

/// A bar and a text in one row of so many columns: the bar gives way first, then the end of the text.
pub fn row(fraction: f64, text: &str, columns: usize) -> String {
    let room = columns.saturating_sub(1);
    let words: String = text.chars().take(room).collect();
    let cells = room.saturating_sub(words.chars().count() + 3).min(CELLS);
    if cells < 4 {
        return words;
    }
    let full = (fraction.clamp(0.0, 1.0) * cells as f64) as usize;
    format!("[{}{}] {words}", "#".repeat(full), ".".repeat(cells - full))
}

/// A line that is redrawn in place.
pub struct Progress {
    shown: bool,
    drawn: bool,
    began: Instant,
    next: Instant,
    start: f64,
    end: f64,
}

impl Progress {
    /// Progress from `start` to `end`; shown if `wanted` and stderr is a terminal.
    pub fn new(start: f64, end: f64, wanted: bool) -> Self {
        let shown = wanted && std::io::stderr().is_terminal();
        let began = Instant::now();
        Self { shown, drawn: false, began, next: began + PAUSE, start, end }
    }

    /// The run has reached time `t`.
    pub fn update(&mut self, t: f64, events: u64) {
        if !self.shown || Instant::now() < self.next {
            return;
        }
        self.next = Instant::now() + PAUSE;
        self.drawn = true;
        let fraction = (t - self.start) / (self.end - self.start);
        let line = row(fraction, &text(t, self.end, events, self.began.elapsed()), columns());
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

/// Parts of a work that are done, by any thread: a line that is redrawn in place.
pub struct Counter {
    shown: bool,
    began: Instant,
    next: Mutex<Instant>,
}

impl Counter {
    /// Shown if `wanted` and stderr is a terminal.
    pub fn new(wanted: bool) -> Self {
        let shown = wanted && std::io::stderr().is_terminal();
        let began = Instant::now();
        Self { shown, began, next: Mutex::new(began) }
    }

    /// `done` of `total`, and a remark.
    pub fn update(&self, done: usize, total: usize, remark: &str) {
        let Ok(mut next) = self.next.lock() else { return };
        if !self.shown || (Instant::now() < *next && done < total) {
            return;
        }
        *next = Instant::now() + PAUSE;
        let text = format!("{done} of {total}{remark}, {}", clock(self.began.elapsed()));
        let line = row(done as f64 / total as f64, &text, columns());
        let _ = write!(std::io::stderr(), "\r\x1b[2K{line}");
    }

    /// Removes the line.
    pub fn clear(&self) {
        if self.shown {
            let _ = write!(std::io::stderr(), "\r\x1b[2K");
        }
    }
}

fn text(t: f64, end: f64, events: u64, wall: Duration) -> String {
    let noun = if events == 1 { "event" } else { "events" };
    format!("t = {t:.4} of {} s, {events} {noun}, {}", significant(end), clock(wall))
}

/// Time on the wall, as short as it can be read.
pub fn clock(wall: Duration) -> String {
    match wall.as_secs() {
        s @ 0..60 => format!("{s} s"),
        s @ 60..3600 => format!("{} min {} s", s / 60, s % 60),
        s => format!("{} h {} min", s / 3600, s % 3600 / 60),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_bar_fills() {
        let words = text(0.0, 2.0, 0, Duration::from_secs(3));
        assert_eq!(words, "t = 0.0000 of 2 s, 0 events, 3 s");
        assert_eq!(row(0.0, &words, 80), format!("[{}] {words}", ".".repeat(30)));
        assert_eq!(row(1.0, &words, 80), format!("[{}] {words}", "#".repeat(30)));
        assert!(row(f64::NAN, "", 80).starts_with("[...."));
    }

    #[test]
    fn clocks() {
        let told = [0, 59, 60, 3599, 7260].map(|s| clock(Duration::from_secs(s)));
        assert_eq!(told, ["0 s", "59 s", "1 min 0 s", "59 min 59 s", "2 h 1 min"]);
    }

    #[test]
    fn a_row_fits_its_terminal() {
        let words = text(12.5, 100.0, 12345, Duration::ZERO);
        for columns in [1, 10, 20, 40, 41, 60, 80, 200] {
            let row = row(0.3, &words, columns);
            assert!(row.chars().count() < columns.max(1) + usize::from(columns == 0), "{columns}");
        }
        assert!(row(0.5, &words, 49).starts_with("[##"));
        assert!(!row(0.5, &words, 45).starts_with('['));
    }
}
