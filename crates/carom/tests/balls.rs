//! Balls in flight: motion, times and impacts in closed form, and that they are what clusters with clocks would do.

mod support;

use carom::hybrid::{Options, Output, Run, Simulation, Stop};
use carom::impact::{Differential, ImpactLaw, Newton, Poisson, Restitution};
use carom::model::{Joint, JointKind, Model, Shape};
use carom::record::{Directive, Event, EventKind, Observer, Sample};
use carom::spatial::{Inertia, Pose, rotation};
use carom::state::State;
use carom_testing::splitmix64;
use nalgebra::{Matrix3, Unit, Vector3};
use support::worlds::{World, planar_inertia, surface};

const G: f64 = 9.81;

fn energetic() -> Differential {
    Differential { restitution: Restitution::Energetic }
}

fn run(model: &Model, state: State, law: impl ImpactLaw + 'static, end: f64) -> Run {
    let run = Simulation::new(model, state, law).run_until(end);
    let run = run.unwrap_or_else(|e| panic!("{}", e.0));
    assert_eq!(run.stop, Stop::ReachedEnd);
    assert!(run.ledger.closure().abs() < 1e-10, "{}", run.ledger.closure());
    run
}

/// The same with one clock for all, which a force that is none makes: no flights.
fn run_by_one_clock(model: &Model, state: State, law: impl ImpactLaw + 'static, end: f64) -> Run {
    let options = Options { rtol: 1e-12, atol: 1e-14, ..Options::default() };
    let run = Simulation::new(model, state, law).options(options);
    let run = run.force(|_: f64, _: (&[f64], &[f64]), _: &mut [f64]| {}).run_until(end);
    run.unwrap_or_else(|e| panic!("{}", e.0))
}

fn ball_inertia(mass: f64, radius: f64) -> Inertia {
    let moment = Matrix3::identity() * (0.4 * mass * radius * radius);
    Inertia::new(mass, Vector3::zeros(), moment).unwrap()
}

/// Balls of these radii over a floor z = 0, with each other; masses grow with their number.
fn balls(radii: &[f64], e: f64, mu: f64) -> Model {
    let mut world = World::new();
    world.builder.gravity(Vector3::new(0.0, 0.0, -G)).unwrap();
    let normal = Vector3::z_axis();
    let floor = world.shape(None, Vector3::zeros(), Shape::HalfSpace { normal });
    let mut shapes = Vec::new();
    for (i, &radius) in radii.iter().enumerate() {
        let body = world.body(JointKind::Free, ball_inertia(0.1 + 0.07 * i as f64, radius));
        let shape = world.shape(Some(body), Vector3::zeros(), Shape::Sphere { radius });
        world.touch(floor, shape, surface(e, mu));
        shapes.iter().for_each(|&other| world.touch(other, shape, surface(e, mu)));
        shapes.push(shape);
    }
    world.build()
}

fn jumps(run: &Run) -> Vec<&Event> {
    run.events().iter().filter(|e| e.kind == EventKind::Impact).collect()
}

