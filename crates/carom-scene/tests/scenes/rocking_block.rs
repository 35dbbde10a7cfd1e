//! Rocking block: about a corner (R half the diagonal, α its angle) I₀ θ̈ = −m g R sin(α − θ),
//! I₀ = 4/3 m R²; each impact leaves r = 1 − 3/2 sin² α of the rate.
//! G. W. Housner, Bull. Seismol. Soc. Am. 53 (1963) 403–417; formula derived again here from the
//! angular momentum about the new corner.

use super::support::{G, integral, jumps, run_named};
use carom::record::EventKind;

const HALF: [f64; 2] = [0.1, 0.4];

#[test]
fn impacts_as_housner_says() {
    let run = run_named("rocking_block.toml", &[]);
    let (b, h) = (HALF[0], HALF[1]);
    let (radius, alpha) = (b.hypot(h), b.atan2(h));
    let start = 8f64.to_radians();
    let p2 = 3.0 * G / (4.0 * radius);
    // ½ θ̇² = p² (cos(α − θ) − cos(α − θ₀)), θ falls from θ₀ to 0; θ = θ₀ − s².
    let rate2 = |th: f64| {
        let (m, d) = (alpha - 0.5 * (th + start), 0.5 * (start - th));
        4.0 * p2 * m.sin() * d.sin()
    };
    let first = integral(400, 0.0, start.sqrt(), |s| 2.0 * s / rate2(start - s * s).sqrt());
    let impacts = jumps(&run);
    assert!((impacts[0].t - first).abs() < 1e-9, "{}", impacts[0].t - first);
    let rate = rate2(0.0).sqrt();
    assert!((impacts[0].v_pre[2].abs() - rate).abs() < 1e-9);
    // About the new corner: m (h² − b²) + I_c over I₀, with I_c = m R²/3.
    let r = ((h * h - b * b) + radius * radius / 3.0) / (4.0 / 3.0 * radius * radius);
    assert!((r - (1.0 - 1.5 * alpha.sin().powi(2))).abs() < 1e-15);
    for impact in impacts.iter().take(6) {
        let left = impact.v_post[2] / impact.v_pre[2];
        assert!((left - r).abs() < 1e-9, "t = {}: {left} instead of {r}", impact.t);
    }
    let last = run.events().last().unwrap();
    assert_eq!(last.kind, EventKind::Rest, "at t = {}", last.t);
    assert!(run.state.q[2].abs() < 1e-12 && run.state.v.amax() == 0.0, "it stands");
}
