//! Arguments of the command line.

use std::path::PathBuf;

use clap::{Args, Parser, Subcommand};

/// Event-driven simulation of rigid multibody systems with hard impacts and friction.
#[derive(Debug, Parser)]
#[command(name = "carom", version, arg_required_else_help = true)]
pub struct Cli {
    /// What to do.
    #[command(subcommand)]
    pub command: Command,
}

/// The subcommands.
#[derive(Debug, Subcommand)]
pub enum Command {
    /// Resolve impacts given as JSON: one object, or one problem per line
    Impact(ImpactArgs),
    /// List the impact laws with their options, scope and source
    Laws(LawsArgs),
}

/// Arguments of `carom impact`.
#[derive(Debug, Args)]
pub struct ImpactArgs {
    /// File with the problem or problems; `-` reads from standard input
    pub file: PathBuf,
    /// Add the path in impulse space to each answer
    #[arg(long)]
    pub trace: bool,
    /// Number of threads; all cores if not given
    #[arg(long, value_name = "N")]
    pub threads: Option<usize>,
}

/// Arguments of `carom laws`.
#[derive(Debug, Args)]
pub struct LawsArgs {
    /// Only this law, by its formulation
    pub formulation: Option<String>,
}
