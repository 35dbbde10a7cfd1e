//! Trajectories, energies, forces and coefficients in the form of the published figures.

use carom::impact::ImpactError;
use carom_figure::{Axis, Band, Colour, Dash, Figure, Ground, Guide, Hatch, Line, Marker, Panel};

use super::coefficient::Use;
use super::feasibility::{RESTITUTIONS, SLOPES, WHEELS, curve};
use super::setting::Wheels;
use crate::flickinger::case::Case;
use crate::flickinger::drawing::{bar, ellipse};

/// Pictures of the bicycle keep at least this distance, m.
const APART: f64 = 1.2;

/// Path of the bar's centre, and the bicycle at the start, at impacts and at the end.
pub fn path(case: &Case, wheels: Wheels, slope: f64) -> Panel {
    let (x, y): (Vec<f64>, Vec<f64>) = case.rows.iter().map(|r| (r.q[0], r.q[1])).unzip();
    let (sin, cos) = slope.to_radians().sin_cos();
    let mut panel = Panel::new()
        .title("Trajectory")
        .equal()
        .x(("N1", "m"))
        .y(("N2", "m"))
        .add(Ground::new([0.0, 0.0], [sin, cos]))
        .add(Line::new("centre of the bar", &x, &y).colour(Colour::Series(0)).width(1.2));
    let mut last: Option<[f64; 2]> = None;
    let ends = [case.rows.first(), case.rows.last()].into_iter().flatten().map(|r| &r.q);
    let shown: Vec<(&Vec<f64>, bool)> =
        ends.map(|q| (q, true)).chain(case.impacts().map(|e| (&e.q, false))).collect();
    for (q, end) in shown {
        let close = last.is_some_and(|p| (p[0] - q[0]).hypot(p[1] - q[1]) < APART);
        if close && !end {
            continue;
        }
        if !end {
            last = Some([q[0], q[1]]);
        }
        panel = bicycle(panel, q, wheels, end);
    }
    panel
}

fn bicycle(mut panel: Panel, q: &[f64], wheels: Wheels, end: bool) -> Panel {
    let (sin, cos) = q[2].sin_cos();
    let opacity = if end { 1.0 } else { 0.5 };
    let width = if end { 1.6 } else { 0.8 };
    let ends = [-0.5, 0.5].map(|s| [q[0] + s * cos, q[1] + s * sin]);
    let semi_axes = match wheels {
        Wheels::Ellipse(axes) => axes,
        Wheels::Round => [0.5, 0.5],
    };
    let colour = if end { Colour::Ink } else { Colour::Soft };
    for (centre, spin) in ends.into_iter().zip([q[3], q[4]]) {
        panel = panel.add(ellipse(centre, semi_axes, q[2] + spin).edge(colour, width, Dash::Solid));
    }
    panel.add(bar(&ends, width, opacity))
}

/// Friction coefficient over time: figures 4.8 to 4.11.
pub fn coefficient(uses: &[Use], end: f64, slope: f64) -> Panel {
    let mut panel = Panel::new()
        .title(format!("{slope}°"))
        .x(Axis::new("t", "s").range(0.0, end))
        .y(Axis::new("μ", "").range(0.0, 0.6));
    for (site, name, marker) in [(0, "rear", Marker::Dot), (1, "front", Marker::Diamond)] {
        let own = uses.iter().filter(|u| u.site == site);
        let (t, mu): (Vec<f64>, Vec<f64>) = own.map(|u| (u.t, u.coefficient)).unzip();
        panel = panel.add(
            Line::points(format!("{name} wheel"), &t, &mu)
                .marker(marker)
                .colour(Colour::Series(site as u8)),
        );
    }
    panel.add(Guide::horizontal(0.5, "μs")).add(Guide::horizontal(0.25, "μd")).height(170.0)
}

/// Range of slips that is shown at each slope, m/s: a few of them, and so many that the infeasible region is seen.
const NEAR: [[f64; 2]; 4] = [[-5.0, 5.0]; 4];
const SHOWN: [[f64; 2]; 4] = [[-10.0, 10.0], [-60.0, 160.0], [-40.0, 90.0], [-40.0, 70.0]];
/// Largest μ that is shown.
const HIGHEST: f64 = 3.0;

/// Figures 4.2 to 4.5 over a few m/s: the curves of five restitutions, and up to which μ slip is feasible.
pub fn near_curves() -> Result<Figure, ImpactError> {
    let figure = Figure::new("Friction coefficient that a slip after the first impact needs")
        .columns(2)
        .width(960.0)
        .one_legend()
        .caption(format!(
            "Wheels: {}. μ_f, for e = 0.5: slip is feasible below it, stick on the vertical line above it. The region that \
             needs a normal impulse that pulls is outside this range, see the next figure.",
            WHEELS[0].name
        ));
    panels(figure, NEAR, |k| if k == 0 { 0.8 } else { 1.6 })
}

