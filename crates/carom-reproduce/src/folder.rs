//! Everything on disk: one folder per experiment with its data, figures and record, one page, one summary.
//!
//! An experiment is written as soon as it is done, its record last. A reproduction that was killed goes on from the
//! records that are whole and of the same build and form; nothing of another build is ever taken over.

use std::fs;
use std::path::{Path, PathBuf};

use carom_figure::Theme;
use carom_report::run::disk::{folder_within, replace};
use serde_json::{Value, json};

use crate::claim::{Cause, Verdict};
use crate::error::Trouble;
use crate::experiment::{Context, Experiment};
use crate::outcome::{Outcome, Speed};
use crate::page::page;
use crate::record::{Found, Record, Shown};
use crate::runner::Report;
use crate::stamp::Stamp;

/// The file that marks a folder as ours.
const SUMMARY: &str = "summary.json";
/// What the mark says.
const FORMAT: &str = "carom reproduce";
/// One line for every statement, so that two reproductions are compared by `diff`.
const VERDICTS: &str = "verdicts.csv";
/// The file of an experiment from which its part of the page can be made again.
const RECORD: &str = "record.json";

/// A folder of reproduced experiments.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Shelf {
    folder: PathBuf,
    build: String,
    fast: bool,
}

impl Shelf {
    /// Makes the folder, or makes sure that it is ours; anything else is left alone and is an error. `build` tells
    /// programs apart: only what the same one computed is taken over.
    pub fn open(
        folder: &Path,
        build: impl Into<String>,
        context: &Context,
    ) -> Result<Self, Trouble> {
        let foreign = || Trouble::Foreign { path: folder.to_path_buf() };
        let made = fs::create_dir_all(folder);
        made.map_err(|source| Trouble::Write { path: folder.to_path_buf(), source })?;
        let mark = folder.join(SUMMARY);
        let mut entries = fs::read_dir(folder).map_err(|_| foreign())?;
        if entries.next().is_none() {
            let begun = json!({ "format": FORMAT, "unfinished": true });
            replace(&mark, format!("{begun:#}\n").as_bytes())?;
        } else if !fs::read_to_string(&mark).is_ok_and(|text| text.contains(FORMAT)) {
            return Err(foreign());
        }
        Ok(Self { folder: folder.to_path_buf(), build: build.into(), fast: context.fast })
    }

    /// The record of an experiment that this build has computed here before, with all its files.
    pub fn kept(&self, experiment: &Experiment) -> Option<Record> {
        let own = self.folder.join(experiment.name);
        let value = read(&own.join(RECORD))?;
        let same = value["build"] == json!(self.build) && value["fast"] == json!(self.fast);
        let record: Record = serde_json::from_value(value.get("record")?.clone()).ok()?;
        let found = record.result.as_ref().ok()?;
        let whole = files(found).iter().all(|name| own.join(name).is_file());
        (same && whole && record.name == experiment.name).then_some(record)
    }

    /// Writes what an experiment found: figures and data, its record last. A failed one leaves no record.
    pub fn put(&self, report: &Report) -> Result<Record, Trouble> {
        let record = Record::of(report);
        let own = folder_within(&self.folder, Path::new(report.experiment.name))?;
        let before = read(&own.join(RECORD));
        // From here on until its end the experiment counts as not computed.
        let _ = fs::remove_file(own.join(RECORD));
        if let Some(before) = before {
            tidy(&own, before);
        }
        let (Ok(outcome), Ok(_)) = (&report.result, &record.result) else { return Ok(record) };
        contents(&own, outcome)?;
        let value = json!({
            "format": FORMAT,
            "build": self.build,
            "fast": self.fast,
            "record": serde_json::to_value(&record).unwrap_or_default(),
        });
        replace(&own.join(RECORD), format!("{value}\n").as_bytes())?;
        Ok(record)
    }

    /// Writes page, verdicts and summary.
    pub fn finish(&self, records: &[Record], stamp: &Stamp) -> Result<(), Trouble> {
        replace(&self.folder.join("index.html"), page(records, stamp).as_bytes())?;
        replace(&self.folder.join(VERDICTS), verdicts(records).as_bytes())?;
        let summary = format!("{:#}\n", summary(records, stamp));
        Ok(replace(&self.folder.join(SUMMARY), summary.as_bytes())?)
    }
}

/// Verdict and cause of every statement, without the numbers that were found.
fn verdicts(records: &[Record]) -> String {
    let quoted = |text: &str| format!("\"{}\"", text.replace('"', "\"\""));
    let mut text = String::from("experiment,place,verdict,cause,statement\n");
    for record in records {
        for claim in record.result.iter().flat_map(|found| &found.claims) {
            let cause = claim.cause.as_ref().map_or("", |(cause, _)| cause.word());
            let (name, verdict) = (&record.name, claim.verdict.word());
            let (place, statement) = (quoted(&claim.place), quoted(&claim.statement));
            text.push_str(&format!("{name},{place},{verdict},{cause},{statement}\n"));
        }
    }
    text
}

