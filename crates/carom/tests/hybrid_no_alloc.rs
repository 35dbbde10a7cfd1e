//! The time loop allocates nothing: a run with many more events allocates as much as a short one.

mod support;

use carom::hybrid::{Options, Output, Simulation};
use carom::impact::{Differential, Restitution};
use carom::model::{JointKind, Model, Shape};
use carom::state::State;
use carom_testing::{CountingAllocator, allocations};
use nalgebra::Vector3;
use support::worlds::{World, double_pendulum, planar_inertia, surface};

#[global_allocator]
static ALLOCATOR: CountingAllocator = CountingAllocator;

/// Allocations and events of a run that nobody listens to.
fn count(model: &Model, state: &State, end: f64) -> (usize, u64) {
    let law = Differential { restitution: Restitution::Energetic };
    let options = Options { output: Output::Events, ..Options::default() };
    let simulation = Simulation::new(model, state.clone(), law).options(options);
    let mut events = 0;
    let count = allocations(|| {
        events = simulation.run_with(end, &mut ()).unwrap().statistics.events;
    });
    (count, events)
}

fn bouncing_ball() -> (Model, State) {
    let mut world = World::new();
    let ball = world.body(JointKind::Planar, planar_inertia(1.0, 0.1));
    let rim = world.shape(Some(ball), Vector3::zeros(), Shape::Disk { radius: 0.1 });
    let floor = world.incline(0.0);
    world.touch(floor, rim, surface(0.98, 0.3));
    let model = world.build();
    let mut state = State::neutral(&model);
    state.q[1] = 1.0;
    (model, state)
}

#[test]
fn events_and_steps_allocate_nothing() {
    for (model, state) in [bouncing_ball(), double_pendulum(0.9, 0.3)] {
        let (short, few) = count(&model, &state, 1.1);
        let (long, many) = count(&model, &state, 6.0);
        assert!(few > 0 && many > few + 5, "{few} and {many} events");
        assert_eq!(short, long, "{few} and {many} events");
    }
}
