//! Clusters with their own clocks: what they do when they meet, and that others do not notice.

mod support;

use carom::hybrid::{Options, Output, Run, Simulation, Stop};
use carom::impact::{Differential, Newton, Restitution};
use carom::model::{JointKind, Model, Shape};
use carom::record::{Event, EventKind};
use carom::spatial::Inertia;
use carom::state::State;
use nalgebra::{Matrix3, Unit, UnitQuaternion, Vector2, Vector3};
use support::worlds::{World, planar_inertia, surface};

const RADIUS: f64 = 0.02;

/// Discs in a square box of side `length`, with these surfaces.
fn discs(count: usize, length: f64, gravity: f64, e: f64, mu: f64) -> Model {
    let mut world = World::new();
    world.builder.gravity(Vector3::new(0.0, -gravity, 0.0)).unwrap();
    let mut rims = Vec::new();
    for _ in 0..count {
        let disc = world.body(JointKind::Planar, planar_inertia(0.1, 2e-5));
        rims.push(world.shape(Some(disc), Vector3::zeros(), Shape::Disk { radius: RADIUS }));
    }
    for (at, normal) in [
        ([0.0, 0.0], [1.0, 0.0]),
        ([0.0, 0.0], [0.0, 1.0]),
        ([length, 0.0], [-1.0, 0.0]),
        ([0.0, length], [0.0, -1.0]),
    ] {
        let normal = Unit::new_normalize(Vector3::new(normal[0], normal[1], 0.0));
        let at = Vector3::new(at[0], at[1], 0.0);
        let wall = world.shape(None, at, Shape::HalfSpace { normal });
        rims.iter().for_each(|&rim| world.touch(wall, rim, surface(e, mu)));
    }
    for i in 0..count {
        for j in 0..i {
            world.touch(rims[j], rims[i], surface(e, mu));
        }
    }
    world.build()
}

/// A gas on a lattice with velocities of a fixed sequence.
fn gas(count: usize) -> (Model, State, f64) {
    let side = (count as f64).sqrt().ceil() as usize;
    let length = 0.06 * side as f64;
    let model = discs(count, length, 0.0, 1.0, 0.0);
    let mut state = State::neutral(&model);
    let mut seed = 7;
    let mut random =
        || 2.0 * (carom_testing::splitmix64(&mut seed) >> 11) as f64 / (1_u64 << 53) as f64 - 1.0;
    for i in 0..count {
        state.q[3 * i] = 0.06 * ((i % side) as f64 + 0.5);
        state.q[3 * i + 1] = 0.06 * ((i / side) as f64 + 0.5);
        state.v[3 * i] = random();
        state.v[3 * i + 1] = random();
    }
    (model, state, length)
}

fn run(model: &Model, state: State, end: f64) -> Run {
    let law = Differential { restitution: Restitution::Energetic };
    let run =
        Simulation::new(model, state, law).run_until(end).unwrap_or_else(|e| panic!("{}", e.0));
    assert_eq!(run.stop, Stop::ReachedEnd);
    run
}

