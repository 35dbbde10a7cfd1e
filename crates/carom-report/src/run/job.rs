//! `run.json`: what was asked for, written before time starts.
//!
//! Its `format` marks a folder as a run. Together with the copied scene it is enough to repeat the
//! run: `repeat` is the command, to be given inside the folder.

use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// What `format` says in the files of a run.
pub const FORMAT: &str = "carom run";
/// Version of the files; grows when a reader of older ones would be misled.
pub const FORMAT_VERSION: u32 = 1;

/// The scene of a run.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
pub struct SceneRecord {
    /// Name of the file, as it was given.
    pub name: String,
    /// Title that the scene states.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub title: Option<String>,
    /// Hash of its text, overrides and included files.
    pub hash: String,
    /// Overrides `path=value` in the order in which they were applied.
    pub overrides: Vec<String>,
}

/// An impact law by its words.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
pub struct LawRecord {
    /// Formulation as in `carom laws`.
    pub formulation: String,
    /// Its options, defaults included.
    #[serde(flatten)]
    pub options: BTreeMap<String, serde_json::Value>,
}

/// The law of one pair.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
pub struct PairLawRecord {
    /// The pair.
    pub pair: String,
    /// Its law.
    pub law: LawRecord,
}

/// The laws of a run.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
pub struct LawsRecord {
    /// The law of the scene.
    pub scene: LawRecord,
    /// Pairs with a law of their own.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub pairs: Vec<PairLawRecord>,
    /// What happens where colliding contacts have different laws.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub mixed: Option<String>,
}

/// Surface values in force of one pair, and where they come from.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
pub struct SurfaceRecord {
    /// The pair.
    pub pair: String,
    /// Restitution e in force.
    pub restitution: f64,
    /// Where it comes from.
    pub restitution_from: String,
    /// Dynamic friction μd in force.
    pub friction: f64,
    /// Static friction μs in force.
    pub static_friction: f64,
    /// Where both come from.
    pub friction_from: String,
}

/// A motor that controllers command.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
pub struct ActuatorRecord {
    /// Its name.
    pub name: String,
    /// The name of its coordinate.
    pub joint: String,
    /// Least force, N·m or N; none if unbounded.
    pub lower: Option<f64>,
    /// Largest force, N·m or N; none if unbounded.
    pub upper: Option<f64>,
    /// Unit of its force.
    pub unit: String,
}

/// Options in force.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
pub struct OptionsRecord {
    /// Time asked for at the end, s.
    pub until: f64,
    /// Integrator.
    pub method: String,
    /// Relative tolerance; none for a fixed step.
    pub rtol: Option<f64>,
    /// Absolute tolerance; none for a fixed step.
    pub atol: Option<f64>,
    /// Step of a fixed-step method, s.
    pub step: Option<f64>,
    /// Longest step, s, if bounded.
    pub max_step: Option<f64>,
    /// Fraction of the time so far below which accumulating impacts end.
    pub zeno: f64,
    /// Time between samples, s; none: every step.
    pub output_interval: Option<f64>,
    /// Whether rules of the safety net end the run.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub strict: bool,
    /// `projected` if events of friction are projected over fixed steps; none if they are located.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub friction_events: Option<String>,
    /// Duration of impacts for which forces are estimated, s.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub impact_duration: Option<f64>,
}

/// What was asked for.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
pub struct Job {
    /// The scene.
    pub scene: SceneRecord,
    /// Impact laws.
    pub law: LawsRecord,
    /// Surface values in force.
    pub surfaces: Vec<SurfaceRecord>,
    /// Motors, if controllers command them, in the order of the columns `torque.NAME`.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub actuators: Vec<ActuatorRecord>,
    /// Options in force.
    pub options: OptionsRecord,
    /// Command that repeats the run, inside the folder.
    pub repeat: String,
}

/// A file of the scene, to be kept with the run.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SourceFile {
    /// File name within the folder `source`.
    pub name: String,
    /// Its text.
    pub text: String,
}

/// The contents of `run.json`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Manifest {
    /// Always `carom run`.
    pub format: String,
    /// Version of the format, of the writer.
    pub format_version: u32,
    /// Version of carom.
    pub carom: String,
    /// Names of the copies in `source/`.
    #[serde(default)]
    pub sources: Vec<String>,
    /// What was asked for.
    #[serde(flatten)]
    pub job: Job,
}

impl Manifest {
    /// The manifest of a job under this version, and of the copies that are kept.
    pub fn new(job: Job, sources: &[SourceFile]) -> Self {
        Self {
            format: FORMAT.into(),
            format_version: FORMAT_VERSION,
            carom: env!("CARGO_PKG_VERSION").into(),
            sources: sources.iter().map(|s| s.name.clone()).collect(),
            job,
        }
    }
}
