//! What the readers make of files.

#![allow(non_snake_case)]

use carom::dynamics::{CompositeScratch, Kinematics, kinematics, mass_matrix};
use carom::impact::{Formulation, LawChoice};
use carom::model::{BodyId, JointKind, Model, Shape};
use carom::spatial::rotation;
use carom_scene::{Caution, CombineRule, LawWords, Scene, Space, ValueOrigin};
use nalgebra::{DMatrix, Vector3};
use std::f64::consts::{FRAC_PI_2, PI};
use std::path::{Path, PathBuf};

fn file(name: &str) -> PathBuf {
    let here = Path::new(env!("CARGO_MANIFEST_DIR"));
    if name.starts_with("scenes/") {
        here.join("../..").join(name)
    } else {
        here.join("tests/good").join(name)
    }
}

fn load(name: &str) -> Scene {
    Scene::load(file(name)).unwrap_or_else(|e| panic!("{}", e.report()))
}

fn parse(text: &str) -> Scene {
    Scene::parse(text, "test.toml").unwrap_or_else(|e| panic!("{}", e.report()))
}

fn body(model: &Model, name: &str) -> BodyId {
    model.body_named(name).unwrap_or_else(|| panic!("no body {name}"))
}

/// The coordinate of a joint.
fn q(scene: &Scene, joint: &str) -> f64 {
    scene.initial.q[scene.model.q_range(scene.model.body_behind(joint).unwrap()).start]
}

fn v(scene: &Scene, joint: &str) -> f64 {
    scene.initial.v[scene.model.v_range(scene.model.body_behind(joint).unwrap()).start]
}

fn near(a: f64, b: f64) {
    assert!((a - b).abs() <= 1e-14 * a.abs().max(b.abs()).max(1.0), "{a} {b}");
}

#[test]
fn the_ball_of_the_readme() {
    let scene = load("scenes/ball.toml");
    let model = &scene.model;
    assert_eq!((model.nq(), model.nv(), scene.space), (7, 6, Space::Spatial));
    assert_eq!(scene.initial.q.as_slice(), [0.0, 0.0, 1.05, 1.0, 0.0, 0.0, 0.0]);
    let ball = &model.bodies()[0];
    assert_eq!((ball.name.as_str(), ball.inertia.mass), ("ball", 0.1));
    near(ball.inertia.about_com[(0, 0)], 0.4 * 0.1 * 0.05 * 0.05);
    assert_eq!(model.bodies()[1].joint.kind, JointKind::Fixed);
    let pair = &model.pairs()[0];
    assert_eq!(pair.name, "ball-ground");
    assert_eq!(model.feature(pair.a).shape, Shape::HalfSpace { normal: Vector3::z_axis() });
    assert_eq!(model.feature(pair.b).shape, Shape::Sphere { radius: 0.05 });
    let s = pair.surface;
    assert_eq!((s.restitution, s.friction, s.static_friction), (0.5, 0.3, 0.3));
    assert_eq!(scene.law, LawChoice::default());
    assert_eq!(scene.hash.len(), 64);
    assert!(scene.warnings.is_empty());
}

/// Bars of length L and width w: M of the dissertation at q₂ = 0,
/// M₂₂ = I + m(L/2)², M₁₂ = M₂₂ + m L·L/2, M₁₁ = I + m(L/2)² + mL² + M₂₂ + 2·m L·L/2.
#[test]
fn the_double_pendulum_has_its_mass_matrix() {
    let scene = load("scenes/double_pendulum.toml");
    let (m, l, w) = (4.04, 1.0_f64, 0.05_f64);
    let i = m * (l * l + w * w) / 12.0;
    let m22 = i + m * l * l / 4.0;
    let m12 = m22 + m * l * l / 2.0;
    let m11 = i + m * l * l / 4.0 + m * l * l + m22 + m * l * l;
    let model = &scene.model;
    let mut kin = Kinematics::new(model);
    kinematics(model, scene.initial.q.as_slice(), scene.initial.v.as_slice(), &mut kin);
    let mut M = DMatrix::zeros(2, 2);
    mass_matrix(model, &kin, &mut CompositeScratch::new(model), &mut M);
    for (found, exact) in [(M[(0, 0)], m11), (M[(0, 1)], m12), (M[(1, 0)], m12), (M[(1, 1)], m22)] {
        near(found, exact);
    }
    assert_eq!(scene.space, Space::Planar);
    assert_eq!(model.pairs()[0].name, "tip");
}