fn read(path: &Path) -> Option<Value> {
    serde_json::from_str(&fs::read_to_string(path).ok()?).ok()
}

/// Names of all files of an experiment but its record.
fn files(found: &Found) -> Vec<String> {
    let figures = found.figures.iter().flat_map(|f| [".svg", ".png"].map(|e| f.name.clone() + e));
    figures.chain(found.data.iter().map(|d| format!("{}.csv", d.name))).collect()
}

/// Removes the files that an earlier record tells of: the next ones may have other names.
fn tidy(own: &Path, before: Value) {
    let record = before.get("record").cloned().unwrap_or_default();
    let Ok(Record { result: Ok(found), .. }) = serde_json::from_value(record) else { return };
    // A record that names anything but plain files of this folder is not ours.
    for name in files(&found).iter().filter(|n| !n.contains(['/', '\\'])) {
        let _ = fs::remove_file(own.join(name));
    }
}

fn contents(own: &Path, outcome: &Outcome) -> Result<(), Trouble> {
    for plate in &outcome.figures {
        let svg = plate.figure.svg(Theme::Light);
        replace(&own.join(format!("{}.svg", plate.name)), svg.as_bytes())?;
        let png = plate.figure.png(Theme::Light, 2.0)?;
        replace(&own.join(format!("{}.png", plate.name)), &png)?;
    }
    for data in &outcome.data {
        replace(&own.join(format!("{}.csv", data.name)), data.csv().as_bytes())?;
    }
    Ok(())
}

fn summary(records: &[Record], stamp: &Stamp) -> Value {
    let found = || records.iter().filter_map(|r| r.result.as_ref().ok());
    let experiments: Vec<Value> = records.iter().map(experiment).collect();
    let sum = |own: bool| {
        found().map(|f| f.counts(own)).fold([0; 3], |a, b| [0, 1, 2].map(|i| a[i] + b[i]))
    };
    let causes = Cause::ALL.into_iter().map(|cause| {
        (cause.word().to_owned(), json!(found().map(|f| f.because(cause)).sum::<usize>()))
    });
    json!({
        "format": FORMAT,
        "carom": stamp.version,
        "commit": stamp.commit,
        "date": stamp.date,
        "seconds": records.iter().map(|r| r.seconds).sum::<f64>(),
        "sources": counts(sum(false)),
        "own": counts(sum(true)),
        "causes": Value::Object(causes.collect()),
        "speed": Speed::of(found().flat_map(|f| &f.timings)).map(speed),
        "experiments": experiments,
    })
}

fn speed(speed: Speed) -> Value {
    let [ratio, low, high] = speed.ratios();
    json!({
        "runs": speed.runs,
        "repetitions": speed.repetitions,
        "published": speed.published,
        "ours": speed.ours[0],
        "ratio": ratio,
        "range": [low, high],
        "by_run": speed.by_run,
    })
}

fn counts([agrees, differs, undecidable]: [usize; 3]) -> Value {
    json!({ "agrees": agrees, "differs": differs, "not decidable": undecidable })
}

fn experiment(record: &Record) -> Value {
    let mut value = json!({ "name": record.name, "seconds": record.seconds });
    if let Some(e) = record.experiment() {
        value["source"] = json!(e.source.short());
        value["covers"] = json!(e.covers);
    }
    match &record.result {
        Err([trouble, _]) => value["error"] = json!(trouble),
        Ok(found) => {
            value["verdicts"] = counts(found.counts(false));
            value["own"] = counts(found.counts(true));
            value["claims"] = found.claims.iter().map(claim_value).collect();
            let timing = |t: &crate::outcome::Timing| json!({ "what": t.what, "run": t.run, "published": t.published, "ours": t.ours });
            value["timings"] = found.timings.iter().map(timing).collect();
        }
    }
    value
}

fn claim_value(claim: &Shown) -> Value {
    let mut value = json!({
        "place": claim.place,
        "pages": claim.pages,
        "quote": claim.quote,
        "statement": claim.statement,
        "found": claim.found,
        "verdict": claim.verdict.word(),
        "own": claim.own,
    });
    if let Verdict::Undecidable { why } = &claim.verdict {
        value["why"] = json!(why);
    }
    if let Some((cause, words)) = &claim.cause {
        value["cause"] = json!(cause.word());
        value["because"] = json!(words);
    }
    value
}
