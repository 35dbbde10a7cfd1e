//! A run in memory, written into a folder: the files that [`RunWriter`](super::RunWriter) leaves behind.
//!
//! # Tests
//! `tests/write_and_read.rs`: `a_run_in_memory_is_stored_as_it_would_be_written`.

use super::account::Account;
use super::columns::Columns;
use super::csv::CsvWriter;
use super::disk::FileRecord;
use super::event_line::EventWriter;
use super::folder::{CSV, EVENTS, Folder, MANIFEST, NPZ, SUMMARY, TRAJECTORY};
use super::job::Manifest;
use super::npz::write_npz;
use super::summary::Summary;
use super::trajectory::{Heading, TrajectoryWriter};
use super::writer::{Extras, notes};
use crate::error::ReportError;
use carom::contact::sites;
use std::path::Path;

impl Account {
    /// Writes the run into a folder, which must be new, empty or that of an earlier run.
    pub fn save(&self, dir: impl AsRef<Path>, extras: Extras) -> Result<Summary, ReportError> {
        let folder = Folder::claim(dir.as_ref())?;
        let job = &self.summary.job;
        folder.write_json(MANIFEST, &Manifest::new(job.clone(), &self.files))?;
        folder.write_sources(&self.files)?;
        let columns =
            Columns::new(&self.scene.model, &sites(&self.scene.model)).with_torques(&job.actuators);
        let heading = Heading::new(&columns, notes(&columns, job));
        let mut trajectory = TrajectoryWriter::create(folder.file(TRAJECTORY), heading)?;
        let mut csv = match extras.csv {
            true => Some(CsvWriter::create(folder.file(CSV), &columns)?),
            false => None,
        };
        for k in 0..self.table.len() {
            let row: Vec<f64> = self.table.numbers.iter().map(|c| c.values[k]).collect();
            let modes: Vec<u8> = self.table.modes.iter().map(|(_, codes)| codes[k]).collect();
            trajectory.push(&row, &modes)?;
            csv.as_mut().map_or(Ok(()), |csv| csv.push(&row, &modes))?;
        }
        let mut events = EventWriter::create(folder.file(EVENTS))?;
        self.events.iter().try_for_each(|event| events.push(event))?;
        let mut summary = self.summary.clone();
        summary.files.clear();
        summary.files.insert(TRAJECTORY.into(), trajectory.finish()?);
        summary.files.insert(EVENTS.into(), events.finish()?);
        if let Some(csv) = csv {
            summary.files.insert(CSV.into(), csv.finish()?);
        }
        if extras.npz {
            let path = folder.file(NPZ);
            write_npz(&folder.file(TRAJECTORY), &path)?;
            summary.files.insert(NPZ.into(), FileRecord::of(&path)?);
        }
        folder.write_sealed(SUMMARY, &summary)?;
        folder.remove_checkpoint()?;
        Ok(summary)
    }
}
