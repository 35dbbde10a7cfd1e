//! What is asked for, and whether a folder is about the same.

use crate::error::StudyError;
use crate::sampling::{Parameter, Vary};
use serde::{Deserialize, Serialize};
use std::path::Path;

/// Name of the file.
pub const MANIFEST: &str = "study.json";
/// What the file says it is.
const FORMAT: &str = "carom study of runs";
/// What a study of jumps says it is.
const JUMPS: &str = "carom study";

/// What is asked for: everything that the rows depend on.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Manifest {
    /// Tells what the file is.
    pub format: String,
    /// Version of carom.
    pub carom: String,
    /// The scene in `source/`.
    pub scene: String,
    /// Hash of what the scene says without its `[study]`, overrides included.
    pub scene_hash: String,
    /// Changes to the scene that all rows share.
    pub overrides: Vec<String>,
    /// The file of rows, if there is one.
    pub rows_file: Option<RowsFile>,
    /// Parameters and their values.
    pub vary: Vec<Text>,
    /// What draws depend on.
    pub seed: u64,
    /// Results.
    pub results: Vec<Text>,
    /// Condition for whole runs to be kept.
    pub keep: Option<String>,
    /// Steps after which a run is given up.
    pub step_limit: Option<u64>,
    /// Rows of a part.
    pub part_rows: u64,
    /// How many rows.
    pub rows: u64,
    /// Which part of the study this folder is.
    pub shard: Option<Shard>,
}

/// A name and what was written for it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Text {
    /// Name.
    pub name: String,
    /// What was written.
    pub value: String,
}

/// The file of rows.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct RowsFile {
    /// Its columns.
    pub names: Vec<String>,
    /// How many rows it has.
    pub rows: u64,
    /// Hash of its values.
    pub hash: String,
}

/// One of several equal parts of a study.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Shard {
    /// Which one, from 1.
    pub index: u64,
    /// Of how many.
    pub count: u64,
}

impl Shard {
    /// Reads `i/n`.
    pub fn read(text: &str) -> Option<Self> {
        let (index, count) = text.split_once('/')?;
        let (index, count) = (index.trim().parse().ok()?, count.trim().parse().ok()?);
        (1 <= index && index <= count).then_some(Self { index, count })
    }
}

impl Manifest {
    /// What the field `format` says.
    pub fn format() -> String {
        FORMAT.into()
    }

    /// The manifest of a folder; none if it has none.
    pub fn load(dir: &Path) -> Result<Option<Self>, StudyError> {
        let path = dir.join(MANIFEST);
        let text = match std::fs::read_to_string(&path) {
            Ok(text) => text,
            Err(e) if e.kind() == std::io::ErrorKind::NotFound => return Ok(None),
            Err(e) => return Err(carom_report::ReportError::io("read", &path)(e).into()),
        };
        let value: serde_json::Value = serde_json::from_str(&text).unwrap_or_default();
        if value["format"] == JUMPS {
            return Err(StudyError::Jumps { dir: dir.into() });
        }
        match serde_json::from_value::<Self>(value) {
            Ok(manifest) if manifest.format == FORMAT && manifest.part_rows > 0 => {
                Ok(Some(manifest))
            }
            _ => Err(StudyError::NotAStudy { dir: dir.into() }),
        }
    }

    /// As text.
    pub fn text(&self) -> String {
        // Names and numbers only: this cannot fail.
        serde_json::to_string_pretty(self).unwrap_or_default() + "\n"
    }

    /// How many parts the rows fill.
    pub fn parts(&self) -> u64 {
        self.rows.div_ceil(self.part_rows)
    }

    /// Rows of a part.
    pub fn rows_of(&self, part: u64) -> std::ops::Range<u64> {
        let first = part * self.part_rows;
        first..(first + self.part_rows).min(self.rows)
    }

    /// Whether a part belongs to this shard.
    pub fn owns(&self, part: u64) -> bool {
        self.shard.is_none_or(|s| part % s.count == s.index - 1)
    }

    /// Checks that `self`, found in `dir`, is the study that is asked for, but for the number of rows: those of `self`
    /// are the first of those asked for. `rows_hash` gives the hash of the first rows of the file that is asked for.
    pub fn check(
        &self,
        asked: &Self,
        dir: &Path,
        rows_hash: impl Fn(u64) -> String,
    ) -> Result<(), StudyError> {
        let other = |what: &str, there: String, asked: String| StudyError::OtherStudy {
            dir: dir.into(),
            what: what.into(),
            there,
            asked,
        };
        let same = |what: &str, there: &dyn std::fmt::Debug, asked: &dyn std::fmt::Debug| {
            let (there, asked) = (format!("{there:?}"), format!("{asked:?}"));
            if there == asked { Ok(()) } else { Err(other(what, there, asked)) }
        };
        same("scene", &self.scene_hash, &asked.scene_hash)?;
        same("version of carom", &self.carom, &asked.carom)?;
        same("list of changes to the scene", &self.overrides, &asked.overrides)?;
        let names = |m: &Self| m.vary.iter().map(|t| t.name.clone()).collect::<Vec<_>>();
        same("list of parameters", &names(self), &names(asked))?;
        for (k, (there, now)) in self.vary.iter().zip(&asked.vary).enumerate() {
            let longer = k == 0 && self.rows_file.is_none() && continues(there, now);
            if there.value != now.value && !longer {
                let what = format!("parameter `{}`", there.name);
                return Err(other(&what, there.value.clone(), now.value.clone()));
            }
        }
        same("seed", &self.seed, &asked.seed)?;
        same("list of results", &self.results, &asked.results)?;
        same("condition for runs to keep", &self.keep, &asked.keep)?;
        same("limit of steps", &self.step_limit, &asked.step_limit)?;
        same("number of rows in a part", &self.part_rows, &asked.part_rows)?;
        same("shard", &self.shard, &asked.shard)?;
        match (&self.rows_file, &asked.rows_file) {
            (Some(there), Some(now)) => {
                same("list of columns of the file of rows", &there.names, &now.names)?;
                let first = rows_hash(there.rows.min(now.rows));
                if there.rows <= now.rows && first != there.hash {
                    return Err(other("file of rows", there.hash.clone(), first));
                }
                Ok(())
            }
            (there, now) => same("file of rows", there, now),
        }
    }
}

/// Whether both are lists and the second begins with the first: on the slowest axis that adds rows at the end.
fn continues(there: &Text, now: &Text) -> bool {
    let list = |text: &Text| match Parameter::new(&text.name, &text.value).map(|p| p.vary) {
        Ok(Vary::List(values)) => values,
        _ => Vec::new(),
    };
    let (there, now) = (list(there), list(now));
    !there.is_empty() && now.starts_with(&there)
}
