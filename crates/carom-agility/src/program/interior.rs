//! Concave quadratic programs with friction cones by a primal-dual interior-point method.
//!
//! # Law
//! ```text
//! maximise c·x + ½ xᵀP x,  P ⪯ 0,  subject to (1) and (2) of the folder                       (5)
//! c + P x = Eᵀν + Aᵀy − Fᵀs + k,   every slack times its multiplier = 0                       (6)
//! ```
//! Mehrotra's predictor and corrector in the scaling of Nesterov and Todd. Unlike the simplex method it
//! does not mind constraints that are nearly dependent, as those of a posture step in a small box are,
//! and it sees curvature; in exchange it ends at a gap of about 1e-10 instead of at a corner.
//!
//! # Limits
//! Variables without room (lower = upper) are kept; all others need finite bounds.
//!
//! # Tests
//! `tests/program.rs`: `eq5_agrees_with_the_simplex_method`, `eq5_eq6_curved_programs`.

use super::certificate::Multipliers;
use super::error::ProgramError;
use super::nesterov_todd::{Parts, Scaling};
use super::problem::ConicProgram;
use super::standard::Standard;
use crate::thresholds::interior::{EXACT, GOOD, LIFT};
use nalgebra::{Cholesky, DMatrix, DVector, Dyn};

/// Iterations at most; thirty are many.
const STEPS: usize = 80;
/// Rounds of refinement.
const REFINED: usize = 3;
/// Fraction of the way to the edge.
const SHORT: f64 = 0.99;

/// Which constraints hold with equality: those whose multiplier is larger than their slack.
#[derive(Debug, Clone, PartialEq)]
pub struct Pressed {
    /// −1, 0 or 1 for each variable: at its lower bound, between, at its upper bound.
    pub bounds: Vec<i8>,
    /// Inequalities.
    pub inequalities: Vec<bool>,
    /// Cones.
    pub cones: Vec<bool>,
}

/// The answer of the interior-point method.
#[derive(Debug, Clone, PartialEq)]
pub struct InteriorSolution {
    /// x.
    pub x: DVector<f64>,
    /// c·x + ½ xᵀP x.
    pub value: f64,
    /// Multipliers, equation (6).
    pub multipliers: Multipliers,
    /// Constraints that hold with equality.
    pub pressed: Pressed,
    /// Worst relative gap or residual.
    pub error: f64,
    /// Iterations.
    pub steps: usize,
}

/// The unknowns.
#[derive(Debug, Clone)]
struct Point {
    x: DVector<f64>,
    y: DVector<f64>,
    z: DVector<f64>,
    s: DVector<f64>,
}

/// Solve (5); `curvature` is P, none for a linear program.
pub fn interior(
    program: &ConicProgram,
    curvature: Option<&DMatrix<f64>>,
) -> Result<InteriorSolution, ProgramError> {
    let standard = Standard::new(program, curvature)?;
    let parts = standard.parts;
    let mut at = Point::start(&standard);
    let mut best = (f64::INFINITY, at.clone());
    let mut steps = 0;
    while steps < STEPS {
        let error = at.error(&standard);
        if error < best.0 {
            best = (error, at.clone());
        }
        // Round-off has the last word: past its best, an iterate only gets worse.
        if error <= EXACT || (best.0 < GOOD && error > 1e3 * best.0) {
            break;
        }
        let Some(next) = at.next(&standard, parts) else { break };
        at = next;
        steps += 1;
    }
    let (error, at) = best;
    if error > GOOD {
        return Err(ProgramError::Interior { steps, error });
    }
    let (x, mut multipliers, pressed) = standard.unscaled(program, (&at.x, &at.y, &at.z, &at.s));
    let mut value = program.objective.dot(&x);
    if let Some(P) = curvature {
        let bend = P * &x;
        value += 0.5 * x.dot(&bend);
        multipliers.bounds += bend;
    }
    Ok(InteriorSolution { x, value, multipliers, pressed, error, steps })
}

/// A factorised step.
struct Newton<'a> {
    standard: &'a Standard,
    scaling: &'a Scaling,
    /// W⁻¹ G.
    rows: DMatrix<f64>,
    factor: Cholesky<f64, Dyn>,
    schur: Cholesky<f64, Dyn>,
    across: DMatrix<f64>,
}

impl Point {
    fn start(standard: &Standard) -> Self {
        let x = DVector::zeros(standard.objective.len());
        let mut s = &standard.bound - &standard.rows * &x;
        standard.parts.inside(&mut s, 0.1);
        let z = standard.parts.unit();
        Self { x, y: DVector::zeros(standard.equal_bound.len()), z, s }
    }

