//! Contacts that are there, or may touch, while a condition holds.

use carom::control::{Bounds, Condition, Margin};
use carom::hybrid::{Run, Simulation};
use carom::impact::Newton;
use carom::model::{Feature, Joint, JointKind, Model, ModelBuilder, Resistance, Shape, Surface};
use carom::record::EventKind;
use carom::spatial::{Inertia, Pose};
use carom::state::State;
use nalgebra::{Matrix3, Vector3};

const RADIUS: f64 = 0.1;
const G: f64 = 9.81;

/// A ball over a floor, restitution 0.5.
fn model(by: Resistance) -> Model {
    let mut builder = ModelBuilder::new();
    let inertia = Inertia::new(1.0, Vector3::zeros(), Matrix3::identity() * 0.004).unwrap();
    let joint = Joint::new("ball", JointKind::Free, Pose::identity());
    let ball = builder.add_body("ball", None, joint, inertia).unwrap();
    let sphere = Shape::Sphere { radius: RADIUS };
    let feature = |name: &str, body, shape| Feature {
        name: name.into(),
        body,
        placement: Pose::identity(),
        shape,
    };
    let a = builder.add_feature(feature("ball", Some(ball), sphere)).unwrap();
    let plane = Shape::HalfSpace { normal: Vector3::y_axis() };
    let b = builder.add_feature(feature("floor", None, plane)).unwrap();
    let surface = Surface { restitution: 0.5, static_friction: 0.3, friction: 0.3 };
    let pair = builder.add_pair("pair", a, b, surface).unwrap();
    builder.set_resistance(pair, by).unwrap();
    builder.build().unwrap()
}

fn run(start: (f64, f64), until: f64, bounds: Bounds, margin: impl Margin + 'static) -> Run {
    run_on(Resistance::default(), start, until, (bounds, margin))
}

fn run_on(
    by: Resistance,
    start: (f64, f64),
    until: f64,
    (bounds, margin): (Bounds, impl Margin + 'static),
) -> Run {
    let model = model(by);
    let mut state = State::neutral(&model);
    (state.q[1], state.v[1]) = start;
    let pairs = vec![model.pair_id(0)];
    let law = Newton;
    let condition = Condition { pairs, bounds, margin: Box::new(margin) };
    Simulation::new(&model, state, law).condition(condition).run_until(until).unwrap()
}

/// Equation (1): a floor that vanishes under a ball at rest.
#[test]
fn eq1_a_floor_vanishes() {
    let run = run((RADIUS, 0.0), 1.5, Bounds::Exists, |t: f64, _: (&[f64], &[f64])| 1.0 - t);
    let fall = run.state.q[1] - RADIUS + 0.5 * G * 0.25;
    assert!(fall.abs() < 1e-9, "{fall}");
    let off = run.events().iter().find(|e| e.kind == EventKind::Switch).unwrap();
    assert!((off.t - 1.0).abs() < 1e-12);
}

/// Equation (1): rolling and spinning friction vanish with the floor.
#[test]
fn eq1_moments_vanish_with_the_floor() {
    let by = Resistance { rolling: 1e-3, spinning: 2e-3 };
    let margin = |t: f64, _: (&[f64], &[f64])| 1.0 - t;
    let run = run_on(by, (RADIUS, 0.0), 1.5, (Bounds::Exists, margin));
    let fall = run.state.q[1] - RADIUS + 0.5 * G * 0.25;
    assert!(fall.abs() < 1e-9, "{fall}");
}

/// Equation (1): a floor that appears after the ball has passed it is none; one that appears before is.
#[test]
fn eq1_a_floor_appears() {
    let drop = |at: f64| {
        let margin = move |t: f64, _: (&[f64], &[f64])| t - at;
        run((1.0 + RADIUS, 0.0), 1.0, Bounds::Exists, margin)
    };
    let lands = (2.0 / G).sqrt();
    let early = drop(lands - 0.1);
    let impact = early.events().iter().find(|e| e.kind == EventKind::Impact).unwrap();
    assert!((impact.t - lands).abs() < 1e-10);
    let late = drop(lands + 0.1);
    assert!((late.state.q[1] - RADIUS - 1.0 + 0.5 * G).abs() < 1e-8);
}

/// Equation (2): a closed contact stays, and one that overlaps when it is let in waits.
#[test]
fn eq2_closed_contacts_stay_and_overlaps_wait() {
    let stays = run((RADIUS, 0.0), 1.5, Bounds::MayTouch, |t: f64, _: (&[f64], &[f64])| 1.0 - t);
    assert!((stays.state.q[1] - RADIUS).abs() < 1e-12);
    // From below, upwards through the floor: let in while it overlaps, it lands from above.
    let (z, v) = (-0.5, 5.0);
    let waits = run((z, v), 2.0, Bounds::MayTouch, |t: f64, _: (&[f64], &[f64])| t - 0.05);
    let depth = RADIUS - z;
    let lands = (v + (v * v - 2.0 * G * depth).sqrt()) / G;
    let impact = waits.events().iter().find(|e| e.kind == EventKind::Impact).unwrap();
    assert!((impact.t - lands).abs() < 1e-9, "{} {lands}", impact.t);
    let worst = waits.statistics.worst_gap;
    assert!(worst > -1e-9, "{worst}");
}

/// A condition of the state: located where it changes, not at a sample.
#[test]
fn conditions_are_located() {
    let margin = |_: f64, (q, _): (&[f64], &[f64])| 0.7 - q[1];
    let run = run((1.0 + RADIUS, 0.0), 0.4, Bounds::Exists, margin);
    let switch = run.events().iter().find(|e| e.kind == EventKind::Switch).unwrap();
    let exact = (2.0 * (0.4) / G).sqrt();
    assert!((switch.t - exact).abs() < 1e-10, "{} {exact}", switch.t);
}