#[test]
fn density_gives_the_same_bars() {
    let by_mass = parse("space = \"planar\"\n[body.a]\nmass = 4.04\nshape = { box = [1.0, 0.05] }");
    let by_density = parse(
        "space = \"planar\"\n[body.a]\ndensity = 8080\ndepth = 0.01\nshape = { box = [1.0, 0.05] }",
    );
    let (a, b) = (by_mass.model.bodies()[0].inertia, by_density.model.bodies()[0].inertia);
    near(a.mass, b.mass);
    near(a.about_com[(2, 2)], b.about_com[(2, 2)]);
}

#[test]
fn shapes_in_space() {
    let scene = load("bodies.toml");
    let model = &scene.model;
    let mass = |name: &str| model.body(body(model, name)).inertia.mass;
    near(mass("sphere"), 1000.0 * 4.0 / 3.0 * PI * 1e-3);
    near(mass("box"), 500.0 * 0.3 * 0.2 * 0.1);
    near(mass("rod"), 7800.0 * 1e-4);
    near(mass("disk"), 1000.0 * PI * 0.09 * 0.01);
    near(mass("ellipsoid"), 1000.0 * 4.0 / 3.0 * PI * 0.006);
    near(mass("cylinder"), 1000.0 * PI * 0.01 * 0.3);
    near(mass("capsule"), 1000.0 * (PI * 0.01 * 0.3 + 4.0 / 3.0 * PI * 1e-3));
    // The box is turned by 45° in its body: equal moments about x and y, and a product between.
    let block = model.body(body(model, "box")).inertia;
    assert_eq!(block.com, Vector3::new(0.0, 0.0, 0.1));
    near(block.about_com[(0, 0)], block.about_com[(1, 1)]);
    near(block.about_com[(0, 1)], -block.mass * (0.09 - 0.04) / 24.0);
    let names: Vec<&str> = model.pairs().iter().map(|p| p.name.as_str()).collect();
    assert_eq!(
        names,
        [
            "cylinder-ground",
            "boxes",
            "capsule-ground",
            "ellipsoid-ground",
            "sphere-wall",
            "top.tip-ground",
            "top.edge-ground"
        ]
    );
    let can = model.feature(model.feature_named("cylinder").unwrap());
    assert_eq!(can.shape, Shape::Cylinder { radius: 0.1, half_length: 0.15 });
    // One friction means both, also from the side.
    let boxes = model.pairs()[1].surface;
    assert_eq!((boxes.static_friction, boxes.friction), (0.4, 0.4));
}

#[test]
fn starts_of_free_bodies() {
    let scene = load("bodies.toml");
    let model = &scene.model;
    let of = |name: &str| {
        let id = body(model, name);
        (
            &scene.initial.q.as_slice()[model.q_range(id)],
            &scene.initial.v.as_slice()[model.v_range(id)],
        )
    };
    // Angular velocity is stated in the world and kept in the body frame.
    let (q, v) = of("sphere");
    let R = rotation::from_rpy(10f64.to_radians(), 20f64.to_radians(), 30f64.to_radians());
    let Q = rotation::to_quaternion(&R);
    assert_eq!(q[..3], [0.0, 0.0, 1.0]);
    (0..4).for_each(|i| near(q[3 + i], Q[i]));
    let w = R.transpose() * Vector3::new(0.0, 0.0, 6.0);
    assert_eq!(v[..3], [1.0, 0.0, 0.0]);
    (0..3).for_each(|i| near(v[3 + i], w[i]));
    // Axis and angle, and the quaternion as it is.
    let (q, _) = of("box");
    let half = FRAC_PI_2 / 2.0;
    near(q[3], half.cos());
    near(q[4], half.sin() / 2f64.sqrt());
    assert_eq!(of("rod").0[3..], [0.5, 0.5, 0.5, 0.5]);
    // A planar joint in space, and a spherical one.
    assert_eq!(of("puck").0, [0.5, 0.5, 1.0]);
    assert_eq!(of("puck").1, [0.0, 1.0, 2.0]);
    let (q, v) = of("top");
    near(q[0], 10f64.to_radians().cos());
    near(v[0], -50.0 * 20f64.to_radians().sin());
    near(v[2], 50.0 * 20f64.to_radians().cos());
}

