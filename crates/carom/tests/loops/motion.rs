//! Slider-crank and four-bar against closed forms, and redundant loops against those that are not.

use crate::mechanisms::{
    felt_inertia, four_bar, four_bar_of, slider_crank, slider_crank_state, slider_of,
};
use carom::hybrid::{Fixed, Options, Output, Run, Simulation, assemble};
use carom::impact::Newton;
use carom::model::{LoopKind, Model};
use carom::record::{Directive, Observer, Sample};
use carom::state::State;
use nalgebra::Vector3;

const RTOL: f64 = 1e-10;

fn run(model: &Model, state: State, until: f64) -> Run {
    let options = Options { rtol: RTOL, output: Output::Interval(0.01), ..Options::default() };
    Simulation::new(model, state, Newton).options(options).run_until(until).expect("runs")
}

/// Time of a crank angle from `from` at rate `w0` without gravity: the energy is that of the felt inertia, so
/// t = ∫ √(I(θ)/I(θ₀)) dθ/ω₀, by Simpson's rule.
fn time_of(from: f64, to: f64, w0: f64) -> f64 {
    let n = 4000;
    let h = (to - from) / n as f64;
    let f = |k: usize| (felt_inertia(from + h * k as f64) / felt_inertia(from)).sqrt() / w0;
    let odd: f64 = (1..n).step_by(2).map(f).sum();
    let even: f64 = (2..n).step_by(2).map(f).sum();
    h / 3.0 * (f(0) + 4.0 * odd + 2.0 * even + f(n))
}

#[test]
fn slider_crank_is_that_of_one_coordinate() {
    let model = slider_crank(0.0);
    let run = run(&model, slider_crank_state(0.3, 10.0), 1.0);
    assert!(run.recording.t.len() > 90);
    let energy = 0.5 * felt_inertia(0.3) * 100.0;
    for ((t, q), v) in run.recording.t.iter().zip(&run.recording.q).zip(&run.recording.v) {
        let (beta, x) = slider_of(q[0]);
        // The loop holds to round-off at every sample.
        assert!((q[2] - x).abs() < 1e-14 && (q[0] + q[1] - beta).abs() < 1e-13, "t = {t}");
        let exact = slider_crank_state(q[0], v[0]);
        assert!((v[2] - exact.v[2]).abs() < 1e-12 && (v[1] - exact.v[1]).abs() < 1e-11);
        assert!((0.5 * felt_inertia(q[0]) * v[0] * v[0] - energy).abs() < 100.0 * RTOL * energy);
    }
    let last = run.state.q[0];
    let expected = time_of(0.3, last, 10.0);
    assert!((expected - 1.0).abs() < 100.0 * RTOL, "θ = {last} at {expected} s");
    assert!(run.statistics.worst_closure < 100.0 * RTOL * energy);
}

/// The accelerations of a sample, the first that is told.
struct First(Option<Vec<f64>>);

impl Observer for First {
    fn sample(&mut self, sample: &Sample<'_>) -> Directive {
        self.0.get_or_insert_with(|| sample.vdot.to_vec());
        Directive::Continue
    }
}

/// The loop acts from the first sample on: without gravity I θ̈ = −½ I′ θ̇².
#[test]
fn the_first_sample_has_the_accelerations_of_the_loop() {
    let (model, mut first) = (slider_crank(0.0), First(None));
    let (theta, rate, h) = (0.3, 10.0, 1e-5);
    let simulation = Simulation::new(&model, slider_crank_state(theta, rate), Newton);
    simulation.run_with(1e-3, &mut first).expect("runs");
    let slope = (felt_inertia(theta + h) - felt_inertia(theta - h)) / (2.0 * h);
    let exact = -0.5 * slope / felt_inertia(theta) * rate * rate;
    let found = first.0.expect("a sample")[0];
    assert!((found - exact).abs() < 1e-7 * exact.abs(), "{found} {exact}");
}

