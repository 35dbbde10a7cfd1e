//! A study as a figure: where jumps succeed, stance and rise against capability.

use carom::model::{JointKind, Model};
use carom_agility::JumpOutcome;
use carom_figure::{Axis, Colour, Figure, Line, Marker, Panel};
use carom_scene::StudyChoice;
use carom_scene::study::Jump;

use super::table::jumped;

/// Colour and marker of each outcome.
const LOOKS: [(JumpOutcome, &str, u8, Marker); 5] = [
    (JumpOutcome::Jumped, "jumped after a stance", 0, Marker::Dot),
    (JumpOutcome::AtOnce, "left the ground at once", 1, Marker::Cross),
    (JumpOutcome::KeptContact, "kept contact", 2, Marker::Square),
    (JumpOutcome::Stopped, "stopped by a paradox", 4, Marker::Diamond),
    (JumpOutcome::TimedOut, "timed out", 3, Marker::Triangle),
];

/// The figure.
pub fn picture(title: &str, model: &Model, study: &StudyChoice, rows: &[Jump]) -> Figure {
    let mut figure = Figure::new(title).columns(2).panel(sampling(model, study, rows));
    if !jumped(rows).is_empty() {
        figure = figure
            .panel(against(rows, "Stance", ("stance", "ms"), |r| 1e3 * r.measure.stance))
            .panel(against(rows, "Rise", ("rise of the body", "cm"), |r| 100.0 * r.measure.rise))
            .panel(against(rows, "Distance", ("least distance to the goal", "m"), |r| {
                r.measure.least_distance
            }));
    }
    figure.caption(format!("{} jumps, seed {}", rows.len(), study.seed))
}

/// The varied coordinates by outcome; a single one against the stance.
fn sampling(model: &Model, study: &StudyChoice, rows: &[Jump]) -> Panel {
    let shifts = |q: usize| {
        let body = model.body_ids().find(|id| model.q_range(*id).contains(&q));
        body.is_some_and(|id| matches!(model.body(id).joint.kind, JointKind::Prismatic { .. }))
    };
    let axis = |k: usize| {
        let varied = &study.varied[k];
        Axis::new(varied.name.clone(), if shifts(varied.q) { "m" } else { "rad" })
    };
    let panel = Panel::new().title("Postures").x(axis(0));
    let mut panel = match study.varied.len() {
        1 => panel.y(("stance", "ms")),
        _ => panel.y(axis(1)),
    };
    for (outcome, name, colour, marker) in LOOKS {
        let of: Vec<&Jump> = rows.iter().filter(|r| r.measure.outcome == outcome).collect();
        let x: Vec<f64> = of.iter().map(|r| r.at[0]).collect();
        let second = |r: &&Jump| r.at.get(1).copied().unwrap_or(1e3 * r.measure.stance);
        let y: Vec<f64> = of.iter().map(second).collect();
        if !of.is_empty() {
            panel = panel.add(points(name, &x, &y, colour, marker));
        }
    }
    panel
}

fn against(
    rows: &[Jump],
    title: &str,
    (name, unit): (&str, &str),
    value: fn(&Jump) -> f64,
) -> Panel {
    let of = jumped(rows);
    let x: Vec<f64> = of.iter().map(|r| r.dce).collect();
    let y: Vec<f64> = of.iter().map(|r| value(r)).collect();
    Panel::new()
        .title(format!("{title} against capability"))
        .x(("capability by torques alone", "m/s²"))
        .y((name, unit))
        .add(look(Line::unnamed(&x, &y).width(0.0), 0, Marker::Dot))
}

fn points(name: &str, x: &[f64], y: &[f64], colour: u8, marker: Marker) -> Line {
    look(Line::points(name, x, y), colour, marker)
}

fn look(line: Line, colour: u8, marker: Marker) -> Line {
    line.colour(Colour::Series(colour)).marker(marker).radius(1.6).opacity(0.7)
}