#[test]
fn joints_inline_and_apart_are_the_same() {
    let inline = parse(
        "space = \"planar\"\n[body.a]\nmass = 1\ninertia = 1\n\
         joint = { name = \"j\", type = \"revolute\", position = [1, 2], initial = \"30deg\", damping = 2 }",
    );
    let apart = parse(
        "space = \"planar\"\n[joint.j]\ntype = \"revolute\"\nchild = \"a\"\nposition = [1, 2]\n\
         initial = \"30deg\"\ndamping = 2\n[body.a]\nmass = 1\ninertia = 1",
    );
    assert_eq!(inline.model, apart.model);
    assert_eq!(inline.initial, apart.initial);
}

#[test]
fn what_acts_on_a_joint() {
    let scene = load("oscillator.toml");
    let model = &scene.model;
    let c = model.coordinates();
    let spring = c[0].spring.unwrap();
    assert_eq!((spring.stiffness, spring.rest, c[0].damping), (100.0, 0.1, 0.5));
    let limits = c[0].limits.unwrap();
    assert_eq!((limits.lower, limits.upper, limits.restitution), (-1.0, 0.8, 0.3));
    assert_eq!((q(&scene, "slide"), v(&scene, "slide")), (0.3, -0.2));
    let limits = c[1].limits.unwrap();
    near(limits.lower, -PI / 6.0);
    near(limits.upper, PI / 6.0);
    assert_eq!((c[1].effort, c[1].ratio, c[1].rotor_inertia), (3.0, 0.1, 1e-5));
    // Unstated: angle 0 = ratio × q + offset.
    near(q(&scene, "swing"), -(5f64.to_radians()) / 0.1);
    assert_eq!(scene.options.output.interval, Some(0.01));
    assert!(scene.options.output.csv);
}

#[test]
fn an_unstated_start_respects_the_limits() {
    let scene = parse(
        "[body.a]\nmass = 1\nshape = { sphere = 1 }\njoint = { type = \"revolute\", limits = [0.5, 1] }",
    );
    assert_eq!(scene.initial.q[0], 0.5);
}

#[test]
fn motors_and_followers() {
    let text = "[body.a]\nmass = 1\nshape = { sphere = 1 }\n\
                joint = { name = \"lead\", type = \"revolute\", ratio = 0.5, offset = 0.1 }\n\
                [body.b]\nmass = 1\nshape = { sphere = 1 }\n\
                joint = { name = \"follow\", type = \"revolute\", parent = \"a\", ratio = 2, mimic = { joint = \"lead\", ratio = 3, offset = 0.2 } }\n\
                [initial]\nmotor = { lead = 4 }\nmotor_rate = { lead = 1 }";
    let scene = parse(text);
    assert_eq!(q(&scene, "lead"), 4.0);
    // Leader's angle 0.5 × 4 + 0.1 = 2.1; follower's 3 × 2.1 + 0.2 = 6.5 = 2 q.
    near(q(&scene, "follow"), 3.25);
    near(v(&scene, "follow"), 3.0 * 0.5 / 2.0);
    let tie = scene.model.couplings()[0];
    assert_eq!((tie.follower, tie.leader, tie.ratio, tie.offset), (1, 0, 3.0, 0.2));
}

#[test]
fn the_bicycle() {
    let scene = load("bicycle.toml");
    let model = &scene.model;
    assert_eq!(model.nv(), 5);
    near(v(&scene, "front"), 10f64.to_radians());
    let wedge = model.feature(model.feature_named("wedge").unwrap());
    let Shape::HalfSpace { normal } = wedge.shape else { panic!("{wedge:?}") };
    // Falls toward +x: the normal leans toward +x.
    near(normal.x, 20f64.to_radians().sin());
    near(normal.y, 20f64.to_radians().cos());
    near(model.body(body(model, "rear")).inertia.about_com[(2, 2)], 0.125);
    let side = ValueOrigin::Side { feature: "rear".into() };
    assert_eq!(
        (&scene.pairs[0].restitution, &scene.pairs[0].friction),
        (&ValueOrigin::Pair, &side)
    );
    let words = LawWords::of(&scene.law);
    assert_eq!((words.formulation, words.energy_control[0].0), ("dissipation", "constraint"));
    assert_eq!(scene.options.hybrid().method(), carom::hybrid::Method::Rk4 { step: 1e-3 });
}

