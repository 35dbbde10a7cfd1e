//! The `carom` command: one file per subcommand.

mod args;
mod check;
mod events;
mod exit;
mod impact;
mod job;
mod laws;
mod live;
mod progress;
mod report;
mod run;
mod schema;
mod study;

use std::process::ExitCode;

use clap::Parser;

use args::{Cli, Command};

fn main() -> ExitCode {
    match Cli::parse().command {
        Command::Run(args) => run::run(&args),
        Command::Report(args) => report::run(&args),
        Command::Events(args) => events::run(&args),
        Command::Check(args) => check::run(&args),
        Command::Study(args) => study::run(&args),
        Command::Schema => schema::run(),
        Command::Impact(args) => impact::run(&args),
        Command::Laws(args) => laws::run(&args),
    }
}
