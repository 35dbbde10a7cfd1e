//! Studies against exact maps: the flips of a ball on a vibrating table, the basins of a rimless wheel.
//!
//! # The ball
//! Table s = A sin ωt, rebound −e times the approach. One bounce in n periods T has the speed V = g n T/2 after each
//! impact, so the table has the speed V (1 − e)/(1 + e) there. With Γ = Aω²/g and φ the phase of the impact
//! ```text
//! Γ cos φ = n π (1 − e)/(1 + e)                                                   (1)
//! ```
//! An impact that is late by dt with a speed dv more is followed by one with
//! ```text
//! dt' = dt + (1 + e)/g dv,   dv' = (1 + e) s̈ dt' − e dv + e (1 + e) dv            (2)
//! ```
//! (flight from a table that has moved: (v⁻ − ṡ) dt' = (v⁻ − ṡ) dt − nT dv). (2) has the determinant e² and the trace
//! 1 + e² − (1 + e)² Γ sin φ: an eigenvalue is −1, and the period doubles, where
//! ```text
//! Γ sin φ = 2 (1 + e²)/(1 + e)²                                                   (3)
//! ```
//! # Source
//! (1) to (3) are derived here. The problem is known from Holmes 1982, whose paper was not opened; works that cite it say
//! that it neglects the height of the table, which this does not. The wheel is McGeer's of 1990, likewise derived here.

use carom_study::sampling::{Parameter, Plan};
use carom_study::{Ask, Study};
use std::f64::consts::{PI, TAU};
use std::sync::atomic::AtomicBool;

const G: f64 = 9.81;

fn study(name: &str, vary: &[String], results: &[(&str, &str)], set: &[&str]) -> Study {
    let path = carom_testing::scene(name);
    let text = std::fs::read_to_string(&path).unwrap();
    let vary = vary.iter().map(|v| Parameter::read(v).unwrap()).collect();
    let plan = Plan::new(vary, None, None, 1).unwrap();
    let results = results.iter().map(|(n, e)| (n.to_string(), e.to_string())).collect();
    let overrides = set.iter().map(|s| s.to_string()).collect();
    let usual = Ask::of_scene(text, path.display().to_string());
    Study::new(Ask { plan, results, overrides, ..usual }).unwrap()
}

/// Results of all rows, on two threads.
fn rows(study: &Study) -> Vec<Vec<f64>> {
    let stop = AtomicBool::new(false);
    let n = study.plan().rows();
    let half = |from: u64| -> Vec<(u64, Vec<f64>)> {
        let row = |number| {
            let row = study.run(number, &stop).unwrap();
            assert_eq!(row.stop, "reached-end", "{:?}", row.message);
            (number, row.results)
        };
        (from..n).step_by(2).map(row).collect()
    };
    let mut all = std::thread::scope(|scope| {
        let other = scope.spawn(|| half(1));
        let mut all = half(0);
        all.extend(other.join().unwrap());
        all
    });
    all.sort_by_key(|(number, _)| *number);
    all.into_iter().map(|(_, results)| results).collect()
}

/// The scene with restitution e and these Γ, started `high` times as high as one bounce in each period.
fn table(e: f64, gammas: &str, high: f64, results: &[(&str, &str)], until: f64) -> Study {
    let vary = [
        format!("$gamma={gammas}"),
        format!("$phi=expr(acos(pi * (1 - {e}) / (1 + {e}) / $gamma))"),
        "$A=expr($gamma * 9.81 / (20 * pi)^2)".into(),
        "joint.shaker.initial=expr(-$A * sin($phi))".into(),
        "joint.shaker.initial_rate=expr(-$A * 20 * pi * cos($phi))".into(),
        format!("body.ball.joint.initial=expr({high} * ($A * sin($phi) + 9.81 * 0.1^2 / 8))"),
        format!("contact.0.restitution=[{e}]"),
    ];
    study("vibrating_table.toml", &vary, results, &[&format!("solver.until={until}")])
}

const PHASE: &str = "atan2(20 * pi * q.shaker, v.shaker) / tau";

fn flip(e: f64) -> f64 {
    let cosine = PI * (1.0 - e) / (1.0 + e);
    let sine = 2.0 * (1.0 + e * e) / (1.0 + e).powi(2);
    cosine.hypot(sine)
}

#[test]
fn eq1_one_bounce_in_each_period() {
    let found =
        rows(&table(0.5, "1.1:1.5:5", 1.02, &[("p", &format!("at(impact, -1, {PHASE})"))], 20.0));
    for (k, row) in found.iter().enumerate() {
        let phi = (PI / 3.0 / (1.1 + 0.1 * k as f64)).acos();
        assert!((row[0] - phi / TAU).abs() < 1e-6, "{} {}", row[0], phi / TAU);
    }
}

/// Just before (3) successive impacts agree, after it they differ by a where a² grows from zero like Γ: continued to
/// a = 0 by the parabola through three rows, the period doubles at the Γ of (3).
#[test]
fn eq3_the_period_doubles_where_the_exact_map_says() {
    for e in [0.3, 0.5, 0.7] {
        let exact = flip(e);
        let gammas: Vec<String> =
            [-0.02, 0.01, 0.02, 0.03].iter().map(|d| format!("{:?}", exact + d)).collect();
        let last = format!("last(impact, 2, {PHASE})");
        let found =
            rows(&table(e, &format!("[{}]", gammas.join(", ")), 1.02, &[("p", &last)], 30.0));
        let apart: Vec<f64> = found.iter().map(|row| (row[1] - row[0]).powi(2)).collect();
        assert!(apart[0] < 1e-12, "e = {e}: {apart:?}");
        assert!(apart[1] > 1e-4, "e = {e}: {apart:?}");
        let rows: Vec<(f64, f64)> = apart.iter().copied().zip([-0.02, 0.01, 0.02, 0.03]).collect();
        let rows = &rows[1..];
        // Lagrange at a² = 0.
        let weight = |k: usize| {
            let others = (0..3).filter(|j| *j != k);
            others.map(|j| rows[j].0 / (rows[j].0 - rows[k].0)).product::<f64>()
        };
        let offset: f64 = (0..3).map(|k| weight(k) * rows[k].1).sum();
        assert!(offset.abs() < 1e-4, "e = {e}: the flip is off by {offset:e} from {exact}");
    }
}

