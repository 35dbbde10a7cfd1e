//! One contact in the principal axes of its tangential Delassus block.
//!
//! # Law
//! With K = [T k; kᵀ K_nn], T turned to diag(t₁, t₂):
//! ```text
//! stick     m = T⁻¹k,  ‖m‖ ≤ μs,  dpₜ/dpₙ = −m,  duₙ/dpₙ = κ = K_nn − k·m              (1)
//! onset     û = (γ + μT)⁻¹k with γ > 0 from ‖û‖ = 1                                    (2)
//! ```
//! (2): slip that starts from rest must leave along its own rate, k − μTû = γû. ‖(γ + μT)⁻¹k‖ falls monotonically
//! from ‖m‖/μ at γ = 0 to zero, so there is exactly one such direction if ‖m‖ > μ and none otherwise. It is stable:
//! the turning rate has the slope −γ − μ û⊥·Tû⊥ < 0.
//!
//! # Limits
//! K may be singular (a tangent along which nothing moves, fewer degrees of freedom than rows): an axis whose
//! stiffness and coupling are both below [`SINGULAR`] of the largest entry of K takes no part.
//!
//! # Tests
//! `eq1_stick`, `eq2_onset_direction` below.

use nalgebra::{Matrix3, Vector3};

/// Axes of T below this fraction of the largest entry of K, with a coupling below it too, count as absent.
pub const SINGULAR: f64 = crate::numeric::thresholds::hodograph::SINGULAR;

/// K in principal axes, and the friction coefficients.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Principal {
    /// Principal stiffnesses of T.
    pub t: [f64; 2],
    /// Coupling K_tn.
    pub k: [f64; 2],
    /// Normal stiffness K_nn.
    pub k_nn: f64,
    /// Dynamic friction.
    pub mu: f64,
    /// Static friction.
    pub mu_s: f64,
    /// T⁻¹k, friction per unit of normal impulse that holds the contact, up to sign.
    pub m: [f64; 2],
    /// duₙ/dpₙ while sticking.
    pub kappa: f64,
    /// Cosine and sine of the turn into the axes.
    turn: [f64; 2],
}

impl Principal {
    /// Turns K (tangents first) into the axes of T; `friction` is [μd, μs].
    pub fn new(K: &Matrix3<f64>, friction: [f64; 2]) -> Self {
        let (turn, t) = jacobi(K[(0, 0)], K[(0, 1)], K[(1, 1)]);
        let mut this = Self {
            t: t.map(|x| x.max(0.0)),
            k: rotate([K[(0, 2)], K[(1, 2)]], turn),
            k_nn: K[(2, 2)],
            mu: friction[0],
            mu_s: friction[1],
            m: [0.0; 2],
            kappa: 0.0,
            turn,
        };
        let tiny = SINGULAR * K.amax();
        for i in 0..2 {
            if this.t[i] <= tiny && this.k[i].abs() <= tiny {
                (this.t[i], this.k[i]) = (0.0, 0.0);
            } else {
                this.m[i] = this.k[i] / this.t[i];
            }
        }
        this.kappa = schur(&this);
        this
    }

    /// Into the principal axes.
    pub fn inward(&self, x: &Vector3<f64>) -> ([f64; 2], f64) {
        (rotate([x[0], x[1]], self.turn), x[2])
    }

    /// Out of the principal axes.
    pub fn outward(&self, x: [f64; 2], n: f64) -> Vector3<f64> {
        let [x, y] = rotate(x, [self.turn[0], -self.turn[1]]);
        Vector3::new(x, y, n)
    }

    /// Whether a contact at rest stays at rest, (1).
    pub fn sticks(&self) -> bool {
        self.m[0].hypot(self.m[1]) <= self.mu_s
    }

