//! Dry friction of joints: closed forms.
#![allow(non_snake_case)]

mod support;

use carom::hybrid::{Options, Output, Run, Simulation};
use carom::impact::Newton;
use carom::model::{
    Coordinate, Feature, Joint, Limits, Load, Model, ModelBuilder, Shape, Spring, Surface,
};
use carom::record::EventKind;
use carom::spatial::{Inertia, Pose};
use carom::state::State;
use nalgebra::Vector3;

const RTOL: f64 = 1e-11;

fn run(model: &Model, q: &[f64], v: &[f64], until: f64) -> Run {
    let state = State { t: 0.0, q: q.to_vec().into(), v: v.to_vec().into() };
    let options = Options { rtol: RTOL, output: Output::Steps, ..Options::default() };
    Simulation::new(model, state, Newton).options(options).run_until(until).expect("runs")
}

/// A mass of 2 kg on a slide along x with what acts on it.
fn slide(coordinate: Coordinate, force: f64) -> Model {
    let mut builder = ModelBuilder::new();
    let joint = Joint::prismatic("slide", Vector3::x_axis(), Pose::identity())
        .with_coordinates(vec![coordinate]);
    let mass = Inertia::point(2.0, Vector3::zeros()).unwrap();
    builder.add_body("mass", None, joint, mass).unwrap();
    builder.add_load(Load::Joint { dof: 0, torque: force }).unwrap();
    builder.build().unwrap()
}

fn dry(friction: f64, static_friction: f64) -> Coordinate {
    Coordinate { friction, static_friction, ..Coordinate::default() }
}

#[test]
fn an_oscillator_loses_twice_f_over_k_per_half_swing() {
    let (m, k, f) = (2.0_f64, 50.0, 1.5);
    let spring = Some(Spring { stiffness: k, rest: 0.0 });
    let model = slide(Coordinate { spring, ..dry(f, f) }, 0.0);
    let start = 0.4;
    let run = run(&model, &[start], &[0.0], 10.0);
    // x₀, −(x₀ − 2f/k), x₀ − 4f/k, … at multiples of π√(m/k), until |x| ≤ f/k.
    let half = std::f64::consts::PI * (m / k).sqrt();
    let mut x = start;
    let mut n = 0.0;
    let ends: Vec<_> = run
        .events()
        .iter()
        .filter(|e| matches!(e.kind, EventKind::SlipReversal | EventKind::SlipStop))
        .collect();
    while x.abs() > f / k {
        x = -(x - 2.0 * f / k * x.signum());
        n += 1.0;
        let event = ends[n as usize - 1];
        assert!((event.t - n * half).abs() < 1e-8, "{} for {}", event.t, n * half);
        assert!((event.q[0] - x).abs() < 1e-9, "{} for {x}", event.q[0]);
        let expected = if x.abs() > f / k { EventKind::SlipReversal } else { EventKind::SlipStop };
        assert_eq!(event.kind, expected);
    }
    assert!(n > 4.0 && ends.len() == n as usize);
    assert_eq!(run.events().last().map(|e| e.kind), Some(EventKind::Rest));
    assert!((run.state.q[0] - x).abs() < 1e-9 && run.state.v[0] == 0.0);
    let lost = 0.5 * k * (start * start - x * x);
    assert!((run.energy_lost() - lost).abs() < 1e-9 * lost.max(1.0));
    assert!(run.ledger.closure().abs() < 1e-9);
}

#[test]
fn static_friction_holds_up_to_its_limit() {
    let model = slide(dry(3.0, 5.0), 4.9);
    let held = run(&model, &[0.0], &[0.0], 1.0);
    assert_eq!((held.state.q[0], held.state.v[0]), (0.0, 0.0));
    // Beyond it the dynamic friction is what is left.
    let model = slide(dry(3.0, 5.0), 5.1);
    let moved = run(&model, &[0.0], &[0.0], 1.0);
    assert!((moved.state.v[0] - (5.1 - 3.0) / 2.0).abs() < 1e-9);
    assert!((moved.ledger.sites[0].sliding + 3.0 * moved.state.q[0]).abs() < 1e-9);
    // Moving, it is braked by the dynamic one and then held by the static one.
    let model = slide(dry(3.0, 5.0), 1.0);
    let stopped = run(&model, &[0.0], &[2.0], 5.0);
    let stop = stopped.events().iter().find(|e| e.kind == EventKind::SlipStop).expect("stops");
    assert!((stop.t - 2.0 / 1.0).abs() < 1e-9 && (stop.q[0] - 2.0).abs() < 1e-9);
}

