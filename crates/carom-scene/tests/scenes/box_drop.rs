//! A box in space ends flat and exactly at rest; what it had is lost at its corners.

use super::support::{G, load, run};
use carom::record::EventKind;

#[test]
fn comes_to_rest_on_a_face() {
    let scene = load("box_drop.toml", &[]);
    let run = run(&scene);
    let last = run.events().last().unwrap();
    assert_eq!(last.kind, EventKind::Rest);
    assert!(last.t < 5.0);
    assert_eq!(run.state.v.amax(), 0.0);
    let height = run.state.q[2];
    let flat = [0.15, 0.1, 0.05].iter().any(|half| (height - half).abs() < 1e-9);
    assert!(flat, "centre at {height}");
    let mass = 600.0 * 0.3 * 0.2 * 0.1;
    assert!((run.ledger.stored() - mass * G * height).abs() < 1e-9);
    assert_eq!(run.recording.t.last(), Some(&5.0));
}
