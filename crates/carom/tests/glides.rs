//! Balls that slide and roll on a level plane: their motion in closed form, and that it is what a clock would do.

mod support;

use carom::contact::Mode;
use carom::hybrid::{Options, Output, Run, Simulation, Stop};
use carom::impact::{Differential, Restitution};
use carom::model::{JointKind, Model, Shape};
use carom::record::{Directive, Event, EventKind, Observer, Sample};
use carom::spatial::Inertia;
use carom::state::State;
use nalgebra::{Matrix3, Vector3};
use support::worlds::{World, planar_inertia, surface};

const G: f64 = 9.81;
const R: f64 = 0.03;
const M: f64 = 0.17;
const MU: f64 = 0.2;

fn law() -> Differential {
    Differential { restitution: Restitution::Energetic }
}

/// So many solid balls of one size over a table z = 0, with each other.
fn table(count: usize) -> Model {
    let mut world = World::new();
    world.builder.gravity(Vector3::new(0.0, 0.0, -G)).unwrap();
    let table = world.shape(None, Vector3::zeros(), Shape::HalfSpace { normal: Vector3::z_axis() });
    let mut shapes = Vec::new();
    for _ in 0..count {
        let moment = Matrix3::identity() * (0.4 * M * R * R);
        let inertia = Inertia::new(M, Vector3::zeros(), moment).unwrap();
        let body = world.body(JointKind::Free, inertia);
        let shape = world.shape(Some(body), Vector3::zeros(), Shape::Sphere { radius: R });
        world.touch(table, shape, surface(0.5, MU));
        shapes.iter().for_each(|&other| world.touch(other, shape, surface(0.95, 0.05)));
        shapes.push(shape);
    }
    world.build()
}

/// Balls at these places on the table, at rest.
fn placed(model: &Model, places: &[(f64, f64)]) -> State {
    let mut state = State::neutral(model);
    for (i, &(x, y)) in places.iter().enumerate() {
        (state.q[7 * i], state.q[7 * i + 1], state.q[7 * i + 2]) = (x, y, R);
    }
    state
}

fn run(model: &Model, state: State, options: Options, end: f64) -> Run {
    let run = Simulation::new(model, state, law()).options(options).run_until(end);
    let run = run.unwrap_or_else(|e| panic!("{}", e.0));
    assert_eq!(run.stop, Stop::ReachedEnd);
    run
}

/// The same with one clock for all, which a force that is none makes: an integrator does it all.
fn run_by_one_clock(model: &Model, state: State, end: f64) -> Run {
    let options = Options { rtol: 1e-12, atol: 1e-14, ..Options::default() };
    let run = Simulation::new(model, state, law()).options(options);
    let run = run.force(|_: f64, _: (&[f64], &[f64]), _: &mut [f64]| {}).run_until(end);
    run.unwrap_or_else(|e| panic!("{}", e.0))
}

/// One ball slides from 2 m/s without spin, another lies elsewhere.
fn sliding() -> (Model, State) {
    let model = table(2);
    let mut state = placed(&model, &[(0.0, 0.0), (0.0, 50.0)]);
    (state.v[0], state.v[1]) = (1.6, 1.2);
    (model, state)
}

/// When a ball that slides from 2 m/s rolls.
fn rolls_at() -> f64 {
    2.0 / (3.5 * MU * G)
}

#[test]
fn eq1_eq2_a_ball_slides_until_it_rolls() {
    let (model, state) = sliding();
    let end = 2.0;
    let run = run(&model, state, Options::default(), end);
    let stop = run.events().iter().find(|e| e.kind == EventKind::SlipStop).unwrap();
    let t = rolls_at();
    assert!((stop.t - t).abs() < 1e-15, "{} {t}", stop.t);
    // Two sevenths of the speed are lost, whatever the friction.
    let way = 2.0 * t - 0.5 * MU * G * t * t + 2.0 * 5.0 / 7.0 * (end - t);
    let (q, v) = (&run.state.q, &run.state.v);
    for (x, share) in [(q[0] / way, 0.8), (q[1] / way, 0.6), (v[0] * 0.7, 0.8), (v[1] * 0.7, 0.6)] {
        assert!((x - share).abs() < 1e-14, "{x} {share}");
    }
    assert!((q[2] - R).abs() < 1e-16);
    // No integrator has done anything.
    assert_eq!(run.statistics.rates, 0);
}

