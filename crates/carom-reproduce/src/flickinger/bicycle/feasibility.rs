//! The friction coefficient that each slip after the first impact needs: figures 4.1 to 4.5.

use carom::impact::dissipation::{FeasibilityCurve, ObliqueBicycle};
use carom::impact::{ImpactError, ImpactProblem, Reduction};

use super::figures;
use crate::claim::{Claim, Evidence};
use crate::data::Data;
use crate::error::Trouble;
use crate::experiment::{Context, Experiment, Source};
use crate::flickinger::readings::{agreement, under_readings};
use crate::outcome::Outcome;
use crate::scan::Scan;
use crate::table::Table;

/// The experiment.
pub const FEASIBILITY: Experiment = Experiment {
    name: "flickinger-feasibility",
    title: "Feasible friction coefficients of oblique impacts",
    source: Source::Flickinger,
    covers: &["figure 4.1", "figure 4.2", "figure 4.3", "figure 4.4", "figure 4.5"],
    run,
};

/// Slopes of figures 4.2 to 4.5, degrees, and the speed along +x, m/s.
pub(super) const SLOPES: [(f64, f64); 4] = [(0.0, 2.0), (15.0, 0.0), (30.0, 0.0), (45.0, 0.0)];
/// Restitutions of the curves.
pub(super) const RESTITUTIONS: [f64; 5] = [0.0, 0.25, 0.5, 0.75, 1.0];
/// μs and μd.
const FRICTION: [f64; 2] = [0.5, 0.25];

/// A reading of the wheels.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Wheels {
    pub name: &'static str,
    semi_axes: [f64; 2],
    /// Inertia over m(a² + b²).
    inertia: f64,
}

/// Readings of the wheels; the first is drawn.
pub(super) const WHEELS: [Wheels; 5] = [
    Wheels { name: "upright ellipsoids", semi_axes: [0.25, 0.5], inertia: 0.2 },
    Wheels { name: "flat ellipsoids", semi_axes: [0.5, 0.25], inertia: 0.2 },
    Wheels { name: "flat elliptical disks", semi_axes: [0.5, 0.25], inertia: 0.25 },
    Wheels { name: "upright elliptical disks", semi_axes: [0.25, 0.5], inertia: 0.25 },
    Wheels { name: "round disks", semi_axes: [0.5, 0.5], inertia: 0.25 },
];

/// The impact of the wheel that hits first.
fn problem(
    wheels: &Wheels,
    (slope, speed): (f64, f64),
    restitution: f64,
) -> Result<ImpactProblem, ImpactError> {
    let bicycle = ObliqueBicycle {
        semi_axes: wheels.semi_axes,
        ..ObliqueBicycle::new(slope.to_radians(), restitution)
    };
    let mut problem = bicycle.problem()?;
    problem.velocity[0] = speed;
    let [a, b] = wheels.semi_axes;
    let spin = bicycle.masses[1] * (a * a + b * b) * wheels.inertia;
    for wheel in [3, 4] {
        problem.mass_matrix[(wheel, wheel)] = spin;
    }
    Ok(problem)
}

/// The curve of the wheel that hits first.
pub(super) fn curve(
    wheels: &Wheels,
    fall: (f64, f64),
    restitution: f64,
) -> Result<FeasibilityCurve, ImpactError> {
    let problem = problem(wheels, fall, restitution)?;
    let mut reduction = Reduction::default();
    reduction.reduce(&problem)?;
    FeasibilityCurve::new(&reduction.space, 0)
}

/// The curves of one slope, restitution by restitution.
fn curves(wheels: &Wheels, slope: usize) -> Result<Vec<FeasibilityCurve>, ImpactError> {
    RESTITUTIONS.iter().map(|e| curve(wheels, SLOPES[slope], *e)).collect()
}

