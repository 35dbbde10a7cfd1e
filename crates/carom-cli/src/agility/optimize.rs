//! `carom optimize`: the postures in which a point can be accelerated best.

use std::fs;
use std::io::Write;
use std::path::Path;
use std::process::ExitCode;

use carom::agility::Stance;
use carom::agility::posture::{Optimum, SearchOptions, SearchProgress, SearchResult, search};
use carom_scene::{Scene, short_number};
use serde_json::{Value, json};

use super::args::OptimizeArgs;
use super::data::{
    capability_json, limit_text, posture_json, question_json, write_csv, write_json,
};
use super::progress::Counter;
use super::refusal::Refusal;
use super::table::{row, table};
use super::{figures, map, posture, question};
use crate::check::counted;
use carom_report::rough;

/// Runs the command.
pub fn run(args: &OptimizeArgs) -> ExitCode {
    question::ask(&args.question, |scene| answer(scene, args))
}

fn answer(scene: &Scene, args: &OptimizeArgs) -> Result<(), Refusal> {
    let stance = question::stance(scene, &args.question)?;
    if let Some(folder) = &args.question.out {
        fs::create_dir_all(folder)?;
    }
    let options = SearchOptions {
        starts: args.starts,
        seed: args.seed,
        threads: args.question.threads.unwrap_or_else(map::cores),
        fixed: question::fixed(&scene.model, &args.question)?,
        ..SearchOptions::default()
    };
    let counter = Counter::new(!args.question.quiet);
    let told = |p: SearchProgress| {
        let best = p.best.map_or(String::new(), |a| format!(", best {} m/s²", short_number(a)));
        counter.update(p.done, p.starts, &format!(" starts{best}"));
    };
    let result = search(&stance, scene.initial.q.as_slice(), &options, &told);
    counter.clear();
    let found = result?;
    let point = question::point_name(&stance, &args.question);
    let value = summary(scene, &stance, &found, &point, args);
    let mut out = std::io::stdout().lock();
    if args.question.json {
        let _ = writeln!(out, "{value:#}");
    } else {
        let _ = out.write_all(text(scene, &stance, &found, &point, args).as_bytes());
    }
    match &args.question.out {
        Some(folder) => write(scene, &stance, &found, (&point, &value), folder),
        None => Ok(()),
    }
}

fn text(
    scene: &Scene,
    stance: &Stance<'_>,
    found: &SearchResult,
    point: &str,
    args: &OptimizeArgs,
) -> String {
    let d = stance.task().direction;
    let [x, y, z] = [d.x, d.y, d.z].map(short_number);
    let mut text = format!("{point} toward [{x}, {y}, {z}]\n");
    let start = found.start.map_or("none".into(), |a| format!("{} m/s²", short_number(a)));
    text.push_str(&format!(
        "start {start}; {} from {}, {} without a posture\n\n",
        counted(found.optima.len(), "optimum", "optima"),
        counted(args.starts, "start", "starts"),
        found.failed
    ));
    text.push_str(&table(&listed(stance, found, args.list)));
    let best = &found.optima[0];
    text.push_str("\nbest posture\n");
    let mut rows = vec![row(["coordinate", "start", "best"])];
    for (name, a, b) in posture::changed(&scene.model, scene.initial.q.as_slice(), &best.q) {
        rows.push(vec![name, short_number(a), short_number(b)]);
    }
    text.push_str(&table(&rows));
    text.push_str("\nstopped by\n");
    let mut rows = vec![row(["limit", "worth/(m/s² per N·m or N)"])];
    for active in &best.capability.active {
        rows.push(vec![limit_text(stance, active.limit), short_number(active.worth)]);
    }
    text.push_str(&table(&rows));
    text.push_str(&format!(
        "\nto start there:\n    {}\n",
        posture::command(&args.question.scene, &scene.model, &best.q)
    ));
    text
}

fn listed(stance: &Stance<'_>, found: &SearchResult, most: usize) -> Vec<Vec<String>> {
    let mut rows = vec![row([
        "rank",
        "capability/(m/s²)",
        "starts",
        "miss/m",
        "dual gap",
        "stopped first by",
    ])];
    for (k, o) in found.optima.iter().take(most.max(1)).enumerate() {
        let first = o.capability.active.first().map(|a| limit_text(stance, a.limit));
        rows.push(vec![
            (k + 1).to_string(),
            short_number(o.capability.acceleration),
            o.hits.to_string(),
            rough(o.miss),
            rough(o.capability.gap.abs()),
            first.unwrap_or_default(),
        ]);
    }
    rows
}

fn summary(
    scene: &Scene,
    stance: &Stance<'_>,
    found: &SearchResult,
    point: &str,
    args: &OptimizeArgs,
) -> Value {
    let names = scene.model.q_names();
    let one = |o: &Optimum| {
        let mut value = capability_json(stance, &o.capability);
        if let Some(object) = value.as_object_mut() {
            object.insert("posture".into(), posture_json(&names, &o.q));
            object.insert("miss".into(), json!(o.miss));
            object.insert("starts".into(), json!(o.hits));
            object.insert("converged".into(), json!(o.converged));
            object.insert(
                "set".into(),
                json!(posture::overrides(&args.question.scene, &scene.model, &o.q)),
            );
        }
        value
    };
    let optima: Vec<Value> = found.optima.iter().map(one).collect();
    json!({
        "question": question_json(stance, point),
        "seed": args.seed,
        "starts": args.starts,
        "failed": found.failed,
        "steps": found.steps,
        "start": found.start,
        "optima": optima,
    })
}

fn write(
    scene: &Scene,
    stance: &Stance<'_>,
    found: &SearchResult,
    (point, value): (&str, &Value),
    folder: &Path,
) -> Result<(), Refusal> {
    write_json(&folder.join("optima.json"), value)?;
    let names = scene.model.q_names();
    let mut head = vec!["rank", "acceleration", "starts", "miss", "gap", "limit"];
    head.extend(names.iter().map(String::as_str));
    let rows: Vec<Vec<String>> = found
        .optima
        .iter()
        .enumerate()
        .map(|(k, o)| {
            let c = &o.capability;
            let limit = c.active.first().map(|a| limit_text(stance, a.limit));
            let mut cells = vec![
                (k + 1).to_string(),
                c.acceleration.to_string(),
                o.hits.to_string(),
                o.miss.to_string(),
                c.gap.to_string(),
                limit.unwrap_or_default(),
            ];
            cells.extend(o.q.iter().map(f64::to_string));
            cells
        })
        .collect();
    write_csv(&folder.join("optima.csv"), &head, &rows)?;
    let title = format!("Postures for {}", point.replace('`', ""));
    figures::write(&figures::optima(found, &title), folder, "optima")
}