#[test]
fn rules_combine_two_sides() {
    let scene = load("cradle.toml");
    let combined = ValueOrigin::Combined { rule: CombineRule::Min, a: 1.0, b: 1.0 };
    assert_eq!(scene.pairs[0].restitution, combined);
    assert_eq!(scene.pairs[0].law, None);
    let law = scene.pairs[1].law.as_ref().unwrap();
    assert_eq!((law.formulation.as_str(), law.several.as_str()), ("newton", "sequential"));
    assert_eq!(scene.law.formulation, Formulation::Poisson);
    for (rule, value) in [
        (CombineRule::Mean, 0.5),
        (CombineRule::Geometric, 0.4),
        (CombineRule::Product, 0.16),
        (CombineRule::Min, 0.2),
        (CombineRule::Max, 0.8),
    ] {
        near(rule.apply(0.2, 0.8), value);
        assert_eq!(CombineRule::from_word(rule.word()), Some(rule));
    }
}

#[test]
fn overrides_change_any_value() {
    let with = |set: &[&str]| {
        Scene::load_with(file("scenes/ball.toml"), set).map_err(|e| e.report()).unwrap()
    };
    let plain = with(&[]);
    let changed = with(&[
        "body.ball.mass = 0.2",
        "gravity.2=-1.62",
        "contact.0.restitution=0.9",
        "law.formulation=newton",
        "solver.rtol=1e-6",
        "body.\"ball\".position=[0, 0, 3]",
        "body.\"b.2\"={ mass = 1, shape = { sphere = 1 }, position = [9, 0, 9] }",
    ]);
    assert_eq!(changed.model.bodies()[0].inertia.mass, 0.2);
    assert_eq!(changed.model.gravity(), Vector3::new(0.0, 0.0, -1.62));
    assert_eq!(changed.model.pairs()[0].surface.restitution, 0.9);
    assert_eq!(changed.law.formulation, Formulation::Newton);
    assert_eq!(changed.options.solver.rtol, 1e-6);
    assert_eq!(changed.initial.q[2], 3.0);
    assert!(changed.model.body_named("b.2").is_some());
    assert_ne!(plain.hash, changed.hash);
    assert_eq!(plain.hash, with(&[]).hash);
}

#[test]
fn a_robot_given_as_a_scene() {
    let fixed = load("robot.urdf");
    assert_eq!(fixed.model.nv(), 1 + 1 + 1 + 3 + 6);
    let free = Scene::load_with(file("robot.urdf"), &["urdf.0.floating_base=true"]).unwrap();
    assert_eq!(free.model.nv(), fixed.model.nv() + 6);
    let planar = Scene::load_with(file("robot.urdf"), &["urdf.0.floating_base=planar"]).unwrap();
    assert_eq!(planar.model.nv(), fixed.model.nv() + 3);
    assert_eq!(free.model.body(body(&free.model, "base")).joint.kind, JointKind::Free);
}

#[test]
fn parts_of_a_robot() {
    let scene = load("robot.urdf");
    let model = &scene.model;
    // The inertia frame is turned by 90° about z: xx and yy change places, xy changes its sign.
    let base = model.body(body(model, "base")).inertia;
    assert_eq!((base.mass, base.com), (2.0, Vector3::new(0.1, 0.0, 0.0)));
    for (at, value) in [((0, 0), 0.2), ((1, 1), 0.1), ((0, 1), -0.01), ((2, 2), 0.25)] {
        near(base.about_com[at], value);
    }
    let wheel = model.body(body(model, "wheel"));
    assert_eq!(wheel.joint.kind, JointKind::Revolute { axis: Vector3::z_axis() });
    let c = wheel.joint.coordinates[0];
    assert_eq!((c.limits, c.effort, c.damping, c.friction), (None, 5.0, 0.1, 0.02));
    // A continuous joint has no limits; a prismatic one starts inside its own.
    assert_eq!(q(&scene, "lift"), 0.1);
    near(q(&scene, "follow"), 2.0 * 0.1 + 0.5);
    assert_eq!(model.body(body(model, "dummy")).joint.kind, JointKind::Fixed);
    assert_eq!(model.body(body(model, "balloon")).joint.kind, JointKind::Free);
}

