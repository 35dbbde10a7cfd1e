//! Exact: a ball dropped on the ground, closed form as a function of the number of bounces.
#![allow(non_snake_case)]

use carom::hybrid::{Options, Simulation, Stop};
use carom::impact::{Differential, Restitution};
use carom::model::{Feature, Joint, JointKind, Model, ModelBuilder, Shape, Surface};
use carom::record::EventKind;
use carom::spatial::{Inertia, Pose};
use carom::state::State;
use nalgebra::{Matrix3, Vector3};

const G: f64 = 9.81;

/// A ball of radius 5 cm over the plane y = 0.
fn ball(kind: JointKind, restitution: f64) -> Model {
    let mut builder = ModelBuilder::new();
    builder.gravity(Vector3::new(0.0, -G, 0.0)).unwrap();
    let inertia = Inertia::new(0.1, Vector3::zeros(), Matrix3::identity() * 1e-4).unwrap();
    let joint = Joint::new("ball", kind, Pose::identity());
    let body = builder.add_body("ball", None, joint, inertia).unwrap();
    let at = |name: &str, body, shape| Feature {
        name: name.into(),
        body,
        placement: Pose::identity(),
        shape,
    };
    let sphere =
        builder.add_feature(at("sphere", Some(body), Shape::Sphere { radius: 0.05 })).unwrap();
    let plane = Shape::HalfSpace { normal: Vector3::y_axis() };
    let ground = builder.add_feature(at("ground", None, plane)).unwrap();
    let surface = Surface { restitution, static_friction: 0.3, friction: 0.3 };
    builder.add_pair("ball-ground", ground, sphere, surface).unwrap();
    builder.build().unwrap()
}

fn dropped(model: &Model) -> State {
    let mut state = State::neutral(model);
    state.q[1] = 1.05;
    state
}

fn law() -> Differential {
    Differential { restitution: Restitution::Energetic }
}

#[test]
fn eq1_accumulation_time() {
    for kind in [JointKind::Planar, JointKind::Free] {
        let model = ball(kind, 0.5);
        let options = Options { rtol: 1e-10, atol: 1e-12, ..Options::default() };
        let run = Simulation::new(&model, dropped(&model), law())
            .options(options)
            .run_until(10.0)
            .unwrap();
        assert_eq!(run.stop, Stop::ReachedEnd);
        let first = (2.0 / G).sqrt();
        let impacts: Vec<_> = run.events().iter().filter(|e| e.kind.is_jump()).collect();
        assert!((impacts[0].t - first).abs() < 1e-14, "{:e}", impacts[0].t - first);
        let mut t = first;
        for (k, impact) in impacts.iter().enumerate() {
            assert!((impact.t - t).abs() < 1e-10, "bounce {k}: {:e}", impact.t - t);
            t += 2.0 * first * 0.5_f64.powi(k as i32 + 1);
        }
        let close = run.events().iter().find(|e| e.kind == EventKind::Close).unwrap();
        let accumulation = close.t + close.remaining_time.unwrap();
        assert!((accumulation - 3.0 * first).abs() < 1e-9, "{:e}", accumulation - 3.0 * first);
        let rest = run.events().last().unwrap();
        assert_eq!(rest.kind, EventKind::Rest);
        assert_eq!(rest.t, close.t);
        assert_eq!(run.state.v.amax(), 0.0);
        assert!((run.energy_lost() - 0.1 * G).abs() < 1e-10);
        assert!(run.statistics.worst_closure < 1e-12);
        println!("{:?}", run.statistics);
    }
}
