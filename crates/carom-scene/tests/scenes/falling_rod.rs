//! Ladder without friction from θ₀: θ̇² = 3 g/L (sin θ₀ − sin θ), the wall is left where
//! sin θ = ⅔ sin θ₀; from then on the centre moves along the floor with constant speed.

use super::support::{G, integral, run_named};
use carom::record::EventKind;

#[test]
fn leaves_the_wall_at_two_thirds_of_the_height() {
    let run = run_named("falling_rod.toml", &[]);
    let start = 60f64.to_radians();
    let leave = (2.0 / 3.0 * start.sin()).asin();
    let lifts: Vec<_> = run.events().iter().filter(|e| e.kind == EventKind::LiftOff).collect();
    assert_eq!(lifts.len(), 1);
    let event = lifts[0];
    assert!((-event.q[2] - leave).abs() < 1e-9, "{}", -event.q[2] - leave);
    // θ = θ₀ − s² removes the root at the start.
    let time = integral(400, 0.0, (start - leave).sqrt(), |s| {
        let th = start - s * s;
        // sin θ₀ − sin θ = 2 cos((θ₀ + θ)/2) sin(s²/2), without cancellation.
        let fall = 2.0 * (0.5 * (start + th)).cos() * (0.5 * s * s).sin();
        2.0 * s / (3.0 * G * fall).sqrt()
    });
    assert!((event.t - time).abs() < 1e-9, "{}", event.t - time);
    let rate = (3.0 * G * (start.sin() - leave.sin())).sqrt();
    let speed = 0.5 * leave.sin() * rate;
    assert!((event.v_pre[0] - speed).abs() < 1e-9);
    assert!((run.state.v[0] - speed).abs() < 1e-9, "no force along the floor afterwards");
    assert!(run.energy_lost().abs() < 1e-12);
}
