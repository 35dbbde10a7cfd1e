//! The short ways to v̇ against the general sweeps.
#![allow(non_snake_case)]

mod support;

use carom::dynamics::{
    Articulated, Flight, ForwardScratch, Kinematics, SingularInertia, forward_dynamics, kinematics,
};
use carom::model::{Coordinate, Joint, JointKind, Model, ModelBuilder};
use carom::spatial::{Inertia, Pose};
use carom::state::State;
use nalgebra::{Matrix3, Rotation3, Unit, Vector3};
use support::{Random, random_state, random_tree};

/// Agreement relative to the largest v̇.
const EXACT: f64 = 1e-11;

fn general(model: &Model, state: &State, tau: &[f64]) -> Result<Vec<f64>, SingularInertia> {
    let mut kin = Kinematics::new(model);
    kinematics(model, state.q.as_slice(), state.v.as_slice(), &mut kin);
    let (mut art, mut scratch) = (Articulated::new(model), ForwardScratch::new(model));
    let mut vdot = vec![0.0; model.nv()];
    forward_dynamics(model, &kin, tau, (&mut art, &mut scratch), &mut vdot)?;
    Ok(vdot)
}

fn short(flight: &mut Flight, state: &State, tau: &[f64]) -> Option<Vec<f64>> {
    let mut vdot = vec![f64::NAN; tau.len()];
    let (q, v) = (state.q.as_slice(), state.v.as_slice());
    flight.forward(q, v, tau, &mut vdot).then_some(vdot)
}

/// Largest difference relative to the largest of `a`.
fn distance(a: &[f64], b: &[f64]) -> f64 {
    let size = a.iter().fold(1e-300_f64, |s, x| s.max(x.abs()));
    a.iter().zip(b).map(|(a, b)| (a - b).abs()).fold(0.0, f64::max) / size
}

fn random_coordinate(random: &mut Random, single: bool) -> Coordinate {
    let mut c = Coordinate::default();
    if single && random.unit() < 0.5 {
        c.ratio = random.within(0.3, 2.0) * if random.unit() < 0.5 { -1.0 } else { 1.0 };
        c.offset = random.within(-1.0, 1.0);
    }
    if random.unit() < 0.3 {
        c.rotor_inertia = random.within(0.0, 0.2);
    }
    c
}

/// A random place, turned about n and at times upside down.
fn in_plane(random: &mut Random, n: &Unit<Vector3<f64>>) -> Pose {
    let mut R = Rotation3::from_axis_angle(n, random.within(-3.0, 3.0)).into_inner();
    if random.unit() < 0.3 {
        // Upside down: half a turn about an axis across n.
        let across = Unit::new_normalize(n.cross(&random.vector()));
        R *= Rotation3::from_axis_angle(&across, std::f64::consts::PI).into_inner();
    }
    Pose::new(R, random.vector())
}

/// A forest of trees, each moving across its own direction.
fn planar_forest(random: &mut Random, most: usize) -> Model {
    let mut builder = ModelBuilder::new();
    builder.gravity(random.vector() * 9.81).unwrap();
    // Per body: its id, and n in its frame.
    let mut bodies: Vec<(carom::model::BodyId, Unit<Vector3<f64>>)> = Vec::new();
    for i in 0..1 + random.below(most) {
        let carrier = match bodies.len() {
            0 => None,
            k if random.unit() < 0.9 => Some(bodies[random.below(k)]),
            _ => None,
        };
        let (parent, n) = match carrier {
            Some((id, n)) => (Some(id), n),
            None => (None, if random.unit() < 0.3 { Vector3::z_axis() } else { random.axis() }),
        };
        let mut placement = in_plane(random, &n);
        let mut own = Unit::new_normalize(placement.R.transpose() * n.into_inner());
        let kind = match random.below(4) {
            0 | 1 => JointKind::Revolute { axis: if random.unit() < 0.5 { own } else { -own } },
            2 => {
                let across = own.cross(&random.vector()).normalize();
                let exact = across - own.into_inner() * own.dot(&across);
                JointKind::Prismatic { axis: Unit::new_normalize(exact) }
            }
            _ => {
                // A planar joint moves across its own z.
                let z = Rotation3::rotation_between(&Vector3::z(), &own);
                placement.R *= z.map_or_else(Matrix3::identity, Rotation3::into_inner);
                own = Vector3::z_axis();
                JointKind::Planar
            }
        };
        let single = kind.nv() == 1;
        let coordinates = (0..kind.nv()).map(|_| random_coordinate(random, single)).collect();
        let joint = Joint::new(format!("j{i}"), kind, placement).with_coordinates(coordinates);
        let id = builder.add_body(format!("b{i}"), parent, joint, random.inertia()).unwrap();
        bodies.push((id, own));
    }
    builder.build().unwrap()
}

