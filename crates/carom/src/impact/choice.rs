//! A law chosen by name and options, as files and command lines give it.
//!
//! | `formulation` | law |
//! |---|---|
//! | `differential` | [`AnyDifferential`], within [`Sequence`] for the sequential rule |
//! | `algebraic` | [`Whittaker`] or [`Brach`] |
//! | `constraint` | [`Constraint`] |
//! | `dissipation` | [`Dissipation`] |
//! | `newton`, `poisson` | [`Newton`], [`Poisson`] |
//!
//! Any of them may be wrapped in [`EnergyControl`]. The [`catalogue`](super::catalogue) says the same to people.

use super::any_differential::AnyDifferential;
use super::brach::Brach;
use super::constraint::Constraint;
use super::dissipation::{Dissipation, DissipationOptions};
use super::energy_control::EnergyControl;
use super::error::ImpactError;
use super::law::ImpactLaw;
use super::newton::Newton;
use super::poisson::Poisson;
use super::restitution::Restitution;
use super::sequence::Sequence;
use super::whittaker::Whittaker;

/// Formulation with its options.
#[derive(Clone, Debug, PartialEq)]
pub enum Formulation {
    /// Along the path in impulse space.
    Differential {
        /// Definition of the coefficient of restitution.
        restitution: Restitution,
        /// Whether several contacts collide one after another instead of together.
        sequential: bool,
    },
    /// Whittaker's algebraic law.
    Whittaker,
    /// Brach's algebraic law.
    Brach,
    /// Johnson's constraint law.
    Constraint(Constraint),
    /// Dissipation principle.
    Dissipation(DissipationOptions),
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
            Self::Dissipation(_) => "dissipation",
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
    /// e* of the attenuation around it, if any.
    pub attenuation: Option<f64>,
}

impl Default for LawChoice {
    /// The differential law with energetic restitution, which never gains energy.
    fn default() -> Self {
        Self {
            formulation: Formulation::Differential {
                restitution: Restitution::Energetic,
                sequential: false,
            },
            attenuation: None,
        }
    }
}

impl LawChoice {
    /// Makes the law; fails on options out of range.
    pub fn law(&self) -> Result<Box<dyn ImpactLaw>, ImpactError> {
        let law: Box<dyn ImpactLaw> = match &self.formulation {
            Formulation::Differential { restitution, sequential: false } => {
                Box::new(AnyDifferential { restitution: *restitution })
            }
            Formulation::Differential { restitution, sequential: true } => {
                Box::new(Sequence::new(AnyDifferential { restitution: *restitution }))
            }
            Formulation::Whittaker => Box::new(Whittaker),
            Formulation::Brach => Box::new(Brach),
            Formulation::Constraint(constraint) => Box::new(*constraint),
            Formulation::Dissipation(options) => {
                options.validate()?;
                Box::new(Dissipation::new(*options))
            }
            Formulation::Newton => Box::new(Newton),
            Formulation::Poisson => Box::new(Poisson),
        };
        match self.attenuation {
            None => Ok(law),
            Some(limit) => Ok(Box::new(EnergyControl::new(law, limit)?)),
        }
    }
}