#[test]
fn friction_of_joints_and_contacts_is_one_problem() {
    // A force pushes one slider against another: both move if it exceeds both frictions.
    let (c1, c2, m1, m2) = (2.0, 3.0, 1.5, 0.5);
    let build = |force: f64| {
        let mut builder = ModelBuilder::new();
        builder.gravity(Vector3::zeros()).unwrap();
        let mut body = |name: &str, x: f64, mass: f64, c: f64| {
            let at = Pose::translation(Vector3::new(x, 0.0, 0.0));
            let joint =
                Joint::prismatic(name, Vector3::x_axis(), at).with_coordinates(vec![dry(c, c)]);
            let inertia = Inertia::point(mass, Vector3::zeros()).unwrap();
            let body = builder.add_body(name, None, joint, inertia).unwrap();
            let shape = Shape::Sphere { radius: 0.1 };
            let feature =
                Feature { name: name.into(), body: Some(body), placement: Pose::identity(), shape };
            builder.add_feature(feature).unwrap()
        };
        let (a, b) = (body("a", 0.0, m1, c1), body("b", 0.2, m2, c2));
        let surface = Surface { restitution: 0.0, static_friction: 0.3, friction: 0.3 };
        builder.add_pair("ab", a, b, surface).unwrap();
        builder.add_load(Load::Joint { dof: 0, torque: force }).unwrap();
        builder.build().unwrap()
    };
    let held = run(&build(4.9), &[0.0; 2], &[0.0; 2], 1.0);
    assert!(held.state.v.amax() == 0.0 && held.state.q.amax() < 1e-15);
    let moved = run(&build(6.0), &[0.0; 2], &[0.0; 2], 1.0);
    let a = (6.0 - c1 - c2) / (m1 + m2);
    assert!((moved.state.v[0] - a).abs() < 1e-10 && (moved.state.v[1] - a).abs() < 1e-10);
    let push = moved.recording.forces.last().expect("samples")[0][2];
    assert!((push - (m2 * a + c2)).abs() < 1e-9, "{push}");
    assert!(moved.ledger.closure().abs() < 1e-10);
}

#[test]
fn what_is_bounded_has_no_impulse() {
    let limits = Some(Limits { lower: -1.0, upper: 0.1, restitution: 0.7 });
    let model = slide(Coordinate { limits, ..dry(4.0, 4.0) }, 0.0);
    let run = run(&model, &[0.0], &[3.0], 0.2);
    let hit = run.events().iter().find(|e| e.kind == EventKind::Impact).expect("hits");
    assert!((hit.v_post[0] + 0.7 * hit.v_pre[0]).abs() < 1e-13);
    let before = (9.0 - 2.0 * 4.0 / 2.0 * 0.1_f64).sqrt();
    assert!((hit.v_pre[0] - before).abs() < 1e-10);
}

#[test]
fn eq1_a_joint_at_its_stop_leaves_it_against_its_friction() {
    // A slider with dry friction f at its stop, and a mass on a spring k upon it that swings by d: pressed until k d sin = f.
    let (m, k, d, f) = (0.5_f64, 200.0, 0.1, 4.0);
    let limits = Some(Limits { lower: 0.0, upper: 1.0, restitution: 0.0 });
    let mut builder = ModelBuilder::new();
    builder.gravity(Vector3::zeros()).unwrap();
    let point = |mass| Inertia::point(mass, Vector3::zeros()).unwrap();
    let slide = |name: &str, coordinate| {
        let along = Vector3::x_axis();
        Joint::prismatic(name, along, Pose::identity()).with_coordinates(vec![coordinate])
    };
    let cart = slide("cart", Coordinate { limits, ..dry(f, f) });
    let cart = builder.add_body("cart", None, cart, point(2.0)).unwrap();
    let spring = Some(Spring { stiffness: k, rest: 0.0 });
    let mass = slide("mass", Coordinate { spring, ..Coordinate::default() });
    builder.add_body("mass", Some(cart), mass, point(m)).unwrap();
    let model = builder.build().unwrap();
    let run = run(&model, &[0.0, -d], &[0.0; 2], 0.2);
    let omega = (k / m).sqrt();
    let leaves = (-f / (k * d)).acos() / omega;
    let first = run.events().iter().find(|e| e.t > 0.0).expect("it leaves");
    assert_eq!(first.kind, EventKind::LiftOff);
    assert!((first.t - leaves).abs() < 1e-9, "{} for {leaves}", first.t);
    // Until then the stop carries what the spring presses with and the friction, to the end.
    let stop = 0;
    let times = run.recording.t.iter().zip(&run.recording.forces);
    let mut held = 0;
    for (t, forces) in times.filter(|(t, _)| **t > 0.0 && **t < leaves) {
        let load = k * d * (omega * t).cos() + f;
        assert!((forces[stop][2] - load).abs() < 1e-7, "{} for {load} at {t}", forces[stop][2]);
        held += 1;
    }
    assert!(
        held > 3 && run.statistics.rescues.iter().sum::<u64>() == 0,
        "{held} {:?}",
        run.statistics
    );
    assert!(run.ledger.closure().abs() < 1e-10);
}

#[test]
fn a_pendulum_swings_as_by_its_equation() {
    // J θ̈ = −m g l sin θ − c sgn θ̇: amplitudes by energy, m g l (cos θ₂ − cos θ₁) = −c (θ₁ + |θ₂|).
    let (m, l, c) = (1.2, 0.5, 0.6);
    let mut builder = ModelBuilder::new();
    let joint = Joint::revolute("pivot", Vector3::z_axis(), Pose::identity())
        .with_coordinates(vec![dry(c, c)]);
    let bob = Inertia::point(m, Vector3::new(0.0, -l, 0.0)).unwrap();
    builder.add_body("bob", None, joint, bob).unwrap();
    let model = builder.build().unwrap();
    let run = run(&model, &[2.0], &[0.0], 10.0);
    let weight = m * 9.81 * l;
    let turns: Vec<f64> = run
        .events()
        .iter()
        .filter(|e| matches!(e.kind, EventKind::SlipReversal | EventKind::SlipStop))
        .map(|e| e.q[0])
        .collect();
    let mut from = 2.0_f64;
    for (i, turn) in turns.iter().enumerate() {
        let left = weight * (turn.cos() - from.cos()) - c * (turn - from).abs();
        assert!(left.abs() < 1e-9, "swing {i}: {left:e}");
        from = *turn;
    }
    assert!(turns.len() >= 3 && from.sin().abs() * weight <= c);
    assert_eq!(run.events().last().map(|e| e.kind), Some(EventKind::Rest));
}
