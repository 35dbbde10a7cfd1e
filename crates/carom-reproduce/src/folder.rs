//! Everything on disk: one folder per experiment with its data and figures, one page, one summary.

use std::fs;
use std::path::Path;

use carom_figure::Theme;
use serde_json::{Value, json};

use crate::claim::Verdict;
use crate::error::Trouble;
use crate::page::page;
use crate::runner::Report;

/// The file that marks a folder as ours.
const SUMMARY: &str = "summary.json";
/// What the mark says.
const FORMAT: &str = "carom reproduce";

/// Writes reports into a folder: `index.html`, `summary.json`, and per experiment its data and figures.
///
/// An earlier folder of this kind is written over; anything else is left alone and is an error.
pub fn write(folder: &Path, reports: &[Report], total_seconds: f64) -> Result<(), Trouble> {
    claim(folder)?;
    for report in reports {
        if let Ok(outcome) = &report.result {
            let own = folder.join(report.experiment.name);
            create(&own)?;
            for plate in &outcome.figures {
                let svg = plate.figure.svg(Theme::Light);
                put(&own.join(format!("{}.svg", plate.name)), svg.as_bytes())?;
                put(
                    &own.join(format!("{}.png", plate.name)),
                    &plate.figure.png(Theme::Light, 2.0)?,
                )?;
            }
            for data in &outcome.data {
                put(&own.join(format!("{}.csv", data.name)), data.csv().as_bytes())?;
            }
        }
    }
    put(&folder.join("index.html"), page(reports, total_seconds).as_bytes())?;
    let summary = format!("{:#}\n", summary(reports, total_seconds));
    put(&folder.join(SUMMARY), summary.as_bytes())
}

/// Makes the folder, or makes sure that it is ours.
fn claim(folder: &Path) -> Result<(), Trouble> {
    let foreign = || Trouble::Foreign { path: folder.to_path_buf() };
    if !folder.exists() {
        return create(folder);
    }
    let mut entries = fs::read_dir(folder).map_err(|_| foreign())?;
    let empty = entries.next().is_none();
    let ours = fs::read_to_string(folder.join(SUMMARY)).is_ok_and(|text| text.contains(FORMAT));
    if empty || ours { Ok(()) } else { Err(foreign()) }
}

fn create(folder: &Path) -> Result<(), Trouble> {
    fs::create_dir_all(folder)
        .map_err(|source| Trouble::Write { path: folder.to_path_buf(), source })
}

fn put(path: &Path, bytes: &[u8]) -> Result<(), Trouble> {
    fs::write(path, bytes).map_err(|source| Trouble::Write { path: path.to_path_buf(), source })
}

fn summary(reports: &[Report], total_seconds: f64) -> Value {
    let experiments: Vec<Value> = reports.iter().map(experiment).collect();
    json!({
        "format": FORMAT,
        "carom": env!("CARGO_PKG_VERSION"),
        "seconds": total_seconds,
        "experiments": experiments,
    })
}

fn experiment(report: &Report) -> Value {
    let e = report.experiment;
    let mut value = json!({
        "name": e.name,
        "source": e.source.short(),
        "covers": e.covers,
        "seconds": report.seconds,
    });
    match &report.result {
        Err(trouble) => value["error"] = json!(trouble.to_string()),
        Ok(outcome) => {
            let [agrees, differs, undecidable] = outcome.counts();
            value["verdicts"] =
                json!({ "agrees": agrees, "differs": differs, "not decidable": undecidable });
            value["claims"] = outcome.claims.iter().map(claim_value).collect();
            value["timings"] = outcome
                .timings
                .iter()
                .map(|t| json!({ "what": t.what, "published": t.published, "ours": t.ours }))
                .collect();
        }
    }
    value
}

fn claim_value(claim: &crate::claim::Claim) -> Value {
    let verdict = claim.verdict();
    let mut value = json!({
        "place": claim.place,
        "statement": claim.statement,
        "found": claim.found,
        "verdict": verdict.word(),
    });
    if let Verdict::Undecidable { why } = verdict {
        value["why"] = json!(why);
    }
    value
}
