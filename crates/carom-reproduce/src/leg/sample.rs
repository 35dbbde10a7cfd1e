//! Random postures: stance duration against capability, figures 6.2 to 6.4.
//!
//! Tests: `tests/leg.rs`: `sample`.

use std::time::Instant;

use carom_agility::JumpOutcome;
use carom_figure::{Figure, Guide, Line, Marker, Panel};
use carom_scene::Scene;
use carom_scene::study::{Jump, Worker, correlation, ranks};

use super::subject::{DIRECTION, absent, leg, study};
use crate::claim::{Claim, Evidence};
use crate::data::Data;
use crate::error::Trouble;
use crate::experiment::{Context, Experiment, Source};
use crate::outcome::Outcome;
use crate::scan::Scan;
use crate::show::{fixed, power};
use crate::table::Table;

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

/// The gain of the scene, and others that are tried: the text states none, 1/s².
const GAIN: f64 = 100.0;
const GAINS: [f64; 2] = [3.0, 200.0];

/// The correlation of a straight line that explains half of the variance: its square is ½.
const HALF: f64 = std::f64::consts::FRAC_1_SQRT_2;

/// How capability may be read.
type Reading = (&'static str, fn(&Jump) -> f64);

/// Both readings of capability.
const READINGS: [Reading; 2] =
    [("with friction", |d| d.capability), ("by torques alone", |d| d.dce)];

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
    outcome.timing(format!("{} jumps", drawn.len()), start.elapsed().as_secs_f64());
    classes(&mut outcome, &drawn);
    let others = with_gains(context)?;
    claims(&mut outcome, &drawn, &others);
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
        let numbers = [d.at[0], d.at[1], d.capability, d.dce, m.stance, m.rise, m.closure];
        data.labelled(&[m.outcome.word()], &numbers);
    }
    outcome.data(data);
    Ok(outcome)
}

/// The same postures with other gains, fewer of them.
fn with_gains(context: &Context) -> Result<Vec<(f64, Vec<Jump>)>, Trouble> {
    let run = |gain: f64| {
        let stiffness = format!("controller.jump.stiffness={gain}");
        let damping = format!("controller.jump.damping={}", 2.0 * gain.sqrt());
        let scene = leg(&[&stiffness, &damping])?;
        Ok((gain, draw(&scene, context.pick(200, 12))?))
    };
    GAINS.into_iter().map(run).collect()
}

fn draw(scene: &Scene, count: u64) -> Result<Vec<Jump>, Trouble> {
    let no_posture = |e| absent(format!("a posture ({e})"));
    let mut worker = Worker::new(scene, study(scene)?).map_err(no_posture)?.along(DIRECTION.into());
    (0..count).map(|sample| worker.jump(sample).map_err(no_posture)).collect()
}

fn of(drawn: &[Jump], class: JumpOutcome) -> impl Iterator<Item = &Jump> {
    drawn.iter().filter(move |d| d.measure.outcome == class)
}

