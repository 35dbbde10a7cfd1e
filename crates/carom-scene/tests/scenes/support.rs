//! Scenes by name, runs of them, and quadrature.

use carom::hybrid::Run;
use carom::record::{Event, EventKind};
use carom_scene::Scene;
use std::path::PathBuf;

/// Acceleration of gravity of the scenes, m/s².
pub const G: f64 = 9.81;

pub fn folder() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../scenes")
}

pub fn load(name: &str, overrides: &[&str]) -> Scene {
    Scene::load_with(folder().join(name), overrides).unwrap_or_else(|e| panic!("{}", e.report()))
}

/// The run of a scene to its own end, with the invariants that every run has.
pub fn run(scene: &Scene) -> Run {
    let simulation = scene.simulation().unwrap();
    let run =
        simulation.run_until(scene.options.solver.until).unwrap_or_else(|e| panic!("{}", e.0));
    let energy = run.ledger.initial.abs() + run.ledger.lost().abs() + run.ledger.kinetic;
    assert!(run.statistics.worst_gap > -1e-9, "worst gap {:e}", run.statistics.worst_gap);
    assert!(
        run.statistics.worst_closure <= 1e-8 * energy,
        "closure {:e} of {energy}",
        run.statistics.worst_closure
    );
    assert!(run.statistics.worst_gain <= 1e-12 * energy, "gain {:e}", run.statistics.worst_gain);
    run
}

pub fn run_named(name: &str, overrides: &[&str]) -> Run {
    run(&load(name, overrides))
}

/// Events of one kind.
pub fn of_kind(run: &Run, kind: EventKind) -> Vec<&Event> {
    run.events().iter().filter(|e| e.kind == kind).collect()
}

/// Events in which velocities jumped.
pub fn jumps(run: &Run) -> Vec<&Event> {
    run.events().iter().filter(|e| e.kind.is_jump()).collect()
}

/// ∫ f from a to b by Gauss–Legendre with 5 points on each of `parts` parts.
pub fn integral(parts: usize, a: f64, b: f64, f: impl Fn(f64) -> f64) -> f64 {
    let s = |x: f64| (10.0_f64 / 7.0).sqrt() * 2.0 * x;
    let nodes = [0.0, (5.0 - s(1.0)).sqrt() / 3.0, (5.0 + s(1.0)).sqrt() / 3.0];
    let root = 13.0 * 70.0_f64.sqrt();
    let weights = [128.0 / 225.0, (322.0 + root) / 900.0, (322.0 - root) / 900.0];
    let h = (b - a) / parts as f64;
    let mut sum = 0.0;
    for k in 0..parts {
        let (middle, half) = (a + h * (k as f64 + 0.5), 0.5 * h);
        sum += weights[0] * f(middle);
        for i in 1..3 {
            let d = half * nodes[i];
            sum += weights[i] * (f(middle - d) + f(middle + d));
        }
    }
    0.5 * h * sum
}

#[test]
fn quadrature_is_exact_for_degree_nine() {
    let exact = (2.0_f64.powi(10) - 1.0) / 10.0;
    assert!((integral(1, 1.0, 2.0, |x| x.powi(9)) - exact).abs() < 1e-11);
}
