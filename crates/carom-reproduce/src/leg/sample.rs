//! Random postures: stance duration against capability, figures 6.2 to 6.4.
//!
//! Tests: `tests/leg.rs`: `sample`.

use std::time::Instant;

use carom::agility::{JumpMeasure, JumpOutcome, JumpStart, JumpWatch};
use carom::contact::sites;
use carom::hybrid::{Options, Output};
use carom_report::figure::{Figure, Guide, Line, Marker, Panel};
use carom_scene::Scene;

use super::subject::{absent, exact, leg, stance, study, torques_alone};
use crate::{
    Claim, Context, Data, Evidence, Experiment, Outcome, Source, Table, Trouble, fixed, power,
};

/// The experiment.
pub const SAMPLE: Experiment = Experiment {
    name: "flickinger-leg-sample",
    title: "Stance duration of random postures of the leg",
    source: Source::Flickinger,
    covers: &["figure 6.2", "figure 6.3", "figure 6.4"],
    run,
};

/// The capability below which section 6.3 sees the relation, m/s².
const BELOW: f64 = 200.0;

/// Fewest jumps from which a relation is read.
const LEAST: usize = 20;

/// One random posture and its jump.
struct Drawn {
    at: Vec<f64>,
    /// With friction; by torques alone. NaN where there is none.
    capability: [f64; 2],
    measure: JumpMeasure,
}

fn run(context: &Context) -> Result<Outcome, Trouble> {
    let mut outcome = Outcome::new(
        "Postures of the leg with random angles of femur and tibia, the coxa at zero, each thrown toward the goal: how long \
         the foot stays on the ground before the jump, and the capability of the posture. `carom study` runs thousands.",
    );
    outcome.reading(
        "The number of postures and the ranges of the angles are not stated: −1.2 to 1.2 and −2 to 2 rad. Capability is \
         taken both with friction at the foot and by the torque limits alone, as (6.1) to (6.6) have it.",
    );
    let scene = leg(&[])?;
    let start = Instant::now();
    let drawn = draw(&scene, context.pick(400, 24))?;
    outcome.timing(format!("{} jumps", drawn.len()), None, start.elapsed().as_secs_f64());
    classes(&mut outcome, &drawn);
    claims(&mut outcome, &drawn);
    outcome.figure("postures", "figure 6.2", postures(&drawn));
    outcome.figure("stance", "figure 6.3", stances(&drawn));
    outcome.figure("stance-over-postures", "figure 6.4", over_postures(&drawn));
    let mut data = Data::new(
        "jumps",
        &[
            "outcome",
            "femur.rad",
            "tibia.rad",
            "capability.m/s2",
            "torques_alone.m/s2",
            "stance.s",
            "rise.m",
            "closure.J",
        ],
    );
    for d in &drawn {
        let m = &d.measure;
        let numbers =
            [d.at[0], d.at[1], d.capability[0], d.capability[1], m.stance, m.rise, m.closure];
        data.labelled(&[m.outcome.word()], &numbers);
    }
    outcome.data(data);
    Ok(outcome)
}

fn draw(scene: &Scene, count: u64) -> Result<Vec<Drawn>, Trouble> {
    let choice = study(scene)?;
    let site = &sites(&scene.model)[choice.foot];
    let mut start = JumpStart::new(&scene.model, site, choice.varied.clone(), choice.seed)
        .map_err(|e| absent(format!("a posture ({e})")))?;
    let stance = stance(scene)?;
    let options = Options { output: Output::Steps, ..scene.options.hybrid() };
    let mut all = Vec::new();
    for sample in 0..count {
        let mut state = scene.initial.clone();
        start.draw(sample, &mut state).map_err(|e| absent(format!("a posture ({e})")))?;
        let q = state.q.as_slice().to_vec();
        let capability = [exact(&stance, &q), torques_alone(&stance, &q)]
            .map(|c| c.map_or(f64::NAN, |c| c.acceleration));
        let mut watch = JumpWatch::new(&scene.model, choice.point.clone());
        let simulation = scene.simulation_from(state)?.options(options);
        let result = simulation.run_with(scene.options.solver.until, &mut watch);
        let at = choice.varied.iter().map(|v| q[v.q]).collect();
        all.push(Drawn { at, capability, measure: watch.finish(&result) });
    }
    Ok(all)
}

