//! Fixed-step Runge–Kutta with the projection of zero crossings, equation (5).

use super::forcing::System;
use super::measure::Motion;

/// The motion with steps of `h` up to `end`.
pub fn project(system: &System, h: f64, end: f64) -> Motion {
    let count = (end / h).round() as usize;
    let mut motion = Motion::starting_at_rest();
    let (mut x, mut v, mut held) = (0.0, 0.0, true);
    for i in 0..count {
        let t = i as f64 * h;
        if held {
            // Held for this step, unless static friction is used up now.
            held = system.pull(x, t).abs() <= system.hold;
        } else if crosses(system, h, (t, x, v)) {
            (v, held) = (0.0, true);
            motion.crossings += 1;
            motion.captures += 1;
        }
        if !held {
            let sign = if v == 0.0 { system.pull(x, t).signum() } else { v.signum() };
            [x, v] = step(system, h, sign, (t, [x, v]));
            if v * sign < 0.0 {
                // The step went through zero unseen.
                motion.crossings += 1;
            }
        }
        motion.push((i + 1) as f64 * h, [x, v], held.then_some([t, t + h]));
    }
    motion
}

/// The prediction (5).
fn crosses(system: &System, h: f64, (t, x, v): (f64, f64, f64)) -> bool {
    let acceleration = system.pull(x, t) - v.signum() * system.drag;
    v * (v + h * acceleration) <= 0.0
}

/// One classical Runge–Kutta step of (1) with the sign of friction held.
fn step(system: &System, h: f64, sign: f64, (t, y): (f64, [f64; 2])) -> [f64; 2] {
    let rate = |t: f64, y: [f64; 2]| [y[1], system.pull(y[0], t) - sign * system.drag];
    let ahead = |k: [f64; 2], c: f64| [y[0] + c * h * k[0], y[1] + c * h * k[1]];
    let k1 = rate(t, y);
    let k2 = rate(t + 0.5 * h, ahead(k1, 0.5));
    let k3 = rate(t + 0.5 * h, ahead(k2, 0.5));
    let k4 = rate(t + h, ahead(k3, 1.0));
    let mean = |i: usize| (k1[i] + 2.0 * (k2[i] + k3[i]) + k4[i]) / 6.0;
    [y[0] + h * mean(0), y[1] + h * mean(1)]
}

#[cfg(test)]
mod tests {
    use super::super::forcing::FORCINGS;
    use super::*;

    #[test]
    fn eq5_captures_for_a_whole_step() {
        let system = System::new(FORCINGS[0]);
        let h = 0.01;
        let motion = project(&system, h, 3.0);
        assert!(motion.captures > 5);
        for [from, to] in &motion.sticks {
            let steps = (to - from) / h;
            assert!(steps > 0.999 && (steps - steps.round()).abs() < 1e-9);
        }
    }

    /// Without friction the scheme is Runge–Kutta's: halving the step divides the error by about 16.
    #[test]
    fn fourth_order_without_friction() {
        let system = System { hold: 0.0, drag: 0.0, ..System::new(FORCINGS[0]) };
        let (n, w) = (system.natural(), system.rate());
        let b = system.shake() / (system.stiffness - w * w);
        let exact = |t: f64| b * ((w * t).sin() - w / n * (n * t).sin());
        let error = |h: f64| {
            let (mut y, mut worst) = ([0.0, 0.0], 0.0_f64);
            for i in 0..(0.5 / h).round() as usize {
                y = step(&system, h, 0.0, (i as f64 * h, y));
                worst = worst.max((y[0] - exact((i + 1) as f64 * h)).abs());
            }
            worst
        };
        let ratio = error(0.005) / error(0.0025);
        assert!(ratio > 14.0 && ratio < 18.0, "{ratio}");
    }
}
