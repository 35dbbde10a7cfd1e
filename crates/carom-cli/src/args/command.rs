//! The subcommands and their arguments.

use std::path::PathBuf;

use clap::{Args, Parser, Subcommand};

use super::agility::{CapabilityArgs, OptimizeArgs};
use super::scene::SceneArgs;
use super::study::StudyArgs;
use super::value::{count, event_kind, millimetres, pixels, plot_kind, points, positive, scale};
use crate::exit::Color;

/// Simulates rigid bodies that hit, rebound, stick, slip and rest: event by event, without penalties or fixed steps.
#[derive(Debug, Parser)]
#[command(name = "carom", version, arg_required_else_help = true, max_term_width = 100, after_help = FIRST_STEPS)]
pub struct Cli {
    /// When messages are coloured: auto, always or never; no message needs its colour
    #[arg(
        long,
        value_name = "WHEN",
        global = true,
        default_value = "auto",
        hide_default_value = true,
        hide_possible_values = true
    )]
    pub color: Color,
    /// What to do.
    #[command(subcommand)]
    pub command: Command,
}

/// Under the list of commands.
const FIRST_STEPS: &str = "\
First steps:
  carom new first                             a scene of your own
  carom run scenes/ball.toml --out ball.run   simulate
  carom events ball.run --first 5             what happened
  carom plot ball.run                         pictures
  carom report ball.run                       one page to keep
  carom view scenes/ball.toml --open          change values and watch

`carom COMMAND --help` tells more. Exit codes: 0 done, 1 the mechanics stopped the run, 2 an error.";

/// The subcommands, in the order in which they are met.
#[derive(Debug, Subcommand)]
pub enum Command {
    /// Write a scene with comments to start from
    #[command(after_help = "\
Example:
  carom new first        writes first.toml")]
    New(NewArgs),
    /// Read a scene or a robot description and print what was understood
    Check(CheckArgs),
    /// Simulate a scene and write the run into a folder
    #[command(after_help = "\
Examples:
  carom run scenes/ball.toml --until 3 --out ball.run
  carom run scenes/ball.toml --set contact.0.restitution=0.9
  carom run ball.run --until 6 --out longer.run         go on, to the last bit
  carom run scenes/ball.toml --from ball.run --event 3 --set contact.0.restitution=0.9
  carom run scenes/ball.toml --law differential,restitution=kinetic --csv")]
    Run(RunArgs),
    /// List the events of a run
    Events(EventsArgs),
    /// Draw the plots of a run as SVG and PNG
    #[command(after_help = "\
Examples:
  carom plot ball.run
  carom plot ball.run --only energy,modes --format svg --until 1.5")]
    Plot(PlotArgs),
    /// Make one HTML file that shows a run, or compares several: animation, plots, events, energy
    #[command(after_help = "\
Examples:
  carom report ball.run
  carom report soft.run hard.run --out compare.html
  carom report scenes/ball.toml --law newton --law poisson --out laws.html")]
    Report(ReportArgs),
    /// Make a film of a run: MP4 (by ffmpeg), GIF, or PNG frames
    #[command(after_help = "\
Examples:
  carom render ball.run --out ball.gif
  carom render ball.run --out impact.mp4 --from 0.4 --until 0.5 --speed 0.05
  carom render scenes/box_drop.toml --out frames/ --camera top --size 640x480
  carom render ball.run --out moment.png --from 0.4515

A film ends a little after the motion does, unless --until says otherwise.")]
    Render(RenderArgs),
    /// Make a gallery of scenes: one page with a picture and a film of each, and their reports
    #[command(after_help = "\
Example:
  carom gallery scenes --out gallery      writes gallery/index.html and what it shows")]
    Gallery(GalleryArgs),
    /// Make a page that asks for predictions before it shows what happens
    #[command(after_help = "\
Example:
  carom lesson lessons/ball.toml --out ball.html")]
    Lesson(LessonArgs),
    /// Show a run or a scene in the browser, change values and run it again
    View(ViewArgs),
    /// List the impact laws with their options, scope and source
    Laws(LawsArgs),
    /// Resolve impacts given as JSON: one object, or one problem per line
    Impact(ImpactArgs),
    /// Compute the published experiments again and compare them with their sources
    #[command(after_help = "\
Examples:
  carom reproduce --list
  carom reproduce morgan-paths
  carom reproduce --all --out reproduction")]
    Reproduce(ReproduceArgs),
    /// Tell how fast a point can be accelerated within torque limits and friction, and what stops it
    #[command(after_help = "\
Examples:
  carom capability scenes/jumper.toml --direction -1,1,0
  carom capability scenes/jumper.toml --map femur,tibia --out jumper.map")]
    Capability(CapabilityArgs),
    /// Find the postures in which a point can be accelerated best
    #[command(after_help = "\
Example:
  carom optimize scenes/jumper.toml --direction -1,1,0 --starts 4")]
    Optimize(OptimizeArgs),
    /// Run a scene many times with values that vary, or many random jumps: one dataset, resumable to the row
    #[command(after_help = "\
Examples:
  carom study scenes/ball.toml --vary contact.0.restitution=0:1:101 --result lost=energy.lost
  carom study scenes/double_pendulum.toml --vary 'contact.0.friction=sobol(0, 1)' --samples 1000
  carom study show ball.study
  carom study plot ball.study --kind scatter --x contact.0.restitution --y lost
  carom study scenes/jumper.toml --samples 20      random jumps of a scene that names a foot")]
    Study(Box<StudyArgs>),
    /// Print the JSON Schema of scenes
    Schema,
    /// Print completions for a shell
    #[command(after_help = "\
Examples:
  carom completions bash > ~/.local/share/bash-completion/completions/carom
  carom completions zsh > ~/.zfunc/_carom
  carom completions fish > ~/.config/fish/completions/carom.fish")]
    Completions(CompletionsArgs),
    /// Print the manual page, or write one for each command into a folder
    #[command(after_help = "\
Examples:
  carom man | man -l -
  carom man --out ~/.local/share/man/man1")]
    Man(ManArgs),
}

