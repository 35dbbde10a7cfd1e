//! Steps with curvature: on the constraints that are active, within a ball.
//!
//! # Law
//! With the active rows A d = −c, the Hessian W, the slope g and A Z = 0,
//! ```text
//! d = −A⁺ c + Z u,   u = argmax { (g − W A⁺c)·Z u + ½ uᵀ Zᵀ W Z u : ‖u‖ ≤ Δ }                 (5)
//! u = V (σ − Λ)⁻¹ Vᵀ p,   Zᵀ W Z = V Λ Vᵀ,   σ ≥ max(0, Λ),  σ = 0 inside of the ball
//! ```
//! Directions that are flat (turns and shifts that change nothing) get no step. For the program of a step,
//! which must be concave, W is replaced by its concave part on Z, Z V min(Λ, 0) Vᵀ Zᵀ (7).
//!
//! Tests: `tests/posture.rs`: `eq5_converges_fast`; beside the code.

use super::foothold::{Foothold, Ground};
use crate::error::AgilityError;
use crate::program::{ConicProgram, Pressed};
use crate::thresholds::newton::{APEX, AT_EDGE, FLAT, LEVEL, RANK};
use nalgebra::{DMatrix, DVector};

/// Active rows with their null space.
pub(super) struct Face {
    pseudo: DMatrix<f64>,
    values: DVector<f64>,
    /// Z.
    pub(super) null: DMatrix<f64>,
}

/// W on a face.
pub(super) struct Curve<'a> {
    face: &'a Face,
    W: &'a DMatrix<f64>,
    /// Λ, flat ones exactly zero.
    pub(super) values: DVector<f64>,
    vectors: DMatrix<f64>,
}

/// A step and the gain that the model predicts.
pub(super) struct CurvedStep {
    /// (dq, dx) in the user's units.
    pub(super) d: DVector<f64>,
    pub(super) gain: f64,
}

impl Face {
    /// The rows that a solution presses, apart from the box of the step.
    pub(super) fn new(
        here: &Foothold,
        ground: &Ground,
        program: &ConicProgram,
        pressed: &Pressed,
        radius: f64,
    ) -> Result<Self, AgilityError> {
        let mut rows: Vec<(DVector<f64>, f64)> = Vec::new();
        let scale = &ground.scale;
        let all = program.variables();
        for i in 0..all {
            let end = if pressed.bounds[i] > 0 { program.upper[i] } else { program.lower[i] };
            let kept = program.upper[i] <= program.lower[i];
            let own = end.abs() < radius * scale[i] * (1.0 - AT_EDGE);
            if kept || (pressed.bounds[i] != 0 && own) {
                let unit = DVector::from_fn(all, |j, _| if i == j { 1.0 } else { 0.0 });
                rows.push((unit, if kept { 0.0 } else { -end / scale[i] }));
            }
        }
        let scaled = |row: DVector<f64>| row.component_mul(scale);
        for i in 0..program.equalities.len() {
            rows.push((scaled(program.equalities.matrix.row(i).transpose()), 0.0));
        }
        for i in (0..program.inequalities.len()).filter(|&i| pressed.inequalities[i]) {
            let row = program.inequalities.matrix.row(i).transpose();
            rows.push((scaled(row), -program.inequalities.bound[i]));
        }
        let lambda = &here.at.force;
        let force = |r: usize| program.force_matrix.row(r).transpose();
        for (cone, _) in program.cones.iter().zip(&pressed.cones).filter(|(_, p)| **p) {
            let norm = cone.tangential(lambda);
            let apex = norm.max(lambda[cone.normal()]) <= APEX * lambda.amax();
            if apex || cone.tangents == 0 || cone.friction == 0.0 {
                rows.extend((cone.first..=cone.normal()).map(|r| (scaled(force(r)), lambda[r])));
                continue;
            }
            let mut row = force(cone.normal()) * -cone.friction;
            for r in cone.first..cone.normal() {
                row += force(r) * (lambda[r] / norm.max(f64::MIN_POSITIVE));
            }
            rows.push((scaled(row), cone.excess(lambda)));
        }
        let singular = AgilityError::Singular { what: "the matrix of active constraints" };
        Self::of(&rows, all).ok_or(singular)
    }

    /// A⁺ and Z; rows are brought to unit size first, so that the rank does not depend on their units.
    fn of(rows: &[(DVector<f64>, f64)], all: usize) -> Option<Self> {
        let mut A = DMatrix::zeros(rows.len().max(all), all);
        let mut values = DVector::zeros(rows.len().max(all));
        for (i, (row, value)) in rows.iter().enumerate() {
            let norm = row.norm();
            if norm > 0.0 {
                A.row_mut(i).copy_from(&(row.transpose() / norm));
                values[i] = value / norm;
            }
        }
        let svd = carom::numeric::svd(A)?;
        let (u, vt) = (svd.u?, svd.v_t?);
        let size = &svd.singular_values;
        let live: Vec<usize> = (0..all).filter(|&i| size[i] > RANK).collect();
        let dead: Vec<usize> = (0..all).filter(|&i| size[i] <= RANK).collect();
        let invert = DVector::from_iterator(live.len(), live.iter().map(|&i| 1.0 / size[i]));
        let pseudo = vt.select_rows(&live).transpose()
            * DMatrix::from_diagonal(&invert)
            * u.select_columns(&live).transpose();
        Some(Self { pseudo, values, null: vt.select_rows(&dead).transpose() })
    }
}

