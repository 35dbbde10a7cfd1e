//! Figures 2.2 to 2.9: the paths of single collisions in velocity space, and their energies.
//!
//! Tests: `tests/morgan.rs`: `paths`.

use carom::impact::{ImpactAnswer, Planar, Restitution, StageEvent};
use carom_figure::Figure;
use nalgebra::Vector2;

use super::algebra::{Corner, Geometry, Pause, algebra, first_tangential_pause};
use super::campaign::campaign;
use super::cases::{Case, cases};
use super::drawing::{Drawing, energies as energy_figure, overview};
use crate::claim::Claim;
use crate::collision::resolve;
use crate::data::Data;
use crate::error::Trouble;
use crate::experiment::{Context, Experiment, Source};
use crate::outcome::Outcome;
use crate::show::{fixed, power};
use crate::table::Table;

/// The experiment.
pub const PATHS: Experiment = Experiment {
    name: "morgan-paths",
    title: "Collisions of the double pendulum along every path",
    source: Source::Morgan,
    covers: &[
        "figure 2.2",
        "figure 2.3",
        "figure 2.4",
        "figure 2.5",
        "figure 2.6",
        "figure 2.7",
        "figure 2.8",
        "figure 2.9",
    ],
    run,
};

/// The law of the thesis.
pub const LAW: Planar = Planar { restitution: Restitution::Energetic };

/// A case that was computed twice.
struct Computed {
    case: Case,
    answer: ImpactAnswer,
    corners: Vec<Corner>,
}

fn run(context: &Context) -> Result<Outcome, Trouble> {
    let mut outcome = Outcome::new(
        "The tip of a double pendulum hits the floor. Six collisions follow the paths of figure 2.8: slip reverses or \
         stops during compression, during restitution, or not at all. Each is computed by carom's planar law and again by \
         the thesis's algorithm, written from its equations. General statements are tried on many random collisions.",
    );
    outcome.reading(
        "The thesis draws its collisions without numbers. Bars of 1 m and 1 kg, the floor 1 m below the pivot and e* = 0.7 \
         are used; postures and velocities are chosen so that each path occurs.",
    );
    outcome.reading(
        "m of (3.1) has a sign, so that sticking needs |m| ≤ μ; the energetic coefficient is taken with Stronge's square, \
         e*² = −W_restitution/W_compression.",
    );
    let mut all = Vec::new();
    for case in cases() {
        all.push(compute(case)?);
    }
    per_case(&mut outcome, &all);
    energies(&mut outcome, &all);
    figure_2_9(&mut outcome, &all);
    campaign(context, &mut outcome)?;
    draw(&mut outcome, &all);
    outcome.table(table(&all));
    outcome.data(corners(&all));
    outcome.data(lines(&all));
    Ok(outcome)
}

fn compute(case: Case) -> Result<Computed, Trouble> {
    let answer = resolve(&LAW, &case.collision.problem()?)?;
    let corners = algebra(&case.collision).ok_or_else(|| Trouble::Absent {
        experiment: PATHS.name,
        what: format!("the end of the collision `{}`", case.name),
    })?;
    Ok(Computed { case, answer, corners })
}

/// The corners of carom's path as the thesis names them.
fn stages(answer: &ImpactAnswer) -> Vec<Pause> {
    let name = |event: StageEvent| match event {
        StageEvent::Start => Some(Pause::Start),
        StageEvent::Reversal => Some(Pause::Reversal),
        StageEvent::SlipStop => Some(Pause::Stick),
        StageEvent::EndOfCompression => Some(Pause::Normal),
        StageEvent::End => Some(Pause::End),
        _ => None,
    };
    answer.solution.trace.stages.iter().filter_map(|s| name(s.event)).collect()
}

fn per_case(outcome: &mut Outcome, all: &[Computed]) {
    for Computed { case, answer, corners } in all {
        let expected: Vec<Pause> = std::iter::once(Pause::Start)
            .chain(case.corners.iter().copied())
            .chain(std::iter::once(Pause::End))
            .collect();
        let names: Vec<Pause> = corners.iter().map(|c| c.pause).collect();
        let stages = stages(answer);
        let mut miss = f64::INFINITY;
        if stages == names {
            let pairs = corners.iter().zip(&answer.solution.trace.stages);
            let off = |(c, s): (&Corner, &carom::impact::Stage)| {
                (c.v[0] - s.velocity[0])
                    .abs()
                    .max((c.v[1] - s.velocity[1]).abs())
                    .max((c.p - s.normal_impulse).abs())
                    .max((c.E_n - s.normal_work).abs())
            };
            miss = pairs.map(off).fold(0.0, f64::max);
        }
        let last = &corners[corners.len() - 1];
        outcome.claim(Claim::test(
            format!("section 2.3, {}", case.place),
            format!("{}: the algorithm finds the pauses in order and the final velocity without iteration.", capital(case.title)),
            stages == expected && names == expected && miss < 1e-12,
            format!(
                "(v_t, v_n) from ({}, {}) to ({}, {}) m/s with p_n = {} N·s; law and algorithm differ by {}",
                fixed(corners[0].v[0], 4),
                fixed(corners[0].v[1], 4),
                fixed(last.v[0], 4),
                fixed(last.v[1], 4),
                fixed(last.p, 4),
                power(miss)
            ),
        ));
    }
}