    /// Residuals of (6), of the equalities and of the slacks.
    fn residuals(&self, standard: &Standard) -> [DVector<f64>; 3] {
        let mut dual = standard.equal.tr_mul(&self.y) + standard.rows.tr_mul(&self.z);
        dual -= &standard.objective;
        dual -= &standard.curvature * &self.x;
        let equal = &standard.equal * &self.x - &standard.equal_bound;
        let slack = &standard.rows * &self.x + &self.s - &standard.bound;
        [dual, equal, slack]
    }

    fn error(&self, standard: &Standard) -> f64 {
        let [dual, equal, slack] = self.residuals(standard);
        // Multipliers may be large where constraints nearly repeat one another.
        let size = 1.0 + self.z.amax();
        let gap = self.s.dot(&self.z).abs();
        let error = (dual.amax() / size).max(slack.amax()).max(gap);
        if equal.is_empty() { error } else { error.max(equal.amax()) }
    }

    /// One predictor and corrector; `None` where round-off forbids it.
    fn next(&self, standard: &Standard, parts: Parts) -> Option<Self> {
        let scaling = Scaling::new(parts, &self.s, &self.z)?;
        let newton = Newton::new(standard, &scaling)?;
        let residuals = self.residuals(standard);
        let lambda = &scaling.lambda;
        let squared = parts.product(lambda, lambda);
        let (_, _, dz, ds) = newton.solve(&residuals, &-&squared);
        let reach = self.reach(parts, &dz, &ds).min(1.0);
        let mu = self.s.dot(&self.z) / parts.degree();
        let ahead = (&self.s + &ds * reach).dot(&(&self.z + &dz * reach)) / parts.degree();
        let sigma = (ahead / mu).clamp(0.0, 1.0).powi(3);
        let twist = parts.product(&scaling.apply(&ds, true), &scaling.apply(&dz, false));
        let aim = parts.unit() * (sigma * mu) - squared - twist;
        let (dx, dy, dz, ds) = newton.solve(&residuals, &aim);
        let t = (SHORT * self.reach(parts, &dz, &ds)).min(1.0);
        let next = Self {
            x: &self.x + dx * t,
            y: &self.y + dy * t,
            z: &self.z + dz * t,
            s: &self.s + ds * t,
        };
        next.x.iter().chain(next.z.iter()).all(|v| v.is_finite()).then_some(next)
    }

    fn reach(&self, parts: Parts, dz: &DVector<f64>, ds: &DVector<f64>) -> f64 {
        parts.longest(&self.s, ds, 1e-3).min(parts.longest(&self.z, dz, 1e-3))
    }
}

type Step = (DVector<f64>, DVector<f64>, DVector<f64>, DVector<f64>);

impl<'a> Newton<'a> {
    fn new(standard: &'a Standard, scaling: &'a Scaling) -> Option<Self> {
        let rows = scaling.divide_rows(&standard.rows);
        let mut H = rows.tr_mul(&rows) - &standard.curvature;
        lift(&mut H);
        let factor = Cholesky::new(H)?;
        let across = factor.solve(&standard.equal.transpose());
        // Equalities may repeat one another.
        let mut S = &standard.equal * &across;
        lift(&mut S);
        let schur = Cholesky::new(S)?;
        Some(Self { standard, scaling, rows, factor, schur, across })
    }

    /// H dx + Eᵀdy = a and E dx = b.
    fn reduced(&self, a: &DVector<f64>, b: &DVector<f64>) -> (DVector<f64>, DVector<f64>) {
        let free = self.factor.solve(a);
        let dy = self.schur.solve(&(&self.standard.equal * &free - b));
        (free - &self.across * &dy, dy)
    }

    /// dx, dy, dz, ds for the residuals of a point and the wanted λ∘(W dz + W⁻¹ ds).
    fn solve(&self, residuals: &[DVector<f64>; 3], aim: &DVector<f64>) -> Step {
        let [dual, equal, slack] = residuals;
        let r = self.standard.parts.divide(&self.scaling.lambda, aim);
        // dz = W⁻² (G dx + W r + slack)
        let inner = r + self.scaling.apply(slack, true);
        let (a, b) = (-dual - self.rows.tr_mul(&inner), -equal);
        let (mut dx, mut dy) = self.reduced(&a, &b);
        for _ in 0..REFINED {
            let pressed = self.rows.tr_mul(&(&self.rows * &dx)) - &self.standard.curvature * &dx;
            let left = &a - pressed - self.standard.equal.tr_mul(&dy);
            let (more, also) = self.reduced(&left, &(&b - &self.standard.equal * &dx));
            dx += more;
            dy += also;
        }
        let dz = self.scaling.apply(&(&self.rows * &dx + inner), true);
        let ds = -(&self.standard.rows * &dx) - slack;
        (dx, dy, dz, ds)
    }
}

fn lift(matrix: &mut DMatrix<f64>) {
    let by = LIFT * matrix.diagonal().iter().fold(0.0_f64, |m, d| m.max(*d));
    for i in 0..matrix.nrows() {
        matrix[(i, i)] += by;
    }
}
