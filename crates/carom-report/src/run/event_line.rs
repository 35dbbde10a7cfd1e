//! `events.jsonl`: one JSON object per event.
//!
//! | key | meaning | unit |
//! |---|---|---|
//! | `t` | time | s |
//! | `kind` | `impact`, `jam`, `close`, `touch`, `lift-off`, `slip-stop`, `slip-start`, `slip-reversal`, `saturation`, `switch`, `step`, `rest` | – |
//! | `contacts` | what each contact that took part did, see [`ContactLine`] | |
//! | `actuators` | motors that met or left a limit, see [`ActuatorLine`] | |
//! | `bodies` | those that took part, where a scene has many; what follows is then theirs alone | |
//! | `q` | coordinates | per joint |
//! | `velocity_before`, `velocity_after` | velocities of the mechanism | per joint |
//! | `energy_before`, `energy_after` | kinetic energy | J |
//! | `attenuation_work` | of energy control by attenuation; the contacts explain the rest | J |
//! | `remaining_time` | of a `close`: the time that further bounces would have taken; of a `step`: its length | s |
//! | `solved` | how what follows was found, see [`SolvedLine`] | |
//! | `rescue` | rule of the safety net that was needed: `compliant`, `plastic`, `chosen`, `soft`, `step` | – |

use super::care::Care;
use super::disk::{FileRecord, RecordedFile};
use super::impact_force::{ForceLine, ImpactForces};
use super::summary::is_zero;
use crate::error::ReportError;
use carom::contact::Site;
use carom::model::{BodyId, Model};
use carom::record::{ActuatorChange, ContactChange, Event, Solved};
use serde::{Deserialize, Serialize};
use std::fs::File;
use std::io::{BufRead, BufReader, BufWriter, Write};
use std::path::{Path, PathBuf};

/// What one contact did in an event. Tangent lists are as long as the contact has tangents.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct ContactLine {
    /// Name of the site.
    pub name: String,
    /// Mode before: `open`, `stick` or `slip`.
    pub mode_before: String,
    /// Mode after.
    pub mode_after: String,
    /// Tangential velocity before, m/s.
    pub velocity_tangent_before: Vec<f64>,
    /// Normal velocity before, m/s; negative approaches.
    pub velocity_normal_before: f64,
    /// Tangential velocity after, m/s.
    pub velocity_tangent_after: Vec<f64>,
    /// Normal velocity after, m/s.
    pub velocity_normal_after: f64,
    /// Tangential impulse, N·s.
    pub impulse_tangent: Vec<f64>,
    /// Normal impulse, N·s.
    pub impulse_normal: f64,
    /// Work of the normal impulse, J.
    pub normal_work: f64,
    /// Work of the friction impulse, J.
    pub friction_work: f64,
    /// Estimated forces, if the scene states `output.impact_duration`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub force: Option<ForceLine>,
}

/// What one motor did in an event.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct ActuatorLine {
    /// Name of the motor.
    pub name: String,
    /// Before: `free`, `lower` or `upper`.
    pub before: String,
    /// After.
    pub after: String,
    /// Its force after, N·m or N.
    pub torque: f64,
}

/// How impulses or forces were found.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct SolvedLine {
    /// The method.
    pub by: String,
    /// What is left of the equations, a pure number.
    pub residual: f64,
    /// Compliance that was added, relative; 0 if none.
    pub softness: f64,
    /// Whether no other answer is known.
    pub unique: bool,
}

impl From<Solved> for SolvedLine {
    fn from(s: Solved) -> Self {
        Self { by: s.by.into(), residual: s.residual, softness: s.softness, unique: s.unique }
    }
}

/// One event.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct EventLine {
    /// Time, s.
    pub t: f64,
    /// The sort, in the words of the table above.
    pub kind: String,
    /// Contacts that took part.
    pub contacts: Vec<ContactLine>,
    /// Motors that took part.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub actuators: Vec<ActuatorLine>,
    /// The bodies that `q` and the velocities belong to, where these are not all of the mechanism.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub bodies: Vec<String>,
    /// Coordinates.
    pub q: Vec<f64>,
    /// Velocities before.
    pub velocity_before: Vec<f64>,
    /// Velocities after.
    pub velocity_after: Vec<f64>,
    /// Kinetic energy before, J.
    pub energy_before: f64,
    /// Kinetic energy after, J.
    pub energy_after: f64,
    /// Work of energy control by attenuation, J.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub attenuation_work: f64,
    /// Of a `close`: the time that further bounces would have taken, s. Of a `step`: its length, s.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub remaining_time: Option<f64>,
    /// How what follows was found.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub solved: Option<SolvedLine>,
    /// The rule of the safety net that was needed, in the words of the table above.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub rescue: Option<String>,
}

