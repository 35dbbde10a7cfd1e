//! A ball on a vibrating table: one bounce in each period of 0.1 s, at the phase φ with Γ cos φ = π (1 − e)/(1 + e).
//! `carom-study/tests/exact.rs` has the flips.

use super::support::{G, jumps, run_named};
use std::f64::consts::PI;

#[test]
fn it_finds_one_bounce_in_each_period() {
    let w = 20.0 * PI;
    let (gamma, e) = (1.4, 0.5);
    let a = gamma * G / (w * w);
    let phi = (PI * (1.0 - e) / (1.0 + e) / gamma).acos();
    let start = [
        format!("joint.shaker.initial={:?}", -a * phi.sin()),
        format!("joint.shaker.initial_rate={:?}", -a * w * phi.cos()),
        "solver.until=10".into(),
    ];
    let run = run_named("vibrating_table.toml", &start.each_ref().map(String::as_str));
    let impacts = jumps(&run);
    let last = &impacts[impacts.len() - 10..];
    for pair in last.windows(2) {
        assert!((pair[1].t - pair[0].t - 0.1).abs() < 1e-8, "{}", pair[1].t - pair[0].t);
        assert!((pair[0].q[0] - a * phi.sin()).abs() < 1e-9);
        // The ball leaves with g T/2.
        assert!((pair[0].v_post[1] - G * 0.05).abs() < 1e-7, "{}", pair[0].v_post[1]);
    }
}
