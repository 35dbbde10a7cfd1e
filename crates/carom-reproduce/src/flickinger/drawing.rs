//! Panels that several experiments share: energies, forces, mechanisms.

use carom_figure::{Area, Axis, Colour, Dash, Figure, Line, Marker, Panel, Stems};

use super::case::{Case, Row};
use super::estimate::{bounded_estimate, impact_force_estimate};
use crate::error::Trouble;

/// Said below figures of forces.
pub const FORCES: &str = "Lines are contact forces (left axis), stems impulses (right axis; left where nothing but impacts pushes). Below, all in N: the published peaks at \
     impacts are estimates by (3.25), whose size depends on the origin of the coordinates.";

/// Kinetic, potential and total energy over time.
pub fn energies(case: &Case) -> Panel {
    let t: Vec<f64> = case.rows.iter().map(|r| r.t).collect();
    let of = |f: fn(&Row) -> f64| case.rows.iter().map(f).collect::<Vec<f64>>();
    Panel::new()
        .title("Energy")
        .x(("t", "s"))
        .y(("energy", "J"))
        .line("total", &t, &of(Case::total))
        .line("kinetic", &t, &of(|r| r.kinetic))
        .line("potential", &t, &of(|r| r.gravity))
}

/// Tangential (row 0) or normal (row 2) contact forces and impulses over time, with zero at the same height on both axes.
pub fn forces(case: &Case, row: usize) -> Panel {
    let sites = 0..case.scene.model.pairs().len();
    let force =
        |r: &Row, site: usize| if r.modes[site].is_closed() { r.forces[site][row] } else { 0.0 };
    let forces = case.rows.iter().flat_map(|r| sites.clone().map(move |s| force(r, s)));
    let largest = forces.fold(0.0, |m: f64, f| m.max(f.abs()));
    let impulse =
        sites.clone().flat_map(|s| impulses(case, s, row).1).fold(0.0, |m: f64, p| m.max(p.abs()));
    let word = if row == 0 { "tangential" } else { "normal" };
    let axis = |name: String, unit: &str, most: f64| {
        let most = if most > 0.0 { 1.1 * most } else { 1.0 };
        Axis::new(name, unit).range(if row == 0 { -most } else { 0.0 }, most)
    };
    let end = case.rows.last().map_or(1.0, |r| r.t);
    let mut panel = Panel::new()
        .title(if row == 0 { "Tangential" } else { "Normal" })
        .x(Axis::new("t", "s").range(0.0, end));
    let right = axis(format!("{word} impulse"), "N·s", impulse);
    panel = match largest > 0.0 {
        true => panel.y(axis(format!("{word} force"), "N", largest)).right(right),
        false => panel.y(right),
    };
    for (site, pair) in case.scene.model.pairs().iter().enumerate() {
        if largest > 0.0 {
            let t: Vec<f64> = case.rows.iter().map(|r| r.t).collect();
            let f: Vec<f64> = case.rows.iter().map(|r| force(r, site)).collect();
            let looks = [(Colour::Series(0), Dash::Solid), (Colour::Series(1), Dash::Dashed)];
            let (colour, dash) = looks[site % 2];
            let line = Line::new(format!("force, {}", pair.name), &t, &f);
            panel = panel.add(line.colour(colour).dash(dash));
        }
        let (at, p) = impulses(case, site, row);
        let marker = if site == 0 { Marker::Triangle } else { Marker::Diamond };
        let stems = Stems::new(format!("impulse, {}", pair.name), &at, &p);
        let stems = stems.colour(Colour::Series(2 + site as u8)).marker(marker);
        panel = panel.add(if largest > 0.0 { stems.right() } else { stems });
    }
    panel
}

/// Times and impulses of one contact, those that can be seen: above a hundredth of the largest.
fn impulses(case: &Case, site: usize, row: usize) -> (Vec<f64>, Vec<f64>) {
    let all = || {
        let changes = case.impacts().flat_map(|e| e.contacts.iter().map(|c| (e.t, c)));
        changes.filter(move |(_, c)| c.site == site)
    };
    let largest = all().fold(0.0, |m: f64, (_, c)| m.max(c.impulse[2]));
    all().filter(|(_, c)| c.impulse[2] > 0.01 * largest).map(|(t, c)| (t, c.impulse[row])).unzip()
}

