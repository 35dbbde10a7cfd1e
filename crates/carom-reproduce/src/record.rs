//! What is shown and kept of an experiment: everything that the page needs, as one file, so that a reproduction which
//! was interrupted goes on from there.

use carom_figure::Theme;
use serde::{Deserialize, Serialize};

use crate::claim::{Cause, Claim, Verdict};
use crate::experiment::{Experiment, Source};
use crate::outcome::{Outcome, Timing};
use crate::pages::pages;
use crate::quotes::quote;
use crate::registry::find;
use crate::runner::Report;
use crate::table::Table;

/// A claim as it is shown.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Shown {
    /// Where the source says it.
    pub place: String,
    /// Pages of the source, if its text has any: `p. 59`.
    pub pages: Option<String>,
    /// The source's own words, if it has any for it.
    pub quote: Option<String>,
    /// What it says, in our words.
    pub statement: String,
    /// What we found.
    pub found: String,
    /// The verdict.
    pub verdict: Verdict,
    /// Why it is not "agrees", and the words for it.
    pub cause: Option<(Cause, String)>,
    /// Whether carom says it of itself.
    pub own: bool,
}

/// A figure as it is shown.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Drawn {
    /// Name of its files without their ending.
    pub name: String,
    /// The published figure that it stands for; may be empty.
    pub stands_for: String,
    /// It, in the colours of the page.
    pub svg: String,
}

/// A file of numbers.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Listed {
    /// Name of the file without its ending.
    pub name: String,
    /// How many rows it has.
    pub rows: usize,
}

/// What an experiment found.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Found {
    /// What was computed.
    pub summary: String,
    /// How the text was read.
    pub readings: Vec<String>,
    /// Claims.
    pub claims: Vec<Shown>,
    /// Figures.
    pub figures: Vec<Drawn>,
    /// Tables.
    pub tables: Vec<Table>,
    /// Files.
    pub data: Vec<Listed>,
    /// Times.
    pub timings: Vec<Timing>,
}

impl Found {
    /// How many claims agree, differ, are not decidable: those of the source, or those that carom makes of itself.
    pub fn counts(&self, own: bool) -> [usize; 3] {
        let of = |wanted: fn(&Verdict) -> bool| {
            self.claims.iter().filter(|c| c.own == own && wanted(&c.verdict)).count()
        };
        [
            of(|v| *v == Verdict::Agrees),
            of(|v| *v == Verdict::Differs),
            of(|v| matches!(v, Verdict::Undecidable { .. })),
        ]
    }

    /// How many claims of the source have a cause.
    pub fn because(&self, cause: Cause) -> usize {
        let has = |c: &&Shown| !c.own && c.cause.as_ref().is_some_and(|(own, _)| *own == cause);
        self.claims.iter().filter(has).count()
    }
}

/// An experiment that was run, as it is kept.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Record {
    /// Name of the experiment.
    pub name: String,
    /// Wall time of the whole experiment, s.
    pub seconds: f64,
    /// What it found, or why not and what may be done about it.
    pub result: Result<Found, [String; 2]>,
}

impl Record {
    /// The record of a report.
    pub fn of(report: &Report) -> Self {
        let experiment = report.experiment;
        Self {
            name: experiment.name.into(),
            seconds: report.seconds,
            result: match &report.result {
                Ok(outcome) => Ok(found(experiment.source, outcome)),
                Err(trouble) => Err([trouble.to_string(), trouble.hint()]),
            },
        }
    }

    /// The experiment; none if this build does not know it.
    pub fn experiment(&self) -> Option<&'static Experiment> {
        find(&self.name)
    }
}

fn found(source: Source, outcome: &Outcome) -> Found {
    let drawn = |plate: &crate::plate::Plate| Drawn {
        name: plate.name.clone(),
        stands_for: plate.stands_for.clone(),
        svg: plate.figure.svg(Theme::Page),
    };
    Found {
        summary: outcome.summary.clone(),
        readings: outcome.readings.clone(),
        claims: outcome.claims.iter().map(|c| shown(source, c)).collect(),
        figures: outcome.figures.iter().map(drawn).collect(),
        tables: outcome.tables.clone(),
        data: outcome.data.iter().map(|d| Listed { name: d.name.clone(), rows: d.len() }).collect(),
        timings: outcome.timings.clone(),
    }
}

fn shown(source: Source, claim: &Claim) -> Shown {
    Shown {
        place: claim.place.clone(),
        pages: if claim.own { None } else { pages(source, &claim.place) },
        quote: if claim.own { None } else { quote(source, &claim.statement).map(str::to_owned) },
        statement: claim.statement.clone(),
        found: claim.found.clone(),
        verdict: claim.verdict(),
        cause: claim.cause(),
        own: claim.own,
    }
}
