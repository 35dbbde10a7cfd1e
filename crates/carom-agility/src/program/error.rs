//! Why a program has no solution.

use thiserror::Error;

/// A constraint that takes part in a contradiction.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Participant {
    /// The upper bound of a variable.
    Upper(usize),
    /// The lower bound of a variable.
    Lower(usize),
    /// A row of E.
    Equality(usize),
    /// A row of A.
    Inequality(usize),
    /// A cone.
    Cone(usize),
}

/// Every way in which a program can be refused or left unsolved.
#[derive(Debug, Clone, PartialEq, Error)]
pub enum ProgramError {
    /// Sizes do not match.
    #[error("{what} has size {found} instead of {expected}")]
    Shape {
        /// Which part.
        what: &'static str,
        /// Its size.
        found: usize,
        /// The size it must have.
        expected: usize,
    },
    /// A bound is infinite, not a number, or above its partner.
    #[error("variable {variable} has the bounds [{lower}, {upper}]")]
    Bounds {
        /// The variable.
        variable: usize,
        /// Its lower bound.
        lower: f64,
        /// Its upper bound.
        upper: f64,
    },
    /// A coefficient is not a finite number.
    #[error("a coefficient of {what} is not a finite number")]
    NotFinite {
        /// Which part.
        what: &'static str,
    },
    /// The constraints contradict one another.
    #[error("{} constraints contradict one another", participants.len())]
    Infeasible {
        /// Constraints of the contradiction and their weights in it, heaviest first.
        participants: Vec<(Participant, f64)>,
    },
    /// The bound on pivots was reached.
    #[error("no solution within {limit} pivots")]
    PivotLimit {
        /// The bound.
        limit: usize,
    },
    /// The basis became singular.
    #[error("the active constraints became linearly dependent after {pivots} pivots")]
    Singular {
        /// Pivots made.
        pivots: usize,
    },
    /// The interior-point method came to a halt before the optimum.
    #[error(
        "the interior-point method stopped after {steps} steps with a relative error of {error:.1e}"
    )]
    Interior {
        /// Iterations made.
        steps: usize,
        /// Worst relative gap or residual that it reached.
        error: f64,
    },
}

impl ProgramError {
    /// What the caller can do about it.
    pub fn hint(&self) -> &'static str {
        match self {
            Self::Shape { .. } => "give every row one coefficient per variable",
            Self::Bounds { .. } => "give every variable finite bounds, lower ≤ upper",
            Self::NotFinite { .. } => "look for a division by zero where the rows are assembled",
            Self::Infeasible { .. } => "relax one of the constraints that are named",
            Self::PivotLimit { .. } | Self::Singular { .. } | Self::Interior { .. } => {
                "rescale the problem"
            }
        }
    }
}
