//! Round wheels with and without energy control: sections 3.4.2 and 5.3.

use super::contact::last_flight;
use super::figures;
use super::setting::{Setting, Wheels};
use crate::error::Trouble;
use crate::experiment::{Context, Experiment, Source};
use crate::flickinger::case::{Case, Row};
use crate::flickinger::control::Control;
use crate::flickinger::drawing::four;
use crate::flickinger::readings::under_readings;
use crate::flickinger::sheets::{gains_in_words, impacts, overview, samples};
use crate::outcome::Outcome;

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

/// Readings of the slope, degrees: the text does not state it.
const SLOPES: [f64; 2] = [0.0, 20.0];

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

/// All runs on one slope.
struct Slope {
    degrees: f64,
    cases: [Case; 4],
}

impl Slope {
    fn new(degrees: f64) -> Result<Self, Trouble> {
        let run = |k: usize| {
            let restitution = RUNS[k].restitution;
            let control = Control::Attenuation(RUNS[k].limit);
            let setting = Setting {
                wheels: Wheels::Round,
                slope: degrees,
                restitution,
                control,
                speed: 2.0,
                until: 5.0,
                interval: 0.01,
            };
            setting.run()
        };
        Ok(Self { degrees, cases: [run(0)?, run(1)?, run(2)?, run(3)?] })
    }

    fn label(&self) -> String {
        format!("slope of {}°", self.degrees)
    }
}

fn run(_: &Context) -> Result<Outcome, Trouble> {
    let slopes = [Slope::new(SLOPES[0])?, Slope::new(SLOPES[1])?];
    let mut outcome = Outcome::new(
        "The bicycle with round wheels moves off at 2 m/s and falls on the ground: elastic without and with energy \
         control, with e = 0.5, and plastic.",
    );
    outcome.reading(
        "Sections 3.4.2 and 5.3 do not state the slope. Rolling at constant speed without tangential force, as section \
         5.3.3 has it, needs level ground; but there both wheels hit together, and the impulses that stop the slip can \
         only lose energy, while section 3.4.2 reports gains. Each statement is tested on level ground and on the 20° of \
         section 3.7.",
    );
    outcome.reading("Tables 3.2 and 5.2 give d1 = d2 = 0.5 m: round wheels of 1 m diameter, d1 and d2 being radii. The end is taken as 5 s, as stated in section 3.7.");
    claims(&slopes, &mut outcome);
    let all = slopes.iter().flat_map(|s| {
        let named = move |(r, case): (&Run, _)| {
            (format!("{}: e = {}, e* = {}, {}", r.title, r.restitution, r.limit, s.label()), case)
        };
        RUNS.iter().zip(&s.cases).map(named)
    });
    outcome.table(overview("What each run did", all));
    for slope in &slopes {
        for (run, case) in RUNS.iter().zip(&slope.cases) {
            let Run { name, title, figures_of, restitution: e, limit, published } = run;
            let file = format!("{name}_{}deg", slope.degrees);
            outcome.data(samples(&file, case));
            outcome.data(impacts(&format!("{file}_impacts"), case)?);
            outcome.timing(
                format!("Bicycle, {title}, {}", slope.label()),
                // One run was published; the other slope stands beside it without a time.
                published.filter(|_| slope.degrees == SLOPES[0]),
                case.seconds,
            );
            let path = figures::path(case, Wheels::Round, slope.degrees);
            let title = format!("Bicycle, {title}: e = {e}, e* = {limit}, {}", slope.label());
            outcome.figure(file, *figures_of, four(title, path, case));
        }
    }
    Ok(outcome)
}

type Test = fn(&Slope) -> (bool, String);

/// Place, statement, test.
const STATEMENTS: [(&str, &str, Test); 7] = [
    ("3.4.2, figure 3.5", "Without control it bounces and never comes to rest.", never_rests),
    ("3.4.2, figure 3.7", "Some impacts gain energy.", |s| {
        (s.cases[NONE].gains().count() > 0, gains_in_words(s.cases[NONE].gains()))
    }),
    ("5.3.1, figure 5.8", "With e* = 0.95 no impact gains energy.", |s| {
        (s.cases[HIGH].gains().count() == 0, gains_in_words(s.cases[HIGH].gains()))
    }),
    ("5.3.3, figure 5.12", "With e = 0 it hits without rebound and begins to roll.", rolls_at_once),
    ("5.3.3, figure 5.12", "The energy is constant once it rolls.", |s| {
        let change = rolling(&s.cases[PLASTIC], Case::total);
        (change < 1e-6, format!("it varies by {change:.1e} J"))
    }),
    ("5.3.3, figure 5.12", "The wheels roll at constant speed.", |s| {
        let change = rolling(&s.cases[PLASTIC], |row| row.v[0]);
        (change < 1e-9, format!("the speed varies by {change:.2e} m/s"))
    }),
    ("5.3.3, figure 5.13", "The tangential forces are about zero.", |s| {
        let largest = |row: &Row| row.forces.iter().fold(0.0, |m: f64, f| m.max(f[0].abs()));
        let most = while_rolling(&s.cases[PLASTIC]).map(largest).fold(0.0, f64::max);
        (most < 1e-6, format!("up to {most:.2e} N"))
    }),
];

fn never_rests(s: &Slope) -> (bool, String) {
    let case = &s.cases[NONE];
    let flies = last_flight(case).is_none();
    let words = if flies { "still bouncing" } else { "no longer bouncing" };
    (case.rest().is_none() && flies, format!("{} impacts in 5 s, {words}", case.impacts().count()))
}

fn rolls_at_once(s: &Slope) -> (bool, String) {
    let case = &s.cases[PLASTIC];
    let (bounces, flight) = (case.bounces(), last_flight(case));
    let from = flight.unwrap_or(f64::NAN);
    (bounces == 0 && flight.is_some(), format!("{bounces} rebounds, in contact from {from:.4} s"))
}

fn claims(slopes: &[Slope], outcome: &mut Outcome) {
    for (place, statement, test) in STATEMENTS {
        let results = slopes.iter().map(|s| (s.label(), test(s)));
        outcome.claim(under_readings((place, statement), results));
    }
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
