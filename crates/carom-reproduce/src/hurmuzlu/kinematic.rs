//! Figure 4: kinematic definition, differential against algebraic formulation.
//!
//! Tests: `tests/hurmuzlu.rs`: `kinematic`.

use super::drawing::{Curves, LOSS, SLIP};
use super::interval::{Interval, words};
use super::method::Method;
use super::posture::{INFERRED, POSTURE};
use super::sweep::{APART, FRICTION, Sweep};
use crate::claim::{Claim, Evidence};
use crate::data::Data;
use crate::error::Trouble;
use crate::experiment::{Context, Experiment, Source};
use crate::outcome::Outcome;
use crate::show::{percent, power};

/// The experiment.
pub const KINEMATIC: Experiment = Experiment {
    name: "hurmuzlu-kinematic",
    title: "Chain, kinematic restitution in two formulations",
    source: Source::Hurmuzlu,
    covers: &["figure 4"],
    run,
};

/// A difference of velocities that can be seen in a printed figure: 1 % of the largest velocity before, 0.3 rad/s.
const VISIBLE: f64 = 3e-3;

fn run(context: &Context) -> Result<Outcome, Trouble> {
    let mut outcome = Outcome::new(
        "Friction 0.5 at both ends, e = 0.9 in the kinematic definition: the differential formulation against the \
         algebraic one of Whittaker.",
    );
    outcome.reading(POSTURE);
    let path = Sweep::new(context, Method::Kinematic, FRICTION, 0.9)?;
    let jump = Sweep::new(context, Method::Whittaker, FRICTION, 0.9)?;
    gains(&mut outcome, &path, &jump);
    let differ = path.compared(&jump, |a, b| a.apart(b) > APART);
    two_intervals(&mut outcome, &path, &jump, &differ);
    reversal(&mut outcome, &path, &jump, &differ);
    slippage(&mut outcome, &path, &jump);
    let letters = ["B", "C", "D", "E"];
    let ends = differ.iter().flat_map(|i| [i.from, i.to]);
    let curves = Curves {
        sweeps: vec![("differential".into(), &path), ("algebraic (Whittaker)".into(), &jump)],
        marks: ends.zip(letters).collect(),
        shaded: Vec::new(),
    };
    outcome.figure(
        "figure4",
        "figure 4",
        curves.figure(
            "Kinematic restitution in two formulations",
            &[LOSS, SLIP],
            "μ = 0.5 at both ends, e = 0.9. Below zero, energy is gained. The formulations differ from B to C and from D to E.",
        ),
    );
    outcome.data(data(&path, &jump));
    Ok(outcome)
}

fn gains(outcome: &mut Outcome, path: &Sweep, jump: &Sweep) {
    let gain = [path, jump].map(|s| s.largest(|p| -p.loss));
    let places = [path, jump].map(|s| words(&s.wherever(|p| p.loss < -1e-12)));
    outcome.claim(Claim::test(
        "section 4, figure 4A",
        "Both formulations can gain energy.",
        gain.iter().all(|g| *g > 1e-12),
        format!(
            "differential up to {}, {}; algebraic up to {}, {}",
            percent(gain[0]),
            places[0],
            percent(gain[1]),
            places[1]
        ),
    ));
}

/// B–C and D–E, with A–B, C–D and E–F around them.
fn two_intervals(outcome: &mut Outcome, path: &Sweep, jump: &Sweep, differ: &[Interval]) {
    let seen = path.compared(jump, |a, b| a.apart(b) > VISIBLE);
    let framed = |i: &[Interval]| {
        i.len() == 2 && i[0].from > -90.0 + path.step && i[1].to < 90.0 - path.step
    };
    outcome.claim(Claim::new(
        "section 4, figure 4A",
        "The solutions differ in two intervals, B–C and D–E, and are the same in A–B, C–D and E–F.",
        Evidence::Readings(vec![
            ("any difference counts".into(), framed(differ)),
            (
                "differences that can be seen in a figure, above 1 % of the velocity before".into(),
                framed(&seen),
            ),
        ]),
        format!("they differ for {}; visibly for {}", words(differ), words(&seen)),
    )
    .our_reading("From which size on a difference counts is our choice; the text speaks of what can be seen in its figure."));
}

fn reversal(outcome: &mut Outcome, path: &Sweep, jump: &Sweep, differ: &[Interval]) {
    let pairs = || path.points.iter().zip(&jump.points);
    let reversed = pairs().filter(|(a, _)| a.reverses()).count();
    let same = pairs().filter(|(a, b)| a.reverses() && a.apart(b) <= APART).count();
    outcome.claim(Claim::test(
        "section 4, figure 4B",
        "The outcomes are distinct where the tangential velocity at the colliding end is reversed.",
        reversed > 0 && same == 0,
        format!(
            "slip at Ac reverses for {}; the methods agree in {same} of these postures",
            words(&path.wherever(|p| p.reverses()))
        ),
    ));
    let more = pairs().filter(|(a, b)| a.reverses() && b.friction.abs() > a.friction.abs() + 1e-12);
    let more = more.count();
    outcome.claim(Claim::test(
        "section 4",
        "The algebraic formulation overestimates the friction impulse where the velocity reverses.",
        more == reversed,
        format!(
            "its friction impulse at Ac is the larger one in {more} of {reversed} such postures"
        ),
    ));
    let calm = |s: &Sweep| s.wherever(|p| !p.reverses());
    let broken = path.compared(jump, |a, b| !a.reverses() && !b.reverses() && a.apart(b) > APART);
    outcome.claim(Claim::test(
        "section 4, figure 4",
        "Where both solutions stop the slip or keep its direction, they are the same (A–B, C–D, E–F).",
        broken.is_empty(),
        format!(
            "no reversal for {}, but they differ there for {}, by up to {} rad/s; of {} intervals with differences, {} have no reversal at Ac",
            words(&calm(path)),
            words(&broken),
            power(largest_within(path, jump, &broken)),
            differ.len(),
            differ.iter().filter(|d| !path.points.iter().any(|p| p.reverses() && within(d, p.degrees))).count(),
        ),
    )
    .open(INFERRED));
}

fn within(interval: &Interval, degrees: f64) -> bool {
    interval.from < degrees && degrees < interval.to
}

fn largest_within(path: &Sweep, jump: &Sweep, places: &[Interval]) -> f64 {
    let inside = |degrees: f64| places.iter().any(|i| within(i, degrees));
    let pairs = path.points.iter().zip(&jump.points).filter(|(a, _)| inside(a.degrees));
    pairs.map(|(a, b)| a.apart(b)).fold(0.0, f64::max)
}

fn slippage(outcome: &mut Outcome, path: &Sweep, jump: &Sweep) {
    let slips = [path, jump].map(|s| s.count(|p| p.slip[1] != 0.0));
    outcome.claim(Claim::test(
        "section 4, figure 4B",
        "The differential formulation predicts slip at the colliding end more often.",
        slips[0] > slips[1],
        format!("{} against {} of {} postures", slips[0], slips[1], path.points.len()),
    ));
}

fn data(path: &Sweep, jump: &Sweep) -> Data {
    let columns = [
        "phi1.deg",
        "loss_differential",
        "loss_algebraic",
        "u_t_Ac_differential.m/s",
        "u_t_Ac_algebraic.m/s",
    ];
    let mut data = Data::new("figure4", &columns);
    for (a, b) in path.points.iter().zip(&jump.points) {
        data.row(&[a.degrees, a.loss, b.loss, a.slip[1], b.slip[1]]);
    }
    data
}
