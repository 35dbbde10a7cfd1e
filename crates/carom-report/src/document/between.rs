//! The state between two samples, for drawing.
//!
//! # Law
//! ```text
//! q(s) = h₀₀(s) q₀ + h₁₀(s) Δ q̇₀ + h₀₁(s) q₁ + h₁₁(s) Δ q̇₁,   s = (t − t₀)/Δ        (1)
//! v(s) from q̇(s), with ω = 2 Im(Q̄ ⊗ Q̇)/‖Q‖² for quaternions                       (2)
//! ```
//! with Hermite's cubics h; q̇ = N(q) v is known at both ends. Quaternions are made unit.
//!
//! # Limits
//! Exact for constant acceleration; otherwise the error is Δ⁴/384 · max|q⁗|, and closed contacts are
//! met to that error only. Two samples of one event have no time between them.
//!
//! # Tests
//! `eq1_eq2_exact_in_free_flight`, `eq1_fourth_order`.

use carom::dynamics::integrate::{coordinate_rate, normalize};
use carom::model::Model;
use carom::model::tree::LinkMotion;
use carom::spatial::rotation::multiply;
use nalgebra::Vector4;

/// One of two states: coordinates and velocities.
#[derive(Debug, Clone, Copy)]
pub(super) struct At<'a> {
    pub t: f64,
    pub q: &'a [f64],
    pub v: &'a [f64],
}

/// Scratch of the interpolation.
#[derive(Debug, Clone)]
pub(super) struct Between {
    start: Vec<f64>,
    end: Vec<f64>,
    rate: Vec<f64>,
}

impl Between {
    /// Room for a model.
    pub fn new(model: &Model) -> Self {
        let zero = vec![0.0; model.nq()];
        Self { start: zero.clone(), end: zero.clone(), rate: zero }
    }

    /// The state a fraction `s` of the way from `a` to `b`, equations (1) and (2).
    pub fn state(
        &mut self,
        model: &Model,
        (a, b, s): (At<'_>, At<'_>, f64),
        (q, v): (&mut [f64], &mut [f64]),
    ) {
        let step = b.t - a.t;
        coordinate_rate(model, a.q, a.v, &mut self.start);
        coordinate_rate(model, b.q, b.v, &mut self.end);
        let (s2, s3) = (s * s, s * s * s);
        let h = [2.0 * s3 - 3.0 * s2 + 1.0, s3 - 2.0 * s2 + s, 3.0 * s2 - 2.0 * s3, s3 - s2];
        let d = [6.0 * (s2 - s), 3.0 * s2 - 4.0 * s + 1.0, 6.0 * (s - s2), 3.0 * s2 - 2.0 * s];
        for i in 0..q.len() {
            let x = [a.q[i], step * self.start[i], b.q[i], step * self.end[i]];
            q[i] = (0..4).map(|k| h[k] * x[k]).sum();
            self.rate[i] = (0..4).map(|k| d[k] * x[k]).sum::<f64>() / step;
        }
        self.velocities(model, q, v);
        normalize(model, q);
    }

    /// v from q and q̇, equation (2).
    fn velocities(&self, model: &Model, q: &[f64], v: &mut [f64]) {
        for (v, place) in v.iter_mut().zip(model.q_of_v()) {
            if let Some(place) = place {
                *v = self.rate[*place];
            }
        }
        for link in &model.tree().links {
            let (at, turn) = match link.motion {
                LinkMotion::Ball => (link.q, link.v),
                LinkMotion::Free => (link.q + 3, link.v + 3),
                _ => continue,
            };
            let Q = Vector4::from_column_slice(&q[at..at + 4]);
            let rate = Vector4::from_column_slice(&self.rate[at..at + 4]);
            let back = Vector4::new(Q[0], -Q[1], -Q[2], -Q[3]);
            let w = multiply(&back, &rate) * (2.0 / Q.norm_squared());
            v[turn..turn + 3].copy_from_slice(&w.as_slice()[1..]);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use carom::spatial::rotation::{quaternion_exp, quaternion_log};
    use carom_scene::Scene;
    use nalgebra::Vector3;

    fn ball() -> Scene {
        let text = "[body.ball]\nmass = 1\nshape = { sphere = 0.1 }\nposition = [0, 0, 1]\n";
        Scene::parse(text, "ball.toml").unwrap()
    }

    /// A ball in flight that turns about one axis with a constant rate.
    fn flight(t: f64) -> (Vec<f64>, Vec<f64>) {
        let w = Vector3::new(0.3, -0.5, 0.8);
        let Q = quaternion_exp(&(w * t));
        let q = vec![t, 0.5 * t, 1.0 + 2.0 * t - 4.905 * t * t, Q[0], Q[1], Q[2], Q[3]];
        (q, vec![1.0, 0.5, 2.0 - 9.81 * t, w.x, w.y, w.z])
    }

    fn middle(step: f64) -> (Vec<f64>, Vec<f64>) {
        let scene = ball();
        let ((q0, v0), (q1, v1)) = (flight(0.1), flight(0.1 + step));
        let (mut q, mut v) = (vec![0.0; 7], vec![0.0; 6]);
        let a = At { t: 0.1, q: &q0, v: &v0 };
        let b = At { t: 0.1 + step, q: &q1, v: &v1 };
        Between::new(&scene.model).state(&scene.model, (a, b, 0.3), (&mut q, &mut v));
        (q, v)
    }

    #[test]
    fn eq1_eq2_exact_in_free_flight() {
        let (q, v) = middle(0.8);
        let (wanted_q, wanted_v) = flight(0.1 + 0.24);
        for i in 0..3 {
            assert!((q[i] - wanted_q[i]).abs() < 1e-14 && (v[i] - wanted_v[i]).abs() < 1e-14);
        }
        assert!((q[3..].iter().map(|x| x * x).sum::<f64>() - 1.0).abs() < 1e-15);
    }

    /// Half the step, a sixteenth of the error of the turn.
    #[test]
    fn eq1_fourth_order() {
        let error = |step: f64| {
            let (q, v) = middle(step);
            let (wanted, rates) = flight(0.1 + 0.3 * step);
            let (mut back, to) =
                (Vector4::from_column_slice(&wanted[3..]), Vector4::from_column_slice(&q[3..]));
            back = Vector4::new(back[0], -back[1], -back[2], -back[3]);
            let spin = (3..6).map(|i| (v[i] - rates[i]).abs()).fold(0.0, f64::max);
            (quaternion_log(&multiply(&back, &to)).norm(), spin)
        };
        let (coarse, fine) = (error(0.4), error(0.2));
        assert!((coarse.0 / fine.0).log2() > 3.8, "{coarse:?} {fine:?}");
        assert!((coarse.1 / fine.1).log2() > 2.8, "{coarse:?} {fine:?}");
    }
}
