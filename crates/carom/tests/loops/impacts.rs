//! An impact of a mechanism with a loop is that of its one coordinate.

use crate::mechanisms::{felt_inertia, slider_crank, slider_crank_state};
use carom::hybrid::{Options, Run, Simulation};
use carom::impact::Newton;
use carom::model::{Coordinate, Joint, Limits, Model, ModelBuilder};
use carom::record::EventKind;

/// The slider-crank with a stop for the slider at x ≥ `stop`.
fn with_stop(stop: f64, restitution: f64) -> Model {
    let plain = slider_crank(0.0);
    let mut builder = ModelBuilder::new();
    builder.gravity(nalgebra::Vector3::zeros()).unwrap();
    for body in plain.bodies() {
        let mut joint: Joint = body.joint.clone();
        if body.name == "slider" {
            let limits = Some(Limits { lower: stop, upper: f64::INFINITY, restitution });
            joint = joint.with_coordinates(vec![Coordinate { limits, ..Coordinate::default() }]);
        }
        builder.add_body(&body.name, body.parent, joint, body.inertia).unwrap();
    }
    for one in plain.loops() {
        builder.add_loop(one.clone()).unwrap();
    }
    builder.build().unwrap()
}

fn run(model: &Model) -> Run {
    let state = slider_crank_state(1.0, 10.0);
    let options = Options { rtol: 1e-11, ..Options::default() };
    Simulation::new(model, state, Newton).options(options).run_until(0.3).expect("runs")
}

#[test]
fn eq1_a_slider_hits_its_stop() {
    let (stop, e) = (0.28, 0.6);
    let run = run(&with_stop(stop, e));
    let hit = run.events().iter().find(|event| event.kind == EventKind::Impact).expect("hits");
    // One coordinate: I(θ) θ̇ jumps by x′(θ) p, and x′ θ̇⁺ = −e x′ θ̇⁻.
    let theta = hit.q[0];
    let exact = slider_crank_state(theta, 1.0);
    assert!((hit.q[2] - stop).abs() < 1e-12);
    let (before, after) = (hit.v_pre[0], hit.v_post[0]);
    assert!((after + e * before).abs() < 1e-9, "{before} {after}");
    let p = felt_inertia(theta) * (after - before) / exact.v[2];
    assert!((hit.contacts[0].impulse[2] - p).abs() < 1e-10, "{:?}", hit.contacts[0]);
    for j in 0..3 {
        assert!((hit.v_post[j] - after * exact.v[j]).abs() < 1e-11);
    }
    // The ledger takes it up.
    let lost = 0.5 * felt_inertia(theta) * (before * before - after * after);
    assert!((hit.energy_lost() - lost).abs() < 1e-12 && lost > 0.1);
    assert!(run.ledger.closure().abs() < 1e-9);
}
