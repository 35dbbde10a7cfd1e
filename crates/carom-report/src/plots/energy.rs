//! Energies over time, and where they went.
//!
//! The zero of the potential is arbitrary. Where its lowest value U₀ would press all that happens into a thin band,
//! ```text
//! |U₀| > 4 max(T, V, max U − min U),                                                    (1)
//! ```
//! with kinetic energy T and spring energy V, potential and total are drawn from U₀, and the caption says so.
//!
//! # Tests
//! `eq1_a_far_zero_is_moved`.

use super::curves::{ROUND_OFF, impacts, largest};
use super::window::short;
use super::{RunPlots, palette};
use carom_figure::{Axis, Colour, Dash, Figure, Line, Panel};

/// Kinetic, potential, spring and total energy; losses by contact and works below.
pub(super) fn figure(run: &RunPlots<'_>) -> Option<Figure> {
    let (stored, from) = stored(run);
    let mut figure = Figure::new(run.heading("energy")).share_x().panel(stored.height(230.0));
    let gone = losses(run);
    if !gone.is_empty() {
        figure = figure.panel(impacts(run, gone));
    }
    let captions: Vec<String> = from.into_iter().chain(run.window.caption()).collect();
    if !captions.is_empty() {
        figure = figure.caption(captions.join(" "));
    }
    (!figure.is_empty()).then_some(figure)
}

/// Kinetic, potential, spring and total energy, and what the caption says of their zero.
pub(super) fn stored(run: &RunPlots<'_>) -> (Panel, Option<String>) {
    let t = &run.window.t;
    let mut panel = Panel::new().x(("t", "s")).y(Axis::new("energy", "J").include(0.0));
    let [kinetic, gravity, spring] =
        ["kinetic", "gravity", "spring"].map(|name| energy(run, name).unwrap_or_default());
    let zero = far_zero(&gravity, largest(&kinetic).max(largest(&spring)));
    let from_zero = |values: Vec<f64>| values.into_iter().map(|x| x - zero).collect::<Vec<f64>>();
    // The total lies beneath, so that what coincides with it is seen.
    if let Some(values) = run.column("energy.stored") {
        let values = from_zero(values);
        panel = panel.add(Line::new("total", t, &values).colour(Colour::Ink).width(2.4));
    }
    let looks = [
        ("kinetic", palette::KINETIC, Dash::Solid),
        ("gravity", palette::POTENTIAL, Dash::Dashed),
        ("spring", palette::SPRING, Dash::DashDot),
    ];
    for ((name, colour, dash), values) in looks.into_iter().zip([kinetic, gravity, spring]) {
        if values.iter().all(|x| *x == 0.0) {
            continue;
        }
        let (label, values) = if name == "gravity" {
            ("potential (gravity)", from_zero(values))
        } else {
            (name, values)
        };
        panel = panel.add(Line::new(label, t, &values).colour(colour).dash(dash));
    }
    let from = (zero != 0.0)
        .then(|| format!("Potential and total are counted from {} J, the lowest.", short(zero)));
    (impacts(run, panel), from)
}

/// The lowest potential if it is far from zero (1), otherwise zero; `most` is the largest of the other energies.
fn far_zero(potential: &[f64], most: f64) -> f64 {
    let low = potential.iter().copied().fold(f64::INFINITY, f64::min);
    let high = potential.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    let swing = most.max(high - low);
    if low.is_finite() && swing > 0.0 && low.abs() > 4.0 * swing { low } else { 0.0 }
}

/// An energy between samples: gravity and springs follow from the posture, the total is smooth, and kinetic is the rest.
fn energy(run: &RunPlots<'_>, name: &str) -> Option<Vec<f64>> {
    if name != "kinetic" {
        return run.column(&format!("energy.{name}"));
    }
    let [gravity, spring] = ["energy.gravity", "energy.spring"].map(|name| run.column(name));
    let (gravity, spring) = (gravity?, spring?);
    let stored = run.column("energy.stored")?;
    Some((0..stored.len()).map(|k| (stored[k] - gravity[k] - spring[k]).max(0.0)).collect())
}

/// Most contacts with a curve of their own; the others are summed.
const MOST: usize = 5;

/// Energy lost at contacts and in dampers, and work of applied forces.
fn losses(run: &RunPlots<'_>) -> Panel {
    let t = &run.window.t;
    let mut panel =
        Panel::new().x(("t", "s")).y(Axis::new("energy so far", "J").include(0.0)).height(170.0);
    // What is lost below the round-off of the energies is nothing.
    let scale = |name: &str| run.column(name).map_or(0.0, |values| largest(&values));
    let least = ROUND_OFF * scale("energy.kinetic").max(scale("energy.stored"));
    let mut sites: Vec<(&str, Vec<f64>)> = run
        .document
        .sites
        .iter()
        .filter_map(|s| Some((s.name.as_str(), run.column(&format!("loss.{}", s.name))?)))
        .filter(|(_, values)| largest(values) > least)
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
    if let Some(values) = run.column("work.damping").filter(works) {
        let lost: Vec<f64> = values.iter().map(|x| 0.0 - x).collect();
        panel = panel.line("lost in dampers", t, &lost);
    }
    if let Some(values) = run.column("work.applied").filter(works) {
        panel = panel.add(
            Line::new("work of applied forces", t, &values)
                .colour(Colour::Series(7))
                .dash(Dash::Long),
        );
    }
    panel
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn eq1_a_far_zero_is_moved() {
        assert_eq!(far_zero(&[196.0, 205.0, 200.0], 8.0), 196.0);
        assert_eq!(far_zero(&[-205.0, -196.0], 2.0), -205.0);
        assert_eq!(far_zero(&[55.0, 120.0], 66.0), 0.0);
        assert_eq!(far_zero(&[0.0, 0.0], 0.05), 0.0);
        // A potential alone that never changes keeps its number.
        assert_eq!(far_zero(&[3.0, 3.0], 0.0), 0.0);
        assert_eq!(far_zero(&[], 1.0), 0.0);
    }
}
