//! A run read back from its folder.

use super::columns::MODE_WORDS;
use super::event_line::{EventLine, read_events};
use super::folder::{EVENTS, SUMMARY, TRAJECTORY};
use super::recover::recover;
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
        let (summary, events) = Self::load_events(dir)?;
        let reader = TrajectoryReader::open(&dir.join(TRAJECTORY))?;
        let mut columns = Vec::with_capacity(reader.names.len());
        for column in 0..reader.names.len() {
            columns.push(whole_column(&reader, column)?);
        }
        Ok(Self { summary, events, names: reader.names.clone(), columns })
    }

    /// Reads the summary and the events only.
    pub fn load_events(dir: impl AsRef<Path>) -> Result<(Summary, Vec<EventLine>), ReportError> {
        let dir = dir.as_ref();
        recover(dir)?;
        for missing in [SUMMARY, EVENTS, TRAJECTORY] {
            if !dir.join(missing).is_file() {
                return Err(ReportError::NotARun { dir: dir.into(), missing });
            }
        }
        let path = dir.join(SUMMARY);
        let text = fs::read_to_string(&path).map_err(ReportError::io("read", &path))?;
        let summary = serde_json::from_str(&text).map_err(|source| ReportError::Json {
            path,
            line: source.line(),
            source,
        })?;
        Ok((summary, read_events(&dir.join(EVENTS))?))
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
