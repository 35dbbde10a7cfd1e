//! The printed posture, tested: φ3 = π − φ1 with the printed rates.
//!
//! The end Ac = A0 + Σ L d(φ_i), d(φ) = (−sin φ, cos φ), has the normal velocity −L Σ φ̇_i sin φ_i, so
//! ```text
//! φ3 = π − φ1:  u_n = −(0.2 + 0.4 sin φ1)                               (1)
//! φ3 = π + φ1:  u_n = −0.2 (1 − sin φ1)                                 (2)
//! ```
//! Under (1) Ac separates for sin φ1 < −½. Tests: `tests/hurmuzlu.rs`: `posture`.

use carom::impact::chain::{LENGTH, RATES};

use crate::claim::Claim;
use crate::outcome::Outcome;
use crate::show::fixed;

/// How the posture was read, for every experiment of this source.
pub const POSTURE: &str = "The printed posture φ3 = π − φ1 is read as φ3 = π + φ1, all angles counter-clockwise from the \
                       vertical: both ends are then at one height, and the end Ac approaches for every φ1. The figures \
                       themselves are not in the text that we have, so that intervals are known only by what the text \
                       says of them.";

/// Why a statement that fails in the inferred posture refutes nothing.
pub const INFERRED: &str = "The posture is inferred, because the printed one cannot be meant, and no figure is there to fix it: \
                        that the statement fails in it does not refute the source. Other orders and signs of the rates: \
                        see hurmuzlu-variants.";

/// Normal velocity of Ac before the impact for three angles.
fn approach(angles: [f64; 3]) -> f64 {
    -angles.iter().zip(RATES).map(|(phi, rate)| LENGTH * rate * phi.sin()).sum::<f64>()
}

/// Adds the claim.
pub fn posture(outcome: &mut Outcome) {
    use std::f64::consts::{FRAC_PI_2, PI};
    let steps = 1800;
    let all = (0..steps).map(|i| -90.0 + 180.0 / f64::from(steps) * (f64::from(i) + 0.5));
    let apart = |sign: f64| {
        let separates =
            |d: &f64| approach([d.to_radians(), FRAC_PI_2, PI + sign * d.to_radians()]) > 0.0;
        all.clone().filter(separates).fold(f64::NEG_INFINITY, f64::max)
    };
    let (printed, read) = (apart(-1.0), apart(1.0));
    // Equation (1), against the rates themselves.
    let formula = |d: &f64| -(0.2 + 0.4 * d.to_radians().sin());
    let exact = |d: &f64| approach([d.to_radians(), FRAC_PI_2, PI - d.to_radians()]);
    let misses = all.clone().fold(0.0_f64, |m, d| m.max((formula(&d) - exact(&d)).abs()));
    outcome.claim(Claim::test(
        "section 4",
        "With φ3 = π − φ1 and the printed rates, the end Ac collides for every φ1 from −90° to 90°.",
        printed == f64::NEG_INFINITY,
        format!(
            "Ac separates for φ1 < {}°, so that there is no collision; with φ3 = π + φ1 it {}",
            fixed(printed + 0.05, 0),
            if read == f64::NEG_INFINITY { "approaches in every posture" } else { "separates too" },
        ),
    )
    .source_errs(
        "With the printed angles and rates the normal velocity of Ac is −(0.2 + 0.4 sin φ1) m/s, which is positive for \
         sin φ1 < −½: there is nothing to collide.",
        misses < 1e-12 && printed > f64::NEG_INFINITY,
    ));
}
