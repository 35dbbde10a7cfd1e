//! How far runs have come, for the page that waits for them.
//!
//! A run that is asked for under a name has a gauge as long as it is under way. The page reads it with
//! requests of its own, because the answer to the run itself is the run.

use std::cell::Cell;
use std::collections::BTreeMap;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use serde_json::{Value, json};

/// Time between two notes of a run.
const PAUSE: Duration = Duration::from_millis(20);
/// Letters of a name, at most.
const LONGEST: usize = 64;

/// What a run is at.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Stage {
    /// Others have their turn.
    Waiting,
    /// Time goes on.
    Simulating {
        /// Time at the start, s.
        start: f64,
        /// Time that is reached, s.
        t: f64,
        /// Time at the end, s.
        end: f64,
        /// Events so far.
        events: u64,
    },
    /// The document is made.
    Drawing,
}

impl Stage {
    fn to_json(self, wall: Duration) -> Value {
        let wall = wall.as_secs_f64();
        match self {
            Self::Waiting => json!({ "stage": "waiting", "wall": wall }),
            Self::Drawing => json!({ "stage": "drawing", "wall": wall }),
            Self::Simulating { start, t, end, events } => json!({
                "stage": "simulating", "wall": wall,
                "start": start, "t": t, "end": end, "events": events,
            }),
        }
    }
}

/// Runs under way, by their names.
#[derive(Debug, Default)]
pub struct Gauges(Mutex<BTreeMap<String, (Stage, Instant)>>);

impl Gauges {
    /// A gauge under a name; without one nobody reads it.
    pub fn open(&self, name: Option<&str>) -> Gauge<'_> {
        let gauge =
            Gauge { all: self, name: name.map(String::from), next: Cell::new(Instant::now()) };
        if let Some(name) = name {
            self.lock().insert(name.into(), (Stage::Waiting, Instant::now()));
        }
        gauge
    }

    /// What the run of a name is at.
    pub fn read(&self, name: &str) -> String {
        let found = self.lock().get(name).map(|(stage, since)| stage.to_json(since.elapsed()));
        found.unwrap_or_else(|| json!({ "stage": "none" })).to_string()
    }

    /// Notes are whole whenever the lock is free, also after a panic.
    fn lock(&self) -> MutexGuard<'_, BTreeMap<String, (Stage, Instant)>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// The gauge of one run; gone when dropped.
#[derive(Debug)]
pub struct Gauge<'a> {
    all: &'a Gauges,
    name: Option<String>,
    next: Cell<Instant>,
}

impl Gauge<'_> {
    /// Notes what the run is at.
    pub fn note(&self, stage: Stage) {
        let Some(name) = &self.name else { return };
        if let Some(entry) = self.all.lock().get_mut(name) {
            entry.0 = stage;
        }
    }

    /// Notes how far the run has come, now and then.
    pub fn reach(&self, (start, t, end): (f64, f64, f64), events: u64) {
        let now = Instant::now();
        if self.name.is_some() && now >= self.next.get() {
            self.next.set(now + PAUSE);
            self.note(Stage::Simulating { start, t, end, events });
        }
    }
}

impl Drop for Gauge<'_> {
    fn drop(&mut self) {
        if let Some(name) = &self.name {
            self.all.lock().remove(name);
        }
    }
}

/// Whether a text may be the name of a run.
pub fn is_name(text: &str) -> bool {
    let plain = |b: u8| b.is_ascii_alphanumeric() || b == b'-';
    !text.is_empty() && text.len() <= LONGEST && text.bytes().all(plain)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(gauges: &Gauges, name: &str) -> Value {
        serde_json::from_str(&gauges.read(name)).unwrap()
    }

    #[test]
    fn a_gauge_lives_as_long_as_its_run() {
        let gauges = Gauges::default();
        assert_eq!(read(&gauges, "a")["stage"], "none");
        let gauge = gauges.open(Some("a"));
        assert_eq!(read(&gauges, "a")["stage"], "waiting");
        gauge.reach((1.0, 2.0, 5.0), 7);
        let seen = read(&gauges, "a");
        assert_eq!((&seen["t"], &seen["events"]), (&json!(2.0), &json!(7)));
        assert!(seen["wall"].as_f64().unwrap() >= 0.0);
        gauge.reach((1.0, 3.0, 5.0), 8);
        assert_eq!(read(&gauges, "a")["t"], 2.0, "not more often than is looked at");
        gauge.note(Stage::Drawing);
        assert_eq!(read(&gauges, "a")["stage"], "drawing");
        drop(gauge);
        assert_eq!(read(&gauges, "a")["stage"], "none");
        gauges.open(None).note(Stage::Drawing);
    }

    #[test]
    fn names() {
        assert!(is_name("run-12a"));
        for odd in ["", "a b", "../a", &"a".repeat(LONGEST + 1)] {
            assert!(!is_name(odd), "{odd}");
        }
    }
}
