//! What is kept of each run: expressions over its recording.
//!
//! | in an expression | value |
//! |---|---|
//! | a column of `carom run` such as `q.ball.z`, `energy.kinetic`, `mode.tip`, `t` | at the end |
//! | `energy.lost`, `energy.closure` | lost since the start, closure of the ledger, J, at the end |
//! | the name of a parameter | its value in this row |
//! | `start(x)`, `end(x)` | at the first and at the last sample |
//! | `min(x)`, `max(x)` | over all samples |
//! | `time_of_min(x)`, `time_of_max(x)` | when |
//! | `mean(x)`, `integral(x)` | over time, by the trapezoidal rule between samples |
//! | `count(KIND)` | events of a kind; `events` is any kind, `jump` any that changes velocities |
//! | `at(KIND, k, x)`, `before(KIND, k, x)` | after and before the k-th event of the kind; k from 1, or from the end: −1 is the last |
//! | `time(KIND, k)` | its time |
//! | `last(KIND, n, x)` | the last n such values, oldest first: n columns `NAME.1` … `NAME.n` |
//! | `rescues()` | events that a rule of the safety net decided |
//!
//! A kind may be followed by the name of a contact: `count(impact, tip)`. Inside `at`, `before` and `last` there are
//! also `event.lost` (J), `event.impulse` (sum of the normal impulses, N·s) and `event.speed` (largest normal approach
//! speed, m/s). Where a value does not exist, such as at the fifth of three impacts, it is null in the dataset.
//! Values at events and at the end are exact; extrema and means see samples, as often as the scene's `output.interval`
//! says. Where no result needs samples between events none are taken.
//!
//! # Tests
//! `tests/results.rs`, against closed forms of a bouncing ball.

mod compile;
mod gather;
mod watch;

pub use compile::{Measures, check_name};
pub use watch::{Limits, Watch};
