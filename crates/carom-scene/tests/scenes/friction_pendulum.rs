//! Pendulum with dry friction: energy between turning points, rest inside the dead zone.

use super::support::{G, run_named};
use carom::record::EventKind;

#[test]
fn swings_shrink_and_end_in_the_dead_zone() {
    let run = run_named("friction_pendulum.toml", &[]);
    let (weight, c) = (1.2 * G * 0.5, 0.6);
    let ends = |kind: EventKind| matches!(kind, EventKind::SlipReversal | EventKind::SlipStop);
    let mut from = 2.0_f64;
    let mut swings = 0;
    for event in run.events().iter().filter(|e| ends(e.kind)) {
        let to = event.q[0];
        let left = weight * (to.cos() - from.cos()) - c * (to - from).abs();
        assert!(left.abs() < 1e-8, "{left:e}");
        (from, swings) = (to, swings + 1);
    }
    assert!(swings >= 3 && from.abs() > 1e-3 && from.sin().abs() * weight <= c);
    assert_eq!(run.events().last().map(|e| e.kind), Some(EventKind::Rest));
    assert_eq!(run.state.v[0], 0.0);
}