/// Forces, modes and accelerations of the ball that slides, row by row.
#[derive(Default)]
struct Forces {
    rows: [usize; 2],
    closure: f64,
}

impl Observer for Forces {
    fn sample(&mut self, sample: &Sample<'_>) -> Directive {
        let (force, t) = (sample.forces[0], rolls_at());
        let friction = force[0].hypot(force[1]);
        self.closure = self.closure.max(sample.ledger.closure().abs());
        if sample.t > 0.0 && sample.t < t {
            self.rows[0] += 1;
            assert!((force[2] - M * G).abs() < 1e-15 && (friction - MU * M * G).abs() < 1e-15);
            assert!(matches!(sample.modes[0], Mode::Slip { .. }));
            assert!((sample.vdot[0] + 0.8 * MU * G).abs() < 1e-14);
            let angular = Vector3::new(sample.vdot[3], sample.vdot[4], sample.vdot[5]).norm();
            assert!((angular - 2.5 * MU * G / R).abs() < 1e-11, "{angular}");
            // Friction times the way of the slip.
            let slip = (2.0 - 0.5 * 3.5 * MU * G * sample.t) * sample.t;
            let work = -MU * M * G * slip;
            assert!((sample.ledger.sites[0].sliding - work).abs() < 1e-15);
        }
        if sample.t > t {
            self.rows[1] += 1;
            assert!(friction == 0.0 && (force[2] - M * G).abs() < 1e-15);
            assert_eq!(sample.modes[0], Mode::Stick);
            let work = -MU * M * G * t;
            assert!((sample.ledger.sites[0].sliding - work).abs() < 1e-15);
        }
        Directive::Continue
    }

    fn event(&mut self, _: &Event) -> Directive {
        Directive::Continue
    }
}

#[test]
fn eq3_eq4_forces_and_works_of_a_ball_that_slides() {
    let (model, state) = sliding();
    let options = Options { output: Output::Interval(0.01), ..Options::default() };
    let mut forces = Forces::default();
    let run = Simulation::new(&model, state, law()).options(options).run_with(0.5, &mut forces);
    run.unwrap_or_else(|e| panic!("{e}"));
    assert!(forces.rows[0] > 25 && forces.rows[1] > 15, "{:?}", forces.rows);
    assert!(forces.closure < 1e-15, "{}", forces.closure);
}

#[test]
fn eq5_a_ball_that_slides_and_spins() {
    // Spun about all axes it turns by seventy radians about an axis that moves, while its path bends nowhere.
    let (model, mut state) = sliding();
    (0..3).for_each(|k| state.v[3 + k] = [60.0, -40.0, 90.0][k]);
    let own = run(&model, state.clone(), Options::default(), 0.8);
    let other = run_by_one_clock(&model, state.clone(), 0.8);
    assert!(own.events().iter().any(|e| e.kind == EventKind::SlipStop && e.t > 0.3));
    for i in 0..7 {
        assert!((own.state.q[i] - other.state.q[i]).abs() < 1e-9, "{i} {}", own.state.q);
    }
    assert!(own.ledger.closure().abs() < 1e-14);
    // Rows do not change a bit of it.
    for interval in [0.003, 0.1] {
        let options = Options { output: Output::Interval(interval), ..Options::default() };
        let again = run(&model, state.clone(), options, 0.8);
        assert_eq!((&again.state.q, &again.state.v), (&own.state.q, &own.state.v));
    }
}

