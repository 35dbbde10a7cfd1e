//! The `carom` command: one file or folder per subcommand, above them what they share.
//!
//! It is a library so that the package for Python does what the command does: [`main`] is the command, and
//! [`job`], [`live`], [`laws`], [`impact`], [`agility`] and [`study`] have what both need.
//!
//! A file or folder uses only those above it:
//!
//! | file | holds |
//! |---|---|
//! | `exit`, `progress`, `words`, `threads`, `interrupt`, `scene_file` | what users see of every command |
//! | `args` | the command line |
//! | `salvage` | runs that were killed or are damaged |
//! | `job`, `live` | a run that is asked for; a run in memory |
//! | `new`, `check`, `run`, `events`, `plot`, `report`, `render`, `gallery`, `lesson`, `laws`, `impact`, `agility`, `study`, `reproduce`, `view`, `schema`, `manual` | the commands |

mod again;
pub mod agility;
mod args;
mod check;
mod events;
mod exit;
mod gallery;
pub mod impact;
mod interrupt;
pub mod job;
pub mod laws;
pub mod lesson;
pub mod live;
mod manual;
mod new;
mod plot;
mod progress;
mod render;
mod report;
mod reproduce;
mod run;
mod salvage;
mod scene_file;
mod schema;
pub mod study;
mod threads;
mod view;
mod words;

use std::ffi::OsString;
use std::process::ExitCode;

use clap::{CommandFactory, FromArgMatches};

use args::{Cli, Command, colour_of};

/// The command: what `arguments` ask for, the name of the program first, is done.
pub fn main(arguments: impl IntoIterator<Item = OsString>) -> ExitCode {
    // Help and faults of the command line are coloured too: the choice is read before all else.
    let arguments: Vec<OsString> = arguments.into_iter().collect();
    let color = colour_of(arguments.iter().cloned());
    exit::choose(color);
    let matches = Cli::command().color(color.into()).try_get_matches_from(arguments);
    let cli = match matches.and_then(|matches| Cli::from_arg_matches(&matches)) {
        Ok(cli) => cli,
        Err(told) => return tell(&told),
    };
    interrupt::begin();
    match cli.command {
        Command::New(args) => new::run(&args),
        Command::Run(args) => run::run(&args),
        Command::Report(args) => report::run(&args),
        Command::Render(args) => render::run(&args),
        Command::Gallery(args) => gallery::run(&args),
        Command::Lesson(args) => lesson::run(&args),
        Command::View(args) => view::run(&args),
        Command::Events(args) => events::run(&args),
        Command::Plot(args) => plot::run(&args),
        Command::Check(args) => check::run(&args),
        Command::Study(args) => study::run(&args),
        Command::Capability(args) => agility::capability(&args),
        Command::Optimize(args) => agility::optimize(&args),
        Command::Schema => schema::run(),
        Command::Completions(args) => manual::completions(&args),
        Command::Man(args) => manual::man(&args),
        Command::Impact(args) => impact::run(&args),
        Command::Laws(args) => laws::run(&args),
        Command::Reproduce(args) => reproduce::run(&args),
    }
}

/// Help, the version, or what is wrong with the arguments, which are shown without effect.
fn tell(told: &clap::Error) -> ExitCode {
    let code = u8::try_from(told.exit_code()).unwrap_or(exit::FAILED);
    if told.use_stderr() {
        exit::remark(&told.render().to_string());
        return ExitCode::from(code);
    }
    match told.print() {
        Err(error) if error.kind() != std::io::ErrorKind::BrokenPipe => {
            ExitCode::from(exit::FAILED)
        }
        _ => ExitCode::from(code),
    }
}
