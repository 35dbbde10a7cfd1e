//! What is drawn of the scenes, and where.
#![allow(non_snake_case)]

use carom::model::{Body, JointKind, Model};
use carom::spatial::Pose;
use carom_report::stage::{Bounds, Form, Posture, Stage};
use carom_scene::Scene;
use nalgebra::{Isometry3, Quaternion, Translation3, UnitQuaternion, Vector3};
use std::path::PathBuf;

fn scenes() -> Vec<(String, Scene)> {
    let dir = carom_testing::scenes();
    let mut paths: Vec<PathBuf> =
        std::fs::read_dir(dir).unwrap().map(|entry| entry.unwrap().path()).collect();
    paths.retain(|p| p.extension().is_some_and(|e| e == "toml"));
    paths.sort();
    assert!(paths.len() >= 16);
    let named = |p: &PathBuf| p.file_stem().unwrap().to_string_lossy().into_owned();
    paths.iter().map(|p| (named(p), Scene::load(p).unwrap())).collect()
}

fn scene(name: &str) -> Scene {
    scenes().into_iter().find(|(other, _)| other == name).unwrap().1
}

fn isometry(pose: &Pose) -> Isometry3<f64> {
    let R = nalgebra::Rotation3::from_matrix_unchecked(pose.R);
    Isometry3::from_parts(Translation3::from(pose.r), UnitQuaternion::from_rotation_matrix(&R))
}

/// The motion of one joint, written anew from the table of `carom::model::joint`.
fn motion(body: &Body, q: &[f64]) -> Isometry3<f64> {
    let turn = |q: &[f64]| UnitQuaternion::from_quaternion(Quaternion::new(q[0], q[1], q[2], q[3]));
    let angle = |q: f64| body.joint.coordinates[0].ratio * q + body.joint.coordinates[0].offset;
    let pure = |turn| Isometry3::from_parts(Translation3::identity(), turn);
    match body.joint.kind {
        JointKind::Fixed => Isometry3::identity(),
        JointKind::Revolute { axis } => pure(UnitQuaternion::from_axis_angle(&axis, angle(q[0]))),
        JointKind::Prismatic { axis } => Translation3::from(axis.into_inner() * angle(q[0])).into(),
        JointKind::Planar => Isometry3::new(Vector3::new(q[0], q[1], 0.0), Vector3::z() * q[2]),
        JointKind::Spherical => pure(turn(q)),
        JointKind::Free => {
            Isometry3::from_parts(Translation3::new(q[0], q[1], q[2]), turn(&q[3..]))
        }
    }
}

/// Pose of a body by going up its parents, joint by joint.
fn climb(model: &Model, id: carom::model::BodyId, q: &[f64]) -> Isometry3<f64> {
    let body = model.body(id);
    let own = isometry(&body.joint.placement) * motion(body, &q[model.q_range(id)]);
    match body.parent {
        Some(parent) => climb(model, parent, q) * own,
        None => own,
    }
}

/// Coordinates away from the start; quaternions stay unit.
fn disturbed(scene: &Scene, k: usize) -> Vec<f64> {
    let mut q = scene.initial.q.as_slice().to_vec();
    for id in scene.model.body_ids() {
        let kind = scene.model.body(id).joint.kind;
        let range = scene.model.q_range(id);
        for (i, x) in q[range.clone()].iter_mut().enumerate() {
            *x += 0.3 * ((k * 7 + i) as f64 * 1.3 + range.start as f64).sin();
        }
        let turn = match kind {
            JointKind::Spherical => range,
            JointKind::Free => range.start + 3..range.end,
            _ => continue,
        };
        let norm = q[turn.clone()].iter().map(|x| x * x).sum::<f64>().sqrt();
        q[turn].iter_mut().for_each(|x| *x /= norm);
    }
    q
}

