//! All that is known of a run.

use super::care::Care;
use super::columns::Columns;
use super::disk::FileRecord;
use super::event_line::EventLine;
use super::fit::Fit;
use super::folder::{EVENTS, TRAJECTORY};
use super::job::SourceFile;
use super::saved::read_summary_and_events;
use super::saved_scene::SavedScene;
use super::summary::Summary;
use super::table::Table;
use crate::error::ReportError;
use carom_scene::Scene;
use std::path::Path;

/// All that is known of a run, from its folder or from memory.
#[derive(Debug, Clone, PartialEq)]
pub struct Account {
    /// The scene that was run, overrides included.
    pub scene: Scene,
    /// Its files, the scene first.
    pub files: Vec<SourceFile>,
    /// How the run ended and what was asked for.
    pub summary: Summary,
    /// Samples.
    pub table: Table,
    /// Events in order of time.
    pub events: Vec<EventLine>,
}

impl Account {
    /// Reads the folder of a finished run; any damage is an error.
    pub fn load(dir: impl AsRef<Path>) -> Result<Self, ReportError> {
        Self::read(dir.as_ref(), &mut Care::strict())
    }

    /// The same of a run that may be damaged: what can still be read, and what is wrong.
    pub fn load_damaged(dir: impl AsRef<Path>) -> Result<(Self, Vec<ReportError>), ReportError> {
        let mut care = Care::lenient();
        let account = Self::read(dir.as_ref(), &mut care)?;
        Ok((account, care.passed()))
    }

    fn read(dir: &Path, care: &mut Care) -> Result<Self, ReportError> {
        let (mut summary, mut events) = read_summary_and_events(dir, care)?;
        let SavedScene { scene, files, .. } = SavedScene::load(dir, &summary)?;
        let path = dir.join(TRAJECTORY);
        let groups = whole_groups(&path, summary.files.get(TRAJECTORY), care)?;
        let mut table = Table::read(&path, groups, care)?;
        let fit = Fit::new(&scene.model);
        let expected = Columns::new(&scene.model, &fit.sites).with_torques(&summary.job.actuators);
        fit.rows(&mut table, (&path, &expected), care)?;
        fit.events(&mut events, &dir.join(EVENTS), care)?;
        let (expected, found) = (summary.counts.samples, table.len() as u64);
        if expected != found {
            care.meet(ReportError::Count { path, what: "samples", expected, found })?;
        }
        if table.is_empty() {
            return Err(ReportError::NoSamples { dir: dir.into() });
        }
        // Of the folder, not of the run: a run in memory has no files.
        summary.files.clear();
        Ok(Self { scene, files, summary, table, events })
    }
}

/// How many row groups of a trajectory can be read. Its format is not made for damage, so nothing that
/// is damaged is read, and nothing at all if the table of contents at its end is.
fn whole_groups(
    path: &Path,
    record: Option<&FileRecord>,
    care: &mut Care,
) -> Result<usize, ReportError> {
    let Some(record) = record else { return Ok(usize::MAX) };
    let Err(damage) = record.check(path) else { return Ok(usize::MAX) };
    match record.whole_parts(path)? {
        Some(groups) => care.meet(damage).map(|()| groups),
        None => Err(damage),
    }
}