fn classes(outcome: &mut Outcome, drawn: &[Jump]) {
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

/// What a comparison of stances would need.
const UNKNOWN: &str = "Two readings of capability and three gains were tried. Inertias, pulley ratios and the ranges of the angles are not \
     stated, and few of our postures have so little capability.";

/// Capability and stance below the bound, for one reading of capability and one gain.
struct Relation {
    gain: f64,
    jumps: usize,
    /// Correlation of the ranks, and of the values.
    ranks: f64,
    line: f64,
}

impl Relation {
    fn new(gain: f64, drawn: &[Jump], capability: fn(&Jump) -> f64) -> Self {
        let (a, s) = below(drawn, capability);
        let (ranks, line) = (correlation(&ranks(&a), &ranks(&s)), correlation(&a, &s));
        Self { gain, jumps: a.len(), ranks, line }
    }

    /// Twice the standard error of a rank correlation of independent numbers.
    fn sure(&self) -> f64 {
        2.0 / (self.jumps.max(2) as f64 - 1.0).sqrt()
    }
}

/// What section 6.3 says of stance and capability, over the gains that have enough jumps to tell.
fn relations(outcome: &mut Outcome, drawn: &[Jump], others: &[(f64, Vec<Jump>)]) {
    let all: Vec<(&str, Vec<Relation>)> = READINGS
        .into_iter()
        .map(|(name, capability)| {
            let main = Relation::new(GAIN, drawn, capability);
            let rest = others.iter().map(|(gain, d)| Relation::new(*gain, d, capability));
            (name, std::iter::once(main).chain(rest).collect())
        })
        .collect();
    let found: Vec<String> = all
        .iter()
        .flat_map(|(name, relations)| {
            relations.iter().map(move |r| {
                format!(
                    "{name}, gain {}: {} jumps, rank correlation {}, linear {}",
                    r.gain,
                    r.jumps,
                    fixed(r.ranks, 2),
                    fixed(r.line, 2)
                )
            })
        })
        .collect();
    let found = found.join("; ");
    // Jumps can tell only if chance alone stays below the correlation that is asked for: twice the error of n
    // independent pairs is below 1 from n = 6, below √½ from n = 10.
    let judged = |asked: f64, holds: fn(&Relation) -> bool| {
        let scan = |(name, relations): &(&str, Vec<Relation>)| {
            let enough = relations.iter().filter(|r| r.sure() < asked);
            Scan::new(*name, "gain", "1/s²", enough.map(|r| (r.gain, holds(r))))
        };
        let scans: Vec<Scan> = all.iter().map(scan).filter(|s| !s.at.is_empty()).collect();
        match scans.is_empty() {
            true => Evidence::Missing {
                why: format!(
                    "so few jumps below 200 m/s² were drawn that chance makes correlations of {asked:.2}"
                ),
            },
            false => Evidence::Scans(scans),
        }
    };
    outcome.claim(
        Claim::new(
            "section 6.3, figure 6.3",
            "Below 200 m/s² the stance lasts longer the larger the capability (a rank correlation beyond twice its error).",
            judged(1.0, |r| r.ranks > r.sure()),
            found.clone(),
        )
        .open(UNKNOWN),
    );
    outcome.claim(
        Claim::new(
            "section 6.3, figure 6.3",
            "Most of these points follow a straight line (it explains more than half of the variance).",
            judged(HALF, |r| r.line > HALF),
            found,
        )
        .open(UNKNOWN),
    );
}

fn claims(outcome: &mut Outcome, drawn: &[Jump], others: &[(f64, Vec<Jump>)]) {
    let failed = of(drawn, JumpOutcome::TimedOut).count();
    outcome.claim(
        Claim::test(
            "section 6.3, figure 6.2",
            "Some postures are so hard to integrate that half an hour is not enough.",
            failed > 0,
            format!(
                "{failed} of {} jumps failed, {} stopped without a contact force that fits; the others took milliseconds",
                drawn.len(),
                of(drawn, JumpOutcome::Stopped).count()
            ),
        )
        .our_reading(
            "It is said of the source's program, not of the leg: with events that are located and a method of high order \
             none of these postures is hard.",
        ),
    );
    relations(outcome, drawn, others);
    let share = |d: &Jump| d.measure.closure / d.measure.energy.max(1e-9);
    let worst = drawn.iter().map(share).fold(0.0, f64::max);
    let gains = drawn.iter().filter(|d| d.measure.gain > d.measure.closure.max(1e-9)).count();
    outcome.claim(
        Claim::test(
            "carom",
            "No jump gains energy beyond the work of its motors, and every ledger closes.",
            gains == 0 && worst < 1e-6,
            format!("{gains} gains; ledgers close to {} of the energy", power(worst)),
        )
        .own(),
    );
}

/// Capabilities and stances of jumps with a stance, from zero to the bound: below zero a posture cannot even be held.
fn below(drawn: &[Jump], capability: fn(&Jump) -> f64) -> (Vec<f64>, Vec<f64>) {
    of(drawn, JumpOutcome::Jumped)
        .filter(|d| (0.0..BELOW).contains(&capability(d)))
        .map(|d| (capability(d), d.measure.stance))
        .unzip()
}

fn postures(drawn: &[Jump]) -> Figure {
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

fn stances(drawn: &[Jump]) -> Figure {
    let mut figure = Figure::new("Stance duration over capability").columns(2).width(960.0);
    for (title, capability) in READINGS {
        let jumped: Vec<&Jump> =
            of(drawn, JumpOutcome::Jumped).filter(|d| capability(d).is_finite()).collect();
        let x: Vec<f64> = jumped.iter().map(|d| capability(d)).collect();
        let y: Vec<f64> = jumped.iter().map(|d| 1e3 * d.measure.stance).collect();
        let panel = Panel::new().title(title).x(("capability", "m/s²")).y(("stance", "ms"));
        figure = figure.panel(
            panel.add(Line::points("jumps", &x, &y).radius(2.2)).add(Guide::vertical(BELOW, "")),
        );
    }
    figure.caption("The dashed line is at 200 m/s², below which section 6.3 sees the relation.")
}

fn over_postures(drawn: &[Jump]) -> Figure {
    let mut jumped: Vec<&Jump> = of(drawn, JumpOutcome::Jumped).collect();
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
