//! Brute force: the slip equations in polar form, integrated by an adaptive Runge–Kutta method.
//!
//! Shares nothing with the library: no power series, no principal axes, no tail.

use carom::impact::Restitution;
use nalgebra::{Matrix2, Vector2};

use crate::random::Case;

/// ln r, θ, pₙ, uₙ, Wₙ, W_f against s, dpₙ = r ds; pₜ follows from momentum where K is regular.
type State = [f64; 6];

#[derive(Clone, Copy, Debug)]
pub struct Answer {
    pub p_n: f64,
    pub u: [f64; 3],
    pub work_n: f64,
    pub work_f: f64,
    pub w_c: f64,
    /// uₙ fell through zero on the way.
    pub recompressed: bool,
}

const TOLERANCE: f64 = 1e-13;

pub fn solve(case: &Case) -> Option<Answer> {
    let (K, mu) = (&case.K, case.c.friction);
    let rate = |x: &State| -> State {
        let (s, c) = x[1].sin_cos();
        let r = x[0].exp();
        let a = [
            K[(0, 2)] - mu * (K[(0, 0)] * c + K[(0, 1)] * s),
            K[(1, 2)] - mu * (K[(1, 0)] * c + K[(1, 1)] * s),
        ];
        let n = K[(2, 2)] - mu * (K[(2, 0)] * c + K[(2, 1)] * s);
        [c * a[0] + s * a[1], c * a[1] - s * a[0], r, r * n, r * x[3], -mu * r * r]
    };
    let scale = case.u.amax();
    let r0 = case.u[0].hypot(case.u[1]);
    let mut x: State = [r0.ln(), case.u[1].atan2(case.u[0]), 0.0, case.u[2], 0.0, 0.0];
    let (mut restoring, mut c0) = (false, [0.0; 2]);
    let mut recompressed = false;
    // Positive when the phase is over.
    let goal = |x: &State, restoring: bool, c0: &[f64; 2]| -> f64 {
        let e = case.c.restitution;
        if !restoring {
            return x[3];
        }
        match case.c.definition {
            Restitution::Kinematic => x[3] + e * case.u[2],
            Restitution::Kinetic => x[2] - (1.0 + e) * c0[0],
            Restitution::Energetic => x[4] - (1.0 - e * e) * c0[1],
        }
    };
    let mut h = 1e-3 / (K.amax() * (1.0 + mu));
    for _ in 0..2_000_000 {
        if x[0] < (1e-15 * scale).ln() {
            return rest(case, x, restoring, c0, recompressed);
        }
        let (y, error) = step(&rate, &x, h);
        if error > 1.0 || !error.is_finite() {
            h *= (0.9 * error.powf(-0.2)).clamp(0.1, 0.9);
            continue;
        }
        recompressed |= restoring && y[3] < 0.0;
        if goal(&y, restoring, &c0) >= 0.0 {
            let at = |h: f64| step(&rate, &x, h).0;
            let z = at(bisect(|t| goal(&at(t), restoring, &c0), h));
            if restoring || case.c.restitution == 0.0 {
                let c0 = if restoring { c0 } else { [z[2], z[4]] };
                return Some(answer(case, &z, c0, recompressed));
            }
            (restoring, c0, x) = (true, [z[2], z[4]], z);
            x[3] = 0.0;
            continue;
        }
        x = y;
        h *= (0.9 * error.max(1e-10).powf(-0.2)).clamp(0.2, 4.0);
    }
    None
}

fn answer(case: &Case, x: &State, c0: [f64; 2], recompressed: bool) -> Answer {
    let (s, c) = x[1].sin_cos();
    let r = if x[0] < (1e-15 * case.u.amax()).ln() { 0.0 } else { x[0].exp() };
    Answer {
        p_n: x[2],
        u: [r * c, r * s, x[3]],
        work_n: x[4],
        work_f: x[5],
        w_c: c0[1],
        recompressed,
    }
}

