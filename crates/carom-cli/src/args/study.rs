//! Arguments of `carom study`.

use std::path::PathBuf;

use carom_study::dataset::Shard;
use clap::{Args, Subcommand, ValueEnum};

use super::command::PlotFormat;
use super::scene::SceneArgs;
use super::value::{at_least_one, millimetres, positive, scale};

/// Arguments of `carom study`.
#[derive(Debug, Args)]
#[command(args_conflicts_with_subcommands = true, subcommand_negates_reqs = true)]
pub struct StudyArgs {
    /// What to do with a study that is there.
    #[command(subcommand)]
    pub command: Option<StudyCommand>,
    /// The scene.
    #[command(flatten)]
    pub scene: Option<SceneArgs>,
    /// Vary a value: contact.0.restitution=0:1:101, law.formulation=[newton, poisson], sobol(A, B), lhs(A, B, N),
    /// random(A, B), normal(M, S), log(A, B, N), expr(…); $NAME=… is a variable for expressions. In place of the
    /// scene's own
    #[arg(long, value_name = "PATH=VALUES", allow_hyphen_values = true)]
    pub vary: Vec<String>,
    /// A row of values for each run: CSV or Parquet, the first line names the values
    #[arg(long, value_name = "FILE")]
    pub rows: Option<PathBuf>,
    /// What is kept of each run: last=time(impact, -1), lost=energy.lost (docs/studies.md). In place of the scene's own
    #[arg(long = "result", value_name = "NAME=EXPRESSION", allow_hyphen_values = true)]
    pub results: Vec<String>,
    /// Keep the whole run of rows for which a condition over values and results holds
    #[arg(long, value_name = "CONDITION", allow_hyphen_values = true)]
    pub keep: Option<String>,
    /// How many rows, or jumps; as the scene or the values say if not given
    #[arg(long, value_name = "N", allow_hyphen_values = true, value_parser = at_least_one)]
    pub samples: Option<u64>,
    /// What random values depend on; as the scene says if not given, else 1
    #[arg(long, value_name = "N")]
    pub seed: Option<u64>,
    /// Give a run up after so many seconds of computing; its row says so
    #[arg(long, value_name = "S", allow_hyphen_values = true, value_parser = positive)]
    pub time_limit: Option<f64>,
    /// Give a run up after so many steps, which is the same on every machine
    #[arg(long, value_name = "N", value_parser = at_least_one)]
    pub step_limit: Option<u64>,
    /// Rows of a file of the dataset; 4096 if not given
    #[arg(long, value_name = "N", value_parser = at_least_one)]
    pub part_rows: Option<u64>,
    /// Only every N-th file, beginning with the I-th: one job of an array; `carom study merge` puts them together
    #[arg(long, value_name = "I/N", value_parser = shard)]
    pub shard: Option<Shard>,
    /// Say what would be done, and do nothing
    #[arg(long)]
    pub dry_run: bool,
    /// Number of threads; all cores if not given. The results do not depend on it
    #[arg(long, value_name = "N")]
    pub threads: Option<usize>,
    /// Folder of the study; NAME.study for a scene NAME.toml if not given. A study there that was
    /// interrupted goes on, one with fewer rows is extended
    #[arg(long, value_name = "DIR")]
    pub out: Option<PathBuf>,
    /// No progress and no last line
    #[arg(long, short)]
    pub quiet: bool,
}

/// What is done with a study that is there.
#[derive(Debug, Subcommand)]
pub enum StudyCommand {
    /// Tell what a dataset holds, column by column
    Show(StudyFolderArgs),
    /// Print the command that repeats the run of a row
    Row(StudyRowArgs),
    /// Put shards together to one dataset
    Merge(StudyMergeArgs),
    /// Draw a dataset
    #[command(after_help = "\
Examples:
  carom study plot ball.study --kind bifurcation --x '$gamma' --y phase
  carom study plot pendulum.study --kind map --x contact.0.restitution --y contact.0.friction --value rest
  carom study plot wheel.study --kind basin --x angle --y speed --value rolls
  carom study plot drops.study --kind histogram --x lost")]
    Plot(Box<StudyPlotArgs>),
}

