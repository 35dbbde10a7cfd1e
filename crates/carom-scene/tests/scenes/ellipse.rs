//! Ellipse that rolls: with θ the angle of the long axis, h(θ) = √(a² sin² θ + b² cos² θ) the height
//! of the centre and x̂ = h′(θ) the offset of the contact point, no slip means
//! |v_c|² = (h² + h′²) θ̇², so ½ (m (h² + h′²) + I) θ̇² + m g h is constant, I = m (a² + b²)/4.

use super::support::{G, integral, run_named};

const A: f64 = 0.4;
const B: f64 = 0.2;

fn height(th: f64) -> f64 {
    (A * th.sin()).hypot(B * th.cos())
}

fn slope(th: f64) -> f64 {
    (A * A - B * B) * th.sin() * th.cos() / height(th)
}

/// θ̇² at θ, released at rest at `start`.
fn rate_squared(start: f64, th: f64) -> f64 {
    let (h, d) = (height(th), slope(th));
    2.0 * G * (height(start) - h) / (h * h + d * d + (A * A + B * B) / 4.0)
}

#[test]
fn rocks_with_the_period_of_the_quadrature() {
    let start = 40f64.to_radians();
    // θ = θ₀ sin φ makes the integrand smooth at the turning point.
    let quarter = integral(200, 0.0, std::f64::consts::FRAC_PI_2, |phi| {
        let th = start * phi.sin();
        start * phi.cos() / rate_squared(start, th).sqrt()
    });
    let period = 4.0 * quarter;
    for swings in [1.0, 4.0] {
        let until = format!("solver.until={:?}", swings * period);
        let run = run_named("ellipse.toml", &[&until]);
        // Coordinates are planar: x, y, angle. Back where it began.
        assert!((run.state.q[2] - start).abs() < 1e-8 * swings, "{}", run.state.q[2] - start);
        assert!(run.state.q[0].abs() < 1e-8 * swings);
        assert!(run.state.v.amax() < 1e-6 * swings);
        assert!(run.energy_lost().abs() < 1e-12);
    }
}

#[test]
fn no_slip_links_position_and_angle() {
    let run = run_named("ellipse.toml", &[]);
    let start = 40f64.to_radians();
    for (q, v) in run.recording.q.iter().zip(&run.recording.v) {
        let th = q[2];
        // Rolling to the left turns it counter-clockwise: dx = −h dθ.
        let x = integral(20, th, start, height);
        assert!((q[0] - x).abs() < 1e-9, "{} {x}", q[0]);
        assert!((q[1] - height(th)).abs() < 1e-12);
        assert!((v[2] * v[2] - rate_squared(start, th)).abs() < 1e-8);
    }
    assert_eq!(run.events().len(), 1, "it closes at the start and nothing else happens");
}
