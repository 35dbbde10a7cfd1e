//! Figure 3.1: the motion of the pendulum with many collisions.
//!
//! Tests: `tests/morgan.rs`: `motion`, `pendulum_of_section_2_1`.

use carom::dynamics::jacobian::frame_jacobian;
use carom::dynamics::{CompositeScratch, Kinematics, kinematics, mass_matrix};
use carom::record::EventKind;
use carom_figure::{Axis, Colour, Figure, Ground, Line, Marker, Panel};
use nalgebra::{DMatrix, Vector3};

use super::pendulum::Collision;
use crate::claim::{Claim, Evidence};
use crate::data::Data;
use crate::error::Trouble;
use crate::experiment::{Context, Experiment, Source};
use crate::outcome::Outcome;
use crate::show::{fixed, power};
use crate::trial::Trial;

/// The experiment.
pub const MOTION: Experiment = Experiment {
    name: "morgan-motion",
    title: "Motion of the double pendulum over a floor",
    source: Source::Morgan,
    covers: &["figure 3.1"],
    run,
};

const SCENE: &str = include_str!("../../../../experiments/morgan_pendulum.toml");

fn run(context: &Context) -> Result<Outcome, Trouble> {
    let until = format!("solver.until={}", context.pick(10, 4));
    let trial = Trial::run(SCENE, "morgan_pendulum.toml", &[until])?;
    let mut outcome = Outcome::new(
        "Two slender bars swing over a floor; every collision is resolved by the energetic planar law, every event is \
         located on the dense output.",
    );
    outcome.reading(
        "Start, floor, friction and restitution of figure 3.1 are not stated. Bars of 1 m and 1 kg, the pivot 1.5 m above \
         the floor, released horizontally at rest, e* = 0.7 and μ = 0.3 are used.",
    );
    section_2_1(&mut outcome, &trial)?;
    let jumps: Vec<_> = trial.run.events().iter().filter(|e| e.kind.is_jump()).collect();
    let gain = jumps.iter().map(|e| -e.energy_lost()).fold(0.0, f64::max);
    outcome.claim(Claim::test(
        "chapters 1, 3, figure 3.1",
        "A whole motion can be simulated with the method, and no collision gains energy.",
        !jumps.is_empty() && gain <= 1e-12,
        format!(
            "{} collisions in {} s, the first at {} s; largest gain {} J, ledger closed to {} J",
            jumps.len(),
            fixed(trial.run.state.t, 3),
            jumps.first().map_or_else(String::new, |e| fixed(e.t, 6)),
            power(gain),
            power(trial.run.statistics.worst_closure)
        ),
    ));
    let path = tip_path(&trial)?;
    outcome.claim(Claim::new(
        "figure 3.1",
        "The drawn motion of the mechanism.",
        Evidence::Missing {
            why:
                "the text gives neither the start nor the parameters, and the picture is not in it"
                    .into(),
        },
        rest(&trial),
    ));
    outcome.timing(format!("{} s of motion", fixed(trial.run.state.t, 2)), trial.seconds);
    outcome.figure("figure3-1", "figure 3.1", picture(&trial));
    outcome.data(path);
    Ok(outcome)
}

fn rest(trial: &Trial) -> String {
    match trial.run.events().iter().find(|e| e.kind == EventKind::Rest) {
        Some(event) => format!("with our values the pendulum rests at {} s", fixed(event.t, 4)),
        None => {
            format!("with our values the pendulum still moves at {} s", fixed(trial.run.state.t, 2))
        }
    }
}

