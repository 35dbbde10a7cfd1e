//! `carom capability --map`: the field over two coordinates.

use std::f64::consts::PI;

use carom_agility::posture::Constraints;
use carom_agility::{MapAxis, MapPoint, Stance, capability_map};
use carom_scene::{Scene, short_number};
use serde_json::{Value, json};

use super::data::{limit_text, map_rows, question_json, write_csv, write_json};
use super::refusal::Refusal;
use super::table::{row, table};
use super::{figures, question};
use crate::args::CapabilityArgs;
use crate::progress::Counter;
use crate::{exit, threads};

/// Makes the map, prints it in short, writes it in full.
pub fn run(scene: &Scene, stance: &Stance<'_>, args: &CapabilityArgs) -> Result<(), Refusal> {
    let axes = axes(stance, args)?;
    let fixed = question::fixed(stance.model(), &args.question)?;
    let threads = threads::count(args.question.threads);
    let total = axes[0].count * axes[1].count;
    let counter = Counter::new(!args.question.quiet);
    let q = scene.initial.q.as_slice();
    let told = |done| counter.update(done, total, " postures");
    let points = capability_map(stance, q, (axes, &fixed), threads, &told)?;
    counter.clear();
    let names = axes.map(|a| stance.model().v_names()[a.dof].clone());
    let best = best(&points).ok_or_else(|| all_holes(&points))?;
    let point = question::point_name(stance, &args.question);
    let text = match args.question.json {
        true => format!("{:#}\n", summary(stance, &points, &names, &point)),
        false => text(stance, &points, &names, best),
    };
    exit::print(&text).map_err(Refusal::told)?;
    if let Some(folder) = &args.question.out {
        let head = [names[0].as_str(), &names[1], "acceleration", "limit"];
        write_csv(&folder.join("map.csv"), &head, &map_rows(stance, &points))?;
        write_json(&folder.join("map.json"), &summary(stance, &points, &names, &point))?;
        let title = format!("Capability of {}", point.replace('`', ""));
        let figure = figures::map(&points, axes, [&names[0], &names[1]], &title);
        figures::write(&figure, folder, "map")?;
    }
    Ok(())
}

/// The map as JSON.
pub fn value(scene: &Scene, stance: &Stance<'_>, args: &CapabilityArgs) -> Result<Value, Refusal> {
    let axes = axes(stance, args)?;
    let fixed = question::fixed(stance.model(), &args.question)?;
    let threads = threads::count(args.question.threads);
    let q = scene.initial.q.as_slice();
    let points = capability_map(stance, q, (axes, &fixed), threads, &|_| {})?;
    let names = axes.map(|a| stance.model().v_names()[a.dof].clone());
    best(&points).ok_or_else(|| all_holes(&points))?;
    Ok(summary(stance, &points, &names, &question::point_name(stance, &args.question)))
}

/// The two coordinates and their ranges.
fn axes(stance: &Stance<'_>, args: &CapabilityArgs) -> Result<[MapAxis; 2], Refusal> {
    let text = args.map.as_deref().unwrap_or_default();
    let dofs = question::coordinates(stance.model(), text)?;
    let [first, second] = dofs.as_slice() else {
        let message = format!("--map {text} names {} coordinates", dofs.len());
        return Err(Refusal::new(message, "name two joints with one coordinate each"));
    };
    if first == second || args.grid < 2 {
        let message = format!("--map {text} with --grid {} is no field", args.grid);
        return Err(Refusal::new(message, "name two different joints, and at least 2 values each"));
    }
    let constraints = Constraints::new(stance, &[])?;
    let ranges = ranges(args.range.as_deref())?;
    let axis = |k: usize, dof: usize| {
        let span = constraints.span(dof);
        let usual = |end: f64, far: f64| if end.is_finite() { end } else { far };
        let [from, to] = ranges.map_or([usual(span.lower, -PI), usual(span.upper, PI)], |r| r[k]);
        MapAxis { dof, from, to, count: args.grid }
    };
    Ok([axis(0, *first), axis(1, *second)])
}

fn ranges(text: Option<&str>) -> Result<Option<[[f64; 2]; 2]>, Refusal> {
    let Some(text) = text else { return Ok(None) };
    let one = |part: &str| -> Option<[f64; 2]> {
        let (a, b) = part.split_once(':')?;
        let (a, b): (f64, f64) = (a.trim().parse().ok()?, b.trim().parse().ok()?);
        (a < b && a.is_finite() && b.is_finite()).then_some([a, b])
    };
    let both = text.split_once(',').and_then(|(a, b)| Some([one(a)?, one(b)?]));
    let hint = "give two ranges from low to high, for example -1:1,-2:0";
    both.map(Some).ok_or_else(|| Refusal::new(format!("--range {text} is no pair of ranges"), hint))
}

/// Place of the best point.
fn best(points: &[MapPoint]) -> Option<usize> {
    let value = |p: &MapPoint| p.result.as_ref().map_or(f64::NEG_INFINITY, |r| r.1.acceleration);
    let found = (0..points.len()).filter(|&i| points[i].result.is_ok());
    found.max_by(|&a, &b| value(&points[a]).total_cmp(&value(&points[b])))
}

fn all_holes(points: &[MapPoint]) -> Refusal {
    match points.iter().find_map(|p| p.result.as_ref().err()) {
        Some(error) => error.clone().into(),
        None => Refusal::new("the map is empty", "give --grid at least 2"),
    }
}

fn text(stance: &Stance<'_>, points: &[MapPoint], names: &[String; 2], best: usize) -> String {
    let holes = points.iter().filter(|p| p.result.is_err()).count();
    let mut text = format!("{} postures, {holes} without capability\n", points.len());
    // A coarse print of the field: every row and column would not fit a screen.
    let count = (points.len() as f64).sqrt().round() as usize;
    let stride = count.div_ceil(9).max(1);
    let corner = format!("{} \\ {}", names[0], names[1]);
    let mut rows = Vec::new();
    for i in (0..count).step_by(stride) {
        let mut cells = vec![short_number(points[i * count].at[0])];
        for j in (0..count).step_by(stride) {
            let cell = points[i * count + j].result.as_ref();
            cells.push(cell.map_or("–".into(), |r| format!("{:.1}", r.1.acceleration)));
        }
        rows.push(cells);
    }
    let mut head = vec![corner];
    head.extend((0..count).step_by(stride).map(|j| short_number(points[j].at[1])));
    rows.insert(0, head);
    text.push_str(&table(&rows));
    if let Ok((_, found)) = &points[best].result {
        let [a, b] = points[best].at.map(short_number);
        text.push_str(&format!(
            "\nbest: {} m/s² at {} = {a}, {} = {b}\n",
            short_number(found.acceleration),
            names[0],
            names[1]
        ));
        let mut rows = vec![row(["stopped by", "worth"])];
        for active in &found.active {
            rows.push(vec![limit_text(stance, active.limit), short_number(active.worth)]);
        }
        text.push_str(&table(&rows));
    }
    text
}

fn summary(stance: &Stance<'_>, points: &[MapPoint], names: &[String; 2], point: &str) -> Value {
    let values: Vec<Value> = points
        .iter()
        .map(|p| json!([p.at[0], p.at[1], p.result.as_ref().ok().map(|r| r.1.acceleration)]))
        .collect();
    json!({ "question": question_json(stance, point), "coordinates": names, "points": values })
}