/// After the slip has stopped everything is linear; marched in closed form with a scanned direction.
fn rest(case: &Case, x: State, mut restoring: bool, mut c0: [f64; 2], re: bool) -> Option<Answer> {
    let K = &case.K;
    let T = Matrix2::new(K[(0, 0)], K[(0, 1)], K[(1, 0)], K[(1, 1)]);
    let k = Vector2::new(K[(0, 2)], K[(1, 2)]);
    let m = T.lu().solve(&k)?;
    // Tangential rate, normal rate, friction.
    let (dw, a, mu) = if m.norm() <= case.c.static_friction {
        // κ by a Cholesky factor, which is as accurate as K itself.
        (Vector2::zeros(), K.cholesky()?.l()[(2, 2)].powi(2), 0.0)
    } else {
        let mu = case.c.friction;
        let at = |t: f64| Vector2::new(t.cos(), t.sin());
        let v = |t: f64| k - T * at(t) * mu;
        let turn = |t: f64| v(t).perp(&at(t));
        // The one invariant direction along which slip grows, by a scan.
        let n = 20_000;
        let angle = |i: usize| i as f64 * std::f64::consts::TAU / n as f64;
        let i = (0..n).find(|i| {
            let (a, b) = (turn(angle(*i)), turn(angle(i + 1)));
            a * b <= 0.0 && v(angle(*i)).dot(&at(angle(*i))) > -1e-3 * k.norm() && {
                let z = angle(*i) + bisect(|t| turn(angle(*i) + t) * b.signum(), angle(1));
                v(z).dot(&at(z)) > 0.0
            }
        })?;
        let b = turn(angle(i + 1)).signum();
        let z = angle(i) + bisect(|t| turn(angle(i) + t) * b, angle(1));
        (v(z), K[(2, 2)] - mu * k.dot(&at(z)), mu)
    };
    let e = case.c.restitution;
    let mut y = x;
    let advance = |y: &mut State, p: f64| {
        y[4] += p * (y[3] + 0.5 * a * p);
        y[3] += a * p;
        y[2] += p;
    };
    if !restoring {
        let p = -y[3] / a;
        advance(&mut y, p);
        (restoring, c0) = (true, [y[2], y[4]]);
    }
    assert!(restoring);
    let rest = match case.c.definition {
        Restitution::Kinematic => (-e * case.u[2] - y[3]) / a,
        Restitution::Kinetic => (1.0 + e) * c0[0] - y[2],
        Restitution::Energetic => {
            let work = (1.0 - e * e) * c0[1] - y[4];
            ((y[3] * y[3] + 2.0 * a * work).max(0.0).sqrt() - y[3]) / a
        }
    };
    advance(&mut y, rest);
    let p = y[2] - x[2];
    let w = dw * p;
    y[5] -= 0.5 * mu * dw.norm() * p * p;
    let mut out = answer(case, &y, c0, re);
    (out.u[0], out.u[1]) = (w[0], w[1]);
    Some(out)
}

/// Zero of a function that is ≤ 0 at 0 and ≥ 0 at h.
fn bisect(f: impl Fn(f64) -> f64, h: f64) -> f64 {
    let (mut lo, mut hi) = (0.0, h);
    for _ in 0..60 {
        let mid = 0.5 * (lo + hi);
        if f(mid) < 0.0 { lo = mid } else { hi = mid }
    }
    0.5 * (lo + hi)
}

/// Dormand & Prince 5(4); the error is relative to the tolerance.
fn step(f: &impl Fn(&State) -> State, x: &State, h: f64) -> (State, f64) {
    const A: [[f64; 6]; 6] = [
        [1.0 / 5.0, 0.0, 0.0, 0.0, 0.0, 0.0],
        [3.0 / 40.0, 9.0 / 40.0, 0.0, 0.0, 0.0, 0.0],
        [44.0 / 45.0, -56.0 / 15.0, 32.0 / 9.0, 0.0, 0.0, 0.0],
        [19372.0 / 6561.0, -25360.0 / 2187.0, 64448.0 / 6561.0, -212.0 / 729.0, 0.0, 0.0],
        [9017.0 / 3168.0, -355.0 / 33.0, 46732.0 / 5247.0, 49.0 / 176.0, -5103.0 / 18656.0, 0.0],
        [35.0 / 384.0, 0.0, 500.0 / 1113.0, 125.0 / 192.0, -2187.0 / 6784.0, 11.0 / 84.0],
    ];
    const E: [f64; 7] = [
        71.0 / 57600.0,
        0.0,
        -71.0 / 16695.0,
        71.0 / 1920.0,
        -17253.0 / 339200.0,
        22.0 / 525.0,
        -1.0 / 40.0,
    ];
    let mut k = [[0.0; 6]; 7];
    k[0] = f(x);
    let mut y = *x;
    for i in 0..6 {
        y = *x;
        for (j, a) in A[i].iter().enumerate().take(i + 1) {
            for n in 0..6 {
                y[n] += h * a * k[j][n];
            }
        }
        k[i + 1] = f(&y);
    }
    let mut worst = 0.0_f64;
    for n in 0..6 {
        let e: f64 = h * (0..7).map(|i| E[i] * k[i][n]).sum::<f64>();
        let size =
            if n < 2 { 1.0 } else { x[n].abs().max(y[n].abs()).max(h.abs() * k[0][n].abs()) };
        worst = worst.max(e.abs() / (TOLERANCE * size.max(1e-300)));
    }
    (y, worst)
}
