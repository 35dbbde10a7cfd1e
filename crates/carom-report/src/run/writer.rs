//! A run on its way to disk: an observer that writes everything as it comes.
//!
//! ```text
//! create:  run.json, source/          what was asked for
//! observe: trajectory.parquet, events.jsonl, trajectory.csv      as the run goes
//!          trajectory.journal, trajectory.so_far, checkpoint.json about once a second
//! finish:  trajectory.npz, summary.json                          however the run ended
//! ```
//! A run whose process is killed before it can finish is brought back to its last checkpoint by
//! [`crate::recover()`].
//!
//! Memory does not grow with the length of the run. If the disk refuses, the run is stopped. Where its
//! files can be completed all the same, they are, and `summary.json` says `error` and why; where not,
//! journal and checkpoint stay, and [`crate::recover()`] completes the folder once there is room. In both
//! cases [`RunWriter::finish`] returns the first error.

use super::columns::Columns;
use super::csv::CsvWriter;
use super::digest::Digest;
use super::disk::FileRecord;
use super::event_line::{EventLine, EventWriter, body_names};
use super::folder::{
    CHECKPOINT, CSV, EVENTS, Folder, JOURNAL, MANIFEST, NPZ, SO_FAR, SUMMARY, TRAJECTORY,
};
use super::impact_force::ImpactForces;
use super::job::{Job, Manifest, SourceFile};
use super::npz::write_npz;
use super::pace::Pace;
use super::summary::{StopRecord, Summary};
use super::tally::Tally;
use super::trajectory::{Heading, TrajectoryWriter, UNITS};
use crate::error::ReportError;
use carom::contact::{Site, sites};
use carom::hybrid::{Outcome, SimError};
use carom::model::Model;
use carom::record::{Directive, Event, Observer, Sample};
use std::path::Path;
use std::time::Duration;

/// Files beside Parquet, events and summary.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Extras {
    /// `trajectory.csv`.
    pub csv: bool,
    /// `trajectory.npz`.
    pub npz: bool,
}

/// Writes a run into its folder.
pub struct RunWriter {
    folder: Folder,
    pace: Pace,
    job: Job,
    sites: Vec<Site>,
    actuators: Vec<String>,
    bodies: Vec<String>,
    forces: Option<ImpactForces>,
    columns: Columns,
    trajectory: TrajectoryWriter,
    events: EventWriter,
    csv: Option<CsvWriter>,
    npz: bool,
    digest: Digest,
    tally: Tally,
    row: Vec<f64>,
    modes: Vec<u8>,
    failed: Option<ReportError>,
    advice: Option<String>,
}

impl RunWriter {
    /// Takes the folder (see [`super::folder`]) and writes what was asked for.
    pub fn create(
        dir: impl AsRef<Path>,
        model: &Model,
        job: Job,
        sources: &[SourceFile],
        extras: Extras,
    ) -> Result<Self, ReportError> {
        let folder = Folder::claim(dir.as_ref())?;
        folder.write_json(MANIFEST, &Manifest::new(job.clone(), sources))?;
        folder.write_sources(sources)?;
        let sites = sites(model);
        let actuators = job.actuators.iter().map(|a| a.name.clone()).collect();
        let forces = job.options.impact_duration.map(|time| ImpactForces::new(model, time));
        let columns = Columns::new(model, &sites).with_torques(&job.actuators);
        let notes = notes(&columns, &job);
        let heading = Heading::new(&columns, notes);
        let trajectory = TrajectoryWriter::create(folder.file(TRAJECTORY), heading)?;
        let csv = match extras.csv {
            true => Some(CsvWriter::create(folder.file(CSV), &columns)?),
            false => None,
        };
        Ok(Self {
            events: EventWriter::create(folder.file(EVENTS))?,
            folder,
            pace: Pace::default(),
            job,
            sites,
            actuators,
            bodies: body_names(model),
            forces,
            columns,
            trajectory,
            csv,
            npz: extras.npz,
            digest: Digest::default(),
            tally: Tally::default(),
            row: Vec::new(),
            modes: Vec::new(),
            failed: None,
            advice: None,
        })
    }

    /// Sets the time between checkpoints, one second at first. Nothing that was recorded longer ago is
    /// lost if the process is killed.
    pub fn checkpoint_every(&mut self, interval: Duration) {
        self.pace.set(interval);
    }

    /// What may be done about a failure, where more is known than the error itself says.
    pub fn advise(&mut self, hint: String) {
        self.advice = Some(hint);
    }

    /// Events so far.
    pub fn events(&self) -> u64 {
        self.tally.counts.events
    }

