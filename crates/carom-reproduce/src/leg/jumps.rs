//! Jumps from the guess, the published and our own optimised posture: section 6.4.
//!
//! Tests: `tests/leg.rs`: `jumps`.

use carom::record::EventKind;
use carom_agility::posture::{SearchOptions, SearchProgress, search};
use carom_scene::study::{by_torques_alone, with_friction};

use super::drawing::{error_figure, errors, jump_figure};
use super::subject::{Jump, PUBLISHED, leg, powerless, stance, stops};
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
        "Inertias, pulley ratios, joint axes and gains are not stated; scenes/jumper.toml lists what was chosen and why.",
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
    claims(&mut outcome, &jumps)?;
    for jump in &jumps {
        let name = jump.name.trim_start_matches("the ").replace(' ', "-");
        let stands_for = match jump.name {
            "the guess" => "figures 6.6, 6.8, 6.9, 6.10",
            "the published optimum" => "figures 6.7, 6.11, 6.12, 6.13",
            _ => "",
        };
        outcome.figure(format!("jump-{name}"), stands_for, jump_figure(jump));
        outcome.data(course(jump, &name));
        outcome.timing(format!("jump from {}", jump.name), None, jump.seconds);
    }
    outcome.figure("error", "figure 6.5", error_figure(&jumps));
    Ok(outcome)
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
    let off: Vec<f64> =
        HEIGHTS.iter().zip([guess, published]).map(|(h, j)| 1e3 * (h - j.start.q[1])).collect();
    outcome.claim(Claim::test(
        "table 6.2",
        "Both postures stand with the foot on the ground, within the digits of the table: 5 mm of the height, 5 mrad of each angle.",
        off.iter().all(|d| d.abs() <= 7.0),
        format!("the printed heights are off by {} and {} mm", fixed(off[0], 1), fixed(off[1], 1)),
    ));
    of_the_guess(outcome, guess);
    of_the_optimum(outcome, published);
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
    ));
    Ok(())
}

fn lift_offs(jump: &Jump) -> usize {
    jump.course.events.iter().filter(|e| e.kind == EventKind::LiftOff).count()
}

/// What section 6.4.2 says of the jump from the guess.
fn of_the_guess(outcome: &mut Outcome, guess: &Jump) {
    let torque = guess.course.torques.iter().flatten().fold(0.0_f64, |m, u| m.max(u.abs()));
    outcome.claim(Claim::new(
        "section 6.4.2",
        "From the guess the body rises by only 2 cm.",
        Evidence::Number { published: 0.02, ours: guess.measure.rise, tolerance: 0.005 },
        format!("{} cm", fixed(100.0 * guess.measure.rise, 2)),
    ));
    outcome.claim(Claim::test(
        "section 6.4.2, figure 6.9",
        "From the guess the foot leaves the ground several times.",
        lift_offs(guess) > 1,
        format!("{} times in 0.5 s", lift_offs(guess)),
    ));
    outcome.claim(Claim::test(
        "section 6.4.2, figure 6.8",
        "From the guess the torques come near their limits.",
        torque >= 0.9 * 2.5,
        format!("largest torque {} N·m of 2.5", fixed(torque, 3)),
    ));
}

/// What section 6.4.3 says of the jump from the published optimum.
fn of_the_optimum(outcome: &mut Outcome, published: &Jump) {
    outcome.claim(Claim::new(
        "section 6.4.3, figure 6.12",
        "From the optimised posture the body rises by about 40 cm.",
        Evidence::Number { published: 0.4, ours: published.measure.rise, tolerance: 0.05 },
        format!("{} cm", fixed(100.0 * published.measure.rise, 1)),
    ));
    let stays = lift_offs(published) == 1 && published.measure.impacts == 0;
    outcome.claim(Claim::test(
        "section 6.4.3, figures 6.11 and 6.12",
        "From the optimised posture the foot leaves at once and stays off the ground.",
        stays && published.measure.stance < 0.05,
        format!(
            "{} lift-off after {} ms, {} impacts",
            lift_offs(published),
            fixed(1e3 * published.measure.stance, 1),
            published.measure.impacts
        ),
    ));
}

/// Whether more capability makes a better jump.
fn capabilities(outcome: &mut Outcome, jumps: &[Jump; 3]) -> Result<(), Trouble> {
    let [guess, _, ours] = jumps;
    let a: Result<Vec<f64>, Trouble> = jumps
        .iter()
        .map(|j| Ok(with_friction(&stance(&j.scene)?, &j.start).map_err(powerless)?.acceleration))
        .collect();
    let a = a?;
    outcome.claim(Claim::test(
        "section 6.4.1",
        "The optimised posture has more capability to accelerate along the direction than the guess.",
        a[1] > a[0],
        format!("{} against {} m/s²", fixed(a[1], 1), fixed(a[0], 1)),
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
