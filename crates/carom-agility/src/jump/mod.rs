//! Jumps: where they start, and what came of them.
//!
//! | file | answers |
//! |---|---|
//! | `watch` | height, time in the air and the rest, measured while a run goes on |
//! | `start` | random postures on the ground |

pub mod start;
pub mod watch;

pub use start::{JumpStart, JumpStartError, Varied};
pub use watch::{JumpMeasure, JumpOutcome, JumpPoint, JumpWatch};
