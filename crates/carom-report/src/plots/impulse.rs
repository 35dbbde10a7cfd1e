//! The path of single impacts in impulse space: tangential against normal velocity with the lines uₜ = 0 and uₙ = 0 and
//! the split into compression and restitution; in space the hodograph.

use super::curves::{ROUND_OFF, largest};
use super::force::turns;
use super::window::short;
use super::work::Worked;
use super::{RunPlots, palette};
use crate::document::{ImpulsePath, PageEvent};
use carom_figure::{Axis, Colour, Dash, Figure, Guide, Line, Line3, Marker, Note, Panel, Space};

/// Most impacts that have a figure: those that lose most.
const MOST: usize = 3;
/// An impact that loses less than this part of the kinetic energy has no figure unless it is the only one.
const LEAST: f64 = 1e-6;
/// Most contacts of one impact that are shown.
const CONTACTS: usize = 3;

/// Places of the impacts with figures, in order of time.
pub(super) fn chosen(run: &RunPlots<'_>) -> Vec<usize> {
    let lost = |e: &PageEvent| e.energy_before - e.energy_after;
    let traced = |e: &PageEvent| e.paths.as_ref().is_some_and(|p| !p.is_empty());
    let all: Vec<(usize, &PageEvent)> = run.jumps().filter(|(_, e)| traced(e)).collect();
    let first = all.first().map(|(k, _)| *k);
    let mut places: Vec<(usize, f64)> = all
        .iter()
        .filter(|(_, e)| lost(e) > LEAST * e.energy_before)
        .map(|(k, e)| (*k, lost(e)))
        .collect();
    // Equal losses in order of time.
    places.sort_by(|a, b| b.1.total_cmp(&a.1).then(a.0.cmp(&b.0)));
    let mut chosen: Vec<usize> = places.into_iter().take(MOST).map(|(k, _)| k).collect();
    if chosen.is_empty() {
        chosen.extend(first);
    }
    chosen.sort_unstable();
    chosen
}

/// A figure for each of the impacts that lose most.
pub(super) fn figures(run: &RunPlots<'_>) -> Vec<(String, Figure)> {
    let chosen = chosen(run);
    let name =
        |place: usize| if place == 0 { "impulse".into() } else { format!("impulse_{}", place + 1) };
    let events = chosen.iter().map(|k| &run.document.events[*k]);
    events.enumerate().map(|(place, event)| (name(place), figure(run, event))).collect()
}

