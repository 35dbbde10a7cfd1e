//! The program in variables and rows of unit size.
//!
//! Variables are measured in half widths of their boxes, rows have unit norm and cones unit size, so
//! that one tolerance serves all of them.

use super::error::{Participant, ProgramError};
use super::problem::{Cone, ConicProgram};
use nalgebra::{DMatrix, DVector};

/// A row a·x ≤ b, or a·x = b.
#[derive(Debug, Clone)]
pub(super) struct Row {
    pub(super) normal: DVector<f64>,
    pub(super) bound: f64,
    pub(super) equality: bool,
    pub(super) source: Participant,
    /// What the row was divided by.
    pub(super) size: f64,
    /// Direction d of a half-space of a cone.
    pub(super) direction: [f64; 2],
}

/// The scaled program.
#[derive(Debug, Clone)]
pub(super) struct Scaled {
    pub(super) objective: DVector<f64>,
    pub(super) lower: DVector<f64>,
    pub(super) upper: DVector<f64>,
    pub(super) rows: Vec<Row>,
    pub(super) force_matrix: DMatrix<f64>,
    pub(super) force_offset: DVector<f64>,
    pub(super) cones: Vec<Cone>,
    /// x = width × scaled x.
    pub(super) width: DVector<f64>,
    /// What each cone's rows were divided by.
    pub(super) cone_size: Vec<f64>,
    /// What the objective was divided by.
    pub(super) objective_size: f64,
}

impl Scaled {
    pub(super) fn new(program: &ConicProgram) -> Result<Self, ProgramError> {
        check(program)?;
        let width = program.lower.zip_map(&program.upper, |l, u| {
            let half = 0.5 * (u - l);
            if half > 0.0 { half } else { 1.0 }
        });
        let scale = |v: &DVector<f64>| v.component_mul(&width);
        let objective = scale(&program.objective);
        let objective_size = size_or_one(objective.amax());
        let mut scaled = Self {
            objective: objective / objective_size,
            lower: program.lower.component_div(&width),
            upper: program.upper.component_div(&width),
            rows: Vec::new(),
            force_matrix: &program.force_matrix * DMatrix::from_diagonal(&width),
            force_offset: program.force_offset.clone(),
            cones: program.cones.clone(),
            cone_size: Vec::new(),
            width,
            objective_size,
        };
        scaled.add_linear(program);
        scaled.add_cones();
        Ok(scaled)
    }

    fn add_linear(&mut self, program: &ConicProgram) {
        for (rows, equality) in [(&program.equalities, true), (&program.inequalities, false)] {
            for i in 0..rows.len() {
                let normal = rows.matrix.row(i).transpose().component_mul(&self.width);
                let source =
                    if equality { Participant::Equality(i) } else { Participant::Inequality(i) };
                self.push(normal, rows.bound[i], equality, source, [0.0; 2]);
            }
        }
    }

    fn add_cones(&mut self) {
        for i in 0..self.cones.len() {
            let cone = self.cones[i];
            let rows = self.force_matrix.rows(cone.first, cone.tangents + 1);
            let size = size_or_one(rows.row_iter().fold(0.0_f64, |s, r| s.max(r.norm())));
            self.cone_size.push(size);
            for r in cone.first..=cone.normal() {
                self.force_matrix.row_mut(r).scale_mut(1.0 / size);
                self.force_offset[r] /= size;
            }
            let directions: &[[f64; 2]] = match cone.tangents {
                0 => &[[0.0, 0.0]],
                1 => &[[1.0, 0.0], [-1.0, 0.0]],
                _ => &[[1.0, 0.0], [-1.0, 0.0], [0.0, 1.0], [0.0, -1.0]],
            };
            for &direction in directions {
                self.push_half_space(i, direction);
            }
            if cone.tangents > 0 && cone.friction == 0.0 {
                self.push_half_space(i, [0.0, 0.0]);
            }
        }
    }

