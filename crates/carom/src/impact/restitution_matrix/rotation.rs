//! Rotational rows: a contact over a small area also carries a moment.

use nalgebra::DVector;

use crate::impact::error::{Field, ImpactError};
use crate::impact::problem::{ImpactContact, ImpactProblem};

/// One rotational velocity of a contact with its coefficient.
#[derive(Debug, Clone, PartialEq)]
pub struct Rotation {
    /// Index of the contact whose normal impulse bounds the moment.
    pub contact: usize,
    /// Jacobian row of the relative angular velocity, n entries.
    pub row: DVector<f64>,
    /// e_r: angular velocity after over before, while the moment is within its bound.
    pub coefficient: f64,
    /// a ≥ 0, in metres: the moment impulse is at most μ a pₙ. Infinity: no bound.
    pub arm: f64,
}

/// What all rotations of the contacts of a simulation have.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Turning {
    /// e_r of every axis.
    pub coefficient: f64,
    /// a ≥ 0, in metres; infinity: no bound.
    pub arm: f64,
}

impl Rotation {
    /// Checks index, length and numbers.
    pub(super) fn validate(&self, problem: &ImpactProblem) -> Result<(), ImpactError> {
        if self.contact >= problem.contacts.len() {
            let (expected, found) = (problem.contacts.len(), self.contact);
            return Err(ImpactError::Shape {
                field: Field::Law("rotation.contact"),
                expected,
                found,
            });
        }
        if self.row.len() != problem.nv() {
            let (expected, found) = (problem.nv(), self.row.len());
            return Err(ImpactError::Shape { field: Field::Law("rotation.row"), expected, found });
        }
        if let Some(index) = self.row.iter().position(|x| !x.is_finite()) {
            let (field, value) = (Field::Law("rotation.row"), self.row[index]);
            return Err(ImpactError::NotFinite { field, index, value });
        }
        if !self.coefficient.is_finite() {
            let (field, value) = (Field::Law("rotation.coefficient"), self.coefficient);
            return Err(ImpactError::NotFinite { field, index: 0, value });
        }
        if self.arm.is_nan() || self.arm < 0.0 {
            let (min, max) = (0.0, f64::INFINITY);
            return Err(ImpactError::OutOfRange {
                field: Field::Law("rotation.arm"),
                value: self.arm,
                min,
                max,
            });
        }
        Ok(())
    }

    /// The row as a contact without tangents, so that the reduction carries it along.
    pub(super) fn as_contact(&self) -> ImpactContact {
        ImpactContact {
            name: String::new(),
            tangents: nalgebra::DMatrix::zeros(0, self.row.len()),
            normal: self.row.clone(),
            friction: 0.0,
            static_friction: 0.0,
            restitution: 0.0,
            touching: true,
        }
    }
}