#[test]
fn eq1_eq2_a_thrown_ball() {
    // Thrown by 3 m/s, spinning; without friction it keeps its spin.
    let model = balls(&[0.1, 0.1], 0.8, 0.0);
    let mut state = State::neutral(&model);
    (state.q[2], state.v[2], state.v[0]) = (1.1, 3.0, 0.7);
    (state.q[7], state.q[9]) = (50.0, 0.6);
    let spin = Vector3::new(1.0, -2.0, 0.5);
    (0..3).for_each(|k| state.v[3 + k] = spin[k]);
    let run = run(&model, state, energetic(), 1.6);
    let first = (3.0 + f64::sqrt(9.0 + 2.0 * G)) / G;
    let u = G * first - 3.0;
    let second = first + 2.0 * 0.8 * u / G;
    let own: Vec<f64> =
        jumps(&run).iter().filter(|e| e.contacts[0].site == 0).map(|e| e.t).collect();
    assert!((own[0] - first).abs() < 4.0 * f64::EPSILON, "{} {first}", own[0]);
    assert!(own.len() == 1 || (own[1] - second).abs() < 8.0 * f64::EPSILON, "{own:?} {second}");
    let (t, q) = (run.state.t, &run.state.q);
    assert!((q[0] - 0.7 * t).abs() < 1e-14);
    let z = 0.1 + 0.8 * u * (t - first) - 0.5 * G * (t - first).powi(2);
    assert!((q[2] - z).abs() < 1e-14, "{} {z}", q[2]);
    let turned = rotation::quaternion_exp(&(spin * t));
    let (dot, norm) = ((0..4).map(|k| turned[k] * q[3 + k]).sum::<f64>(), q.rows(3, 4).norm());
    assert!((dot.abs() - 1.0).abs() < 1e-14 && (norm - 1.0).abs() < 1e-15);
    // No integrator has done anything.
    assert_eq!(run.statistics.rates, 0);
}

#[test]
fn eq3_balls_that_fall_on_pins() {
    // The quartic against the other way: one clock, an integrator and its locator.
    let mut world = World::new();
    world.builder.gravity(Vector3::new(0.0, -G, 0.0)).unwrap();
    let mut seed = 3;
    let mut random = || 2.0 * (splitmix64(&mut seed) >> 11) as f64 / (1_u64 << 53) as f64 - 1.0;
    let mut rims = Vec::new();
    for _ in 0..3 {
        let disc = world.body(JointKind::Planar, planar_inertia(0.1, 2e-5));
        rims.push(world.shape(Some(disc), Vector3::zeros(), Shape::Disk { radius: 0.03 }));
    }
    for k in 0..12 {
        let at =
            Vector3::new(0.2 * f64::from(k % 4) + 0.07 * random(), -0.2 * f64::from(k / 4), 0.0);
        let pin = world.shape(None, at, Shape::Disk { radius: 0.02 });
        rims.iter().for_each(|&rim| world.touch(pin, rim, surface(0.7, 0.2)));
    }
    let model = world.build();
    let mut state = State::neutral(&model);
    for i in 0..3 {
        (state.q[3 * i], state.q[3 * i + 1]) = (0.25 * i as f64 + 0.02, 0.3);
        (state.v[3 * i], state.v[3 * i + 2]) = (0.3 * random(), 5.0 * random());
    }
    let (own, other) = (
        run(&model, state.clone(), energetic(), 0.8),
        run_by_one_clock(&model, state, energetic(), 0.8),
    );
    let (own, other) = (jumps(&own), jumps(&other));
    assert!(own.len() >= 8, "{}", own.len());
    assert_eq!(own.len(), other.len());
    for (a, b) in own.iter().zip(&other) {
        assert!((a.t - b.t).abs() < 1e-8, "{} {}", a.t, b.t);
    }
}

#[test]
fn eq1_eq2_balls_are_clusters() {
    // Three balls that bounce on a floor and on each other, with friction, under several laws.
    let start = |model: &Model| {
        let mut state = State::neutral(model);
        for (i, (x, z)) in [(0.0, 0.4), (0.05, 0.8), (-0.03, 1.3)].into_iter().enumerate() {
            (state.q[7 * i], state.q[7 * i + 1], state.q[7 * i + 2]) = (x, 0.02 * i as f64, z);
            (state.v[6 * i + 3], state.v[6 * i + 4]) = (3.0, -2.0 * i as f64);
        }
        state
    };
    let model = balls(&[0.08, 0.1, 0.06], 0.7, 0.3);
    let compare = |law: &dyn Fn() -> Box<dyn ImpactLaw>| {
        let own = run(&model, start(&model), law(), 1.2);
        let other = run_by_one_clock(&model, start(&model), law(), 1.2);
        let (a, b) = (jumps(&own), jumps(&other));
        assert!(a.len() > 8, "{}", a.len());
        for (a, b) in a.iter().zip(&b) {
            assert!((a.t - b.t).abs() < 1e-8, "{} {}", a.t, b.t);
            assert_eq!(a.contacts.len(), b.contacts.len());
            let (x, y) = (&a.contacts[0], &b.contacts[0]);
            assert_eq!(x.site, y.site);
            for (x, y) in [(x.impulse, y.impulse), (x.u_pre, y.u_pre), (x.u_post, y.u_post)] {
                (0..3).for_each(|k| assert!((x[k] - y[k]).abs() < 1e-7, "{x:?} {y:?}"));
            }
            assert!((a.energy_after - b.energy_after).abs() < 1e-7);
            assert!(a.v_post.iter().zip(&b.v_post).all(|(x, y)| (x - y).abs() < 1e-6));
        }
    };
    compare(&|| Box::new(energetic()));
    compare(&|| Box::new(Newton));
    compare(&|| Box::new(Poisson));
}

