//! Ball with spin: one impact with friction by hand. K_tt = 7/(2m), K_tn = 0: the slip keeps its
//! direction and stops if |u| < 7/2 μ (1 + e) |uₙ|. Then Δv = −2/7 u along the floor and the spin
//! about the horizontal axis changes by 5/7 u/r; e = 1 keeps the normal speed.

use super::support::{G, jumps, run_named};
use nalgebra::{Quaternion, UnitQuaternion, Vector3};

const R: f64 = 0.025;
/// rtol of the scene.
const RTOL: f64 = 1e-10;

#[test]
fn the_first_impact_grips_and_the_others_roll() {
    let run = run_named("superball.toml", &[]);
    let impacts = jumps(&run);
    let first = (2.0 * 0.5 / G).sqrt();
    assert!((impacts[0].t - first).abs() < 1e-13);
    let v = Vector3::new(1.0, 0.5, -G * first);
    let w = Vector3::new(20.0, -60.0, 15.0);
    let down = Vector3::new(0.0, 0.0, -R);
    let slip = v + w.cross(&down);
    let u = Vector3::new(slip.x, slip.y, 0.0);
    assert!(u.norm() < 3.5 * 0.6 * 2.0 * v.z.abs(), "it grips");
    let v_after = Vector3::new(v.x, v.y, -v.z) - u * (2.0 / 7.0);
    let p = -u * (0.05 * 2.0 / 7.0);
    let w_after = w + down.cross(&p) / (0.4 * 0.05 * R * R);
    // The spin of a free body is stated along its own axes.
    let part = &impacts[0].q[3..];
    let turn = Quaternion::new(part[0], part[1], part[2], part[3]);
    let mut got = impacts[0].v_post.clone();
    let spin = UnitQuaternion::from_quaternion(turn) * Vector3::new(got[3], got[4], got[5]);
    got[3..].copy_from_slice(spin.as_slice());
    // The spin turns with the body, whose orientation is integrated: rtol of the scene.
    let close =
        |a: Vector3<f64>, b: &[f64], scale: f64| (0..3).all(|i| (a[i] - b[i]).abs() < RTOL * scale);
    assert!(close(v_after, &got[..3], v.norm()), "{v_after} {got:?}");
    assert!(close(w_after, &got[3..], w.norm()), "{w_after} {got:?}");
    assert!((v_after + w_after.cross(&down)).xy().norm() < 1e-13, "no slip left");
    // Energy of the slip: half of the reduced mass 2m/7 times u².
    let lost = 0.5 * 0.05 * (2.0 / 7.0) * u.norm_squared();
    assert!((impacts[0].energy_lost() - lost).abs() < RTOL * lost);
    // From then on equal flights without loss.
    assert_eq!(impacts.len(), 5);
    for (k, impact) in impacts.iter().enumerate().skip(1) {
        assert!((impact.t - first * (2.0 * k as f64 + 1.0)).abs() < 1e-10, "bounce {k}");
        assert!(impact.energy_lost().abs() < RTOL * lost);
    }
}
