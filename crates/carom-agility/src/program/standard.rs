//! A program as the interior-point method wants it: free variables of unit size, rows of unit norm, all
//! inequalities as slacks in half-lines and cones.

use super::certificate::Multipliers;
use super::error::ProgramError;
use super::interior::Pressed;
use super::nesterov_todd::Parts;
use super::problem::{Cone, ConicProgram};
use super::scaled::check;
use nalgebra::{DMatrix, DVector};

/// Where a row of half-lines comes from.
#[derive(Debug, Clone, Copy, PartialEq)]
enum Line {
    /// Upper bound of a free variable.
    Upper(usize),
    /// Lower bound of a free variable.
    Lower(usize),
    /// An inequality, divided by a size.
    Row(usize, f64),
    /// d λₜ − μ λₙ ≤ 0 of a cone without two tangents, divided by a size.
    Half(usize, f64, f64),
}

/// maximise c·x + ½ xᵀP x, E x = f, G x + s = h, s in half-lines and cones.
#[derive(Debug, Clone)]
pub(super) struct Standard {
    pub(super) objective: DVector<f64>,
    pub(super) curvature: DMatrix<f64>,
    pub(super) equal: DMatrix<f64>,
    pub(super) equal_bound: DVector<f64>,
    pub(super) rows: DMatrix<f64>,
    pub(super) bound: DVector<f64>,
    pub(super) parts: Parts,
    free: Vec<usize>,
    width: DVector<f64>,
    objective_size: f64,
    equal_from: Vec<(Equal, f64)>,
    lines: Vec<Line>,
    round: Vec<(usize, f64)>,
}

/// Where an equality comes from.
#[derive(Debug, Clone, Copy, PartialEq)]
enum Equal {
    /// An equality of the program.
    Row(usize),
    /// A tangential force without friction.
    Tangent(usize),
}

impl Standard {
    pub(super) fn new(
        program: &ConicProgram,
        curvature: Option<&DMatrix<f64>>,
    ) -> Result<Self, ProgramError> {
        check(program)?;
        let n = program.variables();
        let free: Vec<usize> = (0..n).filter(|&j| program.upper[j] > program.lower[j]).collect();
        let half = |&j: &usize| 0.5 * (program.upper[j] - program.lower[j]);
        let width = DVector::from_iterator(free.len(), free.iter().map(half));
        let k = free.len();
        let mut standard = Self {
            objective: DVector::zeros(k),
            curvature: DMatrix::zeros(k, k),
            equal: DMatrix::zeros(0, k),
            equal_bound: DVector::zeros(0),
            rows: DMatrix::zeros(0, k),
            bound: DVector::zeros(0),
            parts: Parts { lines: 0, cones: 0 },
            free,
            width,
            objective_size: 1.0,
            equal_from: Vec::new(),
            lines: Vec::new(),
            round: Vec::new(),
        };
        standard.set_objective(program, curvature);
        standard.set_rows(program);
        Ok(standard)
    }

    /// Variables at their only value, zero elsewhere.
    fn kept(&self, program: &ConicProgram) -> DVector<f64> {
        let mut kept = program.lower.clone();
        for &j in &self.free {
            kept[j] = 0.0;
        }
        kept
    }

    fn set_objective(&mut self, program: &ConicProgram, curvature: Option<&DMatrix<f64>>) {
        let mut slope = program.objective.clone();
        let k = self.free.len();
        if let Some(P) = curvature {
            slope += P * self.kept(program);
            let part = |a: usize, b: usize| {
                P[(self.free[a], self.free[b])] * self.width[a] * self.width[b]
            };
            self.curvature = DMatrix::from_fn(k, k, part);
        }
        self.objective = DVector::from_fn(k, |a, _| slope[self.free[a]] * self.width[a]);
        let size = self.objective.amax().max(self.curvature.amax());
        if size > 0.0 {
            self.objective_size = size;
            self.objective /= size;
            self.curvature /= size;
        }
    }

    /// The coefficients of the free variables in units of their widths.
    fn part(&self, row: &DVector<f64>) -> DVector<f64> {
        DVector::from_fn(self.free.len(), |a, _| row[self.free[a]] * self.width[a])
    }

    fn set_rows(&mut self, program: &ConicProgram) {
        let kept = self.kept(program);
        let mut equal: Vec<(DVector<f64>, f64)> = Vec::new();
        let mut lines: Vec<(DVector<f64>, f64)> = Vec::new();
        for i in 0..program.equalities.len() {
            let row = program.equalities.matrix.row(i).transpose();
            let right = program.equalities.bound[i] - row.dot(&kept);
            self.push_equal(Equal::Row(i), &row, right, &mut equal);
        }
        for (a, &j) in self.free.iter().enumerate() {
            let unit = DVector::from_fn(self.free.len(), |b, _| if a == b { 1.0 } else { 0.0 });
            lines.push((-&unit, -program.lower[j] / self.width[a]));
            lines.push((unit, program.upper[j] / self.width[a]));
            self.lines.extend([Line::Lower(a), Line::Upper(a)]);
        }
        for i in 0..program.inequalities.len() {
            let row = program.inequalities.matrix.row(i).transpose();
            let right = program.inequalities.bound[i] - row.dot(&kept);
            let (row, size) = unit(self.part(&row));
            self.lines.push(Line::Row(i, size));
            lines.push((row, right / size));
        }
        let offset = &program.force_offset + &program.force_matrix * &kept;
        let force = |r: usize| program.force_matrix.row(r).transpose();
        let mut round: Vec<(DVector<f64>, f64)> = Vec::new();
        for (i, cone) in program.cones.iter().enumerate() {
            if cone.tangents == 2 && cone.friction > 0.0 {
                self.push_round(i, cone, (&force, &offset), &mut round);
                continue;
            }
            let tangent = |k: usize| (force(cone.first + k), offset[cone.first + k]);
            let normal = (force(cone.normal()), offset[cone.normal()]);
            let signs: &[f64] =
                if cone.friction > 0.0 && cone.tangents == 1 { &[1.0, -1.0] } else { &[0.0] };
            if cone.friction == 0.0 {
                for k in 0..cone.tangents {
                    let (row, at) = tangent(k);
                    self.push_equal(Equal::Tangent(cone.first + k), &row, -at, &mut equal);
                }
            }
            for &sign in signs {
                let mu = if sign == 0.0 { 1.0 } else { cone.friction };
                let mut row = &normal.0 * -mu;
                let mut right = mu * normal.1;
                if sign != 0.0 {
                    let (t, at) = tangent(0);
                    row += t * sign;
                    right -= at * sign;
                }
                let (row, size) = unit(self.part(&row));
                self.lines.push(Line::Half(i, sign, size));
                lines.push((row, right / size));
            }
        }
        self.parts = Parts { lines: lines.len(), cones: round.len() / 3 };
        lines.extend(round);
        (self.equal, self.equal_bound) = stack(&equal, self.free.len());
        (self.rows, self.bound) = stack(&lines, self.free.len());
    }

