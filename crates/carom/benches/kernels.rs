//! Time of one call of the kernels, ns: lines "mechanism kernel route ns check".
//!
//! `bench/kernels.sh` runs this beside Pinocchio on the same mechanisms, states and forces;
//! `check` is a sum over the result that both sides must agree on. Every figure starts from q (and
//! v where velocities matter), so it includes the [`kinematics`] or [`posture`]. Words on the command line choose mechanisms and kernels.
#![allow(non_snake_case)]

use carom::dynamics::response::point_operator;
use carom::dynamics::{
    Articulated, CompositeScratch, Factor, Flight, ForwardScratch, Kinematics, articulate,
    eliminate, factorise, forward_dynamics, integrate, kinematics, mass_matrix, posture,
};
use carom::model::{BodyId, Joint, JointKind, Model, ModelBuilder};
use carom::spatial::{Inertia, Pose};
use carom::state::State;
use nalgebra::{DMatrix, Matrix3, Unit, Vector3};
use std::hint::black_box;
use std::time::Instant;

/// Shortest batch, s, and how many of them.
const BATCH: f64 = 4e-4;
const BATCHES: usize = 41;

/// Median over batches of the time of one call, ns.
fn time_call(mut work: impl FnMut()) -> f64 {
    let mut calls = 1;
    let mut run = |calls: usize| {
        let start = Instant::now();
        for _ in 0..calls {
            work();
        }
        start.elapsed().as_secs_f64()
    };
    while run(calls) < BATCH {
        calls *= 2;
    }
    let mut times: Vec<f64> = (0..BATCHES).map(|_| run(calls) / calls as f64).collect();
    times.sort_by(f64::total_cmp);
    times[BATCHES / 2] * 1e9
}

/// A mechanism and the point of its last body where the operator is taken.
struct Mechanism {
    name: String,
    model: Model,
    tip: BodyId,
    point: Vector3<f64>,
}

fn body(mass: f64, length: f64) -> Inertia {
    let across = mass * (length * length + 0.0025) / 12.0;
    let moments = Vector3::new(mass * 0.005 / 12.0, across, across);
    let com = Vector3::new(length / 2.0, 0.0, 0.0);
    Inertia { mass, com, about_com: Matrix3::from_diagonal(&moments) }
}

/// Bodies in a row, each with its joint (`None` is free), place in the one before, and inertia.
type Row = (Option<Unit<Vector3<f64>>>, [f64; 3], Inertia);

fn build(name: &str, rows: &[Row], point: [f64; 3]) -> Mechanism {
    let mut builder = ModelBuilder::new();
    let mut parent = None;
    for (i, (axis, place, inertia)) in rows.iter().enumerate() {
        let place = Pose::translation(Vector3::from(*place));
        let kind = axis.map_or(JointKind::Free, |axis| JointKind::Revolute { axis });
        let joint = Joint::new(format!("j{i}"), kind, place);
        parent = builder.add_body(format!("b{i}"), parent, joint, *inertia).ok();
    }
    let (Ok(model), Some(tip)) = (builder.build(), parent) else {
        unreachable!("{name} is a valid mechanism");
    };
    Mechanism { name: name.into(), model, tip, point: Vector3::from(point) }
}

fn pendulum() -> Mechanism {
    let z = Some(Vector3::z_axis());
    let rows = [(z, [0.0; 3], body(4.04, 1.0)), (z, [1.0, 0.0, 0.0], body(4.04, 1.0))];
    build("pendulum", &rows, [1.0, 0.0, 0.0])
}

fn leg() -> Mechanism {
    let (x, y) = (Some(Vector3::x_axis()), Some(Vector3::y_axis()));
    let rows = [
        (None, [0.0; 3], body(10.0, 0.4)),
        (x, [0.1, 0.0, -0.1], body(1.0, 0.1)),
        (y, [0.1, 0.0, 0.0], body(2.0, 0.4)),
        (y, [0.4, 0.0, 0.0], body(1.0, 0.4)),
    ];
    build("leg", &rows, [0.1, 0.0, 0.0])
}

fn chain(n: usize) -> Mechanism {
    let axis = |i: usize| if i.is_multiple_of(2) { Vector3::z_axis() } else { Vector3::y_axis() };
    let place = |i: usize| if i == 0 { [0.0; 3] } else { [0.1, 0.0, 0.0] };
    let rows: Vec<Row> = (0..n).map(|i| (Some(axis(i)), place(i), body(1.0, 0.1))).collect();
    build(&format!("chain{n}"), &rows, [0.1, 0.0, 0.0])
}

/// All turns about one direction.
fn planar(n: usize) -> Mechanism {
    let place = |i: usize| if i == 0 { [0.0; 3] } else { [0.1, 0.0, 0.0] };
    let z = Some(Vector3::z_axis());
    let rows: Vec<Row> = (0..n).map(|i| (z, place(i), body(1.0, 0.1))).collect();
    build(&format!("planar{n}"), &rows, [0.1, 0.0, 0.0])
}

