//! Cones by half-spaces that join where they are violated, equation (3), then the polish.

use super::certificate::{Certificate, Multipliers};
use super::error::{Participant, ProgramError};
use super::polish::{Polished, polish};
use super::problem::{ConicProgram, ConicSolution};
use super::scaled::Scaled;
use super::simplex::{Active, Simplex};
use crate::thresholds::cuts::{ANGLE, EXACT, NEAR};
use nalgebra::DVector;

/// Rounds of half-spaces; each quarters the violation of a cone, so 1e-14 takes about 25.
const ROUNDS: usize = 80;
/// Pivots for each variable and row.
const PIVOTS: usize = 50;

/// Solve equation (1) of the folder.
pub fn solve(program: &ConicProgram) -> Result<ConicSolution, ProgramError> {
    let mut scaled = Scaled::new(program)?;
    let mut simplex = Simplex::new(&scaled);
    let first = scaled.rows.len();
    let limit = PIVOTS * (program.variables() + first + 20);
    let mut near = NEAR;
    let mut found = None;
    for _ in 0..ROUNDS {
        match simplex.solve(&scaled, limit) {
            Ok(()) => {}
            // Half-spaces so near one another that the basis is singular: the last one was good.
            Err(ProgramError::Singular { .. }) if found.is_some() => break,
            Err(error) => return Err(error),
        }
        let worst = worst_cone(&scaled, &simplex.x);
        if worst <= near {
            if let Some(exact) = polish(&scaled, &simplex) {
                found = Some(exact);
                break;
            }
            found = Some(of_simplex(&scaled, &simplex));
            near *= 1e-2;
        }
        if worst <= EXACT || !add_half_spaces(&mut scaled, &simplex.x) {
            break;
        }
    }
    let found = found.unwrap_or_else(|| of_simplex(&scaled, &simplex));
    let mut solution = unscaled(program, &scaled, &found);
    solution.pivots = simplex.pivots;
    solution.cuts = scaled.rows.len() - first;
    Ok(solution)
}

/// The worst violation of a cone, relative to the largest force.
pub(super) fn worst_cone(scaled: &Scaled, x: &DVector<f64>) -> f64 {
    let lambda = scaled.forces(x);
    let size = force_size(scaled, &lambda);
    let of = |worst: f64, cone: &super::Cone| {
        let excess = cone.excess(&lambda);
        if cone.tangents == 2 { worst.max(excess / size) } else { worst }
    };
    scaled.cones.iter().fold(0.0, of)
}

/// Size of the forces, of unit order in a program whose forces come from its variables.
pub(super) fn force_size(scaled: &Scaled, lambda: &DVector<f64>) -> f64 {
    scaled.cones.iter().fold(1.0_f64, |s, c| s.max(lambda[c.normal()].abs()))
}

/// Whether a half-space has joined.
fn add_half_spaces(scaled: &mut Scaled, x: &DVector<f64>) -> bool {
    let lambda = scaled.forces(x);
    let size = force_size(scaled, &lambda);
    let before = scaled.rows.len();
    for i in 0..scaled.cones.len() {
        let cone = scaled.cones[i];
        if cone.tangents == 2 && cone.excess(&lambda) > EXACT * size {
            let norm = cone.tangential(&lambda);
            let d = [lambda[cone.first] / norm, lambda[cone.first + 1] / norm];
            if !scaled.has_half_space(i, d, ANGLE) {
                scaled.push_half_space(i, d);
            }
        }
    }
    scaled.rows.len() > before
}

/// The multipliers of the half-spaces as those of their cones.
fn of_simplex(scaled: &Scaled, simplex: &Simplex) -> Polished {
    let mut found = Polished::empty(scaled);
    found.x.copy_from(&simplex.x);
    for (&active, &y) in simplex.basis.iter().zip(&simplex.y) {
        if let Active::Row(i, sign) = active {
            found.add_row(scaled, i, sign * y);
        }
    }
    found
}

/// Back to the variables and rows of the user.
fn unscaled(program: &ConicProgram, scaled: &Scaled, found: &Polished) -> ConicSolution {
    let mut x = found.x.component_mul(&scaled.width);
    for j in 0..x.len() {
        // Round-off only: the solution is feasible in scaled variables.
        x[j] = x[j].clamp(program.lower[j], program.upper[j]);
    }
    let size = scaled.objective_size;
    let mut equalities = DVector::zeros(program.equalities.len());
    let mut inequalities = DVector::zeros(program.inequalities.len());
    for (row, y) in scaled.rows.iter().zip(found.rows.iter()) {
        match row.source {
            Participant::Equality(i) => equalities[i] = y * size / row.size,
            Participant::Inequality(i) => inequalities[i] = y * size / row.size,
            _ => {}
        }
    }
    let mut forces = &found.forces * size;
    for (cone, cone_size) in scaled.cones.iter().zip(&scaled.cone_size) {
        for r in cone.first..=cone.normal() {
            forces[r] /= *cone_size;
        }
    }
    let multipliers = Multipliers::complete(program, equalities, inequalities, forces);
    let certificate = Certificate::of(program, &x, &multipliers);
    let value = program.objective.dot(&x);
    ConicSolution { x, value, multipliers, certificate, pivots: 0, cuts: 0 }
}