/// Arguments of `carom study show`.
#[derive(Debug, Args)]
pub struct StudyFolderArgs {
    /// Folder of the study
    pub folder: PathBuf,
}

/// Arguments of `carom study row`.
#[derive(Debug, Args)]
pub struct StudyRowArgs {
    /// Folder of the study
    pub folder: PathBuf,
    /// Number of the row, from 0
    pub row: u64,
}

/// Arguments of `carom study merge`.
#[derive(Debug, Args)]
pub struct StudyMergeArgs {
    /// Folder of the whole study
    pub out: PathBuf,
    /// Folders of the shards
    #[arg(required = true)]
    pub shards: Vec<PathBuf>,
}

/// Arguments of `carom study plot`.
#[derive(Debug, Args)]
pub struct StudyPlotArgs {
    /// Folder of the study
    pub folder: PathBuf,
    /// Sort of picture: scatter, bifurcation, map, basin, parallel or histogram
    #[arg(long, value_name = "KIND", hide_possible_values = true)]
    pub kind: PictureKind,
    /// Column on the horizontal axis; of parallel coordinates and histograms several
    #[arg(long, value_name = "COLUMN", required = true, allow_hyphen_values = true)]
    pub x: Vec<String>,
    /// Column on the vertical axis; of a bifurcation diagram the name of a result of several columns
    #[arg(long, value_name = "COLUMN", allow_hyphen_values = true)]
    pub y: Option<String>,
    /// Column that is shown by colour
    #[arg(long, value_name = "COLUMN", allow_hyphen_values = true)]
    pub value: Option<String>,
    /// Only rows for which a condition over columns holds
    #[arg(long = "where", value_name = "CONDITION", allow_hyphen_values = true)]
    pub condition: Option<String>,
    /// What an axis says instead of the name of its column: COLUMN=WORDS or COLUMN=WORDS/UNIT
    #[arg(long, value_name = "COLUMN=WORDS")]
    pub label: Vec<String>,
    /// An upright line at a number of the horizontal axis, with words
    #[arg(long, value_name = "NUMBER=WORDS", allow_hyphen_values = true)]
    pub mark: Vec<String>,
    /// Heading
    #[arg(long, value_name = "TEXT")]
    pub title: Option<String>,
    /// The picture without the end of its name; KIND in the folder `pictures` of the study if not given
    #[arg(long, value_name = "PATH")]
    pub out: Option<PathBuf>,
    /// Formats: svg, png or pdf
    #[arg(long, value_name = "FORMAT", value_delimiter = ',', default_values = ["svg", "png"], hide_possible_values = true)]
    pub format: Vec<PlotFormat>,
    /// Also a page, KIND.html: a click on a point shows its row and opens its run if it was kept (scatter, bifurcation,
    /// map, basin)
    #[arg(long)]
    pub page: bool,
    /// Size of a PNG: pixels per unit of the SVG
    #[arg(long, value_name = "X", default_value_t = 2.0, value_parser = scale)]
    pub scale: f64,
    /// Light letters on a dark ground
    #[arg(long)]
    pub dark: bool,
    /// Width on paper, such as 85mm
    #[arg(long, value_name = "LENGTH", value_parser = millimetres)]
    pub width: Option<f64>,
}

/// A sort of picture.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum PictureKind {
    /// Points.
    Scatter,
    /// Values at events over a parameter.
    Bifurcation,
    /// A value by colour over two parameters.
    Map,
    /// Classes by colour over two parameters.
    Basin,
    /// One line for each row across several axes.
    Parallel,
    /// How often values come.
    Histogram,
}

fn shard(text: &str) -> Result<Shard, String> {
    Shard::read(text).ok_or_else(|| "must be I/N with 1 ≤ I ≤ N, for example 3/16".into())
}