fn of(drawn: &[Drawn], class: JumpOutcome) -> impl Iterator<Item = &Drawn> {
    drawn.iter().filter(move |d| d.measure.outcome == class)
}

fn classes(outcome: &mut Outcome, drawn: &[Drawn]) {
    let mut table = Table::new(
        "How the jumps went",
        &["class", "figure 6.2 calls it", "jumps", "mean stance / ms"],
    );
    let called = ["filtered", "jumped", "–", "–", "timeout"];
    for (class, called) in JumpOutcome::ALL.into_iter().zip(called) {
        let all: Vec<f64> = of(drawn, class).map(|d| d.measure.stance).collect();
        let mean = all.iter().sum::<f64>() / all.len().max(1) as f64;
        let stance = if all.is_empty() { String::new() } else { fixed(1e3 * mean, 2) };
        table.row([class.word().to_string(), called.into(), all.len().to_string(), stance]);
    }
    outcome.table(table);
}

fn claims(outcome: &mut Outcome, drawn: &[Drawn]) {
    let failed = of(drawn, JumpOutcome::TimedOut).count();
    outcome.claim(Claim::test(
        "section 6.3, figure 6.2",
        "Some postures could not be integrated within half an hour. Ours: every posture is simulated to its end, or to a stop that the contact laws name, in milliseconds.",
        failed == 0,
        format!(
            "{failed} of {} jumps failed, {} stopped without a contact force that fits",
            drawn.len(),
            of(drawn, JumpOutcome::Stopped).count()
        ),
    ));
    let readings =
        ["with friction", "by torques alone"].into_iter().enumerate().map(|(k, name)| {
            let (a, s) = below(drawn, k);
            (name, a.len(), correlation(&ranks(&a), &ranks(&s)), correlation(&a, &s))
        });
    let readings: Vec<_> = readings.collect();
    let found = readings.iter().map(|(name, n, rho, r)| {
        format!(
            "{name}: {n} jumps, rank correlation {}, linear correlation {}",
            fixed(*rho, 2),
            fixed(*r, 2)
        )
    });
    let found = found.collect::<Vec<_>>().join("; ");
    // Twice the standard error of a rank correlation of independent numbers.
    let sure = |n: usize| 2.0 / (n.max(2) as f64 - 1.0).sqrt();
    let judged = |holds: &dyn Fn(usize, f64, f64) -> bool| {
        if readings.iter().any(|r| r.1 < LEAST) {
            let why = format!("fewer than {LEAST} jumps below 200 m/s² were drawn");
            return Evidence::Missing { why };
        }
        let all = readings.iter().map(|(name, n, rho, r)| (name.to_string(), holds(*n, *rho, *r)));
        Evidence::Readings(all.collect())
    };
    outcome.claim(Claim::new(
        "section 6.3, figure 6.3",
        "Below 200 m/s² the stance lasts longer the larger the capability (a rank correlation beyond twice its error).",
        judged(&|n, rho, _| rho > sure(n)),
        found.clone(),
    ));
    outcome.claim(Claim::new(
        "section 6.3, figure 6.3",
        "Most of these points follow a straight line (it explains more than half of the variance).",
        judged(&|_, _, r| r > 0.0 && r * r > 0.5),
        found,
    ));
    let share = |d: &Drawn| d.measure.closure / d.measure.energy.max(1e-9);
    let worst = drawn.iter().map(share).fold(0.0, f64::max);
    let gains = drawn.iter().filter(|d| d.measure.gain > d.measure.closure.max(1e-9)).count();
    outcome.claim(Claim::test(
        "carom",
        "No jump gains energy beyond the work of its motors, and every ledger closes.",
        gains == 0 && worst < 1e-6,
        format!("{gains} gains; ledgers close to {} of the energy", power(worst)),
    ));
}

/// Capabilities and stances of jumps with a stance, below the bound.
fn below(drawn: &[Drawn], k: usize) -> (Vec<f64>, Vec<f64>) {
    of(drawn, JumpOutcome::Jumped)
        .filter(|d| d.capability[k] < BELOW)
        .map(|d| (d.capability[k], d.measure.stance))
        .unzip()
}

