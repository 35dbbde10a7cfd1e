//! Mechanisms of our own against committed numbers of Pinocchio, made by `bench/reference.py`
//! (which also states how the coordinates of the two are converted).
#![allow(non_snake_case)]

use carom::dynamics::jacobian::{VelocityProducts, frame_jacobian, velocity_products};
use carom::dynamics::response::point_operator;
use carom::dynamics::{
    Articulated, CompositeScratch, ForwardScratch, Kinematics, RecursionScratch, bias, energy,
    forward_dynamics, kinematics, mass_matrix,
};
use carom::model::{Coordinate, Joint, JointKind, Model, ModelBuilder};
use carom::spatial::{Inertia, Pose};
use nalgebra::{DMatrix, DVector, Matrix3, Unit, Vector3};
use serde::Deserialize;
use std::path::Path;

/// Agreement, relative to the largest number of its kind.
const EXACT: f64 = 1e-10;

#[derive(Deserialize)]
struct Mechanism {
    gravity: [f64; 3],
    bodies: Vec<BodyRow>,
    states: Vec<Sample>,
}

#[derive(Deserialize)]
struct BodyRow {
    name: String,
    parent: Option<String>,
    kind: String,
    axis: Option<[f64; 3]>,
    rotation: [[f64; 3]; 3],
    origin: [f64; 3],
    mass: f64,
    com: [f64; 3],
    inertia: [[f64; 3]; 3],
    rotor: f64,
    ratio: f64,
    offset: f64,
}

#[derive(Deserialize)]
struct Sample {
    q: Vec<f64>,
    v: Vec<f64>,
    tau: Vec<f64>,
    mass_matrix: Vec<Vec<f64>>,
    bias: Vec<f64>,
    acceleration: Vec<f64>,
    kinetic_energy: f64,
    gravity_energy: f64,
    body: String,
    point: [f64; 3],
    position: [f64; 3],
    jacobian: Vec<Vec<f64>>,
    jacobian_rate: Vec<f64>,
    operator: Vec<Vec<f64>>,
}

fn matrix3(rows: &[[f64; 3]; 3]) -> Matrix3<f64> {
    Matrix3::from_fn(|i, j| rows[i][j])
}

fn dense(rows: &[Vec<f64>]) -> DMatrix<f64> {
    DMatrix::from_fn(rows.len(), rows[0].len(), |i, j| rows[i][j])
}

fn model(mechanism: &Mechanism) -> Model {
    let mut builder = ModelBuilder::new();
    builder.gravity(Vector3::from(mechanism.gravity)).unwrap();
    let mut ids = Vec::new();
    for row in &mechanism.bodies {
        let axis = row.axis.map(|axis| Unit::new_normalize(Vector3::from(axis)));
        let kind = match (row.kind.as_str(), axis) {
            ("fixed", _) => JointKind::Fixed,
            ("revolute", Some(axis)) => JointKind::Revolute { axis },
            ("prismatic", Some(axis)) => JointKind::Prismatic { axis },
            ("planar", _) => JointKind::Planar,
            ("spherical", _) => JointKind::Spherical,
            ("free", _) => JointKind::Free,
            other => panic!("unknown joint {other:?}"),
        };
        let (ratio, offset, rotor_inertia) = (row.ratio, row.offset, row.rotor);
        let coordinate = Coordinate { ratio, offset, rotor_inertia, ..Coordinate::default() };
        let place = Pose::new(matrix3(&row.rotation), Vector3::from(row.origin));
        let joint = Joint::new(format!("{}_joint", row.name), kind, place)
            .with_coordinates(vec![coordinate; kind.nv()]);
        let about_com = matrix3(&row.inertia);
        let inertia = Inertia::new(row.mass, Vector3::from(row.com), about_com).unwrap();
        let parent = row.parent.as_ref().map(|p| {
            let at = mechanism.bodies.iter().position(|b| b.name == *p).unwrap();
            ids[at]
        });
        ids.push(builder.add_body(row.name.clone(), parent, joint, inertia).unwrap());
    }
    builder.build().unwrap()
}

#[track_caller]
fn close(what: &str, found: &DMatrix<f64>, exact: &DMatrix<f64>) {
    assert_eq!(found.shape(), exact.shape(), "{what}");
    let error = (found - exact).amax() / exact.amax();
    assert!(error <= EXACT, "{what}: differs by {error:e}");
}

#[track_caller]
fn close_slice(what: &str, found: &[f64], exact: &[f64]) {
    let column = |x: &[f64]| DMatrix::from_column_slice(x.len(), 1, x);
    close(what, &column(found), &column(exact));
}

fn compare(name: &str, model: &Model, sample: &Sample) {
    let n = model.nv();
    let say = |what: &str| format!("{name}, {}: {what}", sample.body);
    let mut kin = Kinematics::new(model);
    kinematics(model, &sample.q, &sample.v, &mut kin);

    let mut M = DMatrix::zeros(n, n);
    mass_matrix(model, &kin, &mut CompositeScratch::new(model), &mut M);
    close(&say("mass matrix"), &M, &dense(&sample.mass_matrix));
    let mut h = DVector::zeros(n);
    bias(model, &kin, &mut RecursionScratch::new(model), h.as_mut_slice());
    close_slice(&say("bias"), h.as_slice(), &sample.bias);

    let (mut art, mut scratch) = (Articulated::new(model), ForwardScratch::new(model));
    let mut vdot = vec![0.0; n];
    forward_dynamics(model, &kin, &sample.tau, (&mut art, &mut scratch), &mut vdot).unwrap();
    close_slice(&say("acceleration"), &vdot, &sample.acceleration);
    let energies =
        [energy::kinetic_energy(model, &kin, &sample.v), energy::gravity_energy(model, &kin)];
    close_slice(&say("energies"), &energies, &[sample.kinetic_energy, sample.gravity_energy]);

    let body = model.body_named(&sample.body).unwrap();
    let x = kin.pose(model, body).point(&Vector3::from(sample.point));
    close_slice(&say("position"), x.as_slice(), &sample.position);
    let mut J = DMatrix::zeros(6, n);
    frame_jacobian(model, &kin, body, &x, &mut J);
    close(&say("Jacobian"), &J, &dense(&sample.jacobian));
    let mut products = VelocityProducts::new(model);
    velocity_products(model, &kin, &mut products);
    let rate = products.at(model, &kin, body, &x);
    let rate = [rate.w.as_slice(), rate.v.as_slice()].concat();
    close_slice(&say("rate of the Jacobian"), &rate, &sample.jacobian_rate);
    let G = point_operator(model, &kin, &art, body, &x);
    close(&say("operator"), &DMatrix::from_fn(3, 3, |i, j| G[(i, j)]), &dense(&sample.operator));
}

fn compare_file(name: &str) {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/reference");
    let text = std::fs::read_to_string(folder.join(format!("{name}.json"))).unwrap();
    let mechanism: Mechanism = serde_json::from_str(&text).unwrap();
    let model = model(&mechanism);
    assert!(!mechanism.states.is_empty());
    for sample in &mechanism.states {
        compare(name, &model, sample);
    }
}

#[test]
fn pendulum() {
    compare_file("pendulum");
}

#[test]
fn floating_leg_with_rotors() {
    compare_file("floating_leg");
}

#[test]
fn prismatic_and_continuous_joints_with_transmissions() {
    compare_file("mixed_chain");
}

#[test]
fn planar_spherical_and_free_joints_in_branches() {
    compare_file("branches");
}
