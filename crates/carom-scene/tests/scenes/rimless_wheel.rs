//! A rimless wheel, strike by strike: ½ (1 + J) ω² + g cos θ is kept about a foot, a strike takes the factor
//! η = (J + cos 2α)/(J + 1) of ω (angular momentum about the new foot), so that ω⁻² before the strikes goes to its limit by η² each.

use super::support::{G, jumps, run_named};
use std::f64::consts::PI;

const J: f64 = 0.1;
const SLOPE: f64 = 0.08;

#[test]
fn speeds_go_to_the_limit_cycle() {
    let run = run_named("rimless_wheel.toml", &[]);
    let half = PI / 8.0;
    let eta = (J + (2.0 * half).cos()) / (J + 1.0);
    let fall = 2.0 * G / (1.0 + J) * ((SLOPE - half).cos() - (SLOPE + half).cos());
    let mut before = (0.25 + 2.0 * G / (1.0 + J) * (1.0 - (SLOPE + half).cos())).sqrt();
    let strikes = jumps(&run);
    assert!(strikes.len() > 18, "{}", strikes.len());
    for (k, strike) in strikes.iter().enumerate() {
        let (found, after) = (-strike.v_pre[2], -strike.v_post[2]);
        assert!((found - before).abs() < 1e-6, "strike {k}: {found} {before}");
        assert!((after - eta * found).abs() < 1e-9, "strike {k}: {after}");
        before = ((eta * before).powi(2) + fall).sqrt();
    }
    assert!((before - (fall / (1.0 - eta * eta)).sqrt()).abs() < 1e-6);
}
