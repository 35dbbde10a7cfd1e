//! Finite impact forces after an impact, by constrained minimisation.
//!
//! # Law
//! Impulse and momentum over the impact, differentiated, relate finite impact forces F to the accelerations they cause:
//! ```text
//! A q̇ + constant = Jᵀp                                                    (1), (13)
//! Ȧ q̇ + A q̈ = JᵀF                                                         (2), (14)
//! ϑ̇ = J q̈ + J̇ q̇  =>  F = G⁻¹ (ϑ̇ − J̇q̇* + J A⁻¹ Ȧ q̇*)                      (3), (19), (3.26)
//! ```
//! Of all forces whose work equals the change of energy, the least, in the metric of G = J A⁻¹ Jᵀ:
//! ```text
//! min FᵀGF   over ϑ̇, that is, over F                                      (4), (18), (3.25)
//! T(q̇*) − T(q̇) = cᵀF,   c = J q                                           (5), (17), (3.24)
//! 0 ≤ Fₙ                                                                  (6), (18), (3.25)
//! ```
//! (3) is one to one, so the minimisation over ϑ̇ is one over F: a quadratic program with one equality. Without (6) its
//! solution is F = G⁻¹c ΔT/(cᵀG⁻¹c). It is solved exactly by the nearest point of a polyhedron in the coordinates LᵀF,
//! G = LLᵀ.
//!
//! # Limits
//! **The published work depends on the choice of origin.** (15) to (17) integrate the power F·q̇ over the impact with q
//! "constant", and end with the work qᵀJᵀF: the position itself takes the place of a displacement. Moving the origin of
//! the coordinates changes q, hence c, hence the forces, although nothing physical has changed; with the contact point
//! at the origin c vanishes and no force has any work. The estimate shows when an impact happened and which contacts
//! took part, no more. [`Displacement::MeanVelocity`] replaces q by the displacement ε (q̇ + q̇*)/2 of an impact of
//! duration ε, which is independent of the origin and makes (5) the work–energy theorem for a constant force.
//! (1) to (2) also drop J̇ᵀp.
//!
//! # Source
//! Flickinger & Bowling 2009, (13)–(19); Flickinger 2011, (3.22)–(3.26). (3.24) mixes vector and scalar.
//!
//! # Tests
//! `tests/impact_force.rs`: `eq1_eq2_momentum_rate`, `eq3_forces_and_accelerations`, `eq4_least_force`, `eq5_work`,
//! `eq6_no_pull`, `published_work_depends_on_the_origin`.

use crate::numeric::thresholds::impact;
use nalgebra::{Cholesky, DMatrix, DVector};

use super::error::{Field, ImpactError};
use super::least_distance::{Found, LeastDistance};
use super::problem::ImpactProblem;

/// Name in errors.
const NAME: &str = "impact force";

/// What stands for the displacement during the impact in the work (5).
#[derive(Clone, Debug, PartialEq)]
pub enum Displacement {
    /// The configuration q itself, as published; depends on the origin of the coordinates.
    Configuration(DVector<f64>),
    /// ε (v⁻ + v*)/2 for an impact of the given duration ε > 0.
    MeanVelocity {
        /// ε, in s.
        duration: f64,
    },
}

/// Rates at the instant after the impact that enter (2) and (3); zero for constant A and J.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Rates {
    /// Ȧ q̇*, n entries; empty means zero.
    pub inertia: DVector<f64>,
    /// J̇ q̇*, one entry per contact row, tangents first, then the normal, contact by contact; empty means zero.
    pub jacobian: DVector<f64>,
}

/// Estimated impact forces.
#[derive(Clone, Debug, PartialEq)]
pub struct ImpactForce {
    /// F, rows contact by contact, tangents first, then the normal; zero for contacts that do not touch.
    pub force: DVector<f64>,
    /// ϑ̇*, accelerations of the same rows, (3).
    pub contact_acceleration: DVector<f64>,
    /// q̈ due to the impact forces, (2).
    pub acceleration: DVector<f64>,
    /// cᵀF, equal to the change of energy.
    pub work: f64,
    /// FᵀGF, the objective.
    pub objective: f64,
}

/// Estimates the impact forces after an impact with velocities `v_post` (q̇*, after any energy control).
///
/// Contact rows that depend on others get the least forces. Fails with `Unsolved` if no pushing force has the required
/// work, for example because the displacement of every contact vanishes.
pub fn impact_force(
    problem: &ImpactProblem,
    v_post: &DVector<f64>,
    displacement: &Displacement,
    rates: &Rates,
) -> Result<ImpactForce, ImpactError> {
    problem.validate()?;
    let frame = Frame::new(problem)?;
    let q = match displacement {
        Displacement::Configuration(q) => q.clone(),
        Displacement::MeanVelocity { duration } => {
            positive_duration(*duration)?;
            (&problem.velocity + v_post) * (0.5 * duration)
        }
    };
    check_len(Field::Law("displacement"), problem.nv(), q.len())?;
    check_len(Field::Velocity, problem.nv(), v_post.len())?;
    let change = problem.kinetic_energy(v_post) - problem.kinetic_energy(&problem.velocity);
    let c = &frame.J * q;
    let force = frame.least_force(&c, change)?;
    frame.complete(force, &c, rates)
}

