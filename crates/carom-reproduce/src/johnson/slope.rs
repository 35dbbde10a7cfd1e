//! Section 4 and practice problem 3: a ball that falls straight down on a slope.
//!
//! ```text
//! ẋ⁺ = −(1 + e) sin θ cos θ ż⁻                              (1)
//! ż⁺ = (1 − (1 + e) cos² θ) ż⁻                              (2)
//! p = −(1 + e) m cos θ ż⁻                                   (3)
//! ```
//! For e = 0 these are (31) and (32) of the source; for e > 0 from its (43) and (44) with A = (sin θ, cos θ). At θ = 0
//! they are a bounce, at θ = 90° nothing happens. Tests: `tests/johnson.rs`: `slope`.

use carom::impact::{BlockMatrix, Constraint, ImpactContact, ImpactProblem};
use carom::record::EventKind;
use carom_figure::{Axis, Figure, Panel};
use nalgebra::{DMatrix, DVector};

use crate::claim::Claim;
use crate::collision::resolve;
use crate::data::Data;
use crate::error::Trouble;
use crate::experiment::{Context, Experiment, Source};
use crate::outcome::Outcome;
use crate::show::{fixed, power};
use crate::trial::Trial;

/// The experiment.
pub const SLOPE: Experiment = Experiment {
    name: "johnson-slope",
    title: "A ball that falls on a slope",
    source: Source::Johnson,
    covers: &["section 4", "problem 3"],
    run,
};

const SCENE: &str = include_str!("../../../../experiments/johnson_slope.toml");
const MASS: f64 = 1.7;
const SPEED: f64 = -2.3;

fn run(context: &Context) -> Result<Outcome, Trouble> {
    let mut outcome = Outcome::new(
        "A ball hits a frictionless surface that falls by θ toward +x. The closed forms of the source are compared with \
         the constraint law over all slopes, with the blocks of the inverted matrix, and with a simulated fall on 30°.",
    );
    let mut data = Data::new(
        "slope",
        &["theta.deg", "e", "xdot.m/s", "zdot.m/s", "p.N s", "xdot_exact", "zdot_exact", "p_exact"],
    );
    let steps = context.pick(89, 17);
    let mut worst = [0.0_f64; 2];
    for e in [0.0, 0.5, 1.0] {
        for i in 0..=steps {
            let theta = (89.0 / f64::from(steps) * f64::from(i)).to_radians();
            let answer = resolve(&Constraint::default(), &problem(theta, e)?)?;
            let exact = closed_form(theta, e);
            let ours = [answer.velocity[0], answer.velocity[1], answer.solution.impulses[0]];
            let miss = (0..3).map(|k| (ours[k] - exact[k]).abs()).fold(0.0, f64::max);
            let slot = usize::from(e > 0.0);
            worst[slot] = worst[slot].max(miss);
            data.row(&[
                theta.to_degrees(),
                e,
                ours[0],
                ours[1],
                ours[2],
                exact[0],
                exact[1],
                exact[2],
            ]);
        }
    }
    outcome.claim(Claim::test(
        "section 4, (31), (32)",
        "After a plastic impact the ball slides: ẋ⁺ = −sin θ cos θ ż⁻, ż⁺ = sin² θ ż⁻, with impulse m cos θ |ż⁻|.",
        worst[0] < 1e-13 * MASS * SPEED.abs(),
        format!("largest difference over θ = 0 … 89°: {}", power(worst[0])),
    ));
    blocks(&mut outcome)?;
    fall(&mut outcome)?;
    outcome.claim(Claim::test(
        "problem 3",
        "Elastic impact on the slope (the answer is left to the reader): ẋ⁺ = −(1+e) sin θ cos θ ż⁻, \
         ż⁺ = (1 − (1+e) cos² θ) ż⁻, impulse (1+e) m cos θ |ż⁻| by (43), (44).",
        worst[1] < 1e-13 * MASS * SPEED.abs(),
        format!("largest difference for e = 0.5 and 1: {}", power(worst[1])),
    ));
    outcome.figure("slope", "", picture());
    outcome.data(data);
    Ok(outcome)
}

