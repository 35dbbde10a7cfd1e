//! Clusters: what happens elsewhere is no part of a problem.

mod support;

use carom::hybrid::{Run, Simulation, Stop};
use carom::impact::{Differential, Restitution};
use carom::model::{JointKind, Shape};
use carom::record::EventKind;
use carom::state::State;
use nalgebra::Vector3;
use support::worlds::{World, planar_inertia, surface};

/// Discs over one floor, dropped from these heights side by side, e = 0.5.
fn drop(heights: &[f64], end: f64) -> Run {
    let mut world = World::new();
    let floor = world.incline(0.0);
    for _ in heights {
        let disc = world.body(JointKind::Planar, planar_inertia(1.0, 0.1));
        let rim = world.shape(Some(disc), Vector3::zeros(), Shape::Disk { radius: 0.1 });
        world.touch(floor, rim, surface(0.5, 0.3));
    }
    let model = world.build();
    let mut state = State::neutral(&model);
    for (k, height) in heights.iter().enumerate() {
        (state.q[3 * k], state.q[3 * k + 1]) = (k as f64, 0.1 + height);
    }
    let law = Differential { restitution: Restitution::Energetic };
    let run =
        Simulation::new(&model, state, law).run_until(end).unwrap_or_else(|e| panic!("{}", e.0));
    assert_eq!(run.stop, Stop::ReachedEnd);
    assert_eq!(run.statistics.rescues, [0; 5]);
    run
}

/// Times of the jumps of the first disc.
fn jumps(run: &Run) -> Vec<f64> {
    let first =
        |e: &&carom::record::Event| e.kind.is_jump() && e.contacts.iter().any(|c| c.site == 0);
    run.events().iter().filter(first).map(|e| e.t).collect()
}

#[test]
fn what_happens_elsewhere_changes_nothing() {
    let alone = jumps(&drop(&[1.0], 3.0));
    let among = jumps(&drop(&[1.0, 0.7, 0.45, 1.0, 0.2], 3.0));
    assert_eq!(alone.len(), among.len());
    for (a, b) in alone.iter().zip(&among) {
        assert!((a - b).abs() < 1e-8, "{a} {b}");
    }
}

#[test]
fn discs_that_land_together_have_events_of_their_own() {
    let run = drop(&[1.0, 1.0], 0.6);
    let impacts: Vec<_> = run.events().iter().filter(|e| e.kind == EventKind::Impact).collect();
    assert_eq!(impacts.len(), 2);
    assert!(impacts.iter().all(|e| e.contacts.len() == 1));
}

#[test]
fn resting_bodies_are_left_alone() {
    // Nine discs rest, the last one falls: the others do not move by a bit.
    let mut heights = [0.0; 10];
    heights[9] = 0.5;
    let run = drop(&heights, 2.0);
    for k in 0..9 {
        assert_eq!(run.state.q[3 * k + 1], 0.1);
        assert_eq!(run.state.v[3 * k + 1], 0.0);
    }
    assert_eq!(run.events().last().unwrap().kind, EventKind::Rest);
}
