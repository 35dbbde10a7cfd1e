//! The `carom` command: exit codes and error rendering; one file per subcommand.

mod args;
mod check;
mod schema;

use args::{Args, Command};
use clap::Parser;
use std::process::ExitCode;

fn main() -> ExitCode {
    match Args::parse().command {
        Command::Check(args) => check::run(&args),
        Command::Schema => schema::run(),
    }
}
