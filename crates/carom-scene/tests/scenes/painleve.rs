//! Painlevé: p = 1 + 3 cos θ (cos θ ∓ μ sin θ) is negative with the top behind, so that
//! p N/m − g ≥ 0 ⟂ N ≥ 0 has no solution; with the top ahead N = m g/p.

use super::support::{G, load, run};
use carom::hybrid::Stop;

#[test]
fn no_force_holds_the_end_and_the_run_says_so() {
    let scene = load("painleve.toml", &[]);
    let (c, s) = (70f64.to_radians().cos(), 70f64.to_radians().sin());
    assert!(1.0 + 3.0 * c * (c - 1.8 * s) < 0.0, "the scene is paradoxical");
    let run = run(&scene);
    assert_eq!(run.stop, Stop::NoSolution { t: 0.0, contacts: vec!["end".into()] });
    assert_eq!(run.recording.t, [0.0], "the start is kept");
}

#[test]
fn the_other_way_nothing_is_odd() {
    let scene = load("painleve.toml", &["body.rod.velocity=[5,0]", "solver.until=0.1"]);
    let run = run(&scene);
    assert_eq!(run.stop, Stop::ReachedEnd);
    let (c, s) = (70f64.to_radians().cos(), 70f64.to_radians().sin());
    let normal = G / (1.0 + 3.0 * c * (c + 1.8 * s));
    let first = run.recording.forces.iter().find(|f| f[0][2] > 0.0).unwrap()[0];
    assert!((first[2] - normal).abs() < 1e-12 * G, "{} {normal}", first[2]);
    assert!((first[0].abs() - 1.8 * normal).abs() < 1e-12 * G);
}
