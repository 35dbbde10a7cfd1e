//! Figure 7: perfectly plastic impacts.
//!
//! Tests: `tests/hurmuzlu.rs`: `plastic`.

use super::drawing::{self, Curves, IMPULSE, LOSS};
use super::interval::words;
use super::method::Method;
use super::posture::{INFERRED, POSTURE};
use super::sweep::{FRICTION, Sweep};
use crate::claim::Claim;
use crate::data::Data;
use crate::error::Trouble;
use crate::experiment::{Context, Experiment, Source};
use crate::outcome::Outcome;
use crate::show::{percent, power};

/// The experiment.
pub const PLASTIC: Experiment = Experiment {
    name: "hurmuzlu-plastic",
    title: "Chain, plastic impacts",
    source: Source::Hurmuzlu,
    covers: &["figure 7"],
    run,
};

/// Curves that differ by less than this share of the energy before lie on each other in a figure.
const LINE_WIDTH: f64 = 0.01;

fn run(context: &Context) -> Result<Outcome, Trouble> {
    let mut outcome = Outcome::new("Friction 0.5 at both ends, e = 0: all five methods.");
    outcome.reading(POSTURE);
    let sweeps = Sweep::several(context, &Method::ALL, FRICTION, 0.0)?;
    let [kinematic, kinetic, energetic, whittaker, brach] = &sweeps[..] else { return Ok(outcome) };
    let paths = energetic.apart(kinematic).max(energetic.apart(kinetic));
    outcome.claim(Claim::test(
        "section 4, figure 7",
        "The differential solutions are the same for every definition of e.",
        paths < 1e-13,
        format!("largest difference of a velocity: {}", power(paths)),
    ));
    let (jumps, gain) = (whittaker.apart(brach), whittaker.largest(|p| -p.loss));
    outcome.claim(Claim::test(
        "section 4, figure 7",
        "The algebraic solutions are the same, because Whittaker's method does not gain energy here.",
        jumps < 1e-13 && gain <= 0.0,
        format!(
            "largest difference of a velocity {}; the smallest loss is {}",
            power(jumps),
            percent(-gain)
        ),
    ));
    let apart = |a: &super::sweep::Point, b: &super::sweep::Point| (a.loss - b.loss).abs();
    let differences = energetic.points.iter().zip(&whittaker.points);
    let largest = differences.map(|(a, b)| apart(a, b)).fold(0.0, f64::max);
    let seen = energetic.compared(whittaker, |a, b| apart(a, b) > LINE_WIDTH);
    outcome.claim(Claim::test(
        "section 4, figure 7A",
        "The energy curves of the two formulations are almost indistinguishable (taken as: within 1 % of the energy \
         before).",
        largest < LINE_WIDTH,
        format!("they differ by up to {}, by more than 1 % for {}", percent(largest), words(&seen)),
    )
    .open(INFERRED));
    let both = [energetic, whittaker].map(|s| s.wherever(|p| p.rebounds_with_interaction()));
    outcome.claim(Claim::test(
        "section 4, figures 7B, 7C",
        "The differential methods have rebound with interaction at A0, the algebraic ones do not.",
        !both[0].is_empty() && both[1].is_empty(),
        format!("differential: {}; algebraic: {}", words(&both[0]), words(&both[1])),
    ));
    let curves = Curves {
        sweeps: vec![("differential".into(), energetic), ("algebraic".into(), whittaker)],
        marks: Vec::new(),
        shaded: energetic.wherever(|p| p.rebounds_with_interaction()),
    };
    outcome.figure(
        "figure7",
        "figure 7",
        curves.figure(
            "Plastic impacts",
            &[LOSS, IMPULSE, drawing::REBOUND],
            "μ = 0.5 at both ends, e = 0. Shaded: A0 leaves although an impulse acted there (differential methods).",
        ),
    );
    outcome.data(data(energetic, whittaker));
    Ok(outcome)
}

fn data(path: &Sweep, jump: &Sweep) -> Data {
    let columns = ["formulation", "phi1.deg", "loss", "p_n_A0.N s", "u_n_A0.m/s"];
    let mut data = Data::new("figure7", &columns);
    for (name, sweep) in [("differential", path), ("algebraic", jump)] {
        for p in &sweep.points {
            data.labelled(&[name], &[p.degrees, p.loss, p.impulse, p.rebound]);
        }
    }
    data
}
