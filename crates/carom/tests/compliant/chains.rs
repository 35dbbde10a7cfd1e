//! Chains of balls: energy passes through touching contacts, as in Newton's cradle.
//!
//! References are closed forms (two balls; three equal balls with linear springs, by their normal modes) and an
//! integration of the equations of motion of the balls by fixed Runge–Kutta steps, which knows nothing of impacts.

use carom::impact::{Compliant, ContactSpace, ImpactSolution};
use nalgebra::DVector;

use super::problems::{check, solve_by};

/// Balls in a row that touch; the first comes with velocity 1.
fn chain(masses: &[f64], e: f64) -> ContactSpace {
    let n = masses.len() - 1;
    let mut space = ContactSpace::default();
    space.resize(n);
    for i in 0..n {
        space.G[(i, i)] = 1.0 / masses[i] + 1.0 / masses[i + 1];
        if i > 0 {
            space.G[(i, i - 1)] = -1.0 / masses[i];
            space.G[(i - 1, i)] = -1.0 / masses[i];
        }
        space.push_contact(0, [0.0, 0.0], e, true);
    }
    space.u_pre[0] = -1.0;
    space.classify();
    space
}

/// Velocities of the balls after.
fn velocities(masses: &[f64], out: &ImpactSolution) -> DVector<f64> {
    let n = masses.len();
    let p = |i: usize| out.impulses.get(i).copied().unwrap_or(0.0);
    DVector::from_fn(n, |i, _| {
        let before = if i == 0 { 1.0 } else { 0.0 };
        let behind = if i > 0 { p(i - 1) } else { 0.0 };
        before + (behind - p(i)) / masses[i]
    })
}

/// Step of the integration.
const H: f64 = 1e-3;

/// Its error: where a contact opens or closes the force has a kink, and the step is of second order.
const KINKS: f64 = 0.1 * H * H;

/// Elastic balls by their equations of motion, F = δ^η, until all have parted; Runge–Kutta steps.
fn integrate(masses: &[f64], exponent: f64) -> DVector<f64> {
    let (n, h) = (masses.len(), H);
    let rates = |s: &DVector<f64>| {
        let mut d = DVector::zeros(2 * n);
        for i in 0..n {
            d[i] = s[n + i];
            if i + 1 < n {
                let f = (s[i] - s[i + 1]).max(0.0).powf(exponent);
                d[n + i] -= f / masses[i];
                d[n + i + 1] += f / masses[i + 1];
            }
        }
        d
    };
    let mut s = DVector::zeros(2 * n);
    s[n] = 1.0;
    for step in 0..10_000_000 {
        let a = rates(&s);
        let b = rates(&(&s + &a * (0.5 * h)));
        let c = rates(&(&s + &b * (0.5 * h)));
        let d = rates(&(&s + &c * h));
        s += (a + (b + c) * 2.0 + d) * (h / 6.0);
        let parted = (1..n).all(|i| s[i] >= s[i - 1] && s[n + i] >= s[n + i - 1]);
        if step > 10 && parted {
            break;
        }
    }
    s.rows(n, n).into_owned()
}

fn hertz(masses: &[f64], exponent: f64) -> DVector<f64> {
    let space = chain(masses, 1.0);
    let out = solve_by(&Compliant { exponent, ..Compliant::default() }, &space);
    check(&space, &out, 1e-11);
    velocities(masses, &out)
}

#[test]
fn two_balls_are_exact() {
    for (m, e) in [(1.0, 1.0), (0.2, 0.7), (5.0, 0.0)] {
        for exponent in [1.0, 1.5] {
            let masses = [1.0, m];
            let out = solve_by(&Compliant { exponent, ..Compliant::default() }, &chain(&masses, e));
            let v = velocities(&masses, &out);
            assert!((v[0] - (1.0 - m * e) / (1.0 + m)).abs() < 1e-11, "{v}");
            assert!((v[1] - (1.0 + e) / (1.0 + m)).abs() < 1e-11, "{v}");
        }
    }
}

/// While both contacts are closed the modes of the chain have the frequencies 1 and √3; the first contact opens where
/// its compression vanishes, and the other two balls part by energy and momentum.
#[test]
fn three_equal_balls_with_linear_springs() {
    let root = 3.0_f64.sqrt();
    let first = |t: f64| 0.5 * t.sin() + 0.5 * (root * t).sin() / root;
    let (mut a, mut b) = (2.0, 3.0);
    for _ in 0..60 {
        let t = 0.5 * (a + b);
        if first(t) > 0.0 { a = t } else { b = t }
    }
    let (c1, c2) = (a.cos(), (root * a).cos());
    let v = [1.0 / 3.0 + 0.5 * c1 + c2 / 6.0, (1.0 - c2) / 3.0, 1.0 / 3.0 - 0.5 * c1 + c2 / 6.0];
    let second = 0.5 * a.sin() - 0.5 * (root * a).sin() / root;
    let mean = 0.5 * (v[1] + v[2]);
    let half = 0.5 * ((v[1] - v[2]).powi(2) + 2.0 * second * second).sqrt();
    let expected = DVector::from_vec(vec![v[0], mean - half, mean + half]);
    let found = hertz(&[1.0; 3], 1.0);
    assert!((&found - &expected).amax() < 1e-13, "{found} {expected}");
}

/// Five equal balls, the cradle: four nearly rest, the last leaves; with Hertz contacts the more so. No ball is left
/// with exactly nothing, as the toy shows.
#[test]
fn newtons_cradle() {
    for exponent in [1.0, 1.5] {
        let found = hertz(&[1.0; 5], exponent);
        let reference = integrate(&[1.0; 5], exponent);
        assert!((&found - &reference).amax() < KINKS, "{exponent}: {found} {reference}");
        assert!(found[0] < 0.0 && found[4] > 0.9, "{found}");
    }
    let (linear, hertz) = (hertz(&[1.0; 5], 1.0), hertz(&[1.0; 5], 1.5));
    assert!(hertz[4] > linear[4]);
}

/// Ten balls of steel, and ten of growing mass: the wave arrives as the equations of motion have it.
#[test]
fn ten_balls() {
    for exponent in [1.0, 1.5, 2.0] {
        let equal = [1.0; 10];
        let mut growing = [1.0; 10];
        for i in 1..10 {
            growing[i] = 1.2 * growing[i - 1];
        }
        for masses in [equal, growing] {
            let found = hertz(&masses, exponent);
            let reference = integrate(&masses, exponent);
            assert!((&found - &reference).amax() < KINKS, "{exponent}: {found} {reference}");
            assert!((1..10).all(|i| found[i] >= found[i - 1] - 1e-12), "balls part: {found}");
        }
    }
}

/// With restitution below 1 each contact loses its share, and the chain ends.
#[test]
fn lossy_chain() {
    for e in [0.9, 0.5, 0.1, 0.0] {
        let space = chain(&[1.0; 10], e);
        let out = solve_by(&Compliant::default(), &space);
        check(&space, &out, 1e-10);
        let v = velocities(&[1.0; 10], &out);
        assert!((v.sum() - 1.0).abs() < 1e-12);
        assert!(v.norm_squared() <= 1.0 + 1e-12);
    }
}
