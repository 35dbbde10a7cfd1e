//! The dynamics of a robot file at given states, for comparison with other programs.
//!
//! Reads JSON lines and answers each with one line. The first names the robot:
//! `{"file": "robot.urdf", "floating_base": true, "inertia": "physical"}` → its joints, tips and
//! warnings. Every further line is a state: `{"q": […], "v": […], "tau": […], "bodies": ["tip"]}`
//! → M, h, v̇ and the Jacobians of the origins of the named bodies (angular rows first). With
//! `"passive": true` v̇ is that under springs, dampers and the feedback of motors as well. A fault is
//! answered by `{"error": "…"}`. Files are URDF or MJCF, told by their outer tag.
#![allow(non_snake_case)]

use carom::contact::sites;
use carom::control::Situation;
use carom::dynamics::forces::add_joint_forces;
use carom::dynamics::jacobian::{VelocityProducts, frame_jacobian};
use carom::dynamics::{
    Articulated, CompositeScratch, ForwardScratch, Kinematics, RecursionScratch, articulate, bias,
    forward_dynamics, kinematics, mass_matrix,
};
use carom_scene::Scene;
use nalgebra::DMatrix;
use serde_json::{Value, json};
use std::error::Error;
use std::io::{BufRead, Write};

type Fallible<T> = Result<T, Box<dyn Error>>;

fn load(request: &Value) -> Fallible<Scene> {
    let file = request["file"].as_str().ok_or("no file")?;
    let floating = request["floating_base"].as_bool().unwrap_or(false);
    let inertia = request["inertia"].as_str().unwrap_or("physical");
    if std::fs::read_to_string(file)?.contains("<mujoco") {
        let scene = Scene::load_with(file, &["initial.penetration=10"]);
        return Ok(scene.map_err(|error| error.report())?);
    }
    let text =
        format!("[[urdf]]\nfile = '{file}'\nfloating_base = {floating}\ninertia = \"{inertia}\"\n");
    Ok(Scene::parse(&text, "dump.toml")?)
}

/// Moving joints in the order of q and v, and the bodies that carry no other.
fn describe(scene: &Scene) -> Value {
    let model = &scene.model;
    let ids: Vec<_> = model.body_ids().collect();
    let moving = ids.iter().filter(|&&id| model.body(id).joint.kind.nv() > 0);
    let joint = |id: &_| {
        let joint = &model.body(*id).joint;
        let (q, v) = (model.q_range(*id).start, model.v_range(*id).start);
        json!({"name": joint.name, "kind": joint.kind.word(), "q": q, "v": v})
    };
    let carries = |id| model.bodies().iter().any(|b| b.parent == Some(id));
    let tips = ids.iter().filter(|&&id| !carries(id)).map(|&id| &model.body(id).name);
    json!({
        "nq": model.nq(),
        "nv": model.nv(),
        "joints": moving.map(joint).collect::<Vec<_>>(),
        "tips": tips.collect::<Vec<_>>(),
        "warnings": scene.warnings.iter().map(ToString::to_string).collect::<Vec<_>>(),
    })
}

fn numbers(state: &Value, key: &str, length: usize) -> Fallible<Vec<f64>> {
    let list = state[key].as_array().ok_or_else(|| format!("no {key}"))?;
    let numbers: Option<Vec<f64>> = list.iter().map(Value::as_f64).collect();
    let numbers = numbers.ok_or_else(|| format!("{key} must hold numbers"))?;
    if numbers.len() != length {
        return Err(format!("{key} has {} numbers, not {length}", numbers.len()).into());
    }
    Ok(numbers)
}

fn rows(A: &DMatrix<f64>) -> Vec<Vec<f64>> {
    A.row_iter().map(|row| row.iter().copied().collect()).collect()
}

/// Forces of springs and dampers, and of the controllers of the scene behind their motors' limits.
fn add_passive(
    scene: &Scene,
    (q, v): (&[f64], &[f64]),
    kin: &Kinematics,
    tau: &mut [f64],
) -> Fallible<()> {
    let model = &scene.model;
    add_joint_forces(model, q, v, tau);
    let mut art = Articulated::new(model);
    articulate(model, kin, &mut art)?;
    let products = VelocityProducts::new(model);
    let sites = sites(model);
    let (stance, vdot) = (vec![false; sites.len()], vec![0.0; model.nv()]);
    let at = Situation {
        t: 0.0,
        q,
        v,
        model,
        kin,
        products: &products,
        art: &art,
        vdot: &vdot,
        sites: &sites,
        stance: &stance,
    };
    let mut u = vec![0.0; scene.actuators.len()];
    for controller in &scene.controllers {
        controller.law.controller(model, &scene.actuators).command(&at, &mut u);
    }
    for (actuator, u) in scene.actuators.iter().zip(u) {
        tau[actuator.dof] += actuator.saturated(u);
    }
    Ok(())
}

fn evaluate(scene: &Scene, state: &Value) -> Fallible<Value> {
    let model = &scene.model;
    let n = model.nv();
    let (q, v) = (numbers(state, "q", model.nq())?, numbers(state, "v", n)?);
    let mut tau = numbers(state, "tau", n)?;
    let mut kin = Kinematics::new(model);
    kinematics(model, &q, &v, &mut kin);
    let mut M = DMatrix::zeros(n, n);
    mass_matrix(model, &kin, &mut CompositeScratch::new(model), &mut M);
    let mut h = vec![0.0; n];
    bias(model, &kin, &mut RecursionScratch::new(model), &mut h);
    if state["passive"] == json!(true) {
        add_passive(scene, (&q, &v), &kin, &mut tau)?;
    }
    let mut vdot = vec![0.0; n];
    let mut parts = (Articulated::new(model), ForwardScratch::new(model));
    forward_dynamics(model, &kin, &tau, (&mut parts.0, &mut parts.1), &mut vdot)?;
    let mut jacobians = Vec::new();
    for name in state["bodies"].as_array().into_iter().flatten().filter_map(Value::as_str) {
        let body = model.body_named(name).ok_or_else(|| format!("no body {name}"))?;
        let mut J = DMatrix::zeros(6, n);
        frame_jacobian(model, &kin, body, &kin.pose(model, body).r, &mut J);
        jacobians.push(rows(&J));
    }
    Ok(json!({"M": rows(&M), "h": h, "vdot": vdot, "J": jacobians}))
}

fn answer(line: &str, scene: &mut Option<Scene>) -> Fallible<Value> {
    let request: Value = serde_json::from_str(line)?;
    match scene {
        Some(scene) => evaluate(scene, &request),
        None => Ok(describe(scene.insert(load(&request)?))),
    }
}

fn main() -> Fallible<()> {
    let mut scene = None;
    let mut out = std::io::stdout().lock();
    for line in std::io::stdin().lock().lines() {
        let reply = answer(&line?, &mut scene);
        let reply = reply.unwrap_or_else(|fault| json!({"error": fault.to_string()}));
        writeln!(out, "{reply}")?;
        out.flush()?;
    }
    Ok(())
}