/// The same over all slips: beyond the poles the normal impulse would have to pull.
pub fn curves() -> Result<Figure, ImpactError> {
    let figure = Figure::new("The same over a wide range of slips")
        .columns(2)
        .width(960.0)
        .one_legend()
        .caption(format!(
            "Wheels: {}. Hatched: slips that need a normal impulse that pulls, for e = 0; with growing e the region begins \
             farther out.",
            WHEELS[0].name
        ));
    panels(figure, SHOWN, |k| if k == 0 { 0.8 } else { HIGHEST })
}

fn panels(
    mut figure: Figure,
    shown: [[f64; 2]; 4],
    highest: impl Fn(usize) -> f64,
) -> Result<Figure, ImpactError> {
    for (k, (slope, _)) in SLOPES.iter().enumerate() {
        let [low, high] = shown[k];
        let mut panel = Panel::new()
            .title(format!("{slope}°"))
            .x(Axis::new("slip after the impact", "m/s").range(low, high))
            .y(Axis::new("μ", "").range(0.0, highest(k)));
        let pole = curve(&WHEELS[0], SLOPES[k], 0.0)?.pole().filter(|p| *p > low && *p < high);
        if let Some(pole) = pole {
            let beyond = if pole > 0.0 { [pole, high] } else { [low, pole] };
            let band = Band::new("infeasible: pulls", &beyond, &[0.0; 2], &[highest(k); 2]);
            panel = panel.add(band.hatch(Hatch::Rising));
        }
        for (i, e) in RESTITUTIONS.iter().enumerate() {
            let (x, y) = points(k, *e, shown[k])?;
            let dashes = [Dash::Solid, Dash::Dashed, Dash::Dotted, Dash::DashDot, Dash::Long];
            let line = Line::new(format!("e = {e}"), &x, &y);
            panel = panel.add(line.colour(Colour::Series(i as u8)).dash(dashes[i]));
        }
        panel = panel.add(Guide::vertical(0.0, "")).add(Guide::horizontal(0.5, "μs"));
        if let Some(needed) = curve(&WHEELS[0], SLOPES[k], 0.5)?.needed_for_stick() {
            panel = panel.add(Guide::horizontal(needed, "μ_f"));
        }
        figure = figure.panel(panel.add(Guide::horizontal(0.25, "μd")));
    }
    Ok(figure)
}

/// Points of a curve; branches are parted.
fn points(
    slope: usize,
    e: f64,
    [low, high]: [f64; 2],
) -> Result<(Vec<f64>, Vec<f64>), ImpactError> {
    let (mut x, mut y) = (Vec::new(), Vec::new());
    for branch in curve(&WHEELS[0], SLOPES[slope], e)?.branches(low, high, 400) {
        x.extend(branch.iter().map(|p| p.slip));
        y.extend(branch.iter().map(|p| p.friction));
        x.push(f64::NAN);
        y.push(f64::NAN);
    }
    Ok((x, y))
}

/// Figure 4.1: one curve with the coefficient that stick needs and the slips out of reach.
pub fn principle() -> Result<Figure, ImpactError> {
    let curve = curve(&WHEELS[0], SLOPES[1], 0.5)?;
    let (x, y) = points(1, 0.5, SHOWN[1])?;
    let needed = curve.needed_for_stick().unwrap_or(f64::NAN);
    let mut panel = Panel::new()
        .x(Axis::new("slip after the impact", "m/s").range(SHOWN[1][0], SHOWN[1][1]))
        .y(Axis::new("μ", "").range(0.0, HIGHEST))
        .line("|p_t| / p_n", &x, &y)
        .add(Guide::horizontal(needed, "μ_f: stick"))
        .add(Guide::vertical(0.0, ""));
    if let Some(pole) = curve.pole() {
        let beyond = if pole > 0.0 { [pole, SHOWN[1][1]] } else { [SHOWN[1][0], pole] };
        let band =
            Band::new("needs a normal impulse that pulls", &beyond, &[0.0; 2], &[HIGHEST; 2]);
        panel = panel.add(band.hatch(Hatch::Rising));
    }
    let [low, high] = curve.slips(needed);
    let feasible = Band::new("feasible slip with μ ≤ μ_f", &[low, high], &[0.0; 2], &[needed; 2]);
    let panel = panel.add(feasible.colour(Colour::Series(2)).hatch(Hatch::Falling));
    Ok(Figure::new("Feasible slips and coefficients, 15°, e = 0.5").panel(panel.height(320.0)))
}