fn run(context: &Context) -> Result<Outcome, Trouble> {
    let mut outcome = Outcome::new(
        "For the first impact of the bicycle, the normal velocity after it being given, each slip needs a ratio of \
         tangential to normal impulse. The curves show this ratio over the slip; where the normal impulse would have to \
         pull, the slip is out of reach.",
    );
    outcome.reading(
        "The figures are not in the text. Taken: the wheel that hits first, alone, at the posture of the fall; speed 2 m/s \
         on level ground, where a start at rest would need no friction at all, and rest elsewhere; slip positive down the \
         slope. Statements that depend on the wheels are tested for five readings of them.",
    );
    for (place, statement, slope, test) in STATEMENTS {
        outcome.claim(under((place, statement), slope, test)?);
    }
    let shown = pulling_region()?;
    let names = WHEELS.iter().map(|w| w.name.to_owned());
    outcome.table(agreement(
        "Statements that hold, by reading of the wheels",
        names,
        &outcome.claims,
    ));
    outcome.claim(shown);
    outcome.table(numbers()?);
    for (k, (slope, _)) in SLOPES.iter().enumerate() {
        let mut data = Data::new(
            format!("curves_{slope}deg"),
            &["restitution", "slip.m/s", "mu", "p_t.N s", "p_n.N s"],
        );
        for (e, curve) in RESTITUTIONS.iter().zip(curves(&WHEELS[0], k)?) {
            for point in curve.branches(-10.0, 10.0, context.pick(401, 41)).into_iter().flatten() {
                let p = [point.slip, point.friction, point.tangent_impulse, point.normal_impulse];
                data.row(&[*e, p[0], p[1], p[2], p[3]]);
            }
        }
        outcome.data(data);
    }
    outcome.figure("figure_4_1", "figure 4.1", figures::principle()?);
    outcome.figure("figures_4_2_to_4_5", "figures 4.2 to 4.5", figures::near_curves()?);
    outcome.figure("wide_range", "figures 4.2 to 4.5", figures::curves()?);
    Ok(outcome)
}

/// A statement tested on the curves of every restitution, for each reading of the wheels.
fn under(text: (&str, &str), slope: usize, test: Test) -> Result<Claim, Trouble> {
    let mut all = Vec::new();
    for wheels in &WHEELS {
        let results: Vec<_> = curves(wheels, slope)?.iter().map(test).collect();
        let numbers: Vec<_> = results.iter().map(|(_, x)| format!("{x:.3}")).collect();
        let holds = results.iter().all(|(holds, _)| *holds);
        all.push((wheels.name.to_owned(), (holds, numbers.join(", "))));
    }
    let mut claim = under_readings(text, all.into_iter());
    claim.found = format!("for e = 0, 0.25, 0.5, 0.75, 1: {}", claim.found);
    Ok(claim
        .source_errs(
            "For positive definite G the pole is at least (1 + e)|uₙ|/μ∞ away from the slip before, μ∞ being the limit of \
             the curve: with the printed limit 1.5 and the fall of this bicycle that is beyond 1 m/s on either side, for \
             every reading and every e.",
            text.1.contains("without bound") && pole_is_far(slope)?,
        )
        .open("five readings of the wheels and five restitutions were tried"))
}

/// Whether the bound on the pole excludes 0 to 1 m/s with the printed limit, and holds for the poles that were found.
fn pole_is_far(slope: usize) -> Result<bool, Trouble> {
    for wheels in &WHEELS {
        for e in RESTITUTIONS {
            let problem = problem(wheels, SLOPES[slope], e)?;
            let mut reduction = Reduction::default();
            reduction.reduce(&problem)?;
            let curve = FeasibilityCurve::new(&reduction.space, 0)?;
            let [slip, approach] = [reduction.space.u_pre[0], reduction.space.u_pre[1].abs()];
            let bound = |limit: f64| (1.0 + e) * approach / limit;
            let reached = |v: f64| (v - slip).abs() >= bound(1.5);
            let own = curve
                .pole()
                .is_none_or(|p| (p - slip).abs() >= bound(curve.limit()) * (1.0 - 1e-9));
            // Between 0 and 1 m/s: both ends are nearer to the slip than any pole can be.
            if !own || reached(0.0) || reached(1.0) {
                return Ok(false);
            }
        }
    }
    Ok(true)
}

/// Half widths of the axis that are tried, m/s.
const AXES: [f64; 7] = [2.0, 5.0, 10.0, 20.0, 50.0, 100.0, 200.0];