#[test]
fn poses_by_a_second_route() {
    for (name, scene) in scenes() {
        let stage = Stage::of(&scene);
        let mut posture = Posture::new(&scene.model, &stage);
        let still = vec![0.0; scene.model.nv()];
        for k in 0..5 {
            let q = disturbed(&scene, k);
            posture.place(&q, &still);
            let (mut sum, mut mass) = (Vector3::zeros(), 0.0);
            for (body, pose) in stage.bodies.iter().zip(posture.poses()) {
                let wanted = climb(&scene.model, body.id, &q);
                assert!(
                    (pose.r - wanted.translation.vector).norm() < 1e-13,
                    "{name} {}",
                    body.name
                );
                let R = wanted.rotation.to_rotation_matrix();
                assert!((pose.R - R.matrix()).norm() < 1e-13, "{name} {}", body.name);
                sum += (wanted * nalgebra::Point3::from(body.com)).coords * body.mass;
                mass += body.mass;
            }
            assert!((posture.com() - sum / mass).norm() < 1e-13, "{name}");
        }
    }
}

#[test]
fn every_moving_body_is_seen() {
    for (name, scene) in scenes() {
        let stage = Stage::of(&scene);
        assert!(!stage.bodies.is_empty(), "{name}");
        for (i, body) in stage.bodies.iter().enumerate() {
            let solid = body.shapes.iter().any(|s| s.form != Form::Plane);
            let lines = stage.links.iter().chain(&stage.springs);
            let lined = lines.flatten().any(|end| end.body == Some(i));
            assert!(solid || lined || body.mass > 0.0, "{name}: {}", body.name);
        }
        let mut posture = Posture::new(&scene.model, &stage);
        posture.place(scene.initial.q.as_slice(), scene.initial.v.as_slice());
        let mut bounds = Bounds::empty();
        stage.widen(posture.poses(), &mut bounds);
        assert!(!bounds.is_empty() && bounds.size().norm() < 20.0, "{name}");
    }
}

/// In this scene, by hand: two bars that reach from joint to joint, a point on the second.
#[test]
fn the_double_pendulum_needs_no_lines() {
    let scene = scene("double_pendulum");
    let stage = Stage::of(&scene);
    assert!(stage.is_planar() && stage.links.is_empty() && stage.springs.is_empty());
    assert_eq!(stage.up, Vector3::y());
    assert_eq!(stage.fixed.len(), 1);
    assert_eq!((stage.fixed[0].form.clone(), stage.fixed[0].name.as_str()), (Form::Plane, "floor"));
    let names: Vec<_> = stage.joints.iter().map(|j| (j.name.as_str(), j.kind, j.body)).collect();
    assert_eq!(names, [("shoulder", "revolute", 0), ("elbow", "revolute", 1)]);
    assert_eq!(stage.bodies[1].shapes[0].form, Form::Box { size: [1.0, 0.05, 0.0] });
    assert_eq!(stage.bodies[1].shapes[1].form, Form::Point);
    let mut posture = Posture::new(&scene.model, &stage);
    posture.place(scene.initial.q.as_slice(), &[1.0, 0.0]);
    let tip = posture.contact(0);
    // Released horizontally: the tip is 2 m out and 1.5 m up, and turns about the pivot.
    assert!((tip.point - Vector3::new(2.0, 1.5, 0.0)).norm() < 1e-15);
    assert!((tip.gap - 1.5).abs() < 1e-15 && tip.unique);
    assert_eq!((tip.normal, tip.tangents[0]), (Vector3::y(), Vector3::x()));
    assert!((tip.velocity[0]).abs() < 1e-15 && (tip.velocity[2] - 2.0).abs() < 1e-15);
}

/// Links without collision shapes: body, coxa and femur are lines; so is the shin down to its foot.
#[test]
fn the_leg_has_a_skeleton() {
    let scene = scene("leg");
    let stage = Stage::of(&scene);
    let name = |end: &carom_report::stage::End| stage.bodies[end.body.unwrap()].name.as_str();
    let lines: Vec<_> =
        stage.links.iter().map(|[a, b]| (name(a), name(b), b.point - a.point)).collect();
    let expected = [("body", -0.01), ("coxa", -0.03), ("femur", -0.0646), ("tibia", -0.09)];
    assert_eq!(lines.len(), expected.len());
    for ((a, b, d), (wanted, z)) in lines.into_iter().zip(expected) {
        assert_eq!((a, b), (wanted, wanted));
        assert!((d - Vector3::new(0.0, 0.0, z)).norm() < 1e-15, "{a}: {d}");
    }
}

