//! `carom optimize`: the postures in which a point can be accelerated best.

use std::path::Path;
use std::process::ExitCode;
use std::sync::atomic::AtomicBool;
use std::time::Instant;

use carom::model::Model;
use carom_agility::Stance;
use carom_agility::posture::{
    Constraints, Optimum, PostureLimit, SearchOptions, SearchProgress, SearchResult, search_until,
};
use carom_scene::{Scene, short_number};
use serde_json::{Value, json};

use super::data::{
    capability_json, limit_text, posture_json, question_json, write_csv, write_json,
};
use super::refusal::Refusal;
use super::table::{row, table};
use super::{figures, output, posture, question};
use crate::args::OptimizeArgs;
use crate::interrupt::interrupt_flag;
use crate::progress::Counter;
use crate::words::{counted, wrapped};
use crate::{exit, threads};
use carom_report::rough;

/// Runs the command.
pub fn run(args: &OptimizeArgs) -> ExitCode {
    question::ask(&args.question, true, |scene| answer(scene, args))
}

fn answer(scene: &Scene, args: &OptimizeArgs) -> Result<(), Refusal> {
    let stance = question::stance(scene, &args.question)?;
    let _lock = output::claim(args.question.out.as_deref())?;
    let options = search_options(scene, args)?;
    let counter = Counter::new(!args.question.quiet);
    let told = |p: SearchProgress| {
        let best = p.best.map_or(String::new(), |a| format!(", best {} m/s²", short_number(a)));
        counter.update(p.done, p.starts, &format!(" starts{best}"));
    };
    let begun = Instant::now();
    let stop = interrupt_flag();
    let result = search_until(&stance, scene.initial.q.as_slice(), &options, &told, &stop);
    counter.clear();
    let found = result?;
    if found.skipped > 0 {
        exit::say(format_args!("interrupted: {} starts and hops were left out", found.skipped));
    }
    let point = question::point_name(&stance, &args.question);
    let value = summary(scene, &stance, &found, &point, args);
    let text = match args.question.json {
        true => format!("{value:#}\n"),
        false => {
            text(scene, &stance, &found, &point, args) + &ranges(scene, &stance, &options.fixed)?
        }
    };
    exit::print(&text).map_err(Refusal::told)?;
    if !args.question.quiet {
        exit::say(format_args!(
            "{} climbs, {} steps, {} capabilities in {:.1} s",
            found.climbs,
            found.steps,
            found.evaluations,
            begun.elapsed().as_secs_f64()
        ));
    }
    match &args.question.out {
        Some(folder) => write(scene, &stance, &found, (&point, &value), folder),
        None => Ok(()),
    }
}

fn search_options(scene: &Scene, args: &OptimizeArgs) -> Result<SearchOptions, Refusal> {
    Ok(SearchOptions {
        starts: args.starts,
        hops: args.hops(),
        seed: args.seed,
        threads: threads::count(args.question.threads),
        fixed: question::fixed(&scene.model, &args.question)?,
        ..SearchOptions::default()
    })
}

/// The answer as JSON; the search ends early once `stop` is set.
pub fn value(scene: &Scene, args: &OptimizeArgs, stop: &AtomicBool) -> Result<Value, Refusal> {
    let stance = question::stance(scene, &args.question)?;
    let options = search_options(scene, args)?;
    let found = search_until(&stance, scene.initial.q.as_slice(), &options, &|_| {}, stop)?;
    let point = question::point_name(&stance, &args.question);
    Ok(summary(scene, &stance, &found, &point, args))
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
    text.push_str(&sentence(&format!(
        "start {start}; {} from {}, {} of them not stationary, {} starts without a posture",
        counted(found.optima.len(), "optimum", "optima"),
        counted(found.climbs, "climb", "climbs"),
        found.unfinished,
        found.failed
    )));
    text.push('\n');
    text.push_str(&list(stance, found, args.list));
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
    for limit in &best.limits {
        rows.push(vec![posture_limit(&scene.model, limit), "–".into()]);
    }
    text.push_str(&table(&rows));
    text.push('\n');
    text.push_str(&sentence(&format!("end of the climb: {}", end_text(best))));
    text.push_str(&format!(
        "\nto start there:\n    {}\n",
        posture::command(&args.question.scene, &scene.model, &best.q)
    ));
    text
}

/// Words in lines that the terminal has room for.
fn sentence(words: &str) -> String {
    wrapped(words, 0, 0).join("\n") + "\n"
}

/// The table of optima, under each what stops it first.
fn list(stance: &Stance<'_>, found: &SearchResult, most: usize) -> String {
    let rows = table(&listed(found, most));
    let mut text = String::new();
    for (k, line) in rows.lines().enumerate() {
        text.push_str(line);
        text.push('\n');
        let optimum = k.checked_sub(1).and_then(|k| found.optima.get(k));
        let first = optimum.and_then(|o| o.capability.active.first());
        if let Some(active) = first {
            let words = format!("stopped first by {}", limit_text(stance, active.limit));
            let lines = wrapped(&words, 8, 8).join("\n        ");
            text.push_str(&format!("        {lines}\n"));
        }
    }
    text
}