/// Hard discs by the textbook: all pairs and walls at every collision, roots of the quadratic.
fn textbook(state: &State, length: f64, end: f64) -> (Vec<f64>, Vec<Vector2<f64>>) {
    let count = state.q.len() / 3;
    let mut x: Vec<Vector2<f64>> =
        (0..count).map(|i| Vector2::new(state.q[3 * i], state.q[3 * i + 1])).collect();
    let mut v: Vec<Vector2<f64>> =
        (0..count).map(|i| Vector2::new(state.v[3 * i], state.v[3 * i + 1])).collect();
    let (mut t, mut times) = (0.0, Vec::new());
    loop {
        let mut first = (f64::INFINITY, 0, 0);
        for i in 0..count {
            for axis in 0..2 {
                let (lo, hi) = (RADIUS - x[i][axis], length - RADIUS - x[i][axis]);
                let wall = if v[i][axis] < 0.0 { lo } else { hi };
                let dt = wall / v[i][axis];
                if dt >= -1e-12 && dt < first.0 {
                    first = (dt, i, count + axis);
                }
            }
            for j in 0..i {
                let (r, u) = (x[i] - x[j], v[i] - v[j]);
                let (b, c) = (r.dot(&u), r.norm_squared() - 4.0 * RADIUS * RADIUS);
                let root = b * b - u.norm_squared() * c;
                if b < 0.0 && root > 0.0 {
                    let dt = c / (-b + root.sqrt());
                    if dt < first.0 {
                        first = (dt, i, j);
                    }
                }
            }
        }
        let dt = first.0.min(end - t);
        x.iter_mut().zip(&v).for_each(|(x, v)| *x += v * dt);
        t += dt;
        if t >= end {
            return (times, x);
        }
        times.push(t);
        let (_, i, j) = first;
        if j >= count {
            v[i][j - count] *= -1.0;
        } else {
            let n = (x[i] - x[j]).normalize();
            let u = n * n.dot(&(v[i] - v[j]));
            v[i] -= u;
            v[j] += u;
        }
    }
}

#[test]
fn a_gas_is_the_textbook_one() {
    let (model, state, length) = gas(30);
    let (times, x) = textbook(&state, length, 0.2);
    assert!(times.len() > 40, "{}", times.len());
    let run = run(&model, state.clone(), 0.2);
    let impacts: Vec<&Event> = run.events().iter().filter(|e| e.kind.is_jump()).collect();
    assert_eq!(impacts.len(), times.len());
    for (impact, t) in impacts.iter().zip(&times) {
        assert!((impact.t - t).abs() < 1e-9, "{} {t}", impact.t);
    }
    for (i, x) in x.iter().enumerate() {
        let own = Vector2::new(run.state.q[3 * i], run.state.q[3 * i + 1]);
        assert!((own - x).norm() < 1e-9, "{i}: {own} {x}");
    }
    // More than a few bodies: events tell their own cluster only.
    assert!(impacts.iter().all(|e| (1..=2).contains(&e.bodies.len())));
    assert!(impacts.iter().all(|e| e.q.len() == 3 * e.bodies.len()));
    let energy = |v: &nalgebra::DVector<f64>| 0.05 * v.norm_squared();
    assert!((energy(&run.state.v) / energy(&state.v) - 1.0).abs() < 1e-12);
}

/// Discs dropped side by side on the floor of a wide box, e = 0.5, μ = 0.3.
fn dropped(count: usize, force: bool, end: f64) -> Run {
    let model = discs(count, 100.0, 9.81, 0.5, 0.3);
    let mut state = State::neutral(&model);
    for i in 0..count {
        (state.q[3 * i], state.q[3 * i + 1]) = (1.0 + i as f64, 0.3 + 0.07 * i as f64);
        (state.v[3 * i], state.v[3 * i + 2]) = (0.1 / (1.0 + i as f64), 5.0);
    }
    let law = Differential { restitution: Restitution::Energetic };
    let options = Options { output: Output::Events, ..Options::default() };
    let mut simulation = Simulation::new(&model, state, law).options(options);
    if force {
        simulation = simulation.force(|_: f64, _: (&[f64], &[f64]), _: &mut [f64]| {});
    }
    simulation.run_until(end).unwrap_or_else(|e| panic!("{}", e.0))
}

/// Time, kind and impulse of all that happens at the first site of the floor, which is the first disc's.
fn of_first(run: &Run, site: usize) -> Vec<(f64, EventKind, [f64; 3])> {
    let own = |e: &Event| {
        let change = e.contacts.iter().find(|c| c.site == site)?;
        Some((e.t, e.kind, change.impulse))
    };
    run.events().iter().filter_map(own).collect()
}

#[test]
fn events_are_the_same_bytes_whatever_else_there_is() {
    let alone = of_first(&dropped(2, false, 2.0), 2);
    assert!(alone.len() > 10);
    for count in [3, 9, 20] {
        assert_eq!(of_first(&dropped(count, false, 2.0), count), alone, "{count} discs");
    }
}