    /// Direction and growth rate γ of slip from rest, (2); only called if the contact does not stick.
    ///
    /// Newton's iteration on 1/‖û‖, which is concave, from the left: monotone, quadratic.
    pub fn onset(&self) -> ([f64; 2], f64) {
        let [d0, d1] = self.t.map(|t| self.mu * t);
        let k = self.k[0].hypot(self.k[1]);
        let mut gamma = (k - d0.max(d1)).max(0.0);
        for _ in 0..60 {
            let x = [ratio(self.k[0], gamma + d0), ratio(self.k[1], gamma + d1)];
            let norm = x[0].hypot(x[1]);
            if !norm.is_finite() {
                // γ = 0 on an axis without stiffness: any positive start is on the left of the root.
                gamma = f64::EPSILON * k;
                continue;
            }
            let slope = x[0] * ratio(x[0], gamma + d0) + x[1] * ratio(x[1], gamma + d1);
            let step = (norm - 1.0) * norm * norm / slope;
            gamma += step;
            if step.abs() <= 2.0 * f64::EPSILON * (gamma + d0.max(d1)) {
                break;
            }
        }
        let x = [ratio(self.k[0], gamma + d0), ratio(self.k[1], gamma + d1)];
        let norm = x[0].hypot(x[1]);
        (x.map(|x| x / norm), gamma)
    }
}

/// κ ≥ 0 of (1); below round-off it is zero: the contact is wedged.
fn schur(c: &Principal) -> f64 {
    let kappa = c.k_nn - c.k[0] * c.m[0] - c.k[1] * c.m[1];
    if kappa > 8.0 * f64::EPSILON * c.k_nn { kappa } else { 0.0 }
}

/// a/b, but 0/0 = 0.
fn ratio(a: f64, b: f64) -> f64 {
    if a == 0.0 { 0.0 } else { a / b }
}

/// [c s; −s c] x.
fn rotate(x: [f64; 2], [c, s]: [f64; 2]) -> [f64; 2] {
    [c * x[0] + s * x[1], c * x[1] - s * x[0]]
}

/// Turn (cosine, sine) and eigenvalues of [a b; b d]; no turn at all if b = 0.
fn jacobi(a: f64, b: f64, d: f64) -> ([f64; 2], [f64; 2]) {
    if b == 0.0 {
        return ([1.0, 0.0], [a, d]);
    }
    let tau = (d - a) / (2.0 * b);
    let tan = -tau.signum() / (tau.abs() + tau.hypot(1.0));
    let cos = 1.0 / tan.hypot(1.0);
    ([cos, cos * tan], [a + tan * b, d - tan * b])
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sample() -> Matrix3<f64> {
        let A = Matrix3::new(1.0, 0.4, -0.3, 0.2, 0.7, 0.5, -0.6, 0.1, 0.9);
        A * A.transpose()
    }

    #[test]
    fn axes_are_principal() {
        let K = sample();
        let c = Principal::new(&K, [0.3, 0.3]);
        let e1 = c.outward([1.0, 0.0], 0.0);
        let e2 = c.outward([0.0, 1.0], 0.0);
        assert!((e1.dot(&(K * e1)) - c.t[0]).abs() < 1e-15);
        assert!((e2.dot(&(K * e2)) - c.t[1]).abs() < 1e-15);
        assert!(e1.dot(&(K * e2)).abs() < 1e-15);
        assert!((K * e1)[2] - c.k[0] < 1e-15);
    }

    #[test]
    fn eq1_stick() {
        let K = sample();
        let c = Principal::new(&K, [0.3, 0.3]);
        let rate = K * c.outward(c.m.map(|m| -m), 1.0);
        assert!(rate[0].abs() < 1e-15 && rate[1].abs() < 1e-15);
        assert!((rate[2] - c.kappa).abs() < 1e-15);
    }

    #[test]
    fn eq2_onset_direction() {
        let K = sample();
        for mu in [0.0, 1e-9, 0.1, 0.2] {
            let c = Principal::new(&K, [mu, mu]);
            assert!(!c.sticks());
            let (u, gamma) = c.onset();
            assert!(gamma > 0.0);
            for i in 0..2 {
                assert!((c.k[i] - mu * c.t[i] * u[i] - gamma * u[i]).abs() < 1e-15);
            }
        }
    }

    #[test]
    fn absent_axis() {
        let K = Matrix3::new(2.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 1.0);
        let c = Principal::new(&K, [0.1, 0.1]);
        assert_eq!(c.m, [0.5, 0.0]);
        assert_eq!(c.onset().0, [1.0, 0.0]);
        assert_eq!(c.kappa, 0.5);
    }
}