/// The pieces of a mesh are seen as one; shapes that do not meet are tied to their joint by lines: four petals and a pin.
#[test]
fn a_mug_has_no_skeleton_and_a_geneva_wheel_has_one() {
    assert!(Stage::of(&scene("mug")).links.is_empty());
    assert_eq!(Stage::of(&scene("geneva")).links.len(), 5);
}

#[test]
fn the_oscillator_has_a_spring() {
    let stage = Stage::of(&scene("oscillator"));
    assert_eq!(stage.springs.len(), 1);
    let ends = stage.springs[0].map(|end| stage.bodies[end.body.unwrap()].name.clone());
    assert_eq!(ends, ["support", "slide"]);
}

/// Springs between points go from point to point, loops that hold points together are pins, those that keep a distance
/// are rods; what belongs to a body that never moves belongs to the world.
#[test]
fn springs_and_loops_are_seen() {
    let text = r#"
space = "planar"
[body.wall]
shape = { box = [0.1, 1] }
position = [-1, 0]
[body.bar]
mass = 1
shape = { rod = 1, position = [0.5, 0] }
joint = { name = "hinge", type = "revolute" }
[body.block]
mass = 1
shape = { box = [0.2, 0.2] }
position = [1, 0.5]
[[spring]]
a = { body = "wall", position = [0.05, 0.2] }
b = { body = "block" }
stiffness = 10
[[loop]]
name = "pin"
type = "point"
a = { body = "bar", position = [1, 0] }
b = { body = "block", position = [0, -0.5] }
[[loop]]
name = "strut"
type = "distance"
length = 0.8200609733428363
a = { body = "bar", position = [0.25, 0] }
b = { body = "block", position = [-0.1, 0] }
"#;
    let scene = carom_scene::Scene::parse(text, "loops.toml").unwrap();
    let stage = Stage::of(&scene);
    let end = |body: Option<usize>, x: f64, y: f64| carom_report::stage::End {
        body,
        point: Vector3::new(x, y, 0.0),
    };
    assert_eq!(stage.springs, [[end(None, -0.95, 0.2), end(Some(1), 0.0, 0.0)]]);
    assert_eq!(stage.links, [[end(Some(0), 0.25, 0.0), end(Some(1), -0.1, 0.0)]]);
    let pins: Vec<_> =
        stage.joints.iter().map(|j| (j.name.as_str(), j.kind, j.body, j.at.y, j.closes)).collect();
    let wanted = [("hinge", "revolute", 0, 0.0, false), ("pin", "revolute", 1, -0.5, true)];
    assert_eq!(pins, wanted);
}

/// A plane that slopes stands on its normal; a rolling sphere touches it below its centre.
#[test]
fn contact_frames_lie_on_surfaces() {
    let scene = scene("rolling_sphere");
    let stage = Stage::of(&scene);
    let n = Vector3::new(-0.5, 0.0, 0.75_f64.sqrt());
    assert!((stage.fixed[0].pose.R.column(2) - n).norm() < 1e-15);
    let mut posture = Posture::new(&scene.model, &stage);
    posture.place(scene.initial.q.as_slice(), scene.initial.v.as_slice());
    let touch = posture.contact(0);
    let centre = posture.poses()[0].r;
    assert!((touch.point - (centre - n * 0.1)).norm() < 1e-15);
    assert!((touch.normal - n).norm() < 1e-15);
    assert!((touch.tangents[0].cross(&touch.tangents[1]) - n).norm() < 1e-14);
}

/// A joint limit has a place, and no direction in space.
#[test]
fn limits_are_at_their_joints() {
    let scene = scene("stop");
    let stage = Stage::of(&scene);
    let mut posture = Posture::new(&scene.model, &stage);
    posture.place(&[0.2], &[1.5]);
    let stop = posture.contact(0);
    assert_eq!((stop.point, stop.normal), (Vector3::zeros(), Vector3::zeros()));
    assert!((stop.gap - (0.2 + std::f64::consts::FRAC_PI_4)).abs() < 1e-15);
    assert_eq!(stop.velocity[2], 1.5);
}
