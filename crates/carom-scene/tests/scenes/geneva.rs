//! Geneva wheel of polygons.
//!
//! # Law
//! A pin at the radius a of a crank whose axle is C away from that of the wheel is at
//! ```text
//! ρ² = C² + a² − 2 C a cos φ,   sin β = a sin φ/ρ                                             (1)
//! ```
//! from the axle of the wheel; a pin of radius r in a slot of half width w leans on the side in front of it, so that its
//! centre is off the middle line by w − r:
//! ```text
//! ψ = ψ_slot − β + asin((w − r)/ρ)                                                            (2)
//! ```
//! The pin enters and leaves where the line to it is at right angles to the crank, φ = ±45° for four slots.

use super::support::load;
use std::f64::consts::{FRAC_PI_2, PI};

const C: f64 = 0.1;
const OFF: f64 = 0.0002;

/// β of equation (1) and ρ.
fn pin(phi: f64) -> (f64, f64) {
    let a = C * 0.5_f64.sqrt();
    let rho = (C * C + a * a - 2.0 * C * a * phi.cos()).sqrt();
    ((a * phi.sin() / rho).asin(), rho)
}

/// The angle of the wheel while the pin is well inside of a slot, to within what the corners of the polygons are rounded
/// to in the scene (1 µm); its steps of a quarter turn.
#[test]
fn eq1_eq2_the_wheel_follows_the_pin() {
    let scene = load("geneva.toml", &[]);
    // The crank gives energy in impacts, too, so that these are not held against the bound of what an impact may gain.
    let run = scene.simulation().unwrap().run_until(8.0).unwrap_or_else(|e| panic!("{}", e.0));
    assert!(run.statistics.worst_gap > -1e-12 && run.statistics.worst_closure < 1e-10);
    assert_eq!(run.statistics.rescues.iter().sum::<u64>(), 0);
    let mut inside = 0;
    for (t, q) in run.recording.t.iter().zip(&run.recording.q) {
        let phi = (PI * t - PI / 3.0 + PI).rem_euclid(2.0 * PI) - PI;
        if phi.abs() > 40f64.to_radians() {
            continue;
        }
        let (beta, rho) = pin(phi);
        let turn = ((PI * t - PI / 3.0 + PI) / (2.0 * PI)).floor();
        // The slot that the pin is in lies along −x of the world when the pin is nearest.
        let psi = -FRAC_PI_2 * turn - beta + (OFF / rho).asin();
        assert!((q[1] - psi).abs() < 1e-9, "t = {t}: {} {psi}", q[1]);
        inside += 1;
    }
    assert!(inside > 150, "{inside}");
    // At rest outside, after four quarters one whole turn on.
    let at = |time: f64| {
        let k = run.recording.t.iter().position(|t| (t - time).abs() < 1e-9).unwrap();
        (run.recording.q[k][1], run.recording.v[k][1])
    };
    for turn in 0..4 {
        let (psi, rate) = at(1.5 + 2.0 * f64::from(turn));
        assert!((psi - at(1.5).0 + FRAC_PI_2 * f64::from(turn)).abs() < 1e-9, "{psi}");
        assert_eq!(rate, 0.0);
    }
}
