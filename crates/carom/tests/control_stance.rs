//! Feet of controllers: a foot that would pull is let go once, and may then stay on the ground.

use carom::control::{Actuator, ComputedTorque};
use carom::hybrid::{Run, Simulation};
use carom::impact::{Differential, Restitution};
use carom::model::{Coordinate, Feature, Joint, ModelBuilder, Shape, Spring, Surface};
use carom::record::EventKind;
use carom::spatial::{Inertia, Pose};
use carom::state::State;
use nalgebra::Vector3;

/// A body of 1 kg above a foot of 0.2 kg on vertical slides, a spring between them and a motor
/// beside it; the body is told to go to `goal`.
fn hopper(goal: f64, stiffness: f64, end: f64) -> Run {
    let mut builder = ModelBuilder::new();
    let rail = Joint::prismatic("rail", Vector3::y_axis(), Pose::identity());
    let body = Inertia::point(1.0, Vector3::zeros()).unwrap();
    let body = builder.add_body("body", None, rail, body).unwrap();
    let spring = Spring { stiffness: 100.0, rest: -1.0 };
    let leg = Joint::prismatic("leg", Vector3::y_axis(), Pose::identity())
        .with_coordinates(vec![Coordinate { spring: Some(spring), ..Coordinate::default() }]);
    let foot = Inertia::point(0.2, Vector3::zeros()).unwrap();
    let foot = builder.add_body("foot", Some(body), leg, foot).unwrap();
    let feature = |name: &str, body, shape| Feature {
        name: name.into(),
        body,
        placement: Pose::identity(),
        shape,
    };
    let normal = Vector3::y_axis();
    let ground = builder.add_feature(feature("ground", None, Shape::HalfSpace { normal })).unwrap();
    let sole = builder.add_feature(feature("sole", Some(foot), Shape::Point)).unwrap();
    let surface = Surface { restitution: 0.0, friction: 0.0, static_friction: 0.0 };
    builder.add_pair("sole", ground, sole, surface).unwrap();
    let model = builder.build().unwrap();
    let mut state = State::neutral(&model);
    // The spring carries the body.
    let height = 1.0 - 9.81 / 100.0;
    (state.q[0], state.q[1]) = (height, -height);
    let law = ComputedTorque {
        actuators: vec![0],
        body,
        point: Vector3::zeros(),
        goal: Vector3::new(0.0, goal, 0.0),
        stiffness,
        damping: 0.0,
        feet: vec![0],
    };
    let motors = [Actuator::symmetric("motor", 1, 1e3)];
    Simulation::new(&model, state, Differential { restitution: Restitution::Energetic })
        .actuators(motors.to_vec())
        .controller(Box::new(law.controller(&model, &motors)))
        .run_until(end)
        .map_err(|f| f.0)
        .unwrap()
}

/// Wanted is an acceleration of −20 m/s²: the ground would have to pull with 1.2 × (20 − 9.81) less
/// what the foot does. The motor lets go at once, the spring holds the foot down, all stays at rest.
#[test]
fn a_foot_that_pulls_is_let_go_once() {
    let run = hopper(1.0 - 9.81 / 100.0 - 2.0, 10.0, 1.0);
    assert!(run.events().len() <= 2, "{:?}", run.events());
    assert!(run.recording.torques.iter().all(|t| t[0] == 0.0));
    assert!(run.state.v[0].abs() < 1e-9 && run.ledger.applied == 0.0);
}

/// Wanted is the harmonic motion of the body about its goal, x = c − A cos ωt with ω² = 10: the
/// ground pushes with (1 + 0.2) g + ẍ until ẍ = −1.2 g, then the controller lets go and the foot leaves
/// or is held by the spring.
#[test]
fn the_foot_stands_until_it_would_pull() {
    let amplitude = 4.0;
    let run = hopper(1.0 - 9.81 / 100.0 + amplitude, 10.0, 1.2);
    let omega = 10.0_f64.sqrt();
    let leave = (-1.2 * 9.81 / (omega * omega * amplitude)).acos() / omega;
    let first = run.events().iter().find(|e| e.t > 0.0).unwrap();
    assert!(matches!(first.kind, EventKind::LiftOff | EventKind::Switch), "{:?}", first.kind);
    assert!((first.t - leave).abs() < 1e-8, "{} {leave}", first.t);
    assert!(run.statistics.worst_closure < 1e-8 * run.ledger.stored());
}
