//! Arguments and `[study]` as what `carom_study` takes.

use std::path::Path;

use carom_report::ReportError;
use carom_scene::Scene;
use carom_study::results::Limits;
use carom_study::sampling::{Parameter, Plan, RowTable};
use carom_study::{Ask, Study, StudyError};

use crate::args::{SceneArgs, StudyArgs};
use crate::job;

/// The study that the arguments ask for; what they do not say is said by the scene.
pub fn study(scene: &Scene, given: &SceneArgs, args: &StudyArgs) -> Result<Study, StudyError> {
    let said = scene.runs.clone().unwrap_or_default();
    let parameters = match args.vary.is_empty() {
        false => args.vary.iter().map(|text| Parameter::read(text)).collect::<Result<_, _>>()?,
        true => {
            let read = said.vary.iter().map(|(name, text)| Parameter::new(name, text));
            read.collect::<Result<_, _>>()?
        }
    };
    let beside = |name: &String| given.file.parent().unwrap_or(Path::new("")).join(name);
    let rows = args.rows.clone().or(said.rows.as_ref().map(beside));
    let table = rows.map(|path| RowTable::load(&path)).transpose()?;
    let seed = args.seed.or(said.seed).unwrap_or(1);
    let plan = Plan::new(parameters, table, args.samples.or(said.samples), seed)?;
    let results = match args.results.is_empty() {
        false => args.results.iter().map(|text| named(text)).collect::<Result<_, _>>()?,
        true => said.results,
    };
    let path = given.file.display().to_string();
    let text =
        std::fs::read_to_string(&given.file).map_err(ReportError::io("read", &given.file))?;
    let sources = job::keep(scene, &given.file);
    let name = sources.first().map_or(path.clone(), |file| file.name.clone());
    let usual = Ask::of_scene(text, path);
    Study::new(Ask {
        name,
        overrides: given.overrides.clone(),
        plan,
        results,
        keep: args.keep.clone().or(said.keep),
        limits: Limits {
            time: args.time_limit.or(said.time_limit),
            steps: args.step_limit.or(said.step_limit),
        },
        part_rows: args.part_rows.or(said.part_rows).unwrap_or(usual.part_rows),
        shard: args.shard,
        ..usual
    })
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
