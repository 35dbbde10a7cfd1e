//! One contact: the numbered equations.

use carom::impact::Restitution;
use carom::impact::StageEvent;
use carom::impact::spatial::{Coefficients, SpatialImpact, resolve};
use nalgebra::{Matrix2, Matrix3, Vector2, Vector3};

use crate::brute;
use crate::random::{Case, Random, case};

/// How much the answer may feel a relative change of K: where κ is small, stick divides by it.
pub fn sensitivity(K: &Matrix3<f64>) -> f64 {
    let T = Matrix2::new(K[(0, 0)], K[(0, 1)], K[(1, 0)], K[(1, 1)]);
    let k = Vector2::new(K[(0, 2)], K[(1, 2)]);
    let m = T.lu().solve(&k).unwrap_or_default();
    let kappa = K.cholesky().map_or(0.0, |c| c.l()[(2, 2)].powi(2));
    K.amax() * (1.0 + m.norm_squared()) / kappa * (1.0 + T.norm_squared() / T.determinant())
}

fn solve(c: &Case) -> SpatialImpact {
    resolve(&c.K, &c.u, &c.c, None).unwrap_or_else(|e| panic!("{e:?} {c:?}"))
}

/// The integrator works to 1e-13 a step; what is left is its accumulated error, 1e-11, and the round-off of K times the
/// sensitivity.
#[test]
fn eq1_brute_force() {
    let mut rng = Random(1);
    let (mut recompressed, mut stuck) = (0, 0);
    for i in 0..1500 {
        let c = case(&mut rng, [3.0, 3.0, 30.0, 1e3][i % 4]);
        let b = brute::solve(&c).expect("brute force ends");
        let s = solve(&c);
        let tolerance = 1e-11 + 4.0 * f64::EPSILON * sensitivity(&c.K);
        let u = c.u.amax().max(s.velocity.amax());
        let w = b.w_c.abs() + b.work_n.abs() + b.work_f.abs();
        for (name, ours, theirs, scale) in [
            ("u1", s.velocity[0], b.u[0], u),
            ("u2", s.velocity[1], b.u[1], u),
            ("un", s.velocity[2], b.u[2], u),
            ("pn", s.impulse[2], b.p_n, b.p_n),
            ("Wn", s.normal_work, b.work_n, w),
            ("Wf", s.friction_work, b.work_f, w),
        ] {
            let d = (ours - theirs).abs() / scale;
            assert!(d < tolerance, "{i} {name} {d:e} > {tolerance:e}\n{c:?}\n{s:?}\n{b:?}");
        }
        recompressed += usize::from(b.recompressed);
        stuck += usize::from(s.sticks);
    }
    println!("{stuck} stick, {recompressed} compressed twice");
    assert!(stuck > 100 && recompressed > 0);
}

/// ln(r₁/r₀) = ∫ g/h dθ between the start and the end of compression, by Gauss quadrature of the closed form.
#[test]
fn eq2_hodograph() {
    let mut rng = Random(2);
    let mut checked = 0;
    for _ in 0..400 {
        let c = case(&mut rng, 3.0);
        let mut states = Vec::new();
        let mut record = |e: StageEvent, s: SpatialImpact| states.push((e, s.velocity));
        resolve(&c.K, &c.u, &c.c, Some(&mut record)).expect("resolves");
        let (first, second) = (states[0].1, states[1]);
        if second.0 != StageEvent::EndOfCompression {
            continue;
        }
        let angle = |u: &Vector3<f64>| u[1].atan2(u[0]);
        let (a, b) = (angle(&first), angle(&second.1));
        // Slip never circles, so the shorter way is the way, unless it is near half a turn.
        let turn =
            (b - a + 3.0 * std::f64::consts::PI) % std::f64::consts::TAU - std::f64::consts::PI;
        let rates = |t: f64| {
            let (u, v) = (Vector2::new(t.cos(), t.sin()), Vector2::new(-t.sin(), t.cos()));
            let x = c.K.fixed_view::<2, 1>(0, 2) - c.K.fixed_view::<2, 2>(0, 0) * u * c.c.friction;
            (u.dot(&x), v.dot(&x))
        };
        // The integrand is smooth only away from the roots of h.
        let least = (0..=100)
            .map(|i| rates(a + turn * i as f64 / 100.0).1.abs())
            .fold(f64::INFINITY, f64::min);
        if turn.abs() > 2.0 || least < 0.05 * rates(a).1.abs() || turn.abs() < 1e-3 {
            continue;
        }
        let n = 4000;
        let h = turn / n as f64;
        let simpson: f64 = (0..=n)
            .map(|i| {
                let (g, h) = rates(a + turn * i as f64 / n as f64);
                let weight = if i == 0 || i == n { 1.0 } else { 2.0 + 2.0 * (i % 2) as f64 };
                weight * g / h
            })
            .sum::<f64>()
            * h
            / 3.0;
        let r = |u: &Vector3<f64>| u[0].hypot(u[1]);
        let ln = (r(&second.1) / r(&first)).ln();
        assert!((ln - simpson).abs() < 1e-9 * (1.0 + ln.abs()), "{ln} {simpson} {c:?}");
        checked += 1;
    }
    assert!(checked > 100, "{checked}");
}

