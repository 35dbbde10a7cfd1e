//! What can be wrong with an impact problem, or with its solution.

use thiserror::Error;

/// A field of an [`ImpactProblem`](super::ImpactProblem), as named in files.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Field {
    /// `mass_matrix`
    MassMatrix,
    /// `velocity`
    Velocity,
    /// `bilateral`
    Bilateral,
    /// `contacts`
    Contacts,
    /// A field of one contact: its name and the field's.
    Contact {
        /// Name of the contact.
        contact: String,
        /// Name of the field: `tangents`, `normal`, `friction`, `static_friction` or `restitution`.
        field: &'static str,
    },
    /// A parameter of a law, by its name.
    Law(&'static str),
}

impl std::fmt::Display for Field {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::MassMatrix => f.write_str("mass_matrix"),
            Self::Velocity => f.write_str("velocity"),
            Self::Bilateral => f.write_str("bilateral"),
            Self::Contacts => f.write_str("contacts"),
            Self::Contact { contact, field } => write!(f, "contact `{contact}`: {field}"),
            Self::Law(name) => write!(f, "law: {name}"),
        }
    }
}

/// Why a law does not apply to a problem.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reason {
    /// The law is for one contact only.
    SeveralContacts {
        /// How many contacts take part.
        count: usize,
    },
    /// The law is for one colliding contact; the rest may touch.
    SeveralColliding {
        /// How many contacts approach.
        count: usize,
    },
    /// A contact has a number of tangents the law does not know.
    Tangents {
        /// Index of the contact.
        contact: usize,
        /// Its number of tangents.
        found: usize,
        /// The largest number the law takes.
        largest: usize,
    },
    /// The law needs the mass matrix; contact space alone does not hold it.
    NeedsMassMatrix,
    /// A prescribed velocity must not be scaled.
    PrescribedMotion,
    /// A colliding contact has a zero row in G: no impulse can stop it.
    Immovable {
        /// Index of the contact.
        contact: usize,
    },
    /// The block matrix [M Aᵀ; A 0] is singular: some motion has no mass and no constraint holds it.
    SingularBlock {
        /// Rank of the block matrix with independent constraints.
        rank: usize,
        /// Its size.
        size: usize,
    },
    /// Too many contacts for an exact search.
    TooManyContacts {
        /// How many take part.
        count: usize,
        /// How many the law can treat.
        largest: usize,
    },
}

impl std::fmt::Display for Reason {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::SeveralContacts { count } => {
                write!(f, "it is for one contact, {count} take part")
            }
            Self::SeveralColliding { count } => {
                write!(f, "it is for one approaching contact, {count} approach")
            }
            Self::Tangents { contact, found, largest } => {
                write!(f, "contact {contact} has {found} tangents, it takes at most {largest}")
            }
            Self::PrescribedMotion => {
                f.write_str("it scales all velocities, and some motion is prescribed")
            }
            Self::NeedsMassMatrix => f.write_str("it needs the mass matrix"),
            Self::Immovable { contact } => write!(f, "no impulse can stop contact {contact}"),
            Self::SingularBlock { rank, size } => {
                write!(
                    f,
                    "the block matrix has rank {rank} of {size}, a massless motion is unconstrained"
                )
            }
            Self::TooManyContacts { count, largest } => {
                write!(f, "{count} contacts take part, it treats at most {largest}")
            }
        }
    }
}

