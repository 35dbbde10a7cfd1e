//! Round wheels with and without energy control: sections 3.4.2 and 5.3.

use super::contact::last_flight;
use super::figures;
use super::setting::{Setting, Wheels};
use crate::claim::{Claim, Evidence};
use crate::data::Data;
use crate::error::Trouble;
use crate::experiment::{Context, Experiment, Source};
use crate::flickinger::case::{Case, Row, repeated};
use crate::flickinger::control::Control;
use crate::flickinger::drawing::six;
use crate::flickinger::sheets::{gains_in_words, impacts, overview, samples};
use crate::outcome::Outcome;
use crate::scan::Scan;

/// The experiment.
pub const BICYCLE_ENERGY: Experiment = Experiment {
    name: "flickinger-bicycle-energy",
    title: "Bicycle with round wheels: with and without energy control",
    source: Source::Flickinger,
    covers: &[
        "table 2.4",
        "figure 3.5",
        "figure 3.6",
        "figure 3.7",
        "figure 5.8",
        "figure 5.9",
        "figure 5.10",
        "figure 5.11",
        "figure 5.12",
        "figure 5.13",
    ],
    run,
};

/// Slopes that are drawn, degrees: the text states none.
const SLOPES: [f64; 2] = [0.0, 20.0];
/// Ends that are tried, s: the text states none.
const ENDS: [f64; 3] = [5.0, 10.0, 20.0];

/// One run.
struct Run {
    name: &'static str,
    title: &'static str,
    /// Its published figures.
    figures_of: &'static str,
    restitution: f64,
    /// e*.
    limit: f64,
    /// Published CPU time, s.
    published: Option<f64>,
}

