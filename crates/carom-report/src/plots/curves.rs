//! Coordinates and speeds over time, one panel per unit.

use super::RunPlots;
use crate::figure::{Figure, Guide, Line, Dash, Colour, Panel};
use crate::page::Series;

/// Most series in one panel.
const MOST: usize = 6;
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

fn figure(run: &RunPlots<'_>, group: &str, what: &str) -> Option<Figure> {
    let all: Vec<&Series> = run.document.series.iter().filter(|s| s.group == group).collect();
    let mut units: Vec<&str> = Vec::new();
    for series in &all {
        if !units.contains(&series.unit.as_str()) {
            units.push(&series.unit);
        }
    }
    let mut figure = Figure::new(run.heading(what)).share_x();
    for unit in units {
        let same: Vec<&&Series> = all.iter().filter(|s| s.unit == unit).collect();
        for part in same.chunks(MOST) {
            figure = figure.panel(panel(run, quantity(unit), unit, part));
        }
    }
    if let Some(caption) = run.window.caption() {
        figure = figure.caption(caption);
    }
    (!figure.is_empty()).then_some(figure)
}

fn panel(run: &RunPlots<'_>, name: &str, unit: &str, series: &[&&Series]) -> Panel {
    let mut panel = Panel::new().x(("t", "s")).y((name, unit)).height(190.0);
    for s in series {
        panel = panel.add(Line::new(s.label.clone(), &run.window.t, &run.window.of(s.values.to_f64())));
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
        _ => "quaternion",
    }
}
