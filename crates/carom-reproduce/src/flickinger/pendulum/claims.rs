//! Sections 3.4.1, 3.6.1 and 5.2: what the source says of its runs, and what ours do.

use carom::record::{Event, EventKind};

use crate::claim::{Claim, Evidence};
use crate::error::Trouble;
use crate::flickinger::case::Case;
use crate::flickinger::estimate::impact_force_estimate;
use crate::flickinger::sheets::gains_in_words;

/// The five runs in the order of table 2.4.
pub struct Runs<'a> {
    pub none: &'a Case,
    pub low: &'a Case,
    pub minimum: &'a Case,
    pub moderate: &'a Case,
    pub moderate_low: &'a Case,
}

/// Every statement.
pub fn claims(runs: &Runs<'_>) -> Result<Vec<Claim>, Trouble> {
    let mut all = no_control(runs)?;
    all.extend(low_restitution(runs.low));
    all.extend(minimum(runs)?);
    all.extend(moderate(runs.moderate));
    all.extend(moderate_low(runs));
    Ok(all)
}

fn resting(case: &Case) -> String {
    case.rest().map_or("it does not come to rest".into(), |t| format!("at rest from {t:.4} s"))
}

fn gain(event: Option<&Event>) -> f64 {
    event.map_or(f64::NAN, |e| -e.energy_lost())
}

/// Normal components of the published force estimate, impact by impact, N.
fn normal_estimates(case: &Case) -> Result<Vec<f64>, Trouble> {
    let model = &case.scene.model;
    let mut all = Vec::new();
    for event in case.impacts() {
        all.extend(impact_force_estimate(model, event)?.map(|f| f[1]));
    }
    Ok(all)
}

fn no_control(runs: &Runs<'_>) -> Result<Vec<Claim>, Trouble> {
    let case = runs.none;
    let losing = case.impacts().filter(|e| e.energy_lost() > 0.0).count();
    let normal: f64 = case.impacts().flat_map(|e| &e.contacts).map(|c| c.normal_work.abs()).sum();
    let mut all = vec![
        Claim::test(
            "3.4.1, figure 3.2",
            "Without control it is not at rest after 10 s.",
            case.rest().is_none(),
            resting(case),
        ),
        Claim::test(
            "3.4.1, figure 3.4",
            "The total energy rises at two impacts or more.",
            case.gains().count() >= 2,
            gains_in_words(case.gains()),
        ),
        Claim::test(
            "3.4.1, figure 3.4",
            "With e = 1 energy is lost by friction alone.",
            losing > 0 && normal < 1e-9,
            format!(
                "{losing} impacts lose energy; the normal impulses of all impacts do {normal:.1e} J"
            ),
        ),
    ];
    all.extend(times_of_gains(case));
    all.push(pulling_estimates(case)?);
    Ok(all)
}

fn times_of_gains(case: &Case) -> [Claim; 2] {
    let mut two = case.impacts();
    let (first, second) = (gain(two.next()), gain(two.next()));
    let far = |t: &f64| (t - 6.0).abs();
    let near = case.gains().map(|e| e.t).min_by(|a, b| far(a).total_cmp(&far(b)));
    [
        Claim::test(
            "5.2.1, figure 3.4",
            "The first impact gains nothing, the second does.",
            first <= 1e-9 && second > 1e-9,
            format!("{first:+.3} J at the first, {second:+.3} J at the second"),
        ),
        Claim::new(
            "5.2.1, figure 3.4",
            "A later gain comes at about 6 s.",
            Evidence::Number { published: 6.0, ours: near.unwrap_or(f64::NAN), tolerance: 0.25 },
            near.map_or("no gain".into(), |t| format!("the nearest gain is at {t:.4} s")),
        ),
    ]
}

fn pulling_estimates(case: &Case) -> Result<Claim, Trouble> {
    let mut forces = Vec::new();
    for event in case.gains() {
        forces.extend(impact_force_estimate(&case.scene.model, event)?.map(|f| f[1]));
    }
    let pulls = forces.iter().filter(|f| **f < 0.0).count();
    Ok(Claim::test(
        "3.4.1, figure 3.3",
        "A gain of energy can make the estimated normal force negative.",
        pulls > 0,
        format!(
            "the estimate (3.25) without its bound pulls at {pulls} of {} impacts that gain",
            forces.len()
        ),
    ))
}

fn low_restitution(case: &Case) -> Vec<Claim> {
    let first = case.impacts().next().map_or(f64::NAN, |e| e.t);
    let after = case.rest().map_or(f64::INFINITY, |t| t - first);
    vec![
        Claim::test(
            "3.6.1, figure 3.8",
            "With e = 0 the tip does not rebound.",
            case.bounces() == 0,
            format!("{} impacts, {} rebounds", case.impacts().count(), case.bounces()),
        ),
        Claim::test(
            "3.6.1, figure 3.8",
            "It is at rest shortly after the first impact (taken: within 1 s).",
            after < 1.0,
            format!("first impact at {first:.4} s, {}, the tip slides in between", resting(case)),
        ),
    ]
}

