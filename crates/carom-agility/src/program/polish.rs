//! Newton's method on the optimality conditions of the active constraints.
//!
//! ```text
//! c − Σ y a − Σ s ∇φ = 0,   a·x = b,   φ(x) = ‖λₜ‖ − μ λₙ = 0               (1)
//! ∇φ = Fₜᵀ t̂ − μ Fₙᵀ,   ∇²φ = Fₜᵀ (1 − t̂ t̂ᵀ) Fₜ/‖λₜ‖                       (2)
//! ```
//! Active are the rows of the last basis; half-spaces of a cone that is not at its apex stand for the
//! cone itself. The result is taken only if it is feasible and its multipliers have their signs.

use super::cuts::{force_size, worst_cone};
use super::error::Participant;
use super::scaled::Scaled;
use super::simplex::{Active, Simplex};
use crate::thresholds::polish::{APEX, PIVOT, RANK, ROUND_OFF, SIGN};
use carom::complementarity::MinNorm;
use nalgebra::{DMatrix, DVector};

/// Newton steps; convergence is quadratic from a violation of 1e-7.
const STEPS: usize = 8;

/// x and multipliers in scaled units.
#[derive(Debug, Clone)]
pub(super) struct Polished {
    pub(super) x: DVector<f64>,
    /// One per row of the scaled program.
    pub(super) rows: DVector<f64>,
    /// One per row of λ.
    pub(super) forces: DVector<f64>,
}

impl Polished {
    pub(super) fn empty(scaled: &Scaled) -> Self {
        Self {
            x: DVector::zeros(scaled.objective.len()),
            rows: DVector::zeros(scaled.rows.len()),
            forces: DVector::zeros(scaled.force_offset.len()),
        }
    }

    /// Count the multiplier `y` of row `i`; that of a half-space belongs to its cone.
    pub(super) fn add_row(&mut self, scaled: &Scaled, i: usize, y: f64) {
        let row = &scaled.rows[i];
        let Participant::Cone(c) = row.source else {
            self.rows[i] += y;
            return;
        };
        let cone = scaled.cones[c];
        let y = y / row.size;
        let bare = row.direction == [0.0, 0.0];
        self.forces[cone.normal()] += y * if bare { 1.0 } else { cone.friction };
        for k in 0..cone.tangents {
            self.forces[cone.first + k] -= y * row.direction[k];
        }
    }
}

/// The active constraints and the unknowns (x, y, s).
struct Conditions<'a> {
    scaled: &'a Scaled,
    linear: Vec<Active>,
    cones: Vec<usize>,
    unknowns: DVector<f64>,
}

/// The solution to round-off, if the active constraints determine it.
pub(super) fn polish(scaled: &Scaled, simplex: &Simplex) -> Option<Polished> {
    let mut conditions = Conditions::of(scaled, simplex);
    if conditions.cones.is_empty() {
        return None;
    }
    let mut last = f64::INFINITY;
    for _ in 0..STEPS {
        let (residual, jacobian) = conditions.evaluate();
        let size = residual.amax();
        if size <= ROUND_OFF * 0.01 || (size <= 100.0 * ROUND_OFF && size >= 0.5 * last) {
            break;
        }
        last = size;
        conditions.unknowns -= solve(jacobian, &residual)?;
    }
    conditions.accept()
}

/// Regular systems by LU, others with the least change.
fn solve(jacobian: DMatrix<f64>, residual: &DVector<f64>) -> Option<DVector<f64>> {
    let lu = jacobian.clone().lu();
    let diagonal = lu.u().diagonal();
    if diagonal.iter().all(|u| u.abs() > PIVOT) {
        return lu.solve(residual);
    }
    let n = residual.len();
    let mut least = MinNorm::with_capacity(n);
    least.reset(n, n);
    for i in 0..n {
        least.set_rhs(i, residual[i]);
        for j in 0..n {
            least.set(i, j, jacobian[(i, j)]);
        }
    }
    Some(DVector::from_column_slice(least.solve(RANK)))
}

impl<'a> Conditions<'a> {
    fn of(scaled: &'a Scaled, simplex: &Simplex) -> Self {
        let lambda = scaled.forces(&simplex.x);
        let apex = APEX * force_size(scaled, &lambda);
        let mut linear = Vec::new();
        let mut y = Vec::new();
        let mut cones: Vec<usize> = Vec::new();
        let mut s: Vec<f64> = Vec::new();
        for (&active, &multiplier) in simplex.basis.iter().zip(&simplex.y) {
            match round(scaled, active).filter(|&c| lambda[scaled.cones[c].normal()] > apex) {
                None => {
                    linear.push(active);
                    y.push(multiplier);
                }
                Some(c) => {
                    let Active::Row(i, _) = active else { continue };
                    let share = multiplier / scaled.rows[i].size;
                    match cones.iter().position(|&k| k == c) {
                        Some(at) => s[at] += share,
                        None => {
                            cones.push(c);
                            s.push(share);
                        }
                    }
                }
            }
        }
        let unknowns = simplex.x.iter().copied().chain(y).chain(s).collect::<Vec<f64>>();
        Self { scaled, linear, cones, unknowns: DVector::from_vec(unknowns) }
    }

