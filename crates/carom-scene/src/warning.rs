//! What a reader understood but cannot honour.

use crate::number::short_number;
use crate::source::{Place, Spot};
use carom::spatial::InertiaError;
use std::fmt;
use thiserror::Error;

/// Cautions found while reading, with their places.
pub(crate) type Cautions = Vec<(Caution, Spot)>;

/// Why something in a file has no effect.
#[derive(Debug, Clone, PartialEq, Error)]
#[non_exhaustive]
pub enum Caution {
    /// A tag of a robot description that describes no mechanics that carom simulates.
    #[error("<{tag}> of {owner} is left out: {why}")]
    LeftOut {
        /// The tag.
        tag: String,
        /// Where it stands.
        owner: String,
        /// Why it has no effect.
        why: &'static str,
    },
    /// A mesh as contact geometry.
    #[error("the mesh of {owner} makes no contact feature: meshes are not read")]
    Mesh {
        /// The link.
        owner: String,
    },
    /// A start that had to be left so that loops close.
    #[error("`{coordinate}` starts at {} instead of {}, so that all loops close", short_number(*value), short_number(*given))]
    Closed {
        /// The coordinate.
        coordinate: String,
        /// Where it starts.
        value: f64,
        /// What was given.
        given: f64,
    },
    /// A velocity limit of a joint.
    #[error("joint `{joint}`: the velocity limit {velocity} is not enforced")]
    VelocityLimit {
        /// The joint.
        joint: String,
        /// The limit, rad/s or m/s.
        velocity: f64,
    },
    /// An inertia without mass, which no motion can feel in a rigid body of mass zero.
    #[error("link `{link}` has mass 0: its inertia is left out")]
    MassZero {
        /// The link.
        link: String,
    },
    /// An inertia that no body has, in a rigid part that is possible as a whole or was accepted.
    #[error("link `{link}` alone has an impossible inertia: {source}")]
    Inertia {
        /// The link.
        link: String,
        /// What is wrong.
        source: InertiaError,
    },
    /// An attribute that other programs use.
    #[error("attribute `{name}` of {owner} is left out: it is not part of URDF")]
    Attribute {
        /// The attribute.
        name: String,
        /// Where it stands.
        owner: String,
    },
    /// A body that could meet another, and no contact says that it does.
    #[error("no [[contact]] names body `{body}`: it passes through `{other}`")]
    NoContact {
        /// The body.
        body: String,
        /// A feature that it could meet.
        other: String,
    },
    /// Bodies that overlap at the start and were moved apart, as `initial.penetration` allows.
    #[error(
        "contact `{pair}` penetrates by {} m at the start: the bodies are moved apart",
        short_number(*depth)
    )]
    MovedApart {
        /// The pair.
        pair: String,
        /// How deep, m.
        depth: f64,
    },
    /// Joint limits that leave no room, which exporters write for joints without limits.
    #[error(
        "joint `{joint}`: lower limit {lower} and upper limit {upper} leave no room and are left out"
    )]
    NoRoom {
        /// The joint.
        joint: String,
        /// Lower limit.
        lower: f64,
        /// Upper limit.
        upper: f64,
    },
}

/// A caution with its place.
#[derive(Debug, Clone, PartialEq)]
pub struct Warning {
    /// What is not honoured.
    pub caution: Caution,
    /// Where it is written.
    pub place: Option<Place>,
}

impl fmt::Display for Warning {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.place {
            Some(place) => write!(f, "{place}: {}", self.caution),
            None => write!(f, "{}", self.caution),
        }
    }
}

impl Caution {
    /// Cautions of one sort say the same about different parts.
    pub fn sort(&self) -> String {
        match self {
            Self::LeftOut { tag, .. } => format!("<{tag}>"),
            Self::Mesh { .. } => "mesh".into(),
            Self::Closed { .. } => "loops".into(),
            Self::VelocityLimit { .. } => "velocity limit".into(),
            Self::MassZero { .. } => "mass zero".into(),
            Self::Inertia { .. } => "inertia".into(),
            Self::Attribute { name, .. } => format!("attribute {name}"),
            Self::NoRoom { .. } => "no room".into(),
            Self::NoContact { .. } => "no contact".into(),
            Self::MovedApart { .. } => "moved apart".into(),
        }
    }
}
