//! The rebound of a rod over the angle of incidence, for all laws.
//!
//! A free rod of 1 m and 1 kg at 45° hits the ground with its lower end, without spin. For a point at r = (r_x, r_y) from
//! the centre, K = (1/m + r_y²/I, −r_x r_y/I; −r_x r_y/I, 1/m + r_x²/I) with the tangent first. The incidence is
//! measured from the normal, positive where the end moves toward +x.
//!
//! Tests: `tests/beyond.rs`: `rod`.

use carom::impact::{ImpactContact, ImpactProblem};
use carom_figure::{Axis, Figure, Panel};
use carom_scene::Scene;
use nalgebra::{DMatrix, DVector};

use super::compare::DRAWN;
use super::laws::{Choice, LAWS};
use crate::claim::{Cause, Claim};
use crate::collision::{loss, resolve};
use crate::data::Data;
use crate::error::Trouble;
use crate::experiment::{Context, Experiment, Source};
use crate::outcome::Outcome;
use crate::show::{fixed, percent};
use crate::table::Table;

/// The experiment.
pub const ROD: Experiment = Experiment {
    name: "beyond-rod",
    title: "Rebound of a rod over the angle of incidence",
    source: Source::Beyond,
    covers: &[],
    run,
};

const MASS: f64 = 1.0;
const LENGTH: f64 = 1.0;
const FRICTION: f64 = 0.5;
const RESTITUTION: f64 = 0.9;
/// Speed of the end in the sweep, m/s.
const SPEED: f64 = 2.0;

/// A rod whose lower end hits the ground.
struct Rod {
    /// Velocity of the end, along the ground and away from it, m/s.
    velocity: [f64; 2],
}

impl Rod {
    /// Coordinates: centre and angle; the lower end is at −L/2 (cos 45°, sin 45°) from the centre.
    fn problem(&self) -> Result<ImpactProblem, Trouble> {
        let r = -LENGTH / 2.0 * std::f64::consts::FRAC_1_SQRT_2;
        let mass = DVector::from_row_slice(&[MASS, MASS, MASS * LENGTH * LENGTH / 12.0]);
        let contact = ImpactContact {
            name: "end".into(),
            tangents: DMatrix::from_row_slice(1, 3, &[1.0, 0.0, -r]),
            normal: DVector::from_row_slice(&[0.0, 1.0, r]),
            friction: FRICTION,
            static_friction: FRICTION,
            restitution: RESTITUTION,
            touching: true,
        };
        let v = DVector::from_row_slice(&[self.velocity[0], self.velocity[1], 0.0]);
        Ok(ImpactProblem::new(DMatrix::from_diagonal(&mass), v, vec![contact])?)
    }
}

/// What a law does at one incidence.
#[derive(Debug, Clone, Copy)]
struct Rebound {
    incidence: f64,
    u: [f64; 2],
    loss: f64,
}

fn run(context: &Context) -> Result<Outcome, Trouble> {
    let mut outcome = Outcome::new(
        "A free rod of 1 m and 1 kg, at 45°, hits the ground with its lower end: μ = 0.5, e = 0.9, no spin, 2 m/s. Velocity \
         of the end after the impact and energy loss over the angle of incidence, for every law.",
    );
    let half = context.pick(340, 34);
    let mut curves = Vec::new();
    for law in LAWS {
        let mut curve = Vec::new();
        for i in -half..=half {
            let incidence = 85.0 * f64::from(i) / f64::from(half);
            let (s, c) = incidence.to_radians().sin_cos();
            // A law may have no answer, as it says; the curve then has a gap.
            curve.extend(rebound(law, incidence, [SPEED * s, -SPEED * c]).ok());
        }
        curves.push((law, curve));
    }
    reference(&mut outcome)?;
    let all = 2 * half as usize + 1;
    answers(&mut outcome, &curves, all);
    promises(&mut outcome, &curves);
    outcome.figure("rod", "", picture(&curves));
    outcome.table(table(&curves));
    let mut data = Data::new("rod", &["law", "incidence.deg", "u_t.m/s", "u_n.m/s", "loss"]);
    for (law, curve) in &curves {
        for r in curve {
            data.labelled(&[law.name], &[r.incidence, r.u[0], r.u[1], r.loss]);
        }
    }
    outcome.data(data);
    Ok(outcome)
}

/// The law of a choice, read as a scene would read it.
fn rebound(law: Choice, incidence: f64, velocity: [f64; 2]) -> Result<Rebound, Trouble> {
    let answer = resolve(made(law)?.as_ref(), &Rod { velocity }.problem()?)?;
    let u = &answer.solution.u_post;
    Ok(Rebound { incidence, u: [u[0], u[1]], loss: loss(&answer) })
}

fn made(law: Choice) -> Result<Box<dyn carom::impact::ImpactLaw>, Trouble> {
    let scene = Scene::parse(
        &format!("law = {{ {} }}\n[body.b]\nmass = 1\nshape = {{ sphere = 1 }}\n", law.table),
        "law",
    )?;
    Ok(scene.law.law()?)
}