#[test]
fn a_tilted_joint_and_a_point_and_a_moving_partner() {
    // A planar joint in a plane that leans, whose ball hits a block on a spring; and a point.
    let mut world = World::new();
    world.builder.gravity(Vector3::new(0.0, -G, 0.0)).unwrap();
    let lean = Pose::new(rotation::exp(&Vector3::new(0.0, 0.4, 0.0)), Vector3::new(0.1, 0.2, -0.3));
    let joint = Joint::new("lean", JointKind::Planar, lean);
    let disc = world.builder.add_body("disc", None, joint, planar_inertia(0.2, 1e-4)).unwrap();
    let rim = world.shape(Some(disc), Vector3::zeros(), Shape::Sphere { radius: 0.05 });
    let block =
        world.body(JointKind::Prismatic { axis: Vector3::y_axis() }, planar_inertia(1.0, 0.1));
    let normal = Vector3::y_axis();
    let top = world.shape(Some(block), Vector3::zeros(), Shape::HalfSpace { normal });
    world.touch(top, rim, surface(0.6, 0.4));
    let grain = world.body(JointKind::Free, ball_inertia(0.01, 0.01));
    let point = world.shape(Some(grain), Vector3::zeros(), Shape::Point);
    world.touch(top, point, surface(0.5, 0.1));
    let model = world.build();
    let mut state = State::neutral(&model);
    let block = model.body_ids().nth(1).unwrap();
    state.q[1] = 0.5;
    state.v[model.v_range(block).start] = 2.0;
    let grain = model.body_ids().nth(2).unwrap();
    let q = model.q_range(grain).start;
    (state.q[q], state.q[q + 1]) = (2.0, 0.9);
    let (own, other) =
        (run(&model, state.clone(), Newton, 1.0), run_by_one_clock(&model, state, Newton, 1.0));
    let (a, b) = (jumps(&own), jumps(&other));
    assert!(a.len() >= 2 && a.len() == b.len(), "{} {}", a.len(), b.len());
    for (a, b) in a.iter().zip(&b) {
        assert!((a.t - b.t).abs() < 1e-9, "{} {}", a.t, b.t);
    }
    assert!((&own.state.q - &other.state.q).amax() < 1e-8);
}

