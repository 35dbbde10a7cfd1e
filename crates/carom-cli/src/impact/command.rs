//! The command itself: where the text comes from, and whether it is one object or lines of them.

use std::fs::File;
use std::io::{self, IsTerminal, Read, Write};
use std::path::Path;
use std::process::ExitCode;

use carom_scene::plain;

use super::batch;
use super::json::is_one_value;
use super::solver::Wishes;
use super::summary::Summary;
use crate::args::ImpactArgs;
use crate::{exit, threads};

/// Runs the command.
pub fn run(args: &ImpactArgs) -> ExitCode {
    let threads = threads::count(args.threads);
    let wishes = Wishes { trace: args.trace, strict: args.strict };
    let result = if args.file == Path::new("-") {
        answer(io::stdin().lock(), wishes, threads)
    } else {
        File::open(&args.file).and_then(|file| answer(file, wishes, threads))
    };
    match result {
        Ok(summary) if summary.problems == 0 => exit::fail(
            &format!("`{}` holds no problem", args.file.display()),
            "give one JSON object, or one per line",
        ),
        Ok(summary) => {
            summary.report();
            if summary.failures == 0 { ExitCode::SUCCESS } else { ExitCode::from(exit::FAILED) }
        }
        // Whoever read our output has had enough.
        Err(error) if error.kind() == io::ErrorKind::BrokenPipe => ExitCode::SUCCESS,
        Err(error) => exit::fail(
            &format!("cannot process `{}`: {error}", args.file.display()),
            "check the path and its permissions; `-` reads from standard input",
        ),
    }
}

/// Standard output; on a terminal nothing of the input acts.
struct Answers {
    out: io::Stdout,
    shown: bool,
}

impl Answers {
    fn new() -> Self {
        let out = io::stdout();
        let shown = out.is_terminal();
        Self { out, shown }
    }
}

impl Write for Answers {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        if !self.shown {
            return self.out.write(bytes);
        }
        let text = String::from_utf8_lossy(bytes);
        self.out.write_all(plain(&text).as_bytes())?;
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        self.out.flush()
    }
}

/// Answers everything that `input` has.
fn answer(mut input: impl Read, wishes: Wishes, threads: usize) -> io::Result<Summary> {
    let mut first = Vec::new();
    let ended = read_first_line(&mut input, &mut first)?;
    let line = first.split(|byte| *byte == b'\n').find(|line| !line.trim_ascii().is_empty());
    if ended || line.is_some_and(is_whole) {
        if ended && is_whole(&first) {
            flatten(&mut first);
        }
        return batch::run(first, input, Answers::new(), wishes, threads);
    }
    // The first line is not a whole value: either one object over several lines, or lines of which the first is bad.
    input.by_ref().take(batch::LONGEST as u64).read_to_end(&mut first)?;
    batch::check_length(first.len())?;
    if is_whole(&first) {
        flatten(&mut first);
    }
    batch::run(first, io::empty(), Answers::new(), wishes, threads)
}

fn is_whole(text: &[u8]) -> bool {
    std::str::from_utf8(text).is_ok_and(is_one_value)
}

/// Line breaks of one object become blanks; strings have none.
fn flatten(text: &mut [u8]) {
    for byte in text.iter_mut().filter(|byte| **byte == b'\n') {
        *byte = b' ';
    }
}

/// Reads until there is a whole line that is not blank; true if the input ended before or with it.
fn read_first_line(input: &mut impl Read, first: &mut Vec<u8>) -> io::Result<bool> {
    let mut buffer = vec![0; 1 << 16];
    // Everything before this is blank, and nothing between the two is a line break.
    let (mut blank, mut known) = (0, 0);
    loop {
        let count = input.read(&mut buffer)?;
        if count == 0 {
            return Ok(true);
        }
        first.extend_from_slice(&buffer[..count]);
        if blank == known {
            blank = first.len() - first[blank..].trim_ascii_start().len();
            known = known.max(blank);
        }
        if memchr::memchr(b'\n', &first[known..]).is_some() {
            return Ok(false);
        }
        known = first.len();
        batch::check_length(first.len())?;
    }
}
