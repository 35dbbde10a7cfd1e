//! Arguments of `carom capability` and `carom optimize`.

use std::path::PathBuf;

use clap::{Args, ValueEnum};

use super::scene::SceneArgs;
use super::value::{from_one_to, up_to};

/// What is asked of a mechanism.
#[derive(Debug, Args)]
pub struct QuestionArgs {
    /// The scene.
    #[command(flatten)]
    pub scene: SceneArgs,
    /// The point: a body (its centre of mass) or a feature BODY.NAME; the first body that moves if
    /// not given
    #[arg(long, value_name = "BODY[.FEATURE]")]
    pub point: Option<String>,
    /// Where to, for example 0,0,1 or -1,1,0; against gravity if not given
    #[arg(long, value_name = "X,Y,Z", allow_hyphen_values = true)]
    pub direction: Option<String>,
    /// Contacts that are kept, by the names of pairs, features or bodies, separated by commas; `all`,
    /// `none`, or, if not given, those that touch at the start
    #[arg(long, value_name = "NAMES")]
    pub contacts: Option<String>,
    /// What is held besides the contacts: nothing, the accelerations across the direction (line), or
    /// those and the turning of the body (body)
    #[arg(long, value_enum, value_name = "WORD", default_value_t = HoldWord::Nothing, hide_possible_values = true)]
    pub hold: HoldWord,
    /// Joints or coordinates that keep their values when the posture changes, separated by commas
    #[arg(long, value_name = "NAMES", conflicts_with = "vary")]
    pub fix: Option<String>,
    /// Joints or coordinates that may change, separated by commas; all others keep their values
    #[arg(long, value_name = "NAMES")]
    pub vary: Option<String>,
    /// Folder for data and figures
    #[arg(long, value_name = "DIR")]
    pub out: Option<PathBuf>,
    /// Print JSON instead of tables
    #[arg(long)]
    pub json: bool,
    /// Number of threads; all cores if not given
    #[arg(long, value_name = "N")]
    pub threads: Option<usize>,
    /// No warnings and no progress
    #[arg(long, short)]
    pub quiet: bool,
}

/// What is held, as a word.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum HoldWord {
    /// Nothing.
    Nothing,
    /// The accelerations of the point across the direction.
    Line,
    /// Those and the angular accelerations of the body.
    Body,
}

/// Arguments of `carom capability`.
#[derive(Debug, Args)]
pub struct CapabilityArgs {
    /// What is asked.
    #[command(flatten)]
    pub question: QuestionArgs,
    /// Put the contacts on their surfaces first, by the least change of the coordinates
    #[arg(long)]
    pub settle: bool,
    /// A map over two coordinates, for example femur,tibia; the others put the contacts on the ground
    #[arg(long, value_name = "Q1,Q2")]
    pub map: Option<String>,
    /// Ranges of the map, rad or m, for example -1:1,-2:0; the joint limits (or ±π) if not given
    #[arg(long, value_name = "A:B,C:D", allow_hyphen_values = true, requires = "map")]
    pub range: Option<String>,
    /// Values along each axis of the map
    #[arg(long, value_name = "N", default_value_t = 41, requires = "map", value_parser = up_to::<2000>)]
    pub grid: usize,
    /// Write the question in matrices (M, h, B, J, cones, limits) as JSON to this file, for other solvers
    #[arg(long, value_name = "FILE")]
    pub problem: Option<PathBuf>,
    /// Directions of the sphere for which the largest acceleration is written to directions.csv
    #[arg(long, value_name = "N", default_value_t = 200, value_parser = up_to::<1_000_000>)]
    pub directions: usize,
}

impl OptimizeArgs {
    /// Hops that are meant.
    pub fn hops(&self) -> usize {
        self.hops.unwrap_or(6 * self.starts.saturating_sub(1))
    }
}

/// Arguments of `carom optimize`.
#[derive(Debug, Args)]
pub struct OptimizeArgs {
    /// What is asked.
    #[command(flatten)]
    pub question: QuestionArgs,
    /// Postures to start from; the first is that of the scene
    #[arg(long, value_name = "N", default_value_t = 24, allow_hyphen_values = true, value_parser = from_one_to::<1_000_000>)]
    pub starts: usize,
    /// Further climbs from postures made of limbs of the best found so far, and from mirror images of the
    /// best; six for each start but the first if not given
    #[arg(long, value_name = "N", allow_hyphen_values = true, value_parser = up_to::<1_000_000>)]
    pub hops: Option<usize>,
    /// Seed of the random postures
    #[arg(long, value_name = "N", default_value_t = 1)]
    pub seed: u64,
    /// Optima to list
    #[arg(long, value_name = "N", default_value_t = 10)]
    pub list: usize,
}
