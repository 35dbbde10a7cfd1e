//! What section 4.2 says of the four slopes, and what ours do.

use super::coefficient::Use;
use super::contact::last_flight;
use super::oblique::{Descent, Reading};
use crate::claim::{Claim, Evidence};
use crate::scan::Scan;

/// μs and μd.
const FRICTION: [f64; 2] = [0.5, 0.25];

/// Places of the slopes among the runs.
const LEVEL: usize = 0;
const LOW: usize = 1;
const MIDDLE: usize = 2;
const STEEP: usize = 3;

type Test = fn(&Descent) -> (bool, String);

/// Place, statement, slope, test.
const STATEMENTS: [(&str, &str, usize, Test); 14] = [
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
        "In rolling contact on level ground it chatters, the wheels bouncing in turn (taken: ten impacts or more after \
         the last flight, at least half of them of the other wheel than before).",
        LEVEL,
        chatters,
    ),
    ("4.2, figure 4.8", "On level ground it sticks more often than not.", LEVEL, mostly_sticks),
    ("4.2, figure 4.9", "At 15° the first impact sticks with μ = μs.", LOW, first_sticks),
    ("4.2, figure 4.7", "At 15° it bounces down without settling.", LOW, keeps_bouncing),
    ("4.2, figure 4.9", "At 15° it sticks most often.", LOW, mostly_sticks),
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
        "At 45° the run ends with chatter (taken: ten impacts or more in the last second).",
        STEEP,
        ends_in_chatter,
    ),
];

/// Every statement, tested under every reading.
pub fn claims(readings: &[Reading]) -> Vec<Claim> {
    let of_slope = |(place, statement, slope, test): &(&str, &str, usize, Test)| {
        over_restitution((place, statement), readings, |r| test(&r.descents[*slope]))
    };
    let mut all: Vec<Claim> = STATEMENTS.iter().map(of_slope).collect();
    all.push(over_restitution(
        (
            "4.2, figure 4.7",
            "The steeper the slope, the more kinetic energy it gains on its way (taken: at the impacts from the second on, \
             the kinetic energy before them rises on the whole at 30° and 45°, faster at 45°).",
        ),
        readings,
        speeds_up,
    ));
    all.push(over_restitution(
        (
            "4.2, figures 4.8 to 4.11",
            "Wherever a wheel slips, μd is feasible, so that (4.9) never has to take a smaller coefficient.",
        ),
        readings,
        dynamic_suffices,
    ));
    all
}

/// A statement over the restitutions, for each way the wheels may stand; numbers at the quarters.
fn over_restitution(
    (place, statement): (&str, &str),
    readings: &[Reading],
    test: impl Fn(&Reading) -> (bool, String),
) -> Claim {
    let mut scans: Vec<(&str, Vec<(f64, bool)>)> = Vec::new();
    let mut found = Vec::new();
    for r in readings {
        let (holds, words) = test(r);
        if [0.25, 0.5, 0.75].contains(&r.restitution) {
            found.push(format!("{}: {words}", r.label()));
        }
        let slug = r.wheels.slug();
        match scans.iter_mut().find(|(name, _)| *name == slug) {
            Some((_, at)) => at.push((r.restitution, holds)),
            None => scans.push((slug, vec![(r.restitution, holds)])),
        }
    }
    let scans = scans.into_iter().map(|(name, at)| Scan::new(name, "e", "", at));
    Claim::new(place, statement, Evidence::Scans(scans.collect()), found.join("; "))
        .open("No restitution makes it so, with the wheels upright or flat. Contact lasts in our runs, where the source has a \
               succession of impacts.")
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

/// Impacts from a time on, and how many of them are of another wheel than the one before.
fn turns(d: &Descent, from: f64) -> (usize, usize) {
    let late: Vec<usize> = d.uses.iter().filter(|u| u.t >= from).map(|u| u.site).collect();
    (late.len(), late.windows(2).filter(|w| w[0] != w[1]).count())
}

fn chatters(d: &Descent) -> (bool, String) {
    let Some(from) = last_flight(&d.case) else {
        return (false, "still flies at 5 s".into());
    };
    let (impacts, turns) = turns(d, from);
    (
        impacts >= 10 && 2 * turns >= impacts,
        format!("{impacts} impacts after {from:.3} s, {turns} of them of the other wheel"),
    )
}

fn ends_in_chatter(d: &Descent) -> (bool, String) {
    let (impacts, _) = turns(d, d.case.rows.last().map_or(f64::INFINITY, |r| r.t - 1.0));
    (impacts >= 10, format!("{impacts} impacts in the last second"))
}

fn mostly_sticks(d: &Descent) -> (bool, String) {
    let (sticks, all) = (d.sticks(), d.seen().count());
    (2 * sticks > all, format!("{sticks} of {all} stick"))
}

fn mostly_slips(d: &Descent) -> (bool, String) {
    let (sticks, all) = (d.sticks(), d.seen().count());
    (2 * sticks < all, format!("{sticks} of {all} stick"))
}

/// Slope of a straight line through the kinetic energies before the impacts that can be seen, J/s.
fn trend(d: &Descent) -> Option<f64> {
    let most = d.case.impacts().map(|e| e.energy_before).fold(0.0, f64::max);
    let points: Vec<[f64; 2]> = d
        .case
        .impacts()
        .filter(|e| e.energy_before > 0.01 * most)
        .map(|e| [e.t, e.energy_before])
        .collect();
    let n = points.len() as f64;
    let mean = |k: usize| points.iter().map(|p| p[k]).sum::<f64>() / n;
    let (t, energy) = (mean(0), mean(1));
    let along: f64 = points.iter().map(|p| (p[0] - t).powi(2)).sum();
    let both: f64 = points.iter().map(|p| (p[0] - t) * (p[1] - energy)).sum();
    (points.len() > 2).then(|| both / along)
}

fn speeds_up(r: &Reading) -> (bool, String) {
    let all = [LEVEL, LOW, MIDDLE, STEEP].map(|k| trend(&r.descents[k]));
    let rises = matches!(all, [_, _, Some(b), Some(c)] if b > 0.0 && c > b);
    let words = all.map(|x| x.map_or("–".into(), |x| format!("{x:+.1}")));
    (rises, format!("{} J/s at 0, 15, 30, 45°", words.join(", ")))
}

/// Whether a smaller coefficient than μd was ever taken: stick needs less than μd, and the wheel slips all the same.
fn dynamic_suffices(r: &Reading) -> (bool, String) {
    let uses = || r.descents.iter().flat_map(|d| &d.uses).filter(|u| !u.sticks);
    let smaller = uses().filter(|u: &&Use| u.needed < FRICTION[1]).count();
    (smaller == 0, format!("{smaller} of {} slips", uses().count()))
}
