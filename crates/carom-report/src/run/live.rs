//! A run kept in memory while it goes.

use super::account::Account;
use super::columns::Columns;
use super::digest::Digest;
use super::event_line::{EventLine, body_names};
use super::impact_force::ImpactForces;
use super::job::{Job, SourceFile};
use super::summary::Summary;
use super::table::Rows;
use super::tally::Tally;
use carom::contact::{Site, sites};
use carom::hybrid::{Outcome, SimError};
use carom::model::Model;
use carom::record::{Directive, Event, Observer, Sample};
use carom_scene::Scene;
use std::time::Duration;

/// An observer that keeps what [`crate::RunWriter`] writes, for a document without a folder.
///
/// Memory is bounded: once there is no more room nothing is kept, the run is stopped, and its summary
/// says `observer`.
pub struct LiveRun {
    job: Job,
    files: Vec<SourceFile>,
    sites: Vec<Site>,
    actuators: Vec<String>,
    bodies: Vec<String>,
    forces: Option<ImpactForces>,
    columns: Columns,
    rows: Rows,
    events: Vec<EventLine>,
    digest: Digest,
    tally: Tally,
    room: usize,
    /// Numbers that are kept so far.
    kept: usize,
    row: Vec<f64>,
    modes: Vec<u8>,
}

impl LiveRun {
    /// Numbers that a run may have unless told otherwise, 256 MB.
    pub const ROOM: usize = 1 << 25;

    /// An empty run of a model, for what was asked and the files of its scene.
    pub fn new(model: &Model, job: Job, files: Vec<SourceFile>) -> Self {
        let sites = sites(model);
        let columns = Columns::new(model, &sites).with_torques(&job.actuators);
        Self {
            forces: job.options.impact_duration.map(|time| ImpactForces::new(model, time)),
            actuators: job.actuators.iter().map(|a| a.name.clone()).collect(),
            job,
            files,
            rows: Rows::default(),
            bodies: body_names(model),
            sites,
            columns,
            events: Vec::new(),
            digest: Digest::default(),
            tally: Tally::default(),
            room: Self::ROOM,
            kept: 0,
            row: Vec::new(),
            modes: Vec::new(),
        }
    }

    /// The same with room for so many numbers.
    pub fn room(mut self, numbers: usize) -> Self {
        self.room = numbers;
        self
    }

    /// Events so far.
    pub fn events(&self) -> u64 {
        self.tally.counts.events
    }

    /// The last event.
    pub fn last_event(&self) -> Option<&EventLine> {
        self.events.last()
    }

    /// The account of the run, however it ended; `scene` is the one that was run.
    pub fn finish(
        self,
        scene: Scene,
        result: &Result<Outcome, SimError>,
        interrupted: bool,
        wall_time: Duration,
    ) -> Account {
        let summary = Summary::of(self.job).close(
            (self.tally, &self.digest),
            &self.sites,
            result,
            (interrupted, wall_time),
        );
        let table = self.rows.table(&self.columns);
        let Self { files, events, .. } = self;
        Account { scene, files, summary, table, events }
    }

    /// How many samples such a run has room for.
    pub fn samples(&self) -> usize {
        self.room / self.columns.numbers.len().max(1)
    }

    /// Takes room for so many numbers; once there is none left nothing more is kept.
    fn take(&mut self, numbers: usize) -> Directive {
        if self.kept > self.room {
            return Directive::Stop;
        }
        self.kept += numbers;
        Directive::Continue
    }
}

impl Observer for LiveRun {
    fn sample(&mut self, sample: &Sample<'_>) -> Directive {
        if self.take(self.columns.numbers.len()) == Directive::Stop {
            return Directive::Stop;
        }
        self.digest.sample(sample);
        self.tally.sample(sample);
        self.columns.fill(sample, &mut self.row, &mut self.modes);
        self.rows.push(&self.row, &self.modes);
        Directive::Continue
    }

    fn site(&mut self, _: usize, site: &Site) {
        self.sites.push(site.clone());
    }

    fn event(&mut self, event: &Event) -> Directive {
        let numbers = event.q.len() + 2 * event.v_pre.len() + 24 * event.contacts.len() + 24;
        if self.take(numbers) == Directive::Stop {
            return Directive::Stop;
        }
        self.digest.event(event);
        self.tally.event(event);
        let line = EventLine::new(event, &self.sites);
        let line = line.with_bodies(event, &self.bodies).with_actuators(event, &self.actuators);
        self.events.push(line.with_forces(self.forces.as_ref()));
        Directive::Continue
    }
}
