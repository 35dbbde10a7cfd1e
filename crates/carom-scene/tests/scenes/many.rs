//! Many bodies: a break that is its own mirror image, a gas that keeps its energy, a board of pegs, a pile that comes to rest.

use super::support::{load, of_kind, run, run_named};
use carom::record::EventKind;

/// Place of a coordinate of the state, by name.
fn place(scene: &carom_scene::Scene, name: &str) -> usize {
    let names = scene.model.q_names();
    names.iter().position(|n| *n == name).unwrap_or_else(|| panic!("{name}: {names:?}"))
}

/// The rack has ball k of a row at the left and its image at the right; the cue ball and those on the axis are their own.
const IMAGES: [(&str, &str); 7] = [
    ("cue", "cue"),
    ("ball1", "ball1"),
    ("ball2", "ball3"),
    ("ball4", "ball6"),
    ("ball5", "ball5"),
    ("ball7", "ball10"),
    ("ball8", "ball9"),
];

/// What the integrator leaves, 1e-10, is doubled by impacts: 1e-9 m throughout.
#[test]
fn a_symmetric_break_stays_symmetric() {
    let scene = load("billiard_break.toml", &[]);
    let run = run(&scene);
    assert!(run.statistics.impacts > 100 && run.statistics.rescues.iter().all(|n| *n == 0));
    for (a, b) in IMAGES {
        let at = |body: &str, axis: &str| place(&scene, &format!("{body}.{axis}"));
        for (t, q) in run.recording.t.iter().zip(&run.recording.q) {
            let along = q[at(a, "x")] - q[at(b, "x")];
            let across = q[at(a, "y")] + q[at(b, "y")];
            assert!(along.hypot(across) < 1e-9, "{a} {b} at {t}: {along:e} {across:e}");
        }
    }
}

/// Elastic and smooth: the energy of the start, 25 × ½ m v² with v = 1 m/s, to 1e-12 at all times; nothing overlaps.
#[test]
fn a_gas_keeps_its_energy() {
    let run = run_named("gas.toml", &[]);
    assert!(run.statistics.impacts > 300 && run.statistics.worst_gap >= -1e-15);
    for stored in &run.recording.stored {
        assert!((stored - 25.0 * 0.05).abs() < 1e-12, "{stored}");
    }
}

/// Every ball goes past every row of pegs, and what they had at the start is what was lost and what is left.
#[test]
fn balls_fall_through_a_board_of_pegs() {
    let scene = load("galton_board.toml", &[]);
    let run = run(&scene);
    assert!(run.statistics.rescues.iter().all(|n| *n == 0), "{:?}", run.statistics.rescues);
    for ball in 1..=5 {
        let y = run.state.q[place(&scene, &format!("ball{ball}.y"))];
        assert!(y < 0.08, "ball{ball} is still at {y}");
    }
}

/// Rest is told, no two grains overlap by more than a thousandth of h² g, and the pile is as high as what it is made of.
#[test]
fn a_pile_comes_to_rest() {
    let scene = load("granular_pile.toml", &[]);
    let until = scene.options.solver.until;
    let run = scene.simulation().unwrap().run_until(until).unwrap_or_else(|e| panic!("{}", e.0));
    assert_eq!(of_kind(&run, EventKind::Rest).len(), 1);
    assert!(run.state.v.iter().all(|v| *v == 0.0));
    let h = 0.002_f64;
    assert!(run.statistics.worst_gap > -1e-3 * h * h * 9.81, "{:e}", run.statistics.worst_gap);
    let energy = run.ledger.initial;
    assert!(run.statistics.worst_closure <= 1e-12 * energy, "{:e}", run.statistics.worst_closure);
}
