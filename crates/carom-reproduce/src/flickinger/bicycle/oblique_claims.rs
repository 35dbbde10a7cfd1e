//! What section 4.2 says of the four slopes, and what ours do.

use super::coefficient::Use;
use super::contact::last_flight;
use super::oblique::{Descent, Reading};
use crate::claim::Claim;
use crate::flickinger::readings::under_readings;

/// μs and μd.
const FRICTION: [f64; 2] = [0.5, 0.25];

/// Places of the slopes among the runs.
const LEVEL: usize = 0;
const LOW: usize = 1;
const MIDDLE: usize = 2;
const STEEP: usize = 3;

type Test = fn(&Descent) -> (bool, String);

/// Place, statement, slope, test.
const STATEMENTS: [(&str, &str, usize, Test); 15] = [
    (
        "4.2, figure 4.8",
        "On level ground the first impact comes at about 1 s (taken: ± 0.1 s).",
        LEVEL,
        at_one_second,
    ),
    (
        "4.2, figure 4.8",
        "There μs is feasible at the first impact, and it sticks.",
        LEVEL,
        first_sticks,
    ),
    (
        "4.2, figure 4.8",
        "There μd is not feasible at the first impact: stick needs less.",
        LEVEL,
        needs_less,
    ),
    (
        "4.2, figure 4.8",
        "On level ground it settles into rolling after 2.5 s (taken: ± 0.25 s).",
        LEVEL,
        settles,
    ),
    (
        "4.2, figure 4.8",
        "In rolling contact on level ground it chatters. Tested: slope changes of the normal forces between events grow \
         with the sampling rate.",
        LEVEL,
        chatters,
    ),
    ("4.2, figure 4.8", "On level ground it sticks more often than not.", LEVEL, mostly_sticks),
    ("4.2, figure 4.9", "At 15° the first impact sticks with μ = μs.", LOW, first_sticks),
    ("4.2, figure 4.7", "At 15° it bounces down without settling.", LOW, keeps_bouncing),
    ("4.2, figure 4.9", "At 15° it sticks most often.", LOW, mostly_sticks),
    (
        "4.2, figure 4.7",
        "As the slope grows, it gains kinetic energy on its way: at 15° more at 5 s than after the first impact.",
        LOW,
        speeds_up,
    ),
    ("4.2, figure 4.10", "At 30° the first impact sticks with μ = μs.", MIDDLE, first_sticks),
    ("4.2, figure 4.10", "At 30° it sticks most often.", MIDDLE, mostly_sticks),
    (
        "4.2, figure 4.11",
        "At 45° stick is infeasible at the first impact, and μ ≤ 0.25.",
        STEEP,
        first_slips,
    ),
    ("4.2, figure 4.11", "At 45° it slips more often than it sticks.", STEEP, mostly_slips),
    (
        "4.2, figure 4.11",
        "At 45° the run ends with chatter. Tested as on level ground.",
        STEEP,
        chatters,
    ),
];

/// Every statement, tested under every reading.
pub fn claims(readings: &[Reading]) -> Vec<Claim> {
    let claim = |(place, statement, slope, test): &(&str, &str, usize, Test)| {
        let results = readings.iter().map(|r| (r.label(), test(&r.descents[*slope])));
        under_readings((place, statement), results)
    };
    STATEMENTS.iter().map(claim).chain([values(readings)]).collect()
}

fn at_one_second(d: &Descent) -> (bool, String) {
    let t = d.uses.first().map_or(f64::NAN, |u| u.t);
    ((t - 1.0).abs() < 0.1, format!("{t:.4} s"))
}

fn first_sticks(d: &Descent) -> (bool, String) {
    let mut words: Vec<_> = d
        .first()
        .map(|u| format!("μ = {:.3}, stick needs {:.3}", u.coefficient, u.needed))
        .collect();
    // Both wheels of a symmetric impact are the same.
    words.dedup();
    (d.first().all(|u| u.sticks), words.join(" and "))
}

fn first_slips(d: &Descent) -> (bool, String) {
    let (sticks, words) = first_sticks(d);
    (!sticks && d.first().all(|u| u.coefficient <= FRICTION[1] + 1e-6), words)
}

fn needs_less(d: &Descent) -> (bool, String) {
    let most = d.first().map(|u| u.needed).fold(0.0, f64::max);
    (most < FRICTION[1], format!("stick needs {most:.4}"))
}

fn settling(d: &Descent) -> (Option<f64>, String) {
    let from = last_flight(&d.case);
    let words = from.map_or("still flies at 5 s".into(), |t| format!("in contact from {t:.3} s"));
    (from, words)
}

fn settles(d: &Descent) -> (bool, String) {
    let (from, words) = settling(d);
    (from.is_some_and(|t| (t - 2.5).abs() < 0.25), words)
}

fn keeps_bouncing(d: &Descent) -> (bool, String) {
    let (from, words) = settling(d);
    (from.is_none(), words)
}

fn chatters(d: &Descent) -> (bool, String) {
    let [coarse, fine] = d.changes;
    let grows = fine as f64 > 1.5 * coarse as f64 && fine > 10;
    (grows, format!("{coarse} changes, {fine} with samples twice as dense"))
}

fn mostly_sticks(d: &Descent) -> (bool, String) {
    let (sticks, all) = (d.sticks(), d.seen().count());
    (2 * sticks > all, format!("{sticks} of {all} stick"))
}

fn mostly_slips(d: &Descent) -> (bool, String) {
    let (sticks, all) = (d.sticks(), d.seen().count());
    (2 * sticks < all, format!("{sticks} of {all} stick"))
}

fn speeds_up(d: &Descent) -> (bool, String) {
    let after_first = d.case.impacts().next().map_or(f64::NAN, |e| e.energy_after);
    let at_end = d.case.rows.last().map_or(f64::NAN, |r| r.kinetic);
    (at_end > after_first, format!("{after_first:.1} J and {at_end:.1} J"))
}

/// Whether only μs and μd appear.
fn values(readings: &[Reading]) -> Claim {
    let other = |u: &&Use| FRICTION.iter().all(|f| (u.coefficient - f).abs() > 1e-3);
    let result = |r: &Reading| {
        let uses = || r.descents.iter().flat_map(|d| &d.uses);
        let others = uses().filter(other).count();
        (others == 0, format!("{others} of {} have another value", uses().count()))
    };
    under_readings(
        ("4.2, figures 4.8 to 4.11", "No values of the coefficient appear besides μs and μd."),
        readings.iter().map(|r| (r.label(), result(r))),
    )
}