fn listed(found: &SearchResult, most: usize) -> Vec<Vec<String>> {
    let mut rows = vec![row([
        "rank",
        "capability/(m/s²)",
        "found",
        "end",
        "slope/(m/s²/rad)",
        "miss/m",
        "gap/(m/s²)",
    ])];
    for (k, o) in found.optima.iter().take(most.max(1)).enumerate() {
        rows.push(vec![
            (k + 1).to_string(),
            short_number(o.capability.acceleration),
            format!("{}×", o.hits),
            o.end.word().into(),
            o.stationarity.map_or("–".into(), |s| rough(s.slope)),
            rough(o.miss),
            rough(o.capability.gap.abs()),
        ]);
    }
    rows
}

/// What is known of the end of a climb, in words.
fn end_text(optimum: &Optimum) -> String {
    let Some(test) = optimum.stationarity else {
        return "stalled, and the test of stationarity failed".into();
    };
    let meaning = match optimum.end.word() {
        "corner" => "a maximum that active limits alone determine",
        "curved" => "a maximum, with negative curvature in every direction that is left",
        "ridge" => "a maximum that is not isolated",
        "saddle" => "stationary, but no maximum",
        "steps" => "the steps ran out",
        _ => "no step that was tried goes uphill",
    };
    format!(
        "{} ({meaning}); slope {:.1e} m/s² per rad or m, at most {:.1e} m/s² to gain nearby; {} directions curve down, {} are flat, {} curve up",
        optimum.end.word(),
        test.slope,
        test.promise,
        test.curved,
        test.flat,
        test.rising
    )
}

/// A bound of the posture that is met, in words.
fn posture_limit(model: &Model, limit: &PostureLimit) -> String {
    let v = model.v_names();
    match limit {
        PostureLimit::Lower(dof) => format!("lower end of `{}`", v[*dof]),
        PostureLimit::Upper(dof) => format!("upper end of `{}`", v[*dof]),
        PostureLimit::Gap(name) => format!("gap of `{name}`"),
        PostureLimit::Joint(body) => format!("height of the joint of `{}`", model.body(*body).name),
        PostureLimit::Centre(body) => {
            format!("height of the centre of mass of `{}`", model.body(*body).name)
        }
    }
}

/// The ranges within which the search kept the joints, and where they come from.
fn ranges(scene: &Scene, stance: &Stance<'_>, fixed: &[usize]) -> Result<String, Refusal> {
    let model = &scene.model;
    let constraints =
        Constraints::new(stance, fixed)?.within_half_a_turn(model, scene.initial.q.as_slice());
    let mut rows = vec![row(["coordinate", "lower", "upper", "from"])];
    let mut assumed = None;
    for (dof, name) in model.v_names().into_iter().enumerate() {
        if model.q_of_v()[dof].is_none()
            || !model.tree().nodes[dof].turns
            || !constraints.varied(dof)
        {
            continue;
        }
        let span = constraints.span(dof);
        let from =
            match (constraints.assumed(dof), span.lower.is_finite() || span.upper.is_finite()) {
                (true, _) => "assumed: half a turn",
                (false, true) => "the scene",
                (false, false) => "none: turns repeat",
            };
        if constraints.assumed(dof) && assumed.is_none() {
            assumed = Some(name.clone());
        }
        rows.push(vec![name, short_number(span.lower), short_number(span.upper), from.into()]);
    }
    if rows.len() == 1 {
        return Ok(String::new());
    }
    let mut text = format!("\nranges of the search/rad\n{}", table(&rows));
    if let Some(name) = assumed {
        text.push_str(&format!(
            "\nThe scene states no limits for joints that have springs, which could be wound\n\
             up without end. The search kept them within half a turn of the start, and its\n\
             best posture may depend on that.\n\
             State limits in the scene, or add\n    --set 'joint.{name}.limits={{ lower = -1, upper = 1 }}'\n"
        ));
    }
    Ok(text)
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
            object.insert("converged".into(), json!(o.end.converged()));
            object.insert("end".into(), json!(o.end.word()));
            object.insert(
                "stationarity".into(),
                o.stationarity.map_or(Value::Null, |s| {
                    json!({
                        "slope": s.slope,
                        "promise": s.promise,
                        "curved": s.curved,
                        "flat": s.flat,
                        "rising": s.rising,
                    })
                }),
            );
            let met: Vec<String> =
                o.limits.iter().map(|l| posture_limit(&scene.model, l)).collect();
            object.insert("limits_met".into(), json!(met));
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
        "hops": args.hops(),
        "climbs": found.climbs,
        "failed": found.failed,
        "skipped": found.skipped,
        "unfinished": found.unfinished,
        "evaluations": found.evaluations,
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
    let mut head = vec!["rank", "acceleration", "starts", "end", "slope", "miss", "gap", "limit"];
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
                o.end.word().to_string(),
                o.stationarity.map_or(String::new(), |s| s.slope.to_string()),
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
