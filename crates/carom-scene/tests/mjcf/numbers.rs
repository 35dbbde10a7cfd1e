//! Models of a folder in carom, and how far they are from MuJoCo's numbers.

use carom::contact::sites;
use carom::control::Situation;
use carom::dynamics::forces::add_joint_forces;
use carom::dynamics::jacobian::VelocityProducts;
use carom::dynamics::{
    Articulated, CompositeScratch, ForwardScratch, Kinematics, RecursionScratch, articulate, bias,
    forward_dynamics, kinematics, mass_matrix,
};
use carom_scene::Scene;
use nalgebra::DMatrix;
use serde_json::Value;
use std::path::{Path, PathBuf};

pub fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/mjcf")
}

pub fn load(name: &str, changes: &[&str]) -> Scene {
    Scene::load_with(folder().join(name), changes).unwrap_or_else(|e| panic!("{}", e.report()))
}

/// M, h and v̇ under springs, dampers and motors at control 0.
pub fn dynamics(scene: &Scene, q: &[f64], v: &[f64]) -> (DMatrix<f64>, Vec<f64>, Vec<f64>) {
    let model = &scene.model;
    let n = model.nv();
    let mut kin = Kinematics::new(model);
    kinematics(model, q, v, &mut kin);
    let mut M = DMatrix::zeros(n, n);
    mass_matrix(model, &kin, &mut CompositeScratch::new(model), &mut M);
    let mut h = vec![0.0; n];
    bias(model, &kin, &mut RecursionScratch::new(model), &mut h);
    let mut tau = vec![0.0; n];
    add_joint_forces(model, q, v, &mut tau);
    let mut art = Articulated::new(model);
    articulate(model, &kin, &mut art).unwrap();
    let (products, sites) = (VelocityProducts::new(model), sites(model));
    let (stance, none) = (vec![false; sites.len()], vec![0.0; n]);
    let at = Situation {
        t: 0.0,
        q,
        v,
        model,
        kin: &kin,
        products: &products,
        art: &art,
        vdot: &none,
        sites: &sites,
        stance: &stance,
    };
    let mut u = vec![0.0; scene.actuators.len()];
    for controller in &scene.controllers {
        controller.law.controller(model, &scene.actuators).command(&at, &mut u);
    }
    for (actuator, u) in scene.actuators.iter().zip(&u) {
        tau[actuator.dof] += actuator.saturated(*u);
    }
    let mut vdot = vec![0.0; n];
    let mut parts = (Articulated::new(model), ForwardScratch::new(model));
    forward_dynamics(model, &kin, &tau, (&mut parts.0, &mut parts.1), &mut vdot).unwrap();
    (M, h, vdot)
}

pub fn numbers(value: &Value) -> Vec<f64> {
    value.as_array().unwrap().iter().map(|x| x.as_f64().unwrap()).collect()
}

/// Largest difference over the largest number.
pub fn off(ours: &[f64], theirs: &[f64]) -> f64 {
    assert_eq!(ours.len(), theirs.len());
    let largest = theirs.iter().fold(0.0_f64, |s, x| s.max(x.abs()));
    let off = ours.iter().zip(theirs).fold(0.0_f64, |s, (a, b)| s.max((a - b).abs()));
    off / largest
}

/// Both programs compute in doubles; the condition number of M is below 1e5. MuJoCo finds principal axes of meshes to 1e-10.
const AGREEMENT: f64 = 1e-11;
const WITH_MESHES: f64 = 1e-9;

pub fn agrees_with_mujoco(name: &str) -> Scene {
    let scene = load(&format!("{name}.xml"), &["initial.penetration=10"]);
    let text = std::fs::read_to_string(folder().join(format!("{name}.json"))).unwrap();
    let reference: Value = serde_json::from_str(&text).unwrap();
    for state in reference["states"].as_array().unwrap() {
        let (q, v) = (numbers(&state["q"]), numbers(&state["v"]));
        let (M, h, vdot) = dynamics(&scene, &q, &v);
        let theirs: Vec<f64> = state["M"].as_array().unwrap().iter().flat_map(numbers).collect();
        let worst = [
            off(M.as_slice(), &theirs),
            off(&h, &numbers(&state["h"])),
            off(&vdot, &numbers(&state["vdot"])),
        ];
        let allowed = if name == "collections" { WITH_MESHES } else { AGREEMENT };
        assert!(worst.iter().all(|x| *x < allowed), "{name}: {worst:?}");
    }
    scene
}
