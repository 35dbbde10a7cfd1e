//! All that is known of a run.

use super::event_line::EventLine;
use super::folder::{SourceFile, TRAJECTORY};
use super::saved::SavedRun;
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
    /// Reads the folder of a finished run.
    pub fn load(dir: impl AsRef<Path>) -> Result<Self, ReportError> {
        let dir = dir.as_ref();
        let (summary, events) = SavedRun::load_events(dir)?;
        let SavedScene { scene, files, .. } = SavedScene::load(dir, &summary)?;
        let table = Table::read(&dir.join(TRAJECTORY))?;
        Ok(Self { scene, files, summary, table, events })
    }
}