fn correlation(x: &[f64], y: &[f64]) -> f64 {
    let n = x.len() as f64;
    let (mx, my) = (x.iter().sum::<f64>() / n, y.iter().sum::<f64>() / n);
    let sum =
        |f: &dyn Fn(f64, f64) -> f64| x.iter().zip(y).map(|(x, y)| f(x - mx, y - my)).sum::<f64>();
    sum(&|a, b| a * b) / (sum(&|a, _| a * a) * sum(&|_, b| b * b)).sqrt()
}

/// Places in order of size.
fn ranks(x: &[f64]) -> Vec<f64> {
    let mut order: Vec<usize> = (0..x.len()).collect();
    order.sort_by(|&a, &b| x[a].total_cmp(&x[b]));
    let mut ranks = vec![0.0; x.len()];
    order.into_iter().enumerate().for_each(|(rank, i)| ranks[i] = rank as f64);
    ranks
}

fn postures(drawn: &[Drawn]) -> Figure {
    let mut panel = Panel::new().x(("femur", "rad")).y(("tibia", "rad")).equal().height(460.0);
    let markers =
        [Marker::Circle, Marker::Square, Marker::Triangle, Marker::Diamond, Marker::Circle];
    for (class, marker) in JumpOutcome::ALL.into_iter().zip(markers) {
        let (x, y): (Vec<f64>, Vec<f64>) = of(drawn, class).map(|d| (d.at[0], d.at[1])).unzip();
        if !x.is_empty() {
            panel = panel.add(Line::points(class.word(), &x, &y).marker(marker).radius(2.2));
        }
    }
    Figure::new("Random postures").width(620.0).panel(panel)
}

fn stances(drawn: &[Drawn]) -> Figure {
    let mut figure = Figure::new("Stance duration over capability").columns(2).width(960.0);
    for (k, title) in ["with friction", "by torques alone"].into_iter().enumerate() {
        let jumped: Vec<&Drawn> =
            of(drawn, JumpOutcome::Jumped).filter(|d| d.capability[k].is_finite()).collect();
        let x: Vec<f64> = jumped.iter().map(|d| d.capability[k]).collect();
        let y: Vec<f64> = jumped.iter().map(|d| 1e3 * d.measure.stance).collect();
        let panel = Panel::new().title(title).x(("capability", "m/s²")).y(("stance", "ms"));
        figure = figure.panel(
            panel.add(Line::points("jumps", &x, &y).radius(2.2)).add(Guide::vertical(BELOW, "")),
        );
    }
    figure.caption("The dashed line is at 200 m/s², below which section 6.3 sees the relation.")
}

fn over_postures(drawn: &[Drawn]) -> Figure {
    let mut jumped: Vec<&Drawn> = of(drawn, JumpOutcome::Jumped).collect();
    jumped.sort_by(|a, b| a.measure.stance.total_cmp(&b.measure.stance));
    let mut panel = Panel::new().x(("femur", "rad")).y(("tibia", "rad")).equal().height(460.0);
    let markers = [Marker::Circle, Marker::Square, Marker::Triangle];
    for (k, part) in jumped.chunks(jumped.len().div_ceil(3).max(1)).enumerate().take(3) {
        let (x, y): (Vec<f64>, Vec<f64>) = part.iter().map(|d| (d.at[0], d.at[1])).unzip();
        let longest = part.last().map_or(0.0, |d| 1e3 * d.measure.stance);
        let name = format!("stance up to {} ms", fixed(longest, 1));
        panel = panel.add(Line::points(name, &x, &y).marker(markers[k]).radius(1.8 + k as f64));
    }
    Figure::new("Stance duration over the postures").width(620.0).panel(panel)
}

#[cfg(test)]
mod tests {
    #[test]
    fn correlations() {
        let x = [1.0, 2.0, 3.0, 4.0];
        assert!((super::correlation(&x, &[2.0, 4.0, 6.0, 8.0]) - 1.0).abs() < 1e-15);
        assert_eq!(super::ranks(&[3.0, 1.0, 2.0]), [2.0, 0.0, 1.0]);
    }
}
