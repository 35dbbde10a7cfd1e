//! Feasibility curves.

use carom::impact::dissipation::{FeasibilityCurve, ObliqueBicycle};
use nalgebra::DVector;

use crate::scan::{impulses, one};
use crate::support::{Random, reduce};

#[test]
fn feasibility_eq1_eq2() {
    let mut random = Random(15);
    for _ in 0..100 {
        let space = one(&mut random, 1);
        let curve = FeasibilityCurve::new(&space, 0).unwrap();
        for x in [-2.0, -0.3, 0.0, 0.7, 5.0] {
            let p = impulses(&space, &DVector::from_element(1, x));
            let point = curve.at(x);
            assert!((point.tangent_impulse - p[0]).abs() < 1e-9 * p.amax());
            assert!((point.normal_impulse - p[1]).abs() < 1e-9 * p.amax());
            // (4.2), by the impulses of the point itself
            let ratio = point.tangent_impulse.abs() / point.normal_impulse.abs();
            assert!((point.friction - ratio).abs() <= 1e-12 * ratio);
        }
    }
}

#[test]
fn feasibility_eq3_pole_and_limit() {
    let mut random = Random(16);
    for _ in 0..100 {
        let space = one(&mut random, 1);
        let curve = FeasibilityCurve::new(&space, 0).unwrap();
        let pole = curve.pole().unwrap();
        let at = curve.at(pole);
        assert!(at.normal_impulse.abs() < 1e-9 * at.tangent_impulse.abs());
        for far in [1e9, -1e9] {
            let ratio = curve.at(far).friction / curve.limit();
            assert!((ratio - 1.0).abs() < 1e-5);
        }
        let branches = curve.branches(pole - 1.0, pole + 2.0, 50);
        assert_eq!(branches.len(), 2);
        for branch in &branches {
            let sign = branch[0].normal_impulse > 0.0;
            assert!(branch.iter().all(|p| (p.normal_impulse > 0.0) == sign));
            assert!(branch.windows(2).all(|p| p[0].slip < p[1].slip));
            assert!(branch.iter().all(|p| p.friction.is_finite()));
            // Within 1e-6 of the range (3 wide) of the pole μ is the limit times (pole − x*)/distance.
            let top = branch.iter().fold(0.0_f64, |s, p| s.max(p.friction));
            let reach = (pole - curve.frictionless_slip()).abs() / 3e-6;
            assert!((top / (curve.limit() * reach) - 1.0).abs() < 1e-3 + 2.0 / reach);
        }
        let stick = curve.at(0.0);
        assert_eq!(
            curve.needed_for_stick(),
            (stick.normal_impulse >= 0.0).then_some(stick.friction)
        );
    }
}

#[test]
fn feasibility_eq4_interval() {
    let mut random = Random(17);
    for _ in 0..200 {
        let space = one(&mut random, 1);
        let curve = FeasibilityCurve::new(&space, 0).unwrap();
        let mu = random.range(0.05, 3.0);
        let [low, high] = curve.slips(mu);
        let inside = |x: f64| {
            let p = curve.at(x);
            p.normal_impulse >= 0.0 && p.tangent_impulse.abs() <= mu * p.normal_impulse
        };
        for i in -200..200 {
            let x = curve.frictionless_slip() + f64::from(i) * 0.05;
            let margin = (x - low).abs().min((x - high).abs());
            if margin > 1e-6 {
                assert_eq!(inside(x), x > low && x < high);
            }
        }
    }
}

/// The postures of figures 4.2–4.5, and what the text says of them.
#[test]
fn bicycle_postures_of_figures_4_2_to_4_5() {
    let curve = |degrees: f64, e: f64| {
        let bicycle = ObliqueBicycle::new(degrees.to_radians(), e);
        let space = reduce(&bicycle.problem().unwrap());
        FeasibilityCurve::new(&space, 0).unwrap()
    };
    // α = 0: a friction cone, symmetric, everything feasible, no pole; μs = 0.5 is feasible for stick.
    let flat = curve(0.0, 0.5);
    assert_eq!(flat.limit(), f64::INFINITY);
    assert!((flat.at(1.0).friction - flat.at(-1.0).friction).abs() < 1e-12);
    assert!(flat.branches(-5.0, 5.0, 11)[0].iter().all(|p| p.normal_impulse > 0.0));
    assert!(flat.needed_for_stick().unwrap() < 0.5);
    // α = 15°: both sides approach 1.5.
    let tilted = curve(15.0, 0.5);
    assert!((tilted.limit() - 1.5011).abs() < 5e-5);
    assert!(tilted.needed_for_stick().unwrap() < 0.5);
    // The curves acquire an asymptote, and it comes closer as α grows; the limit falls.
    let poles = [15.0, 30.0, 45.0].map(|a| curve(a, 0.5).pole().unwrap().abs());
    assert!(poles[0] > poles[1]);
    let limits = [15.0, 30.0, 45.0].map(|a| curve(a, 0.5).limit());
    assert!(limits[0] > limits[1] && limits[1] > limits[2]);
    // The infeasible region moves out with the restitution.
    let near = curve(15.0, 0.0).pole().unwrap().abs();
    assert!(curve(15.0, 1.0).pole().unwrap().abs() > near);
}