/// Slip that reverses: closed forms of one planar contact for the end velocity (0.3, −2) m/s.
fn reference(outcome: &mut Outcome) -> Result<(), Trouble> {
    let exact = [
        ("differential, energetic", [-0.4723, 1.6604], 0.2034),
        ("differential, kinetic", [-0.4712, 1.6527], 0.2064),
        ("differential, kinematic", [-0.4922, 1.8], 0.1453),
    ];
    for (name, u, lost) in exact {
        let Some(law) = LAWS.into_iter().find(|l| l.name == name) else { continue };
        let ours = rebound(law, 0.0, [0.3, -2.0])?;
        let near =
            (0..2).all(|i| (ours.u[i] - u[i]).abs() < 5e-5) && (ours.loss - lost).abs() < 5e-5;
        outcome.claim(Claim::test(
            "closed form",
            format!(
                "For the end velocity (0.3, −2) m/s slip reverses; {name}: ({}, {}) m/s and {} lost.",
                fixed(u[0], 4),
                fixed(u[1], 4),
                percent(lost)
            ),
            near,
            format!("({}, {}) m/s, {} lost", fixed(ours.u[0], 4), fixed(ours.u[1], 4), percent(ours.loss)),
        )
        .own());
    }
    Ok(())
}

fn answers(outcome: &mut Outcome, curves: &[(Choice, Vec<Rebound>)], all: usize) {
    let silent = curves.iter().filter(|(_, c)| c.len() < all);
    let silent: Vec<_> =
        silent.map(|(l, c)| format!("{} in {} of {all}", l.name, all - c.len())).collect();
    outcome.claim(Claim::test(
        "carom laws",
        "Every law has an answer at every incidence.",
        silent.is_empty(),
        format!(
            "without an answer: {}",
            if silent.is_empty() { "none".into() } else { silent.join("; ") }
        ),
    )
    .own()
    .because(
        Cause::Reading,
        "A constraint with tangents is Johnson's law for contacts that stick; where stick would have to pull there is no \
         such impact, and the law says so instead of answering.",
        silent.iter().all(|s| s.starts_with("constraint with tangents")),
    ));
}

fn gain(curve: &[Rebound]) -> f64 {
    curve.iter().map(|r| -r.loss).fold(0.0, f64::max)
}

fn promises(outcome: &mut Outcome, curves: &[(Choice, Vec<Rebound>)]) {
    let broken: Vec<_> = curves
        .iter()
        .filter(|(l, c)| l.conserves && gain(c) > 1e-10)
        .map(|(l, _)| l.name)
        .collect();
    let gaining: Vec<_> =
        curves.iter().filter(|(_, c)| gain(c) > 1e-10).map(|(l, _)| l.name).collect();
    outcome.claim(
        Claim::test(
            "carom laws",
            "Laws that promise never to gain energy do not gain any, at any incidence.",
            broken.is_empty(),
            format!(
                "gains with: {}",
                if gaining.is_empty() { "none".into() } else { gaining.join("; ") }
            ),
        )
        .own(),
    );
}

fn picture(curves: &[(Choice, Vec<Rebound>)]) -> Figure {
    let mut panels = [
        Panel::new().title("velocity along the ground after").y(("u_t", "m/s")),
        Panel::new().title("velocity away from the ground after").y(("u_n", "m/s")),
        Panel::new().title("energy loss").y(("loss of kinetic energy", "%")),
    ];
    for (law, curve) in curves.iter().filter(|(l, _)| DRAWN.contains(&l.name)) {
        let x: Vec<f64> = curve.iter().map(|r| r.incidence).collect();
        let values = |r: &Rebound| [r.u[0], r.u[1], 100.0 * r.loss];
        for (k, panel) in panels.iter_mut().enumerate() {
            let y: Vec<f64> = curve.iter().map(|r| values(r)[k]).collect();
            *panel = std::mem::take(panel).line(law.name, &x, &y);
        }
    }
    let figure = Figure::new("Rebound of a rod").one_legend().share_x().width(760.0).caption(
        "Rod of 1 m and 1 kg at 45°, μ = 0.5, e = 0.9, 2 m/s. Incidence from the normal, positive toward +x. Below zero, \
         energy is gained.",
    );
    let axis = || Axis::new("incidence", "°").range(-85.0, 85.0);
    panels.into_iter().fold(figure, |f, p| f.panel(p.x(axis()).height(180.0)))
}

fn table(curves: &[(Choice, Vec<Rebound>)]) -> Table {
    let mut table = Table::new(
        "Extremes over the incidence, −85° to 85°",
        &["law", "largest u_n⁺ m/s", "largest loss", "smallest loss", "gains energy for"],
    );
    for (law, curve) in curves {
        let most = |f: fn(&Rebound) -> f64| curve.iter().map(f).fold(f64::NEG_INFINITY, f64::max);
        let inside: Vec<f64> =
            curve.iter().filter(|r| r.loss < -1e-10).map(|r| r.incidence).collect();
        let range = match (inside.first(), inside.last()) {
            (Some(a), Some(b)) => format!("{}° … {}°", fixed(*a, 1), fixed(*b, 1)),
            _ => "nowhere".into(),
        };
        table.row([
            law.name.to_string(),
            fixed(most(|r| r.u[1]), 3),
            percent(most(|r| r.loss)),
            percent(-most(|r| -r.loss)),
            range,
        ]);
    }
    table
}