/// A planar joint across x moves in y and z and turns about x.
#[test]
fn a_planar_joint_moves_across_its_axis() {
    let mut scene = load("robot.urdf");
    let model = &scene.model;
    let id = model.body_behind("glide").unwrap();
    let at = model.q_range(id).start;
    let skate = body(model, "skate");
    let mut kin = Kinematics::new(model);
    for (shift, turn) in [([0.3_f64, 0.0], 0.0), ([0.0, 0.4], 0.0), ([0.2, 0.1], 0.7)] {
        scene.initial.q.as_mut_slice()[at..at + 3].copy_from_slice(&[shift[0], shift[1], turn]);
        kinematics(model, scene.initial.q.as_slice(), scene.initial.v.as_slice(), &mut kin);
        let pose = kin.pose(model, skate);
        near(pose.r.x, 0.0);
        near(pose.r.norm(), (shift[0] * shift[0] + shift[1] * shift[1]).sqrt());
        let exact = rotation::exp(&Vector3::new(turn, 0.0, 0.0));
        assert!((pose.R - exact).norm() < 1e-14);
    }
}

#[test]
fn collision_shapes_are_features() {
    let scene = load("robot.urdf");
    let model = &scene.model;
    let names: Vec<&str> = model.features().iter().map(|f| f.name.as_str()).collect();
    assert_eq!(names, ["wheel", "slider.pad", "slider.pad.2", "slider.3"]);
    let of = |name: &str| model.feature(model.feature_named(name).unwrap());
    assert_eq!(of("wheel").shape, Shape::Cylinder { radius: 0.2, half_length: 0.05 });
    assert_eq!(of("slider.pad").shape, Shape::Box { half_extents: [0.05, 0.1, 0.15] });
    assert_eq!(of("slider.pad").placement.r.z, 0.1);
    // A capsule lies along z in URDF, along x in the model.
    let capsule = of("slider.pad.2");
    assert_eq!(capsule.shape, Shape::Capsule { radius: 0.05, half_length: 0.2 });
    assert_eq!(capsule.placement.R * Vector3::x(), Vector3::z());
    near(capsule.placement.R.determinant(), 1.0);
}

#[test]
fn nothing_of_a_robot_is_passed_over_in_silence() {
    let scene = load("robot.urdf");
    let mut sorts: Vec<String> = scene.warnings.iter().map(|w| w.caution.sort()).collect();
    sorts.sort();
    assert_eq!(
        sorts,
        [
            "<gazebo>",
            "<safety_controller>",
            "<transmission>",
            "inertia",
            "mesh",
            "velocity limit",
            "velocity limit",
            "velocity limit"
        ]
    );
    let dummy =
        scene.warnings.iter().find(|w| matches!(w.caution, Caution::Inertia { .. })).unwrap();
    assert!(dummy.to_string().contains("robot.urdf:45:36: link `dummy`"), "{dummy}");
}

#[test]
fn scenes_add_to_robots() {
    let scene = load("robots.toml");
    let model = &scene.model;
    assert_eq!(model.nv(), (6 + 12) + 1 + (1 + 12));
    assert_eq!(scene.initial.t, 2.0);
    assert_eq!((q(&scene, "rail"), q(&scene, "a/lift"), v(&scene, "a/lift")), (0.25, 0.2, 0.5));
    near(q(&scene, "a/follow"), 2.0 * 0.2 + 0.5);
    assert_eq!(q(&scene, "a/roll"), 3.0);
    // The effort of the file is the joint's, that of the model the motor's.
    let roll = model.body(model.body_behind("a/roll").unwrap()).joint.coordinates[0];
    assert_eq!((roll.effort, roll.ratio, roll.rotor_inertia), (2.5, 0.5, 1e-3));
    // The second robot stands on the cart.
    let mount = model.body_behind("mount").unwrap();
    assert_eq!(model.body(mount).name, "b/base");
    assert_eq!(model.body(mount).parent, Some(body(model, "cart")));
    let base = model.q_range(body(model, "a/base"));
    let start = &scene.initial.q.as_slice()[base];
    assert_eq!(start[..3], [0.0, 0.0, 2.0]);
    near(start[3], (PI / 4.0).cos());
    assert_eq!(scene.initial.v[model.v_range(body(model, "a/base")).start], 1.0);
    let names: Vec<&str> = model.pairs().iter().map(|p| p.name.as_str()).collect();
    assert_eq!(names, ["a/base.nose-ground", "a/wheel-ground"]);
}

