//! Everything that an experiment found.

use carom_figure::Figure;

use crate::claim::{Claim, Verdict};
use crate::data::Data;
use crate::plate::Plate;
use crate::table::Table;

/// A published computing time beside ours.
#[derive(Debug, Clone, PartialEq)]
pub struct Timing {
    /// What was computed.
    pub what: String,
    /// Published CPU time, s, if the source states one.
    pub published: Option<f64>,
    /// Our wall time, s.
    pub ours: f64,
}

impl Timing {
    /// Published time over ours.
    pub fn speed_up(&self) -> Option<f64> {
        self.published.map(|published| published / self.ours)
    }
}

/// What an experiment found, in the order in which it is shown.
#[derive(Debug, Clone, Default)]
pub struct Outcome {
    /// What was computed, in a few sentences.
    pub summary: String,
    /// Where the source leaves a parameter open or contradicts itself, and what was taken.
    pub readings: Vec<String>,
    /// Statements of the source beside our numbers.
    pub claims: Vec<Claim>,
    /// Figures in the form of the published ones.
    pub figures: Vec<Plate>,
    /// Tables for readers.
    pub tables: Vec<Table>,
    /// Numbers for files.
    pub data: Vec<Data>,
    /// Computing times.
    pub timings: Vec<Timing>,
}

impl Outcome {
    /// An outcome with nothing in it yet.
    pub fn new(summary: impl Into<String>) -> Self {
        Self { summary: summary.into(), ..Self::default() }
    }

    /// Adds a reading of an open or contradictory text.
    pub fn reading(&mut self, reading: impl Into<String>) {
        self.readings.push(reading.into());
    }

    /// Adds a claim.
    pub fn claim(&mut self, claim: Claim) {
        self.claims.push(claim);
    }

    /// Adds a figure; written as `NAME.svg` and `NAME.png`. `stands_for` names the published one, or is empty.
    pub fn figure(
        &mut self,
        name: impl Into<String>,
        stands_for: impl Into<String>,
        figure: Figure,
    ) {
        self.figures.push(Plate { name: name.into(), stands_for: stands_for.into(), figure });
    }

    /// Adds a table.
    pub fn table(&mut self, table: Table) {
        self.tables.push(table);
    }

    /// Adds data; written as `NAME.csv` into the folder of the experiment.
    pub fn data(&mut self, data: Data) {
        self.data.push(data);
    }

    /// Adds a computing time.
    pub fn timing(&mut self, what: impl Into<String>, published: Option<f64>, ours: f64) {
        self.timings.push(Timing { what: what.into(), published, ours });
    }

    /// How many claims agree, differ, are not decidable.
    pub fn counts(&self) -> [usize; 3] {
        let mut counts = [0; 3];
        for claim in &self.claims {
            counts[match claim.verdict() {
                Verdict::Agrees => 0,
                Verdict::Differs => 1,
                Verdict::Undecidable { .. } => 2,
            }] += 1;
        }
        counts
    }

    /// The claim whose place and statement contain these words, for tests.
    pub fn claim_about(&self, place: &str, words: &str) -> Option<&Claim> {
        self.claims.iter().find(|c| c.place.contains(place) && c.statement.contains(words))
    }
}