/// Arguments of `carom completions`.
#[derive(Debug, Args)]
pub struct CompletionsArgs {
    /// The shell
    pub shell: clap_complete::Shell,
}

/// Arguments of `carom man`.
#[derive(Debug, Args)]
pub struct ManArgs {
    /// Folder for carom.1 and a page for each command
    #[arg(long, value_name = "DIR")]
    pub out: Option<PathBuf>,
}

/// Arguments of `carom new`.
#[derive(Debug, Args)]
pub struct NewArgs {
    /// Name of the scene; the file is NAME.toml in the present folder
    pub name: String,
}

/// Arguments of `carom check`.
#[derive(Debug, Args)]
pub struct CheckArgs {
    /// The scene.
    #[command(flatten)]
    pub scene: SceneArgs,
    /// As JSON
    #[arg(long)]
    pub json: bool,
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
    /// Start from the last state of a run of this mechanism, or with `--event` from one of its events
    #[arg(long, value_name = "RUN")]
    pub from: Option<PathBuf>,
    /// With `--from`: start right after this event of it, counted from 1 in the order of `carom events`
    #[arg(long, value_name = "N", requires = "from")]
    pub event: Option<usize>,
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
    /// Stop where contacts have no answer, or several, instead of going on by a rule of the safety net
    #[arg(long)]
    pub strict: bool,
    /// Time between recorded states, s; every step if not given
    #[arg(long, value_name = "DT", allow_hyphen_values = true)]
    pub output_interval: Option<String>,
    /// Write trajectory.csv too
    #[arg(long)]
    pub csv: bool,
    /// Write trajectory.npz (NumPy) too
    #[arg(long)]
    pub npz: bool,
    /// Print the summary as one line of JSON on stdout when the run has ended, with `folder` and `exit_code`
    #[arg(long)]
    pub json: bool,
    /// No progress and no last line
    #[arg(long, short)]
    pub quiet: bool,
}

/// Arguments of `carom lesson`.
#[derive(Debug, Args)]
pub struct LessonArgs {
    /// The questions (docs/lessons.md)
    pub file: PathBuf,
    /// The page; NAME.html for a lesson NAME.toml if not given
    #[arg(long, value_name = "FILE")]
    pub out: Option<PathBuf>,
}

/// Arguments of `carom report`.
#[derive(Debug, Args)]
pub struct ReportArgs {
    /// Folders of runs, or scenes, which are simulated first; several are compared
    #[arg(required = true, value_name = "TARGET")]
    pub targets: Vec<PathBuf>,
    /// The file; RUN/report.html for a run, NAME.html for a scene NAME.toml, compare.html for
    /// several if not given
    #[arg(long, value_name = "FILE")]
    pub out: Option<PathBuf>,
    /// Impact law of the scenes, as `carom run` takes it; several are compared
    #[arg(long = "law", value_name = "LAW")]
    pub laws: Vec<String>,
    /// Change a value of the scenes before they are read
    #[arg(long = "set", value_name = "PATH=VALUE")]
    pub overrides: Vec<String>,
    /// What damage is let pass.
    #[command(flatten)]
    pub damage: DamageArgs,
}

