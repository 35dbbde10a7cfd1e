//! Arguments of the command line.

use std::path::PathBuf;

use clap::{Args, Parser, Subcommand};

use crate::agility::args::{CapabilityArgs, OptimizeArgs};

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
    /// Show a run or a scene in the browser, change values and run it again
    View(ViewArgs),
    /// List the events of a run
    Events(EventsArgs),
    /// Draw the plots of a run as SVG and PNG
    Plot(PlotArgs),
    /// Read a scene or a robot description and print what was understood
    Check(SceneArgs),
    /// How fast a point can be accelerated within torque limits and friction, and what stops it
    Capability(CapabilityArgs),
    /// Find the postures in which a point can be accelerated best
    Optimize(OptimizeArgs),
    /// Print the JSON Schema of scenes
    Schema,
    /// Resolve impacts given as JSON: one object, or one problem per line
    Impact(ImpactArgs),
    /// List the impact laws with their options, scope and source
    Laws(LawsArgs),
    /// Compute the published experiments again and compare them with their sources
    Reproduce(ReproduceArgs),
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

/// Arguments of `carom view`.
#[derive(Debug, Args)]
pub struct ViewArgs {
    /// Folder of a run, or a scene
    pub target: PathBuf,
    /// Port on 127.0.0.1; any that is free if not given
    #[arg(long, value_name = "N", default_value_t = 0)]
    pub port: u16,
    /// Open the page in the browser
    #[arg(long)]
    pub open: bool,
    /// Change a value of the scene before it is read
    #[arg(long = "set", value_name = "PATH=VALUE")]
    pub overrides: Vec<String>,
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

/// Arguments of `carom plot`.
#[derive(Debug, Args)]
pub struct PlotArgs {
    /// Folder of the run
    pub run: PathBuf,
    /// Folder of the pictures; `plots` in the folder of the run if not given
    #[arg(long, value_name = "DIR")]
    pub out: Option<PathBuf>,
    /// Only these plots: overview, motion, coordinates, speeds, torques, forces, energy, modes, phase, impulse, feasibility
    #[arg(long, value_name = "KIND", value_delimiter = ',', value_parser = crate::plot::kind)]
    pub only: Vec<carom_report::plots::PlotKind>,
    /// Formats: svg, png or both
    #[arg(long, value_name = "FORMAT", value_delimiter = ',', default_values = ["svg", "png"])]
    pub format: Vec<PlotFormat>,
    /// Start of the time that is plotted, s
    #[arg(long, value_name = "T", allow_hyphen_values = true)]
    pub from: Option<f64>,
    /// End of the time that is plotted, s; a run that rests early is cut a little after that if not given
    #[arg(long, value_name = "T", allow_hyphen_values = true)]
    pub until: Option<f64>,
    /// Pixels of a PNG per unit of its width
    #[arg(long, default_value_t = 2.0)]
    pub scale: f64,
    /// Light letters on a dark ground
    #[arg(long)]
    pub dark: bool,
}

/// A format of pictures.
#[derive(Debug, Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
pub enum PlotFormat {
    /// Scalable.
    Svg,
    /// Pixels.
    Png,
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

/// Arguments of `carom reproduce`.
#[derive(Debug, Args)]
pub struct ReproduceArgs {
    /// Names of experiments; --list shows them
    #[arg(value_name = "NAME", conflicts_with = "all")]
    pub names: Vec<String>,
    /// Show every table and figure of the sources that carries a result, with its experiment
    #[arg(long, conflicts_with_all = ["all", "names"])]
    pub list: bool,
    /// Run every experiment
    #[arg(long)]
    pub all: bool,
    /// Folder for data, figures and the page; what an earlier reproduction wrote there is replaced
    #[arg(long, value_name = "DIR", default_value = "reproduction")]
    pub out: PathBuf,
    /// Shorter sweeps: the same claims, coarser numbers
    #[arg(long)]
    pub fast: bool,
    /// Number of threads; all cores if not given
    #[arg(long, value_name = "N")]
    pub threads: Option<usize>,
    /// No progress and no last line
    #[arg(long, short)]
    pub quiet: bool,
}
