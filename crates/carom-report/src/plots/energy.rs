//! Energies over time, and where they went.

use super::RunPlots;
use super::curves::impacts;
use crate::figure::{Axis, Colour, Dash, Figure, Line, Panel};

/// Kinetic, potential, spring and total energy; losses by contact and works below.
pub(super) fn figure(run: &RunPlots<'_>) -> Option<Figure> {
    let stored = stored(run).height(230.0);
    let mut figure = Figure::new(run.heading("energy")).share_x().panel(stored);
    let gone = losses(run);
    if !gone.is_empty() {
        figure = figure.panel(impacts(run, gone));
    }
    if let Some(caption) = run.window.caption() {
        figure = figure.caption(caption);
    }
    (!figure.is_empty()).then_some(figure)
}

/// Kinetic, potential, spring and total energy.
pub(super) fn stored(run: &RunPlots<'_>) -> Panel {
    let t = &run.window.t;
    let mut panel = Panel::new().x(("t", "s")).y(("energy", "J"));
    let looks = [
        ("kinetic", Colour::Series(0), Dash::Solid),
        ("gravity", Colour::Series(2), Dash::Dashed),
        ("spring", Colour::Series(3), Dash::DashDot),
    ];
    for (name, colour, dash) in looks {
        if let Some(values) = energy(run, name).filter(|v| v.iter().any(|x| *x != 0.0)) {
            let label = if name == "gravity" { "potential (gravity)" } else { name };
            panel = panel.add(Line::new(label, t, &values).colour(colour).dash(dash));
        }
    }
    if let Some(values) = run.smooth("energy.stored") {
        panel = panel.add(Line::new("total", t, &values).colour(Colour::Ink).width(2.0));
    }
    impacts(run, panel)
}

/// An energy between samples: gravity and springs follow from the posture, the total is smooth, and kinetic is the rest.
fn energy(run: &RunPlots<'_>, name: &str) -> Option<Vec<f64>> {
    if name != "kinetic" {
        return run.column(&format!("energy.{name}"));
    }
    let [gravity, spring] = ["energy.gravity", "energy.spring"].map(|name| run.column(name));
    let (gravity, spring) = (gravity?, spring?);
    let stored = run.smooth("energy.stored")?;
    Some((0..stored.len()).map(|k| (stored[k] - gravity[k] - spring[k]).max(0.0)).collect())
}

/// Most contacts with a curve of their own; the others are summed.
const MOST: usize = 5;

/// Energy lost at contacts and in dampers, and work of applied forces.
fn losses(run: &RunPlots<'_>) -> Panel {
    let t = &run.window.t;
    let mut panel =
        Panel::new().x(("t", "s")).y(Axis::new("energy so far", "J").include(0.0)).height(170.0);
    let mut sites: Vec<(&str, Vec<f64>)> = run
        .document
        .sites
        .iter()
        .filter_map(|s| Some((s.name.as_str(), run.smooth(&format!("loss.{}", s.name))?)))
        .filter(|(_, values)| values.iter().any(|x| *x != 0.0))
        .collect();
    let last = |v: &[f64]| v.last().map_or(0.0, |x| x.abs());
    if sites.len() > MOST {
        // The largest keep their names; equal ones keep their order.
        sites.sort_by(|a, b| last(&b.1).total_cmp(&last(&a.1)));
    }
    let others = sites.split_off(sites.len().min(MOST));
    for (name, values) in &sites {
        panel = panel.line(format!("lost at {name}"), t, values);
    }
    if !others.is_empty() {
        let sum: Vec<f64> = (0..t.len()).map(|k| others.iter().map(|(_, v)| v[k]).sum()).collect();
        panel = panel.line(format!("lost at {} other contacts", others.len()), t, &sum);
    }
    let works = |values: &Vec<f64>| values.iter().any(|x| *x != 0.0);
    if let Some(values) = run.smooth("work.damping").filter(works) {
        let lost: Vec<f64> = values.iter().map(|x| 0.0 - x).collect();
        panel = panel.line("lost in dampers", t, &lost);
    }
    if let Some(values) = run.smooth("work.applied").filter(works) {
        panel = panel.add(
            Line::new("work of applied forces", t, &values)
                .colour(Colour::Series(7))
                .dash(Dash::Long),
        );
    }
    panel
}