/// Arguments of `carom render`.
#[derive(Debug, Args)]
pub struct RenderArgs {
    /// Folder of a run, or a scene, which is simulated first
    pub target: PathBuf,
    /// The film: NAME.mp4 (or .webm, .mkv, .mov), NAME.gif, NAME.png for one picture, or a folder
    /// for PNG frames
    #[arg(long, value_name = "FILE|DIR")]
    pub out: PathBuf,
    /// Time of the first frame, s
    #[arg(long, value_name = "T", allow_hyphen_values = true)]
    pub from: Option<f64>,
    /// Time of the last frame, s
    #[arg(long, value_name = "T", allow_hyphen_values = true)]
    pub until: Option<f64>,
    /// Frames per second
    #[arg(long, value_name = "N", default_value_t = 30.0, value_parser = positive)]
    pub fps: f64,
    /// Seconds of the run per second of the film
    #[arg(long, value_name = "X", default_value_t = 1.0, value_parser = positive)]
    pub speed: f64,
    /// Pixels
    #[arg(long, value_name = "WIDTHxHEIGHT", default_value = "960x600", value_parser = pixels)]
    pub size: (u32, u32),
    /// From where a scene in space is seen: usual, front, back, left, right, top, corner, or
    /// AZIMUTH,ELEVATION in degrees
    #[arg(
        long,
        value_name = "VIEW",
        default_value = "usual",
        allow_hyphen_values = true,
        hide_default_value = true
    )]
    pub camera: carom_report::pictures::View,
    /// Closer than the whole motion fits
    #[arg(long, value_name = "X", default_value_t = 1.0, value_parser = positive)]
    pub zoom: f64,
    /// Keep the centre of mass in the middle; where the motion goes far this is done unasked
    #[arg(long, conflicts_with = "no_follow")]
    pub follow: bool,
    /// Keep the camera where it is
    #[arg(long)]
    pub no_follow: bool,
    /// Light on a dark ground
    #[arg(long)]
    pub dark: bool,
    /// Without the time and the scale
    #[arg(long)]
    pub no_clock: bool,
    /// Change a value of the scene before it is read
    #[arg(long = "set", value_name = "PATH=VALUE")]
    pub overrides: Vec<String>,
    /// No progress and no last line
    #[arg(long, short)]
    pub quiet: bool,
    /// What damage is let pass.
    #[command(flatten)]
    pub damage: DamageArgs,
}

/// Arguments of `carom gallery`.
#[derive(Debug, Args)]
pub struct GalleryArgs {
    /// Scenes, folders of scenes, or folders of runs; the folder `scenes` if not given
    #[arg(value_name = "TARGET")]
    pub targets: Vec<PathBuf>,
    /// Folder of the gallery; an earlier gallery there is replaced
    #[arg(long, value_name = "DIR", default_value = "gallery")]
    pub out: PathBuf,
    /// Without films: pictures only
    #[arg(long)]
    pub still: bool,
    /// Light on a dark ground
    #[arg(long)]
    pub dark: bool,
    /// No progress and no last line
    #[arg(long, short)]
    pub quiet: bool,
}

/// What damage of a run is let pass.
#[derive(Debug, Clone, Copy, Args)]
pub struct DamageArgs {
    /// Show what can still be read of a run that is damaged
    #[arg(long)]
    pub damaged: bool,
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
    /// What damage is let pass.
    #[command(flatten)]
    pub damage: DamageArgs,
}

