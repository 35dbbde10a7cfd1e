//! Friction feasibility: the coefficient that each slip after an impact would need, and what the surface offers.

use super::RunPlots;
use super::impulse::chosen;
use super::window::short;
use crate::document::Retrace;
use crate::run::EventLine;
use carom::impact::dissipation::FeasibilityCurve;
use carom_figure::{Axis, Band, Colour, Dash, Figure, Guide, Line, Marker, Panel};

/// What the curves are.
const CAPTION: &str = "Each contact alone, with the normal rebound of this impact: the slip vₜ afterwards is reached with \
    the friction impulse |pₜ| = μ pₙ. The grey band holds the slips that dynamic friction allows; on a dashed branch the \
    contact would have to pull.";
/// Points of a branch.
const POINTS: usize = 300;
/// Most contacts of one impact that are shown.
const CONTACTS: usize = 4;

/// A figure for each impact that has one in impulse space; contacts with one tangent only.
pub(super) fn figures(run: &RunPlots<'_>) -> Vec<(String, Figure)> {
    let Some(mut retrace) = Retrace::new(&run.account.scene, &run.stage.sites) else {
        return Vec::new();
    };
    let mut found: Vec<(String, Figure)> = Vec::new();
    for place in chosen(run) {
        let event = &run.account.events[place];
        if let Some(figure) = figure(run, event, &mut retrace) {
            let name = if found.is_empty() {
                "feasibility".into()
            } else {
                format!("feasibility_{}", found.len() + 1)
            };
            found.push((name, figure));
        }
    }
    found
}

fn figure(run: &RunPlots<'_>, event: &EventLine, retrace: &mut Retrace<'_>) -> Option<Figure> {
    let mut space = retrace.space(event)?.clone();
    let several = event.contacts.iter().filter(|c| c.impulse_normal != 0.0).count() > 1;
    let mut panels = Vec::new();
    for (k, line) in event.contacts.iter().enumerate() {
        if line.velocity_normal_before < 0.0 {
            // The rebound of this impact, whatever its law calls restitution: its point then lies on the curve.
            space.contacts[k].restitution =
                -line.velocity_normal_after / line.velocity_normal_before;
        }
        let (Ok(curve), [p_t], [slip]) = (
            FeasibilityCurve::new(&space, k),
            &line.impulse_tangent[..],
            &line.velocity_tangent_after[..],
        ) else {
            continue;
        };
        let contact = &space.contacts[k];
        // Without friction there is nothing to choose from.
        if contact.static_friction == 0.0 {
            continue;
        }
        let surface = [contact.friction, contact.static_friction];
        let reached = (line.impulse_normal > 0.0 && !several)
            .then(|| [*slip, p_t.abs() / line.impulse_normal]);
        panels.push(
            panel(&curve, surface, reached, space.u_pre[contact.first]).title(line.name.clone()),
        );
    }
    if panels.is_empty() {
        return None;
    }
    let heading =
        format!("friction that each slip after the impact at t = {} s needs", short(event.t));
    let mut figure = Figure::new(run.heading(&heading)).columns(panels.len().min(2));
    for panel in panels.into_iter().take(CONTACTS) {
        figure = figure.panel(panel);
    }
    Some(figure.caption(CAPTION))
}

fn panel(
    curve: &FeasibilityCurve,
    [mu, mu_s]: [f64; 2],
    reached: Option<[f64; 2]>,
    before: f64,
) -> Panel {
    let free = curve.frictionless_slip();
    let mut ends = [0.0, free, before, reached.map_or(0.0, |r| r[0])];
    ends.sort_by(f64::total_cmp);
    let width = (ends[3] - ends[0]).max(1e-9);
    let (low, high) = (ends[0] - 0.6 * width, ends[3] + 0.6 * width);
    let needed = curve.needed_for_stick().filter(|x| x.is_finite());
    let top = [
        Some(1.6 * mu_s),
        needed.map(|x| 1.25 * x).filter(|x| *x < 6.0 * mu_s),
        reached.map(|r| 1.2 * r[1]),
    ]
    .into_iter()
    .flatten()
    .fold(0.0, f64::max);
    let mut panel = Panel::new()
        .x(Axis::new("slip after the impact vₜ", "m/s").range(low, high))
        .y(Axis::new("friction coefficient μ", "").range(0.0, top));
    let [from, to] = curve.slips(mu);
    let band = [from.max(low), to.min(high)];
    if band[0] < band[1] {
        panel = panel.add(Band::new("allowed by μd", &band, &[0.0; 2], &[mu; 2]).opacity(0.2));
    }
    let mut named = [false; 2];
    for branch in curve.branches(low, high, POINTS) {
        for part in branch.chunk_by(|a, b| (a.normal_impulse >= 0.0) == (b.normal_impulse >= 0.0)) {
            let x: Vec<f64> = part.iter().map(|p| p.slip).collect();
            let y: Vec<f64> = part
                .iter()
                .map(|p| if p.friction.is_finite() { p.friction } else { f64::NAN })
                .collect();
            let pushes = part[0].normal_impulse >= 0.0;
            let (name, dash) = if pushes {
                ("needed", Dash::Solid)
            } else {
                ("needed, but pulling", Dash::Dashed)
            };
            let line = if named[usize::from(pushes)] {
                Line::unnamed(&x, &y)
            } else {
                Line::new(name, &x, &y)
            };
            named[usize::from(pushes)] = true;
            panel = panel.add(line.colour(Colour::Series(0)).dash(dash).width(1.8));
        }
    }
    panel = panel.add(Guide::vertical(0.0, "stick"));
    panel = panel.add(Guide::horizontal(mu, if mu == mu_s { "μ" } else { "μd" }).dash(Dash::Solid));
    if mu != mu_s {
        panel = panel.add(Guide::horizontal(mu_s, "μs"));
    }
    if let Some([slip, ratio]) = reached {
        panel = panel.add(
            Line::points("this impact", &[slip], &[ratio])
                .colour(Colour::Series(1))
                .marker(Marker::Dot)
                .radius(4.0),
        );
    }
    panel
}
