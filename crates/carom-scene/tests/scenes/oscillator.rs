//! Mass, spring and dry friction. With x the position of the block on the support, which moves by
//! A sin(w t): ẍ = −k/m x − μ g sgn ẋ + A w² sin(w t); it sticks while
//! |k x − m A w² sin(w t)| ≤ μs m g.

use super::support::run_named;
use carom::record::EventKind;

const M: f64 = 0.4536964643691098;
const K: f64 = 350.2536704929527;
const G: f64 = 9.8044;
/// Amplitude of the support, m.
const A: f64 = 0.01;
const FREE: [&str; 2] =
    ["body.support.joint.prescribed.amplitude=0", "body.slide.joint.initial=0.05"];

/// Half swings of π√(m/k), each 2 μd m g/k shorter, until k |x| ≤ μs m g at a turning point.
#[test]
fn free_swings_shrink_until_it_sticks() {
    let run = run_named("oscillator.toml", &FREE);
    let half = std::f64::consts::PI * (M / K).sqrt();
    let (sliding, hold) = (0.2 * M * G / K, 0.3 * M * G / K);
    let mut x = 0.05_f64;
    let turns: Vec<_> = run
        .events()
        .iter()
        .filter(|e| matches!(e.kind, EventKind::SlipReversal | EventKind::SlipStop))
        .collect();
    for (k, event) in turns.iter().enumerate() {
        assert!(x.abs() > hold, "turn {k} comes although it sticks");
        x = -(x - x.signum() * 2.0 * sliding);
        assert!((event.t - half * (k + 1) as f64).abs() < 1e-9, "turn {k}");
        assert!((event.q[1] - x).abs() < 1e-9, "turn {k}: {} {x}", event.q[1]);
    }
    assert!(x.abs() <= hold);
    assert_eq!(turns.last().unwrap().kind, EventKind::SlipStop);
    assert!(run.state.v.amax() < 1e-14);
    assert!((run.state.q[1] - x).abs() < 1e-9);
    let lost = 0.5 * K * (0.05 * 0.05 - x * x);
    assert!((run.energy_lost() - lost).abs() < 1e-9);
}

/// The closed form of one slip from (t₀, x₀) at rest, sgn ẋ = s: position and rate.
fn slip(t0: f64, x0: f64, s: f64, t: f64) -> [f64; 2] {
    let (n, w) = ((K / M).sqrt(), 6.0 * std::f64::consts::PI);
    // Particular solution: B sin(w t) − s μ g/n².
    let b = A * w * w / (n * n - w * w);
    let shift = s * 0.2 * G / (n * n);
    let (c0, c1) = (x0 - b * (w * t0).sin() + shift, -b * w * (w * t0).cos());
    let d = n * (t - t0);
    [
        c0 * d.cos() + c1 / n * d.sin() + b * (w * t).sin() - shift,
        -c0 * n * d.sin() + c1 * d.cos() + b * w * (w * t).cos(),
    ]
}

/// The force that would have to be held while it sticks at x.
fn pull(x: f64, t: f64) -> f64 {
    let w = 6.0 * std::f64::consts::PI;
    A * w * w * (w * t).sin() - K / M * x
}

/// Where `f` turns true, to round-off.
fn bisect(mut a: f64, mut b: f64, f: impl Fn(f64) -> bool) -> f64 {
    for _ in 0..60 {
        let m = 0.5 * (a + b);
        if f(m) { b = m } else { a = m }
    }
    0.5 * (a + b)
}

/// Stick and slip by the closed form, event by event, against the run.
#[test]
fn forced_motion_sticks_and_slips_as_the_closed_form() {
    let run = run_named("oscillator.toml", &[]);
    let events: Vec<_> = run
        .events()
        .iter()
        .filter(|e| {
            use EventKind::{SlipReversal, SlipStart, SlipStop};
            matches!(e.kind, SlipStart | SlipStop | SlipReversal)
        })
        .collect();
    let (mut t, mut x) = (0.0, 0.0);
    let step = 1e-4;
    let mut slips = 0;
    let mut next = events.iter();
    while let Some(start) = next.next() {
        // Sticking: the pull grows until static friction is used up.
        if pull(x, t).abs() < 0.3 * G * (1.0 - 1e-9) {
            let mut b = t + step;
            while pull(x, b).abs() < 0.3 * G {
                b += step;
            }
            t = bisect(b - step, b, |t| pull(x, t).abs() >= 0.3 * G);
            assert_eq!(start.kind, EventKind::SlipStart);
            assert!((start.t - t).abs() < 1e-8, "slip {slips} starts: {} {t}", start.t);
        }
        // Slipping: until the rate is zero again; from there it may go on the other way.
        loop {
            let s = pull(x, t).signum();
            let mut b = t + step;
            while s * slip(t, x, s, b)[1] > 0.0 {
                b += step;
            }
            let (t0, x0) = (t, x);
            t = bisect(b - step, b, |t| s * slip(t0, x0, s, t)[1] <= 0.0);
            if t > 3.0 {
                assert!(slips > 10);
                assert!(next.next().is_none());
                return;
            }
            x = slip(t0, x0, s, t)[0];
            let Some(stop) = next.next() else { panic!("slip {slips} does not stop") };
            slips += 1;
            assert!((stop.t - t).abs() < 1e-8, "slip {slips} stops: {} {t}", stop.t);
            assert!((stop.q[1] - x).abs() < 1e-8, "slip {slips} stops: {} {x}", stop.q[1]);
            if pull(x, t).abs() <= 0.3 * G {
                assert_eq!(stop.kind, EventKind::SlipStop);
                break;
            }
            assert_eq!(stop.kind, EventKind::SlipReversal);
        }
    }
    assert!(slips > 10, "{slips}");
}
