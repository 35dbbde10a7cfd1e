//! Capability over the angles of femur and tibia: figure 6.1.
//!
//! Tests: `tests/leg.rs`: `field`.

use std::time::Instant;

use carom_agility::{MapAxis, MapPoint, capability_map};
use carom_figure::{Figure, Line, Marker, Panel};

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
    outcome.figure("field", "figure 6.1", figure(&points, &values, largest));
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

fn figure(points: &[MapPoint], values: &[f64], largest: f64) -> Figure {
    let mut panel = Panel::new().x(("femur", "rad")).y(("tibia", "rad")).equal().height(460.0);
    for (k, share) in [0.2, 0.4, 0.6, 0.8, 1.0].into_iter().enumerate() {
        let inside = |a: f64| a > (share - 0.2) * largest && a <= share * largest;
        let chosen = points.iter().zip(values).filter(|(_, a)| inside(**a));
        let (x, y): (Vec<f64>, Vec<f64>) = chosen.map(|(p, _)| (p.at[0], p.at[1])).unzip();
        let name = format!("up to {} m/s²", fixed(share * largest, 0));
        let marker =
            [Marker::Circle, Marker::Square, Marker::Triangle, Marker::Diamond, Marker::Circle][k];
        panel = panel.add(Line::points(name, &x, &y).marker(marker).radius(1.2 + 0.6 * k as f64));
    }
    Figure::new("Capability over femur and tibia").width(620.0).panel(panel).caption(
        "Each mark is a posture; empty places cannot stand, or not within the torque limits.",
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