#[test]
fn planar_is_articulated() {
    let mut compared = 0;
    for seed in 0..1000 {
        let mut random = Random::new(seed);
        let model = planar_forest(&mut random, 12);
        let mut flight = match Flight::of(&model) {
            Some(flight) => flight,
            // Round-off of long chains of random turns may bend the plane.
            None => continue,
        };
        let state = random_state(&mut random, &model);
        let tau: Vec<f64> = (0..model.nv()).map(|_| random.within(-5.0, 5.0)).collect();
        let exact = general(&model, &state, &tau).unwrap();
        let found = short(&mut flight, &state, &tau).unwrap();
        let far = distance(&exact, &found);
        assert!(far < EXACT, "seed {seed}: {far:e} with {} degrees of freedom", model.nv());
        compared += 1;
    }
    assert!(compared > 950, "{compared}");
}

#[test]
fn lone_bodies_are_articulated() {
    for seed in 0..1000 {
        let mut random = Random::new(seed);
        let mut builder = ModelBuilder::new();
        builder.gravity(random.vector() * 9.81).unwrap();
        for i in 0..1 + random.below(3) {
            let joint = Joint::new(format!("j{i}"), JointKind::Free, random.pose());
            let mut inertia = random.inertia();
            if random.unit() < 0.3 {
                inertia.com = Vector3::zeros();
            }
            builder.add_body(format!("b{i}"), None, joint, inertia).unwrap();
        }
        let model = builder.build().unwrap();
        let state = random_state(&mut random, &model);
        let tau: Vec<f64> = (0..model.nv()).map(|_| random.within(-5.0, 5.0)).collect();
        let exact = general(&model, &state, &tau).unwrap();
        let found = short(&mut Flight::of(&model).unwrap(), &state, &tau).unwrap();
        let far = distance(&exact, &found);
        assert!(far < EXACT, "seed {seed}: {far:e}");
    }
}

#[test]
fn a_mechanism_with_any_other_branch_has_no_short_way() {
    let mut short = 0;
    for seed in 0..300 {
        let mut random = Random::new(seed);
        let model = random_tree(&mut random, 20);
        let Some(mut flight) = Flight::of(&model) else { continue };
        let state = random_state(&mut random, &model);
        let tau = vec![0.0; model.nv()];
        let exact = general(&model, &state, &tau).unwrap();
        assert!(distance(&exact, &self::short(&mut flight, &state, &tau).unwrap()) < EXACT);
        short += 1;
    }
    assert!((1..150).contains(&short), "{short}");
}

fn two_hinges(second: Unit<Vector3<f64>>, bob: Inertia) -> Model {
    let mut builder = ModelBuilder::new();
    let first = Joint::revolute("first", Vector3::z_axis(), Pose::identity());
    let at = Pose::translation(Vector3::x());
    let rod = builder.add_body("rod", None, first, Inertia::massless()).unwrap();
    builder.add_body("bob", Some(rod), Joint::revolute("second", second, at), bob).unwrap();
    builder.build().unwrap()
}

#[test]
fn a_tilted_axis_is_not_planar() {
    let bob = Inertia::point(1.0, Vector3::x()).unwrap();
    assert!(Flight::of(&two_hinges(Vector3::z_axis(), bob)).is_some());
    assert!(Flight::of(&two_hinges(-Vector3::z_axis(), bob)).is_some());
    let tilted = Unit::new_normalize(Vector3::new(0.0, 1e-9, 1.0));
    assert!(Flight::of(&two_hinges(tilted, bob)).is_none());
}

#[test]
fn a_singular_posture_is_left_to_the_general_way() {
    // A mass point on two massless bars: stretched out, nothing resists along the bars.
    let model = two_hinges(Vector3::z_axis(), Inertia::point(1.0, Vector3::x()).unwrap());
    let mut flight = Flight::of(&model).unwrap();
    let mut state = State::neutral(&model);
    for (bend, regular) in [(0.0, false), (1e-9, false), (0.3, true)] {
        state.q[0] = 0.4;
        state.q[1] = bend;
        assert_eq!(general(&model, &state, &[0.0; 2]).is_ok(), regular, "{bend}");
        assert_eq!(short(&mut flight, &state, &[0.0; 2]).is_some(), regular, "{bend}");
    }
    // A mass point in its own hinge feels no turn.
    let model = two_hinges(Vector3::z_axis(), Inertia::point(1.0, Vector3::zeros()).unwrap());
    let mut flight = Flight::of(&model).unwrap();
    assert!(short(&mut flight, &State::neutral(&model), &[0.0; 2]).is_none());
}

#[test]
fn not_a_number_has_no_short_way() {
    let model = two_hinges(Vector3::z_axis(), Inertia::point(1.0, Vector3::x()).unwrap());
    let mut state = State::neutral(&model);
    state.q[1] = f64::NAN;
    assert!(short(&mut Flight::of(&model).unwrap(), &state, &[0.0; 2]).is_none());
}
