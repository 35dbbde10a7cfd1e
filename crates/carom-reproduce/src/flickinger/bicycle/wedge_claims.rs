//! What the sources say of the three restitutions, and what ours do.

use super::contact::{contact_time, last_flight, slope_changes, travelled};
use super::setting::{Setting, Wheels};
use super::succession::{RESTS, Succession};
use super::wedge::SLOPE;
use crate::claim::{Claim, Evidence};
use crate::error::Trouble;
use crate::flickinger::case::Case;
use crate::flickinger::estimate::impact_force_estimate;
use crate::flickinger::readings::under_readings;
use crate::scan::Scan;
use crate::show::power;

/// One reading of the geometry: runs with e = 0.75, 0.5, 0.25.
pub struct Reading {
    /// The wheels.
    pub wheels: Wheels,
    /// Which one: wheels, and e* of the two lower restitutions.
    pub label: String,
    /// e* of the two lower restitutions.
    pub others: f64,
    /// What makes the runs differ.
    pub settings: [Setting; 3],
    /// The runs.
    pub cases: [Case; 3],
    /// Slope changes of the normal forces when sampled twice as often.
    pub fine: [usize; 3],
    /// Where each run ends if lasting contact is a succession of impacts so many seconds apart.
    pub successions: Vec<(f64, [Succession; 3])>,
}

