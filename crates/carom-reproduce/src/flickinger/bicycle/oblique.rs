//! Four slopes, the friction coefficient over time: section 4.2.

use super::coefficient::{Use, coefficients};
use super::contact::last_flight;
use super::figures;
use super::setting::{Setting, Wheels};
use carom_report::figure::Figure;

use crate::claim::{Claim, Evidence};
use crate::data::Data;
use crate::error::Trouble;
use crate::experiment::{Context, Experiment, Source};
use crate::flickinger::case::Case;
use crate::flickinger::control::Control;
use crate::flickinger::sheets::{impacts, overview, samples};
use crate::outcome::Outcome;
use crate::table::Table;

/// The experiment.
pub const OBLIQUE: Experiment = Experiment {
    name: "flickinger-oblique",
    title: "Oblique impacts of the bicycle: friction coefficient over time",
    source: Source::Flickinger,
    covers: &[
        "table 2.4",
        "figure 4.6",
        "figure 4.7",
        "figure 4.8",
        "figure 4.9",
        "figure 4.10",
        "figure 4.11",
    ],
    run,
};

/// Slope in degrees, speed at the start in m/s, published CPU time in s.
pub(super) const SLOPES: [(f64, f64, f64); 4] =
    [(0.0, 2.0, 89.96), (15.0, 0.0, 30.71), (30.0, 0.0, 29.61), (45.0, 0.0, 406.05)];
/// Readings of the wheels and of the restitution, which the text does not state; the first is drawn.
const READINGS: [(Wheels, f64); 6] = [
    (Wheels::UPRIGHT, 0.75),
    (Wheels::UPRIGHT, 0.5),
    (Wheels::UPRIGHT, 0.25),
    (Wheels::FLAT, 0.5),
    (Wheels::FLAT, 0.25),
    (Wheels::FLAT, 0.75),
];
/// μs and μd.
const FRICTION: [f64; 2] = [0.5, 0.25];

/// One slope under one restitution.
pub(super) struct Descent {
    pub slope: f64,
    pub case: Case,
    pub uses: Vec<Use>,
}

impl Descent {
    fn new(slope: usize, (wheels, restitution): (Wheels, f64)) -> Result<Self, Trouble> {
        let (slope, speed, _) = SLOPES[slope];
        let setting = Setting {
            wheels,
            slope,
            restitution,
            control: Control::None,
            speed,
            until: 5.0,
            interval: 0.01,
        };
        let case = setting.run()?;
        let uses = coefficients(&case)?;
        Ok(Self { slope, case, uses })
    }

    /// Contacts of the first impact.
    fn first(&self) -> impl Iterator<Item = &Use> {
        let t = self.uses.first().map(|u| u.t);
        self.uses.iter().filter(move |u| Some(u.t) == t)
    }

    /// Wheel impacts that can be seen: faster than a hundredth of the fastest. Accumulating bounces would outnumber all
    /// others.
    fn seen(&self) -> impl Iterator<Item = &Use> {
        let fastest = self.uses.iter().fold(0.0, |m: f64, u| m.max(u.approach));
        self.uses.iter().filter(move |u| u.approach > 0.01 * fastest)
    }

    fn sticks(&self) -> usize {
        self.seen().filter(|u| u.sticks).count()
    }
}

/// All slopes under one reading.
pub(super) struct Reading {
    pub wheels: Wheels,
    pub restitution: f64,
    pub descents: [Descent; 4],
}

impl Reading {
    fn new((wheels, restitution): (Wheels, f64)) -> Result<Self, Trouble> {
        let run = |k: usize| Descent::new(k, (wheels, restitution));
        Ok(Self { wheels, restitution, descents: [run(0)?, run(1)?, run(2)?, run(3)?] })
    }

    fn label(&self) -> String {
        let posture = if self.wheels == Wheels::FLAT { "flat" } else { "upright" };
        format!("{posture}, e = {}", self.restitution)
    }
}

fn run(_: &Context) -> Result<Outcome, Trouble> {
    let readings: Vec<Reading> =
        READINGS.iter().map(|r| Reading::new(*r)).collect::<Result<_, _>>()?;
    let mut outcome = Outcome::new(
        "The bicycle with elliptical wheels falls on slopes of 0, 15, 30 and 45°; the dissipation principle finds the slip \
         after each impact and with it the coefficient of friction.",
    );
    outcome.reading(
        "Restitution and energetic coefficient are not stated, nor whether the ellipses stand or lie at the start. Run with \
         e = 0.5, 0.25 and 0.75, upright and flat, without energy control; a statement is decided only if all six give the \
         same answer. Drawn: upright, e = 0.75, under which most statements hold. Friction is μs = 0.5, μd = 0.25, from section 4.1.",
    );
    outcome.reading(
        "Table 4.1 has the bicycle start at rest, while a remark gives it 2 m/s for figure 4.6; without that speed nothing \
         could slip on level ground. Taken: 2 m/s on level ground, rest elsewhere.",
    );
    outcome.reading(
        "The coefficient shown is μs where a wheel sticks and (4.10) where it slips; the ratio of the impulses that was \
         used is in the data.",
    );
    claims(&readings, &mut outcome);
    outcome.table(agreement(&readings, &outcome.claims));
    present(&readings, &mut outcome)?;
    Ok(outcome)
}

