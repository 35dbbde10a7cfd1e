//! Section 1: a ball that falls and stays.
//!
//! ```text
//! t_i = √(2 z₀/g)                       (1)
//! p = −m ż⁻                             (2)
//! ```
//! Tests: `tests/johnson.rs`: `ball`.

use carom::record::EventKind;
use carom_figure::{Axis, Figure, Guide, Panel};

use crate::claim::{Claim, Evidence};
use crate::data::Data;
use crate::error::Trouble;
use crate::experiment::{Context, Experiment, Source};
use crate::outcome::Outcome;
use crate::show::{fixed, power};
use crate::trial::Trial;

/// The experiment.
pub const BALL: Experiment = Experiment {
    name: "johnson-ball",
    title: "A ball that falls and stays",
    source: Source::Johnson,
    covers: &["section 1"],
    run,
};

const SCENE: &str = include_str!("../../../../experiments/johnson_ball.toml");
const GRAVITY: f64 = 9.8;

fn run(_: &Context) -> Result<Outcome, Trouble> {
    let trial = Trial::run::<&str>(SCENE, "johnson_ball.toml", &[])?;
    let mut outcome = Outcome::new(
        "A ball of 1 kg falls from 1 m with g = 9.8 m/s² on the ground and does not rebound. The scene is simulated for \
         2 s; the impact is located on the dense output and resolved by the constraint law.",
    );
    let jump = trial.run.events().iter().find(|e| e.kind == EventKind::Impact);
    let jump = jump.ok_or_else(|| Trouble::Absent {
        experiment: BALL.name,
        what: "the impact of the ball".into(),
    })?;
    let exact = (2.0 / GRAVITY).sqrt();
    outcome.claim(Claim::new(
        "section 1, (4)",
        "The ball reaches the ground at about 0.4518 s.",
        Evidence::Number { published: 0.4518, ours: jump.t, tolerance: 0.5e-4 },
        format!("{} s, {} s from √(2/g)", fixed(jump.t, 12), power((jump.t - exact).abs())),
    ));
    let p = jump.contacts[0].impulse[2];
    let miss = (p + jump.v_pre[0]).abs();
    outcome.claim(Claim::test(
        "section 1, (7)",
        "The impulse that stops the ball is mass times approach velocity.",
        miss < 1e-12 && jump.v_post[0] == 0.0,
        format!(
            "p = {} N·s for ż⁻ = {} m/s; difference {}",
            fixed(p, 9),
            fixed(jump.v_pre[0], 9),
            power(miss)
        ),
    ));
    let (last, v) = (&trial.run.state.q[0], &trial.run.state.v[0]);
    let later = trial.run.events().iter().filter(|e| e.t > jump.t).count();
    outcome.claim(Claim::test(
        "section 1",
        "Afterwards the ball is in static equilibrium, with neither velocity nor acceleration.",
        *last == 0.0 && *v == 0.0 && later == 0,
        format!("at 2 s: z = {last} m, ż = {v} m/s, {later} events after the impact"),
    ));
    // Free flight: the printed equation of motion with λ = 0 gives z̈ = +g.
    let vdot = (trial.run.recording.v[1][0] - trial.run.recording.v[0][0])
        / (trial.run.recording.t[1] - trial.run.recording.t[0]);
    outcome.claim(Claim::test(
        "section 1, before (5)",
        "The motion obeys m z̈ − m g + λ = 0, where λ = 0 before contact.",
        (vdot - GRAVITY).abs() < 1e-9,
        format!(
            "z̈ = {} m/s² in free flight, as (1) says; the printed equation has +9.8 m/s²",
            fixed(vdot, 6)
        ),
    )
    .source_errs(
        "With λ = 0 it gives z̈ = +g, against (1), z̈ = −g, from which (4) follows and which the fall obeys. The sign of m g \
         is wrong; the impulse (7) does not depend on it.",
        (vdot + GRAVITY).abs() < 1e-9,
    ));
    outcome.figure("ball", "the graph of section 1", picture(&trial, jump.t));
    outcome.data(heights(&trial));
    Ok(outcome)
}

/// Height over time, and the fall without ground.
fn picture(trial: &Trial, t_i: f64) -> Figure {
    let recording = &trial.run.recording;
    let z: Vec<f64> = recording.q.iter().map(|q| q[0]).collect();
    let through: Vec<f64> = (0..=40).map(|i| t_i + 0.2 * f64::from(i) / 40.0).collect();
    let fall: Vec<f64> = through.iter().map(|t| 1.0 - 0.5 * GRAVITY * t * t).collect();
    let panel = Panel::new()
        .x(Axis::new("t", "s").range(0.0, 1.0))
        .y(("z", "m"))
        .height(220.0)
        .line("ball", &recording.t, &z)
        .line("without impact", &through, &fall)
        .add(Guide::vertical(t_i, "impact"));
    Figure::new("Height of the ball").panel(panel)
}

fn heights(trial: &Trial) -> Data {
    let mut data = Data::new("ball", &["t.s", "z.m", "zdot.m/s"]);
    let recording = &trial.run.recording;
    for (i, t) in recording.t.iter().enumerate() {
        data.row(&[*t, recording.q[i][0], recording.v[i][0]]);
    }
    data
}