/// Velocity after and impulse over the slope; the curves are the closed forms that the law was compared with.
fn picture() -> Figure {
    let theta: Vec<f64> = (0..=90).map(f64::from).collect();
    let mut panels = [
        Panel::new().title("along x after, over approach").y(("velocity", "")),
        Panel::new().title("along z after, over approach").y(("velocity", "")),
        Panel::new().title("over mass times approach").y(("impulse", "")),
    ];
    let scale = [SPEED.abs(), SPEED.abs(), MASS * SPEED.abs()];
    for e in [0.0, 0.5, 1.0] {
        for (k, panel) in panels.iter_mut().enumerate() {
            let y: Vec<f64> =
                theta.iter().map(|d| closed_form(d.to_radians(), e)[k] / scale[k]).collect();
            *panel = std::mem::take(panel).line(format!("e = {e}"), &theta, &y);
        }
    }
    let figure = Figure::new("Ball on a slope").columns(3).one_legend().width(860.0);
    panels
        .into_iter()
        .fold(figure, |f, p| f.panel(p.x(Axis::new("θ", "°").range(0.0, 90.0)).height(200.0)))
}

/// ẋ⁺, ż⁺ and p, equations (1) to (3).
fn closed_form(theta: f64, e: f64) -> [f64; 3] {
    let (s, c) = theta.sin_cos();
    [-(1.0 + e) * s * c * SPEED, (1.0 - (1.0 + e) * c * c) * SPEED, -(1.0 + e) * MASS * c * SPEED]
}

fn problem(theta: f64, e: f64) -> Result<ImpactProblem, Trouble> {
    let (s, c) = theta.sin_cos();
    let contact = ImpactContact {
        name: "ground".into(),
        tangents: DMatrix::zeros(0, 2),
        normal: DVector::from_row_slice(&[s, c]),
        friction: 0.0,
        static_friction: 0.0,
        restitution: e,
        touching: true,
    };
    let M = DMatrix::from_diagonal_element(2, 2, MASS);
    Ok(ImpactProblem::new(M, DVector::from_row_slice(&[0.0, SPEED]), vec![contact])?)
}

/// The blocks of (35).
fn blocks(outcome: &mut Outcome) -> Result<(), Trouble> {
    let mut worst = 0.0_f64;
    for degrees in [0.0, 15.0, 40.0, 75.0_f64] {
        let (s, c) = degrees.to_radians().sin_cos();
        let A = DMatrix::from_row_slice(1, 2, &[s, c]);
        let block = BlockMatrix::new(&DMatrix::from_diagonal_element(2, 2, MASS), &A)?;
        let M_dagger = DMatrix::from_row_slice(2, 2, &[c * c, -s * c, -s * c, s * s]) / MASS;
        worst = worst.max((&block.M_dagger - M_dagger).amax());
        worst = worst.max((&block.A_dagger - A).amax());
        worst = worst.max((block.Lambda_dagger[(0, 0)] + MASS).abs());
    }
    outcome.claim(Claim::test(
        "section 4, (35)",
        "The inverse of the block matrix has the blocks M† = (cos² θ, −sin θ cos θ; …, sin² θ)/m, A† = (sin θ, cos θ), \
         Λ† = −m.",
        worst < 1e-14,
        format!("largest difference of an entry: {}", power(worst)),
    ));
    Ok(())
}

/// The same by simulation.
fn fall(outcome: &mut Outcome) -> Result<(), Trouble> {
    let trial = Trial::run::<&str>(SCENE, "johnson_slope.toml", &[])?;
    let jump = trial.run.events().iter().find(|e| e.kind == EventKind::Impact);
    let jump = jump.ok_or_else(|| Trouble::Absent {
        experiment: SLOPE.name,
        what: "the impact on the slope".into(),
    })?;
    let (s, c) = 30.0_f64.to_radians().sin_cos();
    let w = jump.v_pre[1];
    let post = DVector::from_row_slice(&jump.v_post);
    let miss = (post - DVector::from_row_slice(&[-s * c * w, s * s * w])).amax();
    outcome.claim(Claim::test(
        "section 4",
        "The same for a ball that falls 1 m on a slope of 30°.",
        miss < 1e-12,
        format!(
            "impact at {} s, velocity after ({}, {}) m/s, {} m/s from the closed form",
            fixed(jump.t, 6),
            fixed(jump.v_post[0], 6),
            fixed(jump.v_post[1], 6),
            power(miss)
        ),
    ));
    Ok(())
}
