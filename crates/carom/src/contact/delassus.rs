//! Rows of contact Jacobians with their responses: G = J M⁻¹ Jᵀ and M⁻¹ Jᵀ λ.
//!
//! ```text
//! Y = W Jᵀ,   G = Yᵀ D⁻¹ Y,   M⁻¹ Jᵀ λ = Wᵀ D⁻¹ (Y λ)          (1)
//! ```
//! with W and D of [`crate::dynamics::response`]; each row costs one walk to the root.
//!
//! A sum a = J v + γ of a row is known to the round-off of its terms: where bodies move alike they cancel, and what is left
//! is no motion,
//! ```text
//! a = 0  where  |a| ≤ κ ε₀ (Σⱼ|Jⱼ vⱼ| + |γ|)                   (2)
//! ```
//! κ being [`ROUNDED`]. Without this two equal bodies that fall together and touch would be a Coulomb problem of noise.

use crate::dynamics::jacobian::add_point_row;
use crate::dynamics::loops::{LoopRow, Measure};
use crate::dynamics::response::{ResponseScratch, sweep_joint, sweep_outward, sweep_wrench};
use crate::dynamics::{Articulated, Kinematics};
use crate::model::{BodyId, Model};
use crate::numeric::thresholds::ROUNDED;
use crate::spatial::Force;
use nalgebra::{DMatrix, Vector3};

/// The mechanism at one instant, as rows need it.
#[derive(Debug, Clone, Copy)]
pub struct Instant<'a> {
    /// The mechanism.
    pub model: &'a Model,
    /// Poses and twists.
    pub kin: &'a Kinematics,
    /// Articulated inertias.
    pub art: &'a Articulated,
}

/// Rows of G that are summed at once.
const ABREAST: usize = 4;

/// Jacobian rows, each kept as a column of nv numbers, and their inward sweeps.
#[derive(Debug, Clone)]
pub struct RowBlock {
    nv: usize,
    J: Vec<f64>,
    Y: Vec<f64>,
    /// First and one past the last entry of each row that is not zero.
    spans: Vec<(usize, usize)>,
}

impl RowBlock {
    /// Room for `rows` rows of a model.
    pub fn with_capacity(model: &Model, rows: usize) -> Self {
        let nv = model.nv();
        Self {
            nv,
            J: Vec::with_capacity(nv * rows),
            Y: Vec::with_capacity(nv * rows),
            spans: Vec::with_capacity(rows),
        }
    }

    /// Number of rows.
    pub fn rows(&self) -> usize {
        self.spans.len()
    }

    /// Forget all rows.
    pub fn clear(&mut self) {
        self.J.clear();
        self.Y.clear();
        self.spans.clear();
    }

    /// The row of the velocity along `d` of the point `x` on `b` relative to that on `a`.
    pub fn push_direction(
        &mut self,
        at: &Instant<'_>,
        (a, b): (Option<BodyId>, Option<BodyId>),
        x: &Vector3<f64>,
        d: &Vector3<f64>,
    ) {
        let start = self.grow();
        for (body, sign) in [(a, -1.0), (b, 1.0)] {
            let Some(body) = body else { continue };
            add_point_row(at.model, at.kin, (body, x), d, sign, &mut self.J[start..]);
            let wrench = Force::new(Vector3::zeros(), d * sign);
            sweep_wrench(at.model, at.kin, at.art, (body, x, &wrench), &mut self.Y[start..]);
        }
        self.measure(start);
    }

    /// The row of an equation of a loop.
    pub fn push_loop(&mut self, at: &Instant<'_>, row: &LoopRow) {
        let start = self.grow();
        row.add_to(at.model, at.kin, &mut self.J[start..]);
        for (side, sign) in [(0, -1.0), (1, 1.0)] {
            let Some(body) = row.bodies[side] else { continue };
            let (x, wrench) = row.measure.wrench(side, sign);
            sweep_wrench(at.model, at.kin, at.art, (body, &x, &wrench), &mut self.Y[start..]);
        }
        self.measure(start);
    }

    /// The row of the angular velocity along `d` of `b` relative to `a`.
    pub fn push_turn(
        &mut self,
        at: &Instant<'_>,
        (a, b): (Option<BodyId>, Option<BodyId>),
        d: &Vector3<f64>,
    ) {
        let measure = Measure::Turn { d: *d };
        self.push_loop(at, &LoopRow { bodies: [a, b], measure, value: 0.0, size: 0.0, gamma: 0.0 });
    }

