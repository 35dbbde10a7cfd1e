//! Capability over all directions.
#![allow(non_snake_case)]

mod agility_support;
#[path = "../../carom/tests/support/mod.rs"]
mod support;

use agility_support::{arm, crouch, motors, on_all_feet, quadruped};
use carom::model::{Joint, JointKind, Model, ModelBuilder};
use carom::spatial::Pose;
use carom::state::State;
use carom_agility::{Evaluator, Reach, Stance, Support, Task, capability};
use nalgebra::{DVector, Unit, Vector2, Vector3};
use support::{Random, random_state};

fn reach(stance: &Stance<'_>, state: &State) -> Reach {
    let mut evaluator = Evaluator::new(stance);
    Reach::new(&mut evaluator, 0.0, state.q.as_slice(), state.v.as_slice()).unwrap()
}

#[test]
fn eq1_support_is_the_capability() {
    let mut random = Random::new(81);
    let model = quadruped(0.6, 1.0);
    let state = crouch(&model);
    for _ in 0..20 {
        let d = random.axis();
        let stance = on_all_feet(&model, 25.0, d.into_inner());
        let set = reach(&stance, &state);
        let mut evaluator = Evaluator::new(&stance);
        let found =
            capability(&evaluator.problem(0.0, state.q.as_slice(), state.v.as_slice())).unwrap();
        let Support { acceleration: a, value, .. } = set.support(&d).unwrap();
        assert!((value - found.acceleration).abs() < 1e-9 * (1.0 + value.abs()));
        assert!((a.dot(&d) - value).abs() < 1e-9 * (1.0 + value.abs()));
    }
    // Points of the set are behind every supporting plane.
    let stance = on_all_feet(&model, 25.0, Vector3::z());
    let all = reach(&stance, &state).sphere(60).unwrap();
    for Support { direction, value, .. } in &all {
        let behind =
            |s: &Support| s.acceleration.dot(direction) <= value + 1e-8 * (1.0 + value.abs());
        assert!(all.iter().all(behind));
    }
}

/// Two links in the x–y plane with a motor each.
fn planar_arm() -> Model {
    let mut builder = ModelBuilder::new();
    builder.gravity(Vector3::new(0.0, -9.81, 0.0)).unwrap();
    let hinge = |name: &str, at: Vector3<f64>| {
        let kind = JointKind::Revolute { axis: Vector3::z_axis() };
        Joint::new(name, kind, Pose::translation(at))
    };
    let mut random = Random::new(5);
    let upper = random.inertia();
    let shoulder = hinge("shoulder", Vector3::zeros());
    let first = builder.add_body("upper", None, shoulder, upper).unwrap();
    let elbow = hinge("elbow", Vector3::new(1.0, 0.0, 0.0));
    builder.add_body("lower", Some(first), elbow, random.inertia()).unwrap();
    builder.build().unwrap()
}

/// The set of a two-link arm is a parallelogram: the corners of the box of torques.
#[test]
fn eq2_corners_of_a_planar_arm() {
    let model = planar_arm();
    let body = model.body_named("lower").unwrap();
    let task = Task::new(&model, body, Vector3::x()).unwrap().at(Vector3::new(0.8, 0.1, 0.0));
    let mut state = State::neutral(&model);
    (state.q[0], state.q[1]) = (0.4, 1.1);
    (state.v[0], state.v[1]) = (0.7, -1.3);
    let stance = Stance::new(&model, &motors(&model, 30.0), task);
    let polygon = reach(&stance, &state).polygon([Vector3::x(), Vector3::y()]).unwrap();
    assert!(polygon.exact);
    assert_eq!(polygon.corners.len(), 4);
    for (one, two) in [(1.0, 1.0), (1.0, -1.0), (-1.0, 1.0), (-1.0, -1.0)] {
        let tau = DVector::from_row_slice(&[30.0 * one, 30.0 * two]);
        let along = |d: Vector3<f64>| {
            let stance = stance.clone().with_task(task.towards(Unit::new_normalize(d)));
            let problem =
                Evaluator::new(&stance).problem(0.0, state.q.as_slice(), state.v.as_slice());
            let push = &problem.actuation * &tau - &problem.bias;
            let vdot = problem.mass_matrix.clone().cholesky().unwrap().solve(&push);
            problem.task_row.dot(&vdot) + problem.task_bias
        };
        let corner = Vector2::new(along(Vector3::x()), along(Vector3::y()));
        let miss = polygon.corners.iter().map(|c| (c - corner).norm()).fold(f64::MAX, f64::min);
        assert!(miss < 1e-9 * (1.0 + corner.norm()), "{corner} misses by {miss:e}");
    }
    // Counter-clockwise.
    let c = &polygon.corners;
    let area: f64 = (0..4).map(|i| c[i].perp(&c[(i + 1) % 4])).sum();
    assert!(area > 0.0);
}

/// With round cones the polygon lies inside the set, and no support is further out than its tolerance.
#[test]
fn eq2_round_sets_close() {
    let model = quadruped(0.6, 1.0);
    let state = crouch(&model);
    let stance = on_all_feet(&model, 25.0, Vector3::z());
    let set = reach(&stance, &state);
    let polygon = set.polygon([Vector3::x(), Vector3::z()]).unwrap();
    assert!(!polygon.exact && polygon.corners.len() > 4);
    let size = polygon.corners.iter().map(|c| c.norm()).fold(0.0, f64::max);
    for i in 0..40 {
        let (sin, cos) = (i as f64 * 0.157).sin_cos();
        let value = set.support(&Vector3::new(cos, 0.0, sin)).unwrap().value;
        let inside =
            polygon.corners.iter().map(|c| c.dot(&Vector2::new(cos, sin))).fold(f64::MIN, f64::max);
        assert!(inside <= value + 1e-9 * size && value - inside < 4e-4 * size, "{value} {inside}");
    }
}

/// Without contacts the ellipsoid of the torques' ball lies in the set of their box.
#[test]
fn eq3_ellipsoid_inside() {
    let mut random = Random::new(83);
    for _ in 0..20 {
        let model = arm(&mut random, 5, true);
        let state = random_state(&mut random, &model);
        let body = model.body_ids().last().unwrap();
        let task = Task::new(&model, body, Vector3::x()).unwrap().at(random.vector());
        let stance = Stance::new(&model, &motors(&model, 40.0), task);
        let set = reach(&stance, &state);
        let ellipsoid = set.ellipsoid();
        for _ in 0..10 {
            let d = random.axis();
            let value = set.support(&d).unwrap().value;
            let round = ellipsoid.center.dot(&d) + (ellipsoid.axes.transpose() * *d).norm();
            assert!(round <= value + 1e-9 * (1.0 + value.abs()), "{round} {value}");
            // Ball in box: at least 1/√5 of it.
            let reach = value - ellipsoid.center.dot(&d);
            assert!(round - ellipsoid.center.dot(&d) >= reach / 5f64.sqrt() - 1e-9);
        }
    }
}