/// The order of bodies in the file does not matter for the tree, only for its numbering.
#[test]
fn children_may_come_before_parents() {
    let scene = parse(
        "space = \"planar\"\n[body.lower]\nmass = 1\ninertia = 1\njoint = { type = \"revolute\", parent = \"upper\" }\n\
         [body.upper]\nmass = 1\ninertia = 1\njoint = { type = \"revolute\" }",
    );
    let names: Vec<&str> = scene.model.bodies().iter().map(|b| b.name.as_str()).collect();
    assert_eq!(names, ["upper", "lower"]);
}

#[test]
fn a_long_chain_is_no_deep_recursion() {
    let mut text = String::from("space = \"planar\"\n");
    for i in (0..3000).rev() {
        let parent = if i == 0 { "world".to_string() } else { format!("b{}", i - 1) };
        text.push_str(&format!(
            "[body.b{i}]\nmass = 1\ninertia = 1\njoint = {{ type = \"revolute\", parent = \"{parent}\", position = [1, 0] }}\n"
        ));
    }
    assert_eq!(parse(&text).model.nv(), 3000);
}

const OVER_GROUND: &str = r#"
    [body.ball]
    mass = 1
    shape = { sphere = 0.05 }
    position = [0, 0, 0.0499]
    [body.ground]
    shape = "plane"
    [[contact]]
    between = ["ball", "ground"]
    restitution = 0.5
    friction = 0.3
    [initial]
    penetration = 1e-3
    [solver]
    until = 1
"#;

/// What `initial.penetration` lets pass is moved apart, told, and then runs.
#[test]
fn a_small_penetration_is_moved_apart() {
    let scene = Scene::parse(OVER_GROUND, "pen.toml").unwrap();
    let text = scene.warnings[0].to_string();
    assert!(text.contains("`ball-ground` penetrates by 1e-4 m"), "{text}");
    assert!((scene.initial.q[2] - 0.05).abs() < 1e-11, "{}", scene.initial.q[2]);
    assert_eq!(scene.initial.q[0], 0.0);
    let outcome = scene.simulation().unwrap().run_until(1.0).unwrap();
    assert_eq!(outcome.stop, carom::hybrid::Stop::ReachedEnd);
    // A box whose four corners are redundant.
    let flat = OVER_GROUND.replace("sphere = 0.05", "box = [0.1, 0.1, 0.1]");
    let scene = Scene::parse(&flat, "box.toml").unwrap();
    assert!((scene.initial.q[2] - 0.05).abs() < 1e-9);
    scene.simulation().unwrap().run_until(0.1).unwrap();
    // Without leave it stays a fault, and too deep is too deep.
    for text in [OVER_GROUND.replace("penetration = 1e-3", ""), OVER_GROUND.replace("1e-3", "1e-5")]
    {
        let error = Scene::parse(&text, "pen.toml").unwrap_err();
        assert!(matches!(error.fault(), carom_scene::Fault::Penetration { .. }), "{error}");
    }
}

/// Equation (2) of `read/apart.rs`: not both grounds can be touched.
#[test]
fn eq2_a_ball_in_two_grounds_rises_out_of_both() {
    let second = "[body.floor]\nshape = \"plane\"\nposition = [0, 0, 2e-4]\n[[contact]]\n\
                  between = [\"ball\", \"floor\"]\nrestitution = 0.5\nfriction = 0.3\n";
    let scene = Scene::parse(&format!("{OVER_GROUND}{second}"), "pen.toml").unwrap();
    assert!((scene.initial.q[2] - 0.0502).abs() < 1e-11, "{}", scene.initial.q[2]);
}

