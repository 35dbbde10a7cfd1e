//! Springs and dampers between points, constant loads, and prescribed bodies without mass.
#![allow(non_snake_case)]

mod support;

use carom::control::Prescribed;
use carom::dynamics::elements::{
    add_loads, add_spring_forces, point_damper_power, point_spring_energy,
};
use carom::dynamics::{Kinematics, integrate, kinematics};
use carom::hybrid::{Options, Output, SimError, Simulation};
use carom::impact::Newton;
use carom::model::{
    BodyPoint, Coordinate, Feature, Joint, Load, LoadAxes, Model, ModelBuilder, ModelError,
    PointSpring, Shape, Surface,
};
use carom::record::EventKind;
use carom::spatial::{Inertia, Pose};
use carom::state::State;
use nalgebra::Vector3;
use support::{Random, random_state};

const RTOL: f64 = 1e-11;

fn placed(model: &Model, q: &[f64], v: &[f64]) -> Kinematics {
    let mut kin = Kinematics::new(model);
    kinematics(model, q, v, &mut kin);
    kin
}

/// A chain of three bodies and a free one, with springs between random points.
fn chain(random: &mut Random) -> Model {
    let mut builder = ModelBuilder::new();
    let mut parent = None;
    let mut bodies = Vec::new();
    for name in ["a", "b", "c"] {
        let joint = Joint::revolute(name, random.axis(), random.pose());
        let body = builder.add_body(name, parent, joint, random.inertia()).unwrap();
        parent = Some(body);
        bodies.push(body);
    }
    let joint = Joint::new("d", carom::model::JointKind::Free, Pose::identity());
    bodies.push(builder.add_body("d", None, joint, random.inertia()).unwrap());
    let mut end = |body| BodyPoint { body, point: random.vector() };
    for (i, (a, b)) in [(Some(0), Some(2)), (Some(1), Some(3)), (None, Some(3))].iter().enumerate()
    {
        let body = |k: &Option<usize>| k.map(|k: usize| bodies[k]);
        let (a, b) = (end(body(a)), end(body(b)));
        let name = format!("s{i}");
        let (stiffness, rest, damping) = (20.0 + i as f64, 0.3, 0.7);
        builder.add_spring(PointSpring { name, a, b, stiffness, rest, damping }).unwrap();
    }
    let force = Vector3::new(1.0, -2.0, 0.5);
    for (k, axes) in [(2, LoadAxes::World), (3, LoadAxes::Body)] {
        let (body, point, moment) = (bodies[k], Vector3::new(0.1, 0.2, 0.3), force * 0.3);
        builder.add_load(Load::Body { body, point, force, moment, axes }).unwrap();
    }
    builder.build().unwrap()
}

#[test]
fn eq1_forces_are_the_gradient_of_the_energy() {
    for seed in 0..30 {
        let mut random = Random::new(seed);
        let model = chain(&mut random);
        let state = random_state(&mut random, &model);
        let (q, v) = (state.q.as_slice(), state.v.as_slice());
        let kin = placed(&model, q, v);
        let mut tau = vec![0.0; model.nv()];
        add_spring_forces(&model, &kin, &mut tau);
        // Power: what the springs do is what their energy loses and their dampers take.
        let energy = |h: f64| {
            let w: Vec<f64> = v.iter().map(|v| v * h).collect();
            let mut moved = vec![0.0; model.nq()];
            integrate::step(&model, q, &w, &mut moved);
            point_spring_energy(&model, &placed(&model, &moved, v))
        };
        let h = 1e-4;
        let slope =
            (8.0 * (energy(h) - energy(-h)) - (energy(2.0 * h) - energy(-2.0 * h))) / (12.0 * h);
        let power: f64 = tau.iter().zip(v).map(|(t, v)| t * v).sum();
        let size = slope.abs() + point_damper_power(&model, &kin) + 1.0;
        assert!((power + slope + point_damper_power(&model, &kin)).abs() < 1e-8 * size);
        // One coordinate at a time at rest: the gradient.
        let still = placed(&model, q, &vec![0.0; model.nv()]);
        tau.fill(0.0);
        add_spring_forces(&model, &still, &mut tau);
        for j in 0..model.nv() {
            let energy = |h: f64| {
                let mut w = vec![0.0; model.nv()];
                w[j] = h;
                let mut moved = vec![0.0; model.nq()];
                integrate::step(&model, q, &w, &mut moved);
                point_spring_energy(&model, &placed(&model, &moved, &vec![0.0; model.nv()]))
            };
            let slope = (8.0 * (energy(h) - energy(-h)) - (energy(2.0 * h) - energy(-2.0 * h)))
                / (12.0 * h);
            assert!((tau[j] + slope).abs() < 1e-8 * (1.0 + slope.abs()));
        }
    }
}

