//! The `carom` command: one file per subcommand.

mod agility;
mod args;
mod check;
mod events;
mod exit;
mod impact;
mod job;
mod laws;
mod live;
mod plot;
mod progress;
mod report;
mod reproduce;
mod run;
mod salvage;
mod schema;
mod study;
mod view;
mod wrap;

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
