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
    /// A part of a model that carom does not simulate.
    #[error("{what} ({owner}) is not simulated: {why}")]
    NotSimulated {
        /// What it is.
        what: String,
        /// Where it stands first.
        owner: String,
        /// What holds instead.
        why: &'static str,
    },
    /// Pairs of shapes that have no gap function.
    #[error("contact `{pair}`, which a rule implies, is left out: no contact between {a} and {b}")]
    NoGap {
        /// The first such pair.
        pair: String,
        /// Shape of the one.
        a: &'static str,
        /// Shape of the other.
        b: &'static str,
    },
    /// A mesh as contact geometry.
    #[error(
        "the mesh of {owner} makes no contact feature; meshes = \"hull\" of [[urdf]] makes one of its convex hull"
    )]
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
    /// Two free mechanisms that could meet, and no contact says that they do.
    #[error("no [[contact]] lets `{a}` and `{b}` touch: they pass through each other")]
    Apart {
        /// A body of the one.
        a: String,
        /// A body of the other.
        b: String,
    },
    /// A mesh whose hull has more corners than a shape may have.
    #[error(
        "the hull of `{feature}` is made of {corners} of its points: others are up to {} m outside of it",
        short_number(*left)
    )]
    Simplified {
        /// The feature.
        feature: String,
        /// Corners that it has.
        corners: usize,
        /// Height of what is left out, m.
        left: f64,
    },
    /// Pieces that stand for a concave mesh.
    #[error(
        "{pieces} convex pieces, found by cutting, stand for the mesh of `{feature}`: they go up to {} m beyond it",
        short_number(*concavity)
    )]
    Decomposed {
        /// The feature.
        feature: String,
        /// How many pieces.
        pieces: usize,
        /// The largest distance of a piece from the mesh, m.
        concavity: f64,
    },
    /// A pair of `self` whose shapes overlap at the start.
    #[error(
        "contact `{pair}`, which `self` implies, overlaps by {} m at the start: it is left out",
        short_number(*depth)
    )]
    Overlaps {
        /// The pair.
        pair: String,
        /// How deep, m.
        depth: f64,
    },
    /// A joint whose file starts it outside its limits, which are soft there.
    #[error("joint `{joint}` of the file starts at {}, outside its limits: it starts at {}", short_number(*value), short_number(*moved))]
    MovedInside {
        /// The joint.
        joint: String,
        /// Its angle or position in the file, rad or m.
        value: f64,
        /// The limit, rad or m.
        moved: f64,
    },
    /// A joint that loops start a little outside its limits.
    #[error("joint `{joint}` starts at {} where its loops close, outside its limit {}: the limit gives way", short_number(*value), short_number(*end))]
    WidenedLimit {
        /// The joint.
        joint: String,
        /// Its angle or position at the start, rad or m.
        value: f64,
        /// The limit of the file, rad or m.
        end: f64,
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
    /// What a scene states for a run by events, which is run by time steps.
    #[error("`{what}` has no effect with scheme = \"moreau\": {why}")]
    NotInSteps {
        /// What is stated.
        what: String,
        /// Why it has none.
        why: &'static str,
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
            Self::NotSimulated { what, .. } => what.clone(),
            Self::NoGap { a, b, .. } => format!("no gap {a} {b}"),
            Self::Mesh { .. } => "mesh".into(),
            // Each mesh has its own distance.
            Self::Decomposed { feature, .. } => format!("pieces of {feature}"),
            Self::Closed { .. } => "loops".into(),
            Self::WidenedLimit { .. } => "limits of loops".into(),
            Self::VelocityLimit { .. } => "velocity limit".into(),
            Self::MassZero { .. } => "mass zero".into(),
            Self::Inertia { .. } => "inertia".into(),
            Self::Attribute { name, .. } => format!("attribute {name}"),
            Self::NoRoom { .. } => "no room".into(),
            Self::NoContact { .. } | Self::Apart { .. } => "no contact".into(),
            Self::Simplified { .. } => "simplified".into(),
            Self::Overlaps { .. } => "overlaps".into(),
            Self::MovedInside { .. } => "moved inside".into(),
            Self::MovedApart { .. } => "moved apart".into(),
            Self::NotInSteps { what, .. } => what.clone(),
        }
    }
}