#[test]
fn loads_push_with_their_power() {
    for seed in 0..20 {
        let mut random = Random::new(seed);
        let model = chain(&mut random);
        let state = random_state(&mut random, &model);
        let (q, v) = (state.q.as_slice(), state.v.as_slice());
        let kin = placed(&model, q, v);
        let mut tau = vec![0.0; model.nv()];
        add_loads(&model, &kin, &mut tau);
        let power: f64 = tau.iter().zip(v).map(|(t, v)| t * v).sum();
        let of = |load: &Load| {
            let Load::Body { body, point, force, moment, axes } = load else { return 0.0 };
            let X = kin.pose(&model, *body);
            let twist = kin.twist_at(&model, *body, &X.point(point));
            let turned = |d: &Vector3<f64>| match axes {
                LoadAxes::World => *d,
                LoadAxes::Body => X.R * d,
            };
            turned(force).dot(&twist.v) + turned(moment).dot(&twist.w)
        };
        let expected: f64 = model.loads().iter().map(of).sum();
        assert!((power - expected).abs() < 1e-12 * (1.0 + expected.abs()));
    }
}

#[test]
fn eq2_the_ledger_closes() {
    let mut random = Random::new(7);
    let model = chain(&mut random);
    let state = random_state(&mut random, &model);
    let options = Options { rtol: RTOL, ..Options::default() };
    let run = Simulation::new(&model, state, Newton).options(options).run_until(1.0);
    let run = run.expect("runs");
    assert!(run.ledger.spring > 0.0 && run.ledger.damping < -1e-3 && run.ledger.applied != 0.0);
    assert!(run.statistics.worst_closure < 1e3 * RTOL * run.ledger.turnover());
}

/// A ball falls on a block that stands on a spring: clusters that join begin their books with what the spring holds.
#[test]
fn eq2_the_ledger_closes_where_clusters_join() {
    let mut builder = ModelBuilder::new();
    builder.gravity(Vector3::new(0.0, 0.0, -9.81)).unwrap();
    let mut ball = |name: &str, radius: f64| {
        let joint = Joint::new(name, carom::model::JointKind::Free, Pose::identity());
        let about = nalgebra::Matrix3::identity() * (0.4 * radius.powi(3));
        let inertia = Inertia::new(radius, Vector3::zeros(), about).unwrap();
        let body = builder.add_body(name, None, joint, inertia).unwrap();
        let shape = Shape::Sphere { radius };
        let name = name.to_string();
        let feature = Feature { name, body: Some(body), placement: Pose::identity(), shape };
        (body, builder.add_feature(feature).unwrap())
    };
    let (block, ball) = (ball("block", 0.1), ball("ball", 0.05));
    let surface = Surface { restitution: 0.5, static_friction: 0.3, friction: 0.3 };
    builder.add_pair("hit", block.1, ball.1, surface).unwrap();
    let end = |body| BodyPoint { body, point: Vector3::zeros() };
    let (a, b) = (end(Some(block.0)), end(None));
    let (stiffness, rest, damping) = (20.0, 0.5, 0.0);
    builder.add_spring(PointSpring { name: "s".into(), a, b, stiffness, rest, damping }).unwrap();
    let model = builder.build().unwrap();
    let mut state = State::neutral(&model);
    (state.q[2], state.q[9]) = (0.7, 1.0);
    let run = Simulation::new(&model, state, Newton).run_until(2.0).unwrap();
    assert_eq!(run.stop, carom::hybrid::Stop::ReachedEnd);
    assert!(run.statistics.impacts > 1 && run.ledger.spring > 0.0);
    let bound = 1e3 * 1e-9 * run.ledger.turnover();
    assert!(run.statistics.worst_closure < bound, "{:e}", run.statistics.worst_closure);
}

