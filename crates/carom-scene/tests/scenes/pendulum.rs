//! Pendulum from 60°: physical pendulum with ω₀² = 3g/(2L); period 2/ω₀ · 2K(sin 30°) by the
//! arithmetic–geometric mean.

use super::support::{G, run_named};

#[test]
fn swings_with_the_period_of_the_elliptic_integral() {
    let w = (1.5 * G).sqrt();
    let (mut a, mut g) = (1.0, 30f64.to_radians().cos());
    while (a - g).abs() > 1e-16 {
        (a, g) = (0.5 * (a + g), f64::sqrt(a * g));
    }
    let period = 2.0 * std::f64::consts::PI / (w * a);
    let until = format!("solver.until={:?}", 5.0 * period);
    let run = run_named("pendulum.toml", &[&until, "solver.rtol=1e-11", "solver.atol=1e-13"]);
    assert!((run.state.q[0] + 30f64.to_radians()).abs() < 1e-9, "{}", run.state.q[0]);
    assert!(run.state.v[0].abs() < 1e-8);
    assert!(run.events().is_empty());
}