    /// d·λₜ − μ λₙ ≤ 0; without direction −λₙ ≤ 0.
    pub(super) fn push_half_space(&mut self, i: usize, direction: [f64; 2]) {
        let cone = self.cones[i];
        let bare = direction == [0.0, 0.0];
        let mu = if bare { 1.0 } else { cone.friction };
        let n = cone.normal();
        let mut normal = self.force_matrix.row(n).transpose() * -mu;
        let mut bound = mu * self.force_offset[n];
        for k in 0..if bare { 0 } else { cone.tangents } {
            normal += self.force_matrix.row(cone.first + k).transpose() * direction[k];
            bound -= self.force_offset[cone.first + k] * direction[k];
        }
        self.push(normal, bound, false, Participant::Cone(i), direction);
    }

    /// Whether a half-space of cone `i` is nearer to the direction than an angle.
    pub(super) fn has_half_space(&self, i: usize, d: [f64; 2], angle: f64) -> bool {
        self.rows.iter().any(|row| {
            let [x, y] = row.direction;
            row.source == Participant::Cone(i) && (x - d[0]).hypot(y - d[1]) < angle
        })
    }

    fn push(
        &mut self,
        normal: DVector<f64>,
        bound: f64,
        equality: bool,
        source: Participant,
        direction: [f64; 2],
    ) {
        let size = size_or_one(normal.norm());
        let normal = normal / size;
        self.rows.push(Row { normal, bound: bound / size, equality, source, size, direction });
    }

    /// λ of the scaled cones.
    pub(super) fn forces(&self, x: &DVector<f64>) -> DVector<f64> {
        &self.force_matrix * x + &self.force_offset
    }
}

fn size_or_one(size: f64) -> f64 {
    if size > 0.0 { size } else { 1.0 }
}

pub(super) fn check(program: &ConicProgram) -> Result<(), ProgramError> {
    let n = program.variables();
    let sizes = [
        ("lower", program.lower.len(), n),
        ("upper", program.upper.len(), n),
        ("equalities", program.equalities.matrix.ncols(), n),
        ("inequalities", program.inequalities.matrix.ncols(), n),
        ("force_matrix", program.force_matrix.ncols(), n),
        ("force_offset", program.force_offset.len(), program.force_matrix.nrows()),
        ("equalities", program.equalities.matrix.nrows(), program.equalities.len()),
        ("inequalities", program.inequalities.matrix.nrows(), program.inequalities.len()),
    ];
    for (what, found, expected) in sizes {
        if found != expected {
            return Err(ProgramError::Shape { what, found, expected });
        }
    }
    for cone in &program.cones {
        if cone.tangents > 2 || cone.normal() >= program.force_offset.len() {
            let expected = program.force_offset.len();
            return Err(ProgramError::Shape { what: "cone", found: cone.normal(), expected });
        }
    }
    for (variable, (&lower, &upper)) in program.lower.iter().zip(&program.upper).enumerate() {
        if !(lower.is_finite() && upper.is_finite() && lower <= upper) {
            return Err(ProgramError::Bounds { variable, lower, upper });
        }
    }
    finite(program)
}

fn finite(program: &ConicProgram) -> Result<(), ProgramError> {
    let all = |values: &[f64]| values.iter().all(|x| x.is_finite());
    let parts: [(&'static str, &[f64]); 7] = [
        ("objective", program.objective.as_slice()),
        ("equalities", program.equalities.matrix.as_slice()),
        ("equalities", program.equalities.bound.as_slice()),
        ("inequalities", program.inequalities.matrix.as_slice()),
        ("inequalities", program.inequalities.bound.as_slice()),
        ("force_matrix", program.force_matrix.as_slice()),
        ("force_offset", program.force_offset.as_slice()),
    ];
    match parts.iter().find(|(_, values)| !all(values)) {
        Some((what, _)) => Err(ProgramError::NotFinite { what }),
        None => Ok(()),
    }
}
