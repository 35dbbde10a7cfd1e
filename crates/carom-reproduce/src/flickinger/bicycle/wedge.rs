//! Three restitutions on a slope of 20°: section 3.7, and the 2009 paper.

use super::contact::{last_flight, slope_changes, travelled};
use super::figures;
use super::setting::{Setting, Wheels};
use super::succession::{PAUSES, Succession};
use super::wedge_claims::{Places, Reading, claims, forces};
use crate::claim::{Claim, Evidence};
use crate::error::Trouble;
use crate::experiment::{Context, Experiment, Source};
use crate::flickinger::case::repeated;
use crate::flickinger::control::Control;
use crate::flickinger::drawing::six;
use crate::flickinger::sheets::{impacts, overview, samples};
use crate::outcome::Outcome;
use crate::table::Table;

/// Section 3.7 of the dissertation.
pub const BICYCLE_WEDGE: Experiment = Experiment {
    name: "flickinger-bicycle-wedge",
    title: "Bicycle on a wedge of 20°: three restitutions",
    source: Source::Flickinger,
    covers: &[
        "table 2.4",
        "figure 3.10",
        "figure 3.11",
        "figure 3.12",
        "figure 3.13",
        "figure 3.14",
        "figure 3.15",
    ],
    run: section_3_7,
};

/// The 2009 paper.
pub const BICYCLE_2009: Experiment = Experiment {
    name: "flickinger-bowling-bicycle",
    title: "Bicycle with elliptical wheels on a wedge of 20°",
    source: Source::FlickingerBowling,
    covers: &["table I", "figure 2", "figure 3", "figure 4", "figure 5", "figure 6", "figure 7"],
    run: paper_2009,
};

/// The restitutions, highest first.
pub(super) const RESTITUTIONS: [f64; 3] = [0.75, 0.5, 0.25];
/// The slope, degrees.
pub(super) const SLOPE: f64 = 20.0;
/// Time between samples, s.
const INTERVAL: f64 = 0.01;

/// e* of the run with e = 0.75, which is stated.
const STATED: f64 = 0.5;
/// e* of the two others, which is not: the same, or none.
const OTHERS: [f64; 2] = [STATED, 1.0];

fn setting(wheels: Wheels, restitution: f64, limit: f64) -> Setting {
    Setting {
        wheels,
        slope: SLOPE,
        restitution,
        control: Control::Attenuation(limit),
        speed: 0.0,
        until: 5.0,
        interval: INTERVAL,
    }
}

fn reading(wheels: Wheels, others: f64) -> Result<Reading, Trouble> {
    let [a, b, c] = RESTITUTIONS;
    let settings =
        [setting(wheels, a, STATED), setting(wheels, b, others), setting(wheels, c, others)];
    let [a, b, c] = settings;
    let cases = [a.run()?, b.run()?, c.run()?];
    let fine = |s: Setting| -> Result<usize, Trouble> {
        Ok(slope_changes(&Setting { interval: 0.5 * INTERVAL, ..s }.run()?))
    };
    // Without a limit of the energy an impact without approach changes nothing.
    let mut successions = Vec::new();
    for pause in PAUSES.into_iter().filter(|_| others < 1.0) {
        let ends = |k: usize| Succession::after(&settings[k], &cases[k], pause);
        successions.push((pause, [ends(0)?, ends(1)?, ends(2)?]));
    }
    Ok(Reading {
        wheels,
        label: format!("{}, e* = {others}", wheels.short()),
        others,
        settings,
        cases,
        fine: [fine(a)?, fine(b)?, fine(c)?],
        successions,
    })
}

/// Every way to read the wheels and e* of the lower restitutions.
fn readings(wheels: [Wheels; 3]) -> Result<Vec<Reading>, Trouble> {
    let pairs = OTHERS.into_iter().flat_map(|limit| wheels.map(|w| (w, limit)));
    pairs.map(|(w, limit)| reading(w, limit)).collect()
}

fn section_3_7(_: &Context) -> Result<Outcome, Trouble> {
    let mut outcome = Outcome::new(
        "The bicycle falls from rest on a slope of 20° with e = 0.75, 0.5 and 0.25; at least half of the kinetic energy \
         is lost at each impact (e* = 0.5, by attenuation).",
    );
    outcome.reading(
        "Section 2.4 calls the wheels circular (d = 1 m), table 3.4 gives d1 = 0.5 and d2 = 0.25 m, and the text of \
         section 3.7.1 speaks of ellipses. d1 and d2 are taken as semi-axes, which alone fits the limit 1.5 stated for \
         figure 4.3, upright and flat. All three are run, and a statement is decided only if all give the same answer.",
    );
    outcome.reading(
        "Table 2.4 states 69.11 s of CPU time for e = 0.75, where the 2009 paper has 700.34 s for what seems the same run; \
         the times of the other two agree to 0.2 s.",
    );
    shared_readings(&mut outcome);
    let readings = readings([Wheels::Round, Wheels::UPRIGHT, Wheels::FLAT])?;
    let places = Places {
        high: "3.7.1, figures 3.10, 3.11",
        moderate: "3.7.2, figures 3.12, 3.13",
        low: "3.7.3, figures 3.14, 3.15",
        figures: ["figures 3.10, 3.11", "figures 3.12, 3.13", "figures 3.14, 3.15"],
    };
    present(&readings, &places, [69.11, 580.33, 1321.12], &mut outcome)?;
    for reading in readings.iter().take(2) {
        draw(reading, &places, &mut outcome)?;
    }
    Ok(outcome)
}

