//! Adaptive stepping: tolerance met, memory kept, failures named.

use carom_ode::{FlowError, Integrator, Method, Norm, Projection, Rate, Tolerance, ToleranceError};
use std::convert::Infallible;

const ADAPTIVE: [Method; 2] = [Method::DormandPrince, Method::Dop853];

fn integrator(method: Method, n: usize, rtol: f64, atol: f64) -> Integrator {
    Integrator::new(method, Tolerance::uniform(n, rtol, atol).unwrap()).unwrap()
}

/// Two bodies, eccentricity 0.6, period 2π; starts at the pericentre.
fn kepler(_: f64, y: &[f64], dydt: &mut [f64]) -> Result<(), Infallible> {
    let r3 = (y[0] * y[0] + y[1] * y[1]).powf(1.5);
    dydt.copy_from_slice(&[y[2], y[3], -y[0] / r3, -y[1] / r3]);
    Ok(())
}

const PERICENTRE: [f64; 4] = [0.4, 0.0, 0.0, 2.0];

fn run<R: Rate>(
    integrator: &mut Integrator,
    rate: &mut R,
    until: f64,
) -> Result<(), FlowError<R::Error>> {
    while integrator.t() < until {
        integrator.advance(rate, until)?;
    }
    Ok(())
}

#[test]
fn error_follows_the_tolerance() {
    for method in ADAPTIVE {
        for rtol in [1e-5, 1e-8, 1e-11] {
            let mut flow = integrator(method, 4, rtol, rtol);
            flow.restart::<Infallible>(0.0, &PERICENTRE).unwrap();
            run(&mut flow, &mut kepler, std::f64::consts::TAU).unwrap();
            let error =
                flow.y().iter().zip(PERICENTRE).fold(0.0, |m: f64, (a, b)| m.max((a - b).abs()));
            // One period amplifies a perturbation of the pericentre by about 2·3π·2/(1−e)² ≈ 200.
            assert!(error < 300.0 * rtol, "{method:?} {rtol} {error}");
            assert!(
                error > 1e-3 * rtol,
                "{method:?}: far more accurate than asked is far too slow: {error}"
            );
        }
    }
}

#[test]
fn higher_order_pays_at_tight_tolerance() {
    let work = |method| {
        let mut flow = integrator(method, 4, 1e-11, 1e-11);
        flow.restart::<Infallible>(0.0, &PERICENTRE).unwrap();
        run(&mut flow, &mut kepler, std::f64::consts::TAU).unwrap();
        flow.work()
    };
    let (five, eight) = (work(Method::DormandPrince), work(Method::Dop853));
    assert!(eight.rates * 2 < five.rates, "{eight:?} {five:?}");
    // Snapshots: lost efficiency is a failing test.
    assert!(five.rates < 2300, "{five:?}");
    assert!(eight.rates < 900, "{eight:?}");
    assert!(
        five.rejected * 10 < five.steps && eight.rejected * 3 < eight.steps,
        "{five:?} {eight:?}"
    );
}

#[test]
fn fsal_counts() {
    let mut flow = integrator(Method::DormandPrince, 4, 1e-6, 1e-6);
    flow.restart::<Infallible>(0.0, &PERICENTRE).unwrap();
    run(&mut flow, &mut kepler, 1.0).unwrap();
    let w = flow.work();
    // One rate at the start, one for the first step length, six per trial.
    assert_eq!(w.rates, 2 + 6 * (w.steps + w.rejected));
}

#[test]
fn restart_keeps_the_step() {
    let mut flow = integrator(Method::DormandPrince, 4, 1e-8, 1e-8);
    flow.restart::<Infallible>(0.0, &PERICENTRE).unwrap();
    run(&mut flow, &mut kepler, 0.5).unwrap();
    let (h, rates) = (flow.next_step().unwrap(), flow.work().rates);
    let y: Vec<f64> = flow.y().to_vec();
    flow.restart::<Infallible>(0.5, &y).unwrap();
    let step = flow.advance(&mut kepler, 5.0).unwrap();
    assert!((step.t1 - step.t0 - h).abs() < 1e-15 || flow.work().rejected > 0);
    assert_eq!(
        flow.work().rates,
        rates + 7,
        "one evaluation more than an uninterrupted step, no step search"
    );
}

