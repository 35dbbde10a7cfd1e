//! Exact: Painlevé's rod, a uniform rod of mass m and length 2l that slides with its lower end on a
//! rough floor, leaning by θ from the floor (Génot & Brogliato 1999; Stronge 2000, and derived here).
//!
//! With the contact at −l(cos θ, sin θ) from the centre, I = m l²/3:
//! ```text
//! Gₙₙ = (1 + 3 cos²θ)/m,  Gₜₙ = −3 sin θ cos θ/m (for slip counted along x)      (1)
//! A = Gₙₙ − μ σ Gₜₙ ≤ 0  needs μ ≥ 4/3, at tan θ = 2                              (2)
//! ```
#![allow(non_snake_case)]

mod support;

use carom::hybrid::{Options, Simulation, Stop};
use carom::impact::{Differential, Restitution};
use carom::model::{JointKind, Model, Shape};
use carom::record::EventKind;
use carom::state::State;
use nalgebra::Vector3;
use support::worlds::{World, planar_inertia, surface};

/// The rod with its lower end on the floor at x = 0, leaning towards +x, sliding at `slip`.
fn rod(theta: f64, friction: f64, slip: f64) -> (Model, State) {
    let mut world = World::new();
    let body = world.body(JointKind::Planar, planar_inertia(1.0, 1.0 / 3.0));
    let end = world.shape(Some(body), Vector3::new(-1.0, 0.0, 0.0), Shape::Point);
    let floor = world.incline(0.0);
    world.touch(floor, end, surface(0.5, friction));
    let model = world.build();
    let mut state = State::neutral(&model);
    state.q.copy_from_slice(&[theta.cos(), theta.sin(), theta]);
    state.v[0] = slip;
    (model, state)
}

fn run(theta: f64, friction: f64, slip: f64, until: f64) -> carom::hybrid::Run {
    let (model, state) = rod(theta, friction, slip);
    let law = Differential { restitution: Restitution::Energetic };
    let options = Options { rtol: 1e-10, atol: 1e-12, ..Options::default() };
    let run = Simulation::new(&model, state, law).options(options).run_until(until);
    run.unwrap_or_else(|e| panic!("{}", e.0))
}

#[test]
fn eq2_below_the_critical_friction_it_slides() {
    let run = run(2_f64.atan(), 1.32, -1.0, 0.01);
    assert_eq!(run.stop, Stop::ReachedEnd);
    assert!(run.events().iter().all(|e| e.kind != EventKind::Jam));
    assert!(run.recording.forces[1][0][2] > 0.0);
}

#[test]
fn eq1_eq2_jam_stops_the_slip() {
    // Slip towards −x with μ = 1.5 pushes the rod into the floor: no force is consistent.
    let run = run(2_f64.atan(), 1.5, -1.0, 0.05);
    let jam = &run.events()[0];
    assert_eq!(jam.kind, EventKind::Jam);
    assert_eq!(jam.t, 0.0);
    let c = &jam.contacts[0];
    assert_eq!(c.u_post[0], 0.0, "the slip has stopped");
    assert!(c.u_post[2] > 0.0, "and the end rebounds");
    assert!(c.impulse[2] > 0.0 && c.impulse[0].abs() <= 1.5 * c.impulse[2] * (1.0 + 1e-12));
    assert!(jam.energy_after < jam.energy_before);
    assert!((jam.energy_after - jam.energy_before - c.normal_work - c.friction_work).abs() < 1e-14);
    assert!(run.statistics.worst_closure < 1e-9);
    assert!(run.statistics.worst_gap > -1e-9);
}