/// Two slips with the same K never separate in the metric T⁻¹, at equal pₙ.
#[test]
fn eq3_contraction() {
    let mut rng = Random(3);
    for _ in 0..300 {
        let mut c = case(&mut rng, 10.0);
        c.c.static_friction = c.c.friction;
        c.c.definition = Restitution::Kinetic;
        c.c.restitution = 0.0;
        let T = c.K.fixed_view::<2, 2>(0, 0).into_owned();
        let inverse = T.try_inverse().expect("regular");
        let other =
            Case { u: c.u + Vector3::new(1e-3 * rng.normal(), 1e-3 * rng.normal(), 0.0), ..c };
        let distance = |a: &Vector3<f64>, b: &Vector3<f64>| {
            let d = Vector2::new(a[0] - b[0], a[1] - b[1]);
            d.dot(&(inverse * d)).sqrt()
        };
        // Stop both at the same impulse: the kinetic definition with e = p/p_c − 1.
        let (a, b) = (solve(&c), solve(&other));
        let p = 1.5 * a.impulse[2].max(b.impulse[2]);
        let to = |c: &Case, p_c: f64| {
            let mut c = *c;
            c.c.restitution = p / p_c - 1.0;
            solve(&c)
        };
        let (a, b) = (to(&c, a.impulse[2]), to(&other, b.impulse[2]));
        if (a.impulse[2] - b.impulse[2]).abs() > 1e-12 * p {
            // One of them was compressed twice and went on.
            continue;
        }
        let (before, after) = (distance(&c.u, &other.u), distance(&a.velocity, &b.velocity));
        let round = 1e-13 * c.u.amax().max(a.velocity.amax()) * inverse.norm().sqrt();
        assert!(after <= before + round, "{before:e} {after:e} {c:?}");
    }
}

fn at_rest(rng: &mut Random, sticks: bool) -> Case {
    let mut c = case(rng, 3.0);
    (c.u[0], c.u[1]) = (0.0, 0.0);
    let T = c.K.fixed_view::<2, 2>(0, 0).into_owned();
    let m = T.lu().solve(&c.K.fixed_view::<2, 1>(0, 2).into_owned()).expect("regular").norm();
    c.c.friction = m * if sticks { rng.uniform(1.01, 2.0) } else { rng.uniform(0.0, 0.99) };
    c.c.static_friction = c.c.friction;
    c
}

#[test]
fn eq4_stick() {
    let mut rng = Random(4);
    for _ in 0..200 {
        let c = at_rest(&mut rng, true);
        let s = solve(&c);
        assert!(s.sticks && s.velocity[0] == 0.0 && s.velocity[1] == 0.0 && s.friction_work == 0.0);
        let u = c.u + c.K * s.impulse;
        assert!((u - s.velocity).amax() < 1e-13 * sensitivity(&c.K) * c.u.amax());
    }
}

/// Slip from rest keeps its direction, which is that of its own rate.
#[test]
fn eq5_onset() {
    let mut rng = Random(5);
    for _ in 0..200 {
        let c = at_rest(&mut rng, false);
        let s = solve(&c);
        assert!(!s.sticks);
        let w = Vector2::new(s.velocity[0], s.velocity[1]);
        let p = Vector2::new(s.impulse[0], s.impulse[1]);
        let opposite = p + w / w.norm() * c.c.friction * s.impulse[2];
        assert!(opposite.norm() < 1e-12 * s.impulse[2], "{c:?} {s:?}");
        let u = c.u + c.K * s.impulse;
        assert!((u - s.velocity).amax() < 1e-12 * c.u.amax().max(s.velocity.amax()), "{c:?}");
    }
}

/// The three definitions hold exactly, also for tiny e.
#[test]
fn eq9_to_eq12_phases() {
    let mut rng = Random(6);
    for i in 0..3000 {
        let mut c = case(&mut rng, 10.0);
        if i % 5 == 0 {
            c.c.restitution = rng.log(1e-9, 1.0);
        }
        let (s, e) = (solve(&c), c.c.restitution);
        let (w_c, p_c) = (s.compression_work, s.compression_impulse);
        assert!(w_c < 0.0 && p_c > 0.0);
        match c.c.definition {
            Restitution::Kinematic => assert_eq!(s.velocity[2], -e * c.u[2]),
            Restitution::Kinetic => {
                assert!(
                    (s.impulse[2] - p_c - e * p_c).abs() <= 4e-15 * s.impulse[2],
                    "{c:?} {s:?}"
                );
            }
            Restitution::Energetic => {
                let miss = (s.normal_work - w_c + e * e * w_c).abs();
                assert!(miss <= 1e-14 * w_c.abs(), "{miss:e} {c:?} {s:?}");
                assert!(s.normal_work + s.friction_work <= 0.0);
            }
        }
        assert!(s.velocity[2] >= 0.0);
    }
}

/// Tiny energetic coefficients keep their digits: uₙ⁺ is proportional to e once slip no longer changes.
#[test]
fn tiny_restitution_is_resolved() {
    let K = Matrix3::new(1.0, 0.2, 0.3, 0.2, 0.8, -0.4, 0.3, -0.4, 2.0);
    let u = Vector3::new(1.0, 0.5, -1.0);
    let rebound = |e: f64| {
        let c = Coefficients {
            friction: 0.4,
            static_friction: 0.4,
            restitution: e,
            definition: Restitution::Energetic,
        };
        resolve(&K, &u, &c, None).expect("resolves").velocity[2] / e
    };
    assert!((rebound(1e-9) / rebound(1e-8) - 1.0).abs() < 1e-7);
    assert!((rebound(1e-12) / rebound(1e-9) - 1.0).abs() < 1e-8);
}