#[test]
fn short_last_step_is_forgotten() {
    let mut flow = integrator(Method::DormandPrince, 1, 1e-8, 1e-8);
    let mut rate = |_: f64, y: &[f64], d: &mut [f64]| -> Result<(), Infallible> {
        d[0] = -y[0];
        Ok(())
    };
    flow.restart::<Infallible>(0.0, &[1.0]).unwrap();
    run(&mut flow, &mut rate, 1.0).unwrap();
    let h = flow.next_step().unwrap();
    flow.advance(&mut rate, 1.0 + 1e-9).unwrap();
    assert!(flow.next_step().unwrap() >= h);
}

#[test]
fn bound_is_met_exactly_without_a_remainder() {
    let mut flow = integrator(Method::DormandPrince, 1, 1e-6, 1e-6);
    let mut rate = |t: f64, _: &[f64], d: &mut [f64]| -> Result<(), Infallible> {
        d[0] = t.cos();
        Ok(())
    };
    flow.restart::<Infallible>(0.1, &[0.0]).unwrap();
    run(&mut flow, &mut rate, 0.3).unwrap();
    assert_eq!(flow.t(), 0.3);
    let e = flow.advance(&mut rate, 0.3).unwrap_err();
    assert_eq!(e, FlowError::NotAhead { t: 0.3, bound: 0.3 });
    assert!(matches!(flow.advance(&mut rate, f64::NAN), Err(FlowError::NotAhead { .. })));
    assert!(!e.hint().is_empty());
}

/// A point on the unit circle whose rate pushes it off; the projection returns it.
struct Circle {
    tell: bool,
}

impl Rate for Circle {
    type Error = Infallible;
    fn rate(&mut self, _: f64, y: &[f64], d: &mut [f64]) -> Result<(), Infallible> {
        d[0] = -y[1];
        d[1] = y[0];
        Ok(())
    }
    fn project(&mut self, _: f64, y: &mut [f64]) -> Result<Projection, Infallible> {
        if !self.tell {
            return Ok(Projection::Unchanged);
        }
        let r = y[0].hypot(y[1]);
        y[0] /= r;
        y[1] /= r;
        Ok(Projection::Moved)
    }
}

#[test]
fn projection_holds_the_manifold() {
    for (method, rtol) in [(Method::DormandPrince, 1e-6), (Method::Dop853, 1e-6)] {
        let mut radius = [0.0; 2];
        for (tell, radius) in [false, true].into_iter().zip(&mut radius) {
            let mut flow = integrator(method, 2, rtol, rtol);
            flow.restart::<Infallible>(0.0, &[1.0, 0.0]).unwrap();
            let mut circle = Circle { tell };
            let mut dense_off = 0.0_f64;
            let mut y = [0.0; 2];
            while flow.t() < 50.0 {
                flow.advance(&mut circle, 50.0).unwrap();
                // The interpolant ends on the projected state.
                let dense = flow.dense(&mut circle).unwrap();
                let t1 = dense.t1();
                dense.state(t1 * (1.0 - 1e-12), &mut y);
                dense_off = dense_off.max((y[0] - t1.cos()).abs());
            }
            *radius = (flow.y()[0].hypot(flow.y()[1]) - 1.0).abs();
            assert_eq!(tell, flow.work().projections > 0);
            assert!(dense_off < 1e4 * rtol);
        }
        assert!(radius[1] < 4e-16 && radius[0] > 1e-9, "{radius:?}");
    }
}

#[test]
fn small_projections_keep_the_last_rate() {
    // At rtol 1e-6 the radius leaves the circle by less than a share of the tolerance only for
    // short steps; a bound on the step makes it so.
    let mut flow = integrator(Method::DormandPrince, 2, 1e-6, 1e-6);
    flow.set_max_step(0.01);
    flow.restart::<Infallible>(0.0, &[1.0, 0.0]).unwrap();
    run(&mut flow, &mut Circle { tell: true }, 1.0).unwrap();
    let w = flow.work();
    assert_eq!(w.rates, 2 + 6 * (w.steps + w.rejected), "{w:?}");
    // Steps as long as the tolerance allows move the state visibly: one more evaluation each.
    let mut flow = integrator(Method::DormandPrince, 2, 1e-6, 1e-6);
    flow.restart::<Infallible>(0.0, &[1.0, 0.0]).unwrap();
    run(&mut flow, &mut Circle { tell: true }, 10.0).unwrap();
    let w = flow.work();
    assert!(w.rates > 2 + 6 * (w.steps + w.rejected), "{w:?}");
}

