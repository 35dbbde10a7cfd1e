//! Phase portraits: speed against coordinate, jumps at impacts dashed.

use super::RunPlots;
use super::curves::{ROUND_OFF, largest, quantity};
use carom_figure::{Axis, Colour, Dash, Figure, LegendPlace, Line, Marker, Panel};

/// Most coordinates that are shown.
const MOST: usize = 6;

/// One panel per coordinate that moves.
pub(super) fn figure(run: &RunPlots<'_>) -> Option<Figure> {
    let model = &run.account.scene.model;
    let (q_names, v_names) = (model.q_names(), model.v_names());
    let column = |name: String| run.document.series.iter().find(|s| s.name == name);
    let mut panels = Vec::new();
    let speeds = run.document.series.iter().filter(|s| s.group == "speeds");
    let fastest = speeds.map(|s| largest(&s.values.to_f64())).fold(0.0, f64::max);
    for (dof, place) in model.q_of_v().iter().enumerate() {
        let Some(place) = place else { continue };
        let (Some(q), Some(v)) =
            (column(format!("q.{}", q_names[*place])), column(format!("v.{}", v_names[dof])))
        else {
            continue;
        };
        let (x, y) = (run.window.of(q.values.to_f64()), run.window.of(v.values.to_f64()));
        if largest(&y) <= ROUND_OFF * fastest {
            continue;
        }
        let axes = [q, v].map(|s| Axis::new(quantity(&s.unit), s.unit.as_str()).margin(0.05));
        let [x_axis, y_axis] = axes;
        panels.push(
            portrait(&run.window.t, &x, &y).title(q_names[*place].clone()).x(x_axis).y(y_axis),
        );
    }
    let all = panels.len();
    let columns = if all > 1 { 2 } else { 1 };
    let mut figure = Figure::new(run.heading("phase portraits")).columns(columns).one_legend();
    for panel in panels.into_iter().take(MOST) {
        figure = figure.panel(panel);
    }
    if all > MOST {
        figure = figure.caption(format!("The first {MOST} of {all} coordinates that move."));
    }
    (!figure.is_empty()).then_some(figure)
}

/// The curve with its start and end; at equal times the speed jumps.
fn portrait(t: &[f64], x: &[f64], y: &[f64]) -> Panel {
    let (mut smooth, mut jumps) = ((Vec::new(), Vec::new()), (Vec::new(), Vec::new()));
    for k in 0..t.len() {
        if k > 0 && t[k] == t[k - 1] && y[k] != y[k - 1] {
            smooth.0.push(f64::NAN);
            smooth.1.push(f64::NAN);
            jumps.0.extend([x[k - 1], x[k], f64::NAN]);
            jumps.1.extend([y[k - 1], y[k], f64::NAN]);
        }
        smooth.0.push(x[k]);
        smooth.1.push(y[k]);
    }
    let motion = Line::new("motion", &smooth.0, &smooth.1).colour(Colour::Series(0));
    let mut panel = Panel::new().legend(LegendPlace::None).add(motion);
    if !jumps.0.is_empty() {
        panel = panel.add(
            Line::new("jump", &jumps.0, &jumps.1)
                .colour(Colour::Series(1))
                .dash(Dash::Dashed)
                .width(1.0),
        );
    }
    let end = t.len() - 1;
    panel
        .add(Line::points("start", &x[..1], &y[..1]).colour(Colour::Ink).marker(Marker::Circle))
        .add(Line::points("end", &x[end..], &y[end..]).colour(Colour::Ink))
}
