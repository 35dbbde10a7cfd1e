//! Slider-crank: x = r cos θ + √(ℓ² − r² sin² θ) at all times, and ½ I(θ) θ̇² stays, so that
//! t = ∫ √(I(θ)/I(θ₀)) dθ/θ̇₀.

use super::support::{integral, run_named};

const R: f64 = 0.1;
const L: f64 = 0.3;

/// Place and slope of the slider, and the slope of the rod's angle, at a crank angle.
fn slider(theta: f64) -> (f64, f64, f64) {
    let root = (L * L - (R * theta.sin()).powi(2)).sqrt();
    let turn = -R * theta.cos() / root;
    (R * theta.cos() + root, -R * theta.sin() - R * R * theta.sin() * theta.cos() / root, turn)
}

/// The inertia that the crank feels: a rod about its end, a rod that moves and turns, the slider.
fn inertia(theta: f64) -> f64 {
    let (_, slope, turn) = slider(theta);
    let beta = -(R * theta.sin() / L).asin();
    let x = -R * theta.sin() - L / 2.0 * beta.sin() * turn;
    let y = R * theta.cos() + L / 2.0 * beta.cos() * turn;
    R * R / 3.0 + 0.5 * (x * x + y * y + L * L / 12.0 * turn * turn) + 0.5 * slope * slope
}

#[test]
fn the_loop_holds_and_the_energy_stays() {
    let run = run_named("slider_crank.toml", &[]);
    let start = 40f64.to_radians();
    let energy = 50.0 * inertia(start);
    for (q, v) in run.recording.q.iter().zip(&run.recording.v) {
        let (x, slope, _) = slider(q[0]);
        assert!((q[2] - x).abs() < 1e-14 && (v[2] - slope * v[0]).abs() < 1e-12);
        assert!((0.5 * inertia(q[0]) * v[0] * v[0] - energy).abs() < 1e-8 * energy);
    }
    let last = run.state.q[0];
    assert!(last > 12.0);
    let time = integral(200, start, last, |s| (inertia(s) / inertia(start)).sqrt() / 10.0);
    assert!((time - 2.0).abs() < 1e-8, "{time}");
}