#[test]
fn two_masses_swing_at_their_frequency() {
    // Reduced mass μ: x(t) = x₀ cos √(k/μ) t about the rest length, the centre stays.
    let (m1, m2, k, rest) = (1.0, 3.0, 30.0, 0.5);
    let mut builder = ModelBuilder::new();
    builder.gravity(Vector3::zeros()).unwrap();
    let mut body = |name: &str, mass: f64| {
        let joint = Joint::new(name, carom::model::JointKind::Planar, Pose::identity());
        let about = nalgebra::Matrix3::identity() * 0.1;
        builder.add_body(name, None, joint, Inertia::new(mass, Vector3::zeros(), about).unwrap())
    };
    let (a, b) = (body("a", m1).unwrap(), body("b", m2).unwrap());
    let end = |body| BodyPoint { body: Some(body), point: Vector3::zeros() };
    let name = String::from("s");
    let (a, b) = (end(a), end(b));
    builder.add_spring(PointSpring { name, a, b, stiffness: k, rest, damping: 0.0 }).unwrap();
    let model = builder.build().unwrap();
    let mut state = State::neutral(&model);
    state.q[3] = rest + 0.1;
    let options = Options { rtol: RTOL, ..Options::default() };
    let run = Simulation::new(&model, state, Newton).options(options).run_until(1.3).unwrap();
    let w = (k * (m1 + m2) / (m1 * m2)).sqrt();
    let apart = run.state.q[3] - run.state.q[0];
    assert!((apart - rest - 0.1 * (w * 1.3).cos()).abs() < 1e-9);
    let center = (m1 * run.state.q[0] + m2 * run.state.q[3]) / (m1 + m2);
    assert!((center - m2 * (rest + 0.1) / (m1 + m2)).abs() < 1e-12);
}

const SHAKE: Prescribed = Prescribed {
    dof: 0,
    offset: 0.0,
    rate: 0.0,
    amplitude: 0.002,
    frequency: 25.0,
    phase: 0.0,
    added: None,
};

/// A ball above a table that shakes, with or without mass.
fn shaken(mass: Option<f64>) -> Result<Model, ModelError> {
    let mut builder = ModelBuilder::new();
    let prescribed = Coordinate { prescribed: true, ..Coordinate::default() };
    let shaker = Joint::prismatic("shaker", Vector3::y_axis(), Pose::identity())
        .with_coordinates(vec![prescribed]);
    let inertia =
        mass.map_or(Inertia::massless(), |m| Inertia::point(m, Vector3::zeros()).unwrap());
    let table = builder.add_body("table", None, shaker, inertia)?;
    let joint = Joint::new("ball", carom::model::JointKind::Planar, Pose::identity());
    let about = nalgebra::Matrix3::identity() * 1e-7;
    let ball = Inertia::new(0.01, Vector3::zeros(), about).unwrap();
    let ball = builder.add_body("ball", None, joint, ball)?;
    let normal = Vector3::y_axis();
    let mut feature = |name: &str, body, shape| {
        let (name, placement) = (name.into(), Pose::identity());
        builder.add_feature(Feature { name, body: Some(body), placement, shape })
    };
    let plane = feature("plane", table, Shape::HalfSpace { normal })?;
    let disk = feature("disk", ball, Shape::Disk { radius: 0.005 })?;
    let surface = Surface { restitution: 0.8, static_friction: 0.3, friction: 0.3 };
    builder.add_pair("ball-table", plane, disk, surface)?;
    builder.build()
}