#[test]
fn events_of_a_mechanism_are_the_same_bytes_whether_it_is_alone_or_not() {
    // Boxes that tumble on a floor: flights and contacts that last, alone by the loop of one clock.
    let boxes = |count: usize| {
        let mut world = World::new();
        let floor = world.incline(0.1);
        for _ in 0..count {
            let body = world.body(JointKind::Planar, planar_inertia(1.0, 0.01));
            let half_extents = [0.2, 0.1, 0.1];
            let corners = world.shape(Some(body), Vector3::zeros(), Shape::Box { half_extents });
            world.touch(floor, corners, surface(0.4, 0.5));
        }
        let model = world.build();
        let mut state = State::neutral(&model);
        for i in 0..count {
            (state.q[3 * i], state.q[3 * i + 1], state.q[3 * i + 2]) = (i as f64, 0.6, 0.3);
        }
        let law = Differential { restitution: Restitution::Energetic };
        Simulation::new(&model, state, law).run_until(3.0).unwrap_or_else(|e| panic!("{}", e.0))
    };
    let of_box = |run: &Run| -> Vec<(f64, EventKind, Vec<[f64; 3]>)> {
        let own = |e: &&Event| e.contacts.iter().any(|c| c.site < 4);
        let told = |e: &Event| (e.t, e.kind, e.contacts.iter().map(|c| c.impulse).collect());
        run.events().iter().filter(own).map(told).collect()
    };
    let alone = of_box(&boxes(1));
    assert!(alone.len() > 15, "{}", alone.len());
    for count in [2, 5, 12] {
        assert_eq!(of_box(&boxes(count)), alone, "{count} boxes");
    }
}

/// A box of 0.3 m by 0.2 m by 0.1 m falls on its corner, bounces, slips and comes to rest, beside others that are turned a
/// little more: what happens to it.
fn tumbling(count: usize, output: Output) -> Vec<(f64, EventKind, Vec<[f64; 3]>)> {
    let mut world = World::new();
    world.builder.gravity(Vector3::new(0.0, 0.0, -9.81)).unwrap();
    let normal = Unit::new_normalize(Vector3::z());
    let floor = world.shape(None, Vector3::zeros(), Shape::HalfSpace { normal });
    let moments = Vector3::new(0.3 * 0.05, 0.3 * 0.1, 0.3 * 0.13);
    let inertia = Inertia::new(3.6, Vector3::zeros(), Matrix3::from_diagonal(&moments)).unwrap();
    for _ in 0..count {
        let body = world.body(JointKind::Free, inertia);
        let half_extents = [0.15, 0.1, 0.05];
        let corners = world.shape(Some(body), Vector3::zeros(), Shape::Box { half_extents });
        world.touch(floor, corners, surface(0.4, 0.5));
    }
    let model = world.build();
    let mut state = State::neutral(&model);
    for i in 0..count {
        let turn = |axis, degrees: f64| UnitQuaternion::from_axis_angle(axis, degrees.to_radians());
        let (x, y, z) = (Vector3::x_axis(), Vector3::y_axis(), Vector3::z_axis());
        let r = turn(&z, 10.0) * turn(&y, 35.0) * turn(&x, 25.0 + i as f64);
        let q = &mut state.q.as_mut_slice()[7 * i..7 * i + 7];
        q.copy_from_slice(&[0.6 * i as f64, 0.0, 0.5, r.w, r.i, r.j, r.k]);
    }
    let law = Differential { restitution: Restitution::Energetic };
    let options = Options { output, ..Options::default() };
    let run = Simulation::new(&model, state, law).options(options).run_until(3.0);
    let run = run.unwrap_or_else(|e| panic!("{}", e.0));
    let own = |e: &&Event| e.contacts.iter().any(|c| c.site < 8);
    let told = |e: &Event| (e.t, e.kind, e.contacts.iter().map(|c| c.impulse).collect());
    run.events().iter().filter(own).map(told).collect()
}

