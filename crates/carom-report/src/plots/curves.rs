//! Coordinates, speeds and forces of motors over time, one panel per unit.

use super::RunPlots;
use crate::document::Series;
use carom_figure::{Colour, Dash, Figure, Guide, Line, Panel};

/// Most series in one panel.
const MOST: usize = 6;
/// Most panels of one unit: of gases and piles the first bodies speak for all.
const PANELS: usize = 3;
/// Most impacts that are marked.
const MARKED: usize = 12;

/// Coordinates.
pub(super) fn coordinates(run: &RunPlots<'_>) -> Option<Figure> {
    figure(run, "coordinates", "coordinates")
}

/// Speeds.
pub(super) fn speeds(run: &RunPlots<'_>) -> Option<Figure> {
    figure(run, "speeds", "speeds")
}

/// Forces and torques of motors, if any works.
pub(super) fn torques(run: &RunPlots<'_>) -> Option<Figure> {
    let works = |s: &Series| s.values.to_f64().iter().any(|x| *x != 0.0);
    let any = run.document.series.iter().any(|s| s.group == "torque" && works(s));
    any.then(|| figure(run, "torque", "motors")).flatten()
}

/// Changes below this part of the largest number of a figure are round-off.
pub(super) const ROUND_OFF: f64 = 1e-10;

/// Largest size of some numbers.
pub(super) fn largest(values: &[f64]) -> f64 {
    values.iter().fold(0.0, |a, b| a.max(b.abs()))
}

/// Whether a series stays what it was at first.
fn is_still(series: &Series, scale: f64) -> bool {
    let values = series.values.to_f64();
    values.iter().all(|x| (x - values[0]).abs() <= ROUND_OFF * scale)
}

fn figure(run: &RunPlots<'_>, group: &str, what: &str) -> Option<Figure> {
    let mut all: Vec<&Series> = run.document.series.iter().filter(|s| s.group == group).collect();
    let scale = all.iter().map(|s| largest(&s.values.to_f64())).fold(0.0, f64::max);
    // Where there are many, those that never change say nothing; nor does a panel in which nothing changes beside
    // others.
    let before = all.len();
    let moving: Vec<String> =
        all.iter().filter(|s| !is_still(s, scale)).map(|s| s.unit.clone()).collect();
    if before > MOST {
        all.retain(|s| !is_still(s, scale));
    } else if !moving.is_empty() {
        all.retain(|s| moving.contains(&s.unit));
    }
    let still = before - all.len();
    let mut units: Vec<&str> = Vec::new();
    for series in &all {
        if !units.contains(&series.unit.as_str()) {
            units.push(&series.unit);
        }
    }
    let mut figure = Figure::new(run.heading(what)).share_x();
    let mut shown = 0;
    for unit in units {
        let same: Vec<&&Series> = all.iter().filter(|s| s.unit == unit).collect();
        for part in same.chunks(MOST).take(PANELS) {
            figure = figure.panel(panel(run, unit, part, scale));
            shown += part.len();
        }
    }
    let mut caption = run.window.caption().unwrap_or_default();
    if shown < all.len() {
        caption = format!("The first {shown} of {} {what} that change. {caption}", all.len());
    }
    if still > 0 {
        let word = if still == 1 { "one that stays" } else { "those that stay" };
        caption = format!("{still} of {before} {what} are not shown: {word} constant. {caption}");
    }
    figure = figure.caption(caption);
    (!figure.is_empty()).then_some(figure)
}

fn panel(run: &RunPlots<'_>, unit: &str, series: &[&&Series], scale: f64) -> Panel {
    let mut panel = Panel::new().x(("t", "s")).y((quantity(unit), unit)).height(190.0);
    for s in series {
        let mut values = run.window.of(s.values.to_f64());
        if is_still(s, scale) {
            let first = values[0];
            values.fill(if first.abs() <= ROUND_OFF * scale { 0.0 } else { first });
        }
        panel = panel.add(Line::new(s.label.clone(), &run.window.t, &values));
    }
    impacts(run, panel)
}

/// Marks the times of impacts, if they are few.
pub(super) fn impacts(run: &RunPlots<'_>, mut panel: Panel) -> Panel {
    let times: Vec<f64> = run.jumps().map(|(_, e)| e.t).collect();
    if times.len() <= MARKED {
        for t in times {
            panel = panel.add(Guide::vertical(t, "").colour(Colour::Series(7)).dash(Dash::Dotted));
        }
    }
    panel
}

/// What is measured in a unit.
pub(super) fn quantity(unit: &str) -> &'static str {
    match unit {
        "m" => "position",
        "rad" => "angle",
        "m/s" => "velocity",
        "rad/s" => "angular velocity",
        "N·m" => "torque",
        "N" => "force",
        _ => "quaternion",
    }
}