    /// Residual of (1) and its derivative.
    fn evaluate(&self) -> (DVector<f64>, DMatrix<f64>) {
        let n = self.scaled.objective.len();
        let (k1, total) = (self.linear.len(), self.unknowns.len());
        let x = self.unknowns.rows(0, n).into_owned();
        let lambda = self.scaled.forces(&x);
        let mut residual = DVector::zeros(total);
        let mut jacobian = DMatrix::zeros(total, total);
        residual.rows_mut(0, n).copy_from(&self.scaled.objective);
        for (k, &active) in self.linear.iter().enumerate() {
            let (a, b) = row(self.scaled, active);
            self.bind(n + k, &a, a.dot(&x) - b, &mut residual, &mut jacobian);
        }
        for (k, &c) in self.cones.iter().enumerate() {
            let cone = self.scaled.cones[c];
            let F_t = self.scaled.force_matrix.rows(cone.first, cone.tangents);
            let norm = cone.tangential(&lambda).max(f64::MIN_POSITIVE);
            let t = lambda.rows(cone.first, cone.tangents) / norm;
            let normal = self.scaled.force_matrix.row(cone.normal()).transpose();
            let slope = F_t.tr_mul(&t) - normal * cone.friction;
            self.bind(n + k1 + k, &slope, cone.excess(&lambda), &mut residual, &mut jacobian);
            let across = DMatrix::identity(cone.tangents, cone.tangents) - &t * t.transpose();
            let bend = F_t.tr_mul(&(across * F_t)) * (self.unknowns[n + k1 + k] / norm);
            let mut corner = jacobian.view_mut((0, 0), (n, n));
            corner -= bend;
        }
        (residual, jacobian)
    }

    /// One active constraint with its multiplier at `at`.
    fn bind(
        &self,
        at: usize,
        slope: &DVector<f64>,
        value: f64,
        residual: &mut DVector<f64>,
        jacobian: &mut DMatrix<f64>,
    ) {
        let n = slope.len();
        residual.rows_mut(0, n).axpy(-self.unknowns[at], slope, 1.0);
        residual[at] = value;
        jacobian.view_mut((0, at), (n, 1)).copy_from(&-slope);
        jacobian.view_mut((at, 0), (1, n)).copy_from(&slope.transpose());
    }

    /// The result, if it is feasible, stationary and has multipliers of the right sign.
    fn accept(&self) -> Option<Polished> {
        let n = self.scaled.objective.len();
        let (residual, _) = self.evaluate();
        let mut found = Polished::empty(self.scaled);
        found.x.copy_from(&self.unknowns.rows(0, n));
        let y = &self.unknowns.as_slice()[n..];
        let signs = y.iter().enumerate().all(|(k, &y)| {
            let free = matches!(self.linear.get(k), Some(&Active::Row(i, _)) if self.scaled.rows[i].equality);
            free || y > -SIGN
        });
        let good = residual.iter().all(|r| r.abs() < 100.0 * ROUND_OFF)
            && signs
            && excess(self.scaled, &found.x) < 100.0 * ROUND_OFF
            && worst_cone(self.scaled, &found.x) < 100.0 * ROUND_OFF;
        if !good {
            return None;
        }
        self.share(&mut found);
        Some(found)
    }

    /// Multipliers of the rows and cones.
    fn share(&self, found: &mut Polished) {
        let n = self.scaled.objective.len();
        let k1 = self.linear.len();
        for (k, &active) in self.linear.iter().enumerate() {
            if let Active::Row(i, sign) = active {
                found.add_row(self.scaled, i, sign * self.unknowns[n + k]);
            }
        }
        let lambda = self.scaled.forces(&found.x);
        for (k, &c) in self.cones.iter().enumerate() {
            let cone = self.scaled.cones[c];
            let s = self.unknowns[n + k1 + k];
            let norm = cone.tangential(&lambda).max(f64::MIN_POSITIVE);
            for r in cone.first..cone.normal() {
                found.forces[r] -= s * lambda[r] / norm;
            }
            found.forces[cone.normal()] += s * cone.friction;
        }
    }
}

/// The cone of two tangents with friction that a half-space belongs to.
fn round(scaled: &Scaled, active: Active) -> Option<usize> {
    let Active::Row(i, _) = active else { return None };
    let Participant::Cone(c) = scaled.rows[i].source else { return None };
    (scaled.cones[c].tangents == 2 && scaled.cones[c].friction > 0.0).then_some(c)
}

/// Normal and bound of an active row.
fn row(scaled: &Scaled, active: Active) -> (DVector<f64>, f64) {
    let unit = |j: usize, value: f64| {
        let mut a = DVector::zeros(scaled.objective.len());
        a[j] = value;
        a
    };
    match active {
        Active::Upper(j) => (unit(j, 1.0), scaled.upper[j]),
        Active::Lower(j) => (unit(j, -1.0), -scaled.lower[j]),
        Active::Row(i, sign) => (&scaled.rows[i].normal * sign, scaled.rows[i].bound * sign),
    }
}

/// Worst violation of a bound or a row that is no half-space of a round cone.
fn excess(scaled: &Scaled, x: &DVector<f64>) -> f64 {
    let mut worst = 0.0_f64;
    for j in 0..x.len() {
        worst = worst.max(x[j] - scaled.upper[j]).max(scaled.lower[j] - x[j]);
    }
    for (i, row) in scaled.rows.iter().enumerate() {
        if round(scaled, Active::Row(i, 1.0)).is_none() {
            let over = row.normal.dot(x) - row.bound;
            worst = worst.max(if row.equality { over.abs() } else { over });
        }
    }
    worst
}
