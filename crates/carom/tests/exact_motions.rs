//! Exact: motions with closed forms, cited in each test, at rtol 1e-10.
#![allow(non_snake_case)]

mod support;

use carom::control::Prescribed;
use carom::hybrid::{Method, Options, Run, Simulation, Stop};
use carom::impact::{Differential, ImpactLaw, Newton, Restitution, Sequence};
use carom::model::{BodyId, Coordinate, Joint, JointKind, Model, Shape, Spring, Surface};
use carom::record::EventKind;
use carom::spatial::Pose;
use carom::state::State;
use nalgebra::{Unit, Vector3};
use support::worlds::{
    G, World, block_on_incline, cradle, disk_on_incline, double_pendulum, planar_inertia,
};

fn options() -> Options {
    Options { rtol: 1e-10, atol: 1e-12, ..Options::default() }
}

fn energetic() -> Differential {
    Differential { restitution: Restitution::Energetic }
}

#[track_caller]
fn run(model: &Model, state: State, law: impl ImpactLaw, end: f64) -> Run {
    let run = Simulation::new(model, state, law).options(options()).run_until(end);
    let run = run.unwrap_or_else(|e| panic!("{}", e.0));
    assert_eq!(run.stop, Stop::ReachedEnd);
    run
}

#[test]
fn block_above_the_friction_angle_stays_exactly() {
    let slope = 30_f64.to_radians();
    let (model, state) = block_on_incline(slope, 1.01 * slope.tan());
    let start = state.clone();
    let run = run(&model, state, energetic(), 10.0);
    assert_eq!(run.state.q, start.q, "no creep at all");
    assert_eq!(run.state.v.amax(), 0.0);
    let kinds: Vec<_> = run.events().iter().map(|e| e.kind).collect();
    assert_eq!(kinds, [EventKind::Touch, EventKind::Rest]);
}

#[test]
fn block_below_the_friction_angle_slides() {
    // s = ½ g sin α (1 − 0.99) t².
    let slope = 30_f64.to_radians();
    let (model, state) = block_on_incline(slope, 0.99 * slope.tan());
    let start = state.clone();
    let run = run(&model, state, energetic(), 10.0);
    let slid = (run.state.q[0] - start.q[0]).hypot(run.state.q[1] - start.q[1]);
    assert!((slid - 2.4525).abs() < 1e-9, "{slid}");
    assert_eq!(run.events().len(), 1, "{:?}", run.events());
}

#[test]
fn disk_rolls_above_the_critical_friction_and_slips_below() {
    // Rolling: a = g sin α/(1 + k), needs μ ≥ tan α k/(1 + k). Slipping: a = g (sin α − μ cos α),
    // α̈ r = μ g cos α/k.
    let (slope, k) = (20_f64.to_radians(), 0.5);
    let critical = slope.tan() * k / (1.0 + k);
    for (mu, rolls) in [(1.001 * critical, true), (0.999 * critical, false), (0.05, false)] {
        let (model, state) = disk_on_incline(slope, mu, k);
        let (x0, y0) = (state.q[0], state.q[1]);
        let run = run(&model, state, energetic(), 2.0);
        let a =
            if rolls { G * slope.sin() / (1.0 + k) } else { G * (slope.sin() - mu * slope.cos()) };
        let spin = if rolls { a / 0.5 } else { mu * G * slope.cos() / (k * 0.5) };
        let path = (run.state.q[0] - x0).hypot(run.state.q[1] - y0);
        assert!((path - 2.0 * a).abs() < 1e-10 * 2.0 * a, "{path}");
        assert!((run.state.v[2] + 2.0 * spin).abs() < 1e-10 * 2.0 * spin);
        assert_eq!(run.events().len(), 1, "{:?}", run.events());
        let expected = 2.0 * G * slope.cos();
        for forces in &run.recording.forces[1..] {
            assert!((forces[0][2] - expected).abs() < 1e-9, "{forces:?}");
        }
    }
}

#[test]
fn double_pendulum_first_impact() {
    // Time from an independent integration at 1e-13, ANCHORS of the project.
    let (model, state) = double_pendulum(0.0, 0.57);
    let run = run(&model, state, energetic(), 10.0);
    let first = run.events().iter().find(|e| e.kind == EventKind::Impact).unwrap();
    assert!((first.t - 0.5153528907774).abs() < 1e-11, "{:.14}", first.t);
    assert_eq!(run.state.v.amax(), 0.0);
    assert_eq!(run.events().last().unwrap().kind, EventKind::Rest);
    println!(
        "energetic: rests at {} s with {} J",
        run.events().last().unwrap().t,
        run.ledger.stored()
    );
}