/// Arguments of `carom events`.
#[derive(Debug, Args)]
pub struct EventsArgs {
    /// Folder of the run
    pub run: PathBuf,
    /// Only the first N events
    #[arg(long, value_name = "N", allow_hyphen_values = true, value_parser = count)]
    pub first: Option<usize>,
    /// Only the last N events
    #[arg(long, value_name = "N", allow_hyphen_values = true, value_parser = count)]
    pub last: Option<usize>,
    /// Only events of these kinds, such as impact, close, lift-off, slip-stop
    #[arg(long, value_name = "KIND", value_delimiter = ',', value_parser = event_kind)]
    pub kind: Vec<String>,
    /// Only events of contacts whose name contains this
    #[arg(long, value_name = "NAME")]
    pub contact: Option<String>,
    /// Only events at or after this time, s
    #[arg(long, value_name = "T", allow_hyphen_values = true)]
    pub since: Option<f64>,
    /// Only events at or before this time, s
    #[arg(long, value_name = "T", allow_hyphen_values = true)]
    pub until: Option<f64>,
    /// Estimate the forces of impacts that take this long, s
    #[arg(long, value_name = "S", allow_hyphen_values = true, value_parser = positive)]
    pub impact_duration: Option<f64>,
    /// As JSON: a list of events with all their numbers
    #[arg(long)]
    pub json: bool,
    /// What damage is let pass.
    #[command(flatten)]
    pub damage: DamageArgs,
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
    #[arg(long, value_name = "KIND", value_delimiter = ',', value_parser = plot_kind)]
    pub only: Vec<carom_report::plots::PlotKind>,
    /// Formats: svg, png or pdf
    #[arg(long, value_name = "FORMAT", value_delimiter = ',', default_values = ["svg", "png"], hide_possible_values = true)]
    pub format: Vec<PlotFormat>,
    /// Start of the time that is plotted, s
    #[arg(long, value_name = "T", allow_hyphen_values = true)]
    pub from: Option<f64>,
    /// End of the time that is plotted, s; a run that rests early is cut a little after that if not given
    #[arg(long, value_name = "T", allow_hyphen_values = true)]
    pub until: Option<f64>,
    /// Size of a PNG: pixels per unit of the SVG
    #[arg(long, value_name = "X", default_value_t = 2.0, allow_hyphen_values = true, value_parser = scale)]
    pub scale: f64,
    /// Light letters on a dark ground
    #[arg(long)]
    pub dark: bool,
    /// Width on paper, such as 85mm, 8.5cm or 3.3in; the layout is made for it
    #[arg(long, value_name = "LENGTH", value_parser = millimetres)]
    pub width: Option<f64>,
    /// Size of the numbers at the axes on paper, points; 8 if only a width is given
    #[arg(long, value_name = "PT", value_parser = points)]
    pub font_size: Option<f64>,
    /// Without headings
    #[arg(long)]
    pub no_title: bool,
    /// Also as PDF; the same as `--format pdf` beside the others
    #[arg(long)]
    pub pdf: bool,
    /// What damage is let pass.
    #[command(flatten)]
    pub damage: DamageArgs,
}

/// A format of pictures.
#[derive(Debug, Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
pub enum PlotFormat {
    /// Scalable.
    Svg,
    /// Pixels.
    Png,
    /// A page.
    Pdf,
}

/// Arguments of `carom impact`.
#[derive(Debug, Args)]
#[command(after_help = "\
A problem has `mass_matrix`, `velocity`, `contacts` (`normal`, `tangents`,
`restitution`, `friction`, `static_friction`, `name`, `touching`), and may have
`bilateral`, `law`, `id`. With `impact_duration`, s, the answer also has
`impact_force`: the least finite forces, N, whose work is the change of energy
(Flickinger 2011, (3.25)); `configuration` in its place makes the work of the
coordinates themselves, as printed there, which depends on their origin. It is
null where no push has that work. The law `matrix` takes `rotations`: each has
`contact`, `row`, the rotational `coefficient`, and `arm`, m: the moment is at
most friction times arm times the normal impulse.")]
pub struct ImpactArgs {
    /// File with the problem or problems; `-` reads from standard input
    pub file: PathBuf,
    /// Add the path in impulse space to each answer
    #[arg(long)]
    pub trace: bool,
    /// Fail where a law has no sound answer, instead of answering by the compliant path
    #[arg(long)]
    pub strict: bool,
    /// Number of threads; all cores if not given
    #[arg(long, value_name = "N")]
    pub threads: Option<usize>,
}

/// Arguments of `carom laws`.
#[derive(Debug, Args)]
pub struct LawsArgs {
    /// Only this law, by its formulation
    pub formulation: Option<String>,
    /// As JSON: a list of laws with their options
    #[arg(long)]
    pub json: bool,
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
    /// Folder for data, figures and the page; what this program computed there before is kept, what another one did
    /// is replaced
    #[arg(long, value_name = "DIR", default_value = "reproduction")]
    pub out: PathBuf,
    /// Shorter sweeps: the same claims, coarser numbers
    #[arg(long)]
    pub fast: bool,
    /// Compute everything again, also what is there
    #[arg(long)]
    pub again: bool,
    /// Number of threads; all cores if not given
    #[arg(long, value_name = "N")]
    pub threads: Option<usize>,
    /// No progress and no last line
    #[arg(long, short)]
    pub quiet: bool,
}
