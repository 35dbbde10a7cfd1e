//! What was simulated, in a few lines.

use super::film::Film;
use crate::run::{Account, StopRecord, significant};
use carom::impact::LawChoice;
use carom_scene::LawWords;
use serde::Serialize;

/// One line: a label and its value.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Fact {
    /// What it is.
    pub label: String,
    /// Its value.
    pub value: String,
    /// Its unit.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub unit: Option<String>,
}

/// A picture that may err by more than this part of the size of the motion is worth a warning.
const COARSE: f64 = 1e-4;

/// The lines of a run.
pub(super) fn facts(account: &Account, (rows, film): (usize, &Film), traced: usize) -> Vec<Fact> {
    let summary = &account.summary;
    let (job, counts) = (&summary.job, &summary.counts);
    let mut list = Vec::new();
    let mut add = |label: &str, value: String, unit: &str| {
        let unit = Some(unit.to_string()).filter(|u| !u.is_empty());
        list.push(Fact { label: label.into(), value, unit });
    };
    add("impact law", law_words(&account.scene.law), "");
    add("rule for several contacts", account.scene.law.several.as_str().into(), "");
    for pair in &job.law.pairs {
        add(&format!("impact law of {}", pair.pair), pair.law.formulation.clone(), "");
    }
    add("ended", summary.stop.reason.replace('-', " "), "");
    add("end time", number(summary.stop.t), "s");
    add("degrees of freedom", account.scene.model.nv().to_string(), "");
    // Every event in which velocities jump: impacts, jams, and the closings that end a series of bounces.
    add("impacts, closings included", counts.impacts.to_string(), "");
    add("events", counts.events.to_string(), "");
    add("energy lost", number(summary.energy.lost), "J");
    add("integrator", job.options.method.clone(), "");
    for (label, value) in
        [("relative tolerance", job.options.rtol), ("absolute tolerance", job.options.atol)]
    {
        if let Some(value) = value {
            add(label, number(value), "");
        }
    }
    for change in &job.scene.overrides {
        add("changed", change.clone(), "");
    }
    add("worst gap", rough(summary.worst.gap), "m");
    add("energy not explained", rough(summary.worst.closure), "J");
    if let Some(words) = summary.rescue_words() {
        add("safety net", words, "");
    }
    add("samples", samples(rows, film), "");
    if !film.hidden.is_empty() {
        add(
            "gaps",
            format!("of {} contacts that never close are not shown", film.hidden.len()),
            "",
        );
    }
    let jumps = account.events.iter().filter(|e| e.is_jump()).count();
    if jumps > traced {
        add("paths in impulse space", format!("kept for the first {traced} impacts"), "");
    }
    add("scene hash", job.scene.hash.clone(), "");
    add("result hash", summary.result_hash.clone(), "");
    add("carom", summary.carom.clone(), "");
    list
}

/// How many samples the run has, and how well what is drawn meets its motion.
fn samples(rows: usize, film: &Film) -> String {
    let error = rough(film.error);
    format!(
        "{rows}, drawn as {} polynomials to {error} of the size of the motion",
        film.degrees.len()
    )
}

/// Warnings: those of the scene, and what the numbers of the run give cause for.
pub(super) fn warnings(account: &Account, film: &Film) -> Vec<String> {
    let summary = &account.summary;
    let mut list: Vec<String> = Vec::new();
    for warning in &account.scene.warnings {
        let text = warning.caution.to_string();
        if !list.contains(&text) {
            list.push(text);
        }
    }
    if film.error > COARSE {
        list.push(format!(
            "samples are rare: between them the picture may err by about {} of the size of the motion",
            rough(film.error)
        ));
    }
    match summary.stop.reason.as_str() {
        "reached-end" => {}
        "error" => list.extend(summary.stop.message.iter().map(|m| format!("the run failed: {m}"))),
        _ => list.extend(summary.stop.explanation().map(|why| early(&summary.stop, &why))),
    }
    if summary.worst.energy_gains > 0 {
        list.push(format!(
            "{} impacts gained energy, {} J at most: the law allows it, nature does not",
            summary.worst.energy_gains,
            number(summary.worst.energy_gain)
        ));
    }
    list
}

/// That a run ended early, and why.
fn early(stop: &StopRecord, why: &str) -> String {
    let (t, word) = (number(stop.t), stop.reason.replace('-', " "));
    format!("the run ended early, at t = {t} s ({word}): {why}")
}

/// A law in words, such as `differential, energetic`.
pub(super) fn law_words(law: &LawChoice) -> String {
    let law = LawWords::of(law);
    let mut words = vec![law.formulation.to_string()];
    words.extend(law.which.map(|(_, word)| word.into()));
    words.extend(law.flags_on().map(|key| match key {
        "constrain_tangents" => "tangents held".into(),
        key => key.replace('_', " "),
    }));
    words.extend(
        law.unusual_numbers().map(|n| format!("{} {}", n.key.replace('_', " "), number(n.value))),
    );
    words.extend(
        law.energy_control.iter().map(|(method, ratio)| format!("energy {method} {ratio}")),
    );
    words.join(", ")
}

/// Six significant digits, as people write them.
fn number(x: f64) -> String {
    significant(x).replace('-', "−")
}

/// Two digits of a number that matters by its size only.
fn rough(x: f64) -> String {
    crate::run::rough(x).replace('-', "−")
}
