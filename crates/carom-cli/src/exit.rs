//! Exit codes, and errors as users see them.

use std::process::ExitCode;

/// The run ended before its time, by its mechanics or by an interruption; the result is kept.
pub const STOPPED: u8 = 1;
/// Bad input or numerical failure.
pub const FAILED: u8 = 2;

/// Reports an error with a hint on stderr and gives its exit code.
pub fn fail(message: &str, hint: &str) -> ExitCode {
    eprintln!("error: {message}");
    eprintln!("hint: {hint}");
    ExitCode::from(FAILED)
}
