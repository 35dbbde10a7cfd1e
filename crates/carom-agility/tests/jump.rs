//! Jumps measured, and random postures on the ground.

use carom::contact::{site_state, sites};
use carom::dynamics::jacobian::{VelocityProducts, velocity_products};
use carom::dynamics::{Kinematics, kinematics};
use carom::hybrid::{Options, Output, Simulation};
use carom::impact::{Differential, Restitution};
use carom::model::{
    BodyId, Coordinate, Feature, Joint, JointKind, Model, ModelBuilder, Shape, Spring, Surface,
};
use carom::record::Recording;
use carom::spatial::{Inertia, Pose};
use carom::state::State;
use carom_agility::jump::start::uniform;
use carom_agility::{
    JumpMeasure, JumpOutcome, JumpPoint, JumpStart, JumpStartError, JumpWatch, Varied,
};
use nalgebra::{Matrix3, Vector3};

const LAW: Differential = Differential { restitution: Restitution::Energetic };
const NO_FRICTION: Surface = Surface { restitution: 0.0, friction: 0.0, static_friction: 0.0 };

fn feature(name: &str, body: Option<BodyId>, y: f64, shape: Shape) -> Feature {
    let placement = Pose::new(Matrix3::identity(), Vector3::new(0.0, y, 0.0));
    Feature { name: name.into(), body, placement, shape }
}

fn add_foot(builder: &mut ModelBuilder, foot: BodyId, y: f64) {
    let plane = Shape::HalfSpace { normal: Vector3::y_axis() };
    let ground = builder.add_feature(feature("ground", None, 0.0, plane)).unwrap();
    let sole = builder.add_feature(feature("sole", Some(foot), y, Shape::Point)).unwrap();
    builder.add_pair("sole", ground, sole, NO_FRICTION).unwrap();
}

/// A body of 1 kg on a spring of 100 N/m and 1 m length above a foot of 0.2 kg.
fn hopper() -> (Model, BodyId) {
    let mut builder = ModelBuilder::new();
    let rail = Joint::prismatic("rail", Vector3::y_axis(), Pose::identity());
    let mass = |m| Inertia::point(m, Vector3::zeros()).unwrap();
    let body = builder.add_body("body", None, rail, mass(1.0)).unwrap();
    let spring = Some(Spring { stiffness: 100.0, rest: -1.0 });
    let leg = Joint::prismatic("leg", Vector3::y_axis(), Pose::identity())
        .with_coordinates(vec![Coordinate { spring, ..Coordinate::default() }]);
    let foot = builder.add_body("foot", Some(body), leg, mass(0.2)).unwrap();
    add_foot(&mut builder, foot, 0.0);
    (builder.build().unwrap(), body)
}

/// The jump from rest at that height of the body, and its recording.
fn jump(height: f64) -> (JumpMeasure, Recording) {
    let (model, body) = hopper();
    let mut state = State::neutral(&model);
    (state.q[0], state.q[1]) = (height, -height);
    let point =
        JumpPoint { body, point: Vector3::zeros(), goal: Some(Vector3::y() * 9.0), feet: vec![0] };
    let mut watch = JumpWatch::new(&model, point);
    let options = Options { rtol: 1e-11, atol: 1e-13, ..Options::default() };
    let simulation = || Simulation::new(&model, state.clone(), LAW).options(options);
    let result = simulation().run_with(0.6, &mut watch);
    let recording = simulation().run_until(0.6).map_err(|f| f.0).unwrap().recording;
    (watch.finish(&result), recording)
}

#[test]
fn eq1_eq2_spring_jump() {
    let (m, recording) = jump(0.5);
    assert_eq!(m.outcome, JumpOutcome::Jumped);
    // About rest + 9.81/100 with ω = 10, until the spring pulls with the weight of the foot.
    let (middle, end): (f64, f64) = (1.0 - 0.0981, 1.0 + 0.2 * 0.0981);
    let stance = ((middle - end) / (middle - 0.5)).acos() / 10.0;
    assert!((m.stance - stance).abs() < 1e-9, "{} {stance}", m.stance);
    let top = recording.q.iter().fold(0.0_f64, |top, q| top.max(q[0]));
    assert!(m.rise >= top - 0.5);
    assert!((m.least_distance - (9.0 - top)).abs() < 1e-12);
    // The ground carries everything and the spring's push at the start.
    assert!((m.largest_force - (0.2 * 9.81 + 50.0)).abs() < 1e-9);
}

/// A body thrown up: (2) is v²/2g, which no sample hits, and height is a parabola, which the cubic holds exactly.
#[test]
fn eq2_the_apex_is_found_between_samples() {
    let mut builder = ModelBuilder::new();
    let rail = Joint::prismatic("rail", Vector3::y_axis(), Pose::identity());
    let mass = Inertia::point(1.0, Vector3::zeros()).unwrap();
    let body = builder.add_body("body", None, rail, mass).unwrap();
    add_foot(&mut builder, body, 0.0);
    let model = builder.build().unwrap();
    let mut state = State::neutral(&model);
    (state.q[0], state.v[0]) = (0.1, 2.0);
    let point = JumpPoint { body, point: Vector3::zeros(), goal: None, feet: vec![0] };
    let mut watch = JumpWatch::new(&model, point);
    let options = Options { output: Output::Interval(0.13), ..Options::default() };
    let result = Simulation::new(&model, state, LAW).options(options).run_with(0.35, &mut watch);
    let rise = watch.finish(&result).rise;
    let exact = 4.0 / (2.0 * 9.81);
    assert!((rise - exact).abs() < 1e-12, "{rise} {exact}");
}