#[test]
fn nan_is_named_and_the_last_state_kept() {
    for method in [Method::DormandPrince, Method::Dop853, Method::Rk4 { step: 0.01 }] {
        let mut rate = |t: f64, y: &[f64], d: &mut [f64]| -> Result<(), Infallible> {
            d[0] = -y[0];
            d[1] = if t > 0.7 { f64::NAN } else { 1.0 };
            Ok(())
        };
        let mut flow = integrator(method, 2, 1e-8, 1e-8);
        flow.restart::<Infallible>(0.0, &[1.0, 0.0]).unwrap();
        let e = run(&mut flow, &mut rate, 1.0).unwrap_err();
        let FlowError::NonFinite { t, component, value, .. } = e else { panic!("{method:?} {e}") };
        assert!(component == 1 && value.is_nan());
        assert!((t - 0.7).abs() < 0.011, "{method:?} {t}");
        assert_eq!(flow.t(), t, "the integrator stands where it failed");
        assert!((flow.y()[0] - (-t).exp()).abs() < 1e-7);
    }
}

#[test]
fn nan_at_the_start_is_named() {
    let mut rate = |_: f64, _: &[f64], d: &mut [f64]| -> Result<(), Infallible> {
        d.fill(f64::INFINITY);
        Ok(())
    };
    let mut flow = integrator(Method::Dop853, 3, 1e-8, 1e-8);
    flow.restart::<Infallible>(2.0, &[1.0; 3]).unwrap();
    let e = flow.advance(&mut rate, 3.0).unwrap_err();
    assert_eq!(e, FlowError::NonFinite { t: 2.0, h: 0.0, component: 0, value: f64::INFINITY });
}

#[test]
fn blow_up_is_an_underflow() {
    // y = 1/(1 − t).
    for method in ADAPTIVE {
        let mut rate = |_: f64, y: &[f64], d: &mut [f64]| -> Result<(), Infallible> {
            d[0] = y[0] * y[0];
            Ok(())
        };
        let mut flow = integrator(method, 1, 1e-8, 1e-8);
        flow.restart::<Infallible>(0.0, &[1.0]).unwrap();
        let e = run(&mut flow, &mut rate, 2.0).unwrap_err();
        assert!(matches!(e, FlowError::StepUnderflow { .. } | FlowError::NonFinite { .. }), "{e}");
        assert!((flow.t() - 1.0).abs() < 1e-6, "{method:?} {}", flow.t());
        assert!(flow.work().rates < 200_000);
    }
}

#[test]
fn tolerance_below_round_off_is_named() {
    for method in ADAPTIVE {
        let mut flow = integrator(method, 4, 1e-18, 0.0);
        flow.restart::<Infallible>(0.0, &[0.4, 0.1, 0.3, 2.0]).unwrap();
        let e = run(&mut flow, &mut kepler, 1.0).unwrap_err();
        let FlowError::ToleranceUnreachable { value, scale, .. } = e else { panic!("{e}") };
        assert!(scale < f64::EPSILON * value.abs());
    }
}

#[test]
fn rate_errors_pass_through() {
    #[derive(Debug, PartialEq)]
    struct Singular;
    let mut rate = |t: f64, _: &[f64], d: &mut [f64]| {
        d.fill(1.0);
        if t > 0.5 { Err(Singular) } else { Ok(()) }
    };
    let mut flow = integrator(Method::DormandPrince, 1, 1e-6, 1e-6);
    flow.restart::<Singular>(0.0, &[0.0]).unwrap();
    let e = run(&mut flow, &mut rate, 1.0).unwrap_err();
    assert!(matches!(e, FlowError::Rate { t, source: Singular } if t > 0.5));
    assert!(flow.t() <= 0.5);
}