    fn push_equal(
        &mut self,
        source: Equal,
        row: &DVector<f64>,
        right: f64,
        equal: &mut Vec<(DVector<f64>, f64)>,
    ) {
        let (row, size) = unit(self.part(row));
        if row.amax() > 0.0 {
            equal.push((row, right / size));
            self.equal_from.push((source, size));
        }
    }

    /// s = (μ λₙ, λₜ).
    fn push_round(
        &mut self,
        i: usize,
        cone: &Cone,
        (force, offset): (&dyn Fn(usize) -> DVector<f64>, &DVector<f64>),
        round: &mut Vec<(DVector<f64>, f64)>,
    ) {
        let mu = cone.friction;
        let parts = [(cone.normal(), mu), (cone.first, 1.0), (cone.first + 1, 1.0)];
        let rows = parts.map(|(r, times)| (self.part(&force(r)) * -times, offset[r] * times));
        let size = rows.iter().fold(0.0_f64, |s, r| s.max(r.0.norm()));
        let size = if size > 0.0 { size } else { 1.0 };
        self.round.push((i, size));
        round.extend(rows.into_iter().map(|(row, at)| (row / size, at / size)));
    }

    /// x, multipliers and active constraints in the user's variables and rows.
    pub(super) fn unscaled(
        &self,
        program: &ConicProgram,
        (x, y, z, s): (&DVector<f64>, &DVector<f64>, &DVector<f64>, &DVector<f64>),
    ) -> (DVector<f64>, Multipliers, Pressed) {
        let size = self.objective_size;
        let mut all = self.kept(program);
        for (a, &j) in self.free.iter().enumerate() {
            all[j] = (x[a] * self.width[a]).clamp(program.lower[j], program.upper[j]);
        }
        let mut equalities = DVector::zeros(program.equalities.len());
        let mut forces = DVector::zeros(program.force_offset.len());
        for (&(source, norm), y) in self.equal_from.iter().zip(y) {
            match source {
                Equal::Row(i) => equalities[i] = y * size / norm,
                Equal::Tangent(r) => forces[r] -= y * size / norm,
            }
        }
        let mut inequalities = DVector::zeros(program.inequalities.len());
        let mut pressed = Pressed {
            bounds: vec![0; program.variables()],
            inequalities: vec![false; program.inequalities.len()],
            cones: vec![false; program.cones.len()],
        };
        for (r, line) in self.lines.iter().enumerate() {
            let active = z[r] > s[r];
            match *line {
                Line::Upper(a) if active => pressed.bounds[self.free[a]] = 1,
                Line::Lower(a) if active => pressed.bounds[self.free[a]] = -1,
                Line::Upper(_) | Line::Lower(_) => {}
                Line::Row(i, norm) => {
                    inequalities[i] = z[r] * size / norm;
                    pressed.inequalities[i] = active;
                }
                Line::Half(i, sign, norm) => {
                    let cone = program.cones[i];
                    let y = z[r] * size / norm;
                    forces[cone.normal()] += y * if sign == 0.0 { 1.0 } else { cone.friction };
                    if sign != 0.0 {
                        forces[cone.first] -= y * sign;
                    }
                    pressed.cones[i] |= active;
                }
            }
        }
        for (k, &(i, norm)) in self.round.iter().enumerate() {
            let (cone, r) = (program.cones[i], self.parts.lines + 3 * k);
            forces[cone.normal()] += cone.friction * z[r] * size / norm;
            forces[cone.first] += z[r + 1] * size / norm;
            forces[cone.first + 1] += z[r + 2] * size / norm;
            pressed.cones[i] = z[r] > s[r] - s[r + 1].hypot(s[r + 2]);
        }
        let multipliers = Multipliers::complete(program, equalities, inequalities, forces);
        (all, multipliers, pressed)
    }
}

fn unit(row: DVector<f64>) -> (DVector<f64>, f64) {
    let norm = row.norm();
    if norm > 0.0 { (row / norm, norm) } else { (row, 1.0) }
}

fn stack(rows: &[(DVector<f64>, f64)], columns: usize) -> (DMatrix<f64>, DVector<f64>) {
    let mut matrix = DMatrix::zeros(rows.len(), columns);
    for (i, (row, _)) in rows.iter().enumerate() {
        matrix.row_mut(i).copy_from(&row.transpose());
    }
    (matrix, DVector::from_iterator(rows.len(), rows.iter().map(|r| r.1)))
}