#[test]
fn events_are_the_same_bytes_whatever_rows_are_told() {
    // Slow slips in space: which of them are steered must not depend on what was looked at last.
    let alone = tumbling(1, Output::Steps);
    assert!(alone.len() > 60, "{}", alone.len());
    assert_eq!(tumbling(1, Output::Events), alone);
    assert_eq!(tumbling(1, Output::Interval(0.01)), alone);
    for count in [2, 5] {
        assert_eq!(tumbling(count, Output::Steps), alone, "{count} boxes");
        assert_eq!(tumbling(count, Output::Interval(0.003)), alone, "{count} boxes");
    }
}

#[test]
fn one_clock_for_all_sees_the_same() {
    // A force of the user's, though it is none, makes one clock of all.
    let (own, common) = (dropped(3, false, 1.0), dropped(3, true, 1.0));
    let jumps = |run: &Run| -> Vec<f64> {
        run.events().iter().filter(|e| e.kind == EventKind::Impact).map(|e| e.t).collect()
    };
    let (own, common) = (jumps(&own), jumps(&common));
    assert!(own.len() > 20);
    assert_eq!(own.len(), common.len());
    for (a, b) in own.iter().zip(&common) {
        assert!((a - b).abs() < 1e-7, "{a} {b}");
    }
}

#[test]
fn clusters_join_part_and_are_struck() {
    // Two discs fall on each other; a third strikes them later.
    let model = discs(3, 0.5, 9.81, 0.3, 0.3);
    let mut state = State::neutral(&model);
    let places = [(0.1, 0.05), (0.105, 0.12), (0.11, 0.45)];
    for (i, (x, y)) in places.into_iter().enumerate() {
        (state.q[3 * i], state.q[3 * i + 1]) = (x, y);
    }
    state.v[7] = 1.0;
    let run = run(&model, state, 5.0);
    // They fly, land, touch each other, roll apart.
    for kind in [EventKind::Impact, EventKind::Close, EventKind::SlipStop] {
        assert!(run.events().iter().any(|e| e.kind == kind), "{kind:?}");
    }
    assert!(run.events().iter().any(|e| e.contacts.len() > 2), "no event of a pile");
    assert!(run.statistics.worst_gap > -1e-12, "{}", run.statistics.worst_gap);
    assert!(run.ledger.closure().abs() < 1e-9, "{}", run.ledger.closure());
    assert!(run.recording.t.windows(2).all(|t| t[0] <= t[1]));
}

#[test]
fn three_in_a_row_touch_and_are_struck_together() {
    let (model, state) = support::worlds::cradle(4, 1.0);
    let run =
        Simulation::new(&model, state, Newton).run_until(1.0).unwrap_or_else(|e| panic!("{}", e.0));
    let impacts: Vec<_> = run.events().iter().filter(|e| e.kind.is_jump()).collect();
    assert_eq!(impacts.len(), 1, "{impacts:?}");
    assert_eq!(impacts[0].contacts.len(), 3);
    assert!((impacts[0].t - 0.5).abs() < 1e-12);
}

#[test]
fn eq1_points_over_a_plane_are_watched_in_few_windows() {
    // A point that is thrown over a heavy table on a spring: both move, one without size, the other without bounds.
    let mut world = World::new();
    let up = || JointKind::Prismatic { axis: Vector3::y_axis() };
    let table = world.body(up(), planar_inertia(1e6, 1.0));
    let normal = Vector3::y_axis();
    let top = world.shape(Some(table), Vector3::zeros(), Shape::HalfSpace { normal });
    let ball = world.body(up(), planar_inertia(0.01, 1e-6));
    let point = world.shape(Some(ball), Vector3::zeros(), Shape::Point);
    world.touch(top, point, surface(0.5, 0.0));
    let model = world.build();
    let mut state = State::neutral(&model);
    (state.q[1], state.v[0], state.v[1]) = (0.5, 9.81, 2.0);
    let run = run(&model, state, 1.0);
    assert!(run.events().iter().any(|e| e.kind == EventKind::Impact));
    assert!(run.statistics.guards < 20_000, "{}", run.statistics.guards);
}