fn under(
    readings: &[Reading],
    (place, statement): (&str, &str),
    slope: usize,
    test: impl Fn(&Descent) -> (bool, String),
) -> Claim {
    let results: Vec<_> = readings.iter().map(|r| (r.label(), test(&r.descents[slope]))).collect();
    let found: Vec<_> =
        results.iter().map(|(label, (_, words))| format!("{label}: {words}")).collect();
    let evidence = results.iter().map(|(label, (holds, _))| (label.clone(), *holds)).collect();
    Claim::new(place, statement, Evidence::Readings(evidence), found.join("; "))
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

fn claims(readings: &[Reading], outcome: &mut Outcome) {
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

/// How many statements hold under each reading.
fn agreement(readings: &[Reading], claims: &[Claim]) -> Table {
    let mut table = Table::new("Statements that hold, by reading", &["reading", "hold", "of"]);
    for (k, reading) in readings.iter().enumerate() {
        let holds = claims.iter().filter(|c| match &c.evidence {
            Evidence::Readings(all) => all.get(k).is_some_and(|(_, holds)| *holds),
            _ => false,
        });
        table.row([reading.label(), holds.count().to_string(), claims.len().to_string()]);
    }
    table
}

/// Whether only μs and μd appear.
fn values(readings: &[Reading]) -> Claim {
    let other = |r: &Reading| {
        let uses = r.descents.iter().flat_map(|d| &d.uses);
        uses.filter(|u| FRICTION.iter().all(|f| (u.coefficient - f).abs() > 1e-3)).count()
    };
    let evidence = readings.iter().map(|r| (r.label(), other(r) == 0)).collect();
    let found: Vec<_> = readings
        .iter()
        .map(|r| {
            let all: usize = r.descents.iter().map(|d| d.uses.len()).sum();
            format!("{}: {} of {all} have another value", r.label(), other(r))
        })
        .collect();
    Claim::new(
        "4.2, figures 4.8 to 4.11",
        "No values of the coefficient appear besides μs and μd.",
        Evidence::Readings(evidence),
        found.join("; "),
    )
}

fn present(readings: &[Reading], outcome: &mut Outcome) -> Result<(), Trouble> {
    let all = readings.iter().flat_map(|r| {
        r.descents.iter().map(move |d| (format!("{}°, {}", d.slope, r.label()), &d.case))
    });
    outcome.table(overview("What each run did", all));
    let mut table = Table::new(
        "Stick and slip at the impacts of wheels, those above a hundredth of the fastest approach",
        &["run", "stick", "slip", "first μ", "stick needs"],
    );
    for r in readings {
        for d in &r.descents {
            let first = d.uses.first();
            table.row([
                format!("{}°, {}", d.slope, r.label()),
                d.sticks().to_string(),
                (d.seen().count() - d.sticks()).to_string(),
                first.map_or("–".into(), |u| format!("{:.4}", u.coefficient)),
                first.map_or("–".into(), |u| format!("{:.4}", u.needed)),
            ]);
        }
    }
    outcome.table(table);
    let Some(main) = readings.first() else { return Ok(()) };
    draw(main, outcome);
    for (d, (_, _, published)) in main.descents.iter().zip(SLOPES) {
        let name = format!("slope_{}deg", d.slope);
        outcome.data(samples(&name, &d.case));
        outcome.data(impacts(&format!("{name}_impacts"), &d.case)?);
        outcome.data(friction_data(&format!("{name}_friction"), d));
        let what = format!("Bicycle oblique impacts, {}°, {}", d.slope, main.label());
        outcome.timing(what, Some(published), d.case.seconds);
    }
    Ok(())
}

/// Trajectories as in figures 4.6 and 4.7, coefficients as in figures 4.8 to 4.11.
fn draw(main: &Reading, outcome: &mut Outcome) {
    let title = format!("Trajectories on the four slopes, {}", main.label());
    let mut paths = Figure::new(title).columns(2).width(960.0);
    let title = format!("Friction coefficient at impacts, {}", main.label());
    let mut coefficients = Figure::new(title).columns(2).width(960.0).one_legend();
    for d in &main.descents {
        let path = figures::path(&d.case, main.wheels, d.slope).title(format!("{}°", d.slope));
        paths = paths.panel(path);
        let end = d.case.rows.last().map_or(1.0, |r| r.t);
        coefficients = coefficients.panel(figures::coefficient(&d.uses, end, d.slope));
    }
    outcome.figure("trajectories", "figures 4.6, 4.7", paths);
    outcome.figure("coefficients", "figures 4.8 to 4.11", coefficients);
}

fn friction_data(name: &str, d: &Descent) -> Data {
    let mut data = Data::new(name, &["wheel", "outcome", "t.s", "mu", "mu.for.stick", "p_t/p_n"]);
    let pairs = d.case.scene.model.pairs();
    for u in &d.uses {
        let word = if u.sticks { "stick" } else { "slip" };
        data.labelled(&[&pairs[u.site].name, word], &[u.t, u.coefficient, u.needed, u.ratio]);
    }
    data
}