#[test]
fn a_prescribed_body_needs_no_mass() {
    let run = |mass: Option<f64>| {
        let model = shaken(mass).expect("builds");
        let mut state = State::neutral(&model);
        state.q[2] = 0.008;
        state.v[0] = SHAKE.at(0.0)[1];
        let options = Options { rtol: RTOL, output: Output::Interval(0.01), ..Options::default() };
        let run = Simulation::new(&model, state, Newton).prescribe(SHAKE).options(options);
        run.run_until(0.25).expect("runs")
    };
    let (without, with) = (run(None), run(Some(3.0)));
    let hits = |run: &carom::hybrid::Run| -> Vec<f64> {
        let all = run.events().iter().filter(|e| e.kind == EventKind::Impact);
        all.map(|e| e.t).collect()
    };
    let (a, b) = (hits(&without), hits(&with));
    assert!(a.len() > 3 && a.len() == b.len());
    a.iter().zip(&b).for_each(|(a, b)| assert!((a - b).abs() < 1e-9, "{a} {b}"));
    // Its energy and the work of its drive are those of the ball alone.
    let kinetic = 0.5 * 0.01 * (without.state.v[1].powi(2) + without.state.v[2].powi(2));
    assert!((without.ledger.kinetic - kinetic).abs() < 1e-12);
    assert!(without.statistics.worst_closure < 1e-10);
}

#[test]
fn what_moves_nothing_needs_a_motion() {
    let model = shaken(None).expect("builds");
    let mut state = State::neutral(&model);
    state.q[2] = 0.008;
    let refused = Simulation::new(&model, state, Newton).run_until(0.1).expect_err("no motion");
    assert!(matches!(&refused.0, SimError::Undriven { joint } if joint == "shaker"));
}

#[test]
fn a_pull_that_grows_breaks_loose_at_the_limit() {
    // A carriage without mass draws a spring at constant speed: stick until k v t = c.
    let (k, c, speed) = (40.0, 5.0, 0.25);
    let mut builder = ModelBuilder::new();
    let along = |name: &str, coordinate| {
        Joint::prismatic(name, Vector3::x_axis(), Pose::identity())
            .with_coordinates(vec![coordinate])
    };
    let dry = Coordinate { friction: 3.0, static_friction: c, ..Coordinate::default() };
    let driven = Coordinate { prescribed: true, ..Coordinate::default() };
    let mass = Inertia::point(2.0, Vector3::zeros()).unwrap();
    let block = builder.add_body("block", None, along("block", dry), mass).unwrap();
    let carriage =
        builder.add_body("carriage", None, along("carriage", driven), Inertia::massless()).unwrap();
    let a = BodyPoint { body: Some(block), point: Vector3::zeros() };
    let b = BodyPoint { body: Some(carriage), point: Vector3::new(0.2, 0.0, 0.0) };
    let name = String::from("pull");
    builder.add_spring(PointSpring { name, a, b, stiffness: k, rest: 0.2, damping: 0.0 }).unwrap();
    let model = builder.build().unwrap();
    let motion = Prescribed { dof: 1, rate: speed, amplitude: 0.0, frequency: 0.0, ..SHAKE };
    let mut state = State::neutral(&model);
    state.v[1] = speed;
    let options = Options { rtol: RTOL, ..Options::default() };
    let run = Simulation::new(&model, state, Newton).prescribe(motion).options(options);
    let run = run.run_until(1.0).expect("runs");
    let start = run.events().iter().find(|e| e.kind == EventKind::SlipStart).expect("slips");
    assert!((start.t - c / (k * speed)).abs() < 1e-9, "{}", start.t);
    // Then m ẍ = k (v t − x) − 3.
    let (w, t0, t) = ((k / 2.0_f64).sqrt(), c / (k * speed), 1.0 - c / (k * speed));
    let x = speed * t - speed / w * (w * t).sin() + (c - 3.0) / k * (1.0 - (w * t).cos());
    assert!((run.state.q[0] - x).abs() < 1e-9 && t0 < 1.0);
    assert!(run.statistics.worst_closure < 1e-9);
}
