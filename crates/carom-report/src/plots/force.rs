//! Contact forces over time, normal and tangential, with impulses as stems on a scale of their own.

use super::{RunPlots, palette};
use crate::document::SiteTrack;
use carom_figure::{Axis, Colour, Dash, Figure, LegendPlace, Line, Marker, Panel, Stems};

/// Most contacts in a figure.
const MOST: usize = 8;

/// One panel per contact that acts, all with the same scales, so that equal heights are equal forces.
pub(super) fn figure(run: &RunPlots<'_>) -> Option<Figure> {
    let scales = Scales::of(run);
    let mut acting: Vec<(usize, f64, Panel)> = Vec::new();
    for (k, site) in run.document.sites.iter().enumerate() {
        if let Some((size, panel)) = panel(run, k, site, &scales) {
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
fn panel(run: &RunPlots<'_>, k: usize, site: &SiteTrack, scales: &Scales) -> Option<(f64, Panel)> {
    let t = &run.window.t;
    let part = |axis: &str| {
        run.column(&format!("force.{}.{axis}", site.name)).unwrap_or_else(|| vec![0.0; t.len()])
    };
    let (t1, t2, n) = (part("t1"), part("t2"), part("n"));
    let acts = |x: &[f64]| x.iter().any(|x| *x != 0.0);
    let stems = impulses(run, k);
    if !acts(&n) && stems.t.is_empty() {
        return None;
    }
    let turns = turns(run, site);
    let (force, impulse) = if turns {
        (("torque", "N·m"), ("angular impulse", "N·m·s"))
    } else {
        (("force", "N"), ("impulse", "N·s"))
    };
    let mut panel = Panel::new().title(site.name.clone()).x(run.window.axis()).one_zero();
    // Without forces the impulses have the left axis.
    let alone = !acts(&n);
    panel =
        panel.y(if alone { Axis::new(impulse.0, impulse.1) } else { Axis::new(force.0, force.1) }
            .include(0.0)
            .include(scales.of_axis(turns, alone)[0])
            .include(scales.of_axis(turns, alone)[1]));
    let two = site.tangent2.is_some();
    if !alone {
        panel = panel.add(Line::new("normal force", t, &n).colour(palette::FORCE));
    }
    if site.kind == "contact" && !alone {
        let name = if two { "tangential force, first" } else { "tangential force" };
        panel = panel.add(Line::new(name, t, &t1).colour(palette::SLIP).dash(Dash::Dashed));
        if two {
            let line = Line::new("tangential force, second", t, &t2);
            panel = panel.add(line.colour(Colour::Series(5)).dash(Dash::DashDot));
        }
    }
    let largest = |x: &[f64]| x.iter().fold(0.0f64, |a, b| a.max(b.abs()));
    let size = largest(&n).max(largest(&stems.normal));
    if !stems.t.is_empty() {
        let side = |s: Stems| if alone { s } else { s.right() };
        if !alone {
            panel = panel.right(
                Axis::new(impulse.0, impulse.1)
                    .include(0.0)
                    .include(scales.of_axis(turns, true)[0])
                    .include(scales.of_axis(turns, true)[1]),
            );
        }
        panel = panel.add(side(
            Stems::new("normal impulse", &stems.t, &stems.normal).colour(palette::IMPULSE),
        ));
        if acts(&stems.tangent) {
            let name = if two { "tangential impulse (size)" } else { "tangential impulse" };
            let more = Stems::new(name, &stems.t, &stems.tangent)
                .colour(palette::IMPULSE)
                .marker(Marker::Circle);
            panel = panel.add(side(more));
        }
    }
    Some((size, panel.legend(LegendPlace::None)))
}

/// Least and greatest numbers of all contacts, by unit: forces and impulses, then torques and angular impulses.
#[derive(Default)]
struct Scales([[f64; 2]; 4]);

impl Scales {
    fn of(run: &RunPlots<'_>) -> Self {
        let mut all = Self::default();
        for (k, site) in run.document.sites.iter().enumerate() {
            let turns = turns(run, site);
            for axis in ["t1", "t2", "n"] {
                let values = run.column(&format!("force.{}.{axis}", site.name));
                all.widen(turns, false, &values.unwrap_or_default());
            }
            let stems = impulses(run, k);
            all.widen(turns, true, &stems.normal);
            all.widen(turns, true, &stems.tangent);
        }
        all
    }

    fn widen(&mut self, turns: bool, impulse: bool, values: &[f64]) {
        let range = &mut self.0[2 * usize::from(turns) + usize::from(impulse)];
        for x in values {
            *range = [range[0].min(*x), range[1].max(*x)];
        }
    }

    fn of_axis(&self, turns: bool, impulse: bool) -> [f64; 2] {
        self.0[2 * usize::from(turns) + usize::from(impulse)]
    }
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