#[test]
fn double_pendulum_rests_where_others_found_it() {
    // With Newton's law two independent tools rest at 62.44 J, potential counted from the floor.
    let (model, state) = double_pendulum(0.0, 0.57);
    let run = run(&model, state, Newton, 10.0);
    println!(
        "newton: rests at {} s with {} J",
        run.events().last().unwrap().t,
        run.ledger.stored()
    );
    assert!((run.ledger.stored() - 62.44).abs() < 0.005, "{}", run.ledger.stored());
}

#[test]
fn newtons_cradle_by_both_rules() {
    let (model, state) = cradle(5, 1.0);
    let one = run(&model, state.clone(), Sequence::new(energetic()), 2.0);
    for (v, exact) in one.state.v.iter().zip([0.0, 0.0, 0.0, 0.0, 1.0]) {
        assert!((v - exact).abs() < 1e-12, "{:?}", one.state.v);
    }
    let together = run(&model, state, energetic(), 0.6);
    for (v, exact) in together.state.v.iter().zip([-0.6, 0.4, 0.4, 0.4, 0.4]) {
        assert!((v - exact).abs() < 1e-12, "{:?}", together.state.v);
    }
}

#[test]
fn free_flight_keeps_its_energy() {
    for seed in 0..20 {
        let mut random = support::Random::new(seed);
        let model = support::undamped_tree(&mut random, 12);
        let state = support::random_state(&mut random, &model);
        let run = run(&model, state, energetic(), 10.0);
        let drift =
            run.recording.stored.iter().fold(0.0_f64, |d, e| d.max((e - run.ledger.initial).abs()));
        let scale = run.ledger.initial.abs().max(run.ledger.kinetic);
        assert!(drift < 1e-9 * scale, "seed {seed}: {drift:e} of {scale}");
    }
}

/// A block on a shaken table, tied to it by a spring: while it sticks at r of the table, (m + m') s̈ + k r is what friction
/// holds, so that the slip starts where that reaches μs m g. The quick method finds it as well as the high one.
#[test]
fn a_slip_starts_when_the_table_asks_too_much() {
    let [m, slide, k, still] = [0.0026, 0.001, 2.0, 0.3];
    let shake = Prescribed { dof: 0, amplitude: 0.5, frequency: 2.0, ..Prescribed::default() };
    let mut world = World::new();
    world.builder.gravity(Vector3::new(0.0, -386.0, 0.0)).unwrap();
    let mut link = |name: &str, parent: Option<BodyId>, axis, mass: f64, spring| {
        let kind = JointKind::Prismatic { axis };
        let joint = Joint::new(format!("{name}.joint"), kind, Pose::identity());
        let joint = joint.with_coordinates(vec![Coordinate { spring, ..Coordinate::default() }]);
        world.builder.add_body(name, parent, joint, planar_inertia(mass, mass)).unwrap()
    };
    let table = link("table", None, Vector3::x_axis(), 1.0, None);
    let spring = Spring { stiffness: k, rest: 0.0 };
    let slider = link("slide", Some(table), Vector3::x_axis(), slide, Some(spring));
    let block = link("block", Some(slider), Vector3::y_axis(), m, None);
    let normal = Unit::new_normalize(Vector3::y());
    let top = world.shape(Some(table), Vector3::zeros(), Shape::HalfSpace { normal });
    let sole = world.shape(Some(block), Vector3::zeros(), Shape::Point);
    let surface = Surface { restitution: 0.0, static_friction: still, friction: 0.2 };
    world.touch(top, sole, surface);
    let model = world.build();
    for method in [Method::DormandPrince, Method::Dop853] {
        let mut state = State::neutral(&model);
        (state.v[0], state.v[1]) = (shake.at(0.0)[1], -shake.at(0.0)[1]);
        let options = Options { method: Some(method), rtol: 1e-12, atol: 1e-14, ..options() };
        let run = Simulation::new(&model, state, Newton).prescribe(shake.clone()).options(options);
        let run = run.run_until(2.0).unwrap_or_else(|e| panic!("{}", e.0));
        let (mut r, mut stopped, mut starts) = (0.0, 0.0, 0);
        for event in run.events() {
            if event.kind == EventKind::SlipStop {
                (r, stopped) = (event.q[1], event.t);
            }
            if event.kind != EventKind::SlipStart {
                continue;
            }
            let margin = |t: f64| still * m * 386.0 - ((m + slide) * shake.at(t)[2] + k * r).abs();
            let (mut low, mut high) = (event.t - 1e-4, event.t + 1e-4);
            assert!(margin(low) > 0.0 && margin(high) < 0.0 && low > stopped);
            for _ in 0..60 {
                let middle = 0.5 * (low + high);
                *(if margin(middle) > 0.0 { &mut low } else { &mut high }) = middle;
            }
            assert!((event.t - low).abs() < 1e-12, "{method:?}: {} and {low}", event.t);
            starts += 1;
        }
        assert!(starts >= 3, "{method:?}: {starts}");
    }
}