fn capital(text: &str) -> String {
    let mut chars = text.chars();
    chars.next().map_or_else(String::new, |c| c.to_uppercase().chain(chars).collect())
}

/// Samples of a path: p_n, v_t, v_n, E_n, E_f; velocities are linear, works quadratic between corners.
fn samples(corners: &[Corner], per_piece: usize) -> Vec<[f64; 5]> {
    let mut all = Vec::new();
    for pair in corners.windows(2) {
        let (a, b) = (&pair[0], &pair[1]);
        for i in 0..=per_piece {
            let s = i as f64 / per_piece as f64;
            let v = a.v + (b.v - a.v) * s;
            let p = (b.p - a.p) * s;
            // Work is impulse times the mean velocity; the friction ratio of the piece follows from its work.
            let mean_t = (a.v[0] + b.v[0]) / 2.0;
            let k = if mean_t == 0.0 { 0.0 } else { (b.E_f - a.E_f) / ((b.p - a.p) * mean_t) };
            let E_n = a.E_n + p * (a.v[1] + v[1]) / 2.0;
            let E_f = a.E_f + k * p * (a.v[0] + v[0]) / 2.0;
            all.push([a.p + p, v[0], v[1], E_n, E_f]);
        }
    }
    all
}

fn energies(outcome: &mut Outcome, all: &[Computed]) {
    let (mut rises, mut sum, mut extreme, mut ratio) = (0.0_f64, 0.0_f64, 0.0_f64, 0.0_f64);
    let mut literal = f64::INFINITY;
    for Computed { case, answer, corners } in all {
        let path = samples(corners, 50);
        for w in path.windows(2) {
            rises = rises.max(w[1][4] - w[0][4]);
        }
        let last = &corners[corners.len() - 1];
        let change = answer.energy_after - answer.energy_before;
        sum = sum.max((last.E_n + last.E_f - change).abs());
        let least = path.iter().map(|s| s[3]).fold(f64::INFINITY, f64::min);
        let turn = corners.iter().find(|c| c.pause == Pause::Normal);
        if let Some(turn) = turn {
            extreme = extreme.max((turn.E_n - least).abs());
            let returned = -(last.E_n - turn.E_n) / turn.E_n;
            ratio = ratio.max((returned - case.collision.e.powi(2)).abs());
            literal = literal.min((returned - case.collision.e).abs());
        }
    }
    outcome.claim(Claim::test(
        "section 2.2.3, figure 2.6",
        "The friction part of the energy exchange only grows in magnitude.",
        rises < 1e-15,
        format!("largest rise of E_f along the six paths: {} J", power(rises.max(0.0))),
    ));
    outcome.claim(Claim::test(
        "section 2.2.3, figure 2.6",
        "E_n and E_f add up to the change of the kinetic energy.",
        sum < 1e-13,
        format!("largest difference: {} J", power(sum)),
    ));
    outcome.claim(Claim::test(
        "section 2.2.3, figures 2.6, 2.7",
        "E_n is extreme where compression ends, at v_n = 0.",
        extreme < 1e-13,
        format!("largest difference between E_n there and its least value: {} J", power(extreme)),
    ));
    outcome.claim(Claim::test(
        "section 2.2.3",
        "The energetic coefficient is the ratio of the works of expansion and compression.",
        literal < 1e-9,
        format!(
            "for e* = 0.7 expansion returns 0.49 of the compression work in every case, within {}: the square of the \
             coefficient, as in Stronge's definition, which the thesis cites",
            power(ratio)
        ),
    )
    .source_errs(
        "Stronge, whom the thesis cites for it, has e*² for the ratio of the works, expansion over compression; the \
         sentence lacks the square and has the ratio upside down. Its own stopping rule returns e*² of the work.",
        ratio < 1e-9,
    ));
}

