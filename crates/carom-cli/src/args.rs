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
    /// Simulate a scene and write the run into a folder
    Run(RunArgs),
    /// Make one HTML file that shows a run: animation, plots, events, energy
    Report(ReportArgs),
    /// Simulate many random jumps of a scene that declares a study
    Study(StudyArgs),
    /// List the events of a run
    Events(EventsArgs),
    /// Read a scene or a robot description and print what was understood
    Check(SceneArgs),
    /// Print the JSON Schema of scenes
    Schema,
    /// Resolve impacts given as JSON: one object, or one problem per line
    Impact(ImpactArgs),
    /// List the impact laws with their options, scope and source
    Laws(LawsArgs),
}

/// A scene and changes to it.
#[derive(Debug, Args)]
pub struct SceneArgs {
    /// Scene (TOML) or robot description (.urdf)
    pub file: PathBuf,
    /// Change a value before the scene is read, for example body.ball.mass=0.2
    #[arg(long = "set", value_name = "PATH=VALUE")]
    pub overrides: Vec<String>,
}

/// Arguments of `carom run`.
#[derive(Debug, Args)]
pub struct RunArgs {
    /// The scene.
    #[command(flatten)]
    pub scene: SceneArgs,
    /// Time at the end, s
    #[arg(long, value_name = "T", allow_hyphen_values = true)]
    pub until: Option<String>,
    /// Folder of the run; NAME.run for a scene NAME.toml if not given. An earlier run there is
    /// replaced, anything else is left alone and is an error
    #[arg(long, value_name = "DIR")]
    pub out: Option<PathBuf>,
    /// Impact law: a formulation, then options, for example
    /// differential,restitution=kinetic,rule=sequential (see `carom laws`)
    #[arg(long, value_name = "LAW")]
    pub law: Option<String>,
    /// Relative tolerance of a step
    #[arg(long, allow_hyphen_values = true)]
    pub rtol: Option<String>,
    /// Absolute tolerance of a step
    #[arg(long, allow_hyphen_values = true)]
    pub atol: Option<String>,
    /// Integrator: dopri5, dop853 or rk4
    #[arg(long)]
    pub method: Option<String>,
    /// Time between recorded states, s; every step if not given
    #[arg(long, value_name = "DT", allow_hyphen_values = true)]
    pub output_interval: Option<String>,
    /// Write trajectory.csv too
    #[arg(long)]
    pub csv: bool,
    /// Write trajectory.npz (NumPy) too
    #[arg(long)]
    pub npz: bool,
    /// No progress and no last line
    #[arg(long, short)]
    pub quiet: bool,
}

/// Arguments of `carom report`.
#[derive(Debug, Args)]
pub struct ReportArgs {
    /// Folder of a run, or a scene, which is simulated first
    pub target: PathBuf,
    /// The file; RUN/report.html for a run, NAME.html for a scene NAME.toml if not given
    #[arg(long, value_name = "FILE")]
    pub out: Option<PathBuf>,
    /// Change a value of the scene before it is read
    #[arg(long = "set", value_name = "PATH=VALUE")]
    pub overrides: Vec<String>,
}

/// Arguments of `carom study`.
#[derive(Debug, Args)]
pub struct StudyArgs {
    /// The scene.
    #[command(flatten)]
    pub scene: SceneArgs,
    /// How many jumps; as the scene says if not given
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    pub samples: Option<u64>,
    /// What the random postures depend on; as the scene says if not given
    #[arg(long, value_name = "N")]
    pub seed: Option<u64>,
    /// Number of threads; all cores if not given. The results do not depend on it
    #[arg(long, value_name = "N")]
    pub threads: Option<usize>,
    /// Folder of the study; NAME.study for a scene NAME.toml if not given. A study there that was
    /// interrupted goes on
    #[arg(long, value_name = "DIR")]
    pub out: Option<PathBuf>,
    /// No progress and no last line
    #[arg(long, short)]
    pub quiet: bool,
}

/// Arguments of `carom events`.
#[derive(Debug, Args)]
pub struct EventsArgs {
    /// Folder of the run
    pub run: PathBuf,
    /// Only the first N events
    #[arg(long, value_name = "N")]
    pub first: Option<usize>,
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
