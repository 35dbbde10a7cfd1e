//! Jumps from the guess, the published and our own optimised posture: section 6.4.
//!
//! Tests: `tests/leg.rs`: `jumps`.

use carom::record::EventKind;
use carom_agility::posture::{SearchOptions, SearchProgress, search};
use carom_scene::study::{by_torques_alone, with_friction};

use super::drawing::{
    centres, error_figure, errors, foot_by_angles, jump_figure, posture_figure, titled_jump,
};
use super::subject::{DIRECTION, Jump, PUBLISHED, leg, powerless, stance, stops};
use crate::claim::{Claim, Evidence};
use crate::data::Data;
use crate::error::Trouble;
use crate::experiment::{Context, Experiment, Source};
use crate::outcome::Outcome;
use crate::show::fixed;
use crate::table::Table;

/// The experiment.
pub const JUMPS: Experiment = Experiment {
    name: "flickinger-leg-jumps",
    title: "Jumps of the leg before and after optimisation",
    source: Source::Flickinger,
    covers: &[
        "table 6.2",
        "figure 6.5",
        "figure 6.6",
        "figure 6.7",
        "figure 6.8",
        "figure 6.9",
        "figure 6.10",
        "figure 6.11",
        "figure 6.12",
        "figure 6.13",
    ],
    run,
};

/// Ranges of the joints in our search.
const RANGES: [&str; 3] = [
    "joint.coxa.limits={ lower = -1, upper = 1 }",
    "joint.femur.limits={ lower = -1.2, upper = 1.2 }",
    "joint.tibia.limits={ lower = -1.5, upper = 1.5 }",
];

/// Heights of table 6.2, to a centimetre.
const HEIGHTS: [f64; 2] = [0.17, 0.18];

fn run(context: &Context) -> Result<Outcome, Trouble> {
    let mut outcome = Outcome::new(
        "The leg of section 2.5 stands on its foot and is thrown toward a point 5 m away at 45° by computed torque, with \
         2.5 N·m per motor; in flight it is passive. The same from three postures: the guess and the optimised one of table \
         6.2, and the best posture of our own search, which starts from the guess.",
    );
    for reading in [
        "Inertias, pulley ratios, joint axes and gains are not stated; scenes/jumper.toml lists what was chosen and why. \
         Statements on single jumps depend on geometry and gain and are tested in flickinger-leg-geometry; drawn is the gain of \
         the scene, 100 /s², with critical damping, and the gains that come nearest to the text.",
        "The joints' ranges are not stated, and wound-up springs raise any capability: our search keeps the coxa within ±1, \
         the femur within ±1.2 and the tibia within ±1.5 rad.",
        "The optimised posture of table 6.2 is taken at the height at which its foot touches the ground.",
    ] {
        outcome.reading(reading);
    }
    let guess_scene = leg(&[])?;
    let start = guess_scene.initial.q.as_slice().to_vec();
    let best = {
        let limited = leg(&RANGES)?;
        let stance = stance(&limited)?;
        let options = SearchOptions {
            starts: context.pick(16, 3),
            hops: context.pick(16, 0),
            threads: 1,
            ..SearchOptions::default()
        };
        let found =
            search(&stance, &start, &options, &|_: SearchProgress| {}).map_err(powerless)?;
        found.optima.into_iter().next().map_or(start.clone(), |o| o.q)
    };
    let published = leg(&PUBLISHED)?;
    let their_q = published.initial.q.as_slice().to_vec();
    let jumps = [
        Jump::run("the guess", guess_scene, &start)?,
        Jump::run("the published optimum", published, &their_q)?,
        Jump::run("our optimum", leg(&[])?, &best)?,
    ];
    postures(&mut outcome, &jumps)?;
    let (guesses, optima) = (with_gains(context, &[])?, with_gains(context, &PUBLISHED)?);
    claims(&mut outcome, &jumps)?;
    outcome.data(gains(&guesses, &optima));
    acting(&mut outcome, &guesses, &optima);
    for jump in &jumps {
        let name = jump.name.trim_start_matches("the ").replace(' ', "-");
        let [posture, stands_for] = match jump.name {
            "the guess" => ["figure 6.6", "figures 6.8 to 6.10"],
            "the published optimum" => ["figure 6.7", "figures 6.11 to 6.13"],
            _ => ["", ""],
        };
        outcome.figure(format!("posture-{name}"), posture, posture_figure(jump));
        outcome.figure(format!("jump-{name}"), stands_for, jump_figure(jump));
        outcome.data(course(jump, &name));
        outcome.timing(format!("jump from {}", jump.name), jump.seconds);
    }
    outcome.figure("error", "figure 6.5", error_figure(&jumps));
    Ok(outcome)
}

