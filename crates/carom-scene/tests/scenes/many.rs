//! Many bodies: a break that is its own mirror image, a gas that keeps its energy, a board of pegs, a pile that comes to rest,
//! a hundred dominoes.

use super::support::{folder, load, of_kind, run, run_named};
use carom::hybrid::Run;
use carom::record::EventKind;
use carom_scene::Scene;

/// Place of a coordinate of the state, by name.
fn place(scene: &Scene, name: &str) -> usize {
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

/// Balls glide without an integrator, so that only round-off is doubled by impacts: 1e-9 m throughout, at the default tolerance.
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

/// Only the first `count` dominoes of the hundred, by events, until `t`.
fn some_dominoes(count: usize, t: f64) -> Run {
    let text = std::fs::read_to_string(folder().join("hundred_dominoes.toml")).unwrap();
    let left_out = |block: &str| {
        let number = block.strip_prefix("[body.d").and_then(|rest| rest.split_once(']'));
        let far = number.is_some_and(|(n, _)| n.parse::<usize>().unwrap() >= count);
        far || block.starts_with("[solver]")
    };
    let blocks: Vec<&str> = text.split("\n\n").filter(|block| !left_out(block)).collect();
    // By events boxes need pairs.
    let pairs =
        "[[contact]]\nself = \"d*\"\nrestitution = 0\nfriction = 0.3\n\n[[contact]]\nbetween =";
    let text = blocks.join("\n\n").replace("[[pile]]\nof =", pairs);
    let set = [format!("solver.until={t}")];
    let scene = Scene::parse_with(&text, "dominoes", &set);
    run(&scene.unwrap_or_else(|e| panic!("{}", e.report())))
}

/// At first they are where they would be by events, to the error of the scheme; then the wave runs at a steady speed; in the end all
/// lie, and no two overlap by more than a thousandth of h² g.
#[test]
fn a_hundred_dominoes_fall_one_after_the_other() {
    let scene = load("hundred_dominoes.toml", &[]);
    let (until, h, t) = (scene.options.solver.until, 0.002, 0.2);
    let run = scene.simulation().unwrap().run_until(until).unwrap_or_else(|e| panic!("{}", e.0));
    let row = |t: f64| run.recording.t.iter().position(|&own| own >= t - 0.5 * h).unwrap();
    let exact = some_dominoes(6, t);
    let speed = exact.state.v.amax();
    for (own, exact) in run.recording.q[row(t)].iter().zip(exact.state.q.iter()) {
        assert!((own - exact).abs() < 2.0 * h * speed, "{own} {exact}");
    }
    let angle = |i: usize| place(&scene, &format!("d{i}.angle"));
    let leans = |i: usize| run.recording.q.iter().position(|q| q[angle(i)] < -0.1);
    let times: Vec<f64> = (0..100).map(|i| run.recording.t[leans(i).unwrap()]).collect();
    assert!(times.is_sorted(), "{times:?}");
    let spans: Vec<f64> = times.windows(21).step_by(20).map(|w| w[20] - w[0]).collect();
    for span in &spans[1..] {
        assert!((span / spans[1] - 1.0).abs() < 0.05, "{spans:?}");
    }
    assert_eq!(of_kind(&run, EventKind::Rest).len(), 1);
    assert!((0..100).all(|i| run.state.q[angle(i)] < -1.0), "{:?}", run.state.q);
    let statistics = &run.statistics;
    assert!(statistics.worst_gap > -1e-3 * h * h * 9.81, "{:e}", statistics.worst_gap);
    assert!(statistics.worst_residual < 1e-5, "{:e}", statistics.worst_residual);
}