/// A start that the scene does not move, such as one that a program gives: the core puts it in touch and
/// books the energy; a gap as small stays a gap.
#[test]
fn the_core_lets_penetrations_pass_as_stated() {
    let near = "[body.near]\nmass = 1\nshape = { sphere = 0.05 }\nposition = [1, 0, 0.0505]\n\
                [[contact]]\nbetween = [\"near\", \"ground\"]\nrestitution = 0.5\nfriction = 0.3\n";
    let scene = Scene::parse(&format!("{OVER_GROUND}{near}"), "pen.toml").unwrap();
    assert_eq!(scene.options.hybrid().penetration, Some(1e-3));
    let mut start = scene.initial.clone();
    start.q[2] = 0.0499;
    let run = scene.simulation_from(start).unwrap().run_until(1.0).unwrap();
    assert_eq!(run.stop, carom::hybrid::Stop::ReachedEnd);
    assert!((run.state.q[2] - 0.05).abs() < 1e-12, "{}", run.state.q[2]);
    let risen = 9.81e-4;
    assert!((run.ledger.carried - risen).abs() < 1e-9 * risen, "{}", run.ledger.carried);
    // The other ball falls half a millimetre before it hits.
    let first = run.events().iter().find(|e| e.kind == carom::record::EventKind::Impact).unwrap();
    assert!((first.t - (1e-3_f64 / 9.81).sqrt()).abs() < 1e-9, "{}", first.t);
    // Unstated, only round-off is let pass.
    let unstated = OVER_GROUND.replace("penetration = 1e-3", "").replace("0.0499", "0.05");
    let scene = Scene::parse(&unstated, "on.toml").unwrap();
    let mut start = scene.initial.clone();
    start.q[2] = 0.0499;
    let refused = scene.simulation_from(start).unwrap().run_until(1.0).unwrap_err().0;
    assert!(matches!(refused, carom::hybrid::SimError::Penetration { .. }), "{refused}");
}

/// `solver.strict` ends a run where the safety net would decide.
#[test]
fn strict_runs_are_asked_for() {
    let strict = |text: &str| Scene::parse(text, "strict.toml").unwrap().options.hybrid().strict;
    assert!(!strict(OVER_GROUND));
    assert!(strict(&OVER_GROUND.replace("until = 1", "until = 1\nstrict = true")));
    let rod = ["body.rod.angular_velocity=5", "body.rod.velocity=[-5,1.7101007166283435]"];
    let stop = |strict: &str| {
        let changes = [rod[0], rod[1], strict];
        let scene = Scene::load_with(carom_testing::scene("painleve.toml"), &changes).unwrap();
        scene.simulation().unwrap().run_until(0.1).unwrap().stop
    };
    assert_eq!(stop("solver.strict=false"), carom::hybrid::Stop::ReachedEnd);
    assert!(matches!(stop("solver.strict=true"), carom::hybrid::Stop::Ambiguous { .. }));
}

/// A shape that falls through the floor because nobody said that it meets it.
#[test]
fn shapes_that_no_contact_names_are_told() {
    let cut = |from: &str, to: &str| {
        let (a, b) = (OVER_GROUND.find(from).unwrap(), OVER_GROUND.find(to).unwrap());
        format!("{}{}", &OVER_GROUND[..a], &OVER_GROUND[b..])
    };
    let silent = Scene::parse(&cut("[[contact]]", "[initial]"), "no.toml").unwrap();
    let words: Vec<String> = silent.warnings.iter().map(|w| w.caution.to_string()).collect();
    assert_eq!(words, ["no [[contact]] names body `ball`: it passes through `ground`"]);
    // Alone there is nothing to pass through.
    let alone = Scene::parse(&cut("[body.ground]", "[initial]"), "alone.toml").unwrap();
    assert!(alone.warnings.is_empty(), "{:?}", alone.warnings);
}

