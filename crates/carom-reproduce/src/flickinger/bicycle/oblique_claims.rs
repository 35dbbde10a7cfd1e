//! What section 4.2 says of the four slopes, and what ours do.

use super::coefficient::Use;
use super::contact::last_flight;
use super::oblique::{Descent, Reading};
use crate::claim::Claim;
use crate::flickinger::readings::under_readings;
use crate::outcome::Outcome;

/// μs and μd.
const FRICTION: [f64; 2] = [0.5, 0.25];

/// A claim on one slope, tested under every reading.
fn under(
    readings: &[Reading],
    text: (&str, &str),
    slope: usize,
    test: impl Fn(&Descent) -> (bool, String),
) -> Claim {
    under_readings(text, readings.iter().map(|r| (r.label(), test(&r.descents[slope]))))
}

fn first_sticks(d: &Descent) -> (bool, String) {
    let words: Vec<_> = d
        .first()
        .map(|u| format!("μ = {:.3}, stick needs {:.3}", u.coefficient, u.needed))
        .collect();
    let t = d.uses.first().map_or(f64::NAN, |u| u.t);
    (d.first().all(|u| u.sticks), format!("{} at {t:.3} s", words.join(" and ")))
}

fn mostly_sticks(d: &Descent) -> (bool, String) {
    let (sticks, all) = (d.sticks(), d.seen().count());
    (2 * sticks > all, format!("{sticks} of {all} stick"))
}

fn keeps_bouncing(d: &Descent) -> (bool, String) {
    let flight = last_flight(&d.case);
    (
        flight.is_none(),
        flight.map_or("still flies at 5 s".into(), |t| format!("in contact from {t:.3} s")),
    )
}

/// Every statement.
pub fn claims(readings: &[Reading], outcome: &mut Outcome) {
    let [level, low, middle, steep] = [0, 1, 2, 3];
    let mut claim = |text, slope, test: &dyn Fn(&Descent) -> (bool, String)| {
        outcome.claim(under(readings, text, slope, test));
    };
    claim(
        (
            "4.2, figure 4.8",
            "On level ground the first impact comes at about 1 s (taken: ± 0.1 s).",
        ),
        level,
        &|d| {
            let t = d.uses.first().map_or(f64::NAN, |u| u.t);
            ((t - 1.0).abs() < 0.1, format!("{t:.4} s"))
        },
    );
    claim(
        ("4.2, figure 4.8", "There μs is feasible at the first impact, and it sticks."),
        level,
        &first_sticks,
    );
    claim(
        ("4.2, figure 4.8", "There μd is not feasible at the first impact: stick needs less."),
        level,
        &|d| {
            let most = d.first().map(|u| u.needed).fold(0.0, f64::max);
            (most < FRICTION[1], format!("stick needs {most:.4}"))
        },
    );
    claim(
        (
            "4.2, figure 4.8",
            "On level ground it settles into rolling after 2.5 s (taken: ± 0.25 s).",
        ),
        level,
        &|d| {
            let settled = last_flight(&d.case);
            let words = settled
                .map_or("still flies at 5 s".into(), |t| format!("in contact from {t:.3} s"));
            (settled.is_some_and(|t| (t - 2.5).abs() < 0.25), words)
        },
    );
    claim(
        ("4.2, figure 4.8", "On level ground it sticks more often than not."),
        level,
        &mostly_sticks,
    );
    claim(("4.2, figure 4.9", "At 15° the first impact sticks with μ = μs."), low, &first_sticks);
    claim(("4.2, figure 4.7", "At 15° it bounces down without settling."), low, &keeps_bouncing);
    claim(("4.2, figure 4.9", "At 15° it sticks most often."), low, &mostly_sticks);
    claim(
        (
            "4.2, figure 4.7",
            "As the slope grows, it gains kinetic energy on its way: at 15° more at 5 s than after the first impact.",
        ),
        low,
        &|d| {
            let before = d.case.impacts().next().map_or(f64::NAN, |e| e.energy_after);
            let after = d.case.rows.last().map_or(f64::NAN, |r| r.kinetic);
            (after > before, format!("{before:.1} J and {after:.1} J"))
        },
    );
    claim(
        ("4.2, figure 4.10", "At 30° the first impact sticks with μ = μs."),
        middle,
        &first_sticks,
    );
    claim(("4.2, figure 4.10", "At 30° it sticks most often."), middle, &mostly_sticks);
    claim(
        ("4.2, figure 4.11", "At 45° stick is infeasible at the first impact, and μ ≤ 0.25."),
        steep,
        &|d| {
            let (sticks, words) = first_sticks(d);
            let within = d.first().all(|u| u.coefficient <= FRICTION[1] + 1e-6);
            (!sticks && within, words)
        },
    );
    claim(("4.2, figure 4.11", "At 45° it slips more often than it sticks."), steep, &|d| {
        let (mostly, words) = mostly_sticks(d);
        (!mostly, words)
    });
    outcome.claim(values(readings));
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