impl<'a> Curve<'a> {
    pub(super) fn new(face: &'a Face, W: &'a DMatrix<f64>) -> Self {
        let square = face.null.tr_mul(&(W * &face.null));
        if square.is_empty() {
            // A corner: nothing is left that could curve.
            return Self { face, W, values: DVector::zeros(0), vectors: square };
        }
        let eigen = square.symmetric_eigen();
        let flat = FLAT * eigen.eigenvalues.amax().max(1e-3 * W.amax());
        let values = eigen.eigenvalues.map(|v| if v.abs() <= flat { 0.0 } else { v });
        Self { face, W, values, vectors: eigen.eigenvectors }
    }

    /// Equation (7), in the user's units.
    pub(super) fn concave_part(&self, scale: &DVector<f64>) -> DMatrix<f64> {
        let basis = &self.face.null * &self.vectors;
        let half = &basis * DMatrix::from_diagonal(&self.values.map(|v| (-v).max(0.0).sqrt()));
        let inverse = DMatrix::from_diagonal(&scale.map(|s| 1.0 / s));
        let half = inverse * half;
        -(&half * half.transpose())
    }

    /// Equation (5).
    pub(super) fn step(&self, slope: &DVector<f64>, scale: &DVector<f64>, ball: f64) -> CurvedStep {
        let g = slope.component_mul(scale);
        let mut across = -(&self.face.pseudo * &self.face.values);
        let length = across.norm();
        if length > 0.8 * ball {
            across *= 0.8 * ball / length;
        }
        let left = (ball * ball - across.norm_squared()).max(0.0).sqrt();
        let mut p = self.vectors.tr_mul(&self.face.null.tr_mul(&(&g + self.W * &across)));
        let level = LEVEL * g.amax();
        p.iter_mut().for_each(|p| *p = if p.abs() <= level { 0.0 } else { *p });
        let u = within_ball(&self.values, &p, left);
        let d = across + &self.face.null * (&self.vectors * u);
        let gain = g.dot(&d) + 0.5 * d.dot(&(self.W * &d));
        CurvedStep { d: d.component_mul(scale), gain }
    }
}

/// argmax p·u + ½ Σ λ u² within a ball.
fn within_ball(values: &DVector<f64>, p: &DVector<f64>, radius: f64) -> DVector<f64> {
    if values.is_empty() || radius <= 0.0 {
        return DVector::zeros(values.len());
    }
    let at = |sigma: f64| p.zip_map(values, |p, v| if p == 0.0 { 0.0 } else { p / (sigma - v) });
    let top = values.max().max(0.0);
    let pulled = p.zip_map(values, |p, v| if p != 0.0 { v } else { f64::NEG_INFINITY }).max();
    let free = at(top);
    if pulled < top && free.norm() <= radius {
        // Nothing pulls along the most convex direction: leave the saddle to either side.
        let mut u = free;
        if top > 0.0 {
            let k = values.imax();
            u[k] = (radius * radius - u.norm_squared()).max(0.0).sqrt();
        }
        return u;
    }
    // ‖u(σ)‖ falls from infinity at the largest value that is pulled.
    let floor = pulled.max(0.0);
    let (mut low, mut high) = (floor, floor + p.norm() / radius);
    if floor == 0.0 && pulled < 0.0 && at(0.0).norm() <= radius {
        return at(0.0);
    }
    for _ in 0..100 {
        let middle = 0.5 * (low + high);
        if at(middle).norm() > radius { low = middle } else { high = middle }
    }
    at(high)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Against points on and inside of a circle.
    #[test]
    fn eq5_best_point_of_a_ball() {
        let cases = [
            ([-2.0, -1.0], [0.1, 0.2], 1.0),
            ([-2.0, -1.0], [3.0, 0.2], 0.5),
            ([1.0, -1.0], [0.3, 0.2], 0.7),
            ([1.0, -1.0], [0.0, 0.2], 0.7),
            ([0.0, -1.0], [0.4, 0.0], 0.3),
        ];
        for (values, p, radius) in cases {
            let values = DVector::from_row_slice(&values);
            let p = DVector::from_row_slice(&p);
            let model = |u: &DVector<f64>| p.dot(u) + 0.5 * u.component_mul(&values).dot(u);
            let found = within_ball(&values, &p, radius);
            assert!(found.norm() <= radius * (1.0 + 1e-9));
            for i in 0..360 {
                for r in [0.25, 0.5, 0.75, 1.0] {
                    let angle = f64::from(i).to_radians();
                    let other = DVector::from_row_slice(&[angle.cos(), angle.sin()]) * (r * radius);
                    assert!(model(&other) <= model(&found) + 1e-9, "{values} {p}");
                }
            }
        }
    }
}
