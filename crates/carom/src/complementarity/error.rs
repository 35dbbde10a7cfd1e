//! Why a complementarity problem was not solved.

use thiserror::Error;

/// Every way in which a complementarity problem can be refused or left unsolved.
#[derive(Debug, Clone, PartialEq, Error)]
pub enum ComplementarityError {
    /// M, q and the row kinds do not have matching sizes.
    #[error("matrix is {rows} x {columns} but the constant vector has {constants} entries")]
    Shape {
        /// rows of the matrix
        rows: usize,
        /// columns of the matrix
        columns: usize,
        /// entries of q
        constants: usize,
    },
    /// An entry of M or q is not a finite number.
    #[error("entry ({row}, {column}) is {value}, not a finite number")]
    NotFinite {
        /// row of the entry
        row: usize,
        /// column of the entry; the size of the problem stands for q
        column: usize,
        /// the value found
        value: f64,
    },
    /// Pivoting ended on a ray. For a copositive-plus M the problem has no solution.
    #[error("pivoting ended on a ray after {pivots} pivots")]
    Ray {
        /// pivots made
        pivots: usize,
    },
    /// The bound on pivots was reached.
    #[error("no solution within {limit} pivots")]
    PivotLimit {
        /// the bound
        limit: usize,
    },
    /// The bilateral rows contradict one another or leave an unknown undetermined.
    #[error("bilateral row {row} cannot be solved for a bilateral unknown (pivot {pivot:.3e})")]
    SingularBilateral {
        /// row that is left over
        row: usize,
        /// largest pivot available, relative to the equilibrated problem
        pivot: f64,
    },
    /// A candidate was found, but its residual is too large to be called a solution.
    #[error("the best candidate misses the conditions by {residual:.3e} (allowed {tolerance:.3e})")]
    Unsolved {
        /// worst entry of the certificate
        residual: f64,
        /// largest residual that is accepted
        tolerance: f64,
    },
    /// The problem is too large to enumerate.
    #[error("{size} complementary rows are too many to enumerate (at most {limit})")]
    TooLarge {
        /// complementary rows of the problem
        size: usize,
        /// largest size that is enumerated
        limit: usize,
    },
}

impl ComplementarityError {
    /// What the caller can do about it.
    pub fn hint(&self) -> &'static str {
        match self {
            Self::Shape { .. } => "M must be square with as many rows as q has entries",
            Self::NotFinite { .. } => "look for a division by zero where M and q are assembled",
            Self::Ray { .. } => "the conditions may contradict one another; enumerate to be sure",
            Self::PivotLimit { .. } => "raise the bound, or rescale the problem",
            Self::SingularBilateral { .. } => "remove redundant bilateral rows",
            Self::Unsolved { .. } => "the problem is badly scaled or nearly degenerate",
            Self::TooLarge { .. } => "use pivoting instead of enumeration",
        }
    }
}
