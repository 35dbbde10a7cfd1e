//! Free vibration with dry friction: half swings of π√(m/k), each 2 μd m g/k shorter, until
//! k |x| ≤ μs m g at a turning point.

use super::support::run_named;
use carom::record::EventKind;

const M: f64 = 0.4536964643691098;
const K: f64 = 350.2536704929527;
const G: f64 = 9.8044;

#[test]
fn half_swings_shrink_until_it_sticks() {
    let run = run_named("oscillator.toml", &[]);
    let half = std::f64::consts::PI * (M / K).sqrt();
    let (kinetic, hold) = (0.2 * M * G / K, 0.3 * M * G / K);
    let mut turning = 0.05_f64;
    let mut swings = 0;
    while turning.abs() > hold {
        turning = -(turning - turning.signum() * 2.0 * kinetic);
        swings += 1;
    }
    let turns: Vec<_> = run
        .events()
        .iter()
        .filter(|e| matches!(e.kind, EventKind::SlipReversal | EventKind::SlipStop))
        .collect();
    assert_eq!(turns.len(), swings);
    let mut x = 0.05_f64;
    for (k, event) in turns.iter().enumerate() {
        x = -(x - x.signum() * 2.0 * kinetic);
        assert!((event.t - half * (k + 1) as f64).abs() < 1e-9, "turn {k}");
        assert!((event.q[0] - x).abs() < 1e-9, "turn {k}: {} {x}", event.q[0]);
    }
    assert_eq!(turns.last().unwrap().kind, EventKind::SlipStop);
    assert_eq!(run.state.v.amax(), 0.0);
    assert!((run.state.q[0] - turning).abs() < 1e-9);
    let lost = 0.5 * K * (0.05 * 0.05 - turning * turning);
    assert!((run.energy_lost() - lost).abs() < 1e-9);
}
