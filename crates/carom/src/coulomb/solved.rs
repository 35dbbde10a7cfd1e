//! How an answer was found, and how good it is.

use crate::numeric::thresholds::ACCEPTED;

/// How an answer was found.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Method {
    /// Nothing takes part.
    Nothing,
    /// The modes before still hold.
    Continued,
    /// Mending the worst violation.
    Pivoting,
    /// Newton's method.
    Newton,
    /// Friction that is a little viscous, taken back.
    Viscous,
    /// Alternating directions.
    Alternating,
    /// The linear complementarity problem.
    Lemke,
    /// Friction raised from zero.
    Continuation,
    /// Gauss–Seidel sweeps.
    Sweeps,
    /// A vanishing compliance.
    Soft,
    /// All modes were tried.
    Enumeration,
}

impl Method {
    /// Word used in files.
    pub fn word(&self) -> &'static str {
        match self {
            Self::Nothing => "nothing",
            Self::Continued => "continued",
            Self::Pivoting => "pivoting",
            Self::Newton => "newton",
            Self::Viscous => "viscous",
            Self::Alternating => "alternating",
            Self::Lemke => "lemke",
            Self::Continuation => "continuation",
            Self::Sweeps => "sweeps",
            Self::Soft => "soft",
            Self::Enumeration => "enumeration",
        }
    }
}

/// How good an answer is, and how it was found.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Solved {
    /// The last attempt that was needed by any block.
    pub by: Method,
    /// The certificate of the whole.
    pub residual: f64,
    /// ε of the compliance, zero if none was needed.
    pub softness: f64,
    /// Whether no other answer is known.
    pub unique: bool,
}

impl Solved {
    /// Whether it is an answer.
    pub fn accepted(&self) -> bool {
        self.residual <= ACCEPTED
    }
}
