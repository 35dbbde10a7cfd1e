//! The `carom` command.

mod args;
mod exit;
mod impact;
mod laws;

use std::process::ExitCode;

use clap::Parser;

use args::{Cli, Command};

fn main() -> ExitCode {
    match Cli::parse().command {
        Command::Impact(args) => impact::run(&args),
        Command::Laws(args) => laws::run(&args),
    }
}