const fn run_of(
    name: &'static str,
    [title, figures_of]: [&'static str; 2],
    (restitution, limit): (f64, f64),
    published: Option<f64>,
) -> Run {
    Run { name, title, figures_of, restitution, limit, published }
}

const RUNS: [Run; 4] = [
    run_of(
        "no_control",
        ["no energy control, 3.4.2", "figures 3.5 to 3.7"],
        (1.0, 5.0),
        Some(416.70),
    ),
    run_of(
        "high",
        ["energy control, high restitution, 5.3.1", "figures 5.8, 5.9"],
        (1.0, 0.95),
        None,
    ),
    run_of(
        "moderate",
        ["energy control, moderate restitution, 5.3.2", "figures 5.10, 5.11"],
        (0.5, 1.0),
        None,
    ),
    run_of("low", ["low restitution, 5.3.3", "figures 5.12, 5.13"], (0.0, 1.0), None),
];

/// Places among them.
const NONE: usize = 0;
const HIGH: usize = 1;
const PLASTIC: usize = 3;

fn setting(k: usize, degrees: f64, until: f64) -> Setting {
    Setting {
        wheels: Wheels::Round,
        slope: degrees,
        restitution: RUNS[k].restitution,
        control: Control::Attenuation(RUNS[k].limit),
        speed: 2.0,
        until,
        interval: 0.01,
    }
}

/// All runs on one slope.
struct Slope {
    degrees: f64,
    cases: [Case; 4],
}

impl Slope {
    fn new(degrees: f64) -> Result<Self, Trouble> {
        let run = |k: usize| setting(k, degrees, ENDS[0]).run();
        Ok(Self { degrees, cases: [run(0)?, run(1)?, run(2)?, run(3)?] })
    }

    fn label(&self) -> String {
        format!("slope of {}°", self.degrees)
    }
}

/// The slopes that are tried, degrees.
fn tried(context: &Context) -> Vec<f64> {
    let step = context.pick(2.5, 10.0);
    (0..=(30.0 / step) as i32).map(|i| f64::from(i) * step).collect()
}

fn run(context: &Context) -> Result<Outcome, Trouble> {
    let slopes = [Slope::new(SLOPES[0])?, Slope::new(SLOPES[1])?];
    let mut outcome = Outcome::new(
        "The bicycle with round wheels moves off at 2 m/s and falls on the ground: elastic without and with energy \
         control, with e = 0.5, and plastic.",
    );
    outcome.reading(
        "Sections 3.4.2 and 5.3 state neither the slope nor the end. Slopes from 0 to 30° and ends of 5, 10 and 20 s are \
         tried, and each statement says for which it holds. Drawn: level ground and the 20° of section 3.7, for 5 s.",
    );
    outcome.reading(
        "Rolling at constant speed without tangential force, as section 5.3.3 has it, is possible on level ground only: \
         those two statements are tested there. But on level ground both wheels hit together, and the impulses that stop \
         the slip can only lose energy, while section 3.4.2, with the same table of initial conditions, reports gains.",
    );
    outcome.reading("Tables 3.2 and 5.2 give d1 = d2 = 0.5 m: round wheels of 1 m diameter, d1 and d2 being radii.");
    let gains = scanned(&tried(context), &mut outcome)?;
    outcome.data(gains);
    level(&slopes[0], &mut outcome);
    let all = slopes.iter().flat_map(|s| {
        let named = move |(r, case): (&Run, _)| {
            (format!("{}: e = {}, e* = {}, {}", r.title, r.restitution, r.limit, s.label()), case)
        };
        RUNS.iter().zip(&s.cases).map(named)
    });
    outcome.table(overview("What each run did", all));
    for slope in &slopes {
        for (k, (run, case)) in RUNS.iter().zip(&slope.cases).enumerate() {
            let Run { name, title, figures_of, restitution: e, limit, published } = run;
            let file = format!("{name}_{}deg", slope.degrees);
            outcome.data(samples(&file, case));
            outcome.data(impacts(&format!("{file}_impacts"), case)?);
            let what = format!("Bicycle, {title}, {}", slope.label());
            // One run was published; the other slope stands beside it without a time.
            match published.filter(|_| slope.degrees == SLOPES[0]) {
                Some(published) => {
                    let again = || setting(k, slope.degrees, ENDS[0]).run();
                    let times = repeated(case.seconds, again)?;
                    outcome.published_timing(what, "bicycle without control", published, times);
                }
                None => outcome.timing(what, case.seconds),
            }
            let path = figures::path(case, Wheels::Round, slope.degrees);
            let title = format!("Bicycle, {title}: e = {e}, e* = {limit}, {}", slope.label());
            outcome.figure(file, *figures_of, six(title, path, case)?);
        }
    }
    Ok(outcome)
}

/// The statements that depend on the slope, at every slope that is tried.
fn scanned(slopes: &[f64], outcome: &mut Outcome) -> Result<Data, Trouble> {
    let longest = ENDS[2];
    let at = |k: usize| -> Result<Vec<Case>, Trouble> {
        slopes.iter().map(|s| setting(k, *s, longest).run()).collect()
    };
    let (none, high, plastic) = (at(NONE)?, at(HIGH)?, at(PLASTIC)?);
    let scan = |reading: String, cases: &[Case], test: &dyn Fn(&Case) -> bool| {
        Scan::new(reading, "slope", "°", slopes.iter().zip(cases).map(|(s, c)| (*s, test(c))))
    };
    let by_end = |test: &dyn Fn(&Case, f64) -> bool| {
        let scans = ENDS.map(|end| scan(format!("within {end} s"), &none, &|c| test(c, end)));
        Evidence::Scans(scans.into())
    };
    let last = |c: &Case, end: f64| c.impacts().filter(|e| e.t <= end).last().map_or(0.0, |e| e.t);
    outcome.claim(Claim::new(
        "3.4.2, figure 3.5",
        "Without control it bounces and never comes to rest.",
        by_end(&|c, end| c.rest().is_none_or(|t| t > end) && last(c, end) > 0.5 * end),
        format!(
            "at {} s: {}",
            longest,
            each(slopes, &none, |c| format!("{} impacts", c.impacts().count()))
        ),
    ));
    let gains = |c: &Case| gains_in_words(c.gains().take(1));
    outcome.claim(Claim::new(
        "3.4.2, figure 3.7",
        "Some impacts gain energy.",
        by_end(&|c, end| c.gains().any(|e| e.t <= end)),
        format!("first gain at {}", each(slopes, &none, gains)),
    ));
    outcome.claim(Claim::new(
        "5.3.1, figure 5.8",
        "With e* = 0.95 no impact gains energy.",
        Evidence::Scans(vec![scan("".into(), &high, &|c| c.gains().count() == 0)]),
        "none in 20 s on any slope: so e* works, by construction",
    ));
    let rolls = |c: &Case| c.bounces() == 0 && last_flight(c).is_some();
    outcome.claim(Claim::new(
        "5.3.3, figure 5.12",
        "With e = 0 it hits without rebound and begins to roll.",
        Evidence::Scans(vec![scan("".into(), &plastic, &rolls)]),
        each(slopes, &plastic, |c| format!("{} rebounds", c.bounces())),
    ));
    let energy = |c: &Case| rolling(c, Case::total);
    outcome.claim(Claim::new(
        "5.3.3, figure 5.12",
        "The energy is constant once it rolls.",
        Evidence::Scans(vec![scan("".into(), &plastic, &|c| energy(c) < 1e-6)]),
        format!("it varies by, in J, {}", each(slopes, &plastic, |c| format!("{:.0e}", energy(c)))),
    ));
    let mut data = Data::new("slopes", &["slope.deg", "t.s", "gain.J"]);
    for (slope, case) in slopes.iter().zip(&none) {
        case.gains().for_each(|e| data.row(&[*slope, e.t, -e.energy_lost()]));
    }
    Ok(data)
}

/// Words for every slope: `0°: …, 2.5°: …`, or once if they are the same.
fn each(slopes: &[f64], cases: &[Case], words: impl Fn(&Case) -> String) -> String {
    let all: Vec<String> = cases.iter().map(words).collect();
    if all.windows(2).all(|w| w[0] == w[1]) {
        return format!("{} on every slope", all.first().map_or("", String::as_str));
    }
    let all = slopes.iter().zip(all).map(|(s, words)| format!("{s}°: {words}"));
    all.collect::<Vec<_>>().join(", ")
}

/// What the source says of rolling, on level ground, where alone it can be.
fn level(slope: &Slope, outcome: &mut Outcome) {
    let case = &slope.cases[PLASTIC];
    let change = rolling(case, |row| row.v[0]);
    outcome.claim(Claim::test(
        "5.3.3, figure 5.12",
        "The wheels roll at constant speed.",
        change < 1e-9,
        format!("on level ground the speed varies by {change:.2e} m/s"),
    ));
    let largest = |row: &Row| row.forces.iter().fold(0.0, |m: f64, f| m.max(f[0].abs()));
    let most = while_rolling(case).map(largest).fold(0.0, f64::max);
    outcome.claim(Claim::test(
        "5.3.3, figure 5.13",
        "The tangential forces are about zero.",
        most < 1e-6,
        format!("on level ground up to {most:.2e} N"),
    ));
}

/// Samples after the last event: from there on it rolls.
fn while_rolling(case: &Case) -> impl Iterator<Item = &Row> {
    let from = case.events.last().map_or(f64::INFINITY, |e| e.t);
    case.rows.iter().filter(move |r| r.t > from)
}

/// How much a quantity varies while it rolls.
fn rolling(case: &Case, quantity: impl Fn(&Row) -> f64) -> f64 {
    let [least, most] = while_rolling(case)
        .map(quantity)
        .fold([f64::INFINITY, f64::NEG_INFINITY], |[a, b], x| [a.min(x), b.max(x)]);
    most - least
}