    /// Completes all files, however the run ended, and returns the summary.
    pub fn finish(
        self,
        result: &Result<Outcome, SimError>,
        interrupted: bool,
        wall_time: Duration,
    ) -> Result<Summary, ReportError> {
        let mut summary = Summary::of(self.job).close(
            (self.tally, &self.digest),
            &self.sites,
            result,
            (interrupted, wall_time),
        );
        if let (Some(_), Some(better)) = (&summary.stop.hint, self.advice) {
            summary.stop.hint = Some(better);
        }
        // Every file is completed before the first error is returned.
        let files = [
            self.trajectory.finish().map(|record| (TRAJECTORY, record)),
            self.events.finish().map(|record| (EVENTS, record)),
        ];
        let csv = self.csv.map(CsvWriter::finish).transpose();
        let mut files: Vec<(&str, FileRecord)> = match files.into_iter().collect() {
            Ok(files) => files,
            Err(error) => return Err(self.failed.unwrap_or(error)),
        };
        let mut failed = self.failed;
        match csv {
            Ok(record) => files.extend(record.map(|record| (CSV, record))),
            // The same is in the Parquet file.
            Err(error) => _ = failed.get_or_insert(error),
        }
        summary.files = files.into_iter().map(|(name, record)| (name.into(), record)).collect();
        if let Some(error) = failed {
            summary.stop = refused(&error, summary.stop.t);
            self.folder.write_sealed(SUMMARY, &summary)?;
            return Err(error);
        }
        if self.npz {
            let path = self.folder.file(NPZ);
            write_npz(&self.folder.file(TRAJECTORY), &path)?;
            summary.files.insert(NPZ.into(), FileRecord::of(&path)?);
        }
        self.folder.write_sealed(SUMMARY, &summary)?;
        self.folder.remove_checkpoint()?;
        Ok(summary)
    }

    /// A checkpoint if it is time for one.
    fn keep_safe(&mut self) -> Result<(), ReportError> {
        if self.failed.is_some() || !self.pace.is_due() {
            return Ok(());
        }
        let result = self.checkpoint();
        self.pace.done();
        result
    }

    /// Brings everything so far to the disk; the record of it comes last.
    fn checkpoint(&mut self) -> Result<(), ReportError> {
        self.events.checkpoint()?;
        if let Some(csv) = &mut self.csv {
            csv.checkpoint()?;
        }
        self.trajectory.checkpoint(&self.folder.file(JOURNAL))?;
        self.trajectory.so_far(&self.folder.file(SO_FAR))?;
        let counted = (self.tally.clone(), &self.digest);
        let summary =
            Summary::so_far(self.job.clone(), counted, &self.sites, self.pace.since_start());
        self.folder.write_json(CHECKPOINT, &summary)
    }

    /// Keeps the first error and stops the run on it.
    fn note(&mut self, result: Result<(), ReportError>) -> Directive {
        if let Err(error) = result {
            self.failed.get_or_insert(error);
        }
        if self.failed.is_some() { Directive::Stop } else { Directive::Continue }
    }

    fn write_row(&mut self) -> Result<(), ReportError> {
        // The Parquet file last: what it has is what counts.
        if let Some(csv) = &mut self.csv {
            csv.push(&self.row, &self.modes)?;
        }
        self.trajectory.push(&self.row, &self.modes)
    }
}

impl Observer for RunWriter {
    fn sample(&mut self, sample: &Sample<'_>) -> Directive {
        if self.failed.is_some() {
            return Directive::Stop;
        }
        self.columns.fill(sample, &mut self.row, &mut self.modes);
        let written = self.write_row();
        // What did not reach its file is not counted.
        if written.is_ok() {
            self.digest.sample(sample);
            self.tally.sample(sample);
        }
        let written = written.and_then(|()| self.keep_safe());
        self.note(written)
    }

    fn step(&mut self, _: f64) -> Directive {
        let written = self.keep_safe();
        self.note(written)
    }

    fn site(&mut self, _: usize, site: &Site) {
        self.sites.push(site.clone());
    }

    fn event(&mut self, event: &Event) -> Directive {
        if self.failed.is_some() {
            return Directive::Stop;
        }
        let line = EventLine::new(event, &self.sites)
            .with_bodies(event, &self.bodies)
            .with_actuators(event, &self.actuators)
            .with_forces(self.forces.as_ref());
        let written = self.events.push(&line);
        if written.is_ok() {
            self.digest.event(event);
            self.tally.event(event);
        }
        self.note(written)
    }
}

/// The ending of a run whose files the disk refused.
fn refused(error: &ReportError, t: f64) -> StopRecord {
    StopRecord {
        reason: "error".into(),
        t,
        message: Some(error.to_string()),
        hint: Some(error.hint().into()),
        ..StopRecord::default()
    }
}

/// Notes in the footer of the Parquet file: units by column, scene.
pub(super) fn notes(columns: &Columns, job: &Job) -> Vec<(String, String)> {
    let units: serde_json::Map<String, serde_json::Value> =
        columns.numbers.iter().map(|c| (c.name.clone(), c.unit.into())).collect();
    vec![
        (UNITS.into(), serde_json::Value::from(units).to_string()),
        ("carom.scene".into(), job.scene.name.clone()),
        ("carom.scene_hash".into(), job.scene.hash.clone()),
    ]
}