/// A start of the four-bar by its closed form.
fn start(model: &Model, theta: f64, rate: f64) -> State {
    let (coupler, rocker) = four_bar_of(theta);
    let mut state = State::neutral(model);
    state.q.copy_from_slice(&[theta, coupler - theta, rocker]);
    state.v[0] = rate;
    let given = Fixed { coordinates: &[true; 3], velocities: &[true, false, false] };
    assemble(model, &[], given, &mut state).expect("closed");
    assert_eq!((state.q[0], state.v[0]), (theta, rate));
    state
}

#[test]
fn four_bar_follows_its_closed_form() {
    let model = four_bar(LoopKind::Point, Vector3::zeros());
    let run = run(&model, start(&model, 1.2, 8.0), 2.0);
    let mut turned = 0.0_f64;
    for q in &run.recording.q {
        let (coupler, rocker) = four_bar_of(q[0]);
        assert!((q[2] - rocker).sin().abs() < 1e-13);
        assert!((q[0] + q[1] - coupler).sin().abs() < 1e-13);
        turned = turned.max((q[0] - 1.2).abs());
    }
    assert!(turned > 6.3, "the crank goes round: {turned}");
    let size = run.ledger.turnover();
    assert!(run.statistics.worst_closure < 100.0 * RTOL * size, "{:?}", run.statistics);
    // Loops do no work.
    assert_eq!(run.ledger.applied, 0.0);
}

#[test]
fn redundant_hinges_change_nothing() {
    let flat = four_bar(LoopKind::Point, Vector3::zeros());
    let expected = run(&flat, start(&flat, 1.2, 8.0), 1.0);
    // In space, leaning: a hinge has five equations, of which two are independent.
    let tilt = Vector3::new(0.7, 0.4, -0.2);
    for kind in [LoopKind::Hinge, LoopKind::Point] {
        let leaning = four_bar(kind, tilt);
        assert!(!leaning.moves_in_plane());
        let found = run(&leaning, start(&leaning, 1.2, 8.0), 1.0);
        let miss = (found.state.q - &expected.state.q).amax();
        assert!(miss < 1e-8, "{kind:?}: {miss:e}");
        assert!(found.statistics.worst_closure < 100.0 * RTOL * found.ledger.turnover());
    }
    // A hinge that lies in the plane of motion has the equations of a point.
    let upright = four_bar(LoopKind::Hinge, Vector3::zeros());
    let found = run(&upright, start(&upright, 1.2, 8.0), 1.0);
    assert_eq!(found.state, expected.state);
}

#[test]
fn two_point_loops_are_a_hinge() {
    // The same pin closed twice: forces are shared, the motion is the same.
    use crate::mechanisms::{at, rod, turn};
    use carom::model::{Joint, Loop, ModelBuilder};
    use carom::spatial::Pose;
    let build = |pins: usize| {
        let mut builder = ModelBuilder::new();
        let base = |name: &str, x: f64| {
            Joint::revolute(name, Vector3::z_axis(), Pose::translation(Vector3::new(x, 0.0, 0.0)))
        };
        let crank = builder.add_body("crank", None, base("crank", 0.0), rod(0.3, 0.2)).unwrap();
        let coupler =
            builder.add_body("coupler", Some(crank), turn("pin", 0.2), rod(0.6, 0.5)).unwrap();
        let rocker = builder.add_body("rocker", None, base("rocker", 0.45), rod(0.5, 0.4)).unwrap();
        for k in 0..pins {
            let (a, b) = (at(Some(coupler), 0.5), at(Some(rocker), 0.4));
            let name = format!("top{k}");
            builder.add_loop(Loop { name, kind: LoopKind::Point, a, b }).unwrap();
        }
        builder.build().unwrap()
    };
    let (one, two) = (build(1), build(2));
    let once = run(&one, start(&one, 1.2, 8.0), 1.0);
    let twice = run(&two, start(&two, 1.2, 8.0), 1.0);
    assert!((once.state.q - twice.state.q).amax() < 1e-9);
}
