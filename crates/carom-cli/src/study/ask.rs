//! Arguments and `[study]` as what `carom_study` takes.

use std::path::{Path, PathBuf};

use carom_scene::Scene;
use carom_study::dataset::Shard;
use carom_study::results::Limits;
use carom_study::sampling::{Parameter, Plan, RowTable};
use carom_study::{Ask, Study, StudyError};

use crate::args::StudyArgs;
use crate::job;

/// What is asked for of a study; what is left open is said by the scene.
#[derive(Debug, Clone, Default)]
pub struct Wanted {
    /// What varies.
    pub vary: Vec<Parameter>,
    /// A file of rows.
    pub rows: Option<PathBuf>,
    /// Names and expressions.
    pub results: Vec<(String, String)>,
    /// Names of results that are functions, and what tells each from others.
    pub functions: Vec<(String, String)>,
    /// Condition for whole runs to be kept.
    pub keep: Option<String>,
    /// How many rows.
    pub samples: Option<u64>,
    /// What draws depend on.
    pub seed: Option<u64>,
    /// When a run is given up.
    pub limits: Limits,
    /// Rows of a part.
    pub part_rows: Option<u64>,
    /// Which part of the study.
    pub shard: Option<Shard>,
}

impl Wanted {
    /// What the arguments say.
    pub fn of(args: &StudyArgs) -> Result<Self, StudyError> {
        Ok(Self {
            vary: args.vary.iter().map(|text| Parameter::read(text)).collect::<Result<_, _>>()?,
            rows: args.rows.clone(),
            results: args.results.iter().map(|text| named(text)).collect::<Result<_, _>>()?,
            functions: Vec::new(),
            keep: args.keep.clone(),
            samples: args.samples,
            seed: args.seed,
            limits: Limits { time: args.time_limit, steps: args.step_limit },
            part_rows: args.part_rows,
            shard: args.shard,
        })
    }

    /// The study of a scene that was read from `file` with `overrides`.
    pub fn study(
        self,
        scene: &Scene,
        file: &Path,
        overrides: &[String],
    ) -> Result<Study, StudyError> {
        let said = scene.runs.clone().unwrap_or_default();
        let parameters = match self.vary.is_empty() {
            false => self.vary,
            true => {
                let read = said.vary.iter().map(|(name, text)| Parameter::new(name, text));
                read.collect::<Result<_, _>>()?
            }
        };
        let beside = |name: &String| file.parent().unwrap_or(Path::new("")).join(name);
        let rows = self.rows.or(said.rows.as_ref().map(beside));
        let table = rows.map(|path| RowTable::load(&path)).transpose()?;
        let seed = self.seed.or(said.seed).unwrap_or(1);
        let plan = Plan::new(parameters, table, self.samples.or(said.samples), seed)?;
        let own = self.results.is_empty() && self.functions.is_empty();
        let path = file.display().to_string();
        let name = job::keep(scene, file).first().map_or(path.clone(), |file| file.name.clone());
        let text = scene.files.first().map_or("", |file| &file.text);
        let usual = Ask::of_scene(text, path);
        Study::new(Ask {
            name,
            overrides: overrides.to_vec(),
            plan,
            results: if own { said.results } else { self.results },
            functions: self.functions,
            keep: self.keep.or(said.keep),
            limits: Limits {
                time: self.limits.time.or(said.time_limit),
                steps: self.limits.steps.or(said.step_limit),
            },
            part_rows: self.part_rows.or(said.part_rows).unwrap_or(usual.part_rows),
            shard: self.shard,
            ..usual
        })
    }
}

/// `NAME=EXPRESSION` as both.
fn named(text: &str) -> Result<(String, String), StudyError> {
    let found = text.split_once('=').filter(|(name, _)| !name.trim().is_empty());
    match found {
        Some((name, value)) => Ok((name.trim().into(), value.trim().into())),
        None => Err(StudyError::Values {
            name: "--result".into(),
            text: text.into(),
            expected: "NAME=EXPRESSION",
        }),
    }
}
