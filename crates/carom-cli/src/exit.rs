//! What users see: text on stdout and stderr, errors, exit codes.
//!
//! All text goes through here, so that nothing from a file acts on the terminal ([`plain`]), a reader
//! that has gone is no fault, and output that is lost is one.

use std::fmt::Display;
use std::io::{self, ErrorKind, Write};
use std::process::ExitCode;

use carom_scene::plain;

/// The run ended before its time, by its mechanics or by an interruption; the result is kept.
pub const STOPPED: u8 = 1;
/// Bad input, numerical failure, or output that is lost.
pub const FAILED: u8 = 2;

/// Reports an error with a hint on stderr and gives its exit code.
pub fn fail(message: &str, hint: &str) -> ExitCode {
    say(format_args!("error: {message}\nhint: {hint}"));
    ExitCode::from(FAILED)
}

/// A line on stderr. Where it cannot be written there is nobody to tell.
pub fn say(line: impl Display) {
    remark(&format!("{line}\n"));
}

/// Text on stderr as it is, line breaks included.
pub fn remark(text: &str) {
    let _ = io::stderr().lock().write_all(plain(text).as_bytes());
}

/// Text on stdout; the exit code if it is lost. A reader that closes the pipe has read enough.
pub fn print(text: &str) -> Result<(), ExitCode> {
    let mut out = io::stdout().lock();
    match out.write_all(plain(text).as_bytes()).and_then(|()| out.flush()) {
        Err(error) if error.kind() != ErrorKind::BrokenPipe => Err(lost(&error)),
        _ => Ok(()),
    }
}

/// The exit code of a command that only prints.
pub fn print_all(text: &str) -> ExitCode {
    print(text).err().unwrap_or(ExitCode::SUCCESS)
}

/// Output that is lost.
fn lost(error: &io::Error) -> ExitCode {
    let hint = match error.kind() {
        ErrorKind::StorageFull | ErrorKind::QuotaExceeded => "free the disk, then again",
        _ => "look where the standard output goes",
    };
    fail(&format!("the output is lost: {error}"), hint)
}