/// Contact forces and the source's estimates of the impact forces by (3.25), both in N: tangential (row 0) or normal
/// (row 2), without and with the bound 0 ≤ fₙ.
pub fn estimated(case: &Case, row: usize) -> Result<Panel, Trouble> {
    let model = &case.scene.model;
    let end = case.rows.last().map_or(1.0, |r| r.t);
    let word = if row == 0 { "Tangential" } else { "Normal" };
    let mut panel = Panel::new()
        .title(format!("{word}, impact forces as the source estimates them"))
        .x(Axis::new("t", "s").range(0.0, end))
        .y(("force", "N"));
    for (site, pair) in model.pairs().iter().enumerate() {
        let looks = [(Colour::Series(0), Dash::Solid), (Colour::Series(1), Dash::Dashed)];
        let t: Vec<f64> = case.rows.iter().map(|r| r.t).collect();
        let f: Vec<f64> = case.rows.iter().map(|r| contact_force(r, site, row)).collect();
        if f.iter().any(|f| *f != 0.0) {
            let line = Line::new(format!("contact, {}", pair.name), &t, &f);
            panel = panel.add(line.colour(looks[site % 2].0).dash(looks[site % 2].1));
        }
        let (mut at, mut free, mut bound) = (Vec::new(), Vec::new(), Vec::new());
        for event in case.impacts() {
            let Some(k) = event.contacts.iter().position(|c| c.site == site) else { continue };
            let i = 2 * k + row / 2;
            let (a, b) = (impact_force_estimate(model, event)?, bounded_estimate(model, event)?);
            at.push(event.t);
            free.push(a.map_or(f64::NAN, |f| f[i]));
            bound.push(b.map_or(f64::NAN, |f| f[i]));
        }
        let marker = if site == 0 { Marker::Triangle } else { Marker::Diamond };
        let colour = Colour::Series(2 + site as u8);
        let name = format!("impact, {}", pair.name);
        panel = panel.add(Stems::new(name, &at, &free).colour(colour).marker(marker));
        let name = format!("with 0 ≤ fₙ, {}", pair.name);
        panel =
            panel.add(Line::points(name, &at, &bound).marker(Marker::Circle).colour(Colour::Ink));
    }
    Ok(panel)
}

/// The force of a contact at a sample, N.
fn contact_force(r: &Row, site: usize, row: usize) -> f64 {
    if r.modes[site].is_closed() { r.forces[site][row] } else { 0.0 }
}

/// A run as the source shows it: path, energy, tangential and normal forces; below them the forces in N alone, with the
/// estimates at impacts that the source draws.
pub fn six(title: String, path: Panel, case: &Case) -> Result<Figure, Trouble> {
    Ok(Figure::new(title)
        .columns(2)
        .width(960.0)
        .panel(path)
        .panel(energies(case))
        .panel(forces(case, 0))
        .panel(forces(case, 2))
        .panel(estimated(case, 0)?)
        .panel(estimated(case, 2)?)
        .caption(FORCES))
}

/// A polyline of a mechanism.
pub fn bar(points: &[[f64; 2]], width: f64, opacity: f64) -> Line {
    let (x, y): (Vec<f64>, Vec<f64>) = points.iter().map(|p| (p[0], p[1])).unzip();
    Line::unnamed(&x, &y).colour(Colour::Ink).width(width).opacity(opacity)
}

/// The outline of an ellipse, with semi-axes turned by an angle.
pub fn ellipse(centre: [f64; 2], semi_axes: [f64; 2], angle: f64) -> Area {
    let (sin, cos) = angle.sin_cos();
    let point = |k: usize| {
        let (s, c) = (std::f64::consts::TAU * k as f64 / 48.0).sin_cos();
        let [x, y] = [semi_axes[0] * c, semi_axes[1] * s];
        [centre[0] + cos * x - sin * y, centre[1] + sin * x + cos * y]
    };
    Area::new((0..48).map(point).collect()).hollow()
}
