//! The scaling point of Nesterov and Todd for half-lines and cones of three dimensions.
//!
//! ```text
//! W z = W⁻¹ s = λ                                                                (1)
//! half-line:  w = √(s/z)
//! cone:       W = β (2 v vᵀ − J),  β⁴ = (s·Js)/(z·Jz),  J = diag(1, −1, −1),
//!             v = (w̄ + e)/√(2 (w̄₀ + 1)),  w̄ = (s̄ + J z̄)/(2γ),  γ² = (1 + s̄·z̄)/2   (2)
//! ```
//! with s̄ and z̄ divided by √(s·Js) and √(z·Jz). s∘z = (s·z, s₀ z₁ + z₀ s₁) is the product of the cone.
//!
//! Tests: beside the code.

use nalgebra::{DMatrix, DVector, Matrix3, Vector3};

/// Sizes of the parts of s and z: half-lines first, then cones of three rows each.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Parts {
    pub(super) lines: usize,
    pub(super) cones: usize,
}

impl Parts {
    pub(super) fn rows(&self) -> usize {
        self.lines + 3 * self.cones
    }

    /// Degree of complementarity: what s·z is divided by.
    pub(super) fn degree(&self) -> f64 {
        (self.lines + self.cones) as f64
    }

    fn cone(&self, i: usize) -> usize {
        self.lines + 3 * i
    }

    /// The neutral element of the product.
    pub(super) fn unit(&self) -> DVector<f64> {
        let first = |r: usize| r < self.lines || (r - self.lines).is_multiple_of(3);
        DVector::from_fn(self.rows(), |r, _| if first(r) { 1.0 } else { 0.0 })
    }

    /// Move a point at least `room` into the interior.
    pub(super) fn inside(&self, s: &mut DVector<f64>, room: f64) {
        for i in 0..self.lines {
            s[i] = s[i].max(room);
        }
        for i in 0..self.cones {
            let r = self.cone(i);
            s[r] = s[r].max(s[r + 1].hypot(s[r + 2]) + room);
        }
    }

    /// s∘z.
    pub(super) fn product(&self, s: &DVector<f64>, z: &DVector<f64>) -> DVector<f64> {
        let mut out = s.component_mul(z);
        for i in 0..self.cones {
            let r = self.cone(i);
            let (a, b) = (three(s, r), three(z, r));
            out[r] = a.dot(&b);
            out[r + 1] = a.x * b.y + b.x * a.y;
            out[r + 2] = a.x * b.z + b.x * a.z;
        }
        out
    }

    /// u with λ∘u = d.
    pub(super) fn divide(&self, lambda: &DVector<f64>, d: &DVector<f64>) -> DVector<f64> {
        let mut out = DVector::zeros(self.rows());
        for i in 0..self.lines {
            out[i] = d[i] / lambda[i];
        }
        for i in 0..self.cones {
            let r = self.cone(i);
            let (l, d) = (three(lambda, r), three(d, r));
            let first = (l.x * d.x - l.y * d.y - l.z * d.z) / form(&l);
            out[r] = first;
            out[r + 1] = (d.y - first * l.y) / l.x;
            out[r + 2] = (d.z - first * l.z) / l.x;
        }
        out
    }

    /// The longest step from s along ds that stays inside, at most 1/`cap`.
    pub(super) fn longest(&self, s: &DVector<f64>, ds: &DVector<f64>, cap: f64) -> f64 {
        let mut inverse = cap;
        for i in 0..self.lines {
            inverse = inverse.max(-ds[i] / s[i]);
        }
        for i in 0..self.cones {
            let r = self.cone(i);
            inverse = inverse.max(1.0 / cone_step(&three(s, r), &three(ds, r)));
        }
        1.0 / inverse
    }
}

fn three(v: &DVector<f64>, r: usize) -> Vector3<f64> {
    Vector3::new(v[r], v[r + 1], v[r + 2])
}

/// x·Jx, by factors, so that points near the edge keep their digits.
fn form(x: &Vector3<f64>) -> f64 {
    let edge = x.y.hypot(x.z);
    (x.x - edge) * (x.x + edge)
}

/// The first α > 0 at which s + α d meets the edge of the cone.
fn cone_step(s: &Vector3<f64>, d: &Vector3<f64>) -> f64 {
    let (a, c) = (form(d), form(s));
    let b = s.x * d.x - s.y * d.y - s.z * d.z;
    let root = (b * b - a * c).max(0.0).sqrt();
    // Roots of c + 2bα + aα²; the form without cancellation.
    let q = if b >= 0.0 { -(b + root) } else { root - b };
    let candidates = [q / a, c / q];
    let ahead = |t: &&f64| t.is_finite() && **t > 0.0;
    let first = candidates.iter().filter(ahead).fold(f64::INFINITY, |m, t| m.min(*t));
    // The lower nappe does not count: s₀ + α d₀ must stay positive.
    let apex = if d.x < 0.0 { -s.x / d.x } else { f64::INFINITY };
    first.min(apex)
}

