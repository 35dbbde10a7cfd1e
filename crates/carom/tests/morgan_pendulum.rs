//! Published: Morgan 2011, section 2.1: M and J of the planar double pendulum, read from the text.
#![allow(non_snake_case)]

mod support;

use carom::dynamics::jacobian::frame_jacobian;
use carom::dynamics::{CompositeScratch, Kinematics, kinematics, mass_matrix};
use carom::model::{BodyId, Joint, JointKind, Model, ModelBuilder};
use carom::spatial::{Inertia, Pose, rotation};
use nalgebra::{DMatrix, Matrix2, Matrix3, Unit, Vector3};
use support::Random;

const LENGTH: f64 = 1.3;
const MASS: f64 = 2.7;

/// A slender bar along x of its own frame, hinged at the frame's origin.
fn bar(axis: usize) -> Inertia {
    let across = MASS * LENGTH * LENGTH / 12.0;
    let mut moments = Vector3::repeat(across);
    moments[axis] = 0.0;
    Inertia::new(MASS, Vector3::ith(axis, LENGTH / 2.0), Matrix3::from_diagonal(&moments)).unwrap()
}

/// Two bars hinged about z; `turn` places the whole in another orientation.
fn pendulum(turn: Pose) -> (Model, BodyId) {
    let mut builder = ModelBuilder::new();
    let z = Vector3::z_axis();
    let upper = builder.add_body("upper", None, Joint::revolute("q1", z, turn), bar(0)).unwrap();
    let knee = Joint::revolute("q2", z, Pose::translation(Vector3::new(LENGTH, 0.0, 0.0)));
    let lower = builder.add_body("lower", Some(upper), knee, bar(0)).unwrap();
    (builder.build().unwrap(), lower)
}

fn mass_and_jacobian(model: &Model, lower: BodyId, q: [f64; 2]) -> (Matrix2<f64>, DMatrix<f64>) {
    let mut kin = Kinematics::new(model);
    kinematics(model, &q, &[0.0; 2], &mut kin);
    let mut M = DMatrix::zeros(2, 2);
    mass_matrix(model, &kin, &mut CompositeScratch::new(model), &mut M);
    let tip = kin.pose(model, lower).point(&Vector3::new(LENGTH, 0.0, 0.0));
    let mut J = DMatrix::zeros(6, 2);
    frame_jacobian(model, &kin, lower, &tip, &mut J);
    (M.fixed_view::<2, 2>(0, 0).into(), J)
}

fn published(q: [f64; 2]) -> (Matrix2<f64>, Matrix2<f64>) {
    let (c2, m) = (q[1].cos(), MASS * LENGTH * LENGTH);
    let M = Matrix2::new(c2 + 5.0 / 3.0, c2 / 2.0 + 1.0 / 3.0, c2 / 2.0 + 1.0 / 3.0, 1.0 / 3.0) * m;
    let (s1, c1) = q[0].sin_cos();
    let (s12, c12) = (q[0] + q[1]).sin_cos();
    (M, Matrix2::new(-s1 - s12, -s12, c1 + c12, c12) * LENGTH)
}

#[test]
fn mass_matrix_and_jacobian_of_section_2_1() {
    let (model, lower) = pendulum(Pose::identity());
    let mut random = Random::new(7);
    for _ in 0..200 {
        let q = [random.within(-3.0, 3.0), random.within(-3.0, 3.0)];
        let (M, J) = mass_and_jacobian(&model, lower, q);
        let (M_p, J_p) = published(q);
        assert!((M - M_p).amax() < 1e-14 * M_p.amax());
        assert!((J.fixed_view::<2, 2>(3, 0) - J_p).amax() < 1e-14 * LENGTH);
    }
}

#[test]
fn planar_and_spatial_descriptions_agree() {
    let mut random = Random::new(8);
    for _ in 0..100 {
        let turn = random.pose();
        let (model, lower) = pendulum(turn);
        let q = [random.within(-3.0, 3.0), random.within(-3.0, 3.0)];
        let (M, J) = mass_and_jacobian(&model, lower, q);
        let (M_p, J_p) = published(q);
        assert!((M - M_p).amax() < 1e-13 * M_p.amax());
        let in_plane = turn.R.transpose() * J.fixed_view::<3, 2>(3, 0);
        assert!((in_plane.fixed_view::<2, 2>(0, 0) - J_p).amax() < 1e-13 * LENGTH);
        assert!(in_plane.row(2).amax() < 1e-14 * LENGTH);
    }
}

#[test]
fn planar_joint_is_two_slides_and_a_hinge() {
    // One bar on a planar joint, and on a chain of prismatic, prismatic, revolute.
    let mut one = ModelBuilder::new();
    let planar = Joint::new("base", JointKind::Planar, Pose::identity());
    one.add_body("bar", None, planar, bar(0)).unwrap();
    let one = one.build().unwrap();
    let mut chain = ModelBuilder::new();
    let slide = |name: &str, axis| Joint::prismatic(name, axis, Pose::identity());
    let x = slide("x", Vector3::x_axis());
    let x = chain.add_body("x", None, x, Inertia::massless()).unwrap();
    let y = slide("y", Vector3::y_axis());
    let y = chain.add_body("y", Some(x), y, Inertia::massless()).unwrap();
    let turn = Joint::revolute("turn", Vector3::z_axis(), Pose::identity());
    chain.add_body("bar", Some(y), turn, bar(0)).unwrap();
    let chain = chain.build().unwrap();
    let (q, v) = ([0.4, -0.7, 1.1], [0.3, 0.2, -0.9]);
    let mass = |model: &Model| {
        let mut kin = Kinematics::new(model);
        kinematics(model, &q, &v, &mut kin);
        let mut M = DMatrix::zeros(3, 3);
        mass_matrix(model, &kin, &mut CompositeScratch::new(model), &mut M);
        M
    };
    assert!((mass(&one) - mass(&chain)).amax() < 1e-15);
}

#[test]
fn axis_may_point_anywhere() {
    // The same hinge described by a turned axis and by a turned frame.
    let axis = Unit::new_normalize(Vector3::new(0.3, -0.5, 0.8));
    let R = rotation::with_z_along(&axis);
    let body = bar(0);
    let mut direct = ModelBuilder::new();
    direct.add_body("bar", None, Joint::revolute("hinge", axis, Pose::identity()), body).unwrap();
    let mut turned = ModelBuilder::new();
    let hinge = Joint::revolute("hinge", Vector3::z_axis(), Pose::rotation(R));
    let in_frame = body.in_frame(&Pose::rotation(R.transpose()));
    turned.add_body("bar", None, hinge, in_frame).unwrap();
    let tip = |builder: ModelBuilder, local: Vector3<f64>| {
        let model = builder.build().unwrap();
        let mut kin = Kinematics::new(&model);
        kinematics(&model, &[0.9], &[0.0], &mut kin);
        kin.pose(&model, model.body_named("bar").unwrap()).point(&local)
    };
    let end = Vector3::new(LENGTH, 0.0, 0.0);
    let difference = tip(direct, end) - tip(turned, R.transpose() * end);
    assert!(difference.norm() < 1e-15);
}