fn paper_2009(_: &Context) -> Result<Outcome, Trouble> {
    let mut outcome = Outcome::new(
        "The bicycle with elliptical wheels falls from rest on a slope of 20° with e = 0.75, 0.5 and 0.25 and e* = 0.5.",
    );
    outcome.reading(
        "Table I gives d1 = 0.5 m and d2 = 1 m without saying what they measure. As semi-axes they make wheels 2 m high on \
         a bar of 1 m, as diameters wheels 1 m high; the dissertation later gives 0.5 and 0.25. All are run, and a statement \
         is decided only if all give the same answer; the first is drawn.",
    );
    shared_readings(&mut outcome);
    let readings = readings([Wheels::Ellipse([0.5, 1.0]), Wheels::UPRIGHT, Wheels::FLAT])?;
    let places = Places {
        high: "VI.A, figures 2, 5",
        moderate: "VI.B, figures 3, 6",
        low: "VI.C, figures 4, 7",
        figures: ["figures 2, 5", "figures 3, 6", "figures 4, 7"],
    };
    present(&readings, &places, [700.34, 580.34, 1320.97], &mut outcome)?;
    draw(&readings[0], &places, &mut outcome)?;
    Ok(outcome)
}

fn shared_readings(outcome: &mut Outcome) {
    outcome.reading(
        "The position of the wedge is not stated, and h = 10 m does not say what it measures: a surface through the origin \
         that falls toward +x lies below the start at (5, 5) m. e* = 0.5 is stated for e = 0.75; for the others it is taken as \
         the same and as 1, and both are run.",
    );
    outcome.reading(
        "Both sources treat contact as a succession of impacts, without saying how they follow each other. Ours lasts. As a \
         further reading for where the bicycle ends, a wheel that stays on the ground is hit again every 2, 10 or 100 ms, and \
         e* = 0.5 limits the energy each time.",
    );
    outcome.reading(
        "The inertia of a wheel is that of an ellipsoid, m(a² + b²)/5, as the feasibility curves need; a disk has \
         m r²/2. Friction is μs = 0.5, μd = 0.25, stated in 2009 only.",
    );
}

fn present(
    readings: &[Reading],
    places: &Places,
    published: [f64; 3],
    outcome: &mut Outcome,
) -> Result<(), Trouble> {
    for claim in claims(readings, places) {
        outcome.claim(claim);
    }
    outcome.table(by_reading(readings, &outcome.claims));
    outcome.claim(forces(readings, places.low)?);
    let all = || {
        readings.iter().flat_map(|r| {
            let named = move |(e, case)| (format!("{}, e = {e}", r.label), case);
            RESTITUTIONS.into_iter().zip(&r.cases).map(named)
        })
    };
    outcome.table(overview("What each run did", all()));
    outcome.table(contact_table(readings));
    // The published times are those of one run each; further readings stand beside them without.
    for (k, r) in readings.iter().enumerate().filter(|(_, r)| r.others == STATED) {
        let all = r.settings.iter().zip(&r.cases).zip(published);
        for ((setting, case), published) in all {
            let e = setting.restitution;
            let what = format!("Bicycle, e = {e}, {}", r.wheels.label());
            match k {
                0 => {
                    let times = repeated(case.seconds, || setting.run())?;
                    outcome.published_timing(what, format!("wedge e = {e}"), published, times);
                }
                _ => outcome.timing(what, case.seconds),
            }
        }
    }
    Ok(())
}

/// How many statements hold under each reading with lasting contact. Statements on the run with e = 0.75 alone do not
/// depend on e* of the others.
fn by_reading(readings: &[Reading], claims: &[Claim]) -> Table {
    let mut table = Table::new(
        "Statements that hold, by reading of the wheels and of e*",
        &["reading", "hold", "of"],
    );
    for r in readings {
        let names = [r.label.clone(), format!("{}, contact lasts", r.label), r.wheels.short()];
        let holds = |c: &&Claim| match &c.evidence {
            Evidence::Readings(all) => all.iter().any(|(n, holds)| *holds && names.contains(n)),
            _ => false,
        };
        let count = claims.iter().filter(holds).count();
        table.row([r.label.clone(), count.to_string(), claims.len().to_string()]);
    }
    table
}

/// Data and figures of one reading.
fn draw(reading: &Reading, places: &Places, outcome: &mut Outcome) -> Result<(), Trouble> {
    for (k, (e, case)) in RESTITUTIONS.into_iter().zip(&reading.cases).enumerate() {
        let name = format!("{}_{e}", reading.wheels.slug());
        outcome.data(samples(&name, case));
        outcome.data(impacts(&format!("{name}_impacts"), case)?);
        let path = figures::path(case, reading.wheels, SLOPE);
        let title = format!("Bicycle on 20°, e = {e}, e* = 0.5, {}", reading.label);
        outcome.figure(name, places.figures[k], six(title, path, case)?);
    }
    Ok(())
}

fn contact_table(readings: &[Reading]) -> Table {
    let header = [
        "run",
        "last flight ends / s",
        "travelled / m",
        "slope changes of the normal forces",
        "with half the interval",
    ];
    let mut table = Table::new("Contact of the wheels", &header);
    for r in readings {
        for ((e, case), fine) in RESTITUTIONS.into_iter().zip(&r.cases).zip(r.fine) {
            table.row([
                format!("{}, e = {e}", r.label),
                last_flight(case).map_or("still flying".into(), |t| format!("{t:.3}")),
                format!("{:.3}", travelled(case, SLOPE)),
                slope_changes(case).to_string(),
                fine.to_string(),
            ]);
        }
    }
    table
}
