//! Excerpts of a model: the same mechanics in fewer numbers.

#![allow(non_snake_case)]

mod support;

use carom::dynamics::{CompositeScratch, Kinematics, kinematics, mass_matrix};
use carom::model::{Joint, JointKind, Model, Shape};
use carom::spatial::{Inertia, Pose};
use carom::state::State;
use nalgebra::{DMatrix, Vector3};
use support::worlds::{World, planar_inertia, surface};

/// A pendulum of two bars on a fixed frame, and a disc, interleaved; a floor.
fn mechanism() -> Model {
    let mut world = World::new();
    let z = Vector3::z_axis();
    let frame =
        Joint::new("frame.joint", JointKind::Fixed, Pose::translation(Vector3::new(1.0, 2.0, 0.0)));
    let frame = world.builder.add_body("frame", None, frame, Inertia::massless()).unwrap();
    let bar = Inertia::point(2.0, Vector3::new(0.5, 0.1, 0.0)).unwrap();
    let upper = Joint::revolute("upper", z, Pose::translation(Vector3::new(0.2, 0.0, 0.0)));
    let upper = world.builder.add_body("bar1", Some(frame), upper, bar).unwrap();
    let disc = world.body(JointKind::Planar, planar_inertia(1.5, 0.1));
    let lower = Joint::revolute("lower", z, Pose::translation(Vector3::new(1.0, 0.0, 0.0)));
    let lower = world.builder.add_body("bar2", Some(upper), lower, bar).unwrap();
    let floor = world.incline(0.1);
    let tip = world.shape(Some(lower), Vector3::new(1.0, 0.0, 0.0), Shape::Point);
    let rim = world.shape(Some(disc), Vector3::zeros(), Shape::Disk { radius: 0.3 });
    world.touch(floor, tip, surface(0.5, 0.1));
    world.touch(floor, rim, surface(0.4, 0.2));
    world.touch(rim, tip, surface(0.3, 0.3));
    world.build()
}

fn masses(model: &Model, q: &[f64]) -> DMatrix<f64> {
    let mut kin = Kinematics::new(model);
    kinematics(model, q, &vec![0.3; model.nv()], &mut kin);
    let mut M = DMatrix::zeros(model.nv(), model.nv());
    mass_matrix(model, &kin, &mut CompositeScratch::new(model), &mut M);
    M
}

#[test]
fn an_excerpt_moves_as_the_whole() {
    let whole = mechanism();
    let mut state = State::neutral(&whole);
    for (i, q) in state.q.iter_mut().enumerate() {
        *q = 0.4 + 0.3 * i as f64;
    }
    let M = masses(&whole, state.q.as_slice());
    for names in [["bar1", "bar2"].as_slice(), &["body1"], &["bar1", "bar2", "body1"]] {
        let mut bodies: Vec<_> = names.iter().map(|n| whole.body_named(n).unwrap()).collect();
        bodies.sort();
        let pairs: Vec<_> = whole.pairs().iter().collect();
        let kept = match names {
            ["bar1", "bar2"] => &pairs[..1],
            ["body1"] => &pairs[1..2],
            _ => &pairs[..],
        };
        let part = whole.excerpt(&bodies, kept);
        assert_eq!(part.model.pairs().len(), kept.len());
        let q: Vec<f64> = part.q.iter().map(|&at| state.q[at]).collect();
        let own = masses(&part.model, &q);
        for (i, &a) in part.v.iter().enumerate() {
            for (j, &b) in part.v.iter().enumerate() {
                assert!((own[(i, j)] - M[(a, b)]).abs() < 1e-12, "{names:?} {i} {j}");
            }
        }
        // What is fixed is the world's.
        assert!(part.model.bodies().iter().all(|b| b.name != "frame"));
        assert!(
            part.model.features().iter().all(|f| f.body.is_none_or(|b| b.index() < bodies.len()))
        );
    }
}
