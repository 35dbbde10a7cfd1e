//! Section 5.5: no control, attenuation and energy constraint from the same start.

use carom::record::Event;

use super::claims::over_floors;
use super::setting::tip_at;
use crate::claim::{Cause, Claim, Evidence};
use crate::flickinger::case::Case;
use crate::flickinger::sheets::gains_in_words;
use crate::scan::Scan;

/// Every statement.
pub fn claims(
    none: &Case,
    attenuation: &Case,
    constraint: &Case,
    floors: &[(f64, Case)],
) -> Vec<Claim> {
    let mut all = without(none, floors);
    all.extend(with(attenuation, constraint));
    all
}

fn without(none: &Case, floors: &[(f64, Case)]) -> Vec<Claim> {
    let first = none.impacts().next();
    let gains = format!("with the floor at 1.5 m {}", gains_in_words(none.gains()));
    let early = |c: &Case| c.impacts().next().is_some_and(|e| (e.t - 0.5).abs() <= 0.05);
    let gaining = |c: &Case| c.impacts().next().is_some_and(|e| e.energy_lost() < 0.0);
    vec![
        Claim::new(
            "5.5, figure 5.14",
            "Without control the first impact is at about 0.5 s (taken: ± 0.05 s).",
            over_floors(floors, early),
            first.map_or("no impact".into(), |e| format!("{:.6} s with the floor at 1.5 m", e.t)),
        ),
        Claim::new(
            "5.5, figure 5.14",
            "It gains kinetic energy.",
            over_floors(floors, gaining),
            gains.clone(),
        ),
        Claim::new(
            "5.5, figure 5.14",
            "No later impact gains.",
            over_floors(floors, |c| c.gains().count() <= 1),
            gains,
        )
        .because(
            Cause::SomeValues,
            "The height of the floor is printed as 1.5 m; heights that round to it decide, so the run is too sensitive to \
             tell.",
            true,
        ),
    ]
}

/// Largest difference of the velocities after two impacts, over the largest velocity.
fn apart(a: &Event, b: &Event) -> f64 {
    let size = a.v_post.iter().chain(&b.v_post).fold(0.0, |m: f64, v| m.max(v.abs()));
    let difference =
        a.v_post.iter().zip(&b.v_post).fold(0.0, |m: f64, (a, b)| m.max((a - b).abs()));
    difference / size
}

/// The first pair of impacts after which two runs differ: velocities by more than a thousandth.
fn parting<'a>(a: &'a Case, b: &'a Case) -> Option<(&'a Event, &'a Event)> {
    a.impacts().zip(b.impacts()).find(|(a, b)| apart(a, b) > 1e-3)
}

/// Why the constrained run cannot be that of figure 5.15b.
const PROOF: &str = "One contact with e = 1 does the work ½(uₜ⁺ + uₜ⁻)pₜ, so that of the slips that (5.9) admits the nearest to \
     zero is uₜ⁺ = −uₜ⁻: the optimum of (5.6) to (5.9) as printed reverses every velocity, and the run goes back as it came. \
     Figure 5.15b cannot come from it.";

fn with(attenuation: &Case, constraint: &Case) -> Vec<Claim> {
    let first = attenuation.impacts().next().zip(constraint.impacts().next());
    let near = first.map_or(f64::NAN, |(a, b)| apart(a, b));
    // v⁺ = −v⁻ at the first impact of the constrained run.
    let reversed = constraint.impacts().next().is_some_and(|e| {
        let size = e.v_pre.iter().fold(0.0, |m: f64, v| m.max(v.abs()));
        e.v_pre.iter().zip(&e.v_post).all(|(a, b)| (a + b).abs() < 1e-6 * size)
    });
    let parting = parting(attenuation, constraint);
    let place = constraint.impacts().filter(|e| (tip_at(e) + 0.5).abs() < 0.1).count();
    let tips: Vec<_> = constraint.impacts().map(|e| format!("{:.3}", tip_at(e))).collect();
    // 0 + x, not x: nothing lost is +0.
    let loss = |e: &Event| 0.0 + (e.energy_lost() * 1e6).round() / 1e6;
    vec![
        Claim::test(
            "5.5, figure 5.16",
            "With either control no impact gains energy.",
            attenuation.gains().count() + constraint.gains().count() == 0,
            format!(
                "attenuation: {}; constraint: {}",
                gains_in_words(attenuation.gains()),
                gains_in_words(constraint.gains())
            ),
        ),
        Claim::new(
            "5.5, figure 5.16",
            "Both give similar velocities after the first impact.",
            Evidence::Scans(vec![Scan::new(
                "",
                "difference that counts as similar",
                "%",
                [5.0, 10.0, 15.0, 20.0, 25.0].map(|limit| (limit, 100.0 * near < limit)),
            )]),
            format!("they differ by {:.1} % of the largest", near * 100.0),
        )
        .our_reading("How near is similar is not said. The directions differ: one stops the slip, the other reverses it."),
        Claim::new(
            "5.5, figure 5.15",
            "Both runs are the same until the impact at about 3.25 s.",
            Evidence::Number {
                published: 3.25,
                ours: parting.map_or(f64::NAN, |(_, b)| b.t),
                tolerance: 0.1,
            },
            parting.map_or("they never part".into(), |(_, b)| format!("they part at {:.4} s", b.t)),
        )
        .source_errs(PROOF, reversed),
        Claim::test(
            "5.5, figure 5.16",
            "At the impact where they part, the constrained run loses more kinetic energy.",
            parting.is_some_and(|(a, b)| loss(b) > loss(a) + 1e-9),
            parting.map_or("they never part".into(), |(a, b)| {
                format!("{:.3} J with attenuation, {:.3} J with the constraint", loss(a), loss(b))
            }),
        )
        .source_errs(PROOF, reversed),
        Claim::test(
            "5.5, figure 5.15",
            "With the constraint the tip hits several times near x = −0.5 m (taken: within 0.1 m, twice or more).",
            place >= 2,
            format!("it hits at x = {} m", tips.join(", ")),
        )
        .source_errs(PROOF, reversed),
    ]
}
