//! What users see: text on stdout and stderr, errors, exit codes.
//!
//! All text goes through here, so that nothing from a file acts on the terminal ([`plain`]), a reader
//! that has gone is no fault, and output that is lost is one.

use std::borrow::Cow;
use std::fmt::Display;
use std::io::{self, ErrorKind, IsTerminal, Write};
use std::process::ExitCode;
use std::sync::OnceLock;

use carom_scene::plain;

/// The run ended before its time, by its mechanics or by an interruption; the result is kept.
pub const STOPPED: u8 = 1;
/// Bad input, numerical failure, or output that is lost.
pub const FAILED: u8 = 2;

/// When text on stderr is coloured.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, clap::ValueEnum)]
pub enum Color {
    /// On a terminal, unless the environment has NO_COLOR
    #[default]
    Auto,
    /// Always
    Always,
    /// Never
    Never,
}

impl Color {
    /// Whether text for stderr has colours.
    fn applies(self) -> bool {
        let unwanted = || std::env::var_os("NO_COLOR").is_some_and(|value| !value.is_empty());
        match self {
            Self::Auto => io::stderr().is_terminal() && !unwanted(),
            Self::Always => true,
            Self::Never => false,
        }
    }
}

/// Chosen once, before anything is said.
static COLOURED: OnceLock<bool> = OnceLock::new();

/// Chooses whether text on stderr is coloured from now on.
pub fn choose(color: Color) {
    let _ = COLOURED.set(color.applies());
}

/// Words that begin a line, with the colour of each: they are read without it as well.
const HEADS: [(&str, &str); 6] = [
    ("error:", "\x1b[1;31m"),
    ("warning:", "\x1b[1;33m"),
    ("stopped:", "\x1b[1;33m"),
    ("interrupted:", "\x1b[1;33m"),
    ("hint:", "\x1b[1;36m"),
    ("note:", "\x1b[1;36m"),
];

/// The text with the first words of its lines coloured.
fn painted(text: &str) -> Cow<'_, str> {
    if !COLOURED.get().copied().unwrap_or(false) {
        return Cow::Borrowed(text);
    }
    let line = |line: &str| match HEADS.iter().find(|(head, _)| line.starts_with(head)) {
        Some((head, colour)) => format!("{colour}{head}\x1b[0m{}", &line[head.len()..]),
        None => line.to_string(),
    };
    Cow::Owned(text.split_inclusive('\n').map(line).collect())
}

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
    let _ = io::stderr().lock().write_all(painted(&plain(text)).as_bytes());
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