impl EventLine {
    /// An event with the names of its sites.
    pub fn new(event: &Event, sites: &[Site]) -> Self {
        Self {
            t: event.t,
            kind: event.kind.word().into(),
            contacts: event.contacts.iter().map(|c| contact(c, &sites[c.site])).collect(),
            actuators: Vec::new(),
            bodies: Vec::new(),
            q: event.q.clone(),
            velocity_before: event.v_pre.clone(),
            velocity_after: event.v_post.clone(),
            energy_before: event.energy_before,
            energy_after: event.energy_after,
            attenuation_work: event.attenuation_work,
            remaining_time: event.remaining_time,
            solved: event.solved.map(SolvedLine::from),
            rescue: event.rescue.map(|rescue| rescue.word().into()),
        }
    }

    /// The same with the names of the bodies that it tells of, where these are not all.
    pub fn with_bodies(mut self, event: &Event, names: &[String]) -> Self {
        let name = |body: &BodyId| names.get(body.index()).cloned().unwrap_or_default();
        self.bodies = event.bodies.iter().map(name).collect();
        self
    }

    /// The same with what its motors did, by their names.
    pub fn with_actuators(mut self, event: &Event, names: &[String]) -> Self {
        let line = |c: &ActuatorChange| ActuatorLine {
            name: names.get(c.actuator).cloned().unwrap_or_default(),
            before: c.before.word().into(),
            after: c.after.word().into(),
            torque: c.torque,
        };
        self.actuators = event.actuators.iter().map(line).collect();
        self
    }

    /// The same with estimated forces, if there are any.
    pub fn with_forces(mut self, forces: Option<&ImpactForces>) -> Self {
        if let Some(forces) = forces {
            forces.estimate(&mut self);
        }
        self
    }

    /// Kinetic energy lost, J.
    pub fn energy_lost(&self) -> f64 {
        self.energy_before - self.energy_after
    }

    /// Whether velocities jumped.
    pub fn is_jump(&self) -> bool {
        matches!(self.kind.as_str(), "impact" | "jam" | "close")
    }
}

/// Names of the bodies of a model.
pub(crate) fn body_names(model: &Model) -> Vec<String> {
    model.bodies().iter().map(|body| body.name.clone()).collect()
}

fn contact(c: &ContactChange, site: &Site) -> ContactLine {
    let tangents = |x: &[f64; 3]| x[..site.tangents].to_vec();
    ContactLine {
        name: site.name.clone(),
        mode_before: c.before.word().into(),
        mode_after: c.after.word().into(),
        velocity_tangent_before: tangents(&c.u_pre),
        velocity_normal_before: c.u_pre[2],
        velocity_tangent_after: tangents(&c.u_post),
        velocity_normal_after: c.u_post[2],
        impulse_tangent: tangents(&c.impulse),
        impulse_normal: c.impulse[2],
        normal_work: c.normal_work,
        friction_work: c.friction_work,
        force: None,
    }
}

/// The file in the making.
pub(crate) struct EventWriter {
    path: PathBuf,
    file: BufWriter<RecordedFile>,
    lines: usize,
}

impl EventWriter {
    /// Creates the file.
    pub fn create(path: PathBuf) -> Result<Self, ReportError> {
        let file = RecordedFile::create(&path)?;
        Ok(Self { path, file: BufWriter::new(file), lines: 0 })
    }

    /// Adds an event.
    pub fn push(&mut self, line: &EventLine) -> Result<(), ReportError> {
        self.lines += 1;
        let text = serde_json::to_string(line).map_err(|source| ReportError::Json {
            path: self.path.clone(),
            line: self.lines,
            source,
        })?;
        writeln!(self.file, "{text}").map_err(ReportError::io("write", &self.path))
    }

    /// Brings everything so far to the disk.
    pub fn checkpoint(&mut self) -> Result<(), ReportError> {
        let written = self.file.flush().and_then(|()| self.file.get_ref().sync_data());
        written.map_err(ReportError::io("write", &self.path))
    }

    /// Writes what waits; the record of the file.
    pub fn finish(mut self) -> Result<FileRecord, ReportError> {
        self.file.flush().map_err(ReportError::io("write", &self.path))?;
        Ok(self.file.get_ref().record())
    }
}

/// Reads the events of a file; `care` decides about lines that cannot be read.
pub(crate) fn read_events(path: &Path, care: &mut Care) -> Result<Vec<EventLine>, ReportError> {
    let file = File::open(path).map_err(ReportError::io("read", path))?;
    let mut reader = BufReader::new(file);
    let (mut events, mut text, mut line) = (Vec::new(), Vec::new(), 0);
    loop {
        text.clear();
        line += 1;
        let bytes = reader.read_until(b'\n', &mut text).map_err(ReportError::io("read", path))?;
        if bytes == 0 {
            return Ok(events);
        }
        match serde_json::from_slice(&text) {
            Ok(event) => events.push(event),
            Err(source) => care.meet(ReportError::Json { path: path.into(), line, source })?,
        }
    }
}
