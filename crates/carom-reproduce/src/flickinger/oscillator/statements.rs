//! The statements of section A.4, tested.

use super::experiment::{Pair, STEP};
use super::forcing::{Forcing, System};
use super::measure::Motion;
use super::projection::project;
use crate::claim::{Claim, Evidence};
use crate::experiment::Context;
use crate::outcome::Outcome;
use crate::table::Table;

type Statement = (&'static str, &'static str, fn(&Pair) -> bool, fn(&Pair) -> String);

/// Statements of section A.4 that can be tested: place, statement, test, numbers.
const STATEMENTS: [Statement; 7] = [
    (
        "A.4, figure A.2",
        "Fixed steps and events give the same general behaviour, though not the same numbers (taken: the stretch differs \
         by less than a third of its largest value).",
        |p| difference(p) < p.events.largest_stretch() / 3.0,
        |p| format!("{:.2} of {:.2} mm", difference(p) * 1e3, p.events.largest_stretch() * 1e3),
    ),
    (
        "A.4, figure A.2",
        "The amplitude of the block's position Z is smaller with events than with fixed steps.",
        |p| position(p, &p.events) < position(p, &p.fixed),
        |p| {
            format!(
                "{:.3} against {:.3} mm",
                position(p, &p.events) * 1e3,
                position(p, &p.fixed) * 1e3
            )
        },
    ),
    (
        "A.4, figure A.2",
        "The largest stretch dZ is smaller with events.",
        |p| p.events.largest_stretch() < p.fixed.largest_stretch(),
        |p| {
            let [a, b] = [&p.events, &p.fixed].map(|m| m.largest_stretch() * 1e3);
            format!("{a:.3} against {b:.3} mm")
        },
    ),
    (
        "A.4, figure A.3",
        "The largest slip velocity is higher with events.",
        |p| p.events.largest_rate() > p.fixed.largest_rate(),
        |p| {
            let [a, b] = [&p.events, &p.fixed].map(|m| m.largest_rate() * 1e3);
            format!("{a:.2} against {b:.2} mm/s")
        },
    ),
    (
        "A.4, figure A.3",
        "With fixed steps the damper sticks more often.",
        |p| p.fixed.times_stuck() > p.events.times_stuck(),
        |p| format!("{} against {} times", p.fixed.times_stuck(), p.events.times_stuck()),
    ),
    (
        "A.4, figure A.3",
        "With fixed steps the damper sticks for a longer time.",
        |p| p.fixed.time_stuck() > p.events.time_stuck(),
        |p| format!("{:.4} against {:.4} s", p.fixed.time_stuck(), p.events.time_stuck()),
    ),
    (
        "A.4, figure A.3",
        "The projection captures the damper at more of its zero crossings than events do, which need not capture it.",
        |p| p.events.captures * p.fixed.crossings < p.fixed.captures * p.events.crossings,
        |p| {
            format!(
                "events {} of {}, fixed {} of {}",
                p.events.captures, p.events.crossings, p.fixed.captures, p.fixed.crossings
            )
        },
    ),
];

fn difference(p: &Pair) -> f64 {
    let at = |t: f64| {
        let i = p.fixed.t.partition_point(|s| *s < t - 1e-9);
        p.fixed.x.get(i).copied().unwrap_or(f64::NAN)
    };
    // Both have samples at multiples of the step; the events have others too, which are left out.
    let on_grid = |t: f64| ((t / STEP).round() * STEP - t).abs() < 1e-9;
    let samples = p.events.t.iter().zip(&p.events.x).filter(|(t, _)| on_grid(**t));
    samples.fold(0.0, |m, (t, x)| m.max((x - at(*t)).abs()))
}

fn position(p: &Pair, motion: &Motion) -> f64 {
    motion.largest_position(|t| p.system.support(t))
}

/// All statements as claims; and the forcings under which all of them hold.
pub(super) fn claims(context: &Context, pairs: &[Pair], outcome: &mut Outcome) -> Vec<Forcing> {
    let grid = grid(context.pick(1, 5));
    for (place, statement, test, numbers) in STATEMENTS {
        let readings = pairs.iter().map(|p| (p.label(), test(p))).collect();
        let found: Vec<_> =
            pairs.iter().map(|p| format!("{}: {}", p.label(), numbers(p))).collect();
        let often =
            format!("; on a grid it holds for {} of {} forcings", count(&grid, test), grid.len());
        let found = found.join("; ") + &often;
        outcome.claim(Claim::new(place, statement, Evidence::Readings(readings), found));
    }
    let missed: usize = pairs.iter().map(|p| missed(&p.system, p.exact.end)).sum();
    outcome.claim(Claim::test(
        "A.4, figure A.3",
        "The projection can miss a crossing if the velocity is too large.",
        missed > 0,
        format!("{missed} crossings went unseen with steps of 10, 20, 40 and 80 ms under the four forcings"),
    ));
    let all = |p: &&Pair| STATEMENTS.iter().all(|(_, _, test, _)| test(p));
    let together: Vec<Forcing> = grid.iter().filter(all).map(|p| p.system.forcing).collect();
    outcome.table(table(&grid, &together));
    together
}

fn count(grid: &[Pair], test: fn(&Pair) -> bool) -> usize {
    grid.iter().filter(|p| test(p)).count()
}

/// Crossings that the prediction did not see, for steps from that of table A.2 up to eight times it.
fn missed(system: &System, end: f64) -> usize {
    let motions = (0..4).map(|k| project(system, STEP * f64::from(1 << k), end));
    motions.map(|m| m.crossings - m.captures).sum()
}

/// A grid of forcings that make the damper slip, every `stride`-th of it, with the closed form as events.
fn grid(stride: usize) -> Vec<Pair> {
    let forcings =
        (2..=16).flat_map(|f| (1..=30).map(move |a| (0.5 * f64::from(f), 1e-3 * f64::from(a))));
    forcings
        .step_by(stride)
        .map(|(frequency, amplitude)| Pair::ideal(Forcing { amplitude, frequency }, 6.0))
        .filter(|p| p.events.crossings > 0)
        .collect()
}

/// How often each statement holds over the grid, and under which forcings all of them do.
fn table(pairs: &[Pair], together: &[Forcing]) -> Table {
    let mut table = Table::new(
        "Forcings of 1 to 8 Hz and 1 to 30 mm that make the damper slip",
        &["statement", "holds for", "of"],
    );
    for (_, statement, test, _) in STATEMENTS {
        let row = [statement.to_owned(), count(pairs, test).to_string()];
        table.row(row.into_iter().chain([pairs.len().to_string()]));
    }
    let names: Vec<String> = together.iter().map(Forcing::label).collect();
    let all = match names.is_empty() {
        true => "all of them".to_owned(),
        false => format!("all of them: {}", names.join(", ")),
    };
    table.row([all, together.len().to_string(), pairs.len().to_string()]);
    table
}
