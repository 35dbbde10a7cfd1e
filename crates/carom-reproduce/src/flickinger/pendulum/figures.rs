//! Trajectories, energies and forces in the form of the published figures.

use carom_figure::{Axis, Colour, Figure, Ground, Line, Marker, Panel};

use super::setting::{Setting, joints};
use crate::error::Trouble;
use crate::flickinger::case::Case;
use crate::flickinger::drawing::{bar, energies, six};

/// Path of the tip, and the bars at the start, at impacts and at the end.
fn path(case: &Case) -> Panel {
    let tips: Vec<[f64; 2]> = case.rows.iter().map(|r| joints(&r.q)[1]).collect();
    let (x, y): (Vec<f64>, Vec<f64>) = tips.iter().map(|p| (p[0], p[1])).unzip();
    let mut panel = Panel::new()
        .title("Trajectory")
        .equal()
        .x(Axis::new("N1", "m").range(-2.1, 2.1))
        .y(Axis::new("N2", "m").range(-1.65, 0.95))
        .add(Ground::new([0.0, -1.5], [0.0, 1.0]))
        .add(Line::new("path of the tip", &x, &y).colour(Colour::Series(0)).width(1.0));
    let bars = |q: &[f64], width: f64, opacity: f64| {
        let [elbow, tip] = joints(q);
        bar(&[[0.0, 0.0], elbow, tip], width, opacity)
    };
    for event in case.impacts() {
        panel = panel.add(bars(&event.q, 1.0, 0.35));
    }
    for row in [case.rows.first(), case.rows.last()].into_iter().flatten() {
        panel = panel.add(bars(&row.q, 2.5, 1.0));
    }
    let hits: Vec<f64> = case.impacts().map(|e| joints(&e.q)[1][0]).collect();
    let floor = vec![-1.5; hits.len()];
    panel.add(Line::points("impacts", &hits, &floor).marker(Marker::Dot).colour(Colour::Series(1)))
}

/// One run of table 2.4.
pub fn one(s: &Setting, case: &Case) -> Result<Figure, Trouble> {
    let title =
        format!("Double pendulum, {}: e = {}, {}", s.title, s.restitution, s.control.label());
    six(title, path(case), case)
}

/// Figures 5.14 to 5.16: trajectories above energies, run beside run.
pub fn control(settings: &[Setting], cases: &[Case]) -> Figure {
    let title = "Without control, with attenuation, with an energy constraint";
    let mut figure = Figure::new(title).columns(settings.len()).width(1080.0);
    for (s, case) in settings.iter().zip(cases) {
        figure = figure.panel(path(case).title(s.control.label()));
    }
    for case in cases {
        figure = figure.panel(energies(case));
    }
    figure
}