/// Gains of the computed torque that are tried, 1/s²: the text states none. Damping is critical.
const GAINS: [f64; 14] =
    [1.0, 2.0, 3.0, 5.0, 10.0, 20.0, 30.0, 50.0, 100.0, 120.0, 150.0, 160.0, 200.0, 500.0];

/// The jump from a posture with every gain.
pub(super) fn with_gains(context: &Context, posture: &[&str]) -> Result<Vec<(f64, Jump)>, Trouble> {
    let one_in = context.pick(1, 4);
    let run = |gain: &f64| {
        let stiffness = format!("controller.jump.stiffness={gain}");
        let damping = format!("controller.jump.damping={}", 2.0 * gain.sqrt());
        let mut set = posture.to_vec();
        set.extend([stiffness.as_str(), damping.as_str()]);
        let scene = leg(&set)?;
        let q = scene.initial.q.as_slice().to_vec();
        Ok((*gain, Jump::run("a gain", scene, &q)?))
    };
    GAINS.iter().step_by(one_in).map(run).collect()
}

/// The jumps that come nearest to the published ones: from the guess with the largest gain at which the motors act, from
/// the optimum with the gain whose rise is nearest to 40 cm.
fn acting(outcome: &mut Outcome, guesses: &[(f64, Jump)], optima: &[(f64, Jump)]) {
    let guess = guesses.iter().rev().find(|(_, j)| torque(j) > 0.0);
    let off = |j: &Jump| (j.measure.rise - 0.4).abs();
    let best = optima.iter().min_by(|a, b| off(&a.1).total_cmp(&off(&b.1)));
    for (name, stands_for, found) in
        [("guess", "figures 6.8 to 6.10", guess), ("optimum", "figures 6.11 to 6.13", best)]
    {
        if let Some((gain, jump)) = found {
            let title = format!("Jump from the {name} of table 6.2 with a gain of {gain} /s²");
            outcome.figure(format!("jump-{name}-gain"), stands_for, titled_jump(jump, title));
        }
    }
}

/// Rise, torque and ends of all jumps over the gain.
fn gains(guesses: &[(f64, Jump)], optima: &[(f64, Jump)]) -> Data {
    let columns =
        ["posture", "gain.1/s2", "rise.m", "torque.Nm", "end.x.m", "climb.x.m", "climb.y.m"];
    let mut data = Data::new("gains", &columns);
    for (name, jumps) in [("guess", guesses), ("optimum", optima)] {
        for (gain, j) in jumps {
            let [x, y] = climb(j);
            data.labelled(&[name], &[*gain, j.measure.rise, torque(j), end(j)[0], x, y]);
        }
    }
    data
}

