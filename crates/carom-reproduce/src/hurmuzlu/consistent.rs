//! Figure 5: the three methods that do not gain energy.
//!
//! Tests: `tests/hurmuzlu.rs`: `consistent`.

use super::drawing::{Curves, LOSS, SLIP};
use super::interval::words;
use super::method::Method;
use super::posture::POSTURE;
use super::sweep::{APART, FRICTION, Sweep};
use crate::claim::Claim;
use crate::data::Data;
use crate::error::Trouble;
use crate::experiment::{Context, Experiment, Source};
use crate::outcome::Outcome;
use crate::show::power;

/// The experiment.
pub const CONSISTENT: Experiment = Experiment {
    name: "hurmuzlu-consistent",
    title: "Chain, three methods that gain no energy",
    source: Source::Hurmuzlu,
    covers: &["figure 5"],
    run,
};

fn run(context: &Context) -> Result<Outcome, Trouble> {
    let mut outcome = Outcome::new(
        "Friction 0.5 at both ends, e = 0.9: kinetic and energetic definitions in the differential formulation, and \
         Brach's algebraic method.",
    );
    outcome.reading(POSTURE);
    let sweeps = Sweep::several(context, &Method::CONSISTENT, FRICTION, 0.9)?;
    let [kinetic, energetic, brach] = &sweeps[..] else { return Ok(outcome) };
    let gain = sweeps.iter().map(|s| s.largest(|p| -p.loss)).fold(0.0, f64::max);
    outcome.claim(Claim::test(
        "section 4, figure 5A",
        "None of the three increases the energy.",
        gain < 1e-12,
        format!("largest gain: {} of the energy before", power(gain)),
    ));
    // All three in one interval of postures: where any two of them differ.
    let mut differ = vec![false; kinetic.points.len()];
    for (a, b) in [(kinetic, energetic), (kinetic, brach), (energetic, brach)] {
        for (i, (p, q)) in a.points.iter().zip(&b.points).enumerate() {
            differ[i] |= p.apart(q) > APART;
        }
    }
    let changes: Vec<bool> = energetic.points.iter().map(|p| p.slip_changes).collect();
    let dissimilar = (0..differ.len()).filter(|i| changes[*i] && differ[*i]).count();
    let all = changes.iter().filter(|c| **c).count();
    outcome.claim(Claim::test(
        "section 4, figure 5",
        "The three results are dissimilar where the slip stops or reverses at the impact point.",
        dissimilar == all,
        format!("in {dissimilar} of {all} such postures"),
    ));
    let same = energetic.wherever(|p| !differ[index(energetic, p.degrees)]);
    let one_way = energetic.wherever(|p| !p.slip_changes);
    outcome.claim(Claim::test(
        "section 4, figure 5",
        "They coincide only where the slip keeps its direction, in one interval A–B.",
        same == one_way && same.len() == 1,
        format!(
            "they coincide for {}; the slip keeps its direction for {}",
            words(&same),
            words(&one_way)
        ),
    ));
    let pairs = [kinetic.apart(energetic), kinetic.apart(brach), energetic.apart(brach)];
    outcome.claim(Claim::test(
        "section 4, figure 5",
        "Kinetic and energetic definitions agree with each other more closely than with Brach's method.",
        pairs[0] < pairs[1] && pairs[0] < pairs[2],
        format!(
            "largest difference of a velocity: {:.3} between them, {:.3} and {:.3} to Brach's",
            pairs[0], pairs[1], pairs[2]
        ),
    ));
    let mut curves = Curves::by_method(&sweeps);
    curves.marks = same.iter().flat_map(|i| [(i.from, "A"), (i.to, "B")]).collect();
    outcome.figure(
        "figure5",
        "figure 5",
        curves.figure(
            "Three methods that gain no energy",
            &[LOSS, SLIP],
            "μ = 0.5 at both ends, e = 0.9. From A to B the slip keeps its direction and all methods agree.",
        ),
    );
    outcome.data(data(&sweeps));
    Ok(outcome)
}

/// Index of the posture.
fn index(sweep: &Sweep, degrees: f64) -> usize {
    let i = ((degrees + 90.0) / sweep.step - 0.5).round().max(0.0) as usize;
    i.min(sweep.points.len() - 1)
}

fn data(sweeps: &[Sweep]) -> Data {
    let mut data = Data::new("figure5", &["method", "phi1.deg", "loss", "u_t_Ac.m/s"]);
    for sweep in sweeps {
        for p in &sweep.points {
            data.labelled(&[sweep.method.name()], &[p.degrees, p.loss, p.slip[1]]);
        }
    }
    data
}
