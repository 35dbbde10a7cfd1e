//! Section 5.5: no control, attenuation and energy constraint from the same start.

use carom::record::Event;

use super::setting::tip_at;
use crate::claim::{Claim, Evidence};
use crate::flickinger::case::Case;
use crate::flickinger::sheets::gains_in_words;

/// Every statement.
pub fn claims(none: &Case, attenuation: &Case, constraint: &Case) -> Vec<Claim> {
    let mut all = without(none);
    all.extend(with(attenuation, constraint));
    all
}

fn without(none: &Case) -> Vec<Claim> {
    let first = none.impacts().next();
    let gains = gains_in_words(none.gains());
    vec![
        Claim::new(
            "5.5, figure 5.14",
            "Without control the first impact is at about 0.5 s.",
            Evidence::Number {
                published: 0.5,
                ours: first.map_or(f64::NAN, |e| e.t),
                tolerance: 0.05,
            },
            first.map_or("no impact".into(), |e| format!("{:.6} s", e.t)),
        ),
        Claim::test(
            "5.5, figure 5.14",
            "It gains kinetic energy.",
            first.is_some_and(|e| e.energy_lost() < 0.0),
            gains.clone(),
        ),
        Claim::test("5.5, figure 5.14", "No later impact gains.", none.gains().count() <= 1, gains),
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

fn with(attenuation: &Case, constraint: &Case) -> Vec<Claim> {
    let first = attenuation.impacts().next().zip(constraint.impacts().next());
    let near = first.map_or(f64::NAN, |(a, b)| apart(a, b));
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
        Claim::test(
            "5.5, figure 5.16",
            "Both give similar velocities after the first impact (taken: within a tenth).",
            near < 0.1,
            format!("they differ by {:.1} % of the largest", near * 100.0),
        ),
        Claim::new(
            "5.5, figure 5.15",
            "Both runs are the same until the impact at about 3.25 s.",
            Evidence::Number {
                published: 3.25,
                ours: parting.map_or(f64::NAN, |(_, b)| b.t),
                tolerance: 0.1,
            },
            parting.map_or("they never part".into(), |(_, b)| format!("they part at {:.4} s", b.t)),
        ),
        Claim::test(
            "5.5, figure 5.16",
            "At the impact where they part, the constrained run loses more kinetic energy.",
            parting.is_some_and(|(a, b)| loss(b) > loss(a) + 1e-9),
            parting.map_or("they never part".into(), |(a, b)| {
                format!("{:.3} J with attenuation, {:.3} J with the constraint", loss(a), loss(b))
            }),
        ),
        Claim::test(
            "5.5, figure 5.15",
            "With the constraint the tip hits several times near x = −0.5 m (taken: within 0.1 m, twice or more).",
            place >= 2,
            format!("it hits at x = {} m", tips.join(", ")),
        ),
    ]
}