fn positive_duration(duration: f64) -> Result<(), ImpactError> {
    if duration > 0.0 && duration.is_finite() {
        return Ok(());
    }
    Err(ImpactError::OutOfRange {
        field: Field::Law("duration"),
        value: duration,
        min: f64::MIN_POSITIVE,
        max: f64::MAX,
    })
}

fn check_len(field: Field, expected: usize, found: usize) -> Result<(), ImpactError> {
    if expected == found {
        return Ok(());
    }
    Err(ImpactError::Shape { field, expected, found })
}

/// The rows that carry forces, and their inertia.
struct Frame {
    /// Rows of all contacts; those of contacts that do not touch are zero.
    J: DMatrix<f64>,
    /// A⁻¹Jᵀ.
    response: DMatrix<f64>,
    G: DMatrix<f64>,
    mass: Cholesky<f64, nalgebra::Dyn>,
    normals: Vec<usize>,
}

impl Frame {
    fn new(problem: &ImpactProblem) -> Result<Self, ImpactError> {
        let Some(mass) = problem.mass_matrix.clone().cholesky() else {
            return Err(ImpactError::MassMatrix { pivot: 0, value: problem.mass_matrix[(0, 0)] });
        };
        let mut J = DMatrix::zeros(problem.rows(), problem.nv());
        let mut normals = Vec::new();
        let mut row = 0;
        for c in &problem.contacts {
            let t = c.tangents.nrows();
            if c.touching {
                J.view_mut((row, 0), c.tangents.shape()).copy_from(&c.tangents);
                J.set_row(row + t, &c.normal.transpose());
                normals.push(row + t);
            }
            row += t + 1;
        }
        let response = mass.solve(&J.transpose());
        let G = &J * &response;
        Ok(Self { G, J, response, mass, normals })
    }

    /// Solves (4) to (6).
    fn least_force(&self, c: &DVector<f64>, change: f64) -> Result<DVector<f64>, ImpactError> {
        let m = c.len();
        if change == 0.0 {
            return Ok(DVector::zeros(m));
        }
        // G = V D Vᵀ; y = √D Vᵀ F has ‖y‖² = FᵀGF. Directions with D = 0 do no work on anything and stay zero.
        let eigen = self.G.clone().symmetric_eigen();
        let largest = eigen.eigenvalues.amax();
        let kept: Vec<usize> =
            (0..m).filter(|&j| eigen.eigenvalues[j] > impact::IDLE * largest).collect();
        let back = DMatrix::from_fn(m, kept.len(), |i, j| {
            eigen.eigenvectors[(i, kept[j])] / eigen.eigenvalues[kept[j]].sqrt()
        });
        let along = back.transpose() * c;
        let size = along.norm();
        let unreachable = ImpactError::Unsolved { law: NAME, residual: 1.0, tolerance: 0.0 };
        if size <= impact::UNREACHABLE * back.norm() * c.norm() {
            return Err(unreachable);
        }
        // The equality as two rows, with y in units of the least length that it allows.
        let row: Vec<f64> = along.iter().map(|a| a * change.signum() / size).collect();
        let opposite: Vec<f64> = row.iter().map(|a| -a).collect();
        let mut solver = LeastDistance::default();
        solver.clear(kept.len());
        solver.push(&row, 1.0);
        solver.push(&opposite, -1.0);
        for &n in &self.normals {
            let push: Vec<f64> = back.row(n).iter().copied().collect();
            solver.push(&push, 0.0);
        }
        if solver.solve() != Found::Nearest {
            return Err(unreachable);
        }
        Ok(back * DVector::from_column_slice(solver.point()) * (change.abs() / size))
    }

    /// Accelerations (2), (3) and the figures of the result.
    fn complete(
        &self,
        force: DVector<f64>,
        c: &DVector<f64>,
        rates: &Rates,
    ) -> Result<ImpactForce, ImpactError> {
        let n = self.J.ncols();
        let inertia = or_zero(&rates.inertia, n, "rates.inertia")?;
        let jacobian = or_zero(&rates.jacobian, force.len(), "rates.jacobian")?;
        let acceleration = &self.response * &force - self.mass.solve(&inertia);
        let contact_acceleration = &self.J * &acceleration + jacobian;
        Ok(ImpactForce {
            work: c.dot(&force),
            objective: force.dot(&(&self.G * &force)),
            contact_acceleration,
            acceleration,
            force,
        })
    }
}

fn or_zero(x: &DVector<f64>, n: usize, name: &'static str) -> Result<DVector<f64>, ImpactError> {
    if x.is_empty() {
        return Ok(DVector::zeros(n));
    }
    check_len(Field::Law(name), n, x.len())?;
    Ok(x.clone())
}
