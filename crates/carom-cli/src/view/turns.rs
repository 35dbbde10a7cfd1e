//! How many runs go at once.

use std::sync::{Condvar, Mutex};
use std::time::Duration;

/// Time between two looks at whether a waiting run is still wanted.
const LOOK: Duration = Duration::from_millis(50);

/// So many may go at once; the others wait.
#[derive(Debug)]
pub struct Turns {
    free: Mutex<usize>,
    change: Condvar,
}

/// The right to go; given back when dropped.
#[derive(Debug)]
pub struct Turn<'a>(&'a Turns);

impl Turns {
    /// Room for so many.
    pub fn new(count: usize) -> Self {
        Self { free: Mutex::new(count), change: Condvar::new() }
    }

    /// Waits for a turn; none if `cancelled` says that it is no longer wanted.
    pub fn wait(&self, cancelled: &dyn Fn() -> bool) -> Option<Turn<'_>> {
        let mut free = self.free.lock().ok()?;
        while *free == 0 {
            if cancelled() {
                return None;
            }
            free = self.change.wait_timeout(free, LOOK).ok()?.0;
        }
        *free -= 1;
        Some(Turn(self))
    }
}

impl Drop for Turn<'_> {
    fn drop(&mut self) {
        if let Ok(mut free) = self.0.free.lock() {
            *free += 1;
            self.0.change.notify_one();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn turns_are_given_back() {
        let turns = Turns::new(1);
        let first = turns.wait(&|| true).unwrap();
        assert!(turns.wait(&|| true).is_none(), "all are taken");
        drop(first);
        assert!(turns.wait(&|| true).is_some());
    }
}
