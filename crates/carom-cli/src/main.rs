//! The `carom` command: one file or folder per subcommand, above them what they share.
//!
//! A file or folder uses only those above it:
//!
//! | file | holds |
//! |---|---|
//! | `exit`, `progress`, `words`, `salvage`, `interrupt`, `scene_file` | what users see of every command |
//! | `args` | the command line |
//! | `job`, `live` | a run that is asked for; a run in memory |
//! | `check`, `run`, `events`, `plot`, `report`, `laws`, `impact`, `agility`, `study`, `reproduce`, `view`, `schema` | the commands |

mod agility;
mod args;
mod check;
mod events;
mod exit;
mod impact;
mod interrupt;
mod job;
mod laws;
mod live;
mod plot;
mod progress;
mod report;
mod reproduce;
mod run;
mod salvage;
mod scene_file;
mod schema;
mod study;
mod view;
mod words;

use std::process::ExitCode;

use clap::Parser;

use args::{Cli, Command};

fn main() -> ExitCode {
    match Cli::parse().command {
        Command::Run(args) => run::run(&args),
        Command::Report(args) => report::run(&args),
        Command::View(args) => view::run(&args),
        Command::Events(args) => events::run(&args),
        Command::Plot(args) => plot::run(&args),
        Command::Check(args) => check::run(&args),
        Command::Study(args) => study::run(&args),
        Command::Capability(args) => agility::capability(&args),
        Command::Optimize(args) => agility::optimize(&args),
        Command::Schema => schema::run(),
        Command::Impact(args) => impact::run(&args),
        Command::Laws(args) => laws::run(&args),
        Command::Reproduce(args) => reproduce::run(&args),
    }
}
