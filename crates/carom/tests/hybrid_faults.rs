//! Bad starts and bad physics end in a named error or stop, and what was recorded is kept.

mod support;

use carom::control::Prescribed;
use carom::hybrid::{Options, Output, SimError, Simulation, Stop};
use carom::impact::{Differential, Restitution};
use carom::record::{Directive, EventKind, Observer, Sample};
use support::worlds::{block_on_incline, double_pendulum};

fn law() -> Differential {
    Differential { restitution: Restitution::Energetic }
}

#[test]
fn penetration_at_the_start_is_refused() {
    let (model, mut state) = double_pendulum(0.5, 0.5);
    state.q[0] = -1.5;
    let error = Simulation::new(&model, state, law()).run_until(1.0).unwrap_err().0;
    assert!(matches!(error, SimError::Penetration { gap, .. } if gap < -0.4), "{error}");
}

#[test]
fn approach_at_the_start_is_an_impact() {
    let (model, mut state) = block_on_incline(0.0, 0.5);
    state.v[1] = -1.0;
    let run = Simulation::new(&model, state, law()).run_until(1.0).unwrap();
    assert_eq!(run.events()[0].kind, EventKind::Impact);
    assert_eq!(run.events()[0].t, 0.0);
    assert_eq!(run.state.v.amax(), 0.0);
}

#[test]
fn time_runs_forwards() {
    let (model, mut state) = double_pendulum(0.5, 0.5);
    state.t = 2.0;
    let error = Simulation::new(&model, state.clone(), law()).run_until(1.0).unwrap_err().0;
    assert_eq!(error, SimError::Backwards { t: 2.0, end: 1.0 });
    let run = Simulation::new(&model, state, law()).run_until(2.0).unwrap();
    assert_eq!(run.stop, Stop::ReachedEnd);
    assert!(!run.recording.t.is_empty(), "a run of no length has its start");
}

/// Samples at intervals that time cannot resolve would never come to an end.
#[test]
fn samples_must_differ_in_time() {
    let (model, mut state) = double_pendulum(0.5, 0.5);
    state.t = 0.05;
    for interval in [1e-300, 0.0, -1.0, f64::NAN, 0.9 * 0.2 * f64::EPSILON] {
        let options = Options { output: Output::Interval(interval), ..Options::default() };
        let simulation = Simulation::new(&model, state.clone(), law()).options(options);
        let error = simulation.run_until(0.2).unwrap_err().0;
        assert!(matches!(error, SimError::Interval { end: 0.2, .. }), "{interval}: {error}");
        assert!(error.hint().contains("output.interval"));
    }
    let options = Options { output: Output::Interval(0.01), ..Options::default() };
    assert!(Simulation::new(&model, state, law()).options(options).run_until(0.2).is_ok());
}

#[test]
fn states_must_be_finite_and_fit() {
    let (model, mut state) = double_pendulum(0.5, 0.5);
    state.v[1] = f64::NAN;
    let error = Simulation::new(&model, state.clone(), law()).run_until(1.0).unwrap_err().0;
    assert!(matches!(error, SimError::BadState { what: "v", index: 1, .. }), "{error}");
    state.v = vec![0.0; 3].into();
    let error = Simulation::new(&model, state, law()).run_until(1.0).unwrap_err().0;
    assert_eq!(error, SimError::StateSize { what: "v", found: 3, expected: 2 });
}

#[test]
fn a_force_that_turns_nan_keeps_the_recording() {
    let (model, state) = double_pendulum(0.5, 0.5);
    let force = |t: f64, _: (&[f64], &[f64]), tau: &mut [f64]| {
        if t > 0.2 {
            tau[0] = f64::NAN;
        }
    };
    let failure = Simulation::new(&model, state, law()).force(force).run_until(1.0).unwrap_err();
    assert!(matches!(failure.0, SimError::Flow { .. }), "{}", failure.0);
    let last = failure.1.t.last().copied().unwrap();
    assert!(last > 0.19 && last <= 0.2001, "{last}");
}

