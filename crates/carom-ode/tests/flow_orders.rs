//! Order of every integrator and of its dense output, measured.

use carom_ode::{Dense, Integrator, Method, Tolerance};
use std::convert::Infallible;

/// ẏ of a problem with closed form: y = (sin t², e^(sin t)), coupled to itself only through t and y.
fn rate(t: f64, y: &[f64], dydt: &mut [f64]) -> Result<(), Infallible> {
    // y₁' = 2t cos t², with cos t² from y₃; y₂' = y₂ cos t.
    dydt[0] = 2.0 * t * y[2];
    dydt[1] = y[1] * t.cos();
    dydt[2] = -2.0 * t * y[0];
    Ok(())
}

fn exact(t: f64) -> [f64; 3] {
    [(t * t).sin(), t.sin().exp(), (t * t).cos()]
}

fn worst(t: f64, y: &[f64]) -> f64 {
    exact(t).iter().zip(y).fold(0.0, |m: f64, (a, b)| m.max((a - b).abs()))
}

/// Error at t = 1.5 from t = 0.5 with `steps` equal steps, and the worst error of the dense output.
fn errors(method: Method, steps: usize, refined: bool) -> (f64, f64) {
    let h = 1.0 / steps as f64;
    let method = if let Method::Rk4 { .. } = method { Method::Rk4 { step: h } } else { method };
    // Infinite tolerance and a bounded step make an adaptive method a fixed-step one.
    let tolerance = Tolerance::uniform(3, 0.0, 1e6).unwrap();
    let mut run = Integrator::new(method, tolerance).unwrap();
    run.set_max_step(h);
    run.suggest_step(h);
    run.restart::<Infallible>(0.5, &exact(0.5)).unwrap();
    let mut rate = rate;
    let mut between = 0.0_f64;
    let mut y = [0.0; 3];
    for i in 0..steps {
        let bound = 0.5 + (i + 1) as f64 * h;
        run.advance(&mut rate, bound).unwrap();
        assert_eq!(run.t(), bound);
        let dense: Dense =
            if refined { run.refined(&mut rate) } else { run.dense(&mut rate) }.unwrap();
        for k in 1..20 {
            let t = dense.t0() + (dense.t1() - dense.t0()) * f64::from(k) / 20.0;
            dense.state(t, &mut y);
            between = between.max(worst(t, &y));
        }
    }
    (worst(run.t(), run.y()), between)
}

/// Slope of log error over log h between two step counts.
fn order(errors: impl Fn(usize) -> f64, coarse: usize, fine: usize) -> f64 {
    let (a, b) = (errors(coarse), errors(fine));
    (a / b).ln() / (fine as f64 / coarse as f64).ln()
}

#[test]
fn rk4_step() {
    let p = order(|n| errors(Method::Rk4 { step: 1.0 }, n, false).0, 40, 80);
    assert!((p - 4.0).abs() < 0.15, "{p}");
}

#[test]
fn rk4_dense() {
    // Local order 4 of the cubic, like the global order of the method.
    let p = order(|n| errors(Method::Rk4 { step: 1.0 }, n, false).1, 40, 80);
    assert!((p - 4.0).abs() < 0.2, "{p}");
}

#[test]
fn dormand_prince_step() {
    let p = order(|n| errors(Method::DormandPrince, n, false).0, 20, 40);
    assert!((p - 5.0).abs() < 0.35, "{p}");
}

#[test]
fn dormand_prince_dense() {
    let p = order(|n| errors(Method::DormandPrince, n, false).1, 20, 40);
    assert!((p - 5.0).abs() < 0.35, "local order 5 of the quartic interpolant: {p}");
}

#[test]
fn dormand_prince_refined() {
    // One step from exact data shows the local order 6 that the global error hides.
    let local = |h: f64| {
        let mut run =
            Integrator::new(Method::DormandPrince, Tolerance::uniform(3, 0.0, 1e6).unwrap())
                .unwrap();
        run.restart::<Infallible>(1.0, &exact(1.0)).unwrap();
        run.suggest_step(h);
        let mut rate = rate;
        run.advance(&mut rate, 1.0 + h).unwrap();
        let mut y = [0.0; 3];
        let mut e = [0.0_f64; 2];
        for (refined, e) in [false, true].into_iter().zip(&mut e) {
            let dense =
                if refined { run.refined(&mut rate) } else { run.dense(&mut rate) }.unwrap();
            for k in 1..20 {
                let t = 1.0 + h * f64::from(k) / 20.0;
                dense.state(t, &mut y);
                *e = e.max(worst(t, &y));
            }
        }
        e
    };
    let (a, b) = (local(0.1), local(0.05));
    let orders = [(a[0] / b[0]).log2(), (a[1] / b[1]).log2()];
    assert!((orders[0] - 5.0).abs() < 0.4, "{orders:?}");
    assert!((orders[1] - 6.0).abs() < 0.4, "{orders:?}");
    assert!(a[1] < 0.5 * a[0], "{a:?}");
}

#[test]
fn dop853_step() {
    let p = order(|n| errors(Method::Dop853, n, false).0, 6, 12);
    assert!((p - 8.0).abs() < 0.7, "{p}");
}

#[test]
fn dop853_dense() {
    let p = order(|n| errors(Method::Dop853, n, false).1, 6, 12);
    assert!((p - 8.0).abs() < 0.8, "local order 8 of the interpolant of order 7: {p}");
}

/// The error estimates must fall with the power of h that the step control assumes.
#[test]
fn error_estimates_have_their_order() {
    for (method, k) in [(Method::DormandPrince, 5.0), (Method::Dop853, 8.0)] {
        let estimate = |h: f64| {
            let mut run =
                Integrator::new(method, Tolerance::uniform(3, 0.0, 1e3).unwrap()).unwrap();
            run.restart::<Infallible>(1.0, &exact(1.0)).unwrap();
            run.suggest_step(h);
            let mut rate = rate;
            run.advance(&mut rate, 1.0 + h).unwrap().error
        };
        let p = (estimate(0.1) / estimate(0.05)).log2();
        assert!((p - k).abs() < 0.5, "{method:?} {p}");
    }
}