fn figure(run: &RunPlots<'_>, event: &PageEvent) -> Figure {
    let heading = format!("impact at t = {} s in impulse space", short(event.t));
    let mut figure = Figure::new(run.heading(&heading)).columns(2).width(860.0);
    let paths = event.paths.as_deref().unwrap_or_default();
    for path in paths.iter().take(CONTACTS) {
        let site = &run.document.sites[path.site];
        let (name, units) = (&site.name, Units::of(turns(run, site)));
        let left = match &path.u_t2 {
            Some(second) => hodograph(path, second),
            None => plane(path, &units),
        };
        figure = figure.panel(left.title(format!("{name}: velocities")));
        figure =
            figure.panel(over_impulse(path, &units).title(format!("{name}: over the impulse")));
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
    let rest = if more > 0 {
        format!(" {more} more colliding contacts are not shown.")
    } else {
        String::new()
    };
    format!("{}: {e}{friction}; the impact loses {lost} J.{rest}", site.law)
}

/// Units of velocities and impulses.
struct Units {
    velocity: &'static str,
    impulse: &'static str,
}

impl Units {
    /// At the stop of a joint that turns, or anywhere else.
    fn of(turns: bool) -> Self {
        if turns {
            Self { velocity: "rad/s", impulse: "N·m·s" }
        } else {
            Self { velocity: "m/s", impulse: "N·s" }
        }
    }
}

/// Where compression ends in the lists of a path.
fn split(path: &ImpulsePath) -> usize {
    let end = path.stages.iter().find(|s| s.name == "end of compression");
    end.map_or(path.p.len() - 1, |s| s.index)
}

/// Stages with their points; those at one point are one note. Where impacts follow each other at one instant, it starts
/// with the first and ends with the last.
fn notes(path: &ImpulsePath) -> Vec<(usize, String)> {
    let mut found: Vec<(usize, String)> = Vec::new();
    let last = path.stages.len().saturating_sub(1);
    let first_compression = path.stages.iter().position(|s| s.name == "end of compression");
    let kept = |(k, name): (usize, &str)| match name {
        "start" => k == 0,
        "end" => k == last,
        "end of compression" => Some(k) == first_compression,
        _ => true,
    };
    for (_, stage) in path.stages.iter().enumerate().filter(|(k, s)| kept((*k, s.name))) {
        let same = |k: usize| {
            (path.p[k] - path.p[stage.index]).abs() <= 1e-6 * path.p[path.p.len() - 1].abs()
        };
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
fn plane(path: &ImpulsePath, units: &Units) -> Panel {
    let k = split(path);
    let mut panel = Panel::new()
        .x(tangential(path, units))
        .y(Axis::new("normal velocity uₙ", units.velocity).margin(0.09))
        .add(Guide::vertical(0.0, "uₜ = 0"))
        .add(Guide::horizontal(0.0, "uₙ = 0"))
        .add(
            Line::new("compression", &path.u_t[..=k], &path.u_n[..=k])
                .colour(palette::COMPRESSION)
                .width(2.0),
        );
    let last = path.p.len() - 1;
    if path.p[last] - path.p[k] > 1e-6 * path.p[last] {
        let line = Line::new("restitution", &path.u_t[k..], &path.u_n[k..]);
        panel = panel.add(line.colour(palette::RESTITUTION).dash(Dash::Dashed).width(2.0));
    }
    for (k, text) in notes(path) {
        let point =
            Line::unnamed(&path.u_t[k..=k], &path.u_n[k..=k]).width(0.0).marker(Marker::Circle);
        panel = panel.add(point.colour(Colour::Ink)).add(Note::new(path.u_t[k], path.u_n[k], text));
    }
    panel
}

/// The axis of slip; not all round-off where nothing slips.
fn tangential(path: &ImpulsePath, units: &Units) -> Axis {
    let axis = Axis::new("tangential velocity uₜ", units.velocity).include(0.0).margin(0.08);
    let normal = largest(&path.u_n);
    if largest(&path.u_t) <= ROUND_OFF * normal { axis.range(-normal, normal) } else { axis }
}

/// The path of the three velocities of a contact in space.
fn hodograph(path: &ImpulsePath, second: &[f64]) -> Panel {
    let point = |k: usize| [path.u_t[k], second[k], path.u_n[k]];
    let k = split(path);
    // Slips that are small beside the normal velocity are not blown up to its size.
    let small = 0.1 * largest(&path.u_n);
    let axis = |name: &str| Axis::new(name, "m/s").include(small).include(-small);
    let mut space = Space::new(axis("u₁"), axis("u₂"), ("uₙ", "m/s")).level(0.0).line(
        Line3::new("compression", (0..=k).map(point).collect()).look(|l| l.width(2.0)).shadow(),
    );
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
fn over_impulse(path: &ImpulsePath, units: &Units) -> Panel {
    let mut panel = Panel::new()
        .x(("normal impulse pₙ", units.impulse))
        .y(("velocity", units.velocity))
        .right(("work of the impulses", "J"))
        .add(Guide::horizontal(0.0, ""))
        .add(Line::new("uₙ", &path.p, &path.u_n).colour(Colour::Ink));
    match &path.u_t2 {
        Some(second) => {
            panel = panel
                .add(Line::new("u₁", &path.p, &path.u_t).colour(palette::SLIP).dash(Dash::Dashed))
                .add(
                    Line::new("u₂", &path.p, second).colour(Colour::Series(5)).dash(Dash::DashDot),
                );
        }
        None => {
            panel = panel
                .add(Line::new("uₜ", &path.p, &path.u_t).colour(palette::SLIP).dash(Dash::Dashed))
        }
    }
    let k = split(path);
    if k + 1 < path.p.len() {
        panel = panel.add(Guide::vertical(path.p[k], "end of compression"));
    }
    let worked = Worked::new(path);
    panel.add(
        Line::new("work", &worked.p, &worked.work)
            .colour(Colour::Series(7))
            .dash(Dash::Dotted)
            .width(2.0)
            .right(),
    )
}