/// Both touch the ground; what one of them touches is no neighbour of the other.
#[test]
fn free_bodies_that_pass_through_each_other_are_told() {
    let body = |name: &str, x: f64| {
        format!("[body.{name}]\nmass = 1\nshape = {{ sphere = 0.1 }}\nposition = [{x}, 0, 1]\n")
    };
    let contact = |a: &str, b: &str| {
        format!("[[contact]]\nbetween = [\"{a}\", \"{b}\"]\nrestitution = 0\nfriction = 0\n")
    };
    let start = ["a", "b", "c"].iter().zip([0.0, 1.0, 2.0]).map(|(name, x)| body(name, x));
    let start = start.collect::<String>() + "[body.ground]\nshape = \"plane\"\n";
    let words = |contacts: &str| -> Vec<String> {
        let scene = Scene::parse(&(start.clone() + contacts), "three.toml");
        let scene = scene.unwrap_or_else(|e| panic!("{}", e.report()));
        scene.warnings.iter().map(|w| w.caution.to_string()).collect()
    };
    let passes = |a: &str, b: &str| {
        format!("no [[contact]] lets `{a}` and `{b}` touch: they pass through each other")
    };
    let floor = contact("*", "ground");
    assert_eq!(words(&floor), [passes("a", "b"), passes("a", "c")]);
    assert_eq!(words(&(floor.clone() + &contact("b", "c"))), [passes("a", "b")]);
    // A row of neighbours, and a pile.
    let row = contact("a", "b") + &contact("b", "c");
    assert_eq!(words(&(floor.clone() + &row)), [""; 0]);
    let pile = "[[pile]]\nof = [\"a\", \"b\", \"c\"]\nrestitution = 0\nfriction = 0\n";
    assert_eq!(words(&(floor + pile)), [""; 0]);
}

#[test]
fn time_goes_forward() {
    let text = OVER_GROUND.replace("penetration = 1e-3", "penetration = 1e-3\ntime = 2");
    let error = Scene::parse(&text, "late.toml").unwrap_err();
    assert!(error.report().contains("before solver.until = 1 s"), "{}", error.report());
}

#[test]
fn a_misspelt_part_of_an_override_is_not_made() {
    let error = Scene::parse_with(OVER_GROUND, "a.toml", &["body.bal.mass=1"]).unwrap_err();
    assert!(error.report().contains("did you mean `ball`?"), "{}", error.report());
    // A joint within a body, and parts of a robot, which no table of the scene names.
    let arm = "[body.bob]\nmass = 1\nshape = { sphere = 0.1 }\n\
               joint = { name = \"pivot\", type = \"revolute\", axis = [0, 1, 0] }\n";
    for way in ["joint.pivot.damping=1", "joint.pivo.damping=1"] {
        let report = Scene::parse_with(arm, "a.toml", &[way]).unwrap_err().report();
        assert!(report.contains("joint `pivot` stands within body `bob`"), "{report}");
    }
    assert!(Scene::parse_with(arm, "a.toml", &["body.bob.joint.damping=1"]).is_ok());
    let leg = carom_testing::scene("leg.urdf");
    for (way, name) in [("joint.coxxa.damping=1", "coxa"), ("body.tibbia.restitution=0.5", "tibia")]
    {
        let report = Scene::load_with(&leg, &[way]).unwrap_err().report();
        assert!(report.contains(&format!("did you mean `{name}`?")), "{way}: {report}");
    }
    let whole = "body.bal2={ mass = 1, shape = { sphere = 0.1 }, position = [1, 0, 1] }";
    assert!(Scene::parse_with(OVER_GROUND, "a.toml", &[whole]).is_ok());
}

/// A file's tolerances are for the method of the file: another one can be chosen for any run, but not with what it lacks.
#[test]
fn any_run_can_have_any_method() {
    let load = |set: &[&str]| Scene::load_with(carom_testing::scene("oscillator.toml"), set);
    let projected = ["solver.method=rk4", "solver.step=1e-3", "solver.friction_events=projected"];
    let scene = load(&projected).unwrap();
    let solver = &scene.options.solver;
    assert!(
        solver.projected
            && solver.step == 1e-3
            && solver.rtol != load(&[]).unwrap().options.solver.rtol
    );
    let run = scene.simulation().unwrap().run_until(0.5).unwrap();
    assert_eq!(run.stop, carom::hybrid::Stop::ReachedEnd);
    for odd in [&["solver.method=rk4", "solver.rtol=1e-6"][..], &["solver.step=0.01"]] {
        assert!(load(odd).unwrap_err().report().contains("a fixed step"), "{odd:?}");
    }
}