fn figure_2_9(outcome: &mut Outcome, all: &[Computed]) {
    let of = |name: &str| all.iter().find(|c| c.case.name == name);
    if let Some(c) = of("away-from-stick") {
        let p = first_tangential_pause(&c.case.collision).unwrap_or(f64::NAN);
        let last = &c.corners[c.corners.len() - 1];
        outcome.claim(Claim::test(
            "section 2.3, figure 2.9(b)",
            "Where the collision leads away from v_t = 0, the impulse of the tangential pause comes out negative.",
            p < 0.0 && last.v[0].abs() > c.corners[0].v[0].abs(),
            format!(
                "p_n = {} N·s; |v_t| grows from {} to {} m/s",
                fixed(p, 4),
                fixed(c.corners[0].v[0].abs(), 4),
                fixed(last.v[0].abs(), 4)
            ),
        ));
    }
    if let Some(c) = of("ends-before-slip-stops") {
        let p = first_tangential_pause(&c.case.collision).unwrap_or(f64::NAN);
        let last = &c.corners[c.corners.len() - 1];
        outcome.claim(Claim::test(
            "section 2.3, figure 2.9(a)",
            "Where the collision ends before v_t = 0, the tangential pause goes unused.",
            p > last.p,
            format!(
                "the pause would need p_n = {} N·s, the collision ends at {} N·s",
                fixed(p, 4),
                fixed(last.p, 4)
            ),
        ));
    }
}

fn draw(outcome: &mut Outcome, all: &[Computed]) {
    let example = &all[0];
    let v = example.case.collision.contact_velocity();
    if let Some(geometry) = Geometry::new(&example.case.collision) {
        // Where the first line meets v_n = 0.
        let L = geometry.L_n + geometry.friction(v[0], example.case.collision.mu) * geometry.L_t;
        let u = example.corners[0].u - L * (v[1] / geometry.contact(&L)[1]);
        if let Some(drawing) = Drawing::new(&example.case, &example.corners, &[u]) {
            outcome.figure("figure2-2", "figures 2.2 to 2.5", drawing.steps(&u));
            let path =
                Figure::new("Path to the final velocity").panel(drawing.whole("")).width(620.0);
            outcome.figure("figure2-7", "figure 2.7", path.caption(final_words(example)));
        }
    }
    let samples = samples(&example.corners, 100);
    outcome.figure("figure2-6", "figure 2.6", energy_figure(&samples, &example.corners));
    let paths = all.iter().map(|c| (&c.case, &c.corners[..]));
    outcome.figure("figure2-8", "figure 2.8", overview(paths));
    let mut pair =
        Figure::new("Collisions without change of the friction direction").columns(2).width(820.0);
    for (name, title) in [
        ("ends-before-slip-stops", "(a)  ends before v_t = 0"),
        ("away-from-stick", "(b)  away from v_t = 0"),
    ] {
        let found = all.iter().find(|c| c.case.name == name);
        if let Some(d) = found.and_then(|c| Drawing::new(&c.case, &c.corners, &[Vector2::zeros()]))
        {
            pair = pair.panel(d.whole(title));
        }
    }
    outcome.figure("figure2-9", "figure 2.9", pair);
}

fn final_words(example: &Computed) -> String {
    let turn =
        example.corners.iter().find(|c| c.pause == Pause::Normal).map_or(f64::NAN, |c| c.E_n);
    let end = example.corners[example.corners.len() - 1].E_n;
    format!(
        "E_n is {} J at the normal pause and {} J at the end: (1 − e*²) of it, e* = {}.",
        fixed(turn, 4),
        fixed(end, 4),
        example.case.collision.e
    )
}

fn table(all: &[Computed]) -> Table {
    let mut table = Table::new(
        "One collision per path, e* = 0.7",
        &[
            "path",
            "μ",
            "v_t⁻ m/s",
            "v_n⁻ m/s",
            "v_t⁺ m/s",
            "v_n⁺ m/s",
            "p_n N·s",
            "E_n J",
            "E_f J",
            "energy lost",
        ],
    );
    for Computed { case, answer, corners } in all {
        let (first, last) = (&corners[0], &corners[corners.len() - 1]);
        table.row([
            case.title.to_string(),
            format!("{}", case.collision.mu),
            fixed(first.v[0], 4),
            fixed(first.v[1], 4),
            fixed(last.v[0], 4),
            fixed(last.v[1], 4),
            fixed(last.p, 4),
            fixed(last.E_n, 4),
            fixed(last.E_f, 4),
            crate::show::percent(crate::collision::loss(answer)),
        ]);
    }
    table
}

fn corners(all: &[Computed]) -> Data {
    let columns = [
        "path", "corner", "p_n.N s", "v_t.m/s", "v_n.m/s", "u1.rad/s", "u2.rad/s", "E_n.J", "E_f.J",
    ];
    let mut data = Data::new("corners", &columns);
    for c in all {
        for corner in &c.corners {
            let name = format!("{:?}", corner.pause).to_lowercase();
            let row = [
                corner.p,
                corner.v[0],
                corner.v[1],
                corner.u[0],
                corner.u[1],
                corner.E_n,
                corner.E_f,
            ];
            data.labelled(&[c.case.name, &name], &row);
        }
    }
    data
}

fn lines(all: &[Computed]) -> Data {
    let mut data = Data::new("paths", &["path", "p_n.N s", "v_t.m/s", "v_n.m/s", "E_n.J", "E_f.J"]);
    for c in all {
        for row in samples(&c.corners, 25) {
            data.labelled(&[c.case.name], &row);
        }
    }
    data
}
