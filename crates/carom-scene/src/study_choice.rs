//! What a scene asks of a study.

use carom_agility::{JumpPoint, Varied};

/// A study of runs, as it is written: crate `carom-study` gives it a meaning.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct RunsChoice {
    /// How many rows, if said.
    pub samples: Option<u64>,
    /// What random values depend on, if said.
    pub seed: Option<u64>,
    /// Paths of values, and what they vary by.
    pub vary: Vec<(String, String)>,
    /// A file of rows.
    pub rows: Option<String>,
    /// Names of results, and their expressions.
    pub results: Vec<(String, String)>,
    /// Where whole runs are kept.
    pub keep: Option<String>,
    /// Computing time of a run, s.
    pub time_limit: Option<f64>,
    /// Steps of a run.
    pub step_limit: Option<u64>,
    /// Rows of a file.
    pub part_rows: Option<u64>,
}

/// A study of random jumps.
#[derive(Debug, Clone, PartialEq)]
pub struct StudyChoice {
    /// How many jumps.
    pub samples: u64,
    /// What the random postures depend on.
    pub seed: u64,
    /// The site that is put on the ground.
    pub foot: usize,
    /// Coordinates that vary.
    pub varied: Vec<Varied>,
    /// What is watched.
    pub point: JumpPoint,
}
