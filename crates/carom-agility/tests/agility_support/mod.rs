//! Mechanisms whose agility is tested.
#![allow(dead_code, non_snake_case)]

use crate::support::Random;
use carom::contact::{Site, sites};
use carom::control::Actuator;
use carom::model::{
    BodyId, Coordinate, Feature, FeatureId, Joint, JointKind, Limits, Model, ModelBuilder, Shape,
    Spring, Surface,
};
use carom::spatial::{Inertia, Pose};
use carom::state::State;
use carom_agility::{Names, Stance, Task};
use nalgebra::{Matrix3, Vector3};
use std::sync::Arc;

pub fn no_names() -> Arc<Names> {
    Arc::default()
}

pub fn rod(mass: f64, length: f64) -> Inertia {
    let across = mass * length * length / 12.0;
    let moments = Vector3::new(across, across, 0.02 * across);
    Inertia::new(mass, Vector3::new(0.0, 0.0, -0.5 * length), Matrix3::from_diagonal(&moments))
        .unwrap()
}

pub fn block(mass: f64, side: [f64; 3]) -> Inertia {
    let m = |i: usize, j: usize| mass / 12.0 * (side[i].powi(2) + side[j].powi(2));
    let moments = Vector3::new(m(1, 2), m(0, 2), m(0, 1));
    Inertia::new(mass, Vector3::zeros(), Matrix3::from_diagonal(&moments)).unwrap()
}

fn hinge(name: String, axis: Vector3<f64>, at: Vector3<f64>, range: [f64; 2]) -> Joint {
    let limits = Some(Limits { lower: range[0], upper: range[1], restitution: 0.0 });
    let axis = nalgebra::Unit::new_normalize(axis);
    Joint::revolute(name, axis, Pose::translation(at))
        .with_coordinates(vec![Coordinate { limits, ..Coordinate::default() }])
}

/// Three links under `body`: hip about x, thigh and shank about y, a ball as the foot.
fn add_leg(
    builder: &mut ModelBuilder,
    body: BodyId,
    (name, at): (&str, Vector3<f64>),
    masses: [f64; 3],
    lengths: [f64; 3],
) -> FeatureId {
    let down = |l: f64| Vector3::new(0.0, 0.0, -l);
    let mut parent = body;
    let mut place = at;
    let parts = [
        ("hip", Vector3::x(), [-1.2, 1.2]),
        ("thigh", Vector3::y(), [-1.8, 1.8]),
        ("shank", Vector3::y(), [-2.6, 2.6]),
    ];
    for (k, (part, axis, range)) in parts.into_iter().enumerate() {
        let full = format!("{name}.{part}");
        let joint = hinge(full.clone(), axis, place, range);
        let inertia = rod(masses[k], lengths[k]);
        parent = builder.add_body(full, Some(parent), joint, inertia).unwrap();
        place = down(lengths[k]);
    }
    let placement = Pose::translation(place);
    let shape = Shape::Sphere { radius: 0.02 };
    let feature = Feature { name: format!("{name}.foot"), body: Some(parent), placement, shape };
    builder.add_feature(feature).unwrap()
}

/// A free body on legs, named by their places, over a floor.
pub fn walker(legs: &[(&str, Vector3<f64>)], friction: f64, mass_scale: f64) -> Model {
    let mut builder = ModelBuilder::new();
    let root = Joint::new("base", JointKind::Free, Pose::identity());
    let base =
        builder.add_body("base", None, root, block(4.0 * mass_scale, [0.4, 0.2, 0.1])).unwrap();
    let normal = Vector3::z_axis();
    let floor = builder
        .add_feature(Feature {
            name: "floor".into(),
            body: None,
            placement: Pose::identity(),
            shape: Shape::HalfSpace { normal },
        })
        .unwrap();
    let masses = [0.3, 0.5, 0.3].map(|m| m * mass_scale);
    for (name, at) in legs {
        let foot = add_leg(&mut builder, base, (name, *at), masses, [0.05, 0.2, 0.2]);
        let surface = Surface { restitution: 0.0, static_friction: friction, friction };
        builder.add_pair(format!("{name}.foot-floor"), floor, foot, surface).unwrap();
    }
    builder.build().unwrap()
}

pub fn hopper() -> Model {
    walker(&[("leg", Vector3::zeros())], 0.5, 1.0)
}

pub fn quadruped(friction: f64, mass_scale: f64) -> Model {
    let at = |x: f64, y: f64| Vector3::new(0.2 * x, 0.1 * y, 0.0);
    let legs = [
        ("lf", at(1.0, 1.0)),
        ("rf", at(1.0, -1.0)),
        ("lh", at(-1.0, 1.0)),
        ("rh", at(-1.0, -1.0)),
    ];
    walker(&legs, friction, mass_scale)
}

/// A crouch with all feet on the floor.
pub fn crouch(model: &Model) -> State {
    let mut state = State::neutral(model);
    let legs = model.pairs().len();
    for i in 0..legs {
        let (thigh, shank): (f64, f64) = (0.7, -1.3);
        state.q[7 + 3 * i + 1] = thigh;
        state.q[7 + 3 * i + 2] = shank;
        state.q[2] = 0.05 + 0.2 * thigh.cos() + 0.2 * (thigh + shank).cos() + 0.02;
    }
    state
}

/// Motors on all joints that have one degree of freedom.
pub fn motors(model: &Model, torque: f64) -> Vec<Actuator> {
    let ids = model.body_ids().filter(|&b| model.v_range(b).len() == 1);
    ids.map(|b| {
        Actuator::symmetric(model.body(b).joint.name.clone(), model.v_range(b).start, torque)
    })
    .collect()
}

/// The sites of all pairs.
pub fn feet(model: &Model) -> Vec<Site> {
    sites(model).into_iter().filter(|s| s.pair.is_some()).collect()
}

/// The base of a walker to be accelerated, all feet on the floor.
pub fn on_all_feet(model: &Model, torque: f64, direction: Vector3<f64>) -> Stance<'_> {
    let base = model.body_named("base").unwrap();
    let task = Task::new(model, base, direction).unwrap();
    Stance::new(model, &motors(model, torque), task).standing_on(feet(model))
}

/// A serial arm of `n` revolute or prismatic joints with springs and gears.
pub fn arm(random: &mut Random, n: usize, loaded: bool) -> Model {
    let mut builder = ModelBuilder::new();
    builder.gravity(random.vector() * 9.81).unwrap();
    let mut parent = None;
    for i in 0..n {
        let kind = if random.unit() < 0.75 {
            JointKind::Revolute { axis: random.axis() }
        } else {
            JointKind::Prismatic { axis: random.axis() }
        };
        let mut c = Coordinate { ratio: random.within(0.4, 2.0), ..Coordinate::default() };
        c.rotor_inertia = random.within(0.0, 0.1);
        if loaded {
            c.spring = Some(Spring { stiffness: random.within(0.0, 5.0), rest: 0.1 });
            c.damping = random.within(0.0, 0.5);
        }
        let joint = Joint::new(format!("j{i}"), kind, random.pose()).with_coordinates(vec![c]);
        let inertia = random.inertia();
        parent = Some(builder.add_body(format!("b{i}"), parent, joint, inertia).unwrap());
    }
    builder.build().unwrap()
}