#[test]
fn two_walls_and_three_balls_at_once_are_left_to_the_cluster() {
    // A ball into a corner, and a ball on two that touch nothing else: several contacts in one event.
    let mut world = World::new();
    world.builder.gravity(Vector3::zeros()).unwrap();
    let mut rims = Vec::new();
    for _ in 0..4 {
        let disc = world.body(JointKind::Planar, planar_inertia(0.1, 2e-5));
        rims.push(world.shape(Some(disc), Vector3::zeros(), Shape::Disk { radius: 0.1 }));
    }
    for normal in [Vector3::x(), Vector3::y()] {
        let normal = Unit::new_normalize(normal);
        let wall = world.shape(None, Vector3::zeros(), Shape::HalfSpace { normal });
        rims.iter().for_each(|&rim| world.touch(wall, rim, surface(1.0, 0.0)));
    }
    for i in 0..4 {
        (0..i).for_each(|j| world.touch(rims[j], rims[i], surface(1.0, 0.0)));
    }
    let model = world.build();
    let mut state = State::neutral(&model);
    let h = 0.03_f64.sqrt();
    for (i, (x, y)) in [(0.6, 0.6), (5.0, 5.0), (5.2, 5.0), (5.1, 6.0 + h)].into_iter().enumerate()
    {
        (state.q[3 * i], state.q[3 * i + 1]) = (x, y);
    }
    (state.v[0], state.v[1], state.v[10]) = (-1.0, -1.0, -1.0);
    let run = run(&model, state, Newton, 2.0);
    let jumps = jumps(&run);
    assert_eq!(jumps.len(), 2, "{jumps:?}");
    assert_eq!(jumps[0].contacts.len(), 2);
    assert!((jumps[0].t - 0.5).abs() < 1e-12 && (jumps[1].t - 1.0).abs() < 1e-12);
    assert_eq!(jumps[1].contacts.len(), 3);
    // Mirror images stay mirror images.
    assert!((run.state.v[0] - 1.0).abs() < 1e-12 && (run.state.v[1] - 1.0).abs() < 1e-12);
    assert!((run.state.v[3] + run.state.v[6]).abs() < 1e-12);
}

/// Compares the gap of the third site with that of two balls.
#[derive(Default)]
struct Gaps {
    rows: usize,
}

impl Observer for Gaps {
    fn sample(&mut self, sample: &Sample<'_>) -> Directive {
        let at = |i: usize| Vector3::new(sample.q[7 * i], sample.q[7 * i + 1], sample.q[7 * i + 2]);
        let (gap, told) = ((at(1) - at(0)).norm() - 0.2, sample.gaps[2]);
        assert!((told - gap).abs() < 1e-12, "{}: {told} {gap}", sample.t);
        self.rows += 1;
        Directive::Continue
    }

    fn event(&mut self, _: &Event) -> Directive {
        Directive::Continue
    }
}

#[test]
fn rows_know_gaps_between_balls_and_clusters() {
    // One lies on the floor, the other falls past it, and then both lie.
    let model = balls(&[0.1, 0.1], 0.5, 0.3);
    let mut state = State::neutral(&model);
    (state.q[2], state.q[9], state.q[7]) = (0.1, 0.7, 0.05);
    let options = Options { output: Output::Interval(0.05), ..Options::default() };
    let mut gaps = Gaps::default();
    let run = Simulation::new(&model, state, Newton).options(options).run_with(3.0, &mut gaps);
    run.unwrap_or_else(|e| panic!("{e}"));
    assert!(gaps.rows > 60, "{}", gaps.rows);
}

#[test]
fn bounces_that_accumulate_close_where_their_series_says() {
    // e = 0.5 from 0.5 m: the k-th impact closes if 2 e u/(g (1 − e)) is below zeno times the time so far.
    let model = balls(&[0.1, 0.1], 0.5, 0.0);
    let mut state = State::neutral(&model);
    (state.q[2], state.q[7], state.q[9]) = (0.6, 5.0, 900.0);
    let options = Options { zeno: Some(1e-4), ..Options::default() };
    let run = Simulation::new(&model, state, Newton).options(options).run_until(3.0);
    let run = run.unwrap_or_else(|e| panic!("{}", e.0));
    let (mut u, mut t, mut impacts) = ((2.0 * G * 0.5).sqrt(), (1.0 / G).sqrt(), 0);
    while 2.0 * u / G >= 1e-4 * t {
        (u, impacts) = (0.5 * u, impacts + 1);
        t += 2.0 * u / G;
    }
    assert_eq!(jumps(&run).len(), impacts);
    let close = run.events().iter().find(|e| e.kind == EventKind::Close).unwrap();
    assert!((close.t - t).abs() < 1e-12, "{} {t}", close.t);
}
