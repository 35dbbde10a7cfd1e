//! Four slopes, the friction coefficient over time: section 4.2.

use super::coefficient::{Use, coefficients};
use super::figures;
use super::oblique_claims::claims;
use super::setting::{Setting, Wheels};
use carom_figure::Figure;

use crate::claim::Evidence;
use crate::data::Data;
use crate::error::Trouble;
use crate::experiment::{Context, Experiment, Source};
use crate::flickinger::case::{Case, repeated};
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
/// The two ways in which the ellipses may stand at the start; the first is drawn.
const WHEELS: [Wheels; 2] = [Wheels::UPRIGHT, Wheels::FLAT];
/// The restitution that is drawn.
const DRAWN: f64 = 0.75;

/// Restitutions that are tried: the text states none.
fn tried(context: &Context) -> Vec<f64> {
    let count = context.pick(20, 4);
    (0..=count).map(|i| f64::from(i) / f64::from(count)).collect()
}

/// One slope under one restitution.
pub(super) struct Descent {
    pub slope: f64,
    pub case: Case,
    pub uses: Vec<Use>,
}

fn setting(slope: usize, wheels: Wheels, restitution: f64) -> Setting {
    let (slope, speed, _) = SLOPES[slope];
    let (control, until, interval) = (Control::None, 5.0, 0.01);
    Setting { wheels, slope, restitution, control, speed, until, interval }
}

impl Descent {
    fn new(slope: usize, wheels: Wheels, restitution: f64) -> Result<Self, Trouble> {
        let case = setting(slope, wheels, restitution).run()?;
        let uses = coefficients(&case)?;
        Ok(Self { slope: SLOPES[slope].0, case, uses })
    }

    /// Contacts of the first impact.
    pub fn first(&self) -> impl Iterator<Item = &Use> {
        let t = self.uses.first().map(|u| u.t);
        self.uses.iter().filter(move |u| Some(u.t) == t)
    }

    /// Wheel impacts that can be seen: faster than a hundredth of the fastest. Accumulating bounces would outnumber all
    /// others.
    pub fn seen(&self) -> impl Iterator<Item = &Use> {
        let fastest = self.uses.iter().fold(0.0, |m: f64, u| m.max(u.approach));
        self.uses.iter().filter(move |u| u.approach > 0.01 * fastest)
    }

    pub fn sticks(&self) -> usize {
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
    fn new(wheels: Wheels, restitution: f64) -> Result<Self, Trouble> {
        let run = |k: usize| Descent::new(k, wheels, restitution);
        Ok(Self { wheels, restitution, descents: [run(0)?, run(1)?, run(2)?, run(3)?] })
    }

    pub fn label(&self) -> String {
        format!("{}, e = {}", self.wheels.slug(), self.restitution)
    }
}

fn run(context: &Context) -> Result<Outcome, Trouble> {
    let all = tried(context);
    let pairs = WHEELS.into_iter().flat_map(|w| all.iter().map(move |e| (w, *e)));
    let readings: Vec<Reading> =
        pairs.map(|(w, e)| Reading::new(w, e)).collect::<Result<_, _>>()?;
    let mut outcome = Outcome::new(
        "The bicycle with elliptical wheels falls on slopes of 0, 15, 30 and 45°; the dissipation principle finds the slip \
         after each impact and with it the coefficient of friction.",
    );
    outcome.reading(
        "Restitution and energetic coefficient are not stated, nor whether the ellipses stand or lie at the start. Run with \
         e from 0 to 1, upright and flat, without energy control; a statement is decided only if all give the same answer, \
         and otherwise says for which e it holds. Drawn: upright, e = 0.75. Friction is μs = 0.5, μd = 0.25, from section 4.1.",
    );
    outcome.reading(
        "Table 4.1 has the bicycle start at rest, while a remark gives it 2 m/s for figure 4.6; without that speed nothing \
         could slip on level ground. Taken: 2 m/s on level ground, rest elsewhere.",
    );
    outcome.reading(
        "The coefficient shown is μs where a wheel sticks and (4.10) where it slips; the ratio of the impulses that was \
         used is in the data.",
    );
    for claim in claims(&readings) {
        outcome.claim(claim);
    }
    outcome.table(by_restitution(&outcome));
    present(&readings, &mut outcome)?;
    Ok(outcome)
}

/// How many statements hold at each restitution.
fn by_restitution(outcome: &Outcome) -> Table {
    let mut table =
        Table::new("Statements that hold, by restitution", &["e", "upright", "flat", "of"]);
    let scans = |k: usize| {
        outcome.claims.iter().filter_map(move |c| match &c.evidence {
            Evidence::Scans(scans) => scans.get(k),
            _ => None,
        })
    };
    let Some(first) = scans(0).next() else { return table };
    for (i, (e, _)) in first.at.iter().enumerate() {
        let hold = |k: usize| scans(k).filter(|s| s.at.get(i).is_some_and(|a| a.1)).count();
        let row = [e.to_string(), hold(0).to_string(), hold(1).to_string()];
        table.row(row.into_iter().chain([scans(0).count().to_string()]));
    }
    table
}

fn present(all: &[Reading], outcome: &mut Outcome) -> Result<(), Trouble> {
    let quarter = |r: &&Reading| (4.0 * r.restitution).fract() == 0.0;
    let readings: Vec<&Reading> = all.iter().filter(quarter).collect();
    let all = readings.iter().flat_map(|r| {
        r.descents.iter().map(move |d| (format!("{}°, {}", d.slope, r.label()), &d.case))
    });
    outcome.table(overview("What each run did", all));
    let mut table = Table::new(
        "Stick and slip at the impacts of wheels, those above a hundredth of the fastest approach",
        &["run", "stick", "slip", "first μ", "stick needs"],
    );
    for r in &readings {
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
    let Some(main) = readings.iter().find(|r| r.restitution == DRAWN) else { return Ok(()) };
    draw(main, outcome);
    for (k, (d, (_, _, published))) in main.descents.iter().zip(SLOPES).enumerate() {
        let name = format!("slope_{}deg", d.slope);
        outcome.data(samples(&name, &d.case));
        outcome.data(impacts(&format!("{name}_impacts"), &d.case)?);
        outcome.data(friction_data(&format!("{name}_friction"), d));
        let what = format!("Bicycle oblique impacts, {}°, {}", d.slope, main.label());
        let again = || setting(k, main.wheels, main.restitution).run();
        let times = repeated(d.case.seconds, again)?;
        outcome.published_timing(what, format!("oblique {}°", d.slope), published, times);
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
