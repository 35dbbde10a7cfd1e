//! The path of single impacts in impulse space: tangential against normal velocity with the lines uₜ = 0 and uₙ = 0 and
//! the split into compression and restitution; in space the hodograph.

use super::RunPlots;
use super::window::short;
use crate::figure::{Axis, Colour, Dash, Figure, Guide, Line, Line3, Marker, Note, Panel, Space};
use crate::page::{ImpulsePath, PageEvent};

/// Most impacts that have a figure: those that lose most.
const MOST: usize = 3;
/// Most contacts of one impact that are shown.
const CONTACTS: usize = 3;

/// Places of the impacts with figures, in order of time.
pub(super) fn chosen(run: &RunPlots<'_>) -> Vec<usize> {
    let lost = |e: &PageEvent| e.energy_before - e.energy_after;
    let traced = |e: &PageEvent| e.paths.as_ref().is_some_and(|p| !p.is_empty());
    let mut places: Vec<(usize, f64)> =
        run.jumps().filter(|(_, e)| traced(e)).map(|(k, e)| (k, lost(e))).collect();
    // Equal losses in order of time.
    places.sort_by(|a, b| b.1.total_cmp(&a.1).then(a.0.cmp(&b.0)));
    let mut chosen: Vec<usize> = places.into_iter().take(MOST).map(|(k, _)| k).collect();
    chosen.sort_unstable();
    chosen
}

/// A figure for each of the impacts that lose most.
pub(super) fn figures(run: &RunPlots<'_>) -> Vec<(String, Figure)> {
    let chosen = chosen(run);
    let name = |place: usize| if place == 0 { "impulse".into() } else { format!("impulse_{}", place + 1) };
    let events = chosen.iter().map(|k| &run.document.events[*k]);
    events.enumerate().map(|(place, event)| (name(place), figure(run, event))).collect()
}

fn figure(run: &RunPlots<'_>, event: &PageEvent) -> Figure {
    let heading = format!("impact at t = {} s in impulse space", short(event.t));
    let mut figure = Figure::new(run.heading(&heading)).columns(2).width(860.0);
    let paths = event.paths.as_deref().unwrap_or_default();
    for path in paths.iter().take(CONTACTS) {
        let name = &run.document.sites[path.site].name;
        let left = match &path.u_t2 {
            Some(second) => hodograph(path, second),
            None => plane(path),
        };
        figure = figure.panel(left.title(format!("{name}: velocities")));
        figure = figure.panel(over_impulse(path).title(format!("{name}: over the impulse")));
    }
    figure.caption(caption(run, event, paths))
}

fn caption(run: &RunPlots<'_>, event: &PageEvent, paths: &[ImpulsePath]) -> String {
    let site = &run.document.sites[paths[0].site];
    let friction = if site.static_friction == site.friction {
        format!("μ = {}", short(site.friction))
    } else {
        format!("μd = {}, μs = {}", short(site.friction), short(site.static_friction))
    };
    let e = site.restitution.map(|e| format!("e = {}, ", short(e))).unwrap_or_default();
    let lost = short(event.energy_before - event.energy_after);
    let more = paths.len().saturating_sub(CONTACTS);
    let rest = if more > 0 { format!(" {more} more colliding contacts are not shown.") } else { String::new() };
    format!("{}: {e}{friction}; the impact loses {lost} J.{rest}", site.law)
}

/// Where compression ends in the lists of a path.
fn split(path: &ImpulsePath) -> usize {
    let end = path.stages.iter().find(|s| s.name == "end of compression");
    end.map_or(path.p.len() - 1, |s| s.index)
}

/// Stages with their points; those at one point are one note.
fn notes(path: &ImpulsePath) -> Vec<(usize, String)> {
    let mut found: Vec<(usize, String)> = Vec::new();
    for stage in &path.stages {
        let same = |k: usize| (path.p[k] - path.p[stage.index]).abs() <= 1e-9 * path.p[path.p.len() - 1].abs();
        match found.last_mut() {
            Some((k, text)) if same(*k) => {
                if !text.contains(stage.name) {
                    text.push_str(&format!(", {}", stage.name));
                }
            }
            _ => found.push((stage.index, stage.name.into())),
        }
    }
    found
}