/// An impact that was not resolved, and why.
#[derive(Clone, Debug, PartialEq, Error)]
#[non_exhaustive]
pub enum ImpactError {
    /// A matrix or vector has the wrong size.
    #[error("{field} has size {found}, expected {expected}")]
    Shape {
        /// Which.
        field: Field,
        /// Size required.
        expected: usize,
        /// Size given.
        found: usize,
    },
    /// A number is NaN or infinite.
    #[error("{field}[{index}] is {value}, expected a finite number")]
    NotFinite {
        /// Which.
        field: Field,
        /// Position, row by row.
        index: usize,
        /// The number.
        value: f64,
    },
    /// A number is outside its range.
    #[error("{field} is {value}, expected {min} to {max}")]
    OutOfRange {
        /// Which.
        field: Field,
        /// The number.
        value: f64,
        /// Smallest allowed.
        min: f64,
        /// Largest allowed.
        max: f64,
    },
    /// M differs from its transpose.
    #[error(
        "mass_matrix is not symmetric: [{row}][{column}] is {upper}, [{column}][{row}] is {lower}"
    )]
    NotSymmetric {
        /// Row of the worse entry.
        row: usize,
        /// Column of the worse entry.
        column: usize,
        /// Entry above the diagonal.
        upper: f64,
        /// Entry below the diagonal.
        lower: f64,
    },
    /// M has no Cholesky factor.
    #[error("mass_matrix is not positive definite: pivot {pivot} is {value}")]
    MassMatrix {
        /// Index of the pivot that failed.
        pivot: usize,
        /// Its value.
        value: f64,
    },
    /// The list of contacts is empty.
    #[error("contacts is empty, expected at least one")]
    NoContacts,
    /// No contact approaches, so there is no impact.
    #[error("no contact approaches: {}", approach_text(*slowest))]
    NoApproach {
        /// Smallest normal velocity of the contacts that touch; infinite if none does.
        slowest: f64,
    },
    /// The law is not made for this problem.
    #[error("law `{law}` does not apply: {reason}")]
    NotApplicable {
        /// The law.
        law: &'static str,
        /// Why not.
        reason: Reason,
    },
    /// No set of modes satisfies the contact conditions: a Painlevé paradox without solution.
    #[error(
        "law `{law}`: no consistent set of contact modes at stage {stage}, best residual {residual:e}"
    )]
    NoConsistentMode {
        /// The law.
        law: &'static str,
        /// Stage of the impact, from 0.
        stage: usize,
        /// Relative violation of the best set of modes.
        residual: f64,
    },
    /// Several sets of modes with different motions satisfy the contact conditions: a Painlevé paradox.
    #[error("law `{law}`: several different consistent sets of contact modes at stage {stage}")]
    AmbiguousModes {
        /// The law.
        law: &'static str,
        /// Stage of the impact, from 0.
        stage: usize,
    },
    /// Compression has no end: the impulse grows without bound.
    #[error("law `{law}`: compression of contact {contact} never ends, du_n/dp_n is {rate}")]
    Jammed {
        /// The law.
        law: &'static str,
        /// The colliding contact.
        contact: usize,
        /// Rate of the normal velocity per unit of normal impulse.
        rate: f64,
    },
    /// The equations were not solved; the residual says how far off.
    #[error("law `{law}`: residual {residual:e} exceeds {tolerance:e}")]
    Unsolved {
        /// The law.
        law: &'static str,
        /// Relative residual reached.
        residual: f64,
        /// Relative residual required.
        tolerance: f64,
    },
    /// No slip keeps the energy after the impact within its limit.
    #[error("law `{law}`: no slip keeps the energy below {limit} of that before")]
    EnergyLimit {
        /// The law.
        law: &'static str,
        /// Energy allowed after the impact, over that before.
        limit: f64,
    },
    /// More stages than any path of this size can have.
    #[error("law `{law}`: not finished after {limit} stages")]
    TooManyStages {
        /// The law.
        law: &'static str,
        /// The bound.
        limit: usize,
    },
}

fn approach_text(slowest: f64) -> String {
    if slowest.is_finite() {
        format!("the smallest normal velocity is {slowest}")
    } else {
        String::from("none of them touches")
    }
}

impl ImpactError {
    /// What the user can do about it.
    pub fn hint(&self) -> &'static str {
        match self {
            Self::Shape { .. } => {
                "every row has one entry per velocity; the mass matrix is square of that size"
            }
            Self::NotFinite { .. } => {
                "look for a division by zero or an empty cell where the problem was made"
            }
            Self::OutOfRange { .. } => {
                "restitution lies in [0, 1], friction is not negative, static_friction is not below friction"
            }
            Self::NotSymmetric { .. } => "give the full symmetric matrix, not a triangle",
            Self::MassMatrix { .. } => {
                "remove massless or dependent coordinates, or use the constraint law, which takes a singular mass matrix"
            }
            Self::NoContacts => "list at least one contact",
            Self::NoApproach { .. } => {
                "the normal points to the body that may leave, so an approaching contact has a negative normal velocity"
            }
            Self::NotApplicable { .. } => {
                "choose a law whose scope covers the problem; `carom laws` lists them"
            }
            Self::NoConsistentMode { .. } => {
                "rigid-body mechanics has no answer here; reduce the friction or use an algebraic law"
            }
            Self::AmbiguousModes { .. } => {
                "rigid-body mechanics has several answers here; reduce the friction or use an algebraic law"
            }
            Self::Jammed { .. } => "the contact wedges: reduce the friction",
            Self::Unsolved { .. } => {
                "the problem is badly scaled or degenerate: check units and redundant contacts"
            }
            Self::EnergyLimit { .. } => {
                "raise the limit, lower the restitution, or attenuate the velocities instead"
            }
            Self::TooManyStages { .. } => {
                "report the problem: a path of this size should have ended"
            }
        }
    }
}
