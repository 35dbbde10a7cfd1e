//! What is done with a dataset.

use std::collections::BTreeMap;
use std::path::Path;
use std::process::ExitCode;

use carom_scene::short_number;
use carom_study::dataset::{self, Column, Manifest, Reader, SOURCE};
use carom_study::sampling::{Parameter, Plan};
use carom_study::{StudyError, dataset::Merged};

use super::runs::run_name;
use crate::args::{StudyFolderArgs, StudyMergeArgs, StudyRowArgs};
use crate::exit;
use crate::job::quoted;

/// `carom study show`: what the dataset holds.
pub fn show(args: &StudyFolderArgs) -> Result<ExitCode, StudyError> {
    let reader = Reader::open(&args.folder)?;
    let manifest = &reader.manifest;
    let mut text = format!(
        "{} of {} rows in {} files, scene {}, seed {}\n",
        reader.rows()?,
        manifest.rows,
        reader.parts().len(),
        manifest.scene,
        manifest.seed
    );
    let all: Vec<usize> = (0..reader.names.len()).collect();
    let mut sums: Vec<Sum> = vec![Sum::default(); all.len()];
    for part in 0..reader.parts().len() {
        for (sum, column) in sums.iter_mut().zip(reader.read(part, &all)?) {
            sum.add(column);
        }
    }
    let width = reader.names.iter().map(|n| n.chars().count()).max().unwrap_or(0);
    for (name, sum) in reader.names.iter().zip(&sums) {
        text.push_str(&format!("{name:width$}  {}\n", sum.words()));
    }
    Ok(exit::print_all(&text))
}

/// What a column holds.
#[derive(Debug, Clone, Default)]
struct Sum {
    count: u64,
    missing: u64,
    least: f64,
    most: f64,
    total: f64,
    /// Texts and how often they come; of many only some.
    texts: BTreeMap<String, u64>,
}

/// Different texts that are told.
const TOLD: usize = 8;

impl Sum {
    fn add(&mut self, column: Column) {
        match column {
            Column::Numbers(all) => {
                for x in all {
                    if x.is_nan() {
                        self.missing += 1;
                        continue;
                    }
                    (self.least, self.most) = match self.count {
                        0 => (x, x),
                        _ => (self.least.min(x), self.most.max(x)),
                    };
                    self.count += 1;
                    self.total += x;
                }
            }
            Column::Texts(all) => {
                for text in all {
                    let Some(text) = text else {
                        self.missing += 1;
                        continue;
                    };
                    if self.texts.len() <= TOLD || self.texts.contains_key(&text) {
                        *self.texts.entry(text).or_default() += 1;
                    }
                }
            }
        }
    }

    fn words(&self) -> String {
        let missing = match self.missing {
            0 => String::new(),
            n => format!(", {n} null"),
        };
        if self.texts.len() > TOLD {
            return format!("many texts{missing}");
        }
        if !self.texts.is_empty() {
            let one = |(text, count): (&String, &u64)| format!("{text} ({count})");
            return self.texts.iter().map(one).collect::<Vec<_>>().join(", ") + &missing;
        }
        if self.count == 0 {
            return "nothing".into();
        }
        let mean = short_number(self.total / self.count as f64);
        let ends = (short_number(self.least), short_number(self.most));
        format!("{} to {}, mean {mean}{missing}", ends.0, ends.1)
    }
}

/// `carom study row`: the command that repeats the run of a row.
pub fn row(args: &StudyRowArgs) -> Result<ExitCode, StudyError> {
    let dir = &args.folder;
    let missing = || StudyError::NotAStudy { dir: dir.clone() };
    let manifest = Manifest::load(dir)?.ok_or_else(missing)?;
    let last = manifest.rows.saturating_sub(1);
    if args.row > last {
        return Err(StudyError::NoRow { row: args.row, last });
    }
    let mut command = format!(
        "carom run {}",
        quoted(&dir.join(SOURCE).join(&manifest.scene).display().to_string())
    );
    for change in manifest.overrides.iter().chain(&changes(&manifest, dir, args.row)?) {
        command.push_str(&format!(" --set {}", quoted(change)));
    }
    command.push_str(&format!(" --out {}\n", run_name(args.row)));
    Ok(exit::print_all(&command))
}

/// The changes to the scene that a row is; of a study of a file of rows they are in the dataset only.
pub fn changes(manifest: &Manifest, dir: &Path, row: u64) -> Result<Vec<String>, StudyError> {
    if manifest.rows_file.is_none() {
        let parameters = manifest.vary.iter().map(|t| Parameter::new(&t.name, &t.value));
        let parameters = parameters.collect::<Result<_, _>>()?;
        let plan = Plan::new(parameters, None, Some(manifest.rows), manifest.seed)?;
        return Ok(plan.overrides(&plan.values(row)));
    }
    let reader = Reader::open(dir)?;
    let file = manifest.rows_file.iter().flat_map(|f| &f.names);
    let names: Vec<&String> = file.chain(manifest.vary.iter().map(|t| &t.name)).collect();
    let first = row / manifest.part_rows * manifest.part_rows;
    let name = format!("part-{first:012}.parquet");
    let part = reader.parts().iter().position(|p| p.file_name().is_some_and(|n| *n == *name));
    let absent = StudyError::NoRow { row, last: reader.rows()?.saturating_sub(1) };
    let part = part.ok_or(absent)?;
    let places = names.iter().map(|n| reader.place(n)).collect::<Result<Vec<_>, _>>()?;
    let columns = reader.read(part, &places)?;
    let numbers = reader.read(part, &[reader.place("row")?])?.remove(0).numbers();
    let at = numbers.iter().position(|n| *n == row as f64);
    let at = at.ok_or(StudyError::NoRow { row, last: manifest.rows.saturating_sub(1) })?;
    let value = |column: &Column| match column {
        Column::Numbers(all) => carom_study::sampling::Value::Number(all[at]).to_string(),
        Column::Texts(all) => all[at].clone().unwrap_or_default(),
    };
    let changes = names.iter().zip(&columns).filter(|(name, _)| !name.starts_with('$'));
    Ok(changes.map(|(name, column)| format!("{name}={}", value(column))).collect())
}

/// `carom study merge`: shards to one dataset.
pub fn merge(args: &StudyMergeArgs) -> Result<ExitCode, StudyError> {
    let Merged { rows, wanted, missing } = dataset::merge(&args.out, &args.shards)?;
    exit::say(format_args!("{}: {rows} of {wanted} rows", args.out.display()));
    let Some(first) = missing.first() else { return Ok(ExitCode::SUCCESS) };
    let parts = missing.len();
    exit::say(format_args!(
        "{parts} of the parts are missing or not whole, the first begins with row {first}: finish the shards and merge \
         again, or give `carom study` this folder without --shard"
    ));
    Ok(ExitCode::from(exit::STOPPED))
}
