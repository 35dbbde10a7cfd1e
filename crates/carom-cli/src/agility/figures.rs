//! Figures of capability.

use std::path::Path;

use carom_agility::posture::SearchResult;
use carom_agility::{MapAxis, MapPoint, Polygon};
use carom_figure::{
    Area, Arrow, Axis, Colour, Dash, Figure, Guide, LegendPlace, Line, Marker, Panel, Theme,
};

use super::output;
use super::refusal::Refusal;

/// Levels of a map.
const LEVELS: usize = 8;

/// Write a figure as SVG and PNG.
pub fn write(figure: &Figure, folder: &Path, name: &str) -> Result<(), Refusal> {
    output::write(&folder.join(format!("{name}.svg")), figure.svg(Theme::Light))?;
    output::write(&folder.join(format!("{name}.png")), figure.png(Theme::Light, 2.0)?)
}

/// The accelerations that a point can have, in a plane, and the one that was asked for.
pub fn reach(polygon: &Polygon, names: [&str; 2], arrow: [f64; 2], title: &str) -> Figure {
    let corners: Vec<[f64; 2]> = polygon.corners.iter().map(|c| [c.x, c.y]).collect();
    let area = Area::new(corners)
        .name("possible accelerations")
        .fill(Colour::Series(5), 0.35)
        .edge(Colour::Series(0), 1.5, Dash::Solid);
    let panel = Panel::new()
        .x((format!("acceleration along {}", names[0]), "m/s²"))
        .y((format!("acceleration along {}", names[1]), "m/s²"))
        .equal()
        .add(area)
        .add(Arrow::new([0.0, 0.0], arrow).colour(Colour::Series(1)).name("at the optimum"))
        .add(Guide::horizontal(0.0, ""))
        .add(Guide::vertical(0.0, ""))
        .legend(LegendPlace::Above);
    let kind = if polygon.exact { "Corners are exact." } else { "Round friction cones." };
    let caption = format!(
        "Shadow of all accelerations of the point on this plane; arrow: the one that goes furthest in the direction. {kind}"
    );
    Figure::new(title).caption(caption).panel(panel)
}

/// The field over two coordinates: the fuller the colour, the larger the capability.
pub fn map(map: &[MapPoint], axes: [MapAxis; 2], names: [&str; 2], title: &str) -> Figure {
    let value = |p: &MapPoint| p.result.as_ref().ok().map(|r| r.1.acceleration);
    let values: Vec<f64> = map.iter().filter_map(value).collect();
    let least = values.iter().copied().fold(f64::INFINITY, f64::min);
    let most = values.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    let level = |a: f64| {
        let s = if most > least { (a - least) / (most - least) } else { 1.0 };
        ((s * LEVELS as f64) as usize).min(LEVELS - 1)
    };
    let half = axes.map(|a| 0.5 * (a.to - a.from) / (a.count.max(2) - 1) as f64);
    let mut panel = Panel::new()
        .x(Axis::new(names[0], "rad").range(axes[0].from - half[0], axes[0].to + half[0]))
        .y(Axis::new(names[1], "rad").range(axes[1].from - half[1], axes[1].to + half[1]))
        .legend(LegendPlace::Above);
    // Level by level, so that the legend is in order.
    for k in 0..LEVELS {
        let to = least + (most - least) * (k + 1) as f64 / LEVELS as f64;
        let mut name = Some(format!("to {to:.0} m/s²").replace('-', "−"));
        let is = |p: &MapPoint| value(p).map(level) == Some(k);
        for corners in runs(map, axes, half, is) {
            let fill = (k as f64 + 0.6) / LEVELS as f64;
            let mut cell = Area::new(corners).no_edge().fill(Colour::Series(0), fill);
            if let Some(name) = name.take() {
                cell = cell.name(name);
            }
            panel = panel.add(cell);
        }
    }
    let holes = map.len() - values.len();
    let caption = format!(
        "{} postures, {holes} of them out of reach or not to be held (white); least {least:.1}, most {most:.1} m/s².",
        map.len()
    )
    .replace('-', "−");
    Figure::new(title).caption(caption).panel(panel)
}

/// Rectangles of neighbouring points along the second axis that belong together.
fn runs(
    map: &[MapPoint],
    axes: [MapAxis; 2],
    half: [f64; 2],
    is: impl Fn(&MapPoint) -> bool,
) -> Vec<Vec<[f64; 2]>> {
    let columns = axes[1].count;
    let mut all = Vec::new();
    for i in 0..axes[0].count {
        let row = &map[i * columns..(i + 1) * columns];
        let (left, right) = (axes[0].value(i) - half[0], axes[0].value(i) + half[0]);
        let mut j = 0;
        while j < columns {
            let end = (j..columns).take_while(|&e| is(&row[e])).count() + j;
            if end > j {
                let (low, high) = (axes[1].value(j) - half[1], axes[1].value(end - 1) + half[1]);
                all.push(vec![[left, low], [right, low], [right, high], [left, high]]);
            }
            j = end.max(j + 1);
        }
    }
    all
}

/// Capabilities of all optima, and the start.
pub fn optima(found: &SearchResult, title: &str) -> Figure {
    let rank: Vec<f64> = (1..=found.optima.len()).map(|k| k as f64).collect();
    let value: Vec<f64> = found.optima.iter().map(|o| o.capability.acceleration).collect();
    let line =
        Line::points("local optima", &rank, &value).marker(Marker::Dot).colour(Colour::Series(0));
    let mut panel = Panel::new()
        .x(Axis::new("rank", "").range(0.0, found.optima.len() as f64 + 1.0))
        .y(Axis::new("capability", "m/s²").include(0.0))
        .add(line);
    if let Some(start) = found.start {
        panel = panel.add(Guide::horizontal(start, "start"));
    }
    let caption = format!(
        "{} distinct local optima from {} starts.",
        found.optima.len(),
        found.optima.iter().map(|o| o.hits).sum::<usize>() + found.failed
    );
    Figure::new(title).caption(caption).panel(panel)
}
