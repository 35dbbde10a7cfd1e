//! Rod against a stop at 45°: θ̇² = 3g/L · fall of sin θ; each rebound keeps e of the rate.

use super::support::{G, integral, jumps, run_named};
use carom::record::EventKind;

#[test]
fn rebounds_from_the_limit() {
    let run = run_named("stop.toml", &[]);
    let limit = 45f64.to_radians();
    let impacts = jumps(&run);
    // θ falls from 0 to −45°; the integrand is 1/√(3 g sin s), s = x².
    let time = integral(400, 0.0, limit.sqrt(), |x| 2.0 * x / (3.0 * G * (x * x).sin()).sqrt());
    assert!((impacts[0].t - time).abs() < 1e-9, "{}", impacts[0].t - time);
    let rate = (3.0 * G * limit.sin()).sqrt();
    for (k, impact) in impacts.iter().enumerate().take(5) {
        let wanted = -rate * 0.6_f64.powi(k as i32);
        assert!((impact.v_pre[0] - wanted).abs() < 1e-9, "impact {k}");
        assert!((impact.v_post[0] + 0.6 * wanted).abs() < 1e-9, "impact {k}");
        assert!((impact.q[0] + limit).abs() < 1e-14);
    }
    assert_eq!(run.events().last().unwrap().kind, EventKind::Rest);
    assert_eq!(run.state.v[0], 0.0);
}