fn minimum(runs: &Runs<'_>) -> Result<Vec<Claim>, Trouble> {
    let case = runs.minimum;
    let contact = case.rows.iter().flat_map(|r| &r.forces).any(|f| f[2] != 0.0);
    let estimates = normal_estimates(case)?;
    let least = estimates.iter().copied().fold(f64::INFINITY, f64::min);
    let first = |case: &Case| case.impacts().next().map(|e| e.v_post.clone()).unwrap_or_default();
    let (ours, free) = (first(case), first(runs.none));
    let apart = ours.iter().zip(&free).map(|(a, b)| (a - b).abs()).fold(0.0, f64::max);
    Ok(vec![
        Claim::test(
            "5.2.1, figure 5.2",
            "With e* = 1 no impact gains energy.",
            case.gains().count() == 0,
            gains_in_words(case.gains()),
        ),
        Claim::test(
            "5.2.1, figure 5.2",
            "The first impact is the same as without control.",
            apart < 1e-9,
            format!("velocities after it differ by up to {apart:.4} rad/s"),
        ),
        Claim::test(
            "5.2.1, figure 5.3",
            "It does not come to rest, so that only impacts exert forces.",
            case.rest().is_none() && !contact,
            format!(
                "{}; forces between impacts: {}",
                resting(case),
                if contact { "yes" } else { "none" }
            ),
        ),
        Claim::test(
            "5.2.1, figure 5.3",
            "All estimated normal forces push.",
            least >= 0.0,
            format!("the least of {} estimates is {least:.2} N", estimates.len()),
        ),
    ])
}

/// Kinetic energy after over before, impact by impact, while there is energy to speak of.
fn ratios(case: &Case) -> Vec<f64> {
    let most = case.impacts().map(|e| e.energy_before).fold(0.0, f64::max);
    let worth = case.impacts().filter(|e| e.energy_before > 1e-6 * most);
    worth.map(|e| e.energy_after / e.energy_before).collect()
}

/// How often the tangential impulse changes its sign from one impact to the next.
fn turns(case: &Case) -> usize {
    let signs: Vec<f64> = case
        .impacts()
        .flat_map(|e| &e.contacts)
        .map(|c| c.impulse[0])
        .filter(|p| *p != 0.0)
        .map(f64::signum)
        .collect();
    signs.windows(2).filter(|w| w[0] != w[1]).count() + case.count(EventKind::SlipReversal)
}

fn moderate(case: &Case) -> Vec<Claim> {
    let ratios = ratios(case);
    let (least, most) =
        ratios.iter().fold((f64::INFINITY, 0.0_f64), |(a, b), r| (a.min(*r), b.max(*r)));
    let force = |row: Option<&crate::flickinger::case::Row>| row.map_or([0.0; 3], |r| r.forces[0]);
    let last = force(case.rows.last());
    let rest = case.rest().unwrap_or(f64::INFINITY);
    let still = case.rows.iter().filter(|r| r.t > rest);
    let drift = still
        .flat_map(|r| [r.forces[0][0] - last[0], r.forces[0][2] - last[2]])
        .fold(0.0, |m: f64, d| m.max(d.abs()));
    let sticks = case.count(EventKind::SlipStop) > 0
        || case.rows.last().is_some_and(|r| r.modes[0].word() == "stick");
    vec![
        Claim::test(
            "5.2.2, figure 5.4",
            "With e* = 0.5 it is at rest within 10 s.",
            case.rest().is_some(),
            resting(case),
        ),
        Claim::test(
            "5.2.2, figure 5.4",
            "The kinetic energy drops to about half at each rebound (taken: to between 0.4 and 0.5).",
            least >= 0.4 && most <= 0.5 + 1e-9,
            format!("to between {least:.3} and {most:.3} of it at {} impacts", ratios.len()),
        ),
        Claim::test(
            "5.2.2, figure 5.5",
            "At rest the normal force and the tangential force that keeps the tip from slipping are constant.",
            case.rest().is_some() && drift < 1e-9 * last[2] && last[0] != 0.0,
            format!("{:.4} N and {:.4} N, varying by {drift:.1e} N", last[2], last[0]),
        ),
        Claim::test(
            "5.2.2, figure 5.5",
            "On the way to rest the slip reverses, and there is a transition from slip to stick.",
            turns(case) > 0 && sticks,
            format!(
                "friction changes its direction {} times; ends in {}",
                turns(case),
                if sticks { "stick" } else { "slip" }
            ),
        ),
    ]
}

/// Rebounds that rise higher than this, m, taken with the speed after the impact and gravity alone.
fn higher(case: &Case, height: f64) -> usize {
    let least = (2.0 * 9.81 * height).sqrt();
    case.impacts().filter(|e| e.contacts.iter().any(|c| c.u_post[2] > least)).count()
}

fn moderate_low(runs: &Runs<'_>) -> Vec<Claim> {
    let case = runs.moderate_low;
    let counts = [1e-3, 1e-4, 1e-5].map(|h| (h, higher(case, h)));
    let reading = |(h, n): &(f64, usize)| (format!("rebounds higher than {} mm", h * 1e3), *n == 2);
    let words: Vec<_> =
        counts.iter().map(|(h, n)| format!("{n} higher than {} mm", h * 1e3)).collect();
    vec![
        Claim::new(
            "5.2.3, figure 5.6",
            "With e = 0.1 it is at rest after two rebounds.",
            Evidence::Readings(counts.iter().map(reading).collect()),
            format!("{}; {}", words.join(", "), resting(case)),
        ),
        Claim::test(
            "5.2.3, figure 5.7",
            "The slip reverses near the time of rest.",
            turns(case) > 0,
            format!("friction changes its direction {} times", turns(case)),
        ),
        Claim::test(
            "5.2.3",
            "With e = 0 so many slip reversals occur that their events slow the simulation down (taken: more events than with e = 0.1).",
            runs.low.events.len() > case.events.len(),
            format!(
                "{} events with e = 0, {} with e = 0.1",
                runs.low.events.len(),
                case.events.len()
            ),
        ),
    ]
}