#[test]
fn eq4_gain() {
    let (m, _) = jump(0.5);
    assert!(m.applied == 0.0 && m.gain <= m.closure && m.closure < 1e-9 * m.energy);
    assert!(m.energy > 0.5 * 9.81);
}

#[test]
fn classes() {
    assert_eq!(jump(1.0 - 0.0981).0.outcome, JumpOutcome::KeptContact);
    let (m, _) = jump(1.1);
    assert_eq!((m.outcome, m.stance), (JumpOutcome::AtOnce, 0.0));
    for outcome in JumpOutcome::ALL {
        assert_eq!(JumpOutcome::of_word(outcome.word()), Some(outcome));
    }
}

/// A body on two links in the plane, or nailed to the world.
fn leg(kind: JointKind) -> Model {
    let mut builder = ModelBuilder::new();
    let base = Joint::new("base", kind, Pose::identity());
    let bar = |l: f64| {
        let moments = Matrix3::from_diagonal_element(0.01);
        Inertia::new(1.0, Vector3::new(0.0, -l / 2.0, 0.0), moments).unwrap()
    };
    let body = builder.add_body("body", None, base, bar(0.0)).unwrap();
    let below = Pose::new(Matrix3::identity(), Vector3::new(0.0, -0.5, 0.0));
    let hip = Joint::revolute("hip", Vector3::z_axis(), Pose::identity());
    let thigh = builder.add_body("thigh", Some(body), hip, bar(0.5)).unwrap();
    let knee = Joint::revolute("knee", Vector3::z_axis(), below);
    let shank = builder.add_body("shank", Some(thigh), knee, bar(0.4)).unwrap();
    add_foot(&mut builder, shank, -0.4);
    builder.build().unwrap()
}

fn ranges(model: &Model) -> Vec<Varied> {
    let n = model.nq();
    let varied = |name: &str, q, from, to| Varied { name: name.into(), q, from, to };
    vec![varied("hip", n - 2, -3.0, 3.0), varied("knee", n - 1, -2.0, 2.0)]
}

#[test]
fn postures_stand_on_the_ground() {
    let model = leg(JointKind::Planar);
    let sites = sites(&model);
    let mut start = JumpStart::new(&model, &sites[0], ranges(&model), 5).unwrap();
    let mut kin = Kinematics::new(&model);
    let mut products = VelocityProducts::new(&model);
    let mut state = State::neutral(&model);
    for sample in 0..200 {
        start.draw(sample, &mut state).unwrap();
        let (q, v) = (state.q.as_slice(), state.v.as_slice());
        kinematics(&model, q, v, &mut kin);
        velocity_products(&model, &kin, &mut products);
        let s = site_state(&model, &sites[0], (&kin, &products), (q, v));
        assert!(s.gap.abs() <= 4.0 * f64::EPSILON, "{:e}", s.gap);
        assert!(kin.links.iter().all(|l| l.o.y >= 0.0));
        let [hip, knee] = [q[q.len() - 2], q[q.len() - 1]];
        assert!(hip.abs() <= 3.0 && knee.abs() <= 2.0);
    }
}

#[test]
fn eq1_samples_do_not_depend_on_order() {
    let model = leg(JointKind::Planar);
    let sites = sites(&model);
    let draw = |order: &[u64]| {
        let mut start = JumpStart::new(&model, &sites[0], ranges(&model), 5).unwrap();
        let mut found = vec![Vec::new(); order.len()];
        for &sample in order {
            let mut state = State::neutral(&model);
            start.draw(sample, &mut state).unwrap();
            found[sample as usize] = state.q.as_slice().to_vec();
        }
        found
    };
    assert_eq!(draw(&[0, 1, 2, 3, 4]), draw(&[3, 1, 4, 0, 2]));
    // Uniform: the mean of n numbers is ½ ± 3/√(12 n), and neighbours are independent.
    let n = 20_000;
    let of = |i| uniform([1, i, 0, 0]) - 0.5;
    let mean = (0..n).map(of).sum::<f64>() / n as f64;
    let both = (0..n).map(|i| of(i) * of(i + 1)).sum::<f64>() / n as f64;
    assert!(mean.abs() < 3.0 / (12.0 * n as f64).sqrt(), "{mean}");
    assert!(both.abs() < 3.0 / (12.0 * (n as f64).sqrt()), "{both}");
}

#[test]
fn bad_studies() {
    let fixed = leg(JointKind::Fixed);
    let site = &sites(&fixed)[0];
    let found = JumpStart::new(&fixed, site, ranges(&fixed), 1);
    assert!(matches!(found, Err(JumpStartError::NotFree { .. })));
    let model = leg(JointKind::Planar);
    // Knee straight up: the shank's foot would be above the hip.
    let n = model.nq();
    let up = Varied { name: "hip".into(), q: n - 2, from: 3.0, to: 3.1 };
    let mut start = JumpStart::new(&model, &sites(&model)[0], vec![up], 1).unwrap();
    let found = start.draw(0, &mut State::neutral(&model));
    assert!(matches!(found, Err(JumpStartError::NoPosture { sample: 0, .. })));
}
