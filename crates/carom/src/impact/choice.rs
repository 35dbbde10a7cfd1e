//! A law chosen by name and options, as files and command lines give it.
//!
//! | `formulation` | law |
//! |---|---|
//! | `differential` | [`Differential`] |
//! | `algebraic` | [`Whittaker`] or [`Brach`] |
//! | `constraint` | [`Constraint`] |
//! | `matrix` | [`RestitutionMatrix`] |
//! | `dissipation` | [`Dissipation`] |
//! | `compliant` | [`Compliant`] |
//! | `newton`, `poisson` | [`Newton`], [`Poisson`] |
//!
//! Any of them may go contact by contact, [`WithRule`], and may be wrapped in [`EnergyControl`]. The [`catalogue`](super::catalogue) says the same to people.

use super::brach::Brach;
use super::compliant::Compliant;
use super::constraint::Constraint;
use super::differential::Differential;
use super::dissipation::{Dissipation, DissipationOptions};
use super::energy_control::EnergyControl;
use super::error::ImpactError;
use super::law::ImpactLaw;
use super::newton::Newton;
use super::poisson::Poisson;
use super::restitution::Restitution;
use super::restitution_matrix::RestitutionMatrix;
use super::rule::{SeveralContacts, WithRule};
use super::whittaker::Whittaker;

/// Formulation with its options.
#[derive(Clone, Debug, PartialEq)]
pub enum Formulation {
    /// Along the path in impulse space.
    Differential {
        /// Definition of the coefficient of restitution.
        restitution: Restitution,
    },
    /// Whittaker's algebraic law.
    Whittaker,
    /// Brach's algebraic law.
    Brach,
    /// Johnson's constraint law.
    Constraint(Constraint),
    /// Restitution matrix.
    Matrix(RestitutionMatrix),
    /// Dissipation principle.
    Dissipation(DissipationOptions),
    /// Compliant contacts along a clock.
    Compliant(Compliant),
    /// Newton's law as a complementarity problem.
    Newton,
    /// Poisson's law as a complementarity problem.
    Poisson,
}

impl Formulation {
    /// The word used in files.
    pub fn as_str(&self) -> &'static str {
        match self {
            Self::Differential { .. } => "differential",
            Self::Whittaker | Self::Brach => "algebraic",
            Self::Constraint(_) => "constraint",
            Self::Matrix(_) => "matrix",
            Self::Dissipation(_) => "dissipation",
            Self::Compliant(_) => "compliant",
            Self::Newton => "newton",
            Self::Poisson => "poisson",
        }
    }
}

/// A law with everything needed to make it.
#[derive(Clone, Debug, PartialEq)]
pub struct LawChoice {
    /// Formulation and options.
    pub formulation: Formulation,
    /// How several contacts are treated.
    pub several: SeveralContacts,
    /// e* of the attenuation around it, if any.
    pub attenuation: Option<f64>,
}

impl Default for LawChoice {
    /// The differential law with energetic restitution, which never gains energy.
    fn default() -> Self {
        Self {
            formulation: Formulation::Differential { restitution: Restitution::Energetic },
            several: SeveralContacts::Together,
            attenuation: None,
        }
    }
}

impl LawChoice {
    /// Makes the law; fails on options out of range.
    pub fn law(&self) -> Result<Box<dyn ImpactLaw>, ImpactError> {
        let law: Box<dyn ImpactLaw> = match &self.formulation {
            Formulation::Differential { restitution } => {
                Box::new(Differential { restitution: *restitution })
            }
            Formulation::Whittaker => Box::new(Whittaker),
            Formulation::Brach => Box::new(Brach),
            Formulation::Constraint(constraint) => Box::new(*constraint),
            Formulation::Matrix(matrix) => Box::new(matrix.clone()),
            Formulation::Dissipation(options) => {
                options.validate()?;
                Box::new(Dissipation::new(*options))
            }
            Formulation::Compliant(compliant) => {
                compliant.validate()?;
                Box::new(compliant.clone())
            }
            Formulation::Newton => Box::new(Newton),
            Formulation::Poisson => Box::new(Poisson),
        };
        let law = match self.several {
            SeveralContacts::Together => law,
            SeveralContacts::Sequential => Box::new(WithRule::new(law, self.several)),
        };
        match self.attenuation {
            None => Ok(law),
            Some(limit) => Ok(Box::new(EnergyControl::new(law, limit)?)),
        }
    }
}