/// Where a source speaks of each run.
pub struct Places {
    pub high: &'static str,
    pub moderate: &'static str,
    pub low: &'static str,
    pub figures: [&'static str; 3],
}

/// A claim tested under every reading.
fn under(
    readings: &[Reading],
    place: &str,
    statement: &str,
    test: impl Fn(&Reading) -> (bool, String),
) -> Claim {
    under_readings((place, statement), readings.iter().map(|r| (r.label.clone(), test(r))))
}

/// A claim tested under every reading with lasting contact, and with each succession of impacts.
fn with_successions(
    readings: &[Reading],
    place: &str,
    statement: &str,
    test: impl Fn(&Reading) -> (bool, String),
    succession: impl Fn(&[Succession; 3]) -> (bool, String),
) -> Claim {
    let lasting = readings.iter().map(|r| (format!("{}, contact lasts", r.label), test(r)));
    let hit = readings.iter().flat_map(|r| {
        let named = |(pause, ends): &(f64, [Succession; 3])| {
            let name = format!("{}, hit every {} ms", r.label, pause * 1e3);
            (name, succession(ends))
        };
        r.successions.iter().map(named).collect::<Vec<_>>()
    });
    let mut claim = under_readings((place, statement), lasting.chain(hit));
    // Numbers reading by reading: with lasting contact, then by the time between impacts.
    let words = readings.iter().map(|r| {
        let hit = r
            .successions
            .iter()
            .map(|(pause, ends)| format!("hit every {} ms {}", pause * 1e3, succession(ends).1));
        let all: Vec<String> = std::iter::once(test(r).1).chain(hit).collect();
        format!("{}: {}", r.label, all.join("; "))
    });
    claim.found = words.collect::<Vec<_>>().join(". ");
    claim.open("neither wheels, e* nor a succession of impacts makes it so")
}

/// Every statement but that on forces.
pub fn claims(readings: &[Reading], places: &Places) -> Vec<Claim> {
    let mut all = high(readings, places.high);
    all.extend(lower(readings, places));
    all
}

fn settling(case: &Case) -> String {
    last_flight(case).map_or("still flies at 5 s".into(), |t| format!("in contact from {t:.3} s"))
}

/// Kinetic energy after over before: least and largest over the impacts with energy to speak of.
fn ratios(case: &Case) -> [f64; 2] {
    let most = case.impacts().map(|e| e.energy_before).fold(0.0, f64::max);
    let worth = case.impacts().filter(|e| e.energy_before > 1e-3 * most);
    worth
        .map(|e| e.energy_after / e.energy_before)
        .fold([f64::INFINITY, 0.0], |[a, b], r| [a.min(r), b.max(r)])
}

fn high(readings: &[Reading], place: &str) -> Vec<Claim> {
    // The run with e = 0.75 alone does not depend on e* of the others.
    let stated = |r: &&Reading| r.others == readings[0].others;
    let alone = |statement: &str, test: &dyn Fn(&Reading) -> (bool, String)| {
        let results = readings.iter().filter(stated).map(|r| (r.wheels.short(), test(r)));
        under_readings((place, statement), results)
    };
    vec![
        with_successions(
            readings,
            place,
            "With e = 0.75 it goes much farther down the slope than with lower restitution (taken: by a half or more).",
            |r| {
                let [a, b, c] = [0, 1, 2].map(|k| travelled(&r.cases[k], SLOPE));
                (a > 1.5 * b && a > 1.5 * c, format!("{a:.2}, {b:.2}, {c:.2} m"))
            },
            |s| {
                let [a, b, c] = s.map(|s| s.travelled);
                (a > 1.5 * b && a > 1.5 * c, format!("{a:.2}, {b:.2}, {c:.2} m"))
            },
        ),
        alone(
            "About half of the kinetic energy is lost at each impact. e* = 0.5 sees to it that at least half is; tested: that \
             no impact loses much more by itself (taken: 0.4 of it is left).",
            &|r| {
                let [least, most] = ratios(&r.cases[0]);
                (least >= 0.4 && most <= 0.6, format!("{least:.3} to {most:.3} of it is left"))
            },
        ),
        alone(
            "After several bounces it rolls, from about 3.5 s on (taken: ± 0.25 s).",
            &|r| {
                let settled = last_flight(&r.cases[0]).is_some_and(|t| (t - 3.5).abs() < 0.25);
                (settled, settling(&r.cases[0]))
            },
        ),
        under(
            readings,
            place,
            "The forces chatter in rolling contact (taken: slope changes of the normal forces between events grow with the \
             sampling rate).",
            |r| {
                let coarse: usize = r.cases.iter().map(slope_changes).sum();
                let fine: usize = r.fine.iter().sum();
                let time: f64 =
                    r.cases.iter().flat_map(|c| [0, 1].map(|s| contact_time(c, s))).sum();
                (
                    fine as f64 > 1.5 * coarse as f64 && fine > 10,
                    format!(
                        "{coarse} changes in {time:.2} s of contact, {fine} with samples twice as dense"
                    ),
                )
            },
        )
        .source_errs(
            "The text itself says that the chatter is not of the mechanism but of its computation: a rough approximation of \
             the contact points and coarse tolerances. With the true contact points and their curvature the forces are \
             smooth: sampled twice as often, their slope changes its sign as often as before.",
            {
                let coarse: usize = readings.iter().flat_map(|r| &r.cases).map(slope_changes).sum();
                let fine: usize = readings.iter().flat_map(|r| r.fine).sum();
                10 * fine <= 11 * coarse
            },
        ),
    ]
}

fn lower(readings: &[Reading], places: &Places) -> Vec<Claim> {
    let bounces = |case: &Case| case.bounces();
    vec![
        under(
            readings,
            places.moderate,
            "With e = 0.5 it bounces fewer times than with 0.75.",
            |r| {
                let [a, b] = [0, 1].map(|k| bounces(&r.cases[k]));
                (b < a, format!("{b} against {a} rebounds"))
            },
        ),
        under(readings, places.moderate, "It rolls sooner than with 0.75.", |r| {
            let [a, b] = [0, 1].map(|k| last_flight(&r.cases[k]).unwrap_or(f64::INFINITY));
            (b < a, format!("{} against: {}", settling(&r.cases[1]), settling(&r.cases[0])))
        }),
        rest(readings, places.low),
    ]
}

/// Rest with e = 0.25: exact where contact lasts, by every bound on the energy where it is a succession of impacts.
fn rest(readings: &[Reading], place: &str) -> Claim {
    let scan = |name: String, holds: &dyn Fn(f64) -> bool| {
        let at = RESTS.map(|share| (share, holds(share)));
        Scan::new(name, "T/T_max that counts as rest", "", at)
    };
    let (mut scans, mut words) = (Vec::new(), Vec::new());
    for r in readings {
        let case = &r.cases[2];
        let still = case.rest();
        scans.push(scan(format!("{}, contact lasts", r.label), &|_| still.is_some()));
        let told =
            still.map_or("not at rest after 5 s".into(), |t| format!("at rest from {t:.3} s"));
        let mut all =
            vec![format!("{told}, {:.2} m down, {}", travelled(case, SLOPE), settling(case))];
        for (pause, [_, _, end]) in &r.successions {
            let hit = format!("hit every {} ms", pause * 1e3);
            scans.push(scan(format!("{}, {hit}", r.label), &|share| end.left <= share));
            all.push(format!(
                "{hit} {} of the energy left, {:.2} m down",
                power(end.left),
                end.travelled
            ));
        }
        words.push(format!("{}: {}", r.label, all.join("; ")));
    }
    let statement = "With e = 0.25 it slides and rolls after the first impact and comes to rest a short way down.";
    let lasting = readings.iter().any(|r| r.cases[2].rest().is_some());
    Claim::new(place, statement, Evidence::Scans(scans), words.join(". "))
        .some_values(
            "Where contact lasts, nothing brings it to rest on this slope. Only a succession of impacts takes its energy, so \
             much that it counts as rest depends on the time between them and on what one calls rest.",
            !lasting,
        )
        .open("neither wheels, e* nor a succession of impacts makes it so")
}

/// Largest estimated normal force of a run, N.
fn largest(case: &Case) -> Result<f64, Trouble> {
    let mut most = 0.0_f64;
    for event in case.impacts() {
        if let Some(force) = impact_force_estimate(&case.scene.model, event)? {
            most = (0..event.contacts.len()).fold(most, |m, k| m.max(force[2 * k + 1].abs()));
        }
    }
    Ok(most)
}

/// Each more than a hundredth above the one before.
fn rises([a, b, c]: [f64; 3]) -> bool {
    1.01 * a < b && 1.01 * b < c
}

/// The statement on forces, as estimated forces and as impulses.
pub fn forces(readings: &[Reading], place: &str) -> Result<Claim, Trouble> {
    let mut evidence = Vec::new();
    let mut words = Vec::new();
    for r in readings {
        let [a, b, c] = [largest(&r.cases[0])?, largest(&r.cases[1])?, largest(&r.cases[2])?];
        let push = |k: usize| {
            r.cases[k]
                .impacts()
                .flat_map(|e| &e.contacts)
                .fold(0.0, |m: f64, c| m.max(c.impulse[2]))
        };
        let [p, q, s] = [0, 1, 2].map(push);
        evidence.push((format!("{}, force by (18)", r.label), rises([a, b, c])));
        evidence.push((format!("{}, impulse", r.label), rises([p, q, s])));
        words.push(format!("{}: {a:.1}, {b:.1}, {c:.1} N; {p:.1}, {q:.1}, {s:.1} N s", r.label));
    }
    let statement =
        "The largest impact forces grow as restitution falls, from 0.75 over 0.5 to 0.25.";
    Ok(Claim::new(place, statement, Evidence::Readings(evidence), words.join("; ")))
}