/// Whether the region that would need a pull is within the figures, whose axes the text does not state.
fn pulling_region() -> Result<Claim, Trouble> {
    let (mut scans, mut found) = (Vec::new(), Vec::new());
    for wheels in &WHEELS {
        let mut nearest = [0.0; 3];
        for (k, slope) in [1, 2, 3].into_iter().enumerate() {
            let poles = curves(wheels, slope)?;
            nearest[k] = poles.iter().map(|c| pole(c).abs()).fold(f64::INFINITY, f64::min);
        }
        let farthest = nearest.iter().copied().fold(0.0, f64::max);
        let at = AXES.map(|axis| (axis, farthest < axis));
        scans.push(Scan::new(wheels.name, "half width of the axis", "m/s", at));
        let [a, b, c] = nearest;
        found.push(format!("{}: from {a:.1}, {b:.1}, {c:.1} m/s on", wheels.name));
    }
    Ok(Claim::new(
        "4.1, figures 4.3 to 4.5",
        "On slopes a region of the slips that are shown needs a pulling normal impulse.",
        Evidence::Scans(scans),
        format!("the region begins, at 15, 30, 45°: {}", found.join("; ")),
    ))
}

fn stick(curve: &FeasibilityCurve) -> f64 {
    curve.needed_for_stick().unwrap_or(f64::INFINITY)
}

type Test = fn(&FeasibilityCurve) -> (bool, f64);

/// Place, statement, slope, test with its number.
const STATEMENTS: [(&str, &str, usize, Test); 9] = [
    (
        "4.1, figure 4.2",
        "On level ground every slip shown has a pushing normal impulse (number: pole of the curve, infinite if none).",
        0,
        |c| (c.pole().is_none(), pole(c)),
    ),
    (
        "4.1, figure 4.2",
        "On level ground μs = 0.5 is feasible for stick at every restitution (number: μ that stick needs).",
        0,
        static_suffices,
    ),
    (
        "4.1, figure 4.2",
        "On level ground μd = 0.25 is infeasible for slip at every restitution: stick needs less.",
        0,
        |c| (stick(c) < FRICTION[1], stick(c)),
    ),
    (
        "4.1, figure 4.3",
        "At 15° the curves approach μ = 1.5 up the slope, and the same down the slope (number: limit; taken ± 0.05).",
        1,
        |c| ((c.limit() - 1.5).abs() <= 0.05, c.limit()),
    ),
    (
        "4.1, figure 4.3",
        "At 15° μ grows without bound at a slip between 0 and 1 m/s (number: pole).",
        1,
        |c| (pole(c) > 0.0 && pole(c) < 1.0, pole(c)),
    ),
    (
        "4.2, figures 4.3, 4.9",
        "At 15° μs is feasible for stick (number: μ that stick needs).",
        1,
        static_suffices,
    ),
    (
        "4.2, figures 4.4, 4.10",
        "At 30° μs is feasible for stick (number: μ that stick needs).",
        2,
        static_suffices,
    ),
    (
        "4.1, figure 4.5",
        "At 45° zero slip is infeasible: stick would have to pull (number: μ that stick needs).",
        3,
        |c| (c.needed_for_stick().is_none(), stick(c)),
    ),
    (
        "4.2, figures 4.5, 4.11",
        "At 45° μs does not suffice for stick (number: μ that stick needs).",
        3,
        |c| (stick(c) > FRICTION[0], stick(c)),
    ),
];

fn pole(curve: &FeasibilityCurve) -> f64 {
    curve.pole().unwrap_or(f64::INFINITY)
}

fn static_suffices(curve: &FeasibilityCurve) -> (bool, f64) {
    (stick(curve) <= FRICTION[0], stick(curve))
}

fn numbers() -> Result<Table, Trouble> {
    let mut table = Table::new(
        format!("Curves of the first impact, {}", WHEELS[0].name),
        &["slope", "e", "μ for stick", "slip without friction / m/s", "pole / m/s", "limit"],
    );
    for (k, (slope, _)) in SLOPES.iter().enumerate() {
        for (e, c) in RESTITUTIONS.iter().zip(curves(&WHEELS[0], k)?) {
            table.row([
                format!("{slope}°"),
                e.to_string(),
                format!("{:.4}", stick(&c)),
                format!("{:.3}", c.frictionless_slip()),
                c.pole().map_or("–".into(), |p| format!("{p:.3}")),
                if c.limit() < 1e6 { format!("{:.4}", c.limit()) } else { "–".into() },
            ]);
        }
    }
    Ok(table)
}