/// Capability, what stops it, and how the jump went.
fn postures(outcome: &mut Outcome, jumps: &[Jump; 3]) -> Result<(), Trouble> {
    let head = [
        "posture",
        "capability / (m/s²)",
        "stopped by",
        "by torques alone / (m/s²)",
        "stance / ms",
        "rise / cm",
        "least distance / m",
        "work of the motors / J",
        "springs at the start / J",
    ];
    let mut table = Table::new("Postures and their jumps", &head);
    for jump in jumps {
        let stance = stance(&jump.scene)?;
        let at = with_friction(&stance, &jump.start).map_err(powerless)?;
        let alone = by_torques_alone(&stance, &jump.start).map_or(f64::NAN, |c| c.acceleration);
        let m = &jump.measure;
        table.row([
            jump.name.to_string(),
            fixed(at.acceleration, 1),
            stops(&jump.scene, &at),
            if alone.is_nan() { "none".into() } else { fixed(alone, 1) },
            fixed(1e3 * m.stance, 2),
            fixed(100.0 * m.rise, 1),
            fixed(m.least_distance, 3),
            fixed(m.applied, 3),
            fixed(
                carom::dynamics::forces::spring_energy(&jump.scene.model, jump.start.q.as_slice()),
                3,
            ),
        ]);
    }
    outcome.table(table);
    Ok(())
}

fn claims(outcome: &mut Outcome, jumps: &[Jump; 3]) -> Result<(), Trouble> {
    let [guess, published, _] = jumps;
    outcome.claim(digits([guess, published])?);
    outcome.claim(Claim::test(
        "section 6.4, figure 6.5",
        "The optimised posture comes nearer to the goal, on average and at best.",
        mean_error(published) < mean_error(guess)
            && published.measure.least_distance < guess.measure.least_distance,
        format!(
            "least distance {} against {} m, mean over the run {} against {} m",
            fixed(published.measure.least_distance, 3),
            fixed(guess.measure.least_distance, 3),
            fixed(mean_error(published), 3),
            fixed(mean_error(guess), 3)
        ),
    ));
    capabilities(outcome, jumps)?;
    let worst = jumps.iter().fold(0.0_f64, |m, j| m.max(j.measure.closure));
    outcome.claim(Claim::test(
        "carom",
        "The energy of every jump is accounted for: nothing is gained beyond the work of the motors.",
        jumps.iter().all(|j| j.measure.gain <= j.measure.closure.max(1e-9) && j.measure.closure < 1e-5),
        format!("the ledgers close to {} J", crate::show::power(worst)),
    )
    .own());
    Ok(())
}

/// Whether the foot is on the ground within the digits of table 6.2: half a centimetre of the height, and what half a
/// hundredth of a radian of each angle moves the foot by.
fn digits(jumps: [&Jump; 2]) -> Result<Claim, Trouble> {
    let mut holds = true;
    let mut words = Vec::new();
    for (height, jump) in HEIGHTS.iter().zip(jumps) {
        let off = 1e3 * (height - jump.start.q[1]);
        let turned = 1e3 * foot_by_angles(jump, 0.005)?;
        holds &= off.abs() <= 5.0 + turned;
        words.push(format!(
            "{} mm, where the digits allow 5 of the height and {} of the angles",
            fixed(off, 1),
            fixed(turned, 1)
        ));
    }
    Ok(Claim::test(
        "table 6.2",
        "Both postures stand with the foot on the ground, within the digits of the table.",
        holds,
        format!("the printed heights are off by {}", words.join("; by ")),
    )
    .our_reading("Axes, signs and the place of the hip are our reading of the geometry, see flickinger-leg-geometry."))
}

pub(super) fn lift_offs(jump: &Jump) -> usize {
    jump.course.events.iter().filter(|e| e.kind == EventKind::LiftOff).count()
}

/// Largest torque of a jump, N·m.
pub(super) fn torque(jump: &Jump) -> f64 {
    jump.course.torques.iter().flatten().fold(0.0, |m, u| m.max(u.abs()))
}

/// What counts as along the desired direction, degrees.
pub(super) const ALONG: f64 = 15.0;
/// The torque limit, N·m.
pub(super) const LIMIT: f64 = 2.5;

/// Angle between a direction in the plane of N1 and N2 and that of (6.12), degrees.
pub(super) fn degrees_between([x, y]: [f64; 2]) -> f64 {
    let along = x * DIRECTION[0] + y * DIRECTION[1];
    let across = x * DIRECTION[1] - y * DIRECTION[0];
    across.atan2(along).to_degrees().abs()
}

