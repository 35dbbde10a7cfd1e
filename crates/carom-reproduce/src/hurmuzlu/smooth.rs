//! Figure 3: no friction at the colliding end, e from 0 to 1.
//!
//! Tests: `tests/hurmuzlu.rs`: `smooth`.

use super::drawing::{self, Curves, IMPULSE, LOSS, chain};
use super::interval::words;
use super::method::Method;
use super::posture::{POSTURE, posture};
use super::sweep::{Sweep, ZERO};
use crate::claim::Claim;
use crate::data::Data;
use crate::error::Trouble;
use crate::experiment::{Context, Experiment, Source};
use crate::outcome::Outcome;
use crate::show::{percent, power};

/// The experiment.
pub const SMOOTH: Experiment = Experiment {
    name: "hurmuzlu-smooth",
    title: "Chain, smooth colliding end",
    source: Source::Hurmuzlu,
    covers: &["figure 3"],
    run,
};

/// Restitutions of the sweeps.
const RESTITUTIONS: [f64; 5] = [0.0, 0.25, 0.5, 0.75, 1.0];
const PLACE: &str = "section 4, figure 3";

fn run(context: &Context) -> Result<Outcome, Trouble> {
    let mut outcome = Outcome::new(
        "Three links of 1 m and 1 kg touch the ground at A0 (μ = 0.5) and hit it at Ac without friction. Energy loss, \
         normal impulse and normal velocity at A0 over the angle φ1, for restitution from 0 to 1.",
    );
    outcome.reading(POSTURE);
    let mut sweeps = Vec::new();
    let mut apart = 0.0_f64;
    for e in RESTITUTIONS {
        let all = Sweep::several(context, &Method::ALL, 0.0, e)?;
        apart = all.iter().skip(1).map(|s| s.apart(&all[0])).fold(apart, f64::max);
        sweeps.extend(all.into_iter().nth(2));
    }
    posture(&mut outcome);
    outcome.claim(Claim::test(
        PLACE,
        "Without friction at the colliding end, differential and algebraic methods give exactly the same.",
        apart < 1e-13,
        format!("largest difference of a velocity among the five methods: {}", power(apart)),
    ));
    energy(&mut outcome, &sweeps);
    touching_end(&mut outcome, &sweeps);
    let named = sweeps.iter().zip(RESTITUTIONS).map(|(s, e)| (format!("e = {e}"), s));
    let curves = Curves { sweeps: named.collect(), marks: Vec::new(), shaded: Vec::new() };
    outcome.figure("chain", "figure 2", chain());
    outcome.figure(
        "figure3",
        "figure 3",
        curves.figure(
            "Smooth colliding end",
            &[LOSS, IMPULSE, drawing::REBOUND],
            "μ = 0.5 at A0, 0 at Ac. All five methods give these curves.",
        ),
    );
    outcome.data(data(&sweeps));
    Ok(outcome)
}

fn energy(outcome: &mut Outcome, sweeps: &[Sweep]) {
    let elastic = &sweeps[RESTITUTIONS.len() - 1];
    let sticks = |p: &super::sweep::Point| p.friction_work_at_a0 == 0.0;
    let lost = elastic.largest(|p| if sticks(p) { p.loss.abs() } else { 0.0 });
    let slipping = elastic.largest(|p| if sticks(p) { 0.0 } else { p.loss });
    outcome.claim(Claim::test(
        "section 4, figure 3A",
        "A perfectly elastic collision loses no energy where A0 does not slip.",
        lost < 1e-13,
        format!(
            "at most {} of the energy there; up to {} where A0 slips, {}",
            power(lost),
            percent(slipping),
            words(&elastic.wherever(|p| !sticks(p)))
        ),
    ));
    let grows = |w: &[Sweep]| {
        w[0].points.iter().zip(&w[1].points).filter(|(a, b)| b.loss > a.loss + 1e-13).count()
    };
    let grows: usize = sweeps.windows(2).map(grows).sum();
    // Where A0 does the same for every e, without friction work.
    let off = same_mode(sweeps)
        .flat_map(|i| sweeps.iter().zip(RESTITUTIONS).map(move |(s, e)| (i, s, e)))
        .map(|(i, s, e)| (s.points[i].loss - (1.0 - e * e) * sweeps[0].points[i].loss).abs())
        .fold(0.0, f64::max);
    let middle = |s: &Sweep| percent(s.points[s.points.len() / 2].loss);
    outcome.claim(Claim::test(
        "section 4, figure 3A",
        "The larger e, the more energy is lost.",
        grows > 0,
        format!(
            "the loss grows in {grows} comparisons of neighbouring e, and falls in all others; at φ1 = 0: {} for e = 0, {} for 0.5, {} for 1",
            middle(&sweeps[0]),
            middle(&sweeps[2]),
            middle(&sweeps[4])
        ),
    )
    .source_errs(
        format!(
            "Where A0 keeps its mode, Newton's law without friction at Ac loses (1 − e²)/2 · u²/G, in any posture: less the \
             larger e. The same sentence has no loss for e = 1. Checked where A0 does not slip: within {} of the energy.",
            power(off)
        ),
        off < 1e-12,
    ));
    let gain = sweeps.iter().map(|s| s.largest(|p| -p.loss)).fold(0.0, f64::max);
    outcome.claim(Claim::test(
        "section 4, figure 3A",
        "The results are energetically consistent.",
        gain < 1e-13,
        format!("largest gain in any posture, for any e: {} of the energy", power(gain)),
    ));
}

