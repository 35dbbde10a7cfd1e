//! What a scene asks of a study.

use carom_agility::{JumpPoint, Varied};

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