/// The exact map: the time of the next impact by bisection on the first sign change, then the rebound.
fn mapped(gamma: f64, e: f64, high: f64, until: f64) -> Vec<f64> {
    let w = 20.0 * PI;
    let a = gamma * G / (w * w);
    let phi = (PI * (1.0 - e) / (1.0 + e) / gamma).acos();
    let psi = phi - PI;
    let s = |t: f64| a * (w * t + psi).sin();
    let rate = |t: f64| a * w * (w * t + psi).cos();
    let (mut t, mut y, mut v) = (0.0, high * (a * phi.sin() + G * 0.01 / 8.0), 0.0);
    let mut phases = Vec::new();
    loop {
        let gap = |d: f64| y + v * d - 0.5 * G * d * d - s(t + d);
        let step = 1e-4;
        let mut d = 1e-6;
        while gap(d + step) > 0.0 {
            d += step;
        }
        let (mut low, mut high) = (d, d + step);
        for _ in 0..60 {
            let middle = 0.5 * (low + high);
            if gap(middle) > 0.0 { low = middle } else { high = middle }
        }
        let d = 0.5 * (low + high);
        (t, v) = (t + d, v - G * d);
        if t > until {
            return phases;
        }
        y = s(t);
        v = (1.0 + e) * rate(t) - e * v;
        phases.push(((w * t + psi) / TAU + 0.5).rem_euclid(1.0) - 0.5);
    }
}

/// Periods 1, 2 and 4, beyond the second flip too: the last eight impacts are those of the map. Orbits attract, so that
/// what is left of integration is its tolerance, 1e-11 per step.
#[test]
fn the_diagram_is_that_of_the_map() {
    let last = format!("last(impact, 8, {PHASE})");
    let found = rows(&table(0.5, "1.15:1.69:10", 1.02, &[("p", &last)], 20.0));
    for (k, row) in found.iter().enumerate() {
        let gamma = 1.15 + 0.06 * k as f64;
        let phases = mapped(gamma, 0.5, 1.02, 20.0);
        let exact = &phases[phases.len() - 8..];
        for (found, exact) in row.iter().zip(exact) {
            assert!((found - exact).abs() < 1e-6, "Γ = {gamma}: {row:?} {exact:?}");
        }
    }
    let differ = |row: &[f64], n: usize| (row[7] - row[7 - n]).abs() > 1e-3;
    assert!(!differ(&found[6], 1) && differ(&found[7], 1) && !differ(&found[7], 2));
    assert!(differ(&found[9], 2) && !differ(&found[9], 4));
}

/// What becomes of a rimless wheel, strike by strike: ½ (1 + J) ω² + g cos θ is kept, strikes take the factor η.
fn rolls(theta: f64, omega: f64) -> Option<bool> {
    let (j, slope, half) = (0.1, 0.08, PI / 8.0);
    let eta = (j + (2.0 * half).cos()) / (j + 1.0);
    let energy = |theta: f64, omega: f64| 0.5 * (1.0 + j) * omega * omega + G * theta.cos();
    let (mut theta, mut omega): (f64, f64) = (theta, omega);
    for _ in 0..60 {
        let e = energy(theta, omega);
        // Starts too near to a separatrix are for nobody to decide.
        if (e - G).abs() < 1e-3 {
            return None;
        }
        let forward =
            if (theta > 0.0) == (omega > 0.0) { omega > 0.0 } else { (e > G) == (omega > 0.0) };
        let end = if forward { slope + half } else { slope - half };
        let speed = (2.0 * (e - G * end.cos()) / (1.0 + j)).max(0.0).sqrt();
        omega = eta * if forward { speed } else { -speed };
        theta = if forward { slope - half } else { slope + half };
    }
    Some(omega > 0.5)
}

#[test]
fn basins_of_the_rimless_wheel() {
    let vary = [
        "$theta=-0.29:0.45:15",
        "$omega=-1.45:1.45:14",
        "body.wheel.position.0=expr(sin($theta))",
        "body.wheel.position.1=expr(cos($theta))",
        "body.wheel.rotation=expr(-$theta)",
        "body.wheel.velocity.0=expr($omega * cos($theta))",
        "body.wheel.velocity.1=expr(-$omega * sin($theta))",
        "body.wheel.angular_velocity=expr(-$omega)",
    ]
    .map(String::from);
    let results =
        [("rolls", "energy.kinetic > 0.01"), ("speed", "before(impact, -1, abs(v.wheel.rate))")];
    let study = study("rimless_wheel.toml", &vary, &results, &["solver.until=15"]);
    let (mut told, mut rolling) = (0, 0);
    for (k, row) in rows(&study).iter().enumerate() {
        let values = study.plan().values(k as u64);
        let Some(expected) = rolls(values[0].number(), values[1].number()) else { continue };
        assert_eq!(row[0] == 1.0, expected, "{values:?} {row:?}");
        told += 1;
        if expected {
            rolling += 1;
            // η per strike: the speed is that of the limit cycle to η²ⁿ.
            assert!((row[1] - 1.537_275_936_059).abs() < 1e-3, "{row:?}");
        }
    }
    assert!(told > 190 && rolling > 60 && rolling < told - 60, "{told} {rolling}");
}