/// Postures in which A0 either rebounds or keeps still, for every e alike.
fn same_mode(sweeps: &[Sweep]) -> impl Iterator<Item = usize> + '_ {
    let still = |p: &super::sweep::Point| p.friction_work_at_a0 == 0.0;
    (0..sweeps[0].points.len()).filter(move |i| {
        let all = || sweeps.iter().map(|s| &s.points[*i]);
        let first = &sweeps[0].points[*i];
        all().all(|p| still(p) && p.rebounds() == first.rebounds())
    })
}

fn touching_end(outcome: &mut Outcome, sweeps: &[Sweep]) {
    let both = sweeps.iter().map(|s| s.count(|p| p.rebounds_with_interaction())).sum::<usize>();
    outcome.claim(Claim::test(
        "section 4, figures 3B, 3C",
        "At A0 either the normal impulse or the normal velocity after is zero: no rebound with interaction.",
        both == 0,
        format!(
            "{both} postures with both; A0 rebounds for {}",
            words(&sweeps[2].wherever(|p| p.rebounds()))
        ),
    ));
    // Both are compared posture by posture, wherever they are not zero.
    let trend = |quantity: fn(&super::sweep::Point) -> f64| {
        let mut signs = [0usize; 2];
        for w in sweeps.windows(2) {
            for (a, b) in w[0].points.iter().zip(&w[1].points) {
                if quantity(a) > ZERO {
                    signs[usize::from(quantity(b) < quantity(a))] += 1;
                }
            }
        }
        signs
    };
    let (impulse, rebound) = (trend(|p| p.impulse), trend(|p| p.rebound));
    let off = same_mode(sweeps)
        .flat_map(|i| sweeps.iter().zip(RESTITUTIONS).map(move |(s, e)| (i, s, e)))
        .filter(|(i, ..)| sweeps[0].points[*i].rebounds())
        .map(|(i, s, e)| (s.points[i].rebound - (1.0 + e) * sweeps[0].points[i].rebound).abs())
        .fold(0.0, f64::max);
    outcome.claim(Claim::test(
        "section 4, figure 3B",
        "A larger e gives a larger normal impulse at A0.",
        impulse[1] == 0 && impulse[0] > 0,
        format!(
            "it grows in {} comparisons of neighbouring e and falls in {}",
            impulse[0], impulse[1]
        ),
    ));
    outcome.claim(Claim::test(
        "section 4, figure 3C",
        "A larger e gives a smaller rebound velocity at A0.",
        rebound[0] == 0 && rebound[1] > 0,
        format!(
            "it grows in {} comparisons and falls in {}: like the impulse it is proportional to 1 + e",
            rebound[0], rebound[1]
        ),
    )
    .source_errs(
        format!(
            "Without friction at Ac the impulse there is −(1 + e)u/G, and while A0 leaves nothing else acts: its velocity is \
             proportional to 1 + e, in any posture. Checked: within {} m/s.",
            power(off)
        ),
        off < 1e-12,
    ));
}

fn data(sweeps: &[Sweep]) -> Data {
    let mut data = Data::new("figure3", &["e", "phi1.deg", "loss", "p_n_A0.N s", "u_n_A0.m/s"]);
    for (sweep, e) in sweeps.iter().zip(RESTITUTIONS) {
        for p in &sweep.points {
            data.row(&[e, p.degrees, p.loss, p.impulse, p.rebound]);
        }
    }
    data
}