/// The state and the forces.
fn state(model: &Model) -> (State, Vec<f64>) {
    let mut state = State::neutral(model);
    let q0 = state.q.clone();
    let turn: Vec<f64> = (0..model.nv()).map(|i| 0.3 * (1.7 * i as f64 + 0.4).sin()).collect();
    integrate::step(model, q0.as_slice(), &turn, state.q.as_mut_slice());
    for (i, v) in state.v.iter_mut().enumerate() {
        *v = 0.2 * (2.3 * i as f64 + 0.1).cos();
    }
    (state, (0..model.nv()).map(|i| (0.9 * i as f64 + 0.7).sin()).collect())
}

fn row(m: &Mechanism, kernel: &str, ns: f64, check: f64) {
    println!("{} {kernel} carom {ns:.1} {check:.12e}", m.name);
}

/// v̇ = M⁻¹(τ − h).
fn aba(m: &Mechanism) {
    let model = &m.model;
    let (state, tau) = state(model);
    let (q, v) = (state.q.as_slice(), state.v.as_slice());
    let mut kin = Kinematics::new(model);
    let mut art = Articulated::new(model);
    let mut forward = ForwardScratch::new(model);
    let mut vdot = vec![0.0; model.nv()];
    let ns = time_call(|| {
        kinematics(model, black_box(q), black_box(v), &mut kin);
        let parts = (&mut art, &mut forward);
        black_box(forward_dynamics(model, &kin, black_box(&tau), parts, &mut vdot)).ok();
        black_box(&vdot);
    });
    // The free joint's linear acceleration is in other axes on the other side.
    let from = if model.nq() != model.nv() { 3 } else { 0 };
    row(m, "aba", ns, vdot[from..].iter().sum());
}

/// v̇ = M⁻¹(τ − h) the short way, where there is one.
fn flight(m: &Mechanism) {
    let model = &m.model;
    let Some(mut flight) = Flight::of(model) else { return };
    let (state, tau) = state(model);
    let (q, v) = (state.q.as_slice(), state.v.as_slice());
    let mut vdot = vec![0.0; model.nv()];
    let ns = time_call(|| {
        black_box(flight.forward(black_box(q), black_box(v), black_box(&tau), &mut vdot));
        black_box(&vdot);
    });
    row(m, "flight", ns, vdot.iter().sum());
}

/// M and its factors.
fn mass(m: &Mechanism) {
    let model = &m.model;
    let n = model.nv();
    let (state, _) = state(model);
    let q = state.q.as_slice();
    let mut kin = Kinematics::new(model);
    let mut art = Articulated::new(model);
    let mut composite = CompositeScratch::new(model);
    let mut M = DMatrix::zeros(n, n);
    let mut factor = Factor::new(model);
    let short = factor.prefers_elimination();
    let ns = time_call(|| {
        posture(model, black_box(q), &mut kin);
        mass_matrix(model, &kin, &mut composite, &mut M);
        if short {
            black_box(eliminate(&M, &mut factor)).ok();
        } else {
            black_box(articulate(model, &kin, &mut art)).ok();
            factorise(model, &kin, &art, &mut factor);
        }
        black_box((&M, &factor));
    });
    let from = if model.nq() != n { n - 3 } else { 0 };
    row(m, "mass", ns, (from..n).map(|i| factor.pivot(i)).sum());
}

/// J M⁻¹ Jᵀ at the tip.
fn operator(m: &Mechanism) {
    let model = &m.model;
    let (state, _) = state(model);
    let q = state.q.as_slice();
    let mut kin = Kinematics::new(model);
    let mut art = Articulated::new(model);
    let mut G = Matrix3::zeros();
    let ns = time_call(|| {
        posture(model, black_box(q), &mut kin);
        black_box(articulate(model, &kin, &mut art)).ok();
        let x = kin.pose(model, m.tip).point(&m.point);
        G = point_operator(model, &kin, &art, m.tip, &x);
        black_box(&G);
    });
    row(m, "operator", ns, G.trace());
}

type Race = fn(&Mechanism);

fn main() {
    let mut mechanisms = vec![pendulum(), leg()];
    mechanisms.extend([6, 30, 100, 300, 1000].map(chain));
    mechanisms.extend([6, 30].map(planar));
    let kernels: [(&str, Race); 4] =
        [("aba", aba), ("flight", flight), ("mass", mass), ("operator", operator)];
    let words: Vec<String> = std::env::args().skip(1).filter(|a| !a.starts_with("--")).collect();
    for m in &mechanisms {
        for (kernel, race) in kernels {
            let chosen = |w: &String| w == kernel || *w == m.name;
            if words.is_empty() || words.iter().all(chosen) {
                race(m);
            }
        }
    }
}
