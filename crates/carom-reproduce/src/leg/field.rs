//! Capability over the angles of femur and tibia: figure 6.1.
//!
//! Tests: `tests/leg.rs`: `field`.

use std::time::Instant;

use carom_agility::{MapAxis, MapPoint, capability_map};
use carom_figure::{Area, Axis, Colour, Figure, LegendPlace, Panel};

use super::subject::{absent, leg, powerless, stance};
use crate::claim::{Claim, Evidence};
use crate::data::Data;
use crate::error::Trouble;
use crate::experiment::{Context, Experiment, Source};
use crate::outcome::Outcome;
use crate::show::fixed;

/// The experiment.
pub const FIELD: Experiment = Experiment {
    name: "flickinger-leg-field",
    title: "Capability of the leg over two joint angles",
    source: Source::Flickinger,
    covers: &["figure 6.1"],
    run,
};

/// Shares of the largest capability above which it counts as high.
const HIGH: [f64; 4] = [0.5, 0.6, 0.7, 0.8];

fn run(context: &Context) -> Result<Outcome, Trouble> {
    let mut outcome = Outcome::new(
        "Largest acceleration of the body's centre along the direction of (6.12), the foot kept on the ground within its \
         friction cone and the motors within 2.5 N·m, over the angles of femur and tibia. The coxa is at zero and the body \
         upright; its height puts the foot on the ground.",
    );
    outcome.reading(
        "The ranges of the figure are not stated: −1.2 to 1.2 rad for the femur and −2 to 2 rad for the tibia, as in the \
         study. The scale of its colours is not stated either, so several shares of the largest value count as high.",
    );
    let scene = leg(&[])?;
    let stance = stance(&scene)?;
    let count = context.pick(41, 13);
    let dof = |name: &str| {
        let found = scene.actuators.iter().find(|a| a.name == name).map(|a| a.dof);
        found.ok_or_else(|| absent(format!("the motor {name}")))
    };
    let (femur, tibia) = (dof("femur")?, dof("tibia")?);
    let axes = [
        MapAxis { dof: femur, from: -1.2, to: 1.2, count },
        MapAxis { dof: tibia, from: -2.0, to: 2.0, count },
    ];
    // Only the height of the body may change.
    let fixed_dofs: Vec<usize> = (0..scene.model.nv()).filter(|&d| d != 1).collect();
    let start = Instant::now();
    let points =
        capability_map(&stance, scene.initial.q.as_slice(), (axes, &fixed_dofs), 1, &|_| {})
            .map_err(powerless)?;
    outcome.timing(format!("{} capabilities", points.len()), start.elapsed().as_secs_f64());
    let values: Vec<f64> = points.iter().map(value).collect();
    let largest = values.iter().copied().filter(|a| a.is_finite()).fold(f64::NAN, f64::max);
    let pieces: Vec<usize> = HIGH.iter().map(|s| regions(&values, count, s * largest)).collect();
    let readings = HIGH.iter().zip(&pieces).map(|(s, n)| {
        (format!("above {} % of the largest: {n} regions", fixed(100.0 * s, 0)), *n > 1)
    });
    outcome.claim(Claim::new(
        "section 6.3, figure 6.1",
        "The regions of high capability are not connected, so that an optimum depends on the first guess.",
        Evidence::Readings(readings.collect()),
        format!(
            "largest {} m/s²; regions above 50, 60, 70, 80 %: {}, {}, {}, {}",
            fixed(largest, 1), pieces[0], pieces[1], pieces[2], pieces[3]
        ),
    ));
    outcome.figure("field", "figure 6.1", figure(&points, &values, axes, largest));
    let mut data = Data::new("field", &["femur.rad", "tibia.rad", "capability.m/s2"]);
    points.iter().zip(&values).for_each(|(p, a)| data.row(&[p.at[0], p.at[1], *a]));
    outcome.data(data);
    Ok(outcome)
}

fn value(point: &MapPoint) -> f64 {
    point.result.as_ref().map_or(f64::NAN, |(_, c)| c.acceleration)
}

/// Connected regions of the grid whose values are above a bound.
fn regions(values: &[f64], count: usize, bound: f64) -> usize {
    let mut seen = vec![false; values.len()];
    let mut regions = 0;
    for start in 0..values.len() {
        if seen[start] || values[start].is_nan() || values[start] < bound {
            continue;
        }
        regions += 1;
        let mut todo = vec![start];
        while let Some(i) = todo.pop() {
            if seen[i] || values[i].is_nan() || values[i] < bound {
                continue;
            }
            seen[i] = true;
            let (row, column) = (i / count, i % count);
            if row > 0 {
                todo.push(i - count);
            }
            if row + 1 < count {
                todo.push(i + count);
            }
            if column > 0 {
                todo.push(i - 1);
            }
            if column + 1 < count {
                todo.push(i + 1);
            }
        }
    }
    regions
}

/// Levels of the colour.
const LEVELS: usize = 8;

/// The field: the fuller the colour, the larger the capability, as in the source.
fn figure(points: &[MapPoint], values: &[f64], axes: [MapAxis; 2], largest: f64) -> Figure {
    let half = axes.map(|a| 0.5 * (a.to - a.from) / (a.count.max(2) - 1) as f64);
    let mut panel = Panel::new()
        .x(Axis::new("femur", "rad").range(axes[0].from - half[0], axes[0].to + half[0]))
        .y(Axis::new("tibia", "rad").range(axes[1].from - half[1], axes[1].to + half[1]))
        .height(460.0)
        .legend(LegendPlace::Above);
    // Level by level, so that the legend is in order.
    for k in 0..LEVELS {
        let share = |n: usize| n as f64 / LEVELS as f64;
        let inside =
            |a: f64| a >= share(k) * largest && (a < share(k + 1) * largest || k + 1 == LEVELS);
        let mut name = Some(format!("to {} m/s²", fixed(share(k + 1) * largest, 0)));
        for (p, _) in points.iter().zip(values).filter(|(_, a)| inside(**a)) {
            let [x, y] = [0, 1].map(|i| [p.at[i] - half[i], p.at[i] + half[i]]);
            let corners = vec![[x[0], y[0]], [x[1], y[0]], [x[1], y[1]], [x[0], y[1]]];
            let fill = (k as f64 + 0.6) / LEVELS as f64;
            let mut cell = Area::new(corners).no_edge().fill(Colour::Series(0), fill);
            if let Some(name) = name.take() {
                cell = cell.name(name);
            }
            panel = panel.add(cell);
        }
    }
    Figure::new("Capability over femur and tibia").width(720.0).panel(panel).caption(
        "The fuller the colour, the larger the capability; white places cannot stand, or not within the torque limits.",
    )
}

#[cfg(test)]
mod tests {
    #[test]
    fn regions_are_counted() {
        let v = [1.0, 0.0, 1.0, 1.0, f64::NAN, 1.0, 0.0, 0.0, 0.0];
        assert_eq!(super::regions(&v, 3, 0.5), 2);
        assert_eq!(super::regions(&v, 3, 2.0), 0);
    }
}