/// Tangential against normal velocity of a planar contact.
fn plane(path: &ImpulsePath) -> Panel {
    let k = split(path);
    let mut panel = Panel::new()
        .x(Axis::new("tangential velocity uₜ", "m/s").include(0.0))
        .y(("normal velocity uₙ", "m/s"))
        .add(Guide::vertical(0.0, "uₜ = 0"))
        .add(Guide::horizontal(0.0, "uₙ = 0"))
        .add(Line::new("compression", &path.u_t[..=k], &path.u_n[..=k]).colour(Colour::Series(0)).width(2.0));
    if k + 1 < path.p.len() {
        let line = Line::new("restitution", &path.u_t[k..], &path.u_n[k..]);
        panel = panel.add(line.colour(Colour::Series(1)).dash(Dash::Dashed).width(2.0));
    }
    for (k, text) in notes(path) {
        let point = Line::unnamed(&path.u_t[k..=k], &path.u_n[k..=k]).width(0.0).marker(Marker::Circle);
        panel = panel.add(point.colour(Colour::Ink)).add(Note::new(path.u_t[k], path.u_n[k], text));
    }
    wide(panel, &path.u_t)
}

/// A range that is not all round-off where nothing slips.
fn wide(panel: Panel, u_t: &[f64]) -> Panel {
    let largest = u_t.iter().fold(0.0f64, |a, b| a.max(b.abs()));
    if largest < 1e-9 { panel.x(Axis::new("tangential velocity uₜ", "m/s").range(-1.0, 1.0)) } else { panel }
}

/// The path of the three velocities of a contact in space.
fn hodograph(path: &ImpulsePath, second: &[f64]) -> Panel {
    let point = |k: usize| [path.u_t[k], second[k], path.u_n[k]];
    let k = split(path);
    let mut space = Space::new(("u₁", "m/s"), ("u₂", "m/s"), ("uₙ", "m/s"))
        .level(0.0)
        .line(Line3::new("compression", (0..=k).map(point).collect()).look(|l| l.width(2.0)).shadow());
    if k + 1 < path.p.len() {
        let rest: Vec<[f64; 3]> = (k..path.p.len()).map(point).collect();
        space = space.line(Line3::new("restitution", rest).look(|l| l.width(2.0)).shadow());
    }
    for (k, text) in notes(path) {
        let look = |l: Line| l.width(0.0).marker(Marker::Circle).colour(Colour::Ink);
        space = space.line(Line3::new("", vec![point(k)]).look(look)).note(point(k), text);
    }
    Panel::space(space)
}

/// Velocities and work over the normal impulse.
fn over_impulse(path: &ImpulsePath) -> Panel {
    let mut panel = Panel::new()
        .x(("normal impulse pₙ", "N·s"))
        .y(("velocity", "m/s"))
        .right(("work of the impulses", "J"))
        .add(Guide::horizontal(0.0, ""))
        .add(Line::new("uₙ", &path.p, &path.u_n).colour(Colour::Series(0)));
    match &path.u_t2 {
        Some(second) => {
            panel = panel
                .add(Line::new("u₁", &path.p, &path.u_t).colour(Colour::Series(4)).dash(Dash::Dashed))
                .add(Line::new("u₂", &path.p, second).colour(Colour::Series(2)).dash(Dash::DashDot));
        }
        None => panel = panel.add(Line::new("uₜ", &path.p, &path.u_t).colour(Colour::Series(4)).dash(Dash::Dashed)),
    }
    let k = split(path);
    if k + 1 < path.p.len() {
        panel = panel.add(Guide::vertical(path.p[k], "end of compression"));
    }
    panel.add(Line::new("work", &path.p, &path.work).colour(Colour::Series(3)).dash(Dash::Dotted).width(2.0).right())
}