/// Where the body is at the end, in N1 and N2, m.
pub(super) fn end(jump: &Jump) -> [f64; 2] {
    centres(jump).last().map_or([f64::NAN; 2], |x| [x.x, x.y])
}

/// From the start to the highest point, in N1 and N2, m.
pub(super) fn climb(jump: &Jump) -> [f64; 2] {
    let all = centres(jump);
    let top = all.iter().max_by(|a, b| a.y.total_cmp(&b.y));
    match (all.first(), top) {
        (Some(a), Some(b)) => [b.x - a.x, b.y - a.y],
        _ => [f64::NAN; 2],
    }
}

/// Whether more capability makes a better jump.
fn capabilities(outcome: &mut Outcome, jumps: &[Jump; 3]) -> Result<(), Trouble> {
    let [guess, _, ours] = jumps;
    let a: Result<Vec<f64>, Trouble> = jumps
        .iter()
        .map(|j| Ok(with_friction(&stance(&j.scene)?, &j.start).map_err(powerless)?.acceleration))
        .collect();
    let a = a?;
    let dce: Result<Vec<f64>, Trouble> = jumps
        .iter()
        .map(|j| {
            Ok(by_torques_alone(&stance(&j.scene)?, &j.start).map_or(f64::NAN, |c| c.acceleration))
        })
        .collect();
    let dce = dce?;
    let word = |x: f64| if x.is_nan() { "none".into() } else { fixed(x, 1) };
    outcome.claim(Claim::new(
        "section 6.4.1",
        "The optimised posture has more capability to accelerate along the direction than the guess.",
        Evidence::Readings(vec![
            ("foot kept within its friction cone".into(), a[1] > a[0]),
            ("torque limits alone, as (6.1) to (6.6) have it".into(), dce[1] > dce[0]),
        ]),
        format!(
            "{} against {} m/s² within the cone; {} against {} m/s² by torques alone",
            fixed(a[1], 1),
            fixed(a[0], 1),
            word(dce[1]),
            word(dce[0])
        ),
    ));
    outcome.claim(Claim::test(
        "section 6.2, (6.7) to (6.11)",
        "Searching for the best posture raises the capability, and the jump is higher and comes nearer to the goal than that of the guess.",
        a[2] > a[0]
            && ours.measure.rise > guess.measure.rise
            && ours.measure.least_distance < guess.measure.least_distance,
        format!(
            "ours: {} m/s², rise {} cm, least distance {} m",
            fixed(a[2], 1), fixed(100.0 * ours.measure.rise, 1), fixed(ours.measure.least_distance, 3)
        ),
    ));
    Ok(())
}

/// Mean distance to the goal over time.
fn mean_error(jump: &Jump) -> f64 {
    let (t, e) = (&jump.course.t, errors(jump));
    let area: f64 = (1..t.len()).map(|i| 0.5 * (t[i] - t[i - 1]) * (e[i] + e[i - 1])).sum();
    let span = t.last().copied().unwrap_or(0.0) - t.first().copied().unwrap_or(0.0);
    area / span
}

fn course(jump: &Jump, name: &str) -> Data {
    let mut data = Data::new(
        format!("jump-{name}"),
        &[
            "t.s",
            "x.m",
            "y.m",
            "z.m",
            "coxa.rad",
            "femur.rad",
            "tibia.rad",
            "coxa.Nm",
            "femur.Nm",
            "tibia.Nm",
            "t1.N",
            "t2.N",
            "normal.N",
        ],
    );
    let c = &jump.course;
    let foot = jump.scene.study.as_ref().map_or(0, |s| s.foot);
    for i in 0..c.t.len() {
        let (q, f) = (&c.q[i], &c.forces[i][foot]);
        let mut row = vec![c.t[i], q[0], q[1], q[2]];
        row.extend_from_slice(&q[q.len() - 3..]);
        row.extend(c.torques[i].iter().copied());
        row.extend_from_slice(f);
        data.row(&row);
    }
    data
}
