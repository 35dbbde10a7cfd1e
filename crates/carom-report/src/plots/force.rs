//! Contact forces over time, normal and tangential, with impulses as stems on a scale of their own.

use super::RunPlots;
use crate::document::SiteTrack;
use carom_figure::{Axis, Colour, Dash, Figure, LegendPlace, Line, Marker, Panel, Stems};

/// Most contacts in a figure.
const MOST: usize = 8;

/// One panel per contact that acts.
pub(super) fn figure(run: &RunPlots<'_>) -> Option<Figure> {
    let mut acting: Vec<(usize, f64, Panel)> = Vec::new();
    for (k, site) in run.document.sites.iter().enumerate() {
        if let Some((size, panel)) = panel(run, k, site) {
            acting.push((k, size, panel));
        }
    }
    let all = acting.len();
    if all > MOST {
        acting.sort_by(|a, b| b.1.total_cmp(&a.1));
        acting.truncate(MOST);
        acting.sort_by_key(|(k, ..)| *k);
    }
    let columns = if acting.len() > 3 { 2 } else { 1 };
    let mut figure = Figure::new(run.heading("contact forces")).columns(columns).one_legend();
    if columns > 1 {
        figure = figure.width(860.0);
    }
    let rows = acting.len().div_ceil(columns);
    for (_, _, panel) in acting {
        figure = figure.panel(if rows > 2 { panel.height(120.0) } else { panel.height(200.0) });
    }
    let mut caption = run.window.caption().unwrap_or_default();
    if all > MOST {
        caption = format!("The {MOST} of {all} acting contacts with the largest forces. {caption}");
    }
    (!figure.is_empty()).then(|| figure.caption(caption))
}

/// Largest force or impulse of a contact and its panel; none if it never acts.
fn panel(run: &RunPlots<'_>, k: usize, site: &SiteTrack) -> Option<(f64, Panel)> {
    let t = &run.window.t;
    let part = |axis: &str| {
        run.smooth(&format!("force.{}.{axis}", site.name)).unwrap_or_else(|| vec![0.0; t.len()])
    };
    let (t1, t2, n) = (part("t1"), part("t2"), part("n"));
    let acts = |x: &[f64]| x.iter().any(|x| *x != 0.0);
    let stems = impulses(run, k);
    if !acts(&n) && stems.t.is_empty() {
        return None;
    }
    let (force, impulse) = if turns(run, site) { ("N·m", "N·m·s") } else { ("N", "N·s") };
    let mut panel = Panel::new().title(site.name.clone()).x(run.window.axis()).one_zero();
    // Without forces the impulses have the left axis.
    let alone = !acts(&n);
    panel = panel
        .y(if alone { Axis::new("impulse", impulse) } else { Axis::new("force", force) }
            .include(0.0));
    let two = site.tangent2.is_some();
    if !alone {
        panel = panel.add(Line::new("normal force", t, &n).colour(Colour::Series(0)));
    }
    if site.kind == "contact" && !alone {
        let name = if two { "tangential force, first" } else { "tangential force" };
        panel = panel.add(Line::new(name, t, &t1).colour(Colour::Series(4)).dash(Dash::Dashed));
        if two {
            let line = Line::new("tangential force, second", t, &t2);
            panel = panel.add(line.colour(Colour::Series(2)).dash(Dash::DashDot));
        }
    }
    let largest = |x: &[f64]| x.iter().fold(0.0f64, |a, b| a.max(b.abs()));
    let size = largest(&n).max(largest(&stems.normal));
    if !stems.t.is_empty() {
        let side = |s: Stems| if alone { s } else { s.right() };
        if !alone {
            panel = panel.right(Axis::new("impulse", impulse).include(0.0));
        }
        panel = panel.add(side(
            Stems::new("normal impulse", &stems.t, &stems.normal).colour(Colour::Series(1)),
        ));
        if acts(&stems.tangent) {
            let name = if two { "tangential impulse (size)" } else { "tangential impulse" };
            let more = Stems::new(name, &stems.t, &stems.tangent)
                .colour(Colour::Series(3))
                .marker(Marker::Circle);
            panel = panel.add(side(more));
        }
    }
    Some((size, panel.legend(LegendPlace::None)))
}

/// Whether a site is the stop of a joint that turns.
pub(super) fn turns(run: &RunPlots<'_>, site: &SiteTrack) -> bool {
    run.document.series.iter().any(|s| s.name == format!("gap.{}", site.name) && s.unit == "rad")
}

/// Impulses of a contact in the window.
#[derive(Default)]
struct Impulses {
    t: Vec<f64>,
    normal: Vec<f64>,
    /// With its sign in the plane, its size in space.
    tangent: Vec<f64>,
}

fn impulses(run: &RunPlots<'_>, site: usize) -> Impulses {
    let spatial = run.document.sites[site].tangent2.is_some();
    let mut found = Impulses::default();
    for (_, event) in run.jumps() {
        for c in event.contacts.iter().filter(|c| c.site == site && c.impulse[2] != 0.0) {
            found.t.push(event.t);
            found.normal.push(c.impulse[2]);
            found.tangent.push(if spatial {
                c.impulse[0].hypot(c.impulse[1])
            } else {
                c.impulse[0]
            });
        }
    }
    found
}
