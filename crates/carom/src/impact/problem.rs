//! An impact in generalised coordinates: what goes in.
//!
//! M(v⁺ − v⁻) = Jᵀp + Bᵀp_B, with one block of rows of J per contact and rows B that hold through the impact.

use nalgebra::{DMatrix, DVector};

use super::error::{Field, ImpactError};

/// One contact of an [`ImpactProblem`].
#[derive(Clone, Debug, PartialEq)]
pub struct ImpactContact {
    /// Name, echoed in answers and errors.
    pub name: String,
    /// Jacobian rows of the tangents: 0 × n (no friction possible), 1 × n (planar) or 2 × n (spatial, orthonormal).
    pub tangents: DMatrix<f64>,
    /// Jacobian row of the normal, n entries; a positive velocity separates.
    pub normal: DVector<f64>,
    /// Dynamic coefficient of friction μd ≥ 0.
    pub friction: f64,
    /// Static coefficient of friction μs ≥ μd.
    pub static_friction: f64,
    /// Coefficient of restitution, 0 ≤ e ≤ 1.
    pub restitution: f64,
    /// Whether the gap is closed; contacts that do not touch take no part.
    pub touching: bool,
}

/// Generalised data of an impact.
#[derive(Clone, Debug, PartialEq)]
pub struct ImpactProblem {
    /// Mass matrix M, n × n, symmetric.
    pub mass_matrix: DMatrix<f64>,
    /// Velocity before, v⁻, n entries.
    pub velocity: DVector<f64>,
    /// Contacts, in the order of the answer.
    pub contacts: Vec<ImpactContact>,
    /// Rows B with B v unchanged by the impact: closed loops, prescribed motion; 0 × n if none.
    pub bilateral: DMatrix<f64>,
}

/// Largest relative asymmetry of M that is taken for round-off: |M_ij − M_ji| ≤ 1e-9 √(M_ii M_jj).
pub const ASYMMETRY: f64 = crate::numeric::thresholds::impact::ASYMMETRY;

impl ImpactProblem {
    /// A validated problem without bilateral rows.
    pub fn new(
        mass_matrix: DMatrix<f64>,
        velocity: DVector<f64>,
        contacts: Vec<ImpactContact>,
    ) -> Result<Self, ImpactError> {
        let bilateral = DMatrix::zeros(0, velocity.len());
        let problem = Self { mass_matrix, velocity, contacts, bilateral };
        problem.validate()?;
        Ok(problem)
    }

    /// Number of velocities n.
    pub fn nv(&self) -> usize {
        self.velocity.len()
    }

    /// Number of contact rows m, tangents and normals.
    pub fn rows(&self) -> usize {
        self.contacts.iter().map(|c| c.tangents.nrows() + 1).sum()
    }

    /// Kinetic energy ½ vᵀMv of a velocity.
    pub fn kinetic_energy(&self, v: &DVector<f64>) -> f64 {
        0.5 * (0..v.len()).map(|j| v[j] * self.mass_matrix.column(j).dot(v)).sum::<f64>()
    }

    /// Checks sizes, finite numbers, ranges and the symmetry of M.
    ///
    /// Positive definiteness is left to the reduction, because the constraint law takes a singular M.
    pub fn validate(&self) -> Result<(), ImpactError> {
        let n = self.nv();
        check_len(Field::MassMatrix, n, self.mass_matrix.nrows())?;
        check_len(Field::MassMatrix, n, self.mass_matrix.ncols())?;
        check_len(Field::Bilateral, n, self.bilateral.ncols())?;
        check_finite(|| Field::MassMatrix, self.mass_matrix.transpose().as_slice())?;
        check_finite(|| Field::Velocity, self.velocity.as_slice())?;
        check_finite(|| Field::Bilateral, self.bilateral.transpose().as_slice())?;
        self.check_symmetry()?;
        if self.contacts.is_empty() {
            return Err(ImpactError::NoContacts);
        }
        self.contacts.iter().try_for_each(|c| c.validate(n))
    }

    fn check_symmetry(&self) -> Result<(), ImpactError> {
        let M = &self.mass_matrix;
        for row in 0..M.nrows() {
            for column in row + 1..M.ncols() {
                let (upper, lower) = (M[(row, column)], M[(column, row)]);
                let scale = (M[(row, row)] * M[(column, column)])
                    .abs()
                    .sqrt()
                    .max(upper.abs().max(lower.abs()));
                if (upper - lower).abs() > ASYMMETRY * scale {
                    return Err(ImpactError::NotSymmetric { row, column, upper, lower });
                }
            }
        }
        Ok(())
    }
}

impl ImpactContact {
    fn field(&self, field: &'static str) -> Field {
        Field::Contact { contact: self.name.clone(), field }
    }

    fn validate(&self, n: usize) -> Result<(), ImpactError> {
        if self.normal.len() != n {
            return Err(ImpactError::Shape {
                field: self.field("normal"),
                expected: n,
                found: self.normal.len(),
            });
        }
        let (count, width) = self.tangents.shape();
        if count > 2 {
            return Err(ImpactError::Shape {
                field: self.field("tangents"),
                expected: 2,
                found: count,
            });
        }
        if count > 0 && width != n {
            return Err(ImpactError::Shape {
                field: self.field("tangents"),
                expected: n,
                found: width,
            });
        }
        check_finite(|| self.field("normal"), self.normal.as_slice())?;
        check_finite(|| self.field("tangents"), self.tangents.transpose().as_slice())?;
        self.check_range("friction", self.friction, 0.0, f64::INFINITY)?;
        self.check_range("static_friction", self.static_friction, self.friction, f64::INFINITY)?;
        self.check_range("restitution", self.restitution, 0.0, 1.0)
    }

    fn check_range(
        &self,
        name: &'static str,
        value: f64,
        min: f64,
        max: f64,
    ) -> Result<(), ImpactError> {
        if value.is_finite() && value >= min && value <= max {
            return Ok(());
        }
        Err(ImpactError::OutOfRange { field: self.field(name), value, min, max })
    }
}

fn check_len(field: Field, expected: usize, found: usize) -> Result<(), ImpactError> {
    if expected == found { Ok(()) } else { Err(ImpactError::Shape { field, expected, found }) }
}

fn check_finite(field: impl Fn() -> Field, values: &[f64]) -> Result<(), ImpactError> {
    match values.iter().position(|x| !x.is_finite()) {
        None => Ok(()),
        Some(index) => Err(ImpactError::NotFinite { field: field(), index, value: values[index] }),
    }
}