/// W for all parts.
#[derive(Debug, Clone)]
pub(super) struct Scaling {
    parts: Parts,
    lines: DVector<f64>,
    cones: Vec<[Matrix3<f64>; 2]>,
    /// λ of equation (1).
    pub(super) lambda: DVector<f64>,
}

impl Scaling {
    /// W of equation (1); `None` if s or z has left the interior.
    pub(super) fn new(parts: Parts, s: &DVector<f64>, z: &DVector<f64>) -> Option<Self> {
        let lines = DVector::from_fn(parts.lines, |i, _| (s[i] / z[i]).sqrt());
        let cones: Option<Vec<_>> = (0..parts.cones)
            .map(|i| cone_pair(three(s, parts.cone(i)), three(z, parts.cone(i))))
            .collect();
        let mut scaling = Self { parts, lines, cones: cones?, lambda: DVector::zeros(0) };
        scaling.lambda = scaling.apply(z, false);
        let good = scaling.lambda.iter().all(|x| x.is_finite());
        good.then_some(scaling)
    }

    /// W x, or W⁻¹ x.
    pub(super) fn apply(&self, x: &DVector<f64>, inverse: bool) -> DVector<f64> {
        let mut out = x.clone();
        for i in 0..self.parts.lines {
            out[i] = if inverse { x[i] / self.lines[i] } else { x[i] * self.lines[i] };
        }
        for (i, pair) in self.cones.iter().enumerate() {
            let r = self.parts.cone(i);
            let y = pair[usize::from(inverse)] * three(x, r);
            out.rows_mut(r, 3).copy_from(&y);
        }
        out
    }

    /// W⁻¹ G, row by row.
    pub(super) fn divide_rows(&self, G: &DMatrix<f64>) -> DMatrix<f64> {
        let mut out = G.clone();
        for i in 0..self.parts.lines {
            out.row_mut(i).scale_mut(1.0 / self.lines[i]);
        }
        for (i, pair) in self.cones.iter().enumerate() {
            let r = self.parts.cone(i);
            out.rows_mut(r, 3).copy_from(&(pair[1] * G.rows(r, 3)));
        }
        out
    }
}

/// W and W⁻¹ of a cone, equation (2).
fn cone_pair(s: Vector3<f64>, z: Vector3<f64>) -> Option<[Matrix3<f64>; 2]> {
    let (ss, zz) = (form(&s), form(&z));
    if !(ss > 0.0 && zz > 0.0) {
        return None;
    }
    let J = Matrix3::from_diagonal(&Vector3::new(1.0, -1.0, -1.0));
    let (s, z) = (s / ss.sqrt(), z / zz.sqrt());
    let gamma = (0.5 * (1.0 + s.dot(&z))).sqrt();
    let w = (s + J * z) / (2.0 * gamma);
    let v = (w + Vector3::x()) / (2.0 * (w.x + 1.0)).sqrt();
    let beta = (ss / zz).powf(0.25);
    let W = (v * v.transpose() * 2.0 - J) * beta;
    let u = J * v;
    Some([W, (u * u.transpose() * 2.0 - J) / beta])
}

#[cfg(test)]
mod tests {
    use super::*;

    fn points() -> (Parts, DVector<f64>, DVector<f64>) {
        let s = DVector::from_vec(vec![0.3, 2.0, 1.5, 0.9, -1.0, 4.0, 0.1, 3.9]);
        let z = DVector::from_vec(vec![5.0, 0.01, 0.8, -0.5, 0.6, 1e-3, 2e-4, -9e-4]);
        (Parts { lines: 2, cones: 2 }, s, z)
    }

    #[test]
    fn eq1_one_point_seen_from_both_sides() {
        let (parts, s, z) = points();
        let scaling = Scaling::new(parts, &s, &z).unwrap();
        let other = scaling.apply(&s, true);
        assert!((&scaling.lambda - &other).amax() < 1e-12 * scaling.lambda.amax());
        // eq. (2): W and W⁻¹ undo one another.
        let back = scaling.apply(&scaling.apply(&s, false), true);
        assert!((back - &s).amax() < 1e-12 * s.amax());
        assert!((scaling.lambda.norm_squared() - s.dot(&z)).abs() < 1e-12 * s.dot(&z));
    }

    #[test]
    fn products_and_steps() {
        let (parts, s, z) = points();
        let d = parts.product(&s, &z);
        assert!((parts.divide(&s, &d) - &z).amax() < 1e-12);
        assert!((parts.product(&s, &parts.unit()) - &s).amax() < 1e-15);
        let ds = DVector::from_vec(vec![-0.1, 1.0, -1.0, 0.3, 0.2, -1.0, 0.0, 0.5]);
        let t = parts.longest(&s, &ds, 1e-6);
        let least = |t: f64| {
            let x = &s + &ds * t;
            let cones = (0..2).map(|i| {
                let c = three(&x, 2 + 3 * i);
                c.x - c.y.hypot(c.z)
            });
            cones.chain([x[0], x[1]]).fold(f64::INFINITY, f64::min)
        };
        assert!(least(t * (1.0 - 1e-9)) > 0.0 && least(t * (1.0 + 1e-9)) < 0.0);
    }
}
