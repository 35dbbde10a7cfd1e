//! What became of an input: for the exit code and for the eye.

use super::fault::Fault;
use crate::exit;

/// Counts and the first faults.
#[derive(Default)]
pub struct Summary {
    /// Lines read.
    pub lines: usize,
    /// Problems among them.
    pub problems: usize,
    /// Problems that failed.
    pub failures: usize,
    /// The first faults, with their line from 1.
    pub faults: Vec<(usize, Fault)>,
}

impl Summary {
    /// Reports the faults on stderr.
    pub fn report(&self) {
        let single = self.problems == 1;
        for (line, fault) in &self.faults {
            let place = if single { String::new() } else { format!("line {line}: ") };
            exit::fail(&format!("{place}{fault}"), fault.hint());
        }
        if self.failures > self.faults.len() {
            exit::say(format_args!("error: … and {} more", self.failures - self.faults.len()));
        }
        if self.failures > 0 && !single {
            exit::say(format_args!(
                "error: {} of {} problems failed",
                self.failures, self.problems
            ));
        }
    }
}