#[test]
fn bad_starts_are_named() {
    let mut flow = integrator(Method::DormandPrince, 2, 1e-6, 1e-6);
    assert_eq!(
        flow.restart::<Infallible>(0.0, &[0.0]).unwrap_err(),
        FlowError::StateSize { expected: 2, found: 1 }
    );
    let e = flow.restart::<Infallible>(0.0, &[0.0, f64::NAN]).unwrap_err();
    assert!(matches!(e, FlowError::BadState { component: 1, .. }));
    assert!(flow.restart::<Infallible>(f64::INFINITY, &[0.0, 0.0]).is_err());
    let tolerance = Tolerance::uniform(1, 1e-6, 1e-6).unwrap();
    let e = Integrator::new(Method::Rk4 { step: -1.0 }, tolerance).unwrap_err();
    assert_eq!(e, ToleranceError::FixedStep { step: -1.0 });
}

#[test]
fn unused_components_do_not_loosen_the_maximum_norm() {
    let steps = |n: usize, norm: Norm| {
        let mut rate = |_: f64, y: &[f64], d: &mut [f64]| -> Result<(), Infallible> {
            d.fill(0.0);
            d[0] = y[1];
            d[1] = -y[0];
            Ok(())
        };
        let tolerance = Tolerance::uniform(n, 1e-8, 1e-8).unwrap().with_norm(norm);
        let mut flow = Integrator::new(Method::DormandPrince, tolerance).unwrap();
        let mut y = vec![0.0; n];
        y[0] = 1.0;
        flow.restart::<Infallible>(0.0, &y).unwrap();
        run(&mut flow, &mut rate, 10.0).unwrap();
        flow.work().steps
    };
    assert_eq!(steps(2, Norm::Max), steps(200, Norm::Max));
    assert!(steps(200, Norm::Rms) < steps(2, Norm::Rms));
}

#[test]
fn constant_acceleration_needs_few_steps() {
    // Free fall is integrated exactly, so nothing but the growth limit holds the step back.
    let mut rate = |_: f64, y: &[f64], d: &mut [f64]| -> Result<(), Infallible> {
        d[0] = y[1];
        d[1] = -9.81;
        Ok(())
    };
    for method in ADAPTIVE {
        let mut flow = integrator(method, 2, 1e-10, 1e-10);
        flow.restart::<Infallible>(0.0, &[1.0, 0.0]).unwrap();
        run(&mut flow, &mut rate, 10.0).unwrap();
        assert!((flow.y()[0] - (1.0 - 0.5 * 981.0)).abs() < 1e-11);
        assert!(flow.work().steps < 14, "{:?}", flow.work());
    }
}

#[test]
fn a_component_without_tolerance_at_zero_still_starts() {
    // atol = 0 and y = 0: the first step must be short, not zero.
    let mut rate = |t: f64, _: &[f64], d: &mut [f64]| -> Result<(), Infallible> {
        d[0] = t.cos();
        Ok(())
    };
    for method in ADAPTIVE {
        let mut flow = integrator(method, 1, 1e-9, 0.0);
        flow.restart::<Infallible>(0.0, &[0.0]).unwrap();
        run(&mut flow, &mut rate, 1.0).unwrap();
        assert!((flow.y()[0] - 1.0_f64.sin()).abs() < 1e-9);
    }
}

#[test]
fn a_step_repeated_to_an_inner_time_is_as_good_as_a_direct_one() {
    for method in ADAPTIVE {
        let mut flow = integrator(method, 4, 1e-9, 1e-9);
        flow.restart::<Infallible>(0.0, &PERICENTRE).unwrap();
        run(&mut flow, &mut kepler, 1.0).unwrap();
        let y = flow.y().to_vec();
        let step = flow.advance(&mut kepler, 5.0).unwrap();
        let inner = 0.5 * (step.t0 + step.t1);
        flow.restep(&mut kepler, inner).unwrap();
        assert_eq!((flow.t(), flow.step_start()), (inner, step.t0));
        let mut direct = integrator(method, 4, 1e-13, 1e-13);
        direct.restart::<Infallible>(1.0, &y).unwrap();
        run(&mut direct, &mut kepler, inner).unwrap();
        let error =
            flow.y().iter().zip(direct.y()).fold(0.0, |m: f64, (a, b)| m.max((a - b).abs()));
        assert!(error < 1e-9, "{method:?} {error}");
        // Outside of the step there is nothing to repeat.
        let e = flow.restep(&mut kepler, step.t0).unwrap_err();
        assert!(matches!(e, FlowError::OutsideStep { .. }));
    }
}
