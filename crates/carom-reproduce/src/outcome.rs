//! Everything that an experiment found.

use carom_figure::Figure;
use serde::{Deserialize, Serialize};

use crate::claim::{Claim, Verdict};
use crate::data::Data;
use crate::plate::Plate;
use crate::table::Table;

/// A published computing time beside ours.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Timing {
    /// What was computed.
    pub what: String,
    /// Name of the published run, by which two sources that tell of the same one are known; `what` where it is empty.
    pub run: String,
    /// Published CPU time, s, if the source states one.
    pub published: Option<f64>,
    /// Our wall times, s: one per repetition, at least one.
    pub ours: Vec<f64>,
}

impl Timing {
    /// Our wall time, s: the median of the repetitions.
    pub fn median(&self) -> f64 {
        let mut all = self.ours.clone();
        all.sort_by(f64::total_cmp);
        let middle = all.len() / 2;
        match all.len() {
            0 => f64::NAN,
            n if n % 2 == 1 => all[middle],
            _ => 0.5 * (all[middle - 1] + all[middle]),
        }
    }

    /// Shortest and longest repetition, s.
    pub fn range(&self) -> [f64; 2] {
        self.ours.iter().fold([f64::INFINITY, 0.0], |[a, b], t| [a.min(*t), b.max(*t)])
    }

    /// Published time over ours: by the median, then by the slowest and by the fastest repetition.
    pub fn speed_up(&self) -> Option<[f64; 3]> {
        let [fast, slow] = self.range();
        self.published.map(|published| [self.median(), slow, fast].map(|t| published / t))
    }
}

/// Published and own times of runs, each run once.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Speed {
    /// Number of runs.
    pub runs: usize,
    /// Published CPU times, summed, s.
    pub published: f64,
    /// Our wall times, summed, s: by medians, by the slowest and by the fastest repetitions.
    pub ours: [f64; 3],
    /// Least and largest ratio among the runs, by medians.
    pub by_run: [f64; 2],
    /// Repetitions of each run.
    pub repetitions: usize,
}

impl Speed {
    /// Sums times. Where two sources tell of the same run, the shorter published time counts.
    pub fn of<'a>(timings: impl Iterator<Item = &'a Timing>) -> Option<Self> {
        let mut runs: Vec<&Timing> = Vec::new();
        for timing in timings.filter(|t| t.published.is_some()) {
            let same = |t: &&mut &Timing| !timing.run.is_empty() && t.run == timing.run;
            match runs.iter_mut().find(same) {
                None => runs.push(timing),
                Some(known) if timing.published < known.published => *known = timing,
                Some(_) => {}
            }
        }
        let sum = |f: &dyn Fn(&Timing) -> f64| runs.iter().map(|t| f(t)).sum::<f64>();
        let ratios = runs.iter().filter_map(|t| t.speed_up()).map(|[ratio, ..]| ratio);
        let by_run = ratios.fold([f64::INFINITY, 0.0], |[a, b]: [f64; 2], r| [a.min(r), b.max(r)]);
        (!runs.is_empty()).then(|| Self {
            runs: runs.len(),
            published: sum(&|t| t.published.unwrap_or(0.0)),
            ours: [sum(&|t| t.median()), sum(&|t| t.range()[1]), sum(&|t| t.range()[0])],
            by_run,
            repetitions: runs.iter().map(|t| t.ours.len()).min().unwrap_or(0),
        })
    }

    /// Published time over ours: by medians, by the slowest and by the fastest repetitions.
    pub fn ratios(&self) -> [f64; 3] {
        self.ours.map(|ours| self.published / ours)
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

    /// Adds a computing time that no source has.
    pub fn timing(&mut self, what: impl Into<String>, ours: f64) {
        let (what, run) = (what.into(), String::new());
        self.timings.push(Timing { what, run, published: None, ours: vec![ours] });
    }

    /// Adds a computing time beside a published one of the run of that name.
    pub fn published_timing(
        &mut self,
        what: impl Into<String>,
        run: impl Into<String>,
        published: f64,
        ours: Vec<f64>,
    ) {
        let (what, run) = (what.into(), run.into());
        self.timings.push(Timing { what, run, published: Some(published), ours });
    }

    /// How many claims of the source agree, differ, are not decidable.
    pub fn counts(&self) -> [usize; 3] {
        self.counted(false)
    }

    /// The same of the claims that carom makes of itself.
    pub fn own_counts(&self) -> [usize; 3] {
        self.counted(true)
    }

    fn counted(&self, own: bool) -> [usize; 3] {
        let mut counts = [0; 3];
        for claim in self.claims.iter().filter(|c| c.own == own) {
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

#[cfg(test)]
mod tests {
    use super::*;

    fn timing(run: &str, published: Option<f64>, ours: &[f64]) -> Timing {
        Timing { what: "a run".into(), run: run.into(), published, ours: ours.to_vec() }
    }

    #[test]
    fn each_run_counts_once() {
        let all = [
            timing("a", Some(100.0), &[0.1, 0.3, 0.2]),
            timing("a", Some(40.0), &[0.2, 0.2, 0.2, 0.2]),
            timing("b", Some(60.0), &[0.3, 0.1]),
            timing("", None, &[5.0]),
        ];
        let speed = Speed::of(all.iter()).unwrap();
        assert_eq!((speed.runs, speed.published, speed.repetitions), (2, 100.0, 2));
        let near = |a: f64, b: f64| (a - b).abs() < 1e-12;
        assert!(near(speed.ours[0], 0.4) && near(speed.ours[1], 0.5) && near(speed.ours[2], 0.3));
        assert!(near(speed.by_run[0], 200.0) && near(speed.by_run[1], 300.0));
        assert_eq!(Speed::of(all[3..].iter()), None);
    }

    #[test]
    fn own_claims_are_counted_apart() {
        let mut outcome = Outcome::new("");
        outcome.claim(Claim::test("1", "x", true, ""));
        outcome.claim(Claim::test("carom", "y", false, "").own());
        assert_eq!((outcome.counts(), outcome.own_counts()), ([1, 0, 0], [0, 1, 0]));
    }
}
