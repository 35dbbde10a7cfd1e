//! Disk (I = ½ m r²) and sphere (I = ⅖ m r²) on an incline: roll above μ = tan α · k/(1 + k) with
//! g sin α/(1 + k), k = I/(m r²); below slip with g (sin α − μ cos α) and spin μ g cos α/(k r).

use super::support::{G, load, run};
use carom::contact::Mode;

fn angle() -> f64 {
    30f64.to_radians()
}

fn critical(k: f64) -> f64 {
    angle().tan() * k / (1.0 + k)
}

/// Way down the incline and speed, at the end.
fn way(name: &str, friction: f64, up: usize) -> (f64, f64, f64, Mode) {
    let scene = load(name, &[&format!("contact.0.friction={friction}")]);
    let run = run(&scene);
    let d = &run.state.q - &scene.initial.q;
    let (c, s) = (angle().cos(), angle().sin());
    let v = &run.state.v;
    let spin = if up == 1 { v[2] } else { v[4] };
    let mode = run.recording.modes.last().unwrap()[0];
    (-(d[0] * c + d[up] * s), -(v[0] * c + v[up] * s), spin, mode)
}

fn check(name: &str, k: f64, up: usize) {
    let t = 3.0;
    for factor in [1.001, 1.5] {
        let (way, speed, spin, mode) = way(name, factor * critical(k), up);
        let a = G * angle().sin() / (1.0 + k);
        assert_eq!(mode, Mode::Stick);
        assert!((speed / t - a).abs() < 1e-10, "{}", speed / t - a);
        assert!((way - 0.5 * a * t * t).abs() < 1e-9);
        assert!((spin.abs() * 0.1 - speed).abs() < 1e-10, "no slip");
    }
    for factor in [0.999, 0.5] {
        let mu = factor * critical(k);
        let (way, speed, spin, mode) = way(name, mu, up);
        let a = G * (angle().sin() - mu * angle().cos());
        assert!(matches!(mode, Mode::Slip { .. }));
        assert!((speed / t - a).abs() < 1e-10, "{}", speed / t - a);
        assert!((way - 0.5 * a * t * t).abs() < 1e-9);
        let alpha = mu * G * angle().cos() / (k * 0.1);
        assert!((spin.abs() / t - alpha).abs() < 1e-9 * alpha);
    }
}

#[test]
fn disk_rolls_above_and_slips_below() {
    check("rolling_disk.toml", 0.5, 1);
}

#[test]
fn sphere_rolls_above_and_slips_below() {
    check("rolling_sphere.toml", 0.4, 2);
}