    /// The row Σ cᵢ vᵢ over a few degrees of freedom.
    pub fn push_combination(&mut self, at: &Instant<'_>, terms: &[(usize, f64)]) {
        let start = self.grow();
        for &(dof, coefficient) in terms {
            self.J[start + dof] += coefficient;
            sweep_joint(at.model, at.kin, at.art, (dof, coefficient), &mut self.Y[start..]);
        }
        self.measure(start);
    }

    /// The span of the row that begins at `start`.
    fn measure(&mut self, start: usize) {
        let filled = |i: &usize| self.J[*i] != 0.0 || self.Y[*i] != 0.0;
        let first = (start..start + self.nv).find(filled).map_or(0, |i| i - start);
        let last = (start..start + self.nv).rfind(filled).map_or(first, |i| i + 1 - start);
        self.spans.push((first, last));
    }

    fn grow(&mut self) -> usize {
        let start = self.J.len();
        self.J.resize(start + self.nv, 0.0);
        self.Y.resize(start + self.nv, 0.0);
        start
    }

    /// Row `i` of J.
    pub fn row(&self, i: usize) -> &[f64] {
        &self.J[i * self.nv..(i + 1) * self.nv]
    }

    /// Column `i` of Y, equation (1).
    pub fn inward(&self, i: usize) -> &[f64] {
        &self.Y[i * self.nv..(i + 1) * self.nv]
    }

    /// Row `i` of J times `v`.
    pub fn times(&self, i: usize, v: &[f64]) -> f64 {
        let (first, last) = self.spans[i];
        self.row(i)[first..last].iter().zip(&v[first..last]).map(|(j, v)| j * v).sum()
    }

    /// Size of the terms of row `i` of J times `v`: the scale of its round-off.
    pub fn size(&self, i: usize, v: &[f64]) -> f64 {
        let (first, last) = self.spans[i];
        self.row(i)[first..last].iter().zip(&v[first..last]).map(|(j, v)| (j * v).abs()).sum()
    }

    /// Row `i` of J times `v`, and `more`, equation (2).
    pub fn sum(&self, i: usize, v: &[f64], more: f64) -> f64 {
        let sum = self.times(i, v) + more;
        let round_off = ROUNDED * f64::EPSILON * (self.size(i, v) + more.abs());
        if sum.abs() <= round_off { 0.0 } else { sum }
    }

    /// G in the leading rows and columns, equation (1). Rows are taken four at a time, whose sums do not wait for each other.
    pub fn gram(&self, art: &Articulated, G: &mut DMatrix<f64>) {
        let mut i = 0;
        while i < self.rows() {
            let (first, last) = self.spans[i];
            let own = &self.inward(i)[first..last];
            let D_inv = &art.D_inv[first..last];
            let mut j = 0;
            while j <= i {
                let others: [usize; ABREAST] = std::array::from_fn(|k| (j + k).min(i));
                let mut sums = [0.0; ABREAST];
                let y = others.map(|other| &self.inward(other)[first..last]);
                for (at, (a, d)) in own.iter().zip(D_inv).enumerate() {
                    for (sum, y) in sums.iter_mut().zip(&y) {
                        *sum += a * y[at] * d;
                    }
                }
                for (&other, sum) in others.iter().zip(sums) {
                    (G[(i, other)], G[(other, i)]) = (sum, sum);
                }
                j += ABREAST;
            }
            i += 1;
        }
    }

    /// out = M⁻¹ Jᵀ λ, equation (1).
    pub fn response(
        &self,
        at: &Instant<'_>,
        lambda: &[f64],
        scratch: &mut ResponseScratch,
        out: &mut [f64],
    ) {
        out.fill(0.0);
        self.add_inward(lambda, out);
        sweep_outward(at.model, at.kin, at.art, scratch, out);
    }

    /// out += Y λ: the inward half of (1), for several blocks that share one outward sweep.
    pub fn add_inward(&self, lambda: &[f64], out: &mut [f64]) {
        for (i, &l) in lambda.iter().enumerate() {
            if l != 0.0 {
                let (first, last) = self.spans[i];
                let y = &self.Y[i * self.nv..(i + 1) * self.nv];
                out[first..last].iter_mut().zip(&y[first..last]).for_each(|(o, y)| *o += l * y);
            }
        }
    }
}
