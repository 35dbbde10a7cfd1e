//! A run read back from its folder.

use super::care::Care;
use super::columns::MODE_WORDS;
use super::event_line::{EventLine, read_events};
use super::folder::{EVENTS, SUMMARY, TRAJECTORY};
use super::recover::recover;
use super::seal::is_whole;
use super::summary::Summary;
use super::trajectory::{TrajectoryReader, Values, whole_column};
use crate::error::ReportError;
use std::fs;
use std::path::Path;

/// A run in memory, as its files have it.
#[derive(Debug, Clone, PartialEq)]
pub struct SavedRun {
    /// How it ended and what was asked for.
    pub summary: Summary,
    /// Events in order of time.
    pub events: Vec<EventLine>,
    /// Names of the columns, `t` first.
    pub names: Vec<String>,
    columns: Vec<Values>,
}

impl SavedRun {
    /// Reads the folder of a run; one that was killed is brought back first, see
    /// [`recover`](crate::recover()).
    pub fn load(dir: impl AsRef<Path>) -> Result<Self, ReportError> {
        let dir = dir.as_ref();
        let mut care = Care::strict();
        let (summary, events) = read_summary_and_events(dir, &mut care)?;
        check_file(dir, &summary, TRAJECTORY, &mut care)?;
        let reader = TrajectoryReader::open(&dir.join(TRAJECTORY))?;
        let mut columns = Vec::with_capacity(reader.names.len());
        for column in 0..reader.names.len() {
            columns.push(whole_column(&reader, column, &mut care)?);
        }
        Ok(Self { summary, events, names: reader.names.clone(), columns })
    }

    /// Reads the summary and the events only.
    pub fn load_events(dir: impl AsRef<Path>) -> Result<(Summary, Vec<EventLine>), ReportError> {
        read_summary_and_events(dir.as_ref(), &mut Care::strict())
    }

    /// The same of a run that may be damaged: what can still be read, and what is wrong.
    pub fn load_damaged_events(
        dir: impl AsRef<Path>,
    ) -> Result<(Vec<EventLine>, Vec<ReportError>), ReportError> {
        let mut care = Care::lenient();
        let (_, events) = read_summary_and_events(dir.as_ref(), &mut care)?;
        Ok((events, care.passed()))
    }

    /// Number of samples.
    pub fn len(&self) -> usize {
        self.t().len()
    }

    /// Whether there is no sample.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Times, s.
    pub fn t(&self) -> &[f64] {
        self.column("t").unwrap_or_default()
    }

    /// A column of numbers by its name, such as `q.ball.z`.
    pub fn column(&self, name: &str) -> Option<&[f64]> {
        match self.values(name)? {
            Values::Numbers(numbers) => Some(numbers),
            Values::Modes(_) => None,
        }
    }

    /// The modes of a site, in words.
    pub fn modes(&self, site: &str) -> Option<impl Iterator<Item = &'static str>> {
        match self.values(&format!("mode.{site}"))? {
            Values::Modes(codes) => Some(codes.iter().map(|c| MODE_WORDS[usize::from(*c)])),
            Values::Numbers(_) => None,
        }
    }

    fn values(&self, name: &str) -> Option<&Values> {
        let place = self.names.iter().position(|n| n == name)?;
        self.columns.get(place)
    }
}

/// The summary and the events of a run, which is brought back first if it was killed.
pub(super) fn read_summary_and_events(
    dir: &Path,
    care: &mut Care,
) -> Result<(Summary, Vec<EventLine>), ReportError> {
    recover(dir)?;
    for missing in [SUMMARY, EVENTS, TRAJECTORY] {
        if !dir.join(missing).is_file() {
            return Err(ReportError::NotARun { dir: dir.into(), missing });
        }
    }
    let summary = read_summary(&dir.join(SUMMARY), care)?;
    check_file(dir, &summary, EVENTS, care)?;
    let events = read_events(&dir.join(EVENTS), care)?;
    let (expected, found) = (summary.counts.events, events.len() as u64);
    if expected != found {
        let path = dir.join(EVENTS);
        care.meet(ReportError::Count { path, what: "events", expected, found })?;
    }
    Ok((summary, events))
}

fn read_summary(path: &Path, care: &mut Care) -> Result<Summary, ReportError> {
    let bytes = fs::read(path).map_err(ReportError::io("read", path))?;
    let text = String::from_utf8_lossy(&bytes);
    // Bytes that are no text may hide the seal.
    if std::str::from_utf8(&bytes).is_err() || is_whole(&text) == Some(false) {
        let length = bytes.len() as u64;
        let path = path.to_path_buf();
        care.meet(ReportError::Damaged { path, written: length, found: length })?;
    }
    serde_json::from_str(&text).map_err(|source| ReportError::Json {
        path: path.into(),
        line: source.line(),
        source,
    })
}

/// Compares a file with its record; runs of earlier versions have none.
pub(super) fn check_file(
    dir: &Path,
    summary: &Summary,
    name: &str,
    care: &mut Care,
) -> Result<(), ReportError> {
    match summary.files.get(name) {
        Some(record) => care.check(record.check(&dir.join(name))),
        None => Ok(()),
    }
}