#[test]
fn a_disc_slides_in_the_plane_and_a_slope_needs_a_clock() {
    for slope in [0.0_f64, 0.2] {
        let mut world = World::new();
        world.builder.gravity(Vector3::new(G * slope.sin(), -G * slope.cos(), 0.0)).unwrap();
        let normal = Vector3::y_axis();
        let line = world.shape(None, Vector3::zeros(), Shape::HalfSpace { normal });
        for _ in 0..2 {
            let disc = world.body(JointKind::Planar, planar_inertia(M, 0.5 * M * R * R));
            let rim = world.shape(Some(disc), Vector3::zeros(), Shape::Disk { radius: R });
            world.touch(line, rim, surface(0.5, MU));
        }
        let model = world.build();
        let mut state = State::neutral(&model);
        (state.q[1], state.q[3], state.q[4], state.v[0]) = (R, 9.0, R, 1.0);
        let run = run(&model, state, Options::default(), 0.4);
        let stop = run.events().iter().find(|e| e.kind == EventKind::SlipStop).unwrap();
        let (down, friction) = (G * slope.sin(), MU * G * slope.cos());
        let t = 1.0 / (3.0 * friction - down);
        assert!((stop.t - t).abs() < 1e-8, "{} {t}", stop.t);
        assert_eq!(run.statistics.rates == 0, slope == 0.0);
        if slope == 0.0 {
            assert!((stop.t - t).abs() < 1e-15);
            let turned = -0.5 * (2.0 * friction / R) * t * t - (1.0 - friction * t) / R * (0.4 - t);
            assert!((run.state.q[2] - turned).abs() < 1e-13, "{} {turned}", run.state.q[2]);
        }
    }
}

#[test]
fn balls_on_a_table_are_clusters() {
    // A ball hits two that lie, off centre; all slide, hop, roll.
    let model = table(3);
    let mut state = placed(&model, &[(0.0, 0.0), (0.5, 0.02), (0.6, -0.03)]);
    (state.v[0], state.v[5]) = (3.0, 20.0);
    let own = run(&model, state.clone(), Options::default(), 1.0);
    let other = run_by_one_clock(&model, state, 1.0);
    let kinds = |run: &Run| -> Vec<EventKind> { run.events().iter().map(|e| e.kind).collect() };
    let impacts = |run: &Run| kinds(run).iter().filter(|k| **k == EventKind::Impact).count();
    assert!(impacts(&own) >= 3, "{:?}", kinds(&own));
    let first = |run: &Run| run.events().iter().map(|e| e.t).take(8).collect::<Vec<_>>();
    for (a, b) in first(&own).iter().zip(first(&other)) {
        assert!((a - b).abs() < 1e-10, "{a} {b}");
    }
    // Accumulating bounces end where the tolerance says, so that the states agree to that.
    assert!((&own.state.q - &other.state.q).amax() < 1e-7);
    assert_eq!(own.statistics.rates, 0);
}

#[test]
fn a_symmetric_break_stays_symmetric_at_the_default_tolerance() {
    // Six in a loose rack, the cue ball on its axis.
    let (gap, row) = (R + 2.5e-5, 3.0_f64.sqrt() * (R + 2.5e-5));
    let rack = [(0, 0), (1, -1), (1, 1), (2, -2), (2, 0), (2, 2)];
    let mut places = vec![(-0.6, 0.0)];
    places.extend(rack.map(|(i, j)| (row * f64::from(i), gap * f64::from(j))));
    let model = table(7);
    let mut state = placed(&model, &places);
    state.v[0] = 8.0;
    let run = run(&model, state, Options::default(), 2.0);
    assert!(run.statistics.impacts > 40 && run.statistics.rates == 0, "{:?}", run.statistics);
    let q = |ball: usize, k: usize| run.state.q[7 * ball + k];
    for (a, b) in [(0, 0), (1, 1), (2, 3), (4, 6), (5, 5)] {
        let error = (q(a, 0) - q(b, 0)).abs().max((q(a, 1) + q(b, 1)).abs());
        assert!(error < 1e-12, "{a} {b}: {error}");
    }
}