#[test]
fn forces_are_not_asked_for_beyond_the_end() {
    let (model, state) = double_pendulum(0.5, 0.5);
    let force = |t: f64, _: (&[f64], &[f64]), tau: &mut [f64]| {
        tau[0] = if t > 0.3 { f64::NAN } else { 0.0 };
    };
    let run = Simulation::new(&model, state.clone(), law()).force(force).run_until(0.3).unwrap();
    assert_eq!((run.stop, run.state.t), (Stop::ReachedEnd, 0.3));
    let free = Simulation::new(&model, state, law()).run_until(0.3).unwrap();
    assert!((run.state.q - free.state.q).amax() < 1e-7);
}

#[test]
fn unreachable_tolerances_are_named() {
    let (model, state) = double_pendulum(0.5, 0.5);
    let options = Options { rtol: 1e-30, atol: 1e-300, ..Options::default() };
    let failure = Simulation::new(&model, state.clone(), law()).options(options).run_until(1.0);
    // From t = 0 steps of 1e-286 s may succeed.
    let failure = failure.unwrap_err().0;
    assert!(matches!(failure, SimError::Flow { .. } | SimError::NoProgress { .. }), "{failure}");
    let options = Options { rtol: -1.0, ..Options::default() };
    let failure = Simulation::new(&model, state, law()).options(options).run_until(1.0);
    assert!(matches!(failure.unwrap_err().0, SimError::Tolerance(_)));
}

/// A force that changes faster than anything can move: each step leads nowhere, and the run says so. Without the bound it goes
/// on for as long as anybody waits.
#[test]
fn steps_that_lead_nowhere_are_named() {
    struct Patience(u64);
    impl Observer for Patience {
        fn step(&mut self, _: f64) -> Directive {
            self.0 -= 1;
            if self.0 == 0 { Directive::Stop } else { Directive::Continue }
        }
    }
    let (model, state) = double_pendulum(0.5, 0.5);
    let force = |t: f64, _: (&[f64], &[f64]), tau: &mut [f64]| tau[0] = 1e9 * (1e14 * t).sin();
    let options = Options { output: Output::Events, ..Options::default() };
    let simulation = Simulation::new(&model, state, law()).force(force).options(options);
    let error = simulation.run_with(1.0, &mut Patience(100_000)).unwrap_err();
    assert!(matches!(error, SimError::NoProgress { t, .. } if t < 1e-6), "{error}");
}

#[test]
fn an_observer_may_stop_the_run() {
    struct Until(f64);
    impl Observer for Until {
        fn sample(&mut self, sample: &Sample<'_>) -> Directive {
            if sample.t >= self.0 { Directive::Stop } else { Directive::Continue }
        }
    }
    let (model, state) = double_pendulum(0.5, 0.5);
    let outcome = Simulation::new(&model, state, law()).run_with(5.0, &mut Until(0.3)).unwrap();
    assert_eq!(outcome.stop, Stop::Observer);
    assert!(outcome.state.t >= 0.3 && outcome.state.t < 1.0);
}

#[test]
fn prescribed_motion_is_followed_and_its_work_is_on_the_books() {
    let (model, state) = double_pendulum(0.5, 0.5);
    let motion = Prescribed { dof: 0, amplitude: 0.2, frequency: 1.0, ..Prescribed::default() };
    let mut start = state;
    start.v[0] = motion.at(0.0)[1];
    let run =
        Simulation::new(&model, start, law()).prescribe(motion.clone()).run_until(0.4).unwrap();
    for (t, q) in run.recording.t.iter().zip(&run.recording.q) {
        assert!((q[0] - motion.at(*t)[0]).abs() < 1e-12);
    }
    assert!(run.ledger.applied.abs() > 0.1);
    assert!(run.statistics.worst_closure < 1e-7, "{:e}", run.statistics.worst_closure);
}
