//! Proof of optimality that does not depend on how the optimum was found, equation (4).

use super::problem::ConicProgram;
use nalgebra::DVector;

/// Multipliers of the constraints.
#[derive(Debug, Clone, PartialEq)]
pub struct Multipliers {
    /// ν, one per equality, of either sign.
    pub equalities: DVector<f64>,
    /// y ≥ 0, one per inequality.
    pub inequalities: DVector<f64>,
    /// s, one per row of λ; zero on rows outside of all cones.
    pub forces: DVector<f64>,
    /// k = c − Eᵀν − Aᵀy + Fᵀs: > 0 presses against the upper bound, < 0 against the lower one.
    pub bounds: DVector<f64>,
}

impl Multipliers {
    /// Make ν, y, s dual feasible by the smallest change (y and the cones' sₙ are raised), and
    /// derive k.
    pub(super) fn complete(
        program: &ConicProgram,
        equalities: DVector<f64>,
        mut inequalities: DVector<f64>,
        mut forces: DVector<f64>,
    ) -> Self {
        inequalities.iter_mut().for_each(|y| *y = y.max(0.0));
        for cone in &program.cones {
            let tangential = cone.tangential(&forces);
            let normal = &mut forces[cone.normal()];
            *normal = normal.max(cone.friction * tangential);
        }
        let bounds = &program.objective
            - program.equalities.matrix.tr_mul(&equalities)
            - program.inequalities.matrix.tr_mul(&inequalities)
            + program.force_matrix.tr_mul(&forces);
        Self { equalities, inequalities, forces, bounds }
    }

    /// D, equation (4).
    pub fn bound(&self, program: &ConicProgram) -> f64 {
        let boxed = self.bounds.iter().zip(program.lower.iter().zip(&program.upper));
        let corner: f64 = boxed.map(|(k, (l, u))| if *k > 0.0 { k * u } else { k * l }).sum();
        corner
            + self.equalities.dot(&program.equalities.bound)
            + self.inequalities.dot(&program.inequalities.bound)
            + self.forces.dot(&program.force_offset)
    }
}

/// What was verified of a solution.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Certificate {
    /// D: no feasible x has a larger objective.
    pub bound: f64,
    /// D − c·x.
    pub gap: f64,
    /// Worst violation of a bound, a row or a cone, in the units of that row.
    pub violation: f64,
}

impl Certificate {
    /// Evaluate (4) and the constraints at `x`.
    pub fn of(program: &ConicProgram, x: &DVector<f64>, multipliers: &Multipliers) -> Self {
        let bound = multipliers.bound(program);
        let mut violation = 0.0_f64;
        for (x, (l, u)) in x.iter().zip(program.lower.iter().zip(&program.upper)) {
            violation = violation.max(l - x).max(x - u);
        }
        let missed = &program.equalities.matrix * x - &program.equalities.bound;
        violation = missed.iter().fold(violation, |w, r| w.max(r.abs()));
        let over = &program.inequalities.matrix * x - &program.inequalities.bound;
        violation = over.iter().fold(violation, |w, r| w.max(*r));
        let lambda = program.forces(x);
        violation = program
            .cones
            .iter()
            .fold(violation, |w, cone| w.max(cone.excess(&lambda)).max(-lambda[cone.normal()]));
        Self { bound, gap: bound - program.objective.dot(x), violation }
    }
}