/// M and J of the thesis against those that the engine finds from the bodies.
fn section_2_1(outcome: &mut Outcome, trial: &Trial) -> Result<(), Trouble> {
    let model = &trial.scene.model;
    let lower = model
        .body_named("lower")
        .ok_or_else(|| Trouble::Absent { experiment: MOTION.name, what: "the lower bar".into() })?;
    let (mut kin, mut scratch) = (Kinematics::new(model), CompositeScratch::new(model));
    let (mut M, mut J) = (DMatrix::zeros(2, 2), DMatrix::zeros(6, 2));
    let mut miss = 0.0_f64;
    for q in trial.run.recording.q.iter().step_by(10) {
        kinematics(model, q, &[0.0; 2], &mut kin);
        mass_matrix(model, &kin, &mut scratch, &mut M);
        let tip = kin.pose(model, lower).point(&Vector3::new(1.0, 0.0, 0.0));
        frame_jacobian(model, &kin, lower, &tip, &mut J);
        let theirs = Collision { q: [q[0], q[1]], v: [0.0; 2], mu: 0.0, e: 0.0 };
        let (M_p, J_p) = (theirs.mass_matrix(), theirs.jacobian());
        for i in 0..2 {
            for j in 0..2 {
                miss = miss.max((M[(i, j)] - M_p[(i, j)]).abs());
                miss = miss.max((J[(3 + i, j)] - J_p[(i, j)]).abs());
            }
        }
    }
    outcome.claim(Claim::test(
        "section 2.1",
        "Mass matrix and Jacobian of the pendulum as printed.",
        miss < 1e-13,
        format!("largest difference from those of the engine along the motion: {}", power(miss)),
    ));
    Ok(())
}

/// The bars at the start, at the first collisions and at the end, with the path of the tip; and the energy.
fn picture(trial: &Trial) -> Figure {
    let recording = &trial.run.recording;
    let ends = |q: &[f64]| {
        let knee = [q[0].cos(), 1.5 + q[0].sin()];
        [[0.0, 1.5], knee, [knee[0] + (q[0] + q[1]).cos(), knee[1] + (q[0] + q[1]).sin()]]
    };
    let (x, y): (Vec<f64>, Vec<f64>) =
        recording.q.iter().map(|q| (ends(q)[2][0], ends(q)[2][1])).unzip();
    let mut space = Panel::new()
        .equal()
        .x(("x", "m"))
        .y(Axis::new("y", "m").include(-0.15))
        .add(Ground::new([0.0, 0.0], [0.0, 1.0]))
        .add(Line::new("path of the tip", &x, &y).colour(Colour::Series(0)));
    let bars = |q: &[f64]| {
        let p = ends(q);
        Line::unnamed(&p.map(|p| p[0]), &p.map(|p| p[1])).marker(Marker::Circle).width(2.2)
    };
    let jumps = trial.run.events().iter().filter(|e| e.kind.is_jump()).take(8);
    for event in jumps {
        space = space.add(bars(&event.q).colour(Colour::Soft).opacity(0.5));
    }
    let last = recording.q.len() - 1;
    space = space
        .add(bars(&recording.q[0]).colour(Colour::Ink))
        .add(bars(&recording.q[last]).colour(Colour::Series(1)));
    let energy = Panel::new()
        .x(("t", "s"))
        .y(Axis::new("kinetic and potential energy", "J").include(0.0))
        .height(180.0)
        .add(Line::unnamed(&recording.t, &recording.stored).colour(Colour::Series(0)));
    Figure::new("Motion over the floor").panel(space).panel(energy).width(760.0).caption(
        "Bars at the start (black), at the first eight collisions (grey) and at rest (orange). The energy falls only at \
         collisions and while the tip slides.",
    )
}

/// Knee and tip over time.
fn tip_path(trial: &Trial) -> Result<Data, Trouble> {
    let columns =
        ["t.s", "q1.rad", "q2.rad", "knee_x.m", "knee_y.m", "tip_x.m", "tip_y.m", "energy.J"];
    let mut data = Data::new("motion", &columns);
    let recording = &trial.run.recording;
    for (i, t) in recording.t.iter().enumerate() {
        let q = &recording.q[i];
        let knee = [q[0].cos(), 1.5 + q[0].sin()];
        let tip = [knee[0] + (q[0] + q[1]).cos(), knee[1] + (q[0] + q[1]).sin()];
        data.row(&[*t, q[0], q[1], knee[0], knee[1], tip[0], tip[1], recording.stored[i]]);
    }
    Ok(data)
}
