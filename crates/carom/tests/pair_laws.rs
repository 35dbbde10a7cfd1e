//! Which law resolves an event where pairs have laws of their own.

use carom::hybrid::{Simulation, Stop};
use carom::impact::{
    ContactSpace, Differential, ImpactError, ImpactLaw, ImpactSolution, ImpactWorkspace,
    Restitution,
};
use carom::model::{Feature, Joint, JointKind, Model, ModelBuilder, Shape, Surface};
use carom::spatial::{Inertia, Pose};
use carom::state::State;
use nalgebra::{Matrix3, Vector3};
use std::sync::atomic::{AtomicUsize, Ordering};

/// Counts how often it is asked.
struct Counted<'c>(&'c AtomicUsize);

impl ImpactLaw for Counted<'_> {
    fn name(&self) -> &'static str {
        "counted"
    }

    fn resolve(
        &self,
        space: &ContactSpace,
        work: &mut ImpactWorkspace,
        out: &mut ImpactSolution,
    ) -> Result<(), ImpactError> {
        self.0.fetch_add(1, Ordering::Relaxed);
        Differential { restitution: Restitution::Energetic }.resolve(space, work, out)
    }
}

/// A bar with two feet over one plane, so that both may hit it at once; e = 1.
fn bar() -> Model {
    let mut builder = ModelBuilder::new();
    builder.gravity(Vector3::new(0.0, -9.81, 0.0)).unwrap();
    let plane = Shape::HalfSpace { normal: Vector3::y_axis() };
    let placement = Pose::identity();
    let ground = Feature { name: "ground".into(), body: None, placement, shape: plane };
    let ground = builder.add_feature(ground).unwrap();
    let inertia = Inertia::new(1.0, Vector3::zeros(), Matrix3::identity() * 0.1).unwrap();
    let joint = Joint::new("bar", JointKind::Planar, Pose::identity());
    let body = builder.add_body("bar", None, joint, inertia).unwrap();
    for (name, x) in [("left", -0.5), ("right", 0.5)] {
        let placement = Pose::new(Matrix3::identity(), Vector3::new(x, 0.0, 0.0));
        let foot = Feature { name: name.into(), body: Some(body), placement, shape: Shape::Point };
        let foot = builder.add_feature(foot).unwrap();
        let surface = Surface { restitution: 1.0, static_friction: 0.3, friction: 0.3 };
        builder.add_pair(name, ground, foot, surface).unwrap();
    }
    builder.build().unwrap()
}

/// Balls beside each other over one plane, e = 1.
fn balls(count: usize) -> Model {
    let mut builder = ModelBuilder::new();
    builder.gravity(Vector3::new(0.0, -9.81, 0.0)).unwrap();
    let feature =
        |name: String, body, shape| Feature { name, body, placement: Pose::identity(), shape };
    let plane = Shape::HalfSpace { normal: Vector3::y_axis() };
    let ground = builder.add_feature(feature("ground".into(), None, plane)).unwrap();
    for k in 0..count {
        let inertia = Inertia::new(1.0, Vector3::zeros(), Matrix3::identity() * 1e-3).unwrap();
        let name = format!("ball{k}");
        let joint = Joint::new(&name, JointKind::Planar, Pose::identity());
        let body = builder.add_body(&name, None, joint, inertia).unwrap();
        let sphere = feature(name.clone(), Some(body), Shape::Sphere { radius: 0.05 });
        let sphere = builder.add_feature(sphere).unwrap();
        let surface = Surface { restitution: 1.0, static_friction: 0.3, friction: 0.3 };
        builder.add_pair(name, ground, sphere, surface).unwrap();
    }
    builder.build().unwrap()
}

/// Impacts resolved by the law of the scene, by that of the first ball and by that of the second,
/// for one bounce of balls dropped from these heights.
fn asked(heights: [f64; 2]) -> [usize; 3] {
    let model = balls(2);
    let mut state = State::neutral(&model);
    for (k, height) in heights.iter().enumerate() {
        state.q[3 * k] = k as f64;
        state.q[3 * k + 1] = height + 0.05;
    }
    let counts: [AtomicUsize; 3] = std::array::from_fn(|_| AtomicUsize::new(0));
    let run = Simulation::new(&model, state, Counted(&counts[0]))
        .pair_law(model.pair_id(0), Counted(&counts[1]))
        .pair_law(model.pair_id(1), Counted(&counts[2]))
        .run_until(0.6)
        .unwrap();
    assert_eq!(run.stop, Stop::ReachedEnd);
    counts.map(|c| c.into_inner())
}

#[test]
fn a_pair_has_its_own_law() {
    // 1 m takes 0.45 s, 0.9 m a little less: two events.
    assert_eq!(asked([1.0, 0.9]), [0, 1, 1]);
}

#[test]
fn what_happens_elsewhere_has_a_law_of_its_own() {
    // Two balls hit the ground at the same instant and have nothing to do with each other.
    assert_eq!(asked([1.0, 1.0]), [0, 1, 1]);
}

/// One bounce of the bar, flat on both feet: how often the law of the scene and those of the feet are
/// asked.
fn bar_asked(shared: bool) -> [usize; 3] {
    let model = bar();
    let mut state = State::neutral(&model);
    state.q[1] = 1.0;
    let counts: [AtomicUsize; 3] = std::array::from_fn(|_| AtomicUsize::new(0));
    let simulation = Simulation::new(&model, state, Counted(&counts[0]));
    let (left, right) = (model.pair_id(0), model.pair_id(1));
    let simulation = match shared {
        true => simulation.law_of_pairs(&[left, right], Counted(&counts[1])),
        false => {
            simulation.pair_law(left, Counted(&counts[1])).pair_law(right, Counted(&counts[2]))
        }
    };
    assert_eq!(simulation.run_until(0.6).unwrap().stop, Stop::ReachedEnd);
    counts.map(|c| c.into_inner())
}

#[test]
fn different_laws_give_way_to_that_of_the_scene() {
    assert_eq!(bar_asked(false), [1, 0, 0]);
}

#[test]
fn pairs_that_share_a_law_have_one() {
    assert_eq!(bar_asked(true), [0, 1, 0]);
}

#[test]
fn a_later_law_of_a_pair_replaces_the_earlier_one() {
    let model = balls(1);
    let mut state = State::neutral(&model);
    state.q[1] = 1.05;
    let counts: [AtomicUsize; 3] = std::array::from_fn(|_| AtomicUsize::new(0));
    let pair = model.pair_id(0);
    let simulation = Simulation::new(&model, state, Counted(&counts[0]));
    let simulation = simulation.pair_law(pair, Counted(&counts[1]));
    simulation.pair_law(pair, Counted(&counts[2])).run_until(0.6).unwrap();
    assert_eq!(counts.map(|c| c.into_inner()), [0, 0, 1]);
}
