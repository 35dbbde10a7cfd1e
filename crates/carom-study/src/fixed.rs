//! Columns that every dataset has.

/// The number of the row, from 0.
pub const ROW: &str = "row";
/// Why the run ended.
pub const STOP: &str = "stop";
/// When it ended, s.
pub const STOP_TIME: &str = "stop_time";
/// What went wrong, if anything did.
pub const MESSAGE: &str = "message";
/// FNV-1a of all events and of the last state.
pub const HASH: &str = "hash";

/// Whether a name is one of them.
pub fn is_fixed(name: &str) -> bool {
    [ROW, STOP, STOP_TIME, MESSAGE, HASH].contains(&name)
}
